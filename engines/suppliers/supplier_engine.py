"""Queries a data provider for AI surface observations: submits a task, and later checks whether it is done."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from itertools import count
from urllib.parse import urlencode

import anyio

from engines.engine import Credential, EngineAnswer, Exchange, LocaleField, Mode, Question, SupplierCost
from engines.errors import EngineError, EngineErrorCode
from engines.suppliers.placeholders import not_loaded
from engines.suppliers.supplier_api import SupplierApi, SupplierCall
from engines.suppliers.supplier_task import ANSWERED, SupplierTask
from engines.transport import body
from engines.transport.body import JsonObject
from engines.transport.concurrency_limits import PER_CREDENTIAL, ConcurrencyLimits
from engines.transport.connection import Received, Timeouts, Transport
from engines.transport.redaction import Redaction
from engines.transport.refusals import refusal
from engines.transport.retries import MAX_ATTEMPTS, Timing, backoff, stated_wait

CALL_SECONDS = 60.0
BODY_LIMIT = 8 * 1024 * 1024
"""Maximum bytes of a response; some data providers include the whole page with the answer."""
LONGEST_REST = 60.0
"""Maximum seconds that a data provider may impose; a task that is checked later is still checked in time."""
ACCEPTED, TOO_MANY = 202, 429
SEEN = frozenset({Mode.READINESS})
REGION: frozenset[LocaleField] = frozenset({"region"})


class SupplierEngine:
    """One AI surface at one data provider. While a task is open, it holds no connection and no concurrency slot."""

    def __init__(
        self,
        surface: str,
        api: SupplierApi,
        base_url: str,
        transport: Transport,
        timing: Timing | None = None,
        limits: ConcurrencyLimits | None = None,
    ) -> None:
        self.surface = surface
        self._api = api
        self._base_url = base_url.rstrip("/")
        self._transport = transport
        self._timing = timing or Timing()
        self._limits = limits or ConcurrencyLimits(PER_CREDENTIAL, api.per_minute)
        self._finding = anyio.Lock()
        self._listed: dict[Credential, tuple[float, JsonObject]] = {}
        """The last list of finished tasks by key, and when it was requested."""

    @property
    def platform(self) -> str:
        """The AI surface at its data provider, which never shares a rate with another data provider's."""
        return f"{self.surface}@{self._api.name}"

    @property
    def model(self) -> str:
        """The AI surface, under which the price table lists the price of an observation."""
        return self.surface

    @property
    def modes(self) -> frozenset[Mode]:
        """The modes of observed answers, which may always include a search."""
        return SEEN

    @property
    def cites(self) -> frozenset[Mode]:
        """The modes with citations: sources are listed next to the answer."""
        return SEEN

    @property
    def credits(self) -> tuple[int, int] | None:
        """Typical and maximum credits of an observation; None if the data provider does not charge in credits."""
        return self._api.credits(self.surface) if self._api.credits else None

    def locale_fields(self, mode: Mode, country: str | None = None) -> frozenset[LocaleField]:
        """Return the supported location fields; a few apps accept a region in a single country only."""
        if mode not in SEEN:
            return frozenset()
        told = self._api.locale(self.surface)
        return told | REGION if country in self._api.region_of(self.surface) else told

    def parse(self, question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
        """Parse stored exchanges again, without any request."""
        return self._api.parse(question, exchanges)

    async def ask(self, question: Question, credential: Credential | None) -> EngineAnswer:
        """Submit and wait, for a question whose caller waits for the answer. Raises EngineError as `look` does."""
        task = await self.submit(question, credential)
        while True:
            await self._timing.sleep(task.pause)
            looked = await self.look(question, task, credential)
            if isinstance(looked, EngineAnswer):
                return looked
            task = looked

    async def submit(
        self,
        question: Question,
        credential: Credential | None,
        *,
        again: bool = False,
        callback: str | None = None,
    ) -> SupplierTask:
        """Open a task. With `again`, a task that may already exist is searched for, if the data provider supports it.

        `callback` is the URL to call when the task is done; it is in no stored part of the submission. Raises
        EngineError if it is certain that no task was opened, or if an opened task cannot be found.
        """
        if credential is None:
            raise EngineError(
                EngineErrorCode.PROVIDER_NOT_CONFIGURED, f"There is no credential for {self.platform}."
            )
        if question.mode not in SEEN:
            raise EngineError(
                EngineErrorCode.UNSUPPORTED_MODE, f"{self.platform} cannot be asked in mode {question.mode}."
            )
        call = self._api.submit(question, self.surface)
        if again and not self._api.repeatable:
            return self._lost()
        for attempt in count(1):
            try:
                return await self._open(call, credential, callback)
            except EngineError as error:
                # A submission whose response was lost may have opened a task, so it is never sent again.
                lost = error.possibly_billed and not error.exchanges
                if lost and not self._api.repeatable:
                    return self._lost()
                if not (error.code.retryable or lost) or attempt == MAX_ATTEMPTS:
                    raise
            await self._timing.sleep(backoff(attempt, self._timing.uniform))
        raise AssertionError("unreachable: the last attempt raises")

    async def look(
        self, question: Question, task: SupplierTask, credential: Credential | None
    ) -> SupplierTask | EngineAnswer:
        """Return the answer of a finished task, else the task in its current state.

        A failed check says nothing about the task. A task that failed for a temporary reason is submitted
        once more. Raises EngineError for a task that failed or is overdue; its `exchanges` show the charge.
        """
        now = self._timing.now()
        if credential is None:
            raise EngineError(
                EngineErrorCode.PROVIDER_NOT_CONFIGURED,
                f"There is no credential for {self.platform} any more.",
                possibly_billed=True,
                exchanges=task.exchanges,
            )
        if task.id == ANSWERED:
            return self._read(question, task.exchanges)
        looked = replace(task, looks=task.looks + 1)
        try:
            looked, exchange, failure = await self._state(question, looked, credential)
        except EngineError as error:
            if not _says_nothing(error):
                raise _charged(error, task.exchanges) from None
            exchange = failure = None
        if failure is not None:
            return await self._repeat(question, looked, failure, credential)
        if exchange is not None:
            return self._read(question, (*task.exchanges, exchange))
        if looked.overdue(now):
            await self.cancel(looked, credential)
            raise EngineError(
                EngineErrorCode.TIMEOUT,
                "The supplier did not finish in time.",
                possibly_billed=True,
                exchanges=task.exchanges,
            )
        return looked

    async def cancel(self, task: SupplierTask, credential: Credential | None) -> None:
        """Free the slot of a task at its data provider; a failed cancellation has no effect on our side."""
        if self._api.cancel is None or credential is None or task.id in ("", ANSWERED):
            return
        with suppress(EngineError):
            await self._call(self._api.cancel(self.surface, task.id), credential)

    def charge(self, exchanges: Sequence[Exchange]) -> SupplierCost | None:
        """Return the charge that a data provider reports in exchanges without an answer."""
        return self._api.charge(exchanges) if exchanges else None

    def _read(self, question: Question, exchanges: tuple[Exchange, ...]) -> EngineAnswer:
        try:
            return _placed(question, self._api.parse(question, exchanges))
        except EngineError as error:
            raise _charged(error, exchanges) from None

    async def _open(
        self, call: SupplierCall, credential: Credential, callback: str | None = None
    ) -> SupplierTask:
        """Send a submission; an immediate answer is already in the returned task."""
        is_at_once = self.surface in self._api.at_once
        notify = None if is_at_once or callback is None else self._api.notified
        sent_as = notify(call, callback) if notify and callback else call
        exchange = await self._call(call, credential, sent_as)
        try:
            document = body.decode(exchange.body)
            if not is_at_once:
                task_id = self._api.ticket(document)
                return SupplierTask(task_id, exchange.received_at, (exchange,), notified=notify is not None)
            further = self._api.further(document) if self._api.further else None
        except EngineError as error:
            error.exchanges = (exchange,)
            error.possibly_billed |= error.code is EngineErrorCode.INVALID_RESPONSE
            raise
        exchanges = (exchange,)
        if further is not None:
            try:
                exchanges = (exchange, await self._call(further, credential))
            except EngineError as error:
                failed = not_loaded()
                failed.exchanges = (*exchanges, *error.exchanges)
                raise failed from None
        return SupplierTask(ANSWERED, exchange.received_at, exchanges)

    def _lost(self) -> SupplierTask:
        """Return a task that may have been opened. Raises EngineError if it cannot be searched for."""
        if self._api.find is None:
            raise EngineError(
                EngineErrorCode.TIMEOUT,
                "The supplier's answer was lost, and it cannot be asked for it again.",
                possibly_billed=True,
            )
        return SupplierTask("", self._timing.now())

    async def _state(
        self, question: Question, task: SupplierTask, credential: Credential
    ) -> tuple[SupplierTask, Exchange | None, EngineError | None]:
        """Return the state of a task: the exchange with its answer, or the temporary failure that it ended with."""
        task_id = task.id or await self._find(question, credential)
        if not task_id:
            return task, None, None
        exchange = await self._call(self._api.fetch(self.surface, task_id), credential)
        try:
            state = self._api.state(body.decode(exchange.body))
        except EngineError as failure:
            if failure.possibly_billed and failure.code is EngineErrorCode.PROVIDER_UNAVAILABLE:
                return replace(task, id=task_id, exchanges=(*task.exchanges, exchange)), None, failure
            if not _says_nothing(failure):
                failure.exchanges = (exchange,)
            raise
        if state == "done" and self._api.result is not None:
            exchange = await self._call(self._api.result(self.surface, task_id), credential)
            state = "working" if exchange.status == ACCEPTED else state
        if state == "done":
            return task, exchange, None
        started = self._timing.now() if state == "working" and task.started_at is None else task.started_at
        return replace(task, id=task_id, started_at=started), None, None

    async def _repeat(
        self, question: Question, task: SupplierTask, failure: EngineError, credential: Credential
    ) -> SupplierTask:
        """Submit a task once more if it failed for a temporary reason. Raises its failure otherwise."""
        if sum(1 for exchange in task.exchanges if exchange.request_body) > 1:
            raise _charged(failure, task.exchanges)
        try:
            opened = await self._open(self._api.submit(question, self.surface), credential)
        except EngineError as error:
            raise _charged(failure, (*task.exchanges, *error.exchanges)) from None
        return replace(opened, exchanges=(*task.exchanges, *opened.exchanges))

    async def _find(self, question: Question, credential: Credential) -> str | None:
        if self._api.find is None or self._api.found is None:
            return None
        async with self._finding:
            listed_at, listed = self._listed.get(credential, (float("-inf"), None))
            now = self._timing.monotonic()
            if listed is None or now - listed_at >= self._api.find_seconds:
                listed = body.decode((await self._call(self._api.find(self.surface), credential)).body)
                # A list may hold megabytes, and the keys of many companies are in use: outdated lists are dropped.
                self._listed = {
                    key: kept for key, kept in self._listed.items() if now - kept[0] < self._api.find_seconds
                }
                self._listed[credential] = now, listed
        return self._api.found(listed, question.ask_key)

    async def _call(
        self, call: SupplierCall, credential: Credential, sent_as: SupplierCall | None = None
    ) -> Exchange:
        """Send one request; it is stored as `call` even if it is sent as `sent_as`.

        Raises EngineError, with the exchange if there was a response and without it otherwise.
        """
        kept = body.encode(call.body) if call.body is not None else b""
        sending = sent_as or call
        sent = body.encode(sending.body) if sending.body is not None else b""
        headers = {"Content-Type": "application/json"}
        if authorization := self._api.authorization(credential.secret):
            headers["Authorization"] = authorization
        async with self._limits.of(credential) as limit:
            await limit.pace.turn(self._timing)
            epoch, sent_at = limit.epoch, self._timing.now()
            received = await self._transport.send(
                "POST" if sent else "GET",
                self._address(sending, credential),
                headers,
                sent,
                Timeouts(),
                CALL_SECONDS,
                BODY_LIMIT,
            )
            if received.status == TOO_MANY:
                limit.throttled(epoch)
                stated = stated_wait(received.headers, self._timing.now()) or 0.0
                limit.pace.rest(self._timing, max(self._api.rest_seconds, min(stated, LONGEST_REST)))
            elif received.ok:
                limit.succeeded()
        exchange = self._exchange(call, kept, sent_at, received, credential)
        # Data providers forward pages unchanged, with any content type; the parser rejects what is not JSON.
        refused = None if received.ok else refusal(received, self._timing.now())
        # A repeated submission is rejected with the task that the first one opened.
        if refused is not None and not (received.status == 409 and b'"task"' in received.body):
            refused.exchanges = (exchange,)
            raise refused
        return exchange

    def _address(self, call: SupplierCall, credential: Credential) -> str:
        address = self._base_url + call.path
        if self._api.key_field is None:
            return address
        return (
            f"{address}{'&' if '?' in address else '?'}{urlencode({self._api.key_field: credential.secret})}"
        )

    def _exchange(
        self, call: SupplierCall, sent: bytes, sent_at: datetime, received: Received, credential: Credential
    ) -> Exchange:
        parts = credential.secret.split(":") if ":" in credential.secret else []
        kept = Redaction([credential.secret, *(part for part in parts if len(part) >= 8)]).body(received.body)
        return Exchange(
            sent_at=sent_at,
            url=self._base_url + call.path,
            request_body=sent,
            status=received.status,
            headers={},
            body=kept,
            received_at=self._timing.now(),
            raw_sha256=hashlib.sha256(received.body).hexdigest(),
            stripped=kept != received.body,
        )


def _placed(question: Question, answer: EngineAnswer) -> EngineAnswer:
    """Return the answer with its region labeled as one: a location name alone does not show that it is no city."""
    seen = answer.seen
    if (
        seen is None
        or question.city
        or not question.region
        or seen.locale_sent.get("city") != question.region
    ):
        return answer
    told = {("region" if name == "city" else name): value for name, value in seen.locale_sent.items()}
    applied = "country" if "country" in told else "none"
    return replace(answer, seen=replace(seen, locale_sent=told, locale_applied=applied))


def _says_nothing(error: EngineError) -> bool:
    """Return whether a failed check leaves the task unchanged: the data provider was busy, unreachable or slow."""
    return error.code.retryable or error.code is EngineErrorCode.TIMEOUT


def _charged(error: EngineError, exchanges: Sequence[Exchange]) -> EngineError:
    """Return the error of an opened task, with all its exchanges: the data provider may charge for it."""
    error.possibly_billed = True
    error.exchanges = (*exchanges, *(exchange for exchange in error.exchanges if exchange not in exchanges))
    return error
