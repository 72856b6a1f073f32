"""Idempotency keys: what requests that bore one were answered."""

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select, update

from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables.runs import idempotency_keys

REPEATED = Query(
    select(idempotency_keys.c.request_sha256, idempotency_keys.c.answer).where(
        idempotency_keys.c.company_id == bindparam("company_id"),
        idempotency_keys.c.key == bindparam("key"),
        idempotency_keys.c.created_at > bindparam("since", type_=idempotency_keys.c.created_at.type),
    ),
    plain,
)


class IdempotencyKeyRepository(Repository):
    """The idempotency keys of one company."""

    async def find(self, key: str, since: datetime) -> tuple[str, Any] | None:
        """Return the digest and the answer of the request that used this key after `since`."""
        return await self._first(REPEATED, key=key, since=since)

    async def remember(
        self, key: str, request_sha256: str, answer: Any, *, since: datetime, now: datetime
    ) -> None:
        """Keep an answer for requests that repeat the key; forget this company's keys older than `since`."""
        k = idempotency_keys.c
        await self._write(
            delete(idempotency_keys).where(k.company_id == self.company_id, k.created_at <= since)
        )
        values = {"key": key, "request_sha256": request_sha256, "answer": answer, "created_at": now}
        await self._write(insert(idempotency_keys), {**values, "company_id": self.company_id})

    async def claim(self, key: str, answer: Any, *, since: datetime, now: datetime) -> bool:
        """Keep a key before its request is worked on; False when somebody has it. Older than `since` are forgotten."""
        k = idempotency_keys.c
        await self._write(
            delete(idempotency_keys).where(k.company_id == self.company_id, k.created_at <= since)
        )
        values = {"key": key, "request_sha256": "", "answer": answer, "created_at": now}
        statement = self._insert_or_ignore(idempotency_keys)
        return (await self._write(statement, {**values, "company_id": self.company_id})).rowcount == 1

    async def settle(self, key: str, answer: Any) -> None:
        """Store what the request of a claimed key was answered."""
        k = idempotency_keys.c
        condition = (k.company_id == self.company_id) & (k.key == key)
        await self._write(update(idempotency_keys).where(condition).values(answer=answer))

    async def release(self, key: str) -> None:
        """Give a claimed key back, so that the request can be sent again."""
        k = idempotency_keys.c
        await self._write(delete(idempotency_keys).where(k.company_id == self.company_id, k.key == key))
