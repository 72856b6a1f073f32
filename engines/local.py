"""The engine that needs no account: a tiny model in this process, which demonstrates a measurement.

It knows little and invents facts. Its answers must be displayed with the label `local demo model`.
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
"""Seconds. The longest answer at four tokens a second, as on a small busy machine. Waiting costs nothing."""
TEMPERATURE = 0.7
LONGEST_ANSWER = 1200
"""Tokens. The context also holds the question, and a small model that has not finished by then repeats itself."""
BRIEF = "Answer in one sentence."
"""Follows each question. Without it, this model writes for seven seconds, repeats itself and is truncated,
and a truncated answer counts as missing. As a system message, the instruction is often forgotten."""
PARSER = "local-chat/1"


@dataclass(frozen=True, slots=True)
class _Generation:
    chunks: Sequence[Mapping[str, Any]]
    sent_at: datetime
    seconds: float
    expired: bool


class LocalEngine:
    """SmolLM2-135M-Instruct, loaded on the first request. Writes at most `parallel` answers at a time."""

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
        """Accept paths that may hold weights, best first; they take precedence over those of an installed package."""
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
        """Whether runtime and weights are installed; the search stops once they have been found."""
        self._is_installed = self._is_installed or installed(self._weights)
        return self._is_installed

    def locale_fields(self, mode: Mode, country: str | None = None) -> frozenset[LocaleField]:
        """Return no fields: the model receives no location and no language."""
        return frozenset()

    async def ask(self, question: Question, credential: Credential | None) -> EngineAnswer:
        """Write one answer in a worker thread; the same question and ask key always produce the same text.

        Cancelling stops the writing at the next token. Raises EngineError: `provider_not_configured` without
        the extra, `provider_error` if the prompt does not fit into the context, `timeout` after the deadline.
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
        """Parse a stored completion again."""
        return parse(question, exchanges)

    async def aclose(self) -> None:
        """Release the model. A running answer is still finished; the next request loads the model again."""
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
        """Write in a worker thread. The clock starts only here, so that queueing does not count."""
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
    """Return the chat completion request: the question, and the instruction to answer in one sentence.

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
    """Return the answer in a stored completion. Raises EngineError for an error in it."""
    return replace(compatible.parse(question, exchanges), parser=PARSER)


def completion(chunks: Sequence[Mapping[str, Any]]) -> body.JsonObject:
    """Assemble one chat completion from its chunks; an error chunk is returned unchanged."""
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
    except ValueError:  # a key that is not hexadecimal still identifies its request
        return int(hashlib.sha256(ask_key.encode()).hexdigest()[:8], 16) & 0x7FFFFFFF
