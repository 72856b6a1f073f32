"""One request of a person: who it is, what they sent, and the page they get."""

import json
import logging
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from oauth.addresses import address_of
from oauth.errors import TooBusy
from oauth.principal import Caller
from storage.errors import StorageError
from tools.dispatch import Success
from tools.errors import UnknownTool
from tools.rate_limits import Window
from web.browsers import Browser
from web.errors import BadForm, ForgedForm, NotAllowed, NotHere, Throttled
from web.look import HEADERS
from web.sessions import SignedIn
from web.site import Site

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Visit:
    """A request with everything a page needs to answer it."""

    site: Site
    request: Request
    browser: Browser
    person: SignedIn | None
    new_here: bool

    @property
    def address(self) -> str:
        """The client's address, proxies taken away."""
        return address_of(self.request)

    @property
    def signed(self) -> SignedIn:
        """The person, on pages that only open for people who are signed in."""
        if self.person is None:
            raise RuntimeError("this page opens without a person")
        return self.person

    @property
    def binding(self) -> str:
        """What the tokens of this visit's forms are bound to."""
        return self.person.session if self.person else self.browser.id

    async def fields(self) -> Mapping[str, str]:
        """Return the sent form. Raises ForgedForm or BadForm."""
        return await self.site.forms.read(self.request, self.binding, self.request.url.path)

    def require_owner(self) -> None:
        """Raise NotAllowed for a member."""
        if not self.signed.owner:
            raise NotAllowed

    async def count(self, *windows: Window) -> None:
        """Count an attempt in all windows. Raises Throttled when one of them is full."""
        waits = (await self.site.windows.hit(windows)).wait(windows)
        if waits is not None:
            raise Throttled(waits)

    async def ask(self, tool: str, **arguments: object) -> dict[str, Any] | None:
        """Ask a tool as any client would; None when there is no such tool or it refuses.

        Raises Throttled when the person asked too often.
        """
        try:
            caller = Caller(self.signed.principal, self.address)
            outcome = await self.site.dispatcher.call(tool, arguments, caller)
        except UnknownTool:
            return None
        if isinstance(outcome, Success):
            return json.loads(outcome.body)
        if outcome.retry_after is not None:
            raise Throttled(outcome.retry_after)
        return None

    def page(self, template: str, status: int = 200, **context: object) -> Response:
        """Render a page with the headers that every page has."""

        def token(path: str) -> str:
            return self.site.forms.token(self.binding, path)

        shared: dict[str, object] = {
            "person": self.person,
            "path": self.request.url.path,
            "token": token,
            "base_url": self.site.base_url,
            "signup_open": self.site.signup_open,
        }
        html = self.site.look.render(template, shared | context)
        return self._sent(HTMLResponse(html, status, HEADERS))

    def go(self, path: str) -> Response:
        """Lead on to another page of ours, with GET."""
        return self._sent(RedirectResponse(path, 303, HEADERS))

    def remember(self, user_id: str) -> None:
        """Know this browser again as one that the person signed in from."""
        self.browser, self.new_here = self.browser.with_person(user_id), True

    def keep_browser(self, response: Response) -> Response:
        """Give the browser its cookie again after the visit changed it."""
        self.site.browsers.remember(response, self.browser)
        return response

    def as_person(self, person: SignedIn | None) -> "Visit":
        """Return the same visit by somebody else."""
        return replace(self, person=person)

    def _sent(self, response: Response) -> Response:
        return self.keep_browser(response) if self.new_here else response


Handler: TypeAlias = Callable[[Visit], Awaitable[Response]]
Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


def open_page(site: Site, handler: Handler) -> Endpoint:
    """Return the endpoint of a page that anybody may open."""
    return _endpoint(site, handler, for_people=False)


def members_page(site: Site, handler: Handler) -> Endpoint:
    """Return the endpoint of a page that leads strangers to sign in first."""
    return _endpoint(site, handler, for_people=True)


def _endpoint(site: Site, handler: Handler, *, for_people: bool) -> Endpoint:
    async def answer(request: Request) -> Response:
        known = site.browsers.known(request)
        visit = Visit(site, request, known or site.browsers.new(), None, known is None)
        try:
            visit.person = await site.sessions.signed_in(request)
            if for_people and visit.person is None:
                return visit.go(f"/auth/login?next={quote(_asked(request), safe='/')}")
            return await handler(visit)
        except Exception as error:
            return _failed(visit, error)

    return answer


def _asked(request: Request) -> str:
    """The page to come back to; a form cannot be sent again from there."""
    if request.method != "GET":
        return "/"
    return request.url.path + (f"?{request.url.query}" if request.url.query else "")


def _failed(visit: Visit, error: Exception) -> Response:
    """The page for what went wrong, in our words alone."""
    told = _told(error)
    if told is None:
        reference = secrets.token_hex(6)
        log.error("the page %s failed, reference %s", visit.request.url.path, reference, exc_info=error)
        told = (
            500,
            "Something went wrong",
            f"The fault is ours. If it stays, tell your operator: {reference}.",
        )
    status, title, words = told
    response = visit.page("failure.html", status, title=title, words=words)
    if isinstance(error, Throttled):
        response.headers["Retry-After"] = str(error.retry_after)
    return response


def _told(error: Exception) -> tuple[int, str, str] | None:
    match error:
        case ForgedForm():
            words = "It was not sent from an open page of this site, or you signed in or out since. Please try again."
            return 403, "This form is no longer valid", words
        case BadForm():
            return 400, "This form cannot be read", "Go back to the page and send it again."
        case NotHere():
            return 404, "There is nothing here", "The address may be wrong, or the thing was removed."
        case NotAllowed():
            return 403, "Owners only", "Ask an owner of your company to do this."
        case Throttled():
            return 429, "Too many attempts", f"Please wait {error.retry_after} seconds and try again."
        case TooBusy():
            return 503, "Very busy", "Too many people are signing in just now. Please try again in a minute."
        case StorageError():
            log.error("a page could not reach the database", exc_info=error)
            return (
                503,
                "Not available just now",
                "The database does not answer. Please try again in a minute.",
            )
        case _:
            return None
