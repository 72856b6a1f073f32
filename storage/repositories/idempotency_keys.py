"""Idempotency keys: what requests that bore one were answered."""

from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, insert, select

from storage.statements.queries import Query, plain
from storage.statements.repository import Repository
from storage.statements.tables.runs import idempotency_keys

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
