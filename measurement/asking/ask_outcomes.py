"""Outcomes of single requests: stored with their answer and its cost, or failed with an error code."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from engines.engine import (
    MAX_OUTPUT_TOKENS,
    Device,
    Engine,
    EngineAnswer,
    Exchange,
    Mode,
    Question,
    SupplierCost,
)
from engines.errors import EngineError, EngineErrorCode, UnknownPlatform
from engines.registry import Registry
from engines.suppliers.supplier_engine import SupplierEngine
from measurement.asking.probe_progress import Probe
from measurement.asking.supplier_tasks import task_in
from measurement.extraction.answer_drafts import draft_of_answer
from measurement.planning.clock import Clock
from storage.database import Database
from storage.failures import retry_while_busy
from storage.repositories.answers.answers import AnswerDraft, AnswerPlace
from storage.repositories.asks import OpenAsk
from storage.workspace import Workspace

BUDGET_EXHAUSTED = "budget_exhausted"


@dataclass(frozen=True, slots=True)
class FinishedAsk:
    """A request with its answer that is not stored yet."""

    ask: OpenAsk
    draft: AnswerDraft
    answer: EngineAnswer
    day: date


class AskOutcomes:
    """Builds questions from requests and records each outcome, unless another process took over the request."""

    def __init__(
        self, database: Database, engines: Registry, now: Clock, max_output_tokens: int | None
    ) -> None:
        self._database = database
        self._engines = engines
        self._now = now
        self._max_output_tokens = max_output_tokens

    def engine(self, ask: OpenAsk) -> Engine:
        """Return the engine of a request. Raises EngineError when it is no longer in the settings."""
        try:
            return self._engines.get(ask.platform)
        except UnknownPlatform as unknown:
            raise EngineError(
                EngineErrorCode.PROVIDER_NOT_CONFIGURED, f"{ask.platform} is not in the settings any more."
            ) from unknown

    def question(self, ask: OpenAsk) -> Question:
        """Return the question to send to an engine."""
        return Question(
            ask.text,
            Mode(ask.mode),
            ask.ask_key,
            country=ask.country or None,
            language=None if "language" in ask.not_supported else ask.language,
            city=None if "city" in ask.not_supported else ask.city,
            region=None if "region" in ask.not_supported else ask.region,
            timezone=None if "timezone" in ask.not_supported else ask.timezone,
            device=None if "device" in ask.not_supported else known_device(ask.device),
            max_output_tokens=self._max_output_tokens or MAX_OUTPUT_TOKENS,
        )

    def finished(self, ask: OpenAsk, engine: Engine, answer: EngineAnswer, day: date) -> FinishedAsk:
        """Return a request with its answer as it is stored; `day` is the day whose budget it counts against."""
        draft = draft_of(answer, engine, self.question(ask), self._now(), ask.not_supported)
        return FinishedAsk(ask, draft, answer, day)

    async def keep(
        self, probe: Probe, finished: Sequence[FinishedAsk], waiting: Sequence[OpenAsk] = ()
    ) -> dict[int, bool]:
        """Store answers with their costs and claim requests to send next, all in one transaction.

        Returns by key whether a claimed request may be sent; otherwise it has failed because the budget is used up.
        Requests that other processes have are left out.
        """
        # The answers may already be billed, so a busy database must not lose them.
        return await retry_while_busy(lambda: self._keep(probe, finished, waiting))

    async def _keep(
        self, probe: Probe, finished: Sequence[FinishedAsk], waiting: Sequence[OpenAsk]
    ) -> dict[int, bool]:
        now = self._now()
        # Every process locks requests first, then cited pages, then spending. In one order, no two wait for each other.
        async with self._database.transaction(probe.company_id) as writing:
            settled = await writing.asks.settle([one.ask for one in finished], probe.executor, now)
            claimed = await writing.asks.claim(waiting, probe.executor, now)
            kept = [one for one in finished if one.ask.key in settled]
            places = {(one.ask.platform, one.ask.mode, one.ask.country) for one in kept}
            channels = {
                (platform, mode, country): await writing.channels.key(
                    platform, mode, probe.batch.source, country
                )
                for platform, mode, country in sorted(places)
            }
            await writing.answers.add_all([(place_of(probe, one.ask, channels), one.draft) for one in kept])
            costs = [(one.ask, one.day, one.answer) for one in kept]
            await probe.allowance.spend(writing, probe.batch.key, costs)
            return {
                ask.key: await self._reserve(writing, probe, ask, now)
                for ask in waiting
                if ask.key in claimed
            }

    async def _reserve(self, writing: Workspace, probe: Probe, ask: OpenAsk, now: datetime) -> bool:
        """Reserve the cost of a claimed request; without budget for it, the request fails."""
        if await probe.allowance.reserve(writing, probe.batch.key, ask, now.date()):
            return True
        words = "The budget of the run or of the day is used up."
        await writing.asks.fail(ask, probe.executor, BUDGET_EXHAUSTED, words, possibly_billed=False, now=now)
        return False

    async def fail(self, probe: Probe, ask: OpenAsk, error: EngineError, day: date, *, sent: bool) -> None:
        """Mark a request as failed, and release its reserved budget unless it may be billed."""
        billed = sent and error.possibly_billed
        async with self._database.transaction(probe.company_id) as writing:
            failed = await writing.asks.fail(
                ask, probe.executor, error.code, error.message, possibly_billed=billed, now=self._now()
            )
            if not billed:
                await probe.allowance.give_back(writing, probe.batch.key, ask, day)
            elif failed:
                given_up = error.code is EngineErrorCode.TIMEOUT
                look = self._charged(ask, error.exchanges, day, given_up=given_up)
                await probe.allowance.spend_unanswered(writing, probe.batch.key, look)

    async def cancel_submitted(self, writing: Workspace, probe: Probe) -> list[OpenAsk]:
        """Cancel a batch's tasks that data providers work on and charge for, and record those charges.

        Returns the requests that no other process had ended yet.
        """
        waiting = await writing.asks.submitted(probe.batch.key)
        if not waiting:
            return []
        cancelled = await writing.asks.cancel_submitted(waiting, self._now())
        ended = [ask for ask in waiting if ask.key in cancelled]
        looks: list[tuple[OpenAsk, date, SupplierCost | None]] = []
        for ask in ended:
            task, day = task_in(ask.task or {})
            looks += self._charged(ask, task.exchanges, day, given_up=True)
        await probe.allowance.spend_unanswered(writing, probe.batch.key, looks)
        return ended

    def _charged(
        self, ask: OpenAsk, exchanges: Sequence[Exchange], day: date, *, given_up: bool
    ) -> list[tuple[OpenAsk, date, SupplierCost | None]]:
        """Return what a data provider charges for a request that brought no answer.

        This is the cost that the response bodies report, or the price of a query when the task was given up.
        """
        try:
            engine = self.engine(ask)
        except EngineError:
            return []
        if not isinstance(engine, SupplierEngine):
            return []
        charged = engine.charge(exchanges)
        if charged is None and not given_up:
            return []
        if charged is None and engine.credits:
            charged = SupplierCost(Decimal(engine.credits[0]), "credits")
        return [(ask, day, charged)]


def place_of(probe: Probe, ask: OpenAsk, channels: Mapping[tuple[str, str, str], int]) -> AnswerPlace:
    """Return the keys of what the answer to a request belongs to."""
    channel = channels[ask.platform, ask.mode, ask.country]
    return AnswerPlace(probe.brand.key, probe.batch.key, ask.key, ask.prompt_key, channel)


def known_device(name: str | None) -> Device | None:
    """Return a stored device name as a `Device`; no other values are stored."""
    return name if name in ("desktop", "mobile") else None


def draft_of(
    answer: EngineAnswer,
    engine: Engine,
    question: Question,
    now: datetime,
    not_supported: Sequence[str] = (),
) -> AnswerDraft:
    """Return an engine's answer as it is stored.

    `not_supported` lists the locale fields that were not sent to the engine. Text beyond the stored length is
    clipped; the exchanges hold all of it.
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
