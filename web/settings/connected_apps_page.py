"""The page of connected apps: clients that were let in, and their revocation."""

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest


async def show_apps(request: PageRequest) -> Response:
    """List the clients that were let in."""
    apps = await request.services.connected_apps.of_company(request.signed_in.company_id)
    return request.render("settings/connected_apps.html", apps=apps, oauth=request.services.oauth)


async def revoke_app(request: PageRequest) -> Response:
    """Shut a client out."""
    await request.read_form()
    if not await request.services.connected_apps.revoke(
        request.signed_in.company_id, request.http.path_params["app_id"], request.signed_in.role
    ):
        raise PageNotFound
    return request.redirect("/settings/apps")
