"""Lines about runs and their agents that ended: with ids, how they ended and how long they took."""

import logging
from datetime import datetime, timedelta
from typing import Protocol

events = logging.getLogger("seenby.events")


class EndedRun(Protocol):
    """What a line about a run is made of."""

    @property
    def id(self) -> str:
        """The run's identifier."""
        ...

    @property
    def created_at(self) -> datetime:
        """When it was asked for."""
        ...

    @property
    def started_at(self) -> datetime | None:
        """When it was begun, None for one that never was."""
        ...


def log_run_ended(
    run: EndedRun, company_id: str, workflow: str, status: str, now: datetime, error_code: str | None = None
) -> None:
    """Write the line of a run that has just ended."""
    waited = (run.started_at or now) - run.created_at
    fields = {"run_id": run.id, "company_id": company_id, "workflow": workflow, "status": status}
    times = {"waited_ms": milliseconds(waited), "duration_ms": milliseconds(now - run.created_at)}
    level = logging.WARNING if status == "failed" else logging.INFO
    events.log(level, "run", extra={**fields, "error_code": error_code, **times})


def log_agent_ended(
    company_id: str, run_id: str, agent: str, status: str, duration_ms: float, error_code: str | None
) -> None:
    """Write the line of an agent that has just ended."""
    fields = {"run_id": run_id, "company_id": company_id, "agent": agent, "status": status}
    level = logging.WARNING if status == "failed" else logging.INFO
    events.log(level, "agent", extra={**fields, "error_code": error_code, "duration_ms": duration_ms})


def milliseconds(duration: timedelta) -> int:
    """Return a duration in whole milliseconds."""
    return round(duration.total_seconds() * 1000)
