"""Asks engines what a plan says, stores every answer at once, and publishes the batch when all is settled."""

import base64
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import anyio

from engines.engine import Answer, Engine, Exchange, Mode, Question
from engines.errors import EngineError, ErrorCode
from engines.exchanges import strip
from engines.registry import Registry
from storage.database import Database
from storage.repositories.answers import AnswerDraft, StoredCitation
from storage.repositories.batches import Batch, OpenAsk, Progress
from storage.repositories.brands import Brand
from storage.repositories.prompt_sets import Prompt
from workflows.engine_keys import EngineKeys
from workflows.errors import BatchEnded
from workflows.planning import Plan, loose_prompts, open_batch, open_run_batch
from workflows.publishing import Clock, Publisher

WORKERS = 4
WAIT_SECONDS = 0.25
HOPELESS = frozenset({ErrorCode.PROVIDER_AUTH, ErrorCode.PROVIDER_QUOTA, ErrorCode.PROVIDER_NOT_CONFIGURED})


@dataclass(frozen=True, slots=True)
class Step:
    """How far a probe is: asks settled, of how many, and how many of them failed."""

    settled: int
    total: int
    failed: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Probed:
    """How a probe ended; `errors` are (platform, code, message, how many)."""

    batch: Batch
    progress: tuple[Progress, ...]
    errors: tuple[tuple[str, str, str, int], ...]
    resumed: bool

    @property
    def stored(self) -> int:
        """Answers of the whole batch, those of earlier tries included."""
        return sum(one.stored for one in self.progress)


@dataclass(slots=True)
class Tally:
    """Counts of a running probe."""

    total: int
    settled: int
    failed: int
    hopeless: dict[tuple[str, str], EngineError] = field(default_factory=dict[tuple[str, str], EngineError])


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
    ) -> None:
        self._database = database
        self._engines = engines
        self.keys = keys
        self.publisher = publisher
        self._now = now
        self._max_output_tokens = max_output_tokens

    async def probe(
        self, company_id: str, plan: Plan, progress: Callable[[Step], None] = lambda step: None
    ) -> Probed:
        """Ask everything that has no answer yet, then publish.

        Killed at any moment, the same call takes the batch up again: what was stored is not asked again, what
        was on its way is asked once more and marked as possibly billed. Storage failures stop the probe; what was
        measured until then stays.
        """
        batch, resumed = await open_batch(self._database, company_id, plan, self._now())
        return await self._finish(company_id, plan.brand, plan.platforms, batch, resumed, progress)

    async def word(
        self, company_id: str, brand: Brand, texts: Sequence[str], language: str
    ) -> tuple[Prompt, ...]:
        """Return prompts of these questions about a brand, outside of any set."""
        return await loose_prompts(self._database, company_id, brand, texts, language, self._now())

    async def probe_for_run(
        self,
        company_id: str,
        run: tuple[int, str],
        plans: Sequence[Plan],
        progress: Callable[[Step], None] = lambda step: None,
    ) -> Probed:
        """Ask the plans of a run as one batch, then publish; `run` is its key and the batch's identifier.

        It resumes as `probe` does. Raises BatchEnded when the run ends meanwhile; nothing is published then.
        """
        batch, resumed = await open_run_batch(self._database, company_id, run, plans, self._now())
        platforms = tuple(dict.fromkeys(platform for plan in plans for platform in plan.platforms))
        return await self._finish(company_id, plans[0].brand, platforms, batch, resumed, progress)

    async def _finish(
        self,
        company_id: str,
        brand: Brand,
        platforms: Sequence[str],
        batch: Batch,
        resumed: bool,
        progress: Callable[[Step], None],
    ) -> Probed:
        workspace = self._database.workspace(company_id)
        async with self._database.presence.executor() as executor:
            while not await self._settle(company_id, brand, platforms, batch, executor, progress):
                if (await workspace.batches.find(batch.key)).status != "running":
                    break
                await anyio.sleep(WAIT_SECONDS)
        await self.publisher.publish(company_id, brand.id, batch)
        ended = await workspace.batches.find(batch.key)
        if ended.status == "cancelled":
            raise BatchEnded(batch.id)
        return Probed(
            batch=ended,
            progress=tuple(await workspace.batches.progress(batch.key)),
            errors=tuple(await workspace.batches.errors(batch.key)),
            resumed=resumed,
        )

    async def _settle(
        self,
        company_id: str,
        brand: Brand,
        platforms: Sequence[str],
        batch: Batch,
        executor: str,
        progress: Callable[[Step], None],
    ) -> bool:
        """Ask what waits; True when every ask is settled, False while another process is still asking."""
        await self._take_back(company_id, batch)
        workspace = self._database.workspace(company_id)
        standing = await workspace.batches.progress(batch.key)
        waiting = await workspace.batches.waiting(batch.key)
        tally = Tally(
            total=sum(one.total for one in standing),
            settled=sum(one.stored + one.failed for one in standing),
            failed=sum(one.failed for one in standing),
        )
        progress(Step(tally.settled, tally.total, tally.failed))
        if not waiting:
            return not any(one.sent for one in standing)
        async with anyio.create_task_group() as group:
            for platform in platforms:
                queue = deque(ask for ask in waiting if ask.platform == platform)
                for _ in range(min(WORKERS, len(queue))):
                    group.start_soon(self._work, company_id, batch, brand, executor, queue, tally, progress)
        return False

    async def _take_back(self, company_id: str, batch: Batch) -> None:
        holders = await self._database.workspace(company_id).batches.claimants(batch.key)
        gone = await self._database.presence.gone(holders)
        if gone:
            async with self._database.transaction(company_id) as writing:
                await writing.batches.release(batch.key, gone)

    async def _work(
        self,
        company_id: str,
        batch: Batch,
        brand: Brand,
        executor: str,
        queue: deque[OpenAsk],
        tally: Tally,
        progress: Callable[[Step], None],
    ) -> None:
        """Ask one question after the other until the queue is empty."""
        while queue:
            ask = queue.popleft()
            async with self._database.transaction(company_id) as writing:
                if not await writing.batches.claim(ask, executor, self._now()):
                    continue
            text = await self._ask(company_id, batch, brand, ask, executor, tally)
            tally.settled += 1
            progress(Step(tally.settled, tally.total, tally.failed, text))

    async def _ask(
        self, company_id: str, batch: Batch, brand: Brand, ask: OpenAsk, executor: str, tally: Tally
    ) -> str:
        """Ask one question and store what came; return the answer's text, empty for a failure."""
        engine = self._engines.get(ask.platform)
        stopped = tally.hopeless.get((ask.platform, ask.mode))
        try:
            if stopped is not None:
                raise stopped
            answer = await engine.ask(self._question(ask), await self.keys.find(company_id, ask.platform))
        except EngineError as error:
            await self._fail(company_id, ask, executor, error, sent=stopped is None)
            tally.failed += 1
            if error.code in HOPELESS:
                tally.hopeless[ask.platform, ask.mode] = error
            return ""
        draft = draft_of(answer, engine, Mode(ask.mode), self._now())
        async with self._database.transaction(company_id) as writing:
            channel = await writing.batches.channel(ask.platform, ask.mode, batch.source)
            if await writing.batches.settle(ask, executor, self._now()):
                await writing.answers.add(
                    draft,
                    brand_key=brand.key,
                    batch_key=batch.key,
                    ask_key=ask.key,
                    prompt_key=ask.prompt_key,
                    channel_key=channel,
                )
        return answer.text

    async def _fail(
        self, company_id: str, ask: OpenAsk, executor: str, error: EngineError, *, sent: bool
    ) -> None:
        async with self._database.transaction(company_id) as writing:
            await writing.batches.fail(
                ask,
                executor,
                error.code,
                error.message,
                possibly_billed=sent and error.possibly_billed,
                now=self._now(),
            )

    def _question(self, ask: OpenAsk) -> Question:
        question = Question(ask.text, Mode(ask.mode), ask.ask_key, language=ask.language)
        if self._max_output_tokens is None:
            return question
        return Question(
            ask.text,
            Mode(ask.mode),
            ask.ask_key,
            language=ask.language,
            max_output_tokens=self._max_output_tokens,
        )


def draft_of(answer: Answer, engine: Engine, mode: Mode, now: datetime) -> AnswerDraft:
    """Return an engine's answer as it is stored."""
    valid = answer.status == "answered" and (mode is Mode.VISIBILITY or answer.retrieval.status == "searched")
    last = answer.exchanges[-1] if answer.exchanges else None
    usage = answer.usage
    return AnswerDraft(
        status=answer.status,
        valid=valid,
        text=answer.text,
        retrieval=answer.retrieval.status,
        citations_known=mode in engine.cites,
        citations=tuple(
            StoredCitation(one.url, one.title, one.kind, one.start, one.end, one.span)
            for one in answer.citations
        ),
        truncated=answer.truncated,
        requested_model=answer.requested_model,
        served_model=answer.served_model,
        latency_ms=answer.latency_ms,
        attempts=answer.attempts,
        usage={
            "inputTokens": usage.input_tokens,
            "outputTokens": usage.output_tokens,
            "searches": usage.searches,
            "providerCostUsd": str(usage.provider_cost_usd) if usage.provider_cost_usd is not None else None,
            "queries": list(answer.retrieval.queries),
        },
        parser=answer.parser,
        raw_sha256=last.raw_sha256 if last else "",
        exchanges=exchanges_of(answer.exchanges),
        captured_at=last.received_at if last else now,
    )


def exchanges_of(exchanges: Sequence[Exchange]) -> list[dict[str, Any]]:
    """Return what was sent and received as JSON; ciphertext that only its provider can read is left out."""
    return [
        {
            "sentAt": one.sent_at.isoformat(),
            "url": one.url,
            "request": text_of(one.request_body),
            "status": one.status,
            "headers": dict(one.headers),
            "body": text_of(one.body),
            "receivedAt": one.received_at.isoformat(),
            "rawSha256": one.raw_sha256,
            "stripped": one.stripped,
        }
        for one in map(strip, exchanges)
    ]


def text_of(body: bytes) -> str | dict[str, str]:
    """Return bytes as text, or marked as base64 when they are no UTF-8."""
    try:
        return body.decode()
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(body).decode()}
