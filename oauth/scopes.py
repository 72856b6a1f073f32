"""Scopes in requests and responses, and audiences (resource indicators, RFC 8707): what a token allows, and where."""

from collections.abc import Iterable

from oauth.errors import OAuthRefused
from oauth.principal import Scope
from storage.workspace import CompanyRole

OFFLINE = "offline_access"
"""Asked for by clients that want refresh tokens; every client gets those, so it grants nothing."""
IGNORED = frozenset({OFFLINE, "openid", "profile", "email"})
"""Scopes that clients of OpenID Connect add to every request. They grant nothing, and no ID token is issued."""
KNOWN = (Scope.READ, Scope.WRITE)


def requested(text: str | None) -> frozenset[Scope]:
    """Read the scope of an authorization request; none means reading, and writing brings reading.

    Raises OAuthRefused for an unknown name.
    """
    names = frozenset((text or "").split()) - IGNORED
    if names - frozenset(map(str, KNOWN)):
        raise OAuthRefused("invalid_scope", "The scopes are service.read and service.write.")
    return with_implied_scopes({Scope(name) for name in names} or {Scope.READ})


def grantable_scopes(scopes: Iterable[Scope], role: str) -> frozenset[Scope]:
    """Return what of these scopes a person of a role may hand on: a viewer reads and no more."""
    return frozenset(scopes) - ({Scope.WRITE} if role == CompanyRole.VIEWER else set[Scope]())


def with_implied_scopes(scopes: Iterable[Scope]) -> frozenset[Scope]:
    """Add what the scopes include."""
    granted = frozenset(scopes)
    return granted | {Scope.READ} if Scope.WRITE in granted else granted


def format_scopes(scopes: Iterable[Scope]) -> str:
    """Write scopes in one fixed order, separated by spaces."""
    granted = frozenset(scopes)
    return " ".join(scope for scope in KNOWN if scope in granted)


def parse_scopes(text: str) -> frozenset[Scope]:
    """Read what `written` wrote."""
    return frozenset(Scope(name) for name in text.split())


ENDPOINTS = ("", "/mcp", "/api/mcp-app")
"""Paths, below the base address, of what is protected; the first is the service as a whole."""


class Audiences:
    """The accepted resource identifiers of one deployment; `base_url` has no trailing slash."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url
        self._accepted = frozenset(base_url + path for path in ENDPOINTS)

    def __contains__(self, resource: str) -> bool:
        return resource in self._accepted

    def canonical(self, resource: str | None) -> str:
        """Return the resource without the slash that some clients add; none means the whole service.

        Raises OAuthRefused for another service's.
        """
        if resource is None:
            return self.base_url
        audience = resource.removesuffix("/")
        if audience not in self._accepted:
            raise OAuthRefused("invalid_target", "The resource is not one of this service.")
        return audience
