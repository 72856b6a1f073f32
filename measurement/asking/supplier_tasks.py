"""Tasks at suppliers as they are stored beside their asks, so that a crash loses none."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from engines.suppliers.supplier_task import SupplierTask
from measurement.extraction.stored_exchanges import exchanges_in, exchanges_of
from storage.errors import DamagedData


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
