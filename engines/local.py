"""The engine that needs no account: a tiny model in this process, which shows that measuring works.

It knows little and invents facts; whoever shows its answers says `local demo model`.
"""

import hashlib
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from engines import compatible
from engines.engine import Credential, EngineAnswer, Exchange, LocaleField, Mode, Question
from engines.errors import EngineError, EngineErrorCode
from engines.smollm import SERVED_MODEL, LoadedModel, installed
from engines.transport import body
from engines.transport.retries import Timing

PARALLEL = 2
DEADLINE = 300.0
"""Seconds: the longest answer at four tokens a second, as on a small machine that is busy. Nobody pays for waiting."""
TEMPERATURE = 0.7
LONGEST_ANSWER = 1200
"""Tokens; its context also holds the question, and a small model that has not ended by then only repeats itself."""
BRIEF = "Answer in one sentence."
"""What stands behind each question. Left alone this model writes for seven seconds, repeats itself and is cut off,
and what is cut off counts as missing; told so in the words of the system, it often forgets."""
PARSER = "local-chat/1"


@dataclass(frozen=True, slots=True)
class _Generation:
    chunks: Sequence[Mapping[str, Any]]
    sent_at: datetime
    seconds: float
    expired: bool


class LocalEngine:
    """SmolLM2-135M-Instruct. Loads on the first ask; at most `parallel` answers are written at a time."""

    platform = "local"
    model = SERVED_MODEL
    modes = frozenset({Mode.VISIBILITY})
    cites: frozenset[Mode] = frozenset()

    def __init__(
        self,
        parallel: int = PARALLEL,
        timing: Timing | None = None,
        deadline: float = DEADLINE,
        weights: Sequence[Path] = (),
    ) -> None:
        """Take where weights may be, best place first, before those of an installed package."""
        self._weights = weights
        self._is_installed = False
        self._parallel = parallel
        self._timing = timing or Timing()
        self._deadline = deadline
        self._places = anyio.CapacityLimiter(parallel)
        self._loading = anyio.Lock()
        self._model: LoadedModel | None = None

    @property
    def configured(self) -> bool:
        """Whether runtime and weights are installed; once they are found, nobody looks for them again."""
        self._is_installed = self._is_installed or installed(self._weights)
        return self._is_installed

    def locale_fields(self, mode: Mode, country: str | None = None) -> frozenset[LocaleField]:
        """Nothing: the model is told no place and no language."""
        return frozenset()

    async def ask(self, question: Question, credential: Credential | None) -> EngineAnswer:
        """Write one answer in a worker thread; the same question with the same ask key gets the same text.

        Cancelling stops the writing at the next token. Raises EngineError:
        `provider_not_configured` without the extra, `provider_error` when the prompt
        does not fit into the context, `timeout` after the deadline.
        """
        if question.mode not in self.modes:
            raise EngineError(EngineErrorCode.UNSUPPORTED_MODE, "The local engine cannot search the web.")
        model = await self._loaded()
        sent = request(question)
        generation = await self._generate(model, sent)
        exchange = self._exchange(sent, generation)
        if generation.expired:
            raise EngineError(
                EngineErrorCode.TIMEOUT,
                "The local model did not finish in time.",
                attempts=1,
                exchanges=[exchange],
            )
        try:
            answer = parse(question, [exchange])
        except EngineError as error:
            error.attempts, error.exchanges, error.possibly_billed = 1, (exchange,), False
            raise
        return replace(answer, latency_ms=round(generation.seconds * 1000))

    def parse(self, question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
        """Read a kept completion again."""
        return parse(question, exchanges)

    async def aclose(self) -> None:
        """Let go of the model; a running answer is still finished, the next ask loads again."""
        self._model = None

    async def _loaded(self) -> LoadedModel:
        async with self._loading:
            if self._model is None:
                self._model = await anyio.to_thread.run_sync(LoadedModel, self._parallel, self._weights)
            return self._model

    async def _generate(self, model: LoadedModel, sent: body.JsonObject) -> _Generation:
        cancelled = threading.Event()
        try:
            return await anyio.to_thread.run_sync(
                self._write, model, sent, cancelled, abandon_on_cancel=True, limiter=self._places
            )
        finally:
            cancelled.set()  # an abandoned thread stops at its next token and holds the model until then

    def _write(self, model: LoadedModel, sent: body.JsonObject, cancelled: threading.Event) -> _Generation:
        """Runs in a worker thread; starts the clock only here, so that queueing counts for nothing."""
        sent_at, started = self._timing.now(), self._timing.monotonic()
        expired = threading.Event()

        def stopped() -> bool:
            if self._timing.monotonic() - started > self._deadline:
                expired.set()
            return cancelled.is_set() or expired.is_set()

        try:
            chunks = model.complete(sent, stopped)
        except ValueError as error:
            chunks = [{"error": {"code": 400, "message": str(error)}}]
        return _Generation(chunks, sent_at, self._timing.monotonic() - started, expired.is_set())

    def _exchange(self, sent: body.JsonObject, generation: _Generation) -> Exchange:
        received = body.encode(completion(generation.chunks))
        return Exchange(
            sent_at=generation.sent_at,
            url=f"local:{SERVED_MODEL}",
            request_body=body.encode(sent),
            status=200,
            headers={"content-type": "application/json"},
            body=received,
            received_at=self._timing.now(),
            raw_sha256=hashlib.sha256(received).hexdigest(),
        )


def request(question: Question) -> body.JsonObject:
    """The chat completion asked for: the question, and that a sentence is enough.

    The first eight hex digits of the ask key are the seed.
    """
    return {
        "model": SERVED_MODEL,
        "messages": [{"role": "user", "content": f"{question.text} {BRIEF}"}],
        "max_tokens": min(question.max_output_tokens, LONGEST_ANSWER),
        "temperature": TEMPERATURE if question.temperature is None else question.temperature,
        "seed": _seed(question.ask_key),
    }


def parse(question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
    """The answer in a kept completion. Raises EngineError for an error in it."""
    return replace(compatible.parse(question, exchanges), parser=PARSER)


def completion(chunks: Sequence[Mapping[str, Any]]) -> body.JsonObject:
    """One chat completion put together from its chunks; an error chunk is returned as it is."""
    text: list[str] = []
    finish: str | None = None
    usage: Mapping[str, Any] = {}
    for chunk in chunks:
        if "error" in chunk:
            return chunk
        usage = chunk.get("usage", usage)
        for choice in chunk["choices"]:
            text.append(choice["delta"].get("content") or "")
            finish = choice["finish_reason"] or finish
    message = {"role": "assistant", "content": "".join(text)}
    return {
        "object": "chat.completion",
        "model": SERVED_MODEL,
        "choices": [{"index": 0, "finish_reason": finish, "message": message}],
        "usage": {name: usage[name] for name in ("prompt_tokens", "completion_tokens") if name in usage},
    }


def _seed(ask_key: str) -> int:
    try:
        return int(ask_key[:8], 16) & 0x7FFFFFFF
    except ValueError:  # a key that is not hexadecimal still names its ask
        return int(hashlib.sha256(ask_key.encode()).hexdigest()[:8], 16) & 0x7FFFFFFF
