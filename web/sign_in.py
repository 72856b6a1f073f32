"""The pages that let people in and out: sign-up, sign-in, sign-out, invitations."""

from starlette.responses import Response

from storage.repositories.users import User
from web import accounts
from web.accounts import Refused
from web.errors import NotHere
from web.forms import safe_next
from web.visit import Visit

WRONG = "E-mail address or password is wrong."
CLOSED = "Sign-up is closed on this server. Ask an owner of your company for an invitation."


async def login(visit: Visit) -> Response:
    """Show the form."""
    target = safe_next(visit.request.query_params.get("next"))
    if visit.person is not None:
        return visit.go(target)
    return visit.page("login.html", target=target, email="", fault=None)


async def log_in(visit: Visit) -> Response:
    """Sign in and go on to where the person was going."""
    typed = await visit.fields()
    target, email = safe_next(typed.get("next")), typed.get("email", "")
    user = await accounts.sign_in(visit, email, typed.get("password", ""))
    if user is None:
        return visit.page("login.html", 401, target=target, email=email, fault=WRONG)
    return await welcome(visit, user, target)


async def welcome(visit: Visit, user: User, target: str) -> Response:
    """Start a session in this browser, which is known from now on."""
    visit.remember(user.id)
    response = visit.go(target)
    await visit.site.sessions.start(visit.request, response, user)
    return response


async def log_out(visit: Visit) -> Response:
    """End this browser's session."""
    await visit.fields()
    response = visit.go("/auth/login")
    await visit.site.sessions.end(visit.request, response)
    return response


async def signup(visit: Visit) -> Response:
    """Show the form, or that sign-up is closed."""
    if visit.person is not None:
        return visit.go("/")
    if not visit.site.signup_open:
        return visit.page("failure.html", 403, title="Sign-up is closed", words=CLOSED)
    return visit.page("signup.html", typed={}, faults={})


async def sign_up(visit: Visit) -> Response:
    """Make a company with its owner, who is signed in at once."""
    typed = await visit.fields()
    if not visit.site.signup_open:
        return visit.page("failure.html", 403, title="Sign-up is closed", words=CLOSED)
    values = {name: typed.get(name, "") for name in ("company", "name", "email", "password")}
    try:
        user = await accounts.sign_up(visit, **values)
    except Refused as refused:
        return visit.page("signup.html", 422, typed=values, faults=refused.faults)
    return await welcome(visit, user, "/settings/keys")


async def invitation(visit: Visit) -> Response:
    """Show who invites to what."""
    raw = visit.request.query_params.get("key", "")
    found = await accounts.invitation_of(visit.site, raw)
    if found is None:
        raise NotHere
    return visit.page("invitation.html", invitation=found, raw=raw, typed={}, faults={})


async def join(visit: Visit) -> Response:
    """Take the invitation and sign in."""
    typed = await visit.fields()
    raw = typed.get("key", "")
    found = await accounts.invitation_of(visit.site, raw)
    if found is None:
        raise NotHere
    try:
        user = await accounts.join(visit, found, typed.get("name", ""), typed.get("password", ""))
    except Refused as refused:
        return visit.page(
            "invitation.html", 422, invitation=found, raw=raw, typed=typed, faults=refused.faults
        )
    return await welcome(visit, user, "/")
