"""Sends a plan's prompts to engines, stores every answer at once, and publishes the batch when all is settled.

A circuit breaker stops asking a platform and mode for the rest of a batch once it fails for good.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeAlias

import anyio

from engines.errors import EngineError, EngineErrorCode, UnknownPlatform
from engines.prices import Prices
from engines.registry import Registry
from engines.suppliers.supplier_engine import SupplierEngine
from measurement.asking.ask_outcomes import AskOutcomes, FinishedAsk
from measurement.asking.micro_batches import MicroBatches
from measurement.asking.probe_progress import (
    Probe,
    ProbeResult,
    Step,
    Tally,
    log_answered_call,
    log_failed_call,
)
from measurement.asking.supplier_looks import SupplierLooks
from measurement.asking.supplier_tasks import SupplierCallbacks
from measurement.errors import BatchEnded
from measurement.planning.ask_plan import AskPlan, loose_prompts, open_batch, open_run_batch
from measurement.planning.clock import Clock
from measurement.planning.costs import Allowance, Costs
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.repositories.asks import OpenAsk
from storage.repositories.batches import BatchRow
from storage.repositories.brands import Brand
from storage.repositories.prompts import Prompt

WAIT_SECONDS = 0.25
"""Seconds between checks on the requests that another process is sending."""
WATCH_SECONDS = 0.5
"""Seconds between checks for a cancelled batch while requests are being sent."""
LONGEST_REST = 10.0
"""Longest wait for data providers, in seconds, before the probe checks for other work."""
REST_WATCH_SECONDS = 1.0
HOPELESS = frozenset(
    {EngineErrorCode.PROVIDER_AUTH, EngineErrorCode.PROVIDER_QUOTA, EngineErrorCode.PROVIDER_NOT_CONFIGURED}
)


Turn: TypeAlias = tuple[FinishedAsk | None, OpenAsk | None]
"""What a worker waits for: its answer to be stored, and its next request to be claimed."""
Turns: TypeAlias = MicroBatches[Turn, bool | None]
"""Their outcome is whether the next request may be sent; None if another process has it, or if there is none."""


class Prober:
    """Runs plans. Several processes may run the same plan together."""

    def __init__(
        self,
        database: Database,
        engines: Registry,
        keys: EngineKeys,
        publisher: Publisher,
        now: Clock,
        max_output_tokens: int | None = None,
        prices: Prices | None = None,
        callbacks: SupplierCallbacks | None = None,
    ) -> None:
        self._database = database
        self._engines = engines
        self.keys = keys
        self.publisher = publisher
        self._now = now
        self._max_output_tokens = max_output_tokens
        self.costs = Costs(database, engines, prices or Prices(), now)
        self._outcomes = AskOutcomes(database, engines, now, max_output_tokens)
        self._looks = SupplierLooks(database, keys, self._outcomes, now, callbacks)

    async def probe(
        self, company_id: str, plan: AskPlan, progress: Callable[[Step], None] = lambda step: None
    ) -> ProbeResult:
        """Send every request that has no answer yet, then publish.

        If the process is killed, the same call resumes the batch: stored answers are not requested again, and
        requests that were in flight are sent once more and marked as possibly billed. A storage failure stops
        the probe, and everything measured so far is kept. A batch that a user cancels stops at once and is
        not published.

        Raises BudgetRefused before anything is sent. If the budget runs out later, the remaining requests
        fail.
        """
        allowance = await self.costs.admit(company_id, [plan], self._max_output_tokens)
        batch, resumed = await open_batch(self._database, company_id, plan, self._now())
        return await self._finish(company_id, [plan], batch, resumed, allowance, progress)

    async def probe_for_run(
        self,
        company_id: str,
        run: tuple[int, str],
        plans: Sequence[AskPlan],
        progress: Callable[[Step], None] = lambda step: None,
    ) -> ProbeResult:
        """Send the requests of a run's plans as one batch, then publish.

        `run` is the run's key and the batch's identifier. Resumes like `probe` and raises BudgetRefused in
        the same cases. Raises BatchEnded when the run ends meanwhile.
        """
        allowance = await self.costs.admit(company_id, plans, self._max_output_tokens)
        batch, resumed = await open_run_batch(self._database, company_id, run, plans, self._now())
        probed = await self._finish(company_id, plans, batch, resumed, allowance, progress)
        if probed.batch.status == "cancelled":
            raise BatchEnded(batch.id)
        return probed

    async def add_questions(
        self, company_id: str, brand: Brand, texts: Sequence[str], language: str
    ) -> tuple[Prompt, ...]:
        """Return prompts for these questions about a brand, outside any prompt set."""
        return await loose_prompts(self._database, company_id, brand, texts, language, self._now())

    async def _finish(
        self,
        company_id: str,
        plans: Sequence[AskPlan],
        batch: BatchRow,
        resumed: bool,
        allowance: Allowance,
        progress: Callable[[Step], None],
    ) -> ProbeResult:
        """Send requests until all have ended, then publish, unless the batch was ended from outside."""
        async with self._database.presence.executor() as executor:
            probe = await self._begin(company_id, plans, batch, executor, allowance, progress)
            runs = False
            try:
                while (rest := await self._settle(probe)) is not None:
                    await self._rest(probe, rest)
            finally:
                # Cancelling a run may end this task at once, but tasks that wait at data providers are
                # charged anyway.
                with anyio.CancelScope(shield=True):
                    runs = await self._runs(probe)
                    if not runs:
                        await self._looks.abandon(probe)
        workspace = self._database.workspace(company_id)
        if runs:
            await self.publisher.publish(company_id, plans[0].brand.id, batch)
        return ProbeResult(
            batch=await workspace.batches.find(batch.key),
            progress=tuple(await workspace.asks.progress(batch.key)),
            errors=tuple(await workspace.asks.errors(batch.key)),
            resumed=resumed,
            costs=tuple(await workspace.spending.of_batch(batch.key)),
        )

    async def _begin(
        self,
        company_id: str,
        plans: Sequence[AskPlan],
        batch: BatchRow,
        executor: str,
        allowance: Allowance,
        progress: Callable[[Step], None],
    ) -> Probe:
        tally = Tally.of(await self._database.workspace(company_id).asks.progress(batch.key))
        return Probe(company_id, plans, batch, executor, allowance, tally, progress)

    async def _settle(self, probe: Probe) -> float | None:
        """Send requests and poll tasks; return the seconds until the next round, None when all is settled."""
        await self._take_back(probe)
        workspace = self._database.workspace(probe.company_id)
        progress = await workspace.asks.progress(probe.batch.key)
        waiting = await workspace.asks.waiting(probe.batch.key)
        probe.tally.catch_up(progress)
        probe.report_progress()
        if not await self._runs(probe):
            return None
        if any(row.submitted for row in progress):
            await self._looks.look_at_due(probe)
        if waiting:
            await self._ask_all(probe, waiting)
            return 0
        if any(row.sent for row in progress):
            return WAIT_SECONDS
        if not any(row.submitted for row in progress):
            return None
        due = await self._looks.seconds_to_next(probe)
        # Tasks that were opened together are due together a moment later.
        return 0 if due is None else min(max(due, 0) + WAIT_SECONDS, LONGEST_REST)

    async def _rest(self, probe: Probe, seconds: float) -> None:
        """Wait, but return early when any process cancels the batch or a data provider calls back."""
        ends_at = anyio.current_time() + seconds
        while (left := ends_at - anyio.current_time()) > REST_WATCH_SECONDS:
            await anyio.sleep(REST_WATCH_SECONDS)
            if not await self._runs(probe) or await self._looks.is_called(probe):
                return
        await anyio.sleep(max(left, 0))

    async def _ask_all(self, probe: Probe, waiting: Sequence[OpenAsk]) -> None:
        """Query every platform at its own pace until nothing is waiting or the batch is cancelled."""
        async with anyio.create_task_group() as watching:
            watching.start_soon(self._watch, probe, watching.cancel_scope)
            turns = Turns(partial(self._take, probe))
            async with anyio.create_task_group() as group:
                # A batch may hold platforms that the plans lack: an engine may have been removed from the
                # settings since.
                for platform in dict.fromkeys(ask.platform for ask in waiting):
                    queue = deque(ask for ask in waiting if ask.platform == platform)
                    # One more than may be open: while it stores an answer, the engine still gets as many
                    # requests as it allows.
                    for _ in range(min(self._width(platform) + 1, len(queue))):
                        group.start_soon(self._work, probe, queue, turns)
            watching.cancel_scope.cancel()

    def _width(self, platform: str) -> int:
        """Return how many requests to a platform may be open; 0 when it is no longer configured."""
        try:
            return self._engines.width(platform)
        except UnknownPlatform:
            return 0

    async def _watch(self, probe: Probe, asking: anyio.CancelScope) -> None:
        """Stop sending requests when any process cancels the batch."""
        while await self._runs(probe):
            await anyio.sleep(WATCH_SECONDS)
        asking.cancel()
        with anyio.CancelScope(shield=True):
            await self._looks.abandon(probe)

    async def _runs(self, probe: Probe) -> bool:
        workspace = self._database.workspace(probe.company_id)
        return (await workspace.batches.find(probe.batch.key)).status == "running"

    async def _take_back(self, probe: Probe) -> None:
        workspace = self._database.workspace(probe.company_id)
        holders = await workspace.asks.claimants(probe.batch.key)
        dead = await self._database.presence.find_orphaned_executors(holders)
        if dead:
            async with self._database.transaction(probe.company_id) as writing:
                await writing.asks.release(probe.batch.key, dead, self._now())

    async def _work(self, probe: Probe, queue: deque[OpenAsk], turns: Turns) -> None:
        """Send one request after another until the queue is empty, and store the answer of each."""
        finished: FinishedAsk | None = None
        while queue or finished is not None:
            following = queue.popleft() if queue else None
            may_send = await turns.add((finished, following))
            if finished is not None:
                probe.count(finished.answer.text)
            finished = await self._ask(probe, following) if following and may_send else None
            if may_send is False:
                probe.count(failed=True)

    async def _take(self, probe: Probe, turns: Sequence[Turn]) -> list[bool | None]:
        """Store the answers of several workers, and claim the next request of each."""
        finished = [done for done, _ in turns if done is not None]
        waiting = [following for _, following in turns if following is not None]
        claimed = await self._outcomes.keep(probe, finished, waiting)
        return [claimed.get(following.key) if following else None for _, following in turns]

    async def _ask(self, probe: Probe, ask: OpenAsk) -> FinishedAsk | None:
        """Send one request and return its answer. A failure is stored, and a task that a data provider opened."""
        day, started = self._now().date(), time.perf_counter()
        stopped = probe.tally.hopeless.get((ask.platform, ask.mode))
        try:
            if stopped is not None:
                raise stopped
            engine = self._outcomes.engine(ask)
            if isinstance(engine, SupplierEngine):
                await self._looks.submit(probe, ask, engine, day)
                return None
            question = self._outcomes.question(ask)
            answer = await engine.ask(question, await self.keys.find(probe.company_id, ask.platform))
        except EngineError as error:
            if stopped is None:
                log_failed_call(probe, ask, error, time.perf_counter() - started)
            await self._outcomes.fail(probe, ask, error, day, sent=stopped is None)
            if error.code in HOPELESS:
                probe.tally.hopeless[ask.platform, ask.mode] = error
            probe.count(failed=True)
            return None
        log_answered_call(probe, ask, answer, time.perf_counter() - started)
        return self._outcomes.finished(ask, engine, answer, day)
