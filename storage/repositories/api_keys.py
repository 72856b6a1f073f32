"""API keys: only their keyed digests are kept, and the digest is the lookup."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select, update

from storage.queries import Query
from storage.repositories.last_uses import moved_forward, uses_in_order
from storage.repository import Repository
from storage.tables.companies import api_keys


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


COLUMNS = (
    api_keys.c.id,
    api_keys.c.company_id,
    api_keys.c.digest,
    api_keys.c.prefix,
    api_keys.c.last4,
    api_keys.c.description,
    api_keys.c.status,
    api_keys.c.scopes,
    api_keys.c.expires_at,
    api_keys.c.last_used_at,
    api_keys.c.created_at,
)
BY_DIGEST = Query(
    select(*COLUMNS).where(api_keys.c.digest.in_([bindparam("now_digest"), bindparam("former")])),
    ApiKey,
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

    async def by_digests(self, digests: tuple[str, str]) -> ApiKey | None:
        """Return the key stored under one of the digests, whatever its status."""
        return await self._first(BY_DIGEST, now_digest=digests[0], former=digests[1])

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
