"""WWW-Authenticate challenges, from which a client learns how to sign in (RFC 6750, RFC 9728)."""

from dataclasses import dataclass

from oauth.principal import Scope

METADATA_PATH = "/.well-known/oauth-protected-resource"
SCOPES = f"{Scope.READ} {Scope.WRITE}"
"""Scopes in every challenge. Several clients do not sign in again for a second scope, and the consent page lets a
person withhold writing."""


@dataclass(frozen=True, slots=True)
class Challenges:
    """The challenges of one deployment; without OAuth there is no metadata to name.

    `endpoint` in each method is the path whose metadata is meant: `/mcp`,
    `/api/mcp-app`, or the empty string for the service as a whole.
    """

    base_url: str
    oauth: bool

    def missing(self, endpoint: str = "") -> str:
        """For a request without a credential: no `error`, since none was presented (RFC 6750 section 3.1)."""
        return self._challenge(endpoint, scope=SCOPES) if self.oauth else "Bearer"

    def sign_in(self, endpoint: str = "") -> str:
        """The same for a tool result's metadata, where clients need an `error` to offer a sign-in."""
        return self._challenge(
            endpoint,
            scope=SCOPES,
            error="invalid_token",
            error_description="Sign in to use this tool.",
        )

    def under_scoped(self, scope: Scope, endpoint: str = "") -> str:
        """For a good credential without the scope; names all scopes (RFC 6750 section 3.1)."""
        return self._challenge(
            endpoint,
            scope=SCOPES,
            error="insufficient_scope",
            error_description=f"This tool needs the scope {scope}.",
        )

    def refused(self, message: str, endpoint: str = "") -> str:
        """For a bad credential. No scope, so that a fresh sign-in asks for all of them."""
        return self._challenge(endpoint, error="invalid_token", error_description=message)

    def _challenge(self, endpoint: str, **parameters: str) -> str:
        if self.oauth:
            parameters = {"resource_metadata": f"{self.base_url}{METADATA_PATH}{endpoint}", **parameters}
        else:
            parameters.pop("scope", None)
        listed = ", ".join(f'{name}="{value}"' for name, value in parameters.items())
        return f"Bearer {listed}" if listed else "Bearer"
