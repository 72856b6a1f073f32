"""The page of open issues, to look into and to dismiss."""

from starlette.responses import Response

from web.errors import PageNotFound
from web.layout.pagination import count_pages, parse_page_number
from web.request import PageRequest

PAGE_SIZE = 50


async def show_issues(request: PageRequest) -> Response:
    """List the open issues, worst first, with what they rest on."""
    number = parse_page_number(request.http.query_params.get("page"))
    workspace = request.services.database.workspace(request.signed_in.company_id)
    issues, total = await workspace.issues.page(PAGE_SIZE, (number - 1) * PAGE_SIZE)
    return request.render(
        "notifications/issues.html",
        issues=issues,
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
