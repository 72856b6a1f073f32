"""Refresh tokens: each exchange replaces the token, and the reuse of a replaced one ends the grant."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from oauth import scopes
from oauth.audience import Audiences
from oauth.errors import OAuthRefused
from oauth.principal import Scope
from oauth.signing import Digests
from storage.operators import Operators
from storage.repositories.oauth_grants import Grant

GRACE: Final = timedelta(seconds=60)
MOST_RETRIES: Final = 5


@dataclass(frozen=True, slots=True)
class Tokens:
    """A new pair of tokens; `seconds` is the access token's life. Neither text can be had again."""

    access: str
    refresh: str
    seconds: int
    scopes: frozenset[Scope]


IssueTokens: TypeAlias = Callable[[Operators, Grant, frozenset[Scope], str], Awaitable[Tokens]]
"""Makes and stores a pair for a grant: scopes of the access token, and those that the refresh token keeps."""


class RefreshRotation:
    """Exchanges a refresh token for a new pair and marks it used.

    Clients refresh in parallel and lose answers, so that for a minute, and a few times, the old token
    works again. After that its use means that two hold it, and the grant is revoked (RFC 9700 section
    4.14.2).
    """

    def __init__(
        self, digests: Digests, audiences: Audiences, now: Callable[[], datetime], issue: IssueTokens
    ) -> None:
        self._digests = digests
        self._audiences = audiences
        self._now = now
        self._issue = issue

    async def rotate(
        self, operators: Operators, client_id: str, raw: str, scope: str | None, resource: str | None
    ) -> Tokens | OAuthRefused:
        """Return a new pair, or the refusal; a refusal is returned so that its revocation is committed."""
        now, grants = self._now(), operators.oauth_grants
        digests = self._digests.candidates(raw)
        stored = await grants.token(digests)
        if stored is None or stored.kind != "refresh":
            return invalid_grant("The refresh token is not valid.")
        grant = await grants.lock(stored.grant_id)
        token = await grants.token(digests)
        if grant is None or token is None or grant.client_id != client_id:
            return invalid_grant("The refresh token is not valid.")
        if not is_live(grant, now) or token.expires_at <= now:
            return invalid_grant("The refresh token is not valid.")
        try:
            granted = narrowed_scopes(token.scopes, scope)
        except OAuthRefused as refusal:
            return refusal
        refusal = refuse_resource(self._audiences, grant, resource)
        if refusal is not None:
            return refusal
        if token.used_at is None:
            await grants.use_refresh(token.digest, now, 0)
        elif now - token.used_at <= GRACE and token.retries < MOST_RETRIES:
            await grants.use_refresh(token.digest, token.used_at, token.retries + 1)
        else:
            await grants.revoke(grant.id, "refresh token replayed", now)
            return invalid_grant("The refresh token is not valid.")
        return await self._issue(operators, grant, granted, token.scopes)


def is_live(grant: Grant, now: datetime) -> bool:
    """Tell whether a grant is neither revoked nor expired."""
    return grant.revoked_at is None and grant.expires_at > now


def invalid_grant(description: str) -> OAuthRefused:
    """Return the refusal of a code or a refresh token (RFC 6749 section 5.2)."""
    return OAuthRefused("invalid_grant", description)


def refuse_resource(audiences: Audiences, grant: Grant, resource: str | None) -> OAuthRefused | None:
    """Return why tokens for this resource are refused; None where it is the granted one or not named."""
    try:
        differs = resource is not None and audiences.canonical(resource) != grant.resource
    except OAuthRefused as refusal:
        return refusal
    return OAuthRefused("invalid_target", "The resource is not the granted one.") if differs else None


def narrowed_scopes(held: str, asked: str | None) -> frozenset[Scope]:
    """Return the scopes of the new access token. Raises OAuthRefused for more than the token holds."""
    has = scopes.parse_scopes(held)
    if asked is None or not asked.split():
        return has
    wanted = scopes.requested(asked)
    if not wanted <= has:
        raise OAuthRefused("invalid_scope", "More was asked for than was granted.")
    return wanted
