"""Scopes as they stand in requests and answers."""

from collections.abc import Iterable

from oauth.errors import OAuthRefused
from oauth.principal import Scope

OFFLINE = "offline_access"
"""Asked for by clients that want refresh tokens; every client gets those, so it grants nothing."""
KNOWN = (Scope.READ, Scope.WRITE)
VIEWER = "viewer"


def requested(text: str | None) -> frozenset[Scope]:
    """Read the scope of an authorization request; none means reading, and writing brings reading.

    Raises OAuthRefused for an unknown name.
    """
    names = frozenset((text or "").split()) - {OFFLINE}
    if names - frozenset(map(str, KNOWN)):
        raise OAuthRefused("invalid_scope", "The scopes are service.read and service.write.")
    return widened({Scope(name) for name in names} or {Scope.READ})


def allowed(scopes: Iterable[Scope], role: str) -> frozenset[Scope]:
    """Return what of these scopes a person of a role may hand on: a viewer reads and no more."""
    return frozenset(scopes) - ({Scope.WRITE} if role == VIEWER else set[Scope]())


def widened(scopes: Iterable[Scope]) -> frozenset[Scope]:
    """Add what the scopes include."""
    found = frozenset(scopes)
    return found | {Scope.READ} if Scope.WRITE in found else found


def written(scopes: Iterable[Scope]) -> str:
    """Write scopes in one fixed order, separated by spaces."""
    found = frozenset(scopes)
    return " ".join(scope for scope in KNOWN if scope in found)


def read(text: str) -> frozenset[Scope]:
    """Read what `written` wrote."""
    return frozenset(Scope(name) for name in text.split())
