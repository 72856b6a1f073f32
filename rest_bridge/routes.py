"""Every tool of the table as `POST /api/mcp-app/rest/<tool>`: plain JSON in, plain JSON out."""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.routing import Route
from starlette.types import Receive, Send
from starlette.types import Scope as Connection

from oauth.authenticate import Authenticator
from oauth.challenges import Challenges
from oauth.errors import RETRY_SECONDS, CredentialNotChecked, CredentialRefused
from oauth.principal import Caller
from rest_bridge.json_messages import (
    LARGEST_BODY,
    BodyTooLarge,
    ClientGone,
    JsonResponse,
    MalformedBody,
    error,
    error_body,
    failed_tool,
    parse_json,
    read_body,
)
from tools.calls.dispatch import Admission, Dispatcher, Refusal, Success
from tools.calls.errors import FORMS, Cause, words
from tools.calls.rate_limits import RateLimitStatus
from tools.calls.table import ToolRow

REST_PATH = "/api/mcp-app/rest"
OPENAPI_PATH = "/api/mcp-app/openapi.json"
IDEMPOTENCY_KEY = "Idempotency-Key"
LONGEST_IDEMPOTENCY_KEY = 200
_IDEMPOTENCY_FIELD = IDEMPOTENCY_KEY.lower().encode()
_SEND_OBJECT = "Send a JSON object as the body; a tool without parameters takes {}."

log = logging.getLogger(__name__)


class RestBridge:
    """Serves the whole table; knows no tool by name."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        authenticator: Authenticator,
        base_url: str,
        *,
        oauth: bool,
        announced: Mapping[str, Mapping[str, str]] | None = None,
    ) -> None:
        """Serve a table; `announced` are further headers of tools that go away, by tool."""
        self._announced: Mapping[str, Mapping[str, str]] = announced if announced is not None else {}
        self._dispatcher = dispatcher
        self._authenticator = authenticator
        self._challenges = Challenges(base_url, oauth)
        self.unknown_path = UnknownPath(f"{base_url}{OPENAPI_PATH}")
        self._document = f"{base_url}{OPENAPI_PATH}"
        self.route = Route(f"{REST_PATH}/{{tool}}", self)
        self.other_paths = Route("/api/{path:path}", self.unknown_path)
        """The answer for all other paths under /api/; to be listed last."""

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        """Answer one request."""
        name = str(scope["path_params"]["tool"])
        try:
            answer = await self._answer(name, scope, receive)
        except ClientGone:
            return
        except Exception:
            reference = secrets.token_hex(6)
            log.exception("REST call of %s, reference %s", name, reference)
            answer = failed_tool(name, Cause.CRASH, reference=reference)
        headers = self._announced.get(name)
        if headers is not None:
            answer = replace(answer, headers={**answer.headers, **headers})
        await answer.send(send)

    async def _answer(self, name: str, scope: Connection, receive: Receive) -> JsonResponse:
        row = self._dispatcher.table.get(name)
        if row is None:
            return error(Cause.UNKNOWN_TOOL, tool=name, document=self._document)
        if scope["method"] != "POST":
            return error(
                Cause.METHOD_NOT_ALLOWED, {"Allow": "POST"}, method="POST", path=f"{REST_PATH}/{name}"
            )
        # Where a field is sent twice the first counts, so that it has to be the last one that is put in.
        headers = dict(reversed(scope["headers"]))
        try:
            caller = await self._caller(row, scope, headers)
        except CredentialNotChecked:
            retry = {"Retry-After": str(RETRY_SECONDS), "Cache-Control": "no-store"}
            return error(Cause.CREDENTIAL_NOT_CHECKED, retry, seconds=RETRY_SECONDS)
        except CredentialRefused as refused:
            return self._credential_refused(row, refused)
        admitted = await self._dispatcher.admit(name, caller)
        if isinstance(admitted, Refusal):
            return self._refused(admitted)
        return await self._admitted(admitted, scope, headers, receive)

    async def _caller(self, row: ToolRow, scope: Connection, headers: Mapping[bytes, bytes]) -> Caller:
        client = scope.get("client")
        address = client[0] if client else ""
        if row.scope is None:
            return Caller(None, address)
        return Caller(await self._authenticator.authenticate(_text(headers.get(b"authorization"))), address)

    async def _admitted(
        self, admission: Admission, scope: Connection, headers: Mapping[bytes, bytes], receive: Receive
    ) -> JsonResponse:
        try:
            arguments = parse_json(await read_body(receive, scope["headers"]))
        except BodyTooLarge:
            # The rest of the body may still be on its way, so the connection cannot be used again.
            closing = {**_rate_limit_headers(admission.rate_limit), "Connection": "close"}
            return error(Cause.BODY_TOO_LARGE, closing, bytes=LARGEST_BODY)
        except MalformedBody:
            return self._bad_arguments(admission, "the body is not valid JSON", _SEND_OBJECT)
        if not isinstance(arguments, dict):
            return self._bad_arguments(admission, "the body is not a JSON object", _SEND_OBJECT)
        key = _text(headers.get(_IDEMPOTENCY_FIELD))
        if key is not None and not 1 <= len(key) <= LONGEST_IDEMPOTENCY_KEY:
            bounds = f"1 to {LONGEST_IDEMPOTENCY_KEY} characters"
            return self._bad_arguments(
                admission,
                f"{IDEMPOTENCY_KEY}: the header must have {bounds}",
                f"Send {bounds}, or no header.",
            )
        members: dict[str, Any] = arguments  # pyright: ignore[reportUnknownVariableType] - a JSON object's names are text
        outcome = await self._dispatcher.perform(admission, members, idempotency_key=key)
        if isinstance(outcome, Success):
            return JsonResponse(200, outcome.body, _rate_limit_headers(outcome.rate_limit))
        return self._refused(outcome)

    def _bad_arguments(self, admission: Admission, reason: str, hint: str) -> JsonResponse:
        return self._refused(self._dispatcher.refuse_arguments(admission, reason, hint))

    def _credential_refused(self, row: ToolRow, refused: CredentialRefused) -> JsonResponse:
        form = FORMS[Cause.CREDENTIAL_REFUSED]
        hint = (form.hint or "").format(**words(row.scope))
        headers = _challenge(self._challenges.refused(refused.message))
        return JsonResponse(form.status, error_body(form.code, refused.message, hint), headers)

    def _refused(self, refusal: Refusal) -> JsonResponse:
        form = FORMS[refusal.cause]
        filling = words(refusal.scope, seconds=refusal.retry_after)
        message = form.rest_message.format(**filling) if form.rest_message else refusal.message
        hint = form.rest_hint.format(**filling) if form.rest_hint else refusal.hint
        headers = {**_rate_limit_headers(refusal.rate_limit), **self._challenge_of(refusal)}
        if refusal.cause is Cause.UNAVAILABLE:
            headers["Retry-After"] = str(RETRY_SECONDS)
        return JsonResponse(form.status, error_body(refusal.code, message, hint), headers)

    def _challenge_of(self, refusal: Refusal) -> Mapping[str, str]:
        needed = refusal.scope
        if needed is None:
            return {}
        if refusal.cause is Cause.UNDER_SCOPED:
            return _challenge(self._challenges.under_scoped(needed))
        return _challenge(self._challenges.missing())


def asks_for_json(scope: Connection) -> bool:
    """Tell whether a request wants JSON and no page: its Accept names no HTML, and it names JSON or sends data."""
    accepted = b",".join(value for name, value in scope["headers"] if name == b"accept").lower()
    return b"html" not in accepted and (b"json" in accepted or scope["method"] not in ("GET", "HEAD"))


class UnknownPath:
    """Answers a path that no route serves."""

    def __init__(self, document: str) -> None:
        self._document = document

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await error(Cause.UNKNOWN_PATH, document=self._document).send(send)


def _text(value: bytes | None) -> str | None:
    return None if value is None else value.decode("latin-1")


def _challenge(challenge: str) -> Mapping[str, str]:
    return {"WWW-Authenticate": challenge, "Cache-Control": "no-store"}


def _rate_limit_headers(rate_limit: RateLimitStatus | None) -> Mapping[str, str]:
    """The three RateLimit fields of draft-ietf-httpapi-ratelimit-headers-06, which clients' libraries read.

    Its later structured form has no deployed reader to speak of.
    """
    if rate_limit is None:
        return {}
    headers = {
        "RateLimit-Limit": str(rate_limit.limit),
        "RateLimit-Remaining": str(rate_limit.remaining),
        "RateLimit-Reset": str(rate_limit.reset),
    }
    if rate_limit.retry_after is not None:
        headers["Retry-After"] = str(rate_limit.retry_after)
    return headers
