"""Authorization requests: parsed strictly, checked in the order that keeps answers away from strangers, then stored."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request

from oauth import pkce, scopes
from oauth.clients import Client
from oauth.errors import NotRedirectable, OAuthRefused
from oauth.redirects import RedirectRules, chosen
from oauth.scopes import Audiences
from oauth.signing import Digests
from storage.database import Database
from storage.repositories.oauth_clients import StoredRequest

LIFE: Final = timedelta(minutes=10)
LONGEST_BODY = 16_384
MOST_FIELDS = 40
FORM = "application/x-www-form-urlencoded"


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """A request that was found good; `scopes` are separated by spaces."""

    client_id: str
    redirect_uri: str
    redirect_named: bool
    scopes: str
    resource: str
    code_challenge: str
    state: str | None


@dataclass(frozen=True, slots=True)
class Pending:
    """A kept request and the digest it is kept under."""

    digest: str
    request: AuthorizationRequest


def proven_redirect(parameters: Mapping[str, str], client: Client, rules: RedirectRules) -> str:
    """Return where the answer goes. Raises NotRedirectable: nothing is sent to an address that is not proven."""
    redirect = chosen(parameters.get("redirect_uri"), client.redirect_uris)
    if redirect is None or not rules.well_formed(redirect):
        raise NotRedirectable
    return redirect


def checked(
    parameters: Mapping[str, str], client: Client, redirect: str, audiences: Audiences
) -> AuthorizationRequest:
    """Return the request. Raises OAuthRefused, which may be sent to the proven redirect."""
    if parameters.get("response_type") != "code":
        missing = "response_type" not in parameters
        code = "invalid_request" if missing else "unsupported_response_type"
        raise OAuthRefused(code, "The response_type must be code.")
    if parameters.get("response_mode", "query") != "query":
        raise OAuthRefused("invalid_request", "The response_mode must be query.")
    if parameters.get("code_challenge_method") != pkce.METHOD:
        raise OAuthRefused("invalid_request", "The code_challenge_method must be S256, written out.")
    challenge = parameters.get("code_challenge", "")
    if not pkce.is_challenge(challenge):
        raise OAuthRefused("invalid_request", "The code_challenge must be 43 characters of base64url.")
    return AuthorizationRequest(
        client_id=client.id,
        redirect_uri=redirect,
        redirect_named="redirect_uri" in parameters,
        scopes=scopes.format_scopes(scopes.requested(parameters.get("scope"))),
        resource=audiences.canonical(parameters.get("resource")),
        code_challenge=challenge,
        state=parameters.get("state"),
    )


class PendingRequests:
    """Requests that wait for consent, each bound to the browser that brought it."""

    def __init__(self, database: Database, digests: Digests, now: Callable[[], datetime]) -> None:
        self._database = database
        self._digests = digests
        self._now = now

    async def keep(self, request: AuthorizationRequest, flow: str) -> str:
        """Store a request of the browser whose cookie is `flow`; return the id to ask for it by."""
        raw = secrets.token_urlsafe(32)
        stored = StoredRequest(
            self._digests.digest(raw), self._digests.digest(flow), asdict(request), self._now() + LIFE
        )
        async with self._database.operation() as operators:
            await operators.oauth_requests.add(stored)
        return raw

    async def find(self, raw: str, flow: str) -> Pending:
        """Return a request to the browser that brought it. Raises NotRedirectable."""
        stored = await self._database.operators.oauth_requests.find(self._digests.candidates(raw))
        if stored is None or stored.expires_at <= self._now():
            raise NotRedirectable
        if not self._digests.matches(flow, stored.flow_digest):
            raise NotRedirectable
        return Pending(stored.digest, AuthorizationRequest(**stored.document))


async def read_body(request: Request) -> bytes:
    """Return a body of at most 16 KB. Raises OAuthRefused for a longer one."""
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise OAuthRefused("invalid_request", "The body is too long.")
    return bytes(body)


async def read_form(request: Request) -> Mapping[str, str]:
    """Return the fields of a form. Raises OAuthRefused for another media type or a repeated field."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != FORM:
        raise OAuthRefused("invalid_request", f"The body must be {FORM}.")
    return parse(await read_body(request))


def parse(encoded: bytes) -> Mapping[str, str]:
    """Read URL-encoded parameters; empty ones count as absent (RFC 6749 section 3.1). Raises OAuthRefused."""
    try:
        text = encoded.decode("ascii")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except (ValueError, UnicodeError) as error:
        raise OAuthRefused("invalid_request", "The parameters cannot be read.") from error
    values_by_name = dict(pairs)
    if len(values_by_name) != len(pairs):
        raise OAuthRefused("invalid_request", "A parameter is repeated.")
    if any("\0" in value for value in values_by_name.values()):
        raise OAuthRefused("invalid_request", "The parameters cannot be read.")
    return {name: value for name, value in values_by_name.items() if value}


def added(uri: str, parameters: Mapping[str, str]) -> str:
    """Return a redirect URI with parameters added; what it came with stays as it was written."""
    joint = "?" if "?" not in uri else "" if uri.endswith(("?", "&")) else "&"
    return f"{uri}{joint}{urlencode(parameters)}"
