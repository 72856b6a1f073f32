"""Connected apps: a company's live grants, as its people see and end them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update

from storage.queries import Query
from storage.repository import Repository
from storage.tables.companies import users
from storage.tables.oauth import oauth_clients, oauth_grants


@dataclass(frozen=True, slots=True)
class ConnectedAppRow:
    """One live grant. `client` is the client's metadata in its own words; `scopes` are separated by spaces."""

    id: str
    client_id: str
    client: Mapping[str, Any]
    user_id: str
    user_name: str
    redirect_uri: str
    scopes: str
    since: datetime
    last_used_at: datetime | None
    expires_at: datetime

    @property
    def name(self) -> str:
        """The client's name for itself, or its id."""
        return str(self.client.get("client_name") or self.client_id)


LIVE = Query(
    select(
        oauth_grants.c.id,
        oauth_grants.c.client_id,
        oauth_clients.c.document,
        oauth_grants.c.user_id,
        users.c.name,
        oauth_grants.c.redirect_uri,
        oauth_grants.c.scopes,
        oauth_grants.c.created_at,
        oauth_grants.c.last_used_at,
        oauth_grants.c.expires_at,
    )
    .join_from(oauth_grants, oauth_clients, oauth_clients.c.id == oauth_grants.c.client_id)
    .join(users, users.c.id == oauth_grants.c.user_id)
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
        """Return the grants that hold, newest first."""
        return await self._all(LIVE, now=now)

    async def disconnect(self, grant_id: str, now: datetime) -> bool:
        """Revoke a grant at once and for good; False when the company has no such live grant."""
        conditions = (
            oauth_grants.c.id == grant_id,
            oauth_grants.c.company_id == self.company_id,
            oauth_grants.c.revoked_at.is_(None),
        )
        statement = update(oauth_grants).where(*conditions).values(revoked_at=now, reason="disconnected")
        return (await self._write(statement)).rowcount == 1
