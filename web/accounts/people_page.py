"""The page of colleagues and invitations."""

from dataclasses import replace
from datetime import timedelta

from starlette.responses import Response

from web.accounts import accounts, mailed_links
from web.accounts.accounts import AccountRefusal
from web.errors import InvalidForm, PageNotFound
from web.request import PageRequest

HANDED_LINK_LIFE = timedelta(days=1)
"""How long a link works that people hand to each other; one that is mailed ends sooner."""


async def show_people(request: PageRequest) -> Response:
    """List colleagues and open invitations."""
    return await _render_people(request)


async def invite_colleague(request: PageRequest) -> Response:
    """Make an invitation and show its link, this once."""
    request.require_owner()
    typed = await request.read_form()
    try:
        link = await accounts.invite(
            replace(request.services, database=request.database),
            request.signed_in.company_id,
            typed.get("email", ""),
            typed.get("role", "member"),
            request.signed_in.user_id,
            request.signed_in,
        )
    except AccountRefusal as refused:
        return await _render_people(request, faults=refused.faults, email=typed.get("email", ""))
    return await _render_people(request, link=link, email=typed.get("email", ""))


async def change_role(request: PageRequest) -> Response:
    """Give a colleague another role; the company's last owner stays one."""
    request.require_owner()
    typed = await request.read_form()
    role = typed.get("role", "")
    if role not in accounts.ROLES:
        raise InvalidForm
    user_id = request.http.path_params["user_id"]
    async with request.transaction() as workspace:
        if user_id not in {colleague.id for colleague in await workspace.colleagues.all()}:
            raise PageNotFound
        changed = await workspace.colleagues.set_role(user_id, role)
    if not changed:
        return await _render_people(request, faults={"role": "A company keeps at least one owner."})
    return request.redirect("/settings/people")


async def make_password_link(request: PageRequest) -> Response:
    """Make a link by which a colleague chooses a new password, and show it, this once.

    Raises PageNotFound where mail is sent: the colleague asks for the link then.
    """
    request.require_owner()
    await request.read_form()
    services, user_id = request.services, request.http.path_params["user_id"]
    if services.outbox is not None:
        raise PageNotFound
    async with request.transaction() as workspace:
        everybody = {colleague.id: colleague for colleague in await workspace.colleagues.all()}
        if user_id not in everybody:
            raise PageNotFound
        link = await mailed_links.make_link(services, workspace, everybody[user_id], HANDED_LINK_LIFE)
    return await _render_people(request, password_link=(everybody[user_id].name, link))


async def remove_colleague(request: PageRequest) -> Response:
    """Delete a colleague's account with its sessions and connected apps; an own one goes under Profile."""
    request.require_owner()
    await request.read_form()
    user_id = request.http.path_params["user_id"]
    if user_id == request.signed_in.user_id:
        return await _render_people(request, faults={"role": "You leave the company under Profile."})
    async with request.transaction() as workspace:
        if not await workspace.colleagues.remove(user_id):
            raise PageNotFound
    return request.redirect("/settings/people?removed=1")


async def withdraw_invitation(request: PageRequest) -> Response:
    """Take an invitation back."""
    request.require_owner()
    await request.read_form()
    async with request.transaction() as workspace:
        if not await workspace.invitations.withdraw(request.http.path_params["invitation_id"]):
            raise PageNotFound
    return request.redirect("/settings/people")


async def _render_people(
    request: PageRequest,
    *,
    link: str | None = None,
    password_link: tuple[str, str] | None = None,
    faults: dict[str, str] | None = None,
    email: str = "",
) -> Response:
    """Show the page, with the link that was just made or what was wrong with the wish for one.

    `password_link` is a colleague's name and the address where they choose a new password.
    """
    workspace = request.workspace
    return request.render(
        "accounts/people.html",
        422 if faults else 200,
        colleagues=await workspace.colleagues.all(),
        invitations=await workspace.invitations.all(),
        link=link,
        password_link=password_link,
        removed=request.http.query_params.get("removed") == "1",
        mailed=request.services.outbox is not None,
        email=email,
        faults=faults or {},
    )
