"""The scheduler: starts what is due, once for each tick regardless of the number of processes.

`measurement.planning.schedules` parses cron expressions.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Sequence
from datetime import datetime, timedelta
from typing import Generic, Literal, Protocol, TypeGuard, TypeVar

import anyio

from measurement.planning.clock import Clock
from measurement.planning.schedules import next_tick
from storage.database import Database
from storage.repositories.agents import AgentInstance
from storage.repositories.brands import Brand
from storage.repositories.notifications import NotificationDraft
from storage.repositories.prompt_sets import PromptSet
from storage.repositories.schedules import DueAgent, DuePromptSet
from storage.workspace import Workspace
from workflows.configurations import ProberConfiguration, stored_configuration
from workflows.errors import NoRoom, RunRefused
from workflows.reusable_agents import assignment_of, start
from workflows.runs import RunService, SingleAgentRun
from workflows.workflow_definitions import PROMPT_SET

events = logging.getLogger("seenby.events")

log = logging.getLogger(__name__)

LOOK_SECONDS = 10.0


class ScheduleSource(Protocol):
    """One kind of thing that is due by the clock."""

    async def start_due(self, now: datetime) -> int:
        """Start what is due and return how many were started; what one tick starts, no other process does."""
        ...


class Scheduler:
    """Polls its sources; it keeps no state, so it can be stopped at any time."""

    def __init__(self, sources: Sequence[ScheduleSource], now: Clock) -> None:
        self._sources = sources
        self._now = now

    async def run(self) -> None:
        """Poll until cancelled."""
        while True:
            await self.look()
            await anyio.sleep(LOOK_SECONDS)

    async def look(self) -> int:
        """Start everything that is due now; a source that fails is logged and does not stop the others."""
        started = 0
        for source in self._sources:
            began, name = time.perf_counter(), type(source).__name__
            try:
                count = await source.start_due(self._now())
            except Exception:
                log.exception("starting what is due of %s", name)
                log_look(name, "failed", 0, began)
            else:
                started += count
                log_look(name, "started" if count else "idle", count, began)
        return started


def log_look(source: str, outcome: str, count: int, began: float) -> None:
    """Log one poll of a source; an idle one at debug level only."""
    level = {"idle": logging.DEBUG, "started": logging.INFO}.get(outcome, logging.ERROR)
    fields = {"source": source, "outcome": outcome, "started": count}
    events.log(
        level, "schedule", extra={**fields, "duration_ms": round((time.perf_counter() - began) * 1000, 3)}
    )


GRACE = timedelta(minutes=5)
"""A tick found later than this counts as missed."""

Missed = Literal["once", "skip"]
Due = TypeVar("Due", DuePromptSet, DueAgent)
Named = PromptSet | AgentInstance
NOT_OVER = NoRoom("the run before is not over", "It starts when that one has ended.")


class ScheduledRuns(ABC, Generic[Due]):
    """Claims each tick in the transaction that starts its run, so that both happen once or neither.

    Missed ticks become one run (`once`) or none (`skip`). A run that exceeds the concurrency limit, or whose
    predecessor is still running, keeps its tick and is retried; a rejected one is reported to the company.
    """

    def __init__(self, database: Database, desk: RunService, missed: Missed = "once") -> None:
        self._database = database
        self._desk = desk
        self._missed = missed

    async def start_due(self, now: datetime) -> int:
        """Start a run for each tick that is due; return how many were started."""
        due_starts = await self._due(now)
        if due_starts:
            await self._desk.engine.open()  # not inside of the transactions that come next
        started = 0
        for due in due_starts:
            try:
                async with self._database.transaction(due.company_id) as writing:
                    started += await self._start(writing, due, now)
            except NoRoom:
                continue
            except Exception:
                log.exception("starting a scheduled run of company %s", due.company_id)
        return started

    def _is_skipped(self, due_at: datetime, now: datetime) -> bool:
        return self._missed == "skip" and now - due_at > GRACE

    async def _begin(
        self, writing: Workspace, known: Named, brand: Brand, starting: Awaitable[object], now: datetime
    ) -> bool:
        try:
            await starting
        except NoRoom:
            raise
        except RunRefused as refused:
            await writing.notifications.add(not_started(known, brand, refused, now), now)
            return False
        return True

    @abstractmethod
    async def _due(self, now: datetime) -> Sequence[Due]:
        """Return what is due."""

    @abstractmethod
    async def _start(self, writing: Workspace, due: Due, now: datetime) -> bool:
        """Claim the tick and start its run; False when another process has it, or it is skipped or rejected."""


class ScheduledPromptSets(ScheduledRuns[DuePromptSet]):
    """Prompt sets that are asked by the clock."""

    agent = "answer_prober"

    async def _due(self, now: datetime) -> Sequence[DuePromptSet]:
        return await self._database.operators.schedules.prompt_sets(now)

    async def _start(self, writing: Workspace, due: DuePromptSet, now: datetime) -> bool:
        listed = await writing.prompt_sets.listed(due.set_id)
        if listed is None or listed.brand_id is None:
            return False
        known, brand = listed.set, await writing.brands.find(listed.brand_id)
        if brand is None or known.schedule is None or not is_due(known.next_run_at, now):
            return False
        following = next_tick(known.schedule, now, known.timezone)
        if not await writing.prompt_sets.claim_tick(known, following):
            return False
        if self._is_skipped(known.next_run_at, now):
            return False
        configuration = ProberConfiguration(promptSetId=known.id)
        if await writing.runs.alike(PROMPT_SET, brand.key, stored_configuration(configuration)):
            raise NOT_OVER
        task = SingleAgentRun(self.agent, PROMPT_SET, brand, configuration)
        return await self._begin(writing, known, brand, self._desk.start_alone(writing, task, now), now)


class ScheduledAgents(ScheduledRuns[DueAgent]):
    """Reusable agents that work by the clock."""

    async def _due(self, now: datetime) -> Sequence[DueAgent]:
        return await self._database.operators.schedules.agents(now)

    async def _start(self, writing: Workspace, due: DueAgent, now: datetime) -> bool:
        known, brand = await writing.agents.find(due.instance_id), await writing.brands.find(due.brand_id)
        if known is None or brand is None:
            return False
        assigned = assignment_of(await writing.agents.assignments(known.key), brand.key)
        if assigned is None or assigned.schedule is None or not is_due(assigned.next_run_at, now):
            return False
        if not await writing.agents.claim_tick(assigned, next_tick(assigned.schedule, now)):
            return False
        if self._is_skipped(assigned.next_run_at, now):
            return False
        if await writing.runs.live_of_instance(known.key, brand.key):
            raise NOT_OVER
        begun = start(writing, self._desk, known, brand, now=now)
        return await self._begin(writing, known, brand, begun, now)


def is_due(at: datetime | None, now: datetime) -> TypeGuard[datetime]:
    """Check whether a tick is due."""
    return at is not None and at <= now


def not_started(known: Named, brand: Brand, refused: RunRefused, now: datetime) -> NotificationDraft:
    """Say why a schedule started nothing, at most once a day."""
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"The schedule of {known.name} started nothing",
        message=f"The run for {brand.name} was not started: {refused.message}.",
        dedup_key=f"system_alert:schedule:{known.id}:{brand.id}:{now.date().isoformat()}",
        brand_key=brand.key,
        path=f"/automation?brand={brand.id}",
    )
