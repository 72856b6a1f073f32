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
    """Return a task as JSON; `day` is the day whose budget it counts against."""
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
    """Return a stored task and the day of its budget. Raises DamagedData when it cannot be read."""
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
    """Creates and verifies the callback address of each task, which only its data provider knows.

    The content of a call is never read, because anyone may call. The result is fetched from the data provider
    with our key. A repeated call, or one for a task that has ended, changes nothing. Polling makes up for a
    lost call.
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
        """Return whether we issued this token."""
        named, _, digest = token.rpartition(".")
        return token.isascii() and self._digests.matches(named, digest)

    async def receive(self, token: str) -> None:
        """Make the task of a known token due for polling now, if it is still waiting."""
        company_id, ask_key, _ = token.split(".")
        async with self._database.transaction(company_id) as writing:
            await writing.asks.hasten(ask_key, self._now())
