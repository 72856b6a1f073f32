"""WWW-Authenticate challenges, from which a client learns how to sign in (RFC 6750, RFC 9728)."""

from dataclasses import dataclass

from oauth.principal import Scope

METADATA_PATH = "/.well-known/oauth-protected-resource"
_ALL_SCOPES = f"{Scope.READ} {Scope.WRITE}"


def scopes_to_ask(scope: Scope) -> str:
    """Every scope a sign-in needs for a tool of this scope, at once.

    A client that signs in for reading and is then denied writing spends two consents on one call.
    """
    return _ALL_SCOPES if scope is Scope.WRITE else str(Scope.READ)


@dataclass(frozen=True, slots=True)
class Challenges:
    """The challenges of one deployment; without OAuth there is no metadata to name.

    `endpoint` in each method is the path whose metadata is meant: `/mcp`,
    `/api/mcp-app`, or the empty string for the service as a whole.
    """

    base_url: str
    oauth: bool

    def missing(self, scope: Scope, endpoint: str = "") -> str:
        """For a request without a credential: no `error`, since none was presented (RFC 6750 section 3.1)."""
        return self._challenge(endpoint, scope=scopes_to_ask(scope)) if self.oauth else "Bearer"

    def sign_in(self, scope: Scope, endpoint: str = "") -> str:
        """The same for a tool result's metadata, where clients need an `error` to offer a sign-in."""
        return self._challenge(
            endpoint,
            scope=scopes_to_ask(scope),
            error="invalid_token",
            error_description="Sign in to use this tool.",
        )

    def under_scoped(self, scope: Scope, endpoint: str = "") -> str:
        """For a good credential without the scope; names all scopes still needed (RFC 6750 section 3.1)."""
        return self._challenge(
            endpoint,
            scope=scopes_to_ask(scope),
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
