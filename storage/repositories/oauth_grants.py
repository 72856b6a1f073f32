"""OAuth grants: the permissions of a client, the digests of its codes and tokens, and the list of connected apps."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Text, bindparam, delete, insert, select, update

from storage.queries import Query
from storage.repositories.api_keys import moved_forward, uses_in_order
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.companies import users
from storage.tables.oauth import oauth_clients, oauth_codes, oauth_grants, oauth_tokens


@dataclass(frozen=True, slots=True)
class Grant:
    """One grant; `scopes` are names separated by spaces, `resource` is the audience of its tokens."""

    id: str
    client_id: str
    user_id: str
    company_id: str
    redirect_uri: str
    scopes: str
    resource: str
    created_at: datetime
    expires_at: datetime
    last_used_at: datetime | None = None
    revoked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredCode:
    """One authorization code; `redirect_uri` is None if the request had none."""

    digest: str
    grant_id: str
    redirect_uri: str | None
    code_challenge: str
    expires_at: datetime
    used_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class StoredToken:
    """One token; `kind` is access or refresh, `retries` counts uses of a refresh token after the first."""

    digest: str
    kind: str
    grant_id: str
    scopes: str
    expires_at: datetime
    used_at: datetime | None = None
    retries: int = 0


@dataclass(frozen=True, slots=True)
class GrantAccess:
    """The permissions that a request's access token grants."""

    grant_id: str
    company_id: str
    scopes: str
    resource: str
    expires_at: datetime
    grant_expires_at: datetime
    revoked_at: datetime | None
    role: str
    """The current role of the user who consented: owner, member or viewer."""


GRANT = row_columns(Grant, oauth_grants)
CODE = row_columns(StoredCode, oauth_codes)
TOKEN = row_columns(StoredToken, oauth_tokens)
PAIR = (bindparam("now_digest", type_=Text()), bindparam("former", type_=Text()))

USED = moved_forward(oauth_grants)
BY_ID = Query(select(*GRANT).where(oauth_grants.c.id == bindparam("id")), Grant)
CODE_BY_DIGEST = Query(select(*CODE).where(oauth_codes.c.digest.in_(PAIR)), StoredCode)
TOKEN_BY_DIGEST = Query(select(*TOKEN).where(oauth_tokens.c.digest.in_(PAIR)), StoredToken)
ACCESS = Query(
    select(
        oauth_tokens.c.grant_id,
        oauth_grants.c.company_id,
        oauth_tokens.c.scopes,
        oauth_grants.c.resource,
        oauth_tokens.c.expires_at,
        oauth_grants.c.expires_at,
        oauth_grants.c.revoked_at,
        users.c.role,
    )
    .join_from(oauth_tokens, oauth_grants, oauth_grants.c.id == oauth_tokens.c.grant_id)
    .join(users, users.c.id == oauth_grants.c.user_id)
    .where(oauth_tokens.c.kind == "access", oauth_tokens.c.digest.in_(PAIR)),
    GrantAccess,
    brief=True,
)
OF_USER = Query(
    select(*GRANT).where(
        oauth_grants.c.user_id == bindparam("user_id"),
        oauth_grants.c.client_id == bindparam("client_id"),
        oauth_grants.c.redirect_uri == bindparam("redirect_uri"),
        oauth_grants.c.revoked_at.is_(None),
        oauth_grants.c.expires_at > bindparam("now", type_=oauth_grants.c.expires_at.type),
    ),
    Grant,
)


class OAuthGrantRepository(Repository):
    """Every grant, for the token server. `digests` are those under the current and the previous key."""

    async def find(self, grant_id: str) -> Grant | None:
        """Return the grant with this id, revoked or not."""
        return await self._first(BY_ID, id=grant_id)

    async def live(self, user_id: str, client_id: str, redirect_uri: str, now: datetime) -> list[Grant]:
        """Return a user's current grants to this client at this redirect."""
        return await self._all(
            OF_USER, user_id=user_id, client_id=client_id, redirect_uri=redirect_uri, now=now
        )

    async def add(self, grant: Grant) -> None:
        """Store a grant."""
        await self._write(
            insert(oauth_grants), {column.name: getattr(grant, column.name) for column in GRANT}
        )

    async def lock(self, grant_id: str) -> Grant | None:
        """Return the grant and lock it until the end of this transaction."""
        await self._write(
            update(oauth_grants).where(oauth_grants.c.id == grant_id).values(reason=oauth_grants.c.reason)
        )
        return await self.find(grant_id)

    async def revoke(self, grant_id: str, reason: str, now: datetime) -> bool:
        """Revoke a grant with all its tokens; False if it already was."""
        statement = update(oauth_grants).where(
            oauth_grants.c.id == grant_id, oauth_grants.c.revoked_at.is_(None)
        )
        return (await self._write(statement.values(revoked_at=now, reason=reason))).rowcount == 1

    async def revoke_user(self, user_id: str, reason: str, now: datetime) -> int:
        """Revoke all grants of a user."""
        statement = update(oauth_grants).where(
            oauth_grants.c.user_id == user_id, oauth_grants.c.revoked_at.is_(None)
        )
        return (await self._write(statement.values(revoked_at=now, reason=reason))).rowcount

    async def used(self, moments: Mapping[str, datetime]) -> None:
        """Move `last_used_at` of each grant forward, never back."""
        if moments:
            await self._write(USED, uses_in_order(moments))

    async def add_code(self, code: StoredCode) -> None:
        """Store a code."""
        await self._write(insert(oauth_codes), {column.name: getattr(code, column.name) for column in CODE})

    async def code(self, digests: tuple[str, str]) -> StoredCode | None:
        """Return the code under one of the digests."""
        return await self._first(CODE_BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def burn_code(self, digest: str, now: datetime) -> bool:
        """Use up a code; False if it was used before. Of several concurrent calls, one gets True."""
        statement = (
            update(oauth_codes)
            .where(oauth_codes.c.digest == digest, oauth_codes.c.used_at.is_(None))
            .values(used_at=now)
        )
        return (await self._write(statement)).rowcount == 1

    async def add_tokens(self, *tokens: StoredToken) -> None:
        """Store tokens."""
        rows = [{column.name: getattr(token, column.name) for column in TOKEN} for token in tokens]
        await self._write(insert(oauth_tokens), rows)

    async def token(self, digests: tuple[str, str]) -> StoredToken | None:
        """Return the token under one of the digests, of either kind."""
        return await self._first(TOKEN_BY_DIGEST, now_digest=digests[0], former=digests[1])

    async def use_refresh(self, digest: str, used_at: datetime, retries: int) -> None:
        """Record when a refresh token was first used, and how often it was retried."""
        statement = update(oauth_tokens).where(oauth_tokens.c.digest == digest)
        await self._write(statement.values(used_at=used_at, retries=retries))

    async def access(self, digests: tuple[str, str]) -> GrantAccess | None:
        """Return the permissions of an access token, whether it is still valid or not."""
        return await self._first(ACCESS, now_digest=digests[0], former=digests[1])

    async def sweep(self, now: datetime, codes_before: datetime, grants_before: datetime) -> int:
        """Delete expired tokens, codes that expired before one instant, and grants that ended before another."""
        ended = (oauth_grants.c.expires_at < grants_before) | (oauth_grants.c.revoked_at < grants_before)
        statements = (
            delete(oauth_tokens).where(oauth_tokens.c.expires_at < now),
            delete(oauth_codes).where(oauth_codes.c.expires_at < codes_before),
            delete(oauth_grants).where(ended),
        )
        return sum([(await self._write(statement)).rowcount for statement in statements])


@dataclass(frozen=True, slots=True)
class ConnectedAppRow:
    """One current grant. `client` is the client's own metadata; `scopes` are separated by spaces."""

    id: str
    client_id: str
    client: Mapping[str, Any]
    user_id: str
    redirect_uri: str
    scopes: str
    since: datetime
    last_used_at: datetime | None
    expires_at: datetime

    @property
    def name(self) -> str:
        """The client's own name, or its id."""
        return str(self.client.get("client_name") or self.client_id)


LIVE = Query(
    select(
        *row_columns(
            ConnectedAppRow,
            oauth_grants,
            client=oauth_clients.c.document,
            since=oauth_grants.c.created_at,
        )
    )
    .join_from(oauth_grants, oauth_clients, oauth_clients.c.id == oauth_grants.c.client_id)
    .where(
        oauth_grants.c.company_id == bindparam("company_id"),
        oauth_grants.c.revoked_at.is_(None),
        oauth_grants.c.expires_at > bindparam("now", type_=oauth_grants.c.expires_at.type),
    )
    .order_by(oauth_grants.c.created_at.desc(), oauth_grants.c.id),
    ConnectedAppRow,
)


class ConnectedAppRepository(Repository):
    """The grants of one company."""

    async def live(self, now: datetime) -> list[ConnectedAppRow]:
        """Return the current grants, newest first."""
        return await self._all(LIVE, now=now)

    async def disconnect(self, grant_id: str, now: datetime) -> bool:
        """Revoke a grant immediately and permanently; False if the company has no such current grant."""
        conditions = (
            oauth_grants.c.id == grant_id,
            oauth_grants.c.company_id == self.company_id,
            oauth_grants.c.revoked_at.is_(None),
        )
        statement = update(oauth_grants).where(*conditions).values(revoked_at=now, reason="disconnected")
        return (await self._write(statement)).rowcount == 1
