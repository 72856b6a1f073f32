"""Dispatch of a tool call: existence, scope, rate limit, arguments, the tool itself, and the size of its result."""

import copy
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from pydantic import BaseModel, ValidationError
from pydantic_core import to_json

from measurement.planning.clock import utc_now
from oauth.principal import Caller, Scope
from storage.errors import WriteRefused
from tools.calls.call import Call, NoPublicReports, OpenWorkspace, PublicReports, ReadyEngines, SiteReader
from tools.calls.errors import (
    FORMS,
    Cause,
    ErrorCode,
    ToolErrorDetail,
    UnknownTool,
    error_detail,
    first_fault,
    ignored_parameters,
    words,
)
from tools.calls.rate_limits import RateLimits, RateLimitStatus
from tools.calls.result_size import LARGEST_RESULT, serialised
from tools.calls.table import ToolRow, ToolTable
from tools.calls.wire import ListWindow, Measurement, harmless, without_hiding

if TYPE_CHECKING:
    from workflows.runs import RunService

log = logging.getLogger(__name__)

TOOL_CALL: Final = "tool call"
LONGEST_WORDS: Final = 1_000
"""Maximum length of an error's reason and hint, in characters."""

Observe: TypeAlias = Callable[[str, str, float | None], None]
"""Called after each call with tool, outcome, and seconds in dispatch (None for a call that was not admitted)."""


@dataclass(slots=True)
class Success:
    """A result: the tool's result model as a UTF-8 JSON object, serialized once.

    `measurement` describes the measurement behind its numbers, as JSON; None for a result without numbers.
    """

    tool: str
    body: bytes
    rate_limit: RateLimitStatus | None = None
    measurement: bytes | None = None
    window: ListWindow | None = None
    """The list that the result is a page of."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The error outcome of a call.

    `retry_after` is in seconds and set for RATE_LIMITED. `scope` is the scope
    that the tool needs, set when a credential is missing or lacks it.
    `rate_limit` is None when the call was rejected before it was counted.
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
    """The message without the tool's name."""


@dataclass(slots=True)
class Admission:
    """A call that was admitted and counted, before its arguments are read."""

    row: ToolRow
    caller: Caller
    rate_limit: RateLimitStatus


class Dispatcher:
    """Runs tools for every interface."""

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
        self._observe: Observe | None = None

    def reporting_to(self, observe: Observe) -> "Dispatcher":
        """Return a copy of the dispatcher that reports each call to `observe`."""
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
        brief: bool = False,
    ) -> Success | Refusal:
        """Run a tool for a caller. Raises UnknownTool and no other error that a caller or a tool can cause.

        `whole` is for pages, which show a complete result regardless of its size; `brief` is for models, which read
        every byte of it.
        """
        admitted = await self.admit(name, caller)
        if isinstance(admitted, Refusal):
            return admitted
        return await self.perform(
            admitted, arguments, idempotency_key=idempotency_key, whole=whole, brief=brief
        )

    async def admit(self, name: str, caller: Caller) -> Admission | Refusal:
        """Check existence, credential, scope and rate limit of a call, before its arguments are read.

        Raises UnknownTool.
        """
        row = self.table.get(name)
        if row is None:
            raise UnknownTool(name)
        started = time.perf_counter()
        try:
            refusal = _access_refusal(row, caller)
            if refusal is None:
                rate_limit = await self._rate_limits.count(row, caller)
                if rate_limit.retry_after is None:
                    return Admission(row, caller, rate_limit)
                refusal = _fixed_refusal(row, Cause.RATE_LIMITED, rate_limit=rate_limit)
        except Exception as error:
            refusal = _crash_refusal(row, error, None)
        self._report(row, caller, refusal.cause, started, let_in=False)
        return refusal

    async def perform(
        self,
        admission: Admission,
        arguments: Mapping[str, Any],
        *,
        idempotency_key: str | None = None,
        whole: bool = False,
        brief: bool = False,
    ) -> Success | Refusal:
        """Validate the arguments of an admitted call, run the tool, and serialize its result."""
        row, started = admission.row, time.perf_counter()
        try:
            outcome = await self._run(admission, arguments, idempotency_key, whole, brief)
        except WriteRefused:
            # Storage rejects a viewer's write. Report it like a read-only credential.
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
        """Reject a call whose arguments are not a JSON object."""
        refusal = _detailed_refusal(admission, ToolErrorDetail(Cause.INVALID_ARGUMENTS, reason, hint))
        self._report(admission.row, admission.caller, refusal.cause, time.perf_counter(), let_in=False)
        return refusal

    async def _run(
        self,
        admission: Admission,
        arguments: Mapping[str, Any],
        idempotency_key: str | None,
        whole: bool,
        brief: bool,
    ) -> Success | Refusal:
        """Validate the arguments and run the tool."""
        row = admission.row
        # Validate through JSON, so that strict mode means JSON types, in nested objects too.
        sent = to_json(arguments)
        try:
            validated = row.arguments_model.__pydantic_validator__.validate_json(sent, strict=True).__dict__
        except ValidationError as error:
            fault = first_fault(error, row.input_schema)
            detail = ToolErrorDetail(Cause.INVALID_ARGUMENTS, fault.reason, fault.hint)
            return _detailed_refusal(admission, detail)
        async with AsyncExitStack() as stack:
            call = self._call_of(admission, idempotency_key, stack, brief=brief)
            for name, injected in row.injected.items():
                validated[name] = await injected.fill(call, validated)
            result = await row.declared(**{name: validated[name] for name in row.parameters})
            if not isinstance(result, row.result_model):
                raise TypeError(f"{row.name} returned {type(result).__name__}")
            body = result.__pydantic_serializer__.to_json(result, by_alias=True)
            known = arguments.keys() <= row.input_schema["properties"].keys()
            if not known or (len(body) > LARGEST_RESULT and not whole):
                body = serialised(result, ignored_parameters(arguments, row.input_schema), whole=whole)
            body = without_hiding(body)
            measured = _measurement(result) if "measurement" in row.result_model.model_fields else None
            window: ListWindow | None = getattr(row.result_model, "window", None)
        return Success(row.name, body, admission.rate_limit, measured, window)

    def _report(
        self, row: ToolRow, caller: Caller, outcome: str, started: float, *, let_in: bool = True
    ) -> None:
        """Log one line per call, without argument values, and count it."""
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
            log.info(TOOL_CALL, extra=fields)

    def _call_of(
        self, admission: Admission, idempotency_key: str | None, stack: AsyncExitStack, *, brief: bool
    ) -> Call:
        row = admission.row
        return Call(
            tool=row.name,
            principal=None if row.scope is None else admission.caller.principal,
            address=admission.caller.address,
            writing=row.access == "write",
            idempotency_key=idempotency_key,
            today=_start_of_day(self._now()),
            clock=self._now,
            open_workspace=self._open_workspace,
            until_the_end=stack,
            run_desk=self._run_desk,
            public_reports=self._public_reports,
            engines=self._engines,
            site_reader=self._site_reader,
            private_hosts=self._private_hosts,
            brief=brief,
        )


def _start_of_day(moment: datetime) -> datetime:
    """Return the start of a moment's day in UTC."""
    return moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _measurement(result: BaseModel) -> bytes | None:
    measurement = getattr(result, "measurement", None)
    return (
        measurement.__pydantic_serializer__.to_json(measurement)
        if isinstance(measurement, Measurement)
        else None
    )


def _access_refusal(row: ToolRow, caller: Caller) -> Refusal | None:
    if row.scope is None:
        return None
    if caller.principal is None:
        return _fixed_refusal(row, Cause.AUTHENTICATION_REQUIRED, scope=row.scope)
    if not caller.principal.may(row.scope):
        return _fixed_refusal(row, Cause.UNDER_SCOPED, scope=row.scope)
    return None


def _fixed_refusal(
    row: ToolRow,
    cause: Cause,
    *,
    scope: Scope | None = None,
    rate_limit: RateLimitStatus | None = None,
    reference: str = "",
) -> Refusal:
    """Return an error outcome whose text comes entirely from the table."""
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
    """Return an error outcome with the tool's own text, truncated since names and values in it may be long."""
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
