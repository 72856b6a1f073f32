"""Duplicate form submissions: the second one redirects to where the first one led and does nothing else."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

import anyio

from storage.database import Database
from web.errors import DuplicateSubmission

KEPT = timedelta(hours=24)
LONGEST_WAIT = 15.0
"""Seconds that a second submission waits for the first to finish."""
BETWEEN_LOOKS = 0.1
UNDER_WAY: Mapping[str, str] = {"state": "under way"}


@dataclass(frozen=True, slots=True)
class FormSubmission:
    """One submission of a form in a company. `key` identifies the token of this rendering of the form."""

    company_id: str
    key: str

    @classmethod
    def of(cls, company_id: str, token: str) -> "FormSubmission":
        """Return the submission of the form that carried this token."""
        return cls(company_id, f"form:{hashlib.sha256(token.encode()).hexdigest()}")


async def claim(database: Database, sent: FormSubmission, now: datetime) -> None:
    """Claim the submission. Raises DuplicateSubmission with the first one's outcome when it was already submitted."""
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
        # The first one was rejected and changed nothing, so try again.


async def _took(database: Database, sent: FormSubmission, now: datetime) -> bool:
    async with database.transaction(sent.company_id) as workspace:
        return await workspace.idempotency_keys.claim(sent.key, UNDER_WAY, since=now - KEPT, now=now)


async def settle(database: Database, sent: FormSubmission, status: int, location: str | None) -> None:
    """Store where the submission led. A rejected one may be submitted again."""
    async with database.transaction(sent.company_id) as workspace:
        if status >= 400:
            await workspace.idempotency_keys.release(sent.key)
        else:
            await workspace.idempotency_keys.settle(sent.key, {"state": "ended", "location": location})
