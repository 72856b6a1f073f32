"""The page of shared reports: which links are open, until when, and their revocation."""

from starlette.responses import Response

from web.errors import PageNotFound
from web.request import PageRequest


async def show_shared_reports(request: PageRequest) -> Response:
    """List the shared reports of the company; their links are shown only once, when they are made."""
    workspace = request.services.database.workspace(request.signed_in.company_id)
    return request.render("overview/shared_reports.html", shared=await workspace.shared_reports.all())


async def revoke_shared_report(request: PageRequest) -> Response:
    """End a link at once."""
    await request.read_form()
    async with request.database.transaction(request.signed_in.company_id) as workspace:
        if not await workspace.shared_reports.revoke(request.http.path_params["report_id"]):
            raise PageNotFound
    return request.redirect("/settings/shared")
