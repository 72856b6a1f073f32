"""API keys of this service and provider credentials of a workspace, with the time of their last use."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Table, Update, bindparam, delete, insert, or_, select, update

from storage.queries import Query
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.accounts import provider_credentials
from storage.tables.companies import api_keys, users


def moved_forward(table: Table) -> Update:
    """Return the statement that moves `last_used_at` of a row forward, never back; its values are `uses_in_order`."""
    used = table.c.last_used_at
    later = or_(used.is_(None), used < bindparam("moment"))
    return (
        update(table)
        .where(table.c.id == bindparam("used_id"), later)
        .values(last_used_at=bindparam("moment"))
    )


def uses_in_order(moments: Mapping[str, datetime]) -> list[dict[str, object]]:
    """Return the values of each use; in one order everywhere, so that two processes never wait for each other."""
    return [{"used_id": row_id, "moment": moments[row_id]} for row_id in sorted(moments)]


@dataclass(frozen=True, slots=True)
class ApiKey:
    """One stored key; the raw key is not among its fields and cannot be had again."""

    id: str
    company_id: str
    digest: str
    prefix: str
    last4: str
    description: str | None
    status: str
    scopes: Mapping[str, Any]
    expires_at: datetime | None
    last_used_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class KeyAccess:
    """The company and permissions of a request's API key."""

    id: str
    company_id: str
    status: str
    scopes: Mapping[str, Any]
    expires_at: datetime | None


COLUMNS = row_columns(ApiKey, api_keys)
ACCESS = Query(
    select(*row_columns(KeyAccess, api_keys)).where(
        api_keys.c.digest.in_([bindparam("now_digest"), bindparam("former")])
    ),
    KeyAccess,
    brief=True,
)
ALL = Query(select(*COLUMNS).order_by(api_keys.c.created_at, api_keys.c.id), ApiKey)
USED = moved_forward(api_keys)
OF_COMPANY = Query(
    select(*COLUMNS)
    .where(api_keys.c.company_id == bindparam("company_id"))
    .order_by(api_keys.c.created_at.desc(), api_keys.c.id.desc()),
    ApiKey,
)


class ApiKeyRepository(Repository):
    """The keys of every company, for the one who checks credentials and for the operator."""

    async def access(self, digests: tuple[str, str]) -> KeyAccess | None:
        """Return the access of the key stored under one of the digests, whatever its status."""
        return await self._first(ACCESS, now_digest=digests[0], former=digests[1])

    async def all(self) -> list[ApiKey]:
        """Return every key, oldest first."""
        return await self._all(ALL)

    async def add(self, key: ApiKey) -> None:
        """Store a new key."""
        await self._write(insert(api_keys), {column.name: getattr(key, column.name) for column in COLUMNS})

    async def revoke(self, key_id: str) -> bool:
        """Revoke for good; False when there is no such active key."""
        statement = (
            update(api_keys)
            .where(api_keys.c.id == key_id, api_keys.c.status == "active")
            .values(status="revoked")
        )
        return (await self._write(statement)).rowcount == 1

    async def used(self, moments: Mapping[str, datetime]) -> None:
        """Move `last_used_at` of each key forward, never back."""
        if moments:
            await self._write(USED, uses_in_order(moments))


class CompanyKeyRepository(Repository):
    """The keys of one company."""

    async def all(self) -> list[ApiKey]:
        """Return every key, revoked ones too, newest first."""
        return await self._all(OF_COMPANY)

    async def add(self, key: ApiKey) -> None:
        """Store a new key of this company; another company's raises ValueError."""
        if key.company_id != self.company_id:
            raise ValueError("the key belongs to another company")
        await self._write(insert(api_keys), {column.name: getattr(key, column.name) for column in COLUMNS})

    async def revoke(self, key_id: str) -> bool:
        """Revoke for good; False when there is no such active key."""
        conditions = (
            api_keys.c.id == key_id,
            api_keys.c.company_id == self.company_id,
            api_keys.c.status == "active",
        )
        return (await self._write(update(api_keys).where(*conditions).values(status="revoked"))).rowcount == 1


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


FOUND = select(*row_columns(ProviderCredential, provider_credentials, added_by=users.c.name)).outerjoin(
    users, users.c.id == provider_credentials.c.added_by
)
OURS = FOUND.where(provider_credentials.c.company_id == bindparam("company_id"))
CREDENTIAL_ALL = Query(OURS.order_by(provider_credentials.c.platform), ProviderCredential)
OF_PLATFORM = Query(OURS.where(provider_credentials.c.platform == bindparam("platform")), ProviderCredential)


class ProviderCredentialRepository(Repository):
    """The engine keys of one company."""

    async def all(self) -> list[ProviderCredential]:
        """Return every key, by platform."""
        return await self._all(CREDENTIAL_ALL)

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
