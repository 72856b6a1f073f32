"""The pages that let people in and out: sign-up, sign-in, sign-out, invitations."""

from collections.abc import Mapping

from starlette.responses import Response

from storage.ids import new_id
from storage.repositories.accounts import User
from web.accounts import accounts, mailed_links
from web.accounts.accounts import START, AccountRefusal
from web.request import PageRequest
from web.security.forms import safe_next
from workflows.mail.outbox import Outbox

JOINED = "/?joined"
"""Where a new colleague is led; who comes to sign in on the way there, as on the way to START, sees why."""
WRONG = "E-mail address or password is wrong."
USED = (
    "It was used or withdrawn, or is more than a week old. If you have joined, sign in. "
    "Otherwise ask an owner of the company for a new invitation."
)
CLOSED = "Sign-up is closed on this server. Ask an owner of your company for an invitation."


async def show_login(request: PageRequest) -> Response:
    """Show the form."""
    target = safe_next(request.http.query_params.get("next"))
    if request.person is not None:
        return request.redirect(target)
    return await _render_login(
        request, target=target, new=target in (START, JOINED), left="left" in request.http.query_params
    )


async def sign_in(request: PageRequest) -> Response:
    """Sign in and go on to where the person was going."""
    typed = await request.read_form()
    target, email = safe_next(typed.get("next")), typed.get("email", "")
    user = await accounts.sign_in(request, email, typed.get("password", ""))
    if user is None:
        return await _render_login(request, 401, target=target, email=email, fault=WRONG)
    return await _start_session(request, user, target)


async def _render_login(
    request: PageRequest,
    status: int = 200,
    *,
    target: str,
    email: str = "",
    fault: str | None = None,
    new: bool = False,
    left: bool = False,
) -> Response:
    signup_open = await request.services.sign_up_is_open()
    return request.render(
        "accounts/login.html",
        status,
        target=target,
        email=email,
        fault=fault,
        new=new,
        left=left,
        signup_open=signup_open,
    )


async def _start_session(request: PageRequest, user: User, target: str) -> Response:
    """Start a session in this browser, which is known from now on."""
    request.remember(user.id)
    response = request.redirect(target)
    await request.services.sessions.start(request.http, response, user)
    return response


async def _end_like_a_start(request: PageRequest, target: str) -> Response:
    """Answer as if a session had been started, with a cookie that opens nothing: the sign-in page says the rest.

    A visitor could otherwise find out which addresses and companies have an account.
    """
    request.remember(new_id())
    response = request.redirect(target)
    request.services.sessions.pretend(response)
    return response


async def sign_out(request: PageRequest) -> Response:
    """End this browser's session."""
    await request.read_form()
    response = request.redirect("/auth/login")
    await request.services.sessions.end(request.http, response)
    return response


async def show_sign_up(request: PageRequest) -> Response:
    """Show the form, or that sign-up is closed."""
    if request.person is not None:
        return request.redirect("/")
    if not await request.services.sign_up_is_open():
        return request.render("layout/failure.html", 403, title="Sign-up is closed", words=CLOSED)
    return _render_sign_up(request)


async def sign_up(request: PageRequest) -> Response:
    """Make a company with its owner, who is signed in at once, or by a link where mail can be sent."""
    typed = await request.read_form()
    if not await request.services.sign_up_is_open():
        return request.render("layout/failure.html", 403, title="Sign-up is closed", words=CLOSED)
    if request.services.outbox is not None:
        return await _sign_up_by_mail(request, request.services.outbox, typed)
    values = {name: typed.get(name, "") for name in ("company", "name", "email", "password")}
    try:
        user = await accounts.sign_up(request, **values)
    except AccountRefusal as refused:
        return _render_sign_up(request, values, refused.faults)
    if user is None:
        return await _end_like_a_start(request, START)
    return await _start_session(request, user, START)


async def _sign_up_by_mail(request: PageRequest, outbox: Outbox, typed: Mapping[str, str]) -> Response:
    """Say to everybody that a mail is on its way; what it says depends on the address."""
    values = {name: typed.get(name, "") for name in ("company", "name", "email")}
    try:
        make_account = await mailed_links.ask_for_account(request, outbox, **values)
    except AccountRefusal as refused:
        return _render_sign_up(request, values, refused.faults)
    response = _render_sign_up(request, asked=True)
    request.services.deferred.begin_after(response, make_account)
    return response


def _render_sign_up(
    request: PageRequest,
    typed: Mapping[str, str] | None = None,
    faults: Mapping[str, str] | None = None,
    *,
    asked: bool = False,
) -> Response:
    return request.render(
        "accounts/signup.html",
        422 if faults else 200,
        typed=typed or {},
        faults=faults or {},
        asked=asked,
        mailed=request.services.outbox is not None,
    )


async def show_invitation(request: PageRequest) -> Response:
    """Show who invites to what."""
    raw = request.http.query_params.get("key", "")
    invitation = await accounts.find_invitation(request.services, raw)
    if invitation is None:
        return request.render("layout/failure.html", 404, title="This invitation no longer works", words=USED)
    return request.render("accounts/invitation.html", invitation=invitation, raw=raw, typed={}, faults={})


async def accept_invitation(request: PageRequest) -> Response:
    """Take the invitation and sign in."""
    typed = await request.read_form()
    raw = typed.get("key", "")
    invitation = await accounts.find_invitation(request.services, raw)
    if invitation is None:
        return request.render("layout/failure.html", 404, title="This invitation no longer works", words=USED)
    try:
        user = await accounts.join(request, invitation, typed.get("name", ""), typed.get("password", ""))
    except AccountRefusal as refused:
        return request.render(
            "accounts/invitation.html",
            422,
            invitation=invitation,
            raw=raw,
            typed=typed,
            faults=refused.faults,
        )
    if user is None:
        return await _end_like_a_start(request, JOINED)
    return await _start_session(request, user, JOINED)
