"""Grants: an authorization code for a consent, tokens for a code, refresh token rotation, and revocation."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from oauth import pkce, scopes
from oauth.errors import OAuthRefused
from oauth.principal import Scope
from oauth.scopes import Audiences
from oauth.signing import Digests
from storage.database import Database
from storage.ids import new_id
from storage.operators import Operators
from storage.repositories.oauth_grants import Grant, StoredCode, StoredToken

CODE_LIFE: Final = timedelta(seconds=60)
ACCESS_LIFE: Final = timedelta(hours=1)
REFRESH_LIFE: Final = timedelta(days=30)
GRANT_LIFE: Final = timedelta(days=90)
GRACE: Final = timedelta(seconds=120)
"""How long a replaced refresh token still works: clients refresh in parallel and lose responses.

Bursts of up to 76 seconds are reported."""
MOST_RETRIES: Final = 5
CODES_KEPT: Final = timedelta(days=1)
"""How long a used code is remembered, so that its replay is recognised."""
GRANTS_KEPT: Final = timedelta(days=30)

_ALL_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Approval:
    """What a person allowed. `redirect_named` is whether the request named its redirect."""

    client_id: str
    user_id: str
    company_id: str
    redirect_uri: str
    redirect_named: bool
    scopes: frozenset[Scope]
    resource: str
    code_challenge: str


@dataclass(frozen=True, slots=True)
class Tokens:
    """A new pair of tokens; `seconds` is the access token's life. Neither text can be had again."""

    access: str
    refresh: str
    seconds: int
    scopes: frozenset[Scope]


class Grants:
    """Makes, exchanges and ends what clients hold. Raw codes and tokens leave here once; digests stay."""

    def __init__(
        self, database: Database, digests: Digests, audiences: Audiences, now: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._digests = digests
        self._audiences = audiences
        self._now = now

    async def approve(self, approval: Approval) -> str:
        """Store a grant and return its authorization code."""
        async with self._database.operation() as operators:
            return await self.approve_within(operators, approval)

    async def approve_within(self, operators: Operators, approval: Approval) -> str:
        """The same, in a transaction that is open already."""
        now, raw = self._now(), secrets.token_urlsafe(_ALL_BYTES)
        grant = Grant(
            id=new_id(),
            client_id=approval.client_id,
            user_id=approval.user_id,
            company_id=approval.company_id,
            redirect_uri=approval.redirect_uri,
            scopes=scopes.format_scopes(approval.scopes),
            resource=approval.resource,
            created_at=now,
            expires_at=now + GRANT_LIFE,
        )
        code = StoredCode(
            digest=self._digests.digest(raw),
            grant_id=grant.id,
            redirect_uri=approval.redirect_uri if approval.redirect_named else None,
            code_challenge=approval.code_challenge,
            expires_at=now + CODE_LIFE,
        )
        await operators.oauth_grants.add(grant)
        await operators.oauth_grants.add_code(code)
        await operators.oauth_clients.used(approval.client_id, now)
        return raw

    async def redeem(
        self, client_id: str, code: str, redirect_uri: str | None, verifier: str, resource: str | None
    ) -> Tokens:
        """Exchange a code. Its first presentation uses it up, whatever comes of it; another ends the grant.

        Raises OAuthRefused.
        """
        async with self._database.operation() as operators:
            outcome = await self._redeem(operators, client_id, code, redirect_uri, verifier, resource)
        return _issued(outcome)

    async def _redeem(
        self,
        operators: Operators,
        client_id: str,
        raw: str,
        redirect_uri: str | None,
        verifier: str,
        resource: str | None,
    ) -> Tokens | OAuthRefused:
        now, grants = self._now(), operators.oauth_grants
        code = await grants.code(self._digests.candidates(raw))
        if code is None:
            return _invalid_grant("The code is not valid.")
        if not await grants.burn_code(code.digest, now):
            await grants.revoke(code.grant_id, "code replayed", now)
            return _invalid_grant("The code is not valid.")
        grant = await grants.lock(code.grant_id)
        if (
            grant is None
            or not _is_live(grant, now)
            or grant.client_id != client_id
            or code.expires_at <= now
        ):
            return _invalid_grant("The code is not valid.")
        if redirect_uri != code.redirect_uri:
            return _invalid_grant("The redirect is not the one of the authorization request.")
        if not pkce.proves(verifier, code.code_challenge):
            return _invalid_grant("The verifier does not belong to the challenge.")
        error = _resource_error(self._audiences, grant, resource)
        return error or await self._issue(operators, grant, scopes.parse_scopes(grant.scopes), grant.scopes)

    async def refresh(self, client_id: str, token: str, scope: str | None, resource: str | None) -> Tokens:
        """Exchange a refresh token for a new pair. Raises OAuthRefused.

        The old token works again for two minutes, and a few times. After that its use means that two clients hold it,
        and the grant is revoked (RFC 9700 section 4.14.2).
        """
        async with self._database.operation() as operators:
            outcome = await self._refresh(operators, client_id, token, scope, resource)
        return _issued(outcome)

    async def _refresh(
        self, operators: Operators, client_id: str, raw: str, scope: str | None, resource: str | None
    ) -> Tokens | OAuthRefused:
        """Return a new pair, or the error; an error is returned, not raised, so that its revocation is committed."""
        now, grants = self._now(), operators.oauth_grants
        digests = self._digests.candidates(raw)
        stored = await grants.token(digests)
        if stored is None or stored.kind != "refresh":
            return _invalid_grant("The refresh token is not valid.")
        grant = await grants.lock(stored.grant_id)
        token = await grants.token(digests)
        if grant is None or token is None or grant.client_id != client_id:
            return _invalid_grant("The refresh token is not valid.")
        if not _is_live(grant, now) or token.expires_at <= now:
            return _invalid_grant("The refresh token is not valid.")
        try:
            granted = _narrowed_scopes(token.scopes, scope)
        except OAuthRefused as error:
            return error
        error = _resource_error(self._audiences, grant, resource)
        if error is not None:
            return error
        if token.used_at is None:
            await grants.use_refresh(token.digest, now, 0)
        elif now - token.used_at <= GRACE and token.retries < MOST_RETRIES:
            await grants.use_refresh(token.digest, token.used_at, token.retries + 1)
        else:
            await grants.revoke(grant.id, "refresh token replayed", now)
            return _invalid_grant("The refresh token is not valid.")
        return await self._issue(operators, grant, granted, token.scopes)

    async def _issue(
        self, operators: Operators, grant: Grant, granted: frozenset[Scope], kept: str
    ) -> Tokens:
        """Make a pair; the refresh token keeps the scopes of the one before it (RFC 6749 section 6)."""
        now = self._now()
        life = min(ACCESS_LIFE, grant.expires_at - now)
        tokens = Tokens(
            access="at_" + secrets.token_urlsafe(_ALL_BYTES),
            refresh="rt_" + secrets.token_urlsafe(_ALL_BYTES),
            seconds=int(life.total_seconds()),
            scopes=granted,
        )
        until = min(now + REFRESH_LIFE, grant.expires_at)
        digest = self._digests.digest
        await operators.oauth_grants.add_tokens(
            StoredToken(digest(tokens.access), "access", grant.id, scopes.format_scopes(granted), now + life),
            StoredToken(digest(tokens.refresh), "refresh", grant.id, kept, until),
        )
        await operators.oauth_clients.used(grant.client_id, now)
        return tokens

    async def revoke(self, client_id: str, token: str) -> None:
        """End the grant that a token of either kind belongs to; another client's or an unknown one is left alone."""
        async with self._database.operation() as operators:
            stored = await operators.oauth_grants.token(self._digests.candidates(token))
            grant = await operators.oauth_grants.find(stored.grant_id) if stored else None
            if grant is not None and grant.client_id == client_id:
                await operators.oauth_grants.revoke(grant.id, "revoked by the client", self._now())

    async def remembers(self, approval: Approval) -> bool:
        """Whether a grant that still holds allowed at least as much to the same client at the same redirect."""
        live = await self._database.operators.oauth_grants.live(
            approval.user_id, approval.client_id, approval.redirect_uri, self._now()
        )
        return any(
            grant.company_id == approval.company_id and scopes.parse_scopes(grant.scopes) >= approval.scopes
            for grant in live
        )

    async def sweep(self) -> int:
        """Delete expired codes, tokens, requests and clients; return how many rows."""
        now = self._now()
        async with self._database.operation() as operators:
            swept = await operators.oauth_grants.sweep(now, now - CODES_KEPT, now - GRANTS_KEPT)
            swept += await operators.oauth_requests.sweep(now)
            return swept + await operators.oauth_clients.sweep(now - timedelta(hours=24), now - GRANT_LIFE)


def _issued(outcome: Tokens | OAuthRefused) -> Tokens:
    """Raise an error only now: within the transaction it would roll back the revocation that came with it."""
    if isinstance(outcome, OAuthRefused):
        raise outcome
    return outcome


def _is_live(grant: Grant, now: datetime) -> bool:
    """Return whether a grant is neither revoked nor expired."""
    return grant.revoked_at is None and grant.expires_at > now


def _invalid_grant(description: str) -> OAuthRefused:
    """Return the error for a code or a refresh token (RFC 6749 section 5.2)."""
    return OAuthRefused("invalid_grant", description)


def _resource_error(audiences: Audiences, grant: Grant, resource: str | None) -> OAuthRefused | None:
    """Return the error for a resource that was not granted; None for the granted one or none at all."""
    try:
        differs = resource is not None and audiences.canonical(resource) != grant.resource
    except OAuthRefused as error:
        return error
    return OAuthRefused("invalid_target", "The resource is not the granted one.") if differs else None


def _narrowed_scopes(held: str, asked: str | None) -> frozenset[Scope]:
    """Return the scopes of the new access token. Raises OAuthRefused for more than the token holds."""
    has = scopes.parse_scopes(held)
    if asked is None or not asked.split():
        return has
    wanted = scopes.requested(asked)
    if not wanted <= has:
        raise OAuthRefused("invalid_scope", "More was asked for than was granted.")
    return wanted
