"""The page of open issues, to look into and to dismiss; of one brand and kind where a notification leads here."""

from typing import get_args
from urllib.parse import urlencode

from starlette.responses import Response

from measurement.alerts.issues import Kind
from web.errors import PageNotFound
from web.request import PageRequest
from web.view_filters import count_pages, parse_page_number

PAGE_SIZE = 50


async def show_issues(request: PageRequest) -> Response:
    """List the open issues, worst first, with what they rest on."""
    asked = request.http.query_params
    number = parse_page_number(asked.get("page"))
    workspace = request.services.database.workspace(request.signed_in.company_id)
    brand = await workspace.brands.find(asked.get("brand", "")) if asked.get("brand") else None
    kind = asked.get("kind", "") if asked.get("kind") in get_args(Kind) else ""
    brand_id = brand.id if brand else ""
    issues, total = await workspace.issues.page(PAGE_SIZE, (number - 1) * PAGE_SIZE, brand_id, kind)
    wanted = urlencode({name: value for name, value in (("brand", brand_id), ("kind", kind)) if value})
    return request.render(
        "notifications/issues.html",
        issues=issues,
        address=f"/issues?{wanted}" if wanted else "/issues",
        only_brand=brand.name if brand else None,
        only_kind=kind,
        total=total,
        number=number,
        pages=count_pages(total, PAGE_SIZE),
    )


async def dismiss_issue(request: PageRequest) -> Response:
    """Dismiss an issue: it comes back only when it gets worse."""
    await request.read_form()
    issue_id = request.http.path_params["issue_id"]
    async with request.database.transaction(request.signed_in.company_id) as workspace:
        if not await workspace.issues.dismiss(issue_id):
            raise PageNotFound
    return request.redirect("/issues")
