"""Lines about runs and their agents that ended: with ids, how they ended and how long they took."""

import logging
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Final, Protocol

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


_NONE: Final[Mapping[str, object]] = MappingProxyType({})
_BOUND: ContextVar[Mapping[str, object]] = ContextVar("bound_fields", default=_NONE)


def bound_fields() -> Mapping[str, object]:
    """Return the fields that are bound here, by name."""
    return _BOUND.get()


@contextmanager
def binding(**fields: object) -> Generator[None]:
    """Bind more fields until the block ends; tasks and threads that begin in it have them too."""
    before = _BOUND.set({**_BOUND.get(), **fields})
    try:
        yield
    finally:
        _BOUND.reset(before)
