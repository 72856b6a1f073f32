"""The endpoints that programs call: metadata, registration, tokens, revocation."""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from oauth import metadata, pkce, scopes
from oauth.authorization import read_body, read_form
from oauth.clients import Client, Clients
from oauth.errors import RETRY_SECONDS, ClientUnknown, OAuthRefused
from oauth.grants import Grants, Tokens
from oauth.product import NAME
from oauth.registration import Registrations
from oauth.throttle import Limit, Throttle, address_of, network_of
from storage.errors import StorageError

log = logging.getLogger(__name__)

REGISTRATIONS: Final = Limit("register", 100, 3600)
ALL_REGISTRATIONS: Final = Limit("register by anybody", 1000, 3600)
TOKENS: Final = Limit("token", 60, 60)
NO_STORE: Final = {"Cache-Control": "no-store", "Pragma": "no-cache"}
EVERYWHERE: Final = {"Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Retry-After"}
_PREFLIGHT: Final = {
    **EVERYWHERE,
    "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
    "Access-Control-Max-Age": "600",
}

Endpoint = Callable[[Request], Awaitable[Response]]


def document_routes(base_url: str, apps_challenge: str | None) -> list[Route]:
    """Return the routes of public documents."""
    served = [
        Route(path, _open(_document(document)), methods=["GET", "OPTIONS"])
        for path, document in metadata.documents(base_url).items()
    ]
    if apps_challenge is not None:
        text = apps_challenge

        async def domain_proof(request: Request) -> Response:
            return PlainTextResponse(text)

        served.append(Route("/.well-known/openai-apps-challenge", domain_proof))
    return served


def _document(document: Mapping[str, Any]) -> Endpoint:
    body = json.dumps(document).encode()
    headers = {**EVERYWHERE, "Cache-Control": "public, max-age=300"}

    async def answer(request: Request) -> Response:
        return Response(body, media_type="application/json", headers=headers)

    return answer


class TokenServer:
    """Registers clients and gives, renews and takes back their tokens."""

    def __init__(
        self, clients: Clients, registrations: Registrations, grants: Grants, throttle: Throttle
    ) -> None:
        self._clients = clients
        self._registrations = registrations
        self._grants = grants
        self._throttle = throttle

    def routes(self) -> list[Route]:
        """Return the routes, open to scripts of any page: they carry no cookie."""
        served = {
            metadata.REGISTER: self.register,
            metadata.TOKEN: self.token,
            metadata.REVOKE: self.revoke,
        }
        return [
            Route(path, _open(_with_error_responses(work)), methods=["POST", "OPTIONS"])
            for path, work in served.items()
        ]

    async def register(self, request: Request) -> Response:
        """RFC 7591. Only what can be registered counts toward the limit: colleagues share a network."""
        try:
            body = await read_body(request)
        except OAuthRefused as error:
            raise OAuthRefused("invalid_client_metadata", error.description) from error
        document = self._registrations.read(body)
        network = network_of(address_of(request))
        waits = await self._throttle.wait((REGISTRATIONS, network), (ALL_REGISTRATIONS, ""))
        if waits is not None:
            most = f"at most {REGISTRATIONS.count} clients an hour are registered from one network"
            return too_often(waits, f"Too many registrations: {most}, and {ALL_REGISTRATIONS.count} in all.")
        return JSONResponse(await self._registrations.register(document), 201, NO_STORE)

    async def token(self, request: Request) -> Response:
        """RFC 6749 section 3.2, RFC 7636 section 4.5, RFC 8707 section 2.2."""
        form = await read_form(request)
        client = await self._clients.authenticated(form, request.headers.get("authorization"))
        waits = await self._throttle.wait((TOKENS, f"{client.id} {network_of(address_of(request))}"))
        if waits is not None:
            return too_often(waits, f"Too many token requests: a client may send {TOKENS.count} a minute.")
        match form.get("grant_type"):
            case "authorization_code":
                made = await self._redeem(client, form)
            case "refresh_token":
                made = await self._refresh(client, form)
            case None:
                raise OAuthRefused("invalid_request", "The grant_type is missing.")
            case _:
                raise OAuthRefused(
                    "unsupported_grant_type", "Use authorization_code or refresh_token as grant_type."
                )
        return JSONResponse(token_response(made), headers=NO_STORE)

    async def _redeem(self, client: Client, form: Mapping[str, str]) -> Tokens:
        verifier = _require_parameter(form, "code_verifier")
        if not pkce.is_verifier(verifier):
            raise OAuthRefused(
                "invalid_request", "The code_verifier must be 43 to 128 unreserved characters."
            )
        return await self._grants.redeem(
            client.id,
            _require_parameter(form, "code"),
            form.get("redirect_uri"),
            verifier,
            form.get("resource"),
        )

    async def _refresh(self, client: Client, form: Mapping[str, str]) -> Tokens:
        token = _require_parameter(form, "refresh_token")
        return await self._grants.refresh(client.id, token, form.get("scope"), form.get("resource"))

    async def revoke(self, request: Request) -> Response:
        """RFC 7009; a token that is unknown or another client's is answered like one that was revoked."""
        form = await read_form(request)
        client = await self._clients.authenticated(form, request.headers.get("authorization"))
        await self._grants.revoke(client.id, _require_parameter(form, "token"))
        return Response(headers=NO_STORE)


def token_response(made: Tokens) -> dict[str, Any]:
    """Return the body of a successful token response (RFC 6749 section 5.1)."""
    return {
        "access_token": made.access,
        "token_type": "Bearer",
        "expires_in": made.seconds,
        "scope": scopes.format_scopes(made.scopes),
        "refresh_token": made.refresh,
    }


def too_often(seconds: int, why: str) -> Response:
    """Return the 429 response: which rate limit was hit, and how long to wait."""
    headers = {**NO_STORE, "Retry-After": str(seconds)}
    body = {
        "error": "temporarily_unavailable",
        "error_description": f"{why} Try again in {seconds} seconds (Retry-After).",
    }
    return JSONResponse(body, 429, headers)


def _require_parameter(form: Mapping[str, str], name: str) -> str:
    if name not in form:
        raise OAuthRefused("invalid_request", f"The {name} is missing.")
    return form[name]


def _with_error_responses(work: Endpoint) -> Endpoint:
    """Answer errors in the standards' form; a server failure never reads like a dead token."""

    async def answer(request: Request) -> Response:
        try:
            return await work(request)
        except OAuthRefused as error:
            body = {"error": error.code, "error_description": error.description}
            return JSONResponse(body, 400, NO_STORE)
        except ClientUnknown:
            tried_basic = request.headers.get("authorization", "").lower().startswith("basic")
            challenge = {"WWW-Authenticate": f'Basic realm="{NAME}"'} if tried_basic else {}
            body = {"error": "invalid_client", "error_description": "The client is not known."}
            return JSONResponse(body, 401, {**NO_STORE, **challenge})
        except StorageError:
            log.exception("answering a token request")
            headers = {**NO_STORE, "Retry-After": str(RETRY_SECONDS)}
            return JSONResponse({"error": "temporarily_unavailable"}, 503, headers)

    return answer


def _open(work: Endpoint) -> Endpoint:
    """Let scripts of any page read the answers."""

    async def answer(request: Request) -> Response:
        if request.method == "OPTIONS":
            return Response(status_code=204, headers=_PREFLIGHT)
        response = await work(request)
        response.headers.update(EVERYWHERE)
        return response

    return answer
