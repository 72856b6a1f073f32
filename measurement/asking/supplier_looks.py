"""Opens tasks at suppliers, and looks at them until each has ended; in between nothing is held."""

from contextlib import suppress
from datetime import date, timedelta

import anyio

from engines.engine import EngineAnswer
from engines.errors import EngineError, EngineErrorCode
from engines.suppliers.supplier_engine import SupplierEngine
from engines.suppliers.supplier_task import SupplierTask
from measurement.asking.ask_outcomes import AskOutcomes
from measurement.asking.probe_progress import Probe, log_answered_call, log_failed_call
from measurement.asking.supplier_tasks import SupplierCallbacks, stored_task, task_in
from measurement.planning.clock import Clock
from measurement.planning.engine_keys import EngineKeys
from storage.database import Database
from storage.failures import retry_while_busy
from storage.repositories.asks import OpenAsk

LOOKS_AT_ONCE = 50
HELD = timedelta(minutes=2)
"""How long nobody else looks at a task that somebody looks at."""
CANCEL_SECONDS = 10.0
"""How long suppliers are told of a cancelled batch; who cancelled it waits for no slow one."""


class SupplierLooks:
    """The submitted asks of probes: how they are submitted, and how they end."""

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
        """Open a task for an ask, and note it before anything else. Raises EngineError when none was opened."""
        credential = await self._keys.find(probe.company_id, ask.platform)
        task = await engine.submit(
            self._outcomes.question(ask),
            credential,
            again=ask.state == "sent",
            callback=self._callbacks.address(probe.company_id, ask.ask_key) if self._callbacks else None,
        )
        # The supplier has it: a busy database is no reason to forget it.
        await retry_while_busy(lambda: self._wait(probe, ask, task, day))

    async def look_at_due(self, probe: Probe) -> None:
        """Look at the submitted asks whose time has come, a few at once; the others hold nothing meanwhile."""
        workspace = self._database.workspace(probe.company_id)
        due = await workspace.asks.due(probe.batch.key, self._now(), LOOKS_AT_ONCE)
        async with anyio.create_task_group() as group:
            for ask in due:
                group.start_soon(self._look, probe, ask)

    async def seconds_to_next(self, probe: Probe) -> float | None:
        """Return in how many seconds the next look is due, 0 or less for one that is; None when nothing waits."""
        due_at = await self._database.workspace(probe.company_id).asks.next_look(probe.batch.key)
        return None if due_at is None else (due_at - self._now()).total_seconds()

    async def is_called(self, probe: Probe) -> bool:
        """Whether a supplier's call has made a look due; always False where suppliers are not told whom to call."""
        if self._callbacks is None:
            return False
        seconds = await self.seconds_to_next(probe)
        return seconds is not None and seconds <= 0

    async def abandon(self, probe: Probe) -> None:
        """Mark what a cancelled batch has under way; what waits at suppliers is charged, and counts, and is ended."""
        async with self._database.transaction(probe.company_id) as writing:
            cancelled = await self._outcomes.cancel_submitted(writing, probe)
            await writing.asks.abandon(probe.batch.key, probe.executor, self._now())
        places = anyio.CapacityLimiter(LOOKS_AT_ONCE)
        with anyio.move_on_after(CANCEL_SECONDS):
            async with anyio.create_task_group() as group:
                for ask in cancelled:
                    group.start_soon(self._cancel, probe, ask, places)

    async def _cancel(self, probe: Probe, ask: OpenAsk, places: anyio.CapacityLimiter) -> None:
        """Tell the supplier of a cancelled ask that nobody waits for it any more."""
        task, _ = task_in(ask.task or {})
        with suppress(EngineError):
            engine = self._supplier(ask)
            async with places:
                await engine.cancel(task, await self._keys.find(probe.company_id, ask.platform))

    async def _look(self, probe: Probe, ask: OpenAsk) -> None:
        """Look at one submitted ask: store what came, or leave it for later."""
        now = self._now()
        async with self._database.transaction(probe.company_id) as writing:
            if not await writing.asks.hold(ask, probe.executor, now, now + HELD):
                return
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
            await self._outcomes.keep(probe, ask, engine, looked, day)
            probe.count(looked.text)
            return
        await self._wait(probe, ask, looked, day)

    async def _wait(self, probe: Probe, ask: OpenAsk, task: SupplierTask, day: date) -> None:
        after = self._now() + timedelta(seconds=task.pause)
        async with self._database.transaction(probe.company_id) as writing:
            await writing.asks.submit(ask, probe.executor, stored_task(task, day), after)

    def _supplier(self, ask: OpenAsk) -> SupplierEngine:
        """Return the supplier of a task. Raises EngineError when the settings do not name it any more."""
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
        """Return how long a task has been at its supplier."""
        return (self._now() - task.submitted_at).total_seconds()
