"""The one way to a tool: exists, may, how often, validate, call, shape."""

import copy
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from measurement.planning.clock import utc_now
from measurement.statistics.remembered_gains import RememberedGains
from oauth.principal import Caller, Scope
from storage.change_counts import EVERYBODY
from storage.errors import WriteRefused
from storage.unchanged_reads import UnchangedReads
from tools.calls.argument_faults import first_fault, ignored_parameters
from tools.calls.call import Call, NoPublicReports, OpenWorkspace, PublicReports, ReadyEngines, SiteReader
from tools.calls.call_record import CallRecord
from tools.calls.errors import FORMS, Cause, ErrorCode, ToolErrorDetail, UnknownTool, error_detail, words
from tools.calls.measurement import Measurement
from tools.calls.rate_limits import RateLimits, RateLimitStatus
from tools.calls.result_size import LARGEST_RESULT, serialised
from tools.calls.table import ToolRow, ToolTable
from tools.calls.wire import harmless, without_hiding

if TYPE_CHECKING:
    from workflows.runs import RunService

log = logging.getLogger(__name__)

TOOL_CALL: Final = "tool call"
DAY: Final = timedelta(days=1)
LONGEST_WORDS: Final = 1_000
"""Characters of the reason of a refusal, and of its hint."""
FORMS_OF_A_RESULT: Final = 4
"""So many times the length of its body a kept result takes at most: MCP has the body again, and once more quoted."""

Observe: TypeAlias = Callable[[str, str, float | None], None]
"""Told of each call: tool, how it ended, and the seconds in dispatch; None for one that was not let in."""


@dataclass(
    slots=True
)  # not frozen, as the next but one: made for each call, and freezing takes four times as long
class Success:
    """A result: the UTF-8 JSON object of the tool's result model, serialised once.

    `measurement` is what its numbers rest on, in the same form; None for a result without numbers. `kept` is where a
    surface keeps its own form of a result that is told again; None for one that is not.
    """

    tool: str
    body: bytes
    rate_limit: RateLimitStatus | None = None
    measurement: bytes | None = None
    kept: dict[str, bytes] | None = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """No result, and why.

    `retry_after` is in seconds and set for RATE_LIMITED; `scope` is the scope
    that the tool needs, set when a credential is missing or lacks it.
    `rate_limit` is None when the call was refused before it was counted.
    """

    tool: str
    code: ErrorCode
    message: str
    hint: str
    cause: Cause
    retry_after: int | None = None
    scope: Scope | None = None
    rate_limit: RateLimitStatus | None = None
    reason: str = ""
    """The message without the name of the tool."""


@dataclass(slots=True)
class Admission:
    """A call that was let in and counted, but whose arguments nobody has looked at."""

    row: ToolRow
    caller: Caller
    rate_limit: RateLimitStatus


class Dispatcher:
    """Runs tools for every surface."""

    def __init__(
        self,
        table: ToolTable,
        rate_limits: RateLimits,
        open_workspace: OpenWorkspace,
        now: Callable[[], datetime] = utc_now,
        run_desk: "RunService | None" = None,
        public_reports: PublicReports | None = None,
        engines: ReadyEngines | None = None,
        site_reader: SiteReader | None = None,
        private_hosts: frozenset[str] = frozenset(),
        told: UnchangedReads[Success] | None = None,
    ) -> None:
        self.table = table
        self._rate_limits = rate_limits
        self._open_workspace = open_workspace
        self._now = now
        self._run_desk = run_desk
        self._public_reports = public_reports or NoPublicReports()
        self._engines = engines
        self._site_reader = site_reader
        self._private_hosts = private_hosts
        self._told = told
        self._gains = RememberedGains()
        self._observe: Observe | None = None
        self._today = start_of_day(now())

    def reporting_to(self, observe: Observe) -> "Dispatcher":
        """Return the same dispatcher, but one that tells of each call."""
        reporting = copy.copy(self)
        reporting._observe = observe
        return reporting

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        caller: Caller,
        *,
        idempotency_key: str | None = None,
        whole: bool = False,
    ) -> Success | Refusal:
        """Run a tool for a caller. Raises UnknownTool, and nothing else that a caller or a tool can cause.

        `whole` is for pages, which show people all of a result, however large it is.
        """
        admitted = await self.admit(name, caller)
        if isinstance(admitted, Refusal):
            return admitted
        return await self.perform(admitted, arguments, idempotency_key=idempotency_key, whole=whole)

    async def admit(self, name: str, caller: Caller) -> Admission | Refusal:
        """The first half of a call, before its arguments are read: existence, credential, scope, rate.

        Raises UnknownTool.
        """
        row = self.table.get(name)
        if row is None:
            raise UnknownTool(name)
        started = time.perf_counter()
        try:
            outcome = await self._admit(row, caller)
        except Exception as error:
            outcome = _crash_refusal(row, error, None)
        if isinstance(outcome, Refusal):
            self._report(row, caller, outcome.cause, started, let_in=False)
        return outcome

    async def perform(
        self,
        admission: Admission,
        arguments: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        whole: bool = False,
    ) -> Success | Refusal:
        """The second half: validate the arguments, run the tool, shape what it returns."""
        row, started = admission.row, time.perf_counter()
        try:
            outcome = await self._perform(admission, arguments, idempotency_key, whole)
        except WriteRefused:
            # A viewer, as storage's door knows it: told as a credential is that was made for reading.
            outcome = _fixed_refusal(
                row, Cause.UNDER_SCOPED, scope=Scope.WRITE, rate_limit=admission.rate_limit
            )
        except Exception as error:
            known = error_detail(error)
            outcome = (
                _detailed_refusal(admission, known)
                if known
                else _crash_refusal(row, error, admission.rate_limit)
            )
        ended = "success" if isinstance(outcome, Success) else outcome.cause
        self._report(row, admission.caller, ended, started)
        return outcome

    def refuse_arguments(self, admission: Admission, reason: str, hint: str) -> Refusal:
        """Refuse a call whose arguments never became a JSON object."""
        refusal = _detailed_refusal(admission, ToolErrorDetail(Cause.INVALID_ARGUMENTS, reason, hint))
        self._report(admission.row, admission.caller, refusal.cause, time.perf_counter(), let_in=False)
        return refusal

    async def _admit(self, row: ToolRow, caller: Caller) -> Admission | Refusal:
        if row.scope is not None:
            if caller.principal is None:
                return _fixed_refusal(row, Cause.AUTHENTICATION_REQUIRED, scope=row.scope)
            if not caller.principal.may(row.scope):
                return _fixed_refusal(row, Cause.UNDER_SCOPED, scope=row.scope)
        rate_limit = await self._rate_limits.count(row, caller)
        if rate_limit.retry_after is not None:
            return _fixed_refusal(row, Cause.RATE_LIMITED, rate_limit=rate_limit)
        return Admission(row, caller, rate_limit)

    async def _perform(
        self, admission: Admission, arguments: Mapping[str, Any], idempotency_key: str | None, whole: bool
    ) -> Success | Refusal:
        row, today = admission.row, self._start_of_today()
        # Through JSON, so that strict means JSON's types, in objects within objects too.
        sent = to_json(arguments)
        principal = admission.caller.principal
        if self._told is None or row.access != "read" or principal is None:
            return (await self._run(admission, arguments, sent, today, idempotency_key, whole))[0]
        # A public tool tells of reports of every company: any commit may be one of them.
        company = principal.company_id if row.scope is not None else EVERYBODY
        key = (row.name, sent, today, whole)
        told, look = await self._told.find(key, company, principal.seen)
        if told is not None:
            return Success(told.tool, told.body, admission.rate_limit, told.measurement, told.kept)
        outcome, repeatable = await self._run(admission, arguments, sent, today, idempotency_key, whole)
        if repeatable and isinstance(outcome, Success):
            told = replace(outcome, rate_limit=None, kept={})
            size = len(sent) + FORMS_OF_A_RESULT * len(outcome.body)
            await self._told.keep(key, told, size, look, company)
        return outcome

    async def _run(
        self,
        admission: Admission,
        arguments: Mapping[str, Any],
        sent: bytes,
        today: datetime,
        idempotency_key: str | None,
        whole: bool,
    ) -> tuple[Success | Refusal, bool]:
        """Run the tool; say beside its outcome whether the same call has the same one while no row changes."""
        row = admission.row
        try:
            validated = row.arguments_model.__pydantic_validator__.validate_json(sent, strict=True).__dict__
        except ValidationError as error:
            fault = first_fault(error, row.input_schema)
            detail = ToolErrorDetail(Cause.INVALID_ARGUMENTS, fault.reason, fault.hint)
            return _detailed_refusal(admission, detail), False
        async with AsyncExitStack() as stack:
            call = self._call_of(admission, today, idempotency_key, stack)
            for name, injected in row.injected.items():
                validated[name] = await injected.fill(call, validated)
            result = await row.function(**validated)
            if not isinstance(result, row.result_model):
                raise TypeError(f"{row.name} returned {type(result).__name__}")
            body = result.__pydantic_serializer__.to_json(result, by_alias=True)
            known = arguments.keys() <= row.input_schema["properties"].keys()
            if not known or (len(body) > LARGEST_RESULT and not whole):
                body = serialised(result, ignored_parameters(arguments, row.input_schema), whole=whole)
            body = without_hiding(body)
        return Success(row.name, body, admission.rate_limit, _measurement(result)), call.repeatable

    def _start_of_today(self) -> datetime:
        now = self._now()
        if not self._today <= now < self._today + DAY:
            self._today = start_of_day(now)
        return self._today

    def _report(
        self, row: ToolRow, caller: Caller, outcome: str, started: float, *, let_in: bool = True
    ) -> None:
        """Write one line a call, never an argument's text, and count it."""
        seconds = time.perf_counter() - started
        if self._observe is not None:
            self._observe(row.name, outcome, seconds if let_in else None)
        if log.isEnabledFor(logging.INFO):
            principal = caller.principal
            fields = {
                "tool": row.name,
                "company": principal.company_id if principal else None,
                "subject": principal.subject if principal else None,
                "outcome": str(outcome),
                "duration_ms": round(seconds * 1000, 3),
            }
            log.handle(CallRecord(log.name, TOOL_CALL, fields))

    def _call_of(
        self, admission: Admission, today: datetime, idempotency_key: str | None, stack: AsyncExitStack
    ) -> Call:
        row = admission.row
        return Call(
            tool=row.name,
            principal=None if row.scope is None else admission.caller.principal,
            address=admission.caller.address,
            writing=row.access == "write",
            idempotency_key=idempotency_key,
            today=today,
            clock=self._now,
            open_workspace=self._open_workspace,
            until_the_end=stack,
            run_desk=self._run_desk,
            public_reports=self._public_reports,
            engines=self._engines,
            site_reader=self._site_reader,
            private_hosts=self._private_hosts,
            gains=self._gains,
        )


def start_of_day(moment: datetime) -> datetime:
    """Return when the day of a moment began in UTC."""
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _measurement(result: BaseModel) -> bytes | None:
    measurement = getattr(result, "measurement", None)
    return (
        measurement.__pydantic_serializer__.to_json(measurement)
        if isinstance(measurement, Measurement)
        else None
    )


def _fixed_refusal(
    row: ToolRow,
    cause: Cause,
    *,
    scope: Scope | None = None,
    rate_limit: RateLimitStatus | None = None,
    reference: str = "",
) -> Refusal:
    """A refusal all of whose words stand in the table."""
    form = FORMS[cause]
    retry_after = rate_limit.retry_after if rate_limit else None
    filling = words(scope, seconds=retry_after, reference=reference)
    return Refusal(
        tool=row.name,
        code=form.code,
        message=_message(row, (form.reason or "").format(**filling)),
        hint=(form.hint or "").format(**filling),
        cause=cause,
        retry_after=retry_after,
        scope=scope,
        rate_limit=rate_limit,
    )


def _detailed_refusal(admission: Admission, detail: ToolErrorDetail) -> Refusal:
    """A refusal in a tool's words: of names and values in them, which may be of any length, only so much is said."""
    reason = harmless(detail.reason, LONGEST_WORDS)
    return Refusal(
        tool=admission.row.name,
        code=FORMS[detail.cause].code,
        message=_message(admission.row, reason),
        hint=harmless(detail.hint, LONGEST_WORDS),
        cause=detail.cause,
        rate_limit=admission.rate_limit,
        reason=reason,
    )


def _crash_refusal(row: ToolRow, error: Exception, rate_limit: RateLimitStatus | None) -> Refusal:
    reference = secrets.token_hex(6)
    log.error("tool %s crashed, reference %s", row.name, reference, exc_info=error)
    return _fixed_refusal(row, Cause.CRASH, rate_limit=rate_limit, reference=reference)


def _message(row: ToolRow, reason: str) -> str:
    return f"Tool '{row.name}' failed: {reason}"
