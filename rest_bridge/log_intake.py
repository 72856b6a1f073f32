"""Access logs sent over HTTP for a brand's sites, plain or gzip, counted the same way as `seenby logs import`."""

import gzip
import io
import logging
import secrets
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from urllib.parse import parse_qsl

import anyio
import anyio.to_thread
from pydantic.alias_generators import to_camel
from pydantic_core import to_json
from starlette.routing import Route
from starlette.types import Receive, Send
from starlette.types import Scope as Connection

from measurement.errors import WorkError
from measurement.imports.access_logs.log_import import (
    GZIP,
    LogCounts,
    LogImporter,
    find_target,
    read_lines,
    warnings_of,
)
from measurement.imports.access_logs.reverse_dns import ReverseDns
from measurement.planning.clock import Clock
from oauth.authenticate import Authenticator
from oauth.challenges import Challenges
from oauth.errors import RETRY_SECONDS, CredentialNotChecked, CredentialRefused
from oauth.principal import Principal, Scope
from oauth.signing import SubKey
from rest_bridge.json_messages import BodyTooLarge, ClientGone, JsonResponse, error, error_body, read_body
from storage.database import Database
from storage.errors import StorageError, WriteRefused
from tools.calls.errors import FORMS, Cause, ErrorCode, error_detail, words
from tools.calls.rate_limits import RateLimitWindow, Windows
from workflows.runs import brand_of

LOGS_PATH = "/api/access-logs"
LARGEST_SENT = 4 * 1024 * 1024
LARGEST_OPENED = 32 * 1024 * 1024
"""What the lines of one request have at most; gzip is opened no further."""
SENT_A_MINUTE = 12
AT_ONCE = 2
"""Requests whose lines are read at the same time; others wait for their turn."""
FIELDS = ("brandId", "site", "format")
LONGEST_FIELD = 200

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class LogParts:
    """What the endpoint works with; `key` is what lines are digested under."""

    database: Database
    authenticator: Authenticator
    windows: Windows
    key: SubKey
    now: Clock
    base_url: str
    oauth: bool
    reverse_dns: ReverseDns | None = None


class InvalidLog(WorkError):
    """A request without a usable log: an unknown field, or an archive that is damaged or too large."""


def log_routes(parts: LogParts) -> list[Route]:
    """Return the log intake route."""
    return [Route(LOGS_PATH, LogReceiver(parts))]


class LogReceiver:
    """Receives access logs from credentials with write scope. The endpoint of a Route without methods."""

    def __init__(self, parts: LogParts) -> None:
        self._parts = parts
        self._challenges = Challenges(parts.base_url, parts.oauth)
        self._turns = anyio.CapacityLimiter(AT_ONCE)

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        """Answer one request."""
        try:
            answer = await self._answer(scope, receive)
        except ClientGone:
            return
        except Exception:
            reference = secrets.token_hex(6)
            log.exception("intake of an access log, reference %s", reference)
            answer = error(Cause.CRASH, reference=reference)
        await answer.send(send)

    async def _answer(self, scope: Connection, receive: Receive) -> JsonResponse:
        if scope["method"] != "POST":
            return error(Cause.METHOD_NOT_ALLOWED, {"Allow": "POST"}, method="POST", path=LOGS_PATH)
        headers = dict(reversed(scope["headers"]))
        try:
            sent = headers.get(b"authorization")
            principal = await self._parts.authenticator.authenticate(sent.decode("latin-1") if sent else None)
        except CredentialNotChecked:
            retry = {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"}
            return error(Cause.CREDENTIAL_NOT_CHECKED, retry, seconds=RETRY_SECONDS)
        except CredentialRefused as refused:
            return self._refused(
                Cause.CREDENTIAL_REFUSED, self._challenges.refused(refused.message), refused.message
            )
        if principal is None:
            return self._refused(Cause.AUTHENTICATION_REQUIRED, self._challenges.missing())
        if not principal.may(Scope.WRITE):
            return self._refused(Cause.UNDER_SCOPED, self._challenges.under_scoped(Scope.WRITE))
        window = RateLimitWindow(f"{principal.subject}:logs", SENT_A_MINUTE)
        wait = (await self._parts.windows.hit([window])).wait([window])
        if wait is not None:
            seconds = max(1, round(wait))
            return error(Cause.RATE_LIMITED, {"Retry-After": str(seconds)}, seconds=seconds)
        return await self._admitted(principal, scope, receive)

    async def _admitted(self, principal: Principal, scope: Connection, receive: Receive) -> JsonResponse:
        try:
            body = await read_body(receive, scope["headers"], LARGEST_SENT)
            async with self._turns:
                opened = await anyio.to_thread.run_sync(open_body, body)
                counts = await self._import(principal, read_query(scope), opened)
        except BodyTooLarge:
            return error(Cause.BODY_TOO_LARGE, {"Connection": "close"}, bytes=LARGEST_SENT)
        except WriteRefused:
            return self._refused(Cause.UNDER_SCOPED, self._challenges.under_scoped(Scope.WRITE))
        except (WorkError, StorageError) as refused:
            return refusal_of(refused)
        fields = {to_camel(name): number for name, number in asdict(counts).items()}
        result = {
            **fields,
            "counted": counts.counted,
            "skipped": counts.skipped,
            "warnings": warnings_of(counts),
        }
        return JsonResponse(200, to_json(result))

    async def _import(self, principal: Principal, query: Mapping[str, str], opened: bytes) -> LogCounts:
        database = self._parts.database.acting_as(principal.role)
        workspace = database.workspace(principal.company_id)
        brand = await brand_of(workspace, query.get("brandId"))
        target = await find_target(workspace, brand, query.get("site"))
        importer = LogImporter(database, self._parts.key, self._parts.now, self._parts.reverse_dns)
        total = LogCounts()
        lines = read_lines(io.BytesIO(opened))
        async for counts in importer.import_lines(target, lines, "endpoint", query.get("format", "auto")):
            total.add(counts)
        return total

    def _refused(self, cause: Cause, challenge: str, message: str | None = None) -> JsonResponse:
        form, filling = FORMS[cause], words(Scope.WRITE)
        said = message or (form.rest_message or form.reason or "").format(**filling)
        hint = (form.rest_hint or form.hint or "").format(**filling).replace("This tool", "This address")
        headers = {"WWW-Authenticate": challenge, "Cache-Control": "no-store"}
        return JsonResponse(form.status, error_body(form.code, said, hint), headers)


def read_query(scope: Connection) -> Mapping[str, str]:
    """Return the fields of the address. Raises InvalidLog for one that is unknown or hidden, and for too many."""
    refused = InvalidLog(
        f"the address takes {', '.join(FIELDS)}, and short text for each", "Leave others out."
    )
    try:
        pairs = parse_qsl(scope["query_string"].decode("latin-1"), max_num_fields=len(FIELDS) + 1)
    except ValueError as too_many:
        raise refused from too_many
    if any(name not in FIELDS or "\0" in value or len(value) > LONGEST_FIELD for name, value in pairs):
        raise refused
    return dict(pairs)


def open_body(body: bytes) -> bytes:
    """Return the lines of a body, gunzipped where it is gzip. Raises InvalidLog for a bomb or a damaged archive."""
    if not body.startswith(GZIP):
        return body
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(body)) as packed:
            opened = packed.read(LARGEST_OPENED + 1)
    except (EOFError, zlib.error, OSError) as broken:
        raise InvalidLog(
            "the gzip body is damaged or ends early", "Send it again; nothing was counted."
        ) from broken
    if len(opened) > LARGEST_OPENED:
        raise InvalidLog(
            f"the gzip body opens to more than {LARGEST_OPENED} bytes",
            "Send it in parts; nothing was counted.",
        )
    if opened.startswith(GZIP):
        raise InvalidLog("the gzip body holds gzip again", "Pack it once; nothing was counted.")
    return opened


def refusal_of(refused: WorkError | StorageError) -> JsonResponse:
    """Return the error response for a failure. Raises storage errors that have no public detail."""
    detail = error_detail(refused)
    if detail is None and not isinstance(refused, WorkError):
        raise refused
    if detail is None:
        assert isinstance(refused, WorkError)
        return JsonResponse(400, error_body(ErrorCode.INVALID_PARAMS, refused.message, refused.hint))
    form = FORMS[detail.cause]
    headers = {"Retry-After": str(RETRY_SECONDS)} if detail.cause is Cause.UNAVAILABLE else {}
    return JsonResponse(form.status, error_body(form.code, detail.reason, detail.hint), headers)
