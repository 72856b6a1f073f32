"""What a company is told, to read and to mark as read, and its open issues, to look into and to dismiss."""

from starlette.responses import Response

from web.brands import page_number
from web.errors import NotHere
from web.visit import Visit

A_PAGE = 50


async def notifications(visit: Visit) -> Response:
    """List the notifications, newest first; the tool gives them."""
    number = page_number(visit.request.query_params.get("page"))
    found = await visit.ask("list_notifications", limit=A_PAGE, offset=(number - 1) * A_PAGE)
    unread = await visit.ask("list_notifications", limit=1, onlyUnread=True)
    if found is None or unread is None:
        raise NotHere
    return visit.page(
        "notifications.html",
        notifications=found["notifications"],
        unread=unread["total"],
        number=number,
        pages=pages_of(found["total"]),
    )


async def mark_read(visit: Visit) -> Response:
    """Mark one notification as read; one that is read already stays so."""
    await visit.fields()
    notification_id = visit.request.path_params["notification_id"]
    async with visit.site.database.transaction(visit.signed.company_id) as workspace:
        await workspace.notifications.mark_read(notification_id, visit.site.now())
    return visit.go("/notifications")


async def mark_all_read(visit: Visit) -> Response:
    """Mark every notification as read."""
    await visit.fields()
    async with visit.site.database.transaction(visit.signed.company_id) as workspace:
        await workspace.notifications.mark_read(None, visit.site.now())
    return visit.go("/notifications")


async def issues(visit: Visit) -> Response:
    """List the open issues, worst first, with what they rest on."""
    number = page_number(visit.request.query_params.get("page"))
    workspace = visit.site.database.workspace(visit.signed.company_id)
    found, total = await workspace.issues.page(A_PAGE, (number - 1) * A_PAGE)
    return visit.page("issues.html", issues=found, total=total, number=number, pages=pages_of(total))


async def dismiss(visit: Visit) -> Response:
    """Dismiss an issue: it comes back only when it gets worse."""
    await visit.fields()
    issue_id = visit.request.path_params["issue_id"]
    async with visit.site.database.transaction(visit.signed.company_id) as workspace:
        if not await workspace.issues.dismiss(issue_id):
            raise NotHere
    return visit.go("/issues")


def pages_of(total: int) -> int:
    """Return how many pages a list has; an empty one has one."""
    return max(1, -(-total // A_PAGE))
