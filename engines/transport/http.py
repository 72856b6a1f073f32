"""Runs the pure functions of one provider over HTTP: attempts, turns, deadline, limits and kept exchanges."""

import hashlib
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from engines.engine import Credential, EngineAnswer, Exchange, LocaleField, Mode, Question
from engines.errors import EngineError, EngineErrorCode
from engines.transport import body
from engines.transport.concurrency_limits import PER_CREDENTIAL, ConcurrencyLimits, CredentialLimit
from engines.transport.connection import Received, Timeouts, Transport
from engines.transport.exchanges import strip
from engines.transport.redaction import Redaction
from engines.transport.refusals import refusal, refuses_temperature, wait_of
from engines.transport.retries import LONGEST_WAIT, MAX_ATTEMPTS, Timing, backoff, forbidden, moment

KEPT_HEADERS = ("content-type", "date", "retry-after", "x-request-id", "request-id")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Request:
    """One POST of JSON, relative to the engine's base URL."""

    path: str
    body: body.JsonObject
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class HttpConfig:
    """Where and how one platform is asked."""

    platform: str
    base_url: str
    model: str
    modes: frozenset[Mode]
    cites: frozenset[Mode] = frozenset()
    needs_credential: bool = True
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Sent with every request; the values are treated as secrets."""
    timeouts: Timeouts = field(default_factory=Timeouts)
    per_credential: int = PER_CREDENTIAL
    per_minute: int | None = None
    """Requests a minute and credential; None leaves the pace to the provider's own 429."""
    search_tool: body.JsonObject | None = None
    """The provider's own description of its search tool, where it can be chosen."""
    extra_body: body.JsonObject = field(default_factory=dict[str, object])
    """Fields of the endpoint's own that stand beside ours in each request."""


def _no_follow_up(_question: Question, _exchanges: Sequence[Exchange]) -> Request | None:
    return None


@dataclass(frozen=True, slots=True)
class Adapter:
    """One provider's API as pure functions: a stored response can be parsed again without a request."""

    build: Callable[[Question, HttpConfig], Request]
    parse: Callable[[Question, Sequence[Exchange]], EngineAnswer]
    follow_up: Callable[[Question, Sequence[Exchange]], Request | None] = _no_follow_up
    """The next turn of an answer that is not finished, or None."""
    key_header: str = "Authorization"
    key_prefix: str = "Bearer "
    locale: Mapping[Mode, frozenset[LocaleField]] = field(default_factory=dict[Mode, frozenset[LocaleField]])
    """What of a place the API has a field for, by mode."""


class HttpEngine:
    """One platform behind HTTP. Belongs to the event loop of its transport."""

    def __init__(
        self,
        config: HttpConfig,
        adapter: Adapter,
        transport: Transport,
        timing: Timing | None = None,
    ) -> None:
        self.config = config
        self.adapter = adapter
        self.transport = transport
        self.timing = timing or Timing()
        self.limits = ConcurrencyLimits(config.per_credential, config.per_minute)
        self._takes_temperature = True

    @property
    def platform(self) -> str:
        """Lowercase identifier of the product that is measured."""
        return self.config.platform

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return self.config.model

    @property
    def modes(self) -> frozenset[Mode]:
        """Modes this engine can be asked in."""
        return self.config.modes

    @property
    def cites(self) -> frozenset[Mode]:
        """Modes in which this engine reports citations."""
        return self.config.cites

    def locale_fields(self, mode: Mode, country: str | None = None) -> frozenset[LocaleField]:
        """What of a place the API has a field for; a search tool of one's own is sent as it is configured."""
        if self.config.search_tool is not None:
            return frozenset()
        return self.adapter.locale.get(mode, frozenset())

    async def ask(self, question: Question, credential: Credential | None) -> EngineAnswer:
        """Ask, with retries and continuation turns, or raise EngineError.

        A place in the credential's limit is held throughout; the time spent waiting
        for it counts neither as latency nor against the deadline. A model that
        rejects a temperature is asked again without, and is not sent one any more.
        """
        self._admit(question, credential)
        plain = replace(question, temperature=None)
        async with self.limits.of(credential) as limit:
            if question.temperature is None or not self._takes_temperature:
                return await _Conversation(self, plain, credential, limit).run()
            try:
                return await _Conversation(self, question, credential, limit).run()
            except EngineError as error:
                if not refuses_temperature(error):
                    raise
                self._takes_temperature = False
                answer = await _Conversation(self, plain, credential, limit).run()
                return replace(answer, attempts=error.attempts + answer.attempts)

    def parse(self, question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
        """Read stored exchanges again; latency and attempts are those of the exchanges."""
        return self.adapter.parse(question, exchanges)

    def _admit(self, question: Question, credential: Credential | None) -> None:
        if question.mode not in self.modes:
            raise EngineError(
                EngineErrorCode.UNSUPPORTED_MODE,
                f"{self.platform} cannot be asked in mode {question.mode.value}.",
            )
        if credential is None and self.config.needs_credential:
            raise EngineError(
                EngineErrorCode.PROVIDER_NOT_CONFIGURED, f"There is no credential for {self.platform}."
            )


class _Conversation:
    """One ask under way: its turns so far, the time it used, and what may have been billed."""

    def __init__(
        self,
        engine: HttpEngine,
        question: Question,
        credential: Credential | None,
        limit: CredentialLimit,
    ) -> None:
        self._engine = engine
        self._question = question
        self._limit = limit
        self._timing = engine.timing
        config, adapter = engine.config, engine.adapter
        secret = [credential.secret] if credential is not None else []
        self._redaction = Redaction([*secret, *config.headers.values()])
        key = {adapter.key_header: adapter.key_prefix + credential.secret} if credential is not None else {}
        self._headers = {"Content-Type": "application/json", **config.headers, **key}
        deadlines = {Mode.VISIBILITY: config.timeouts.visibility, Mode.READINESS: config.timeouts.readiness}
        self._remaining = self._budget = deadlines[question.mode]
        self._exchanges: tuple[Exchange, ...] = ()
        self._received: Received | None = None
        self._attempts = 0
        self._billed = False

    async def run(self) -> EngineAnswer:
        step: Request | EngineAnswer = self._engine.adapter.build(self._question, self._engine.config)
        while isinstance(step, Request):
            step = await self._turn(step)
        self._limit.succeeded()
        return replace(
            step,
            attempts=self._attempts,
            latency_ms=round((self._budget - self._remaining) * 1000),
            exchanges=tuple(strip(exchange) for exchange in self._exchanges),
        )

    async def _turn(self, request: Request) -> Request | EngineAnswer:
        for attempt in count(1):
            try:
                return await self._attempt(request)
            except EngineError as error:
                failure = self._complete(error)
            await self._pause(failure, attempt)
        raise AssertionError("unreachable: the last pause raises")

    async def _attempt(self, request: Request) -> Request | EngineAnswer:
        exchange, received = await self._send(request)
        failure = refusal(received, self._timing.now())
        try:
            if failure is not None:
                raise failure
            exchanges = (*self._exchanges, exchange)
            step = self._engine.adapter.follow_up(self._question, exchanges)
            step = step or self._engine.adapter.parse(self._question, exchanges)
        except EngineError as error:
            error.exchanges = (*self._exchanges, exchange)
            error.possibly_billed |= received.ok
            raise
        self._exchanges = exchanges
        self._billed = True
        return step

    async def _send(self, request: Request) -> tuple[Exchange, Received]:
        config = self._engine.config
        sent = body.encode(request.body)
        url = config.base_url.rstrip("/") + request.path
        self._received = None
        await self._limit.pace.turn(self._timing)
        async with self._engine.limits.platform:
            epoch = self._limit.epoch
            self._attempts += 1
            sent_at, started = self._timing.now(), self._timing.monotonic()
            headers = {**self._headers, **request.headers}
            try:
                received = await self._engine.transport.post(
                    url, headers, sent, config.timeouts, self._remaining
                )
            finally:
                self._remaining -= self._timing.monotonic() - started
        if received.status == 429:
            self._limit.throttled(epoch)
        self._received = received
        kept = self._redaction.body(received.body)
        exchange = Exchange(
            sent_at=sent_at,
            url=url,
            request_body=sent,
            status=received.status,
            headers=self._kept(received.headers),
            body=kept,
            received_at=self._timing.now(),
            raw_sha256=hashlib.sha256(received.body).hexdigest(),
            stripped=kept != received.body,
        )
        return exchange, replace(received, body=kept)

    def _kept(self, headers: Mapping[str, str]) -> Mapping[str, str]:
        return {name: self._redaction.words(headers[name]) for name in KEPT_HEADERS if name in headers}

    def _complete(self, error: EngineError) -> EngineError:
        """The error with what only the conversation knows, and without secrets."""
        self._billed |= error.possibly_billed
        error.possibly_billed = self._billed
        error.attempts = self._attempts
        error.exchanges = tuple(strip(exchange) for exchange in error.exchanges or self._exchanges)
        error.detail = self._redaction.words(error.detail) if error.detail is not None else None
        return error

    async def _pause(self, failure: EngineError, attempt: int) -> None:
        """Wait before the next attempt, or raise `failure` when there is none."""
        now = self._timing.now()
        headers: Mapping[str, str] = self._received.headers if self._received is not None else {}
        stated = wait_of(self._received, now) if self._received is not None else None
        if stated is not None and failure.code.retryable:
            failure.retry_at = moment(now, stated)
        wait = stated if stated is not None else backoff(attempt, self._timing.uniform)
        again = failure.code.retryable and attempt < MAX_ATTEMPTS and not forbidden(headers)
        if not again or wait > LONGEST_WAIT or wait >= self._remaining:
            logger.warning(
                "%s: %s after %d attempts: %r",
                self._engine.platform, failure.code.value, self._attempts, failure.detail,
            )  # fmt: skip
            raise failure
        logger.info("%s: %s, asking again in %.1f s", self._engine.platform, failure.code.value, wait)
        await self._timing.sleep(wait)
        self._remaining -= wait
