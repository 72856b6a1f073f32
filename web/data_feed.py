"""Tables for Looker Studio, Google Sheets and other readers: a GET with a read-only API key returns CSV or JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from starlette.responses import PlainTextResponse, Response

from oauth.errors import CredentialRefused
from oauth.principal import Principal, Scope
from oauth.throttle import network_of
from storage.workspace import CompanyRole
from tools.calls.rate_limits import RateLimitWindow
from web.endpoints import Handler
from web.errors import PageNotFound, Throttled
from web.request import PageRequest
from web.security.sessions import SignedIn
from web.templates import HEADERS

WRONG_KEYS_A_MINUTE: Final = 30
NEEDS_KEY: Final = "Add ?key= with a read-only API key. An owner creates one in Settings, API keys."


@dataclass(frozen=True, slots=True)
class KeyHolder(SignedIn):
    """A program with a read-only key, in the place of a person: it reads what a viewer reads."""

    holder: Principal

    @property
    def principal(self) -> Principal:
        """The key's own principal, with its rate limit."""
        return self.holder


async def serve_feed(request: PageRequest, tables: Mapping[str, Handler]) -> Response:
    """Return one of the tables of a brand under the filters of the address.

    The key may be in the address, because spreadsheets cannot send headers; therefore a key that may also write
    is rejected here.
    """
    name = request.http.path_params["table"]
    principal = await _authenticate(request)
    if principal is None:
        return PlainTextResponse(NEEDS_KEY, 401, {**HEADERS, "WWW-Authenticate": "Bearer"})
    if name not in tables:
        known = ", ".join(tables)
        return PlainTextResponse(f"There is no such table. Tables: {known}, as .csv or .json.", 404, HEADERS)
    request.person = KeyHolder(
        session="",
        user_id="",
        company_id=principal.company_id,
        company_name="",
        plan="",
        email="",
        name="",
        role=CompanyRole.VIEWER,
        holder=principal,
    )
    try:
        return await tables[name](request)
    except PageNotFound:
        return PlainTextResponse("There is no such brand.", 404, HEADERS)
    except Throttled as throttled:
        headers = {**HEADERS, "Retry-After": str(throttled.retry_after)}
        return PlainTextResponse(f"Too many requests. Wait {throttled.retry_after} seconds.", 429, headers)


async def _authenticate(request: PageRequest) -> Principal | None:
    """Return the holder of the read-only key, or None. Raises Throttled for many wrong keys."""
    asked = request.http.query_params.get("key")
    authorization = f"Bearer {asked}" if asked else request.http.headers.get("authorization")
    try:
        principal = await request.services.api_keys.authenticate(authorization)
    except CredentialRefused:
        principal = None
    if principal is not None and not principal.may(Scope.WRITE):
        return principal
    window = RateLimitWindow(f"data-key:{network_of(request.address)}", WRONG_KEYS_A_MINUTE)
    await request.count_attempt(window)
    return None
