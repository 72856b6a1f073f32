"""The pages of people and their clients: colleagues and invitations, connected apps, the own profile."""

from starlette.responses import Response

from web import accounts
from web.accounts import Refused, name_fault
from web.errors import NotHere
from web.visit import Visit


async def people(visit: Visit) -> Response:
    """List colleagues and open invitations."""
    return await people_page(visit)


async def invite(visit: Visit) -> Response:
    """Make an invitation and show its link, this once."""
    visit.require_owner()
    typed = await visit.fields()
    try:
        link = await accounts.invite(
            visit.site,
            visit.signed.company_id,
            typed.get("email", ""),
            typed.get("role", "member"),
            visit.signed.user_id,
        )
    except Refused as refused:
        return await people_page(visit, faults=refused.faults, email=typed.get("email", ""))
    return await people_page(visit, link=link, email=typed.get("email", ""))


async def withdraw(visit: Visit) -> Response:
    """Take an invitation back."""
    visit.require_owner()
    await visit.fields()
    async with visit.site.database.transaction(visit.signed.company_id) as workspace:
        if not await workspace.invitations.withdraw(visit.request.path_params["invitation_id"]):
            raise NotHere
    return visit.go("/settings/people")


async def people_page(
    visit: Visit, *, link: str | None = None, faults: dict[str, str] | None = None, email: str = ""
) -> Response:
    """Show the page, with the link that was just made or what was wrong with the wish for one."""
    workspace = visit.site.database.workspace(visit.signed.company_id)
    return visit.page(
        "people.html",
        422 if faults else 200,
        colleagues=await workspace.colleagues.all(),
        invitations=await workspace.invitations.all(),
        link=link,
        email=email,
        faults=faults or {},
    )


async def apps(visit: Visit) -> Response:
    """List the clients that were let in."""
    found = await visit.site.connected_apps.of_company(visit.signed.company_id)
    return visit.page("apps.html", apps=found, oauth=visit.site.oauth)


async def revoke_app(visit: Visit) -> Response:
    """Shut a client out."""
    await visit.fields()
    if not await visit.site.connected_apps.revoke(
        visit.signed.company_id, visit.request.path_params["app_id"]
    ):
        raise NotHere
    return visit.go("/settings/apps")


async def profile(visit: Visit) -> Response:
    """Show who one is."""
    return await profile_page(visit)


async def rename(visit: Visit) -> Response:
    """Change the own name."""
    typed = await visit.fields()
    name = typed.get("name", "")
    if fault := name_fault(name):
        return await profile_page(visit, faults={"name": fault})
    async with visit.site.database.operation() as operators:
        await operators.users.rename(visit.signed.user_id, name)
    return visit.go("/settings/profile")


async def change_password(visit: Visit) -> Response:
    """Change the password: every session of the person ends, and this browser gets a new one."""
    typed = await visit.fields()
    try:
        user = await accounts.change_password(visit, typed.get("present", ""), typed.get("password", ""))
    except Refused as refused:
        return await profile_page(visit, faults=refused.faults)
    response = visit.go("/settings/profile?changed=password")
    await visit.site.sessions.start(visit.request, response, user)
    return response


async def profile_page(visit: Visit, *, faults: dict[str, str] | None = None) -> Response:
    """Show the page; plan and credits only where credits are counted."""
    return visit.page(
        "profile.html",
        422 if faults else 200,
        credits=await visit.ask("get_credits"),
        changed=visit.request.query_params.get("changed") == "password",
        faults=faults or {},
    )
