"""Forms that are sent twice: the second sending leads where the first one led, and does nothing itself."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import anyio

from storage.database import Database
from web.errors import DuplicateSubmission

KEPT = timedelta(hours=24)
LONGEST_WAIT = 15.0
"""Seconds that a second sending waits for the end of the first."""
BETWEEN_LOOKS = 0.1
UNDER_WAY: Mapping[str, str] = {"state": "under way"}


@dataclass(frozen=True, slots=True)
class FormSubmission:
    """One sending of a form of a company; `key` stands for the token that this one rendering of the form has."""

    company_id: str
    key: str

    @classmethod
    def of(cls, company_id: str, token: str) -> "FormSubmission":
        """Return the sending of the form that carried a token."""
        return cls(company_id, f"form:{hashlib.sha256(token.encode()).hexdigest()}")


async def claim(database: Database, sent: FormSubmission, now: datetime) -> None:
    """Take the sending for oneself. Raises DuplicateSubmission with the first one's end when it was sent before."""
    deadline = anyio.current_time() + LONGEST_WAIT
    while not await _took(database, sent, now):
        known = await database.workspace(sent.company_id).idempotency_keys.find(sent.key, now - KEPT)
        while known is not None and known[1] == UNDER_WAY:
            if anyio.current_time() > deadline:
                raise DuplicateSubmission(None, ended=False)
            await anyio.sleep(BETWEEN_LOOKS)
            known = await database.workspace(sent.company_id).idempotency_keys.find(sent.key, now - KEPT)
        if known is not None:
            raise DuplicateSubmission(known[1].get("location"), ended=True)
        # The first one was refused and changed nothing, so that this one may try.


async def _took(database: Database, sent: FormSubmission, now: datetime) -> bool:
    async with database.transaction(sent.company_id) as workspace:
        return await workspace.idempotency_keys.claim(sent.key, UNDER_WAY, since=now - KEPT, now=now)


async def settle(database: Database, sent: FormSubmission, status: int, location: str | None) -> None:
    """Remember where the sending led; one that was refused may be sent again."""
    async with database.transaction(sent.company_id) as workspace:
        if status >= 400:
            await workspace.idempotency_keys.release(sent.key)
        else:
            await workspace.idempotency_keys.settle(sent.key, {"state": "ended", "location": location})
