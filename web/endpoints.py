"""Endpoints: handlers of pages as Starlette calls them, with sign-in and a page for every failure."""

import logging
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import Response

from oauth.errors import RETRY_SECONDS, TooBusy
from storage.errors import RowGone, StorageError, WriteRefused
from web.errors import (
    CsrfRejected,
    DuplicateSubmission,
    FormTooLong,
    InvalidForm,
    NotAllowed,
    PageNotFound,
    ReadOnly,
    Throttled,
)
from web.request import PageRequest
from web.services import PageServices

log = logging.getLogger(__name__)

Handler: TypeAlias = Callable[[PageRequest], Awaitable[Response]]
Endpoint: TypeAlias = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class FailurePage:
    """What a page of failure says, with its HTTP status."""

    status: int
    title: str
    words: str


OWN_FORMS = frozenset(
    {
        "/settings/profile",
        "/settings/notifications",
        "/settings/password",
        "/settings/theme",
        "/settings/leave",
        "/auth/logout",
        "/auth/login",
        "/auth/signup",
        "/auth/invitation",
    }
)
"""What a viewer may send: it changes nothing but the person's own account."""

STREAM = "/events"
"""End of the addresses that are no pages."""

VIEWERS_READ = FailurePage(
    403, "Viewers are read-only", "Ask an owner of your company to do this, or to make you a member."
)
FAILURES: dict[type[Exception], FailurePage] = {
    CsrfRejected: FailurePage(
        403,
        "This form is no longer valid",
        "It was not sent from an open page of this site, or you signed in or out since. Reload the page and try again.",
    ),
    InvalidForm: FailurePage(400, "This form cannot be read", "Go back to the page and send it again."),
    FormTooLong: FailurePage(
        413,
        "This is too long for one form",
        "Nothing was stored. Go back, where what you typed still stands, and send it in smaller parts.",
    ),
    PageNotFound: FailurePage(
        404, "Page not found", "The address may be wrong, or what it showed was deleted."
    ),
    NotAllowed: FailurePage(403, "Owners only", "Ask an owner of your company to do this."),
    ReadOnly: VIEWERS_READ,
    WriteRefused: VIEWERS_READ,
    TooBusy: FailurePage(
        503, "Very busy", "Too many people are signing in just now. Please try again in a minute."
    ),
    RowGone: FailurePage(
        404, "This was deleted meanwhile", "Nothing was changed. What it belonged to is not there any more."
    ),
    StorageError: FailurePage(
        503, "Not available just now", "The database does not answer. Please try again in a minute."
    ),
}


def open_page(services: PageServices, handler: Handler) -> Endpoint:
    """Return the endpoint of a page that needs no sign-in."""
    return _endpoint(services, handler, for_people=False)


def members_page(services: PageServices, handler: Handler) -> Endpoint:
    """Return the endpoint of a page that leads strangers to sign in first."""
    return _endpoint(services, handler, for_people=True)


def _endpoint(services: PageServices, handler: Handler, *, for_people: bool) -> Endpoint:
    async def respond(http: Request) -> Response:
        known = services.browsers.known(http)
        request = PageRequest(services, http, known or services.browsers.new(), None, known is None)
        try:
            request.person = await services.sessions.signed_in(http)
            if for_people and request.person is None:
                return request.redirect(f"/auth/login?next={quote(_address_to_return_to(http), safe='/')}")
            if request.person is not None and not http.url.path.endswith(STREAM):
                await request.load_navigation()
            if http.method == "POST" and http.url.path not in OWN_FORMS:
                request.require_member()
            response = await handler(request)
        except DuplicateSubmission as before:
            return _repeated_response(request, before)
        except Exception as error:
            response = _failure_response(request, error)
        try:
            await request.settle_form(response)
        except StorageError as error:
            log.error("how a form ended could not be stored", exc_info=error)
        return response

    return respond


def _address_to_return_to(http: Request) -> str:
    """The page to come back to after signing in; a form cannot be sent again from there."""
    if http.method != "GET":
        return "/"
    return http.url.path + (f"?{http.url.query}" if http.url.query else "")


def _repeated_response(request: PageRequest, before: DuplicateSubmission) -> Response:
    """Lead where the first sending of a form led, or say that there was one."""
    if before.location is not None:
        return request.redirect(before.location)
    if before.ended:
        words = "It took effect once. What it showed is shown only once: check the page it came from."
    else:
        words = "The first sending is still being worked on. Wait a moment, then check the page it came from."
    return request.render("layout/failure.html", 409, title="This form was sent already", words=words)


def _failure_response(request: PageRequest, error: Exception) -> Response:
    """Return the error page, in our words only."""
    faults = [part.words for part in request.missing_parts.values() if part.faulty]
    if isinstance(error, PageNotFound) and faults:
        page = FailurePage(503, "Not available just now", " ".join(faults))
    else:
        page = _failure_page(error, request.http.url.path)
    request.missing_parts.clear()
    response = request.render("layout/failure.html", page.status, title=page.title, words=page.words)
    if isinstance(error, Throttled):
        response.headers["Retry-After"] = str(error.retry_after)
    elif page.status == 503:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _failure_page(error: Exception, path: str) -> FailurePage:
    if isinstance(error, Throttled):
        words = f"Please wait {error.retry_after} seconds and try again."
        return FailurePage(429, "Too many attempts", words)
    if isinstance(error, StorageError) and not isinstance(error, RowGone):
        log.error("a page could not reach the database", exc_info=error)
    for kind, page in FAILURES.items():
        if isinstance(error, kind):
            return page
    reference = secrets.token_hex(6)
    log.error("the page %s failed, reference %s", path, reference, exc_info=error)
    return FailurePage(
        500,
        "Something went wrong",
        f"This is an error on our side. If it persists, contact your operator with the reference {reference}.",
    )
