"""Open tasks at data providers and poll them until each has ended, holding no resources in between."""

from collections.abc import Sequence
from contextlib import suppress
from datetime import date, timedelta
from functools import partial
from typing import TypeAlias

import anyio

from engines.engine import EngineAnswer
from engines.errors import EngineError, EngineErrorCode
from engines.suppliers.supplier_engine import SupplierEngine
from engines.suppliers.supplier_task import SupplierTask
from measurement.asking.ask_outcomes import AskOutcomes, FinishedAsk
from measurement.asking.micro_batches import MicroBatches
from measurement.asking.probe_progress import Probe, log_answered_call, log_failed_call
from measurement.asking.supplier_tasks import SupplierCallbacks, stored_task, task_in
from measurement.planning.clock import Clock
from measurement.planning.engine_keys import EngineKeys
from storage.database import Database
from storage.failures import retry_while_busy
from storage.repositories.asks import OpenAsk

LOOKS_AT_ONCE = 50
HELD = timedelta(minutes=2)
"""How long a task that one process is polling is off limits to all others."""
CANCEL_SECONDS = 10.0
"""How long to notify data providers of a cancelled batch. The user who cancels does not wait for slow ones."""


Answers: TypeAlias = MicroBatches[FinishedAsk, None]


class SupplierLooks:
    """Submits the requests of probes to data providers and polls them until they end."""

    def __init__(
        self,
        database: Database,
        keys: EngineKeys,
        outcomes: AskOutcomes,
        now: Clock,
        callbacks: SupplierCallbacks | None = None,
    ) -> None:
        self._database = database
        self._keys = keys
        self._outcomes = outcomes
        self._now = now
        self._callbacks = callbacks

    async def submit(self, probe: Probe, ask: OpenAsk, engine: SupplierEngine, day: date) -> None:
        """Open a task for a request and record it first of all. Raises EngineError when none was opened."""
        credential = await self._keys.find(probe.company_id, ask.platform)
        task = await engine.submit(
            self._outcomes.question(ask),
            credential,
            again=ask.state == "sent",
            callback=self._callbacks.address(probe.company_id, ask.ask_key) if self._callbacks else None,
        )
        # The data provider has the task, so a busy database must not lose it.
        await retry_while_busy(lambda: self._wait(probe, ask, task, day))

    async def look_at_due(self, probe: Probe) -> None:
        """Poll the submitted requests that are due, a few at once. The others hold no resources meanwhile."""
        workspace = self._database.workspace(probe.company_id)
        now = self._now()
        due = await workspace.asks.due(probe.batch.key, now, LOOKS_AT_ONCE)
        async with self._database.transaction(probe.company_id) as writing:
            held = await writing.asks.hold(due, probe.executor, now, now + HELD)
        answers = Answers(partial(self._keep, probe))
        async with anyio.create_task_group() as group:
            for ask in due:
                if ask.key in held:
                    group.start_soon(self._look, probe, ask, answers)

    async def _keep(self, probe: Probe, finished: Sequence[FinishedAsk]) -> Sequence[None]:
        await self._outcomes.keep(probe, finished)
        return [None] * len(finished)

    async def seconds_to_next(self, probe: Probe) -> float | None:
        """Return the seconds until the next poll, 0 or less if one is due, None when nothing is waiting."""
        due_at = await self._database.workspace(probe.company_id).asks.next_look(probe.batch.key)
        return None if due_at is None else (due_at - self._now()).total_seconds()

    async def is_called(self, probe: Probe) -> bool:
        """Whether a callback has made a poll due; always False where data providers get no callback address."""
        if self._callbacks is None:
            return False
        seconds = await self.seconds_to_next(probe)
        return seconds is not None and seconds <= 0

    async def abandon(self, probe: Probe) -> None:
        """Mark a cancelled batch's open requests, record the charged ones, and cancel them at data providers."""
        async with self._database.transaction(probe.company_id) as writing:
            cancelled = await self._outcomes.cancel_submitted(writing, probe)
            await writing.asks.abandon(probe.batch.key, probe.executor, self._now())
        places = anyio.CapacityLimiter(LOOKS_AT_ONCE)
        with anyio.move_on_after(CANCEL_SECONDS):
            async with anyio.create_task_group() as group:
                for ask in cancelled:
                    group.start_soon(self._cancel, probe, ask, places)

    async def _cancel(self, probe: Probe, ask: OpenAsk, places: anyio.CapacityLimiter) -> None:
        """Notify the data provider that a request was cancelled."""
        task, _ = task_in(ask.task or {})
        with suppress(EngineError):
            engine = self._supplier(ask)
            async with places:
                await engine.cancel(task, await self._keys.find(probe.company_id, ask.platform))

    async def _look(self, probe: Probe, ask: OpenAsk, answers: Answers) -> None:
        """Poll one submitted request: store its answer, or leave it for later."""
        task, day = task_in(ask.task or {})
        try:
            engine = self._supplier(ask)
            credential = await self._keys.find(probe.company_id, ask.platform)
            looked = await engine.look(self._outcomes.question(ask), task, credential)
        except EngineError as error:
            log_failed_call(probe, ask, error, self._seconds(task))
            await self._outcomes.fail(probe, ask, error, day, sent=True)
            probe.count(failed=True)
            return
        if isinstance(looked, EngineAnswer):
            log_answered_call(probe, ask, looked, self._seconds(task))
            await answers.add(self._outcomes.finished(ask, engine, looked, day))
            probe.count(looked.text)
            return
        await self._wait(probe, ask, looked, day)

    async def _wait(self, probe: Probe, ask: OpenAsk, task: SupplierTask, day: date) -> None:
        after = self._now() + timedelta(seconds=task.pause)
        async with self._database.transaction(probe.company_id) as writing:
            await writing.asks.submit(ask, probe.executor, stored_task(task, day), after)

    def _supplier(self, ask: OpenAsk) -> SupplierEngine:
        """Return the data provider of a task. Raises EngineError when it is no longer in the settings."""
        try:
            engine = self._outcomes.engine(ask)
            if isinstance(engine, SupplierEngine):
                return engine
        except EngineError as error:
            error.possibly_billed = True  # the task was opened
            raise
        raise EngineError(
            EngineErrorCode.PROVIDER_NOT_CONFIGURED,
            f"{ask.platform} is no surface at a supplier any more.",
            possibly_billed=True,
        )

    def _seconds(self, task: SupplierTask) -> float:
        """Return how many seconds a task has been at its data provider."""
        return (self._now() - task.submitted_at).total_seconds()
