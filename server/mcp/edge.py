"""The MCP endpoint: everything between an HTTP request and a message that dispatch or the SDK can trust."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, cast

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from pydantic_core import from_json
from starlette.types import Message as AsgiMessage
from starlette.types import Receive, Scope, Send

from oauth.authenticate import Authenticator
from oauth.challenges import Challenges
from oauth.errors import INVALID, MISSING, RETRY_SECONDS, CredentialNotChecked, CredentialRefused
from oauth.principal import Caller, Principal
from rest_bridge.json_messages import (
    BodyTooLarge,
    ClientGone,
    MalformedBody,
    parse_json,
    read_body,
)
from server.mcp.fast_lane import FastLane
from server.mcp.handlers import EdgeState
from server.mcp.jsonrpc import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    UNAUTHORIZED,
    JsonRpcMessage,
    Malformed,
    compact,
    error,
    read_message,
)
from server.mcp.versions import UNNAMED_VERSION, carries_envelope, is_handshake_version, lenient_initialize
from tools.calls.dispatch import Refusal
from tools.calls.errors import Cause

log = logging.getLogger(__name__)

ChallengePolicy: TypeAlias = Literal["auto", "401", "200"]
Headers: TypeAlias = list[tuple[bytes, bytes]]

LARGEST_BATCH: Final = 50
# Rewriting a body can lengthen it: the JSON number 1e15 comes out in eighteen characters.
_LARGEST_REWRITTEN_BODY: Final = 8_000_000

_JSON: Final = (b"content-type", b"application/json")
_NO_STORE: Final = (b"cache-control", b"no-store")
_ALLOW: Final = (b"allow", b"GET, HEAD, POST, OPTIONS")
_REWRITTEN: Final = frozenset({b"accept", b"content-type", b"content-length", b"mcp-session-id"})
_VERSION: Final = b"mcp-protocol-version"
_READ: Final = frozenset({_VERSION, b"authorization", b"user-agent", b"accept", b"idempotency-key"})
_STATUS: Final = {Cause.AUTHENTICATION_REQUIRED: 401, Cause.UNDER_SCOPED: 403, Cause.RATE_LIMITED: 429}
_CHAT_CLIENTS: Final = (b"openai", b"chatgpt")


@dataclass(slots=True)
class EdgeResponse:
    """An HTTP response to send. `refusal` is set when a tools/call failed before or in its tool."""

    status: int
    body: bytes = b""
    headers: Headers = field(default_factory=list[tuple[bytes, bytes]])
    refusal: Refusal | None = None


class _EdgeRequest:
    """The headers of a request that the edge reads.

    `version` is the protocol version, or None when a request has two version headers.
    """

    __slots__ = ("accept", "authorizations", "has_idempotency_key", "path", "scope", "user_agent", "version")

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.path: str = scope["path"].rstrip("/")
        self.authorizations: list[str] = []
        self.user_agent = self.accept = b""
        self.has_idempotency_key = False
        versions: list[str] = []
        for name, value in scope["headers"]:
            if name not in _READ:
                continue
            if name == _VERSION:
                versions.append(value.decode("latin-1"))
            elif name == b"authorization":
                self.authorizations.append(value.decode("latin-1"))
            elif name == b"user-agent":
                self.user_agent = value.lower()
            elif name == b"idempotency-key":
                self.has_idempotency_key = True
            else:
                self.accept += value.lower() + b","
        self.version = None if len(versions) > 1 else versions[0] if versions else UNNAMED_VERSION

    @property
    def address(self) -> str:
        client = self.scope.get("client")
        return client[0] if client else "unknown"


class Edge:
    """One ASGI application on every path of the MCP endpoint.

    `descriptors` holds the GET response of each path, and `announcements` are added to it. Without a `lane`, every
    message goes to the SDK.
    """

    def __init__(
        self,
        *,
        manager: StreamableHTTPSessionManager,
        lane: FastLane | None,
        authenticator: Authenticator,
        challenges: Challenges,
        policy: ChallengePolicy,
        descriptors: dict[str, dict[str, Any]],
        announcements: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        self._manager = manager
        self._lane = lane
        self._authenticator = authenticator
        self._challenges = challenges
        self._policy = policy
        self._descriptors = {path: compact(document) for path, document in descriptors.items()}
        self._described = descriptors
        self._announcements = announcements

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        request = _EdgeRequest(scope)
        if scope["method"] == "POST":
            try:
                answer = await self._post(request, receive)
            except Exception:
                log.exception("answering a message")
                answer = _rpc_error(500, INTERNAL_ERROR, "Internal server error")
        else:
            answer = self._without_body(request)
        if answer is not None:
            await _send(answer, send, with_body=scope["method"] != "HEAD")

    def _without_body(self, request: _EdgeRequest) -> EdgeResponse:
        method = request.scope["method"]
        if method in ("GET", "HEAD"):
            if b"text/event-stream" in request.accept:
                reason = "Method Not Allowed: this server offers no event stream"
                body = error(None, INVALID_REQUEST, reason)
                return EdgeResponse(405, body, [_JSON, (b"allow", b"POST"), (b"vary", b"Accept")])
            kept = (b"cache-control", b"public, max-age=300")
            return EdgeResponse(200, self._descriptor(request.path), [_JSON, (b"vary", b"Accept"), kept])
        if method == "OPTIONS":
            return EdgeResponse(204, headers=[_ALLOW])
        return EdgeResponse(405, error(None, INVALID_REQUEST, "Method Not Allowed"), [_JSON, _ALLOW])

    def _descriptor(self, path: str) -> bytes:
        """Return the service descriptor with current announcements, if any."""
        if not self._announcements:
            return self._descriptors[path]
        return compact({**self._described[path], "announcements": list(self._announcements)})

    async def _post(self, request: _EdgeRequest, receive: Receive) -> EdgeResponse | None:
        try:
            principal = await self._principal(request)
        except CredentialNotChecked as failure:
            retry = (b"retry-after", b"%d" % RETRY_SECONDS)
            return EdgeResponse(503, error(None, UNAUTHORIZED, failure.message), [_JSON, retry, _NO_STORE])
        except CredentialRefused as refused:
            return self._bad_credential(refused.message, request.path)
        try:
            value = parse_json(await read_body(receive, request.scope["headers"]))
        except ClientGone:
            return None
        except BodyTooLarge:
            answer = _rpc_error(413, INVALID_REQUEST, "Request body too large")
            # The rest of the body may still be arriving, so the connection cannot be reused.
            answer.headers.append((b"connection", b"close"))
            return answer
        except MalformedBody:
            return _rpc_error(400, PARSE_ERROR, "Parse error")
        caller = Caller(principal, request.address)
        if isinstance(value, list):
            return await self._batch(request, cast(list[Any], value), caller)
        message = read_message(value)
        if isinstance(message, Malformed):
            return EdgeResponse(400, error(message.identifier, INVALID_REQUEST, message.reason), [_JSON])
        answer = await self._exchange(request, message, caller)
        return self._with_refusal_status(answer, request) if answer.refusal else answer

    async def _principal(self, request: _EdgeRequest) -> Principal | None:
        presented = request.authorizations
        if len(presented) > 1:
            raise CredentialRefused(INVALID)
        try:
            return await self._authenticator.authenticate(presented[0] if presented else None)
        except CredentialRefused:
            raise
        except Exception:
            log.exception("checking a credential")
            raise CredentialNotChecked from None

    def _bad_credential(self, message: str, path: str) -> EdgeResponse:
        challenge = (b"www-authenticate", self._challenges.refused(message, path).encode())
        return EdgeResponse(401, error(None, UNAUTHORIZED, message), [_JSON, challenge, _NO_STORE])

    async def _batch(self, request: _EdgeRequest, elements: Sequence[Any], caller: Caller) -> EdgeResponse:
        if request.version != UNNAMED_VERSION:
            reason = f"Batches are accepted for protocol version {UNNAMED_VERSION} only"
            return _rpc_error(400, INVALID_REQUEST, reason)
        if not 1 <= len(elements) <= LARGEST_BATCH:
            return _rpc_error(400, INVALID_REQUEST, "Invalid Request")
        answers = [await self._element(request, element, caller) for element in elements]
        bodies = [from_json(answer.body) for answer in answers if answer.body]
        if not bodies:
            return EdgeResponse(202)
        refusals = [answer for answer in answers if answer.refusal]
        status = max((answer.status for answer in refusals), default=200)
        return EdgeResponse(status, compact(bodies), [_JSON, *_first_of_each(refusals)])

    async def _element(self, request: _EdgeRequest, element: Any, caller: Caller) -> EdgeResponse:
        message = read_message(element)
        if isinstance(message, Malformed):
            return EdgeResponse(200, error(message.identifier, INVALID_REQUEST, message.reason))
        if message.method == "initialize":
            reason = "initialize must not be part of a batch"
            return EdgeResponse(200, error(message.identifier, INVALID_REQUEST, reason))
        answer = await self._exchange(request, message, caller)
        return self._with_refusal_status(answer, request) if answer.refusal else answer

    async def _exchange(self, request: _EdgeRequest, message: JsonRpcMessage, caller: Caller) -> EdgeResponse:
        """Answer one message, before an error outcome is mapped to status and headers."""
        version = request.version
        lenient = message.method == "initialize" and not carries_envelope(message.params)
        if lenient:
            message.raw["params"] = lenient_initialize(message.params)
        elif version is not None and is_handshake_version(version):
            if not message.expects_answer:
                return EdgeResponse(202)
            lane = None if request.has_idempotency_key else self._lane
            if lane is not None and lane.takes(message):
                answered = await lane.answer(message, caller, request.path, version)
                return EdgeResponse(200, answered.body, [_JSON], answered.refusal)
        if message.method is None or (lenient and message.identifier is None):
            return EdgeResponse(202)
        return await self._through_sdk(request, message, caller, drop_version=lenient)

    async def _through_sdk(
        self, request: _EdgeRequest, message: JsonRpcMessage, caller: Caller, *, drop_version: bool
    ) -> EdgeResponse:
        """Let the SDK answer, from a reserialized body so that both parsers read the same message."""
        body = compact(message.raw)
        dropped = _REWRITTEN | {_VERSION} if drop_version else _REWRITTEN
        headers: Headers = [(name, value) for name, value in request.scope["headers"] if name not in dropped]
        headers += [_JSON, (b"accept", b"application/json, text/event-stream")]
        headers.append((b"content-length", b"%d" % len(body)))
        state: EdgeState = {"caller": caller, "endpoint": request.path, "refusal": None}
        captured = _Captured(body)
        scope = {**request.scope, "headers": headers, "state": state}
        await self._manager.handle_request(scope, captured.receive, captured.send)
        return EdgeResponse(
            captured.status, captured.body, [_JSON] if captured.body else [], state["refusal"]
        )

    def _with_refusal_status(self, answer: EdgeResponse, request: _EdgeRequest) -> EdgeResponse:
        """Map an error outcome of dispatch to status and headers, by the policy for this client."""
        refusal, path = answer.refusal, request.path
        status = _STATUS.get(refusal.cause) if refusal else None
        if refusal is None or status is None:
            return answer
        if refusal.cause is Cause.RATE_LIMITED:
            answer.headers.append((b"retry-after", b"%d" % (refusal.retry_after or 1)))
        elif refusal.scope is not None:
            missing = refusal.cause is Cause.AUTHENTICATION_REQUIRED
            challenge = (
                self._challenges.missing(path)
                if missing
                else self._challenges.under_scoped(refusal.scope, path)
            )
            answer.headers += [(b"www-authenticate", challenge.encode()), _NO_STORE]
            if missing and not self._challenges.oauth:
                answer.body = error(None, UNAUTHORIZED, MISSING)
                answer.status = 401
                return answer
        answer.status = 200 if self._reads_refusals_from_200(request.user_agent) else status
        return answer

    def _reads_refusals_from_200(self, user_agent: bytes) -> bool:
        """Return whether this client only reads error results from a 200 (documented for one family of clients)."""
        if self._policy == "auto":
            return any(name in user_agent for name in _CHAT_CLIENTS)
        return self._policy == "200"


class _Captured:
    """Captures the response of the SDK's ASGI application to one message."""

    def __init__(self, body: bytes) -> None:
        self._request: AsgiMessage | None = {"type": "http.request", "body": body, "more_body": False}
        self.status = 500
        self.body = b""

    async def receive(self) -> AsgiMessage:
        request, self._request = self._request, None
        if request is None:
            # Reporting a disconnect would cancel a call that may be writing.
            await anyio.sleep_forever()
            raise AssertionError("unreachable")
        return request

    async def send(self, message: AsgiMessage) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        elif message["type"] == "http.response.body":
            self.body += message.get("body", b"")


def session_manager(server: Any) -> StreamableHTTPSessionManager:
    """Build the SDK's session manager behind the edge: no sessions, no streams, no Host and Origin checks."""
    return StreamableHTTPSessionManager(
        server, json_response=True, stateless=True, max_request_body_size=_LARGEST_REWRITTEN_BODY
    )


def _rpc_error(status: int, code: int, message: str) -> EdgeResponse:
    return EdgeResponse(status, error(None, code, message), [_JSON])


def _first_of_each(answers: Sequence[EdgeResponse]) -> Headers:
    """Merge the headers of error outcomes. When several batch elements set the same header, the first wins."""
    first: dict[bytes, bytes] = {}
    for answer in answers:
        for name, value in answer.headers:
            first.setdefault(name, value)
    first.pop(_JSON[0], None)
    return list(first.items())


async def _send(answer: EdgeResponse, send: Send, *, with_body: bool) -> None:
    headers = answer.headers
    if answer.status != 204:
        headers = [*headers, (b"content-length", b"%d" % len(answer.body))]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body if with_body else b""})
