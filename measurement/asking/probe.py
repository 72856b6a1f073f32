"""Asks engines what a plan says, stores every answer at once, and publishes the batch when all is settled."""

import logging
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

import anyio

from analytics.paired_change import TOLERATED_MISSING
from engines.engine import MAX_OUTPUT_TOKENS, Engine, EngineAnswer, Mode, Question
from engines.errors import EngineError, EngineErrorCode
from engines.prices import Prices
from engines.registry import Registry
from engines.suppliers.supplier_engine import SupplierEngine, SupplierTask
from measurement.answer_drafts import draft_of_answer
from measurement.asking.supplier_tasks import stored_task, task_in
from measurement.clock import Clock
from measurement.engine_keys import EngineKeys
from measurement.errors import BatchEnded
from measurement.planning.ask_plan import AskPlan, loose_prompts, open_batch, open_run_batch
from measurement.planning.costs import Allowance, Costs
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.repositories.answers.answers import AnswerDraft
from storage.repositories.asks import OpenAsk, Progress
from storage.repositories.batches import BatchRow
from storage.repositories.brands import Brand
from storage.repositories.prompt_sets import Prompt
from storage.repositories.spending import BatchCost
from storage.retrying import retry_while_busy

events = logging.getLogger("seenby.events")

WAIT_SECONDS = 0.25
LOOKS_AT_ONCE = 50
HELD = timedelta(minutes=2)
"""How long nobody else looks at a task that somebody looks at."""
WATCH_SECONDS = 0.5
HOPELESS = frozenset(
    {EngineErrorCode.PROVIDER_AUTH, EngineErrorCode.PROVIDER_QUOTA, EngineErrorCode.PROVIDER_NOT_CONFIGURED}
)
BUDGET_EXHAUSTED = "budget_exhausted"
PARTIAL = "partial"
"""How a probe ends that measured something and misses more answers than a comparison tolerates."""


@dataclass(frozen=True, slots=True)
class Step:
    """How far a probe is: asks settled, of how many, and how many of them failed."""

    settled: int
    total: int
    failed: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """How a probe ended; `errors` are (platform, code, message, how many), `costs` the known ones."""

    batch: BatchRow
    progress: tuple[Progress, ...]
    errors: tuple[tuple[str, str, str, int], ...]
    resumed: bool
    costs: tuple[BatchCost, ...] = ()

    @property
    def planned(self) -> int:
        """Asks of the whole batch."""
        return sum(simulation.total for simulation in self.progress)

    @property
    def stored(self) -> int:
        """Answers of the whole batch, those of earlier tries included."""
        return sum(simulation.stored for simulation in self.progress)

    @property
    def failed(self) -> int:
        """Asks of the whole batch that failed for good."""
        return sum(simulation.failed for simulation in self.progress)

    @property
    def status(self) -> str:
        """The batch's status, or "partial" when it succeeded with more answers missing than a change tolerates."""
        if self.batch.status == "success" and self.failed > TOLERATED_MISSING * self.planned:
            return PARTIAL
        return self.batch.status


@dataclass(slots=True)
class Tally:
    """Counts of a running probe."""

    total: int
    settled: int
    failed: int
    hopeless: dict[tuple[str, str], EngineError] = field(default_factory=dict[tuple[str, str], EngineError])


@dataclass(frozen=True, slots=True)
class Probe:
    """One probe under way in this process; all its plans are about one brand."""

    company_id: str
    plans: Sequence[AskPlan]
    batch: BatchRow
    executor: str
    allowance: Allowance
    tally: Tally
    on_step: Callable[[Step], None]

    @property
    def brand(self) -> Brand:
        """Whom it is about."""
        return self.plans[0].brand

    @property
    def platforms(self) -> tuple[str, ...]:
        """Whom it asks."""
        return tuple(dict.fromkeys(platform for plan in self.plans for platform in plan.platforms))

    def report_progress(self, text: str = "") -> None:
        """Say how far it is."""
        self.on_step(Step(self.tally.settled, self.tally.total, self.tally.failed, text))


class Prober:
    """Runs plans; several processes may run the same one together."""

    def __init__(
        self,
        database: Database,
        engines: Registry,
        keys: EngineKeys,
        publisher: Publisher,
        now: Clock,
        max_output_tokens: int | None = None,
        prices: Prices | None = None,
    ) -> None:
        self._database = database
        self._engines = engines
        self.keys = keys
        self.publisher = publisher
        self._now = now
        self._max_output_tokens = max_output_tokens
        self._costs = Costs(database, engines, prices or Prices(), now)

    async def probe(
        self, company_id: str, plan: AskPlan, progress: Callable[[Step], None] = lambda step: None
    ) -> ProbeResult:
        """Ask everything that has no answer yet, then publish.

        Killed at any moment, the same call takes the batch up again: what was stored is not asked again, what
        was on its way is asked once more and marked as possibly billed. Storage failures stop the probe; what was
        measured until then stays. A batch that somebody cancels is left at once and not published. Raises
        BudgetRefused before anything is asked; a budget that is used up on the way fails the rest.
        """
        allowance = await self._costs.admit(company_id, [plan], self._max_output_tokens)
        batch, resumed = await open_batch(self._database, company_id, plan, self._now())
        return await self._finish(company_id, [plan], batch, resumed, allowance, progress)

    async def probe_for_run(
        self,
        company_id: str,
        run: tuple[int, str],
        plans: Sequence[AskPlan],
        progress: Callable[[Step], None] = lambda step: None,
    ) -> ProbeResult:
        """Ask the plans of a run as one batch, then publish; `run` is its key and the batch's identifier.

        It resumes as `probe` does, raises BudgetRefused as it does, and BatchEnded when the run ends meanwhile.
        """
        allowance = await self._costs.admit(company_id, plans, self._max_output_tokens)
        batch, resumed = await open_run_batch(self._database, company_id, run, plans, self._now())
        probed = await self._finish(company_id, plans, batch, resumed, allowance, progress)
        if probed.batch.status == "cancelled":
            raise BatchEnded(batch.id)
        return probed

    async def add_questions(
        self, company_id: str, brand: Brand, texts: Sequence[str], language: str
    ) -> tuple[Prompt, ...]:
        """Return prompts of these questions about a brand, outside of any set."""
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
        """Ask until all is settled, then publish, unless somebody ended the batch."""
        async with self._database.presence.executor() as executor:
            while not await self._settle(company_id, plans, batch, executor, allowance, progress):
                await anyio.sleep(WAIT_SECONDS)
        workspace = self._database.workspace(company_id)
        if await self._runs(company_id, batch):
            await self.publisher.publish(company_id, plans[0].brand.id, batch)
        return ProbeResult(
            batch=await workspace.batches.find(batch.key),
            progress=tuple(await workspace.asks.progress(batch.key)),
            errors=tuple(await workspace.asks.errors(batch.key)),
            resumed=resumed,
            costs=tuple(await workspace.spending.of_batch(batch.key)),
        )

    async def _settle(
        self,
        company_id: str,
        plans: Sequence[AskPlan],
        batch: BatchRow,
        executor: str,
        allowance: Allowance,
        progress: Callable[[Step], None],
    ) -> bool:
        """Ask what waits; True when every ask is settled, False while another process is still asking."""
        await self._take_back(company_id, batch)
        workspace = self._database.workspace(company_id)
        progress_rows = await workspace.asks.progress(batch.key)
        waiting = await workspace.asks.waiting(batch.key)
        tally = Tally(
            total=sum(row.total for row in progress_rows),
            settled=sum(row.stored + row.failed for row in progress_rows),
            failed=sum(row.failed for row in progress_rows),
        )
        probe = Probe(company_id, plans, batch, executor, allowance, tally, progress)
        probe.report_progress()
        if not await self._runs(company_id, batch):
            return True
        await self._look_all(probe)
        if not waiting:
            return not any(row.sent or row.submitted for row in progress_rows)
        await self._ask_all(probe, waiting)
        return False

    async def _look_all(self, probe: Probe) -> None:
        """Look at the submitted asks whose time has come, a few at once; the others hold nothing meanwhile."""
        workspace = self._database.workspace(probe.company_id)
        due = await workspace.asks.due(probe.batch.key, self._now(), LOOKS_AT_ONCE)
        async with anyio.create_task_group() as group:
            for ask in due:
                group.start_soon(self._look, probe, ask)

    async def _look(self, probe: Probe, ask: OpenAsk) -> None:
        """Look at one submitted ask: store what came, or leave it for later."""
        now = self._now()
        async with self._database.transaction(probe.company_id) as writing:
            if not await writing.asks.hold(ask, probe.executor, now, now + HELD):
                return
        task, day = task_in(ask.task or {})
        engine = self._supplier(ask.platform)
        question = self._question(ask)
        try:
            credential = await self.keys.find(probe.company_id, ask.platform)
            looked = await engine.look(question, task, credential)
        except EngineError as error:
            await self._fail(probe, ask, error, day, sent=True)
            probe.tally.failed += 1
            self._count(probe)
            return
        if isinstance(looked, EngineAnswer):
            draft = draft_of(looked, engine, question, self._now(), ask.not_supported)
            await retry_while_busy(lambda: self._keep(probe, ask, draft, looked, day))
            self._count(probe, looked.text)
            return
        await self._wait(probe, ask, looked, day)

    async def _submit(self, probe: Probe, ask: OpenAsk, engine: SupplierEngine, day: date) -> None:
        """Open a task for an ask, and note it before anything else. Raises EngineError when none was opened."""
        credential = await self.keys.find(probe.company_id, ask.platform)
        task = await engine.submit(self._question(ask), credential, again=ask.state == "sent")
        # The supplier has it: a busy database is no reason to forget it.
        await retry_while_busy(lambda: self._wait(probe, ask, task, day))

    async def _wait(self, probe: Probe, ask: OpenAsk, task: SupplierTask, day: date) -> None:
        after = self._now() + timedelta(seconds=task.pause)
        async with self._database.transaction(probe.company_id) as writing:
            await writing.asks.submit(ask, probe.executor, stored_task(task, day), after)

    def _count(self, probe: Probe, text: str = "") -> None:
        probe.tally.settled += 1
        probe.report_progress(text)

    def _supplier(self, platform: str) -> SupplierEngine:
        engine = self._engines.get(platform)
        if not isinstance(engine, SupplierEngine):
            raise EngineError(
                EngineErrorCode.PROVIDER_NOT_CONFIGURED, f"{platform} is no surface at a supplier any more."
            )
        return engine

    async def _ask_all(self, probe: Probe, waiting: Sequence[OpenAsk]) -> None:
        """Ask every platform at its own pace, until nothing waits or somebody cancels the batch."""
        async with anyio.create_task_group() as watching:
            watching.start_soon(self._watch, probe, watching.cancel_scope)
            async with anyio.create_task_group() as group:
                for platform in probe.platforms:
                    queue = deque(ask for ask in waiting if ask.platform == platform)
                    # One more than may be open: while it stores, the engine is still asked as much as it allows.
                    for _ in range(min(self._engines.width(platform) + 1, len(queue))):
                        group.start_soon(self._work, probe, queue)
            watching.cancel_scope.cancel()

    async def _watch(self, probe: Probe, asking: anyio.CancelScope) -> None:
        """Stop the asking when the batch is cancelled, by whichever process."""
        while await self._runs(probe.company_id, probe.batch):
            await anyio.sleep(WATCH_SECONDS)
        asking.cancel()
        with anyio.CancelScope(shield=True):
            async with self._database.transaction(probe.company_id) as writing:
                await writing.asks.abandon(probe.batch.key, probe.executor, self._now())

    async def _runs(self, company_id: str, batch: BatchRow) -> bool:
        return (await self._database.workspace(company_id).batches.find(batch.key)).status == "running"

    async def _take_back(self, company_id: str, batch: BatchRow) -> None:
        holders = await self._database.workspace(company_id).asks.claimants(batch.key)
        dead = await self._database.presence.find_orphaned_executors(holders)
        if dead:
            async with self._database.transaction(company_id) as writing:
                await writing.asks.release(batch.key, dead, self._now())

    async def _work(self, probe: Probe, queue: deque[OpenAsk]) -> None:
        """Ask one question after the other until the queue is empty."""
        while queue:
            ask = queue.popleft()
            claimed = await self._claim(probe, ask)
            if claimed is None:
                continue
            text = await self._ask(probe, ask) if claimed else self._unaffordable(probe)
            if text is not None:
                self._count(probe, text)

    async def _claim(self, probe: Probe, ask: OpenAsk) -> bool | None:
        """Take an ask and set its cost aside; None when somebody else has it, False when the budget is used up."""
        now = self._now()
        async with self._database.transaction(probe.company_id) as writing:
            if not await writing.asks.claim(ask, probe.executor, now):
                return None
            if await probe.allowance.reserve(writing, probe.batch.key, ask, now.date()):
                return True
            await writing.asks.fail(
                ask,
                probe.executor,
                BUDGET_EXHAUSTED,
                "The budget of the run or of the day is used up.",
                possibly_billed=False,
                now=now,
            )
            return False

    def _unaffordable(self, probe: Probe) -> str:
        probe.tally.failed += 1
        return ""

    async def _ask(self, probe: Probe, ask: OpenAsk) -> str | None:
        """Ask one question and store what came; return the answer's text, empty for a failure, None for a task."""
        engine, tally, day = self._engines.get(ask.platform), probe.tally, self._now().date()
        stopped, started = tally.hopeless.get((ask.platform, ask.mode)), time.perf_counter()
        try:
            if stopped is not None:
                raise stopped
            if isinstance(engine, SupplierEngine):
                await self._submit(probe, ask, engine, day)
                return None
            credential = await self.keys.find(probe.company_id, ask.platform)
            question = self._question(ask)
            answer = await engine.ask(question, credential)
        except EngineError as error:
            if stopped is None:
                log_failed_call(probe, ask, error, started)
            await self._fail(probe, ask, error, day, sent=stopped is None)
            tally.failed += 1
            if error.code in HOPELESS:
                tally.hopeless[ask.platform, ask.mode] = error
            return ""
        log_answered_call(probe, ask, answer, started)
        draft = draft_of(answer, engine, question, self._now(), ask.not_supported)
        # It may be paid for: a busy database is no reason to lose it.
        await retry_while_busy(lambda: self._keep(probe, ask, draft, answer, day))
        return answer.text

    async def _keep(
        self, probe: Probe, ask: OpenAsk, draft: AnswerDraft, answer: EngineAnswer, day: date
    ) -> None:
        """Store an answer with what it cost, unless another process took the ask over."""
        async with self._database.transaction(probe.company_id) as writing:
            channel = await writing.channels.key(ask.platform, ask.mode, probe.batch.source, ask.country)
            if await writing.asks.settle(ask, probe.executor, self._now()):
                await writing.answers.add(
                    draft,
                    brand_key=probe.brand.key,
                    batch_key=probe.batch.key,
                    ask_key=ask.key,
                    prompt_key=ask.prompt_key,
                    channel_key=channel,
                )
                await probe.allowance.spend(writing, probe.batch.key, ask, day, answer)

    async def _fail(self, probe: Probe, ask: OpenAsk, error: EngineError, day: date, *, sent: bool) -> None:
        billed = sent and error.possibly_billed
        async with self._database.transaction(probe.company_id) as writing:
            await writing.asks.fail(
                ask, probe.executor, error.code, error.message, possibly_billed=billed, now=self._now()
            )
            if not billed:
                await probe.allowance.give_back(writing, probe.batch.key, ask, day)

    def _question(self, ask: OpenAsk) -> Question:
        return Question(
            ask.text,
            Mode(ask.mode),
            ask.ask_key,
            country=ask.country or None,
            language=None if "language" in ask.not_supported else ask.language,
            city=None if "city" in ask.not_supported else ask.city,
            max_output_tokens=self._max_output_tokens or MAX_OUTPUT_TOKENS,
        )


def log_failed_call(probe: Probe, ask: OpenAsk, error: EngineError, started: float) -> None:
    """Write the line of a question that an engine did not answer; the engine's own words stay out of it."""
    events.warning("engine_call", extra=call_fields(probe, ask, error.code, started))


def log_answered_call(probe: Probe, ask: OpenAsk, answer: EngineAnswer, started: float) -> None:
    """Write the line of an answer, with what was used and, where a price is known, paid."""
    cost = probe.allowance.prices.cost(ask.platform, answer)
    usage = {
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
        "cost": float(cost.amount) if cost else None,
        "currency": cost.currency if cost else None,
        "model": answer.served_model,
    }
    events.debug("engine_call", extra={**call_fields(probe, ask, "answered", started), **usage})


def call_fields(probe: Probe, ask: OpenAsk, outcome: str, started: float) -> dict[str, object]:
    """Return what the line of every call has."""
    return {
        "company_id": probe.company_id,
        "batch_id": probe.batch.id,
        "ask_id": ask.ask_key,
        "platform": ask.platform,
        "mode": ask.mode,
        "outcome": outcome,
        "duration_ms": round((time.perf_counter() - started) * 1000, 3),
    }


def draft_of(
    answer: EngineAnswer,
    engine: Engine,
    question: Question,
    now: datetime,
    not_supported: Sequence[str] = (),
) -> AnswerDraft:
    """Return an engine's answer as it is stored; `not_supported` is what of its place the engine was not told.

    A text that is too long to be read is clipped; the exchanges hold all of it.
    """
    return draft_of_answer(
        answer,
        question.mode,
        citations_known=question.mode in engine.cites,
        now=now,
        language=question.language,
        city=question.city if question.country else None,
        not_supported=not_supported,
    )
