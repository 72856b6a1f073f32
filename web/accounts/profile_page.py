"""The page of the own profile: name, password, plan and credits."""

from starlette.responses import Response

from web.accounts import accounts
from web.accounts.accounts import AccountRefusal, name_fault
from web.request import PageRequest


async def show_profile(request: PageRequest) -> Response:
    """Show the profile."""
    return await _render_profile(request)


async def change_name(request: PageRequest) -> Response:
    """Change the own name."""
    typed = await request.read_form()
    name = typed.get("name", "")
    if fault := name_fault(name):
        return await _render_profile(request, faults={"name": fault})
    async with request.services.database.operation() as operators:
        await operators.users.rename(request.signed_in.user_id, name)
    return request.redirect("/settings/profile")


async def change_password(request: PageRequest) -> Response:
    """Change the password: every session of the person ends, and this browser gets a new one."""
    typed = await request.read_form()
    try:
        user = await accounts.change_password(request, typed.get("present", ""), typed.get("password", ""))
    except AccountRefusal as refused:
        return await _render_profile(request, faults=refused.faults)
    response = request.redirect("/settings/profile?changed=password")
    await request.services.sessions.start(request.http, response, user)
    return response


async def leave_company(request: PageRequest) -> Response:
    """Delete the own account, and lead to the page that signs in; the company's last owner stays."""
    typed = await request.read_form()
    try:
        await accounts.leave_company(request, typed.get("leaving", ""))
    except AccountRefusal as refused:
        return await _render_profile(request, faults=refused.faults)
    response = request.redirect("/auth/login?left=1")
    await request.services.sessions.end(request.http, response)
    return response


async def _render_profile(request: PageRequest, *, faults: dict[str, str] | None = None) -> Response:
    """Show the page; plan and credits only where credits are counted."""
    return request.render(
        "accounts/profile.html",
        422 if faults else 200,
        credits=await request.call_tool("get_credits"),
        changed=request.http.query_params.get("changed") == "password",
        faults=faults or {},
    )
