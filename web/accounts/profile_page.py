"""The page of the own profile: name, password, plan and credits, and the name of the workspace."""

from starlette.responses import Response

from tools.calls.wire import SYNTHETIC_COMPANY
from web.accounts import accounts
from web.accounts.accounts import AccountRefusal, name_fault
from web.errors import InvalidForm
from web.request import PageRequest
from web.security.browsers import THEMES


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


async def choose_theme(request: PageRequest) -> Response:
    """Keep the theme for this browser."""
    typed = await request.read_form()
    chosen = typed.get("theme", "")
    if chosen not in THEMES:
        raise InvalidForm
    response = request.redirect("/settings/profile")
    if chosen:
        request.services.theme.write(response, chosen)
    else:
        request.services.theme.erase(response)
    return response


async def rename_workspace(request: PageRequest) -> Response:
    """Call the workspace otherwise; owners only. Sample data keeps the name by which it is known as such."""
    request.require_owner()
    typed = await request.read_form()
    name, present = typed.get("workspace", "").strip(), request.signed_in.company_name
    fault = name_fault(name)
    if name != present and SYNTHETIC_COMPANY in (name, present):
        fault = "This name is reserved for synthetic sample data."
    if fault:
        return await _render_profile(request, faults={"workspace": fault}, workspace=name)
    async with request.services.database.operation() as operators:
        await operators.companies.rename(request.signed_in.company_id, name)
    return request.redirect("/settings/profile?changed=workspace")


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


async def _render_profile(
    request: PageRequest, *, faults: dict[str, str] | None = None, workspace: str | None = None
) -> Response:
    return request.render(
        "accounts/profile.html",
        422 if faults else 200,
        credits=await request.call_tool("get_credits"),
        themes=THEMES,
        changed=request.http.query_params.get("changed"),
        workspace=request.signed_in.company_name if workspace is None else workspace,
        faults=faults or {},
    )
