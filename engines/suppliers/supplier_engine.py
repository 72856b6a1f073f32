"""Asks a supplier for what people see: submits a task, and later looks whether it is done."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import count

from engines.engine import Credential, EngineAnswer, Exchange, LocaleField, Mode, Question
from engines.errors import EngineError, EngineErrorCode
from engines.suppliers.supplier_api import SupplierApi, SupplierCall
from engines.transport import body
from engines.transport.concurrency_limits import PER_CREDENTIAL, ConcurrencyLimits
from engines.transport.connection import Received, Timeouts, Transport
from engines.transport.redaction import Redaction
from engines.transport.refusals import refusal
from engines.transport.retries import MAX_ATTEMPTS, Timing, backoff

CALL_SECONDS = 60.0
LONGEST_WORK = timedelta(minutes=10)
"""From the first look that found a task at work; what it waits in a queue does not count."""
LONGEST_WAIT = timedelta(minutes=60)
SHORTEST_PAUSE, LONGEST_PAUSE = 2.0, 10.0
LOOKS_PER_PAUSE = 5
SEEN = frozenset({Mode.READINESS})


@dataclass(frozen=True, slots=True)
class SupplierTask:
    """A submitted task; without an id its submission got no answer, and it is looked for and never sent again."""

    id: str
    submitted_at: datetime
    exchanges: tuple[Exchange, ...] = ()
    started_at: datetime | None = None
    """When it was first found at work."""
    looks: int = 0

    @property
    def pause(self) -> float:
        """Seconds until it is worth looking again."""
        return min(SHORTEST_PAUSE * 2 ** (self.looks // LOOKS_PER_PAUSE), LONGEST_PAUSE)

    def overdue(self, now: datetime) -> bool:
        """Whether nobody waits for it any longer; the supplier charges for it all the same."""
        at_work = self.started_at is not None and now - self.started_at > LONGEST_WORK
        return at_work or now - self.submitted_at > LONGEST_WAIT


class SupplierEngine:
    """One surface at one supplier. Between submission and result it holds nothing: no connection and no place."""

    def __init__(
        self,
        surface: str,
        api: SupplierApi,
        base_url: str,
        transport: Transport,
        timing: Timing | None = None,
        per_credential: int = PER_CREDENTIAL,
        per_minute: int | None = None,
    ) -> None:
        self.surface = surface
        self._api = api
        self._base_url = base_url.rstrip("/")
        self._transport = transport
        self._timing = timing or Timing()
        self._limits = ConcurrencyLimits(per_credential, per_minute or api.per_minute)

    @property
    def platform(self) -> str:
        """The surface at its supplier, which never shares a rate with another supplier's."""
        return f"{self.surface}@{self._api.name}"

    @property
    def model(self) -> str:
        """The surface, under which the price table has what a look costs."""
        return self.surface

    @property
    def modes(self) -> frozenset[Mode]:
        """What people see may always have been searched for."""
        return SEEN

    @property
    def cites(self) -> frozenset[Mode]:
        """Its sources are listed beside it."""
        return SEEN

    def locale_fields(self, mode: Mode) -> frozenset[LocaleField]:
        """What of a place the supplier has a field for."""
        return self._api.locale if mode in SEEN else frozenset()

    def parse(self, question: Question, exchanges: Sequence[Exchange]) -> EngineAnswer:
        """Read stored exchanges again, without any request."""
        return self._api.parse(question, exchanges)

    async def ask(self, question: Question, credential: Credential | None) -> EngineAnswer:
        """Submit and wait; for one question that somebody waits for. Raises EngineError as `look` does."""
        task = await self.submit(question, credential)
        while True:
            await self._timing.sleep(task.pause)
            looked = await self.look(question, task, credential)
            if isinstance(looked, EngineAnswer):
                return looked
            task = looked

    async def submit(
        self, question: Question, credential: Credential | None, *, again: bool = False
    ) -> SupplierTask:
        """Open a task. `again` says that it may have been opened before: then one that can be found is looked for.

        Raises EngineError when it is certain that nothing was opened.
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
            return SupplierTask("", self._timing.now())
        for attempt in count(1):
            try:
                exchange = await self._call(call, credential)
                task_id = self._api.ticket(body.decode(exchange.body))
                return SupplierTask(task_id, exchange.received_at, (exchange,))
            except EngineError as error:
                # A submission whose answer was lost may have opened a task: it is never sent a second time.
                if error.possibly_billed and not error.exchanges and not self._api.repeatable:
                    return SupplierTask("", self._timing.now())
                lost = error.possibly_billed and not error.exchanges
                if not (error.code.retryable or lost) or attempt == MAX_ATTEMPTS:
                    raise
            await self._timing.sleep(backoff(attempt, self._timing.uniform))
        raise AssertionError("unreachable: the last attempt raises")

    async def look(
        self, question: Question, task: SupplierTask, credential: Credential | None
    ) -> SupplierTask | EngineAnswer:
        """The answer of a task that is done, else the task as it is now.

        A look that fails says nothing of the task. Raises EngineError for a task that failed or is overdue.
        """
        now = self._timing.now()
        if credential is None:
            raise EngineError(
                EngineErrorCode.PROVIDER_NOT_CONFIGURED,
                f"There is no credential for {self.platform} any more.",
                possibly_billed=True,
            )
        looked = SupplierTask(task.id, task.submitted_at, task.exchanges, task.started_at, task.looks + 1)
        try:
            task_id = task.id or await self._find(question, credential)
            if task_id:
                exchange = await self._call(self._api.fetch(self.surface, task_id), credential)
                state = self._api.state(body.decode(exchange.body))
                if state == "done":
                    return self._api.parse(question, (*task.exchanges, exchange))
                started = now if state == "working" and task.started_at is None else task.started_at
                looked = SupplierTask(task_id, task.submitted_at, task.exchanges, started, task.looks + 1)
        except EngineError as error:
            if not _says_nothing(error):
                error.possibly_billed = True
                raise
        if looked.overdue(now):
            raise EngineError(
                EngineErrorCode.TIMEOUT, "The supplier did not finish in time.", possibly_billed=True
            )
        return looked

    async def _find(self, question: Question, credential: Credential) -> str | None:
        if self._api.find is None or self._api.found is None:
            return None
        listed = await self._call(self._api.find(self.surface), credential)
        return self._api.found(body.decode(listed.body), question.ask_key)

    async def _call(self, call: SupplierCall, credential: Credential) -> Exchange:
        """One request. Raises EngineError with the exchange where an answer came, and without where none did."""
        sent = body.encode(call.body) if call.body is not None else b""
        headers = {
            "Content-Type": "application/json",
            "Authorization": self._api.authorization(credential.secret),
        }
        async with self._limits.of(credential) as limit:
            await limit.pace.turn(self._timing)
            sent_at = self._timing.now()
            received = await self._transport.send(
                "POST" if sent else "GET", self._base_url + call.path, headers, sent, Timeouts(), CALL_SECONDS
            )
        exchange = self._exchange(call, sent, sent_at, received, credential)
        refused = refusal(received, self._timing.now())
        # A submission that was there before is refused with the task that it opened.
        if refused is not None and not (received.status == 409 and b'"task"' in received.body):
            refused.exchanges = (exchange,)
            raise refused
        return exchange

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


def _says_nothing(error: EngineError) -> bool:
    """Whether a failed look leaves the task as it was: the supplier was busy, away or slow."""
    return error.code.retryable or error.code is EngineErrorCode.TIMEOUT
