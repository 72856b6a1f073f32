"""The authorization endpoint and the consent page, protected against CSRF."""

import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Final, Protocol
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from oauth import metadata, scopes
from oauth.authorization import (
    LIFE,
    AuthorizationRequest,
    Pending,
    PendingRequests,
    added,
    checked,
    parse,
    proven_redirect,
    read_form,
)
from oauth.clients import Client, Clients
from oauth.errors import RETRY_SECONDS, ClientUnknown, NotRedirectable, OAuthRefused
from oauth.grants import Approval, Grants
from oauth.principal import Scope
from oauth.redirects import RedirectRules, host_of, is_loopback, origin_of
from oauth.scopes import Audiences
from oauth.signing import Digests
from oauth.throttle import Limit, Throttle, address_of, network_of
from storage.database import Database
from storage.errors import StorageError

log = logging.getLogger(__name__)

CONSENT_PATH: Final = "/oauth/consent"
SIGN_IN_PATH: Final = "/auth/login"
AUTHORIZATIONS: Final = Limit("authorize", 30, 60)
LONGEST_QUERY: Final = 8192
_FLOW: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_HEADERS: Final = {
    "X-Frame-Options": "DENY",
    # no-referrer would make browsers send the form with `Origin: null`, which proves nothing.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Person(Protocol):
    """A signed-in person; `session` identifies the sign-in and is no secret."""

    @property
    def session(self) -> str:
        """The digest of the session."""
        ...

    @property
    def user_id(self) -> str:
        """The person."""
        ...

    @property
    def company_id(self) -> str:
        """The company whose workspace is opened."""
        ...

    @property
    def company_name(self) -> str:
        """Its name, for the page."""
        ...

    @property
    def role(self) -> str:
        """What the person may do in the company: owner, member or viewer."""
        ...

    @property
    def email(self) -> str:
        """The account, for the page."""
        ...


SignedIn = Callable[[Request], Awaitable[Person | None]]
"""Names the person behind a request."""
Render = Callable[[Request, Person | None, str, Mapping[str, object]], str]
"""Renders a template of this package with what all pages of the service show."""


class ConsentPages:
    """The authorization endpoint and the consent page."""

    def __init__(
        self,
        *,
        base_url: str,
        database: Database,
        clients: Clients,
        requests: PendingRequests,
        grants: Grants,
        rules: RedirectRules,
        form_keys: Digests,
        throttle: Throttle,
        signed_in: SignedIn,
        render: Render,
    ) -> None:
        self._base_url = base_url
        self._database = database
        self._clients = clients
        self._requests = requests
        self._grants = grants
        self._rules = rules
        self._form_keys = form_keys
        self._throttle = throttle
        self._signed_in = signed_in
        self._render = render
        self._audiences = Audiences(base_url)
        self._secure = base_url.startswith("https:")
        self._cookie = "__Host-seenby-flow" if self._secure else "seenby-flow"

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route(metadata.AUTHORIZE, self._paged(self.authorize), methods=["GET"]),
            Route(CONSENT_PATH, self._paged(self.ask), methods=["GET"]),
            Route(CONSENT_PATH, self._paged(self.decide), methods=["POST"]),
        ]

    async def authorize(self, request: Request) -> Response:
        """RFC 6749 section 4.1.1, RFC 7636, RFC 8707, RFC 9207."""
        waits = await self._throttle.wait((AUTHORIZATIONS, network_of(address_of(request))))
        if waits is not None:
            response = await self._error_page(
                request, 429, "Too many attempts", f"Please wait {waits} seconds."
            )
            response.headers["Retry-After"] = str(waits)
            return response
        parameters = _parameters(request)
        client = await self._clients.find(parameters.get("client_id", ""), address_of(request))
        redirect = proven_redirect(parameters, client, self._rules)
        try:
            asked = checked(parameters, client, redirect, self._audiences)
        except OAuthRefused as error:
            error_parameters = {"error": error.code, "error_description": error.description}
            return self._back(redirect, parameters.get("state"), error_parameters, 302)
        person = await self._signed_in(request)
        if person is not None and await self._remembered(client, asked, person):
            code = await self._grants.approve(approval_of(asked, person))
            return self._back(redirect, asked.state, {"code": code}, 302)
        return await self._to_consent(request, asked, signed_in=person is not None)

    async def _remembered(self, client: Client, asked: AuthorizationRequest, person: Person) -> bool:
        """Whether the same was allowed before, to a client that owns its name and its address."""
        if client.host is None or not asked.redirect_uri.startswith("https://"):
            return False
        return await self._grants.remembers(approval_of(asked, person))

    async def _to_consent(
        self, request: Request, asked: AuthorizationRequest, *, signed_in: bool
    ) -> Response:
        flow = self._flow(request) or secrets.token_urlsafe(32)
        path = f"{CONSENT_PATH}?rid={await self._requests.keep(asked, flow)}"
        target = path if signed_in else f"{SIGN_IN_PATH}?next={quote(path, safe='/')}"
        response = RedirectResponse(target, 302, _HEADERS)
        response.set_cookie(
            self._cookie,
            flow,
            max_age=int(LIFE.total_seconds()),
            path="/",
            secure=self._secure,
            httponly=True,
            samesite="lax",
        )
        return response

    async def ask(self, request: Request) -> Response:
        """Show who asks for what, and where the answer goes."""
        raw = request.query_params.get("rid", "")
        person = await self._signed_in(request)
        if person is None:
            came_from = quote(f"{CONSENT_PATH}?rid={raw}", safe="/")
            return RedirectResponse(f"{SIGN_IN_PATH}?next={came_from}", 302, _HEADERS)
        flow = self._flow(request) or ""
        pending = await self._requests.find(raw, flow)
        asked = pending.request
        client = await self._clients.find(asked.client_id, address_of(request))
        context = {
            "client": client,
            "redirect_host": host_of(asked.redirect_uri),
            "loopback": is_loopback(asked.redirect_uri),
            "asks_write": Scope.WRITE
            in scopes.grantable_scopes(scopes.parse_scopes(asked.scopes), person.role),
            "rid": raw,
            "form_token": self._form_keys.digest(form_binding(person, raw, flow)),
        }
        html = self._render(request, person, "consent.html", context)
        return HTMLResponse(html, headers=_page_headers(origin_of(asked.redirect_uri)))

    async def decide(self, request: Request) -> Response:
        """Send the person's decision to the client; only the form that was shown to this person is accepted."""
        person = await self._signed_in(request)
        if person is None or not self._same_origin(request):
            return await self._forged(request)
        form = await read_form(request)
        raw, flow = form.get("rid", ""), self._flow(request) or ""
        if not flow or not self._form_keys.matches(form_binding(person, raw, flow), form.get("token", "")):
            return await self._forged(request)
        pending = await self._requests.find(raw, flow)
        answer = await self._answer(pending, person, form)
        return self._back(pending.request.redirect_uri, pending.request.state, answer, 303)

    async def _answer(self, pending: Pending, person: Person, form: Mapping[str, str]) -> dict[str, str]:
        """Use the request up, with the grant in the same transaction."""
        approval = approval_of(pending.request, person)
        if "write" not in form:
            approval = replace(approval, scopes=approval.scopes - {Scope.WRITE})
        async with self._database.operation() as operators:
            if not await operators.oauth_requests.take(pending.digest):
                raise NotRedirectable
            if form.get("decision") == "allow":
                return {"code": await self._grants.approve_within(operators, approval)}
        return {"error": "access_denied", "error_description": "The person did not allow it."}

    def _back(self, redirect: str, state: str | None, answer: Mapping[str, str], status: int) -> Response:
        """Redirect to the client; `iss` identifies this server, on success and on error (RFC 9207)."""
        state_parameter = {} if state is None else {"state": state}
        location = added(redirect, {**answer, **state_parameter, "iss": self._base_url})
        return Response(status_code=status, headers={**_HEADERS, "Location": location})

    def _flow(self, request: Request) -> str | None:
        flow = request.cookies.get(self._cookie, "")
        return flow if _FLOW.fullmatch(flow) else None

    def _same_origin(self, request: Request) -> bool:
        """CSRF check: whether the browser says that one of our pages sent the form."""
        site = request.headers.get("sec-fetch-site")
        if site is not None and site != "same-origin":
            return False
        return request.headers.get("origin") == self._base_url

    async def _forged(self, request: Request) -> Response:
        words = (
            "It was not sent from the page that you were shown. Please start again in the program that asks."
        )
        return await self._error_page(request, 403, "This form is not valid", words)

    async def _error_page(self, request: Request, status: int, title: str, words: str) -> Response:
        html = self._render(request, None, "refused.html", {"title": title, "words": words})
        return HTMLResponse(html, status, _page_headers())

    def _paged(
        self, work: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        """Show errors to the person when there is no proven redirect to send them to."""

        async def answer(request: Request) -> Response:
            try:
                return await work(request)
            except (ClientUnknown, NotRedirectable, OAuthRefused):
                words = (
                    "It is unknown, has expired, or would lead to an address that is not registered. "
                    "Please start again in the program that sent you here."
                )
                return await self._error_page(request, 400, "This request cannot be answered", words)
            except StorageError:
                log.exception("answering an authorization request")
                words = "Please try again in a minute."
                response = await self._error_page(request, 503, "Not available just now", words)
                response.headers["Retry-After"] = str(RETRY_SECONDS)
                return response

        return answer


def form_binding(person: Person, raw: str, flow: str) -> str:
    """Return what the CSRF token is bound to: one session, browser and request."""
    return f"{person.session}\n{raw}\n{flow}"


def approval_of(asked: AuthorizationRequest, person: Person) -> Approval:
    """Return what is granted when this person allows all that was asked for."""
    return Approval(
        client_id=asked.client_id,
        user_id=person.user_id,
        company_id=person.company_id,
        redirect_uri=asked.redirect_uri,
        redirect_named=asked.redirect_named,
        scopes=scopes.grantable_scopes(scopes.parse_scopes(asked.scopes), person.role),
        resource=asked.resource,
        code_challenge=asked.code_challenge,
    )


def _parameters(request: Request) -> Mapping[str, str]:
    query: bytes = request.scope["query_string"]
    if len(query) > LONGEST_QUERY:
        raise NotRedirectable
    return parse(query)


def _page_headers(origin: str = "") -> dict[str, str]:
    """Browsers apply `form-action` to the redirect after a form, so it names the redirect's origin."""
    policy = (
        "default-src 'none'; style-src 'self'; img-src 'self'; "
        f"form-action 'self'{' ' + origin if origin else ''}; frame-ancestors 'none'; base-uri 'none'"
    )
    return {**_HEADERS, "Content-Security-Policy": policy}
