"""The pages of a forgotten password: ask for a link, choose a new one."""

from starlette.responses import Response

from web.accounts import mailed_links
from web.accounts.accounts import START, AccountRefusal
from web.errors import PageNotFound
from web.request import PageRequest


async def show_forgotten(request: PageRequest) -> Response:
    """Show the form, or what to do where no mail is sent."""
    return _render_forgotten(request)


async def send_link(request: PageRequest) -> Response:
    """E-mail a link if the address has an account."""
    typed = await request.read_form()
    email = typed.get("email", "")
    outbox = request.services.outbox
    if outbox is None:
        return _render_forgotten(request)
    try:
        mail_link = await mailed_links.ask_for_link(request, outbox, email)
    except AccountRefusal as refused:
        return _render_forgotten(request, email=email, faults=refused.faults)
    response = _render_forgotten(request, asked=True)
    request.services.deferred.begin_after(response, mail_link)
    return response


async def show_reset(request: PageRequest) -> Response:
    """Show the form of an open link."""
    raw = request.http.query_params.get("key", "")
    reset = await mailed_links.find_reset(request, raw)
    if reset is None:
        raise PageNotFound
    return request.render("accounts/reset.html", reset=reset, raw=raw, faults={})


async def reset_password(request: PageRequest) -> Response:
    """Store the new password and sign in with it."""
    typed = await request.read_form()
    raw = typed.get("key", "")
    reset = await mailed_links.find_reset(request, raw)
    if reset is None:
        raise PageNotFound
    try:
        user = await mailed_links.change_password(request, reset, typed.get("password", ""))
    except AccountRefusal as refused:
        return request.render("accounts/reset.html", 422, reset=reset, raw=raw, faults=refused.faults)
    request.remember(user.id)
    response = request.redirect(START if reset.first else "/")
    await request.services.sessions.start(request.http, response, user)
    return response


def _render_forgotten(
    request: PageRequest, *, asked: bool = False, email: str = "", faults: dict[str, str] | None = None
) -> Response:
    mailed = request.services.outbox is not None
    return request.render(
        "accounts/forgotten.html",
        422 if faults else 200,
        asked=asked,
        email=email,
        mailed=mailed,
        faults=faults or {},
    )
