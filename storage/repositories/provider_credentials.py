"""A workspace's own keys for AI engines: sealed before they get here, one for each platform."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select, update

from storage.queries import Query
from storage.repository import Repository
from storage.tables.accounts import provider_credentials
from storage.tables.companies import users


@dataclass(frozen=True, slots=True)
class ProviderCredential:
    """One sealed key; `state` is untested, ok or rejected, `added_by` a person's name."""

    id: str
    platform: str
    sealed: str
    last4: str
    state: str
    added_by: str | None
    tested_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime


FOUND = select(
    provider_credentials.c.id,
    provider_credentials.c.platform,
    provider_credentials.c.sealed,
    provider_credentials.c.last4,
    provider_credentials.c.state,
    users.c.name,
    provider_credentials.c.tested_at,
    provider_credentials.c.last_used_at,
    provider_credentials.c.created_at,
).outerjoin(users, users.c.id == provider_credentials.c.added_by)
OURS = FOUND.where(provider_credentials.c.company_id == bindparam("company_id"))
ALL = Query(OURS.order_by(provider_credentials.c.platform), ProviderCredential)
OF_PLATFORM = Query(OURS.where(provider_credentials.c.platform == bindparam("platform")), ProviderCredential)


class ProviderCredentialRepository(Repository):
    """The engine keys of one company."""

    async def all(self) -> list[ProviderCredential]:
        """Return every key, by platform."""
        return await self._all(ALL)

    async def find(self, platform: str) -> ProviderCredential | None:
        """Return the key for a platform."""
        return await self._first(OF_PLATFORM, platform=platform)

    async def put(
        self, credential_id: str, platform: str, sealed: str, last4: str, added_by: str | None, now: datetime
    ) -> None:
        """Store a key, untested, in the place of an earlier one for the platform."""
        await self.remove(platform)
        values = {"id": credential_id, "company_id": self.company_id, "platform": platform}
        values |= {"sealed": sealed, "last4": last4, "state": "untested", "added_by": added_by}
        await self._write(insert(provider_credentials), {**values, "created_at": now})

    async def tested(self, credential_id: str, state: str, now: datetime) -> None:
        """Record how a test ended."""
        await self._change(credential_id, state=state, tested_at=now)

    async def used(self, credential_id: str, now: datetime) -> None:
        """Remember a use."""
        await self._change(credential_id, last_used_at=now)

    async def remove(self, platform: str) -> bool:
        """Delete the key for a platform; False when there is none."""
        condition = (provider_credentials.c.company_id == self.company_id) & (
            provider_credentials.c.platform == platform
        )
        return (await self._write(delete(provider_credentials).where(condition))).rowcount == 1

    async def _change(self, credential_id: str, **values: object) -> None:
        condition = (provider_credentials.c.id == credential_id) & (
            provider_credentials.c.company_id == self.company_id
        )
        await self._write(update(provider_credentials).where(condition).values(**values))
