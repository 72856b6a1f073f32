"""Tasks at data providers: stored beside their requests, so that a crash loses none, and their callback addresses."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from engines.suppliers.supplier_task import SupplierTask
from measurement.extraction.answer_drafts import exchanges_in, exchanges_of
from measurement.planning.clock import Clock
from oauth.signing import Digests
from storage.database import Database
from storage.errors import DamagedData

PATH = "/supplier-callbacks"
FIELD = "task"


def stored_task(task: SupplierTask, day: date) -> Mapping[str, Any]:
    """Return a task as JSON; `day` is the one whose budget it counts against."""
    return {
        "id": task.id,
        "submittedAt": task.submitted_at.isoformat(),
        "startedAt": task.started_at.isoformat() if task.started_at else None,
        "looks": task.looks,
        "notified": task.notified,
        "day": day.isoformat(),
        "exchanges": exchanges_of(task.exchanges),
    }


def task_in(stored: Mapping[str, Any]) -> tuple[SupplierTask, date]:
    """Return a stored task and the day of its budget. Raises DamagedData when it is none."""
    try:
        started = stored["startedAt"]
        task = SupplierTask(
            id=stored["id"],
            submitted_at=datetime.fromisoformat(stored["submittedAt"]),
            exchanges=tuple(exchanges_in(stored["exchanges"])),
            started_at=datetime.fromisoformat(started) if started else None,
            looks=stored["looks"],
            notified=stored.get("notified", False),
        )
        return task, date.fromisoformat(stored["day"])
    except (KeyError, TypeError, ValueError) as error:
        raise DamagedData("a stored task is not what was written; restore it from a backup") from error


class SupplierCallbacks:
    """Makes and recognizes the address of each task, which only its supplier knows.

    What a call brings is never read: anybody may call, so what was seen is fetched from the supplier with our key.
    A call for a task that has ended, or a second one, changes nothing; one that is lost is made up for by looking.
    """

    def __init__(self, database: Database, digests: Digests, base_url: str, now: Clock) -> None:
        self._database = database
        self._digests = digests
        self._base_url = base_url
        self._now = now

    def address(self, company_id: str, ask_key: str) -> str:
        """Return the address to call for the task of an ask."""
        named = f"{company_id}.{ask_key}"
        return f"{self._base_url}{PATH}?{FIELD}={named}.{self._digests.digest(named)}"

    def is_known(self, token: str) -> bool:
        """Whether we made this token."""
        named, _, digest = token.rpartition(".")
        return token.isascii() and self._digests.matches(named, digest)

    async def receive(self, token: str) -> None:
        """Let the task of a known token be looked at now, if it still waits."""
        company_id, ask_key, _ = token.split(".")
        async with self._database.transaction(company_id) as writing:
            await writing.asks.hasten(ask_key, self._now())
