"""The page of notifications, to read and to mark as read; those that are alike are folded."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from web.errors import PageNotFound
from web.layout.pagination import count_pages, parse_page_number
from web.notifications.choices_page import WORDS
from web.request import PageRequest
from web.table_export import list_response

PAGE_SIZE = 50
FILE_COLUMNS = ("when", "kind", "severity", "title", "message", "read", "page")
QUOTED = re.compile(r"“[^“”]{0,400}”")


@dataclass(frozen=True, slots=True)
class FoldedNotification:
    """The newest of some notifications that are alike, and the others."""

    newest: dict[str, Any]
    others: tuple[dict[str, Any], ...]


def fold(notifications: Sequence[dict[str, Any]]) -> list[FoldedNotification]:
    """Fold notifications of one kind and brand whose titles differ in what they quote alone; the newest leads."""
    groups: dict[tuple[object, ...], list[dict[str, Any]]] = {}
    for notification in notifications:
        title = QUOTED.sub("“…”", notification["title"])
        alike = (
            notification["kind"],
            notification["brandId"],
            notification["read"],
            title,
        )
        groups.setdefault(alike, []).append(notification)
    return [FoldedNotification(group[0], tuple(group[1:])) for group in groups.values()]


async def show_notifications(request: PageRequest) -> Response:
    """List the notifications, newest first; the tool gives them."""
    number = parse_page_number(request.http.query_params.get("page"))
    listed = await request.call_tool("list_notifications", limit=PAGE_SIZE, offset=(number - 1) * PAGE_SIZE)
    unread = await request.call_tool("list_notifications", limit=1, onlyUnread=True)
    if listed is None or unread is None:
        raise PageNotFound
    return request.render(
        "notifications/notifications.html",
        notifications=fold(listed["notifications"]),
        kinds={kind: title for kind, (title, _) in WORDS.items()},
        unread=unread["total"],
        number=number,
        pages=count_pages(listed["total"], PAGE_SIZE),
    )


async def export_notifications(request: PageRequest) -> Response:
    """Give all notifications as CSV or JSON, newest first, each by itself."""

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return await request.call_for_file("list_notifications", limit=limit, offset=offset)

    base = request.services.base_url

    def row_of(notification: dict[str, Any]) -> tuple[object, ...]:
        return (
            notification["createdAt"],
            notification["kind"],
            notification["severity"],
            notification["title"],
            notification["message"],
            "yes" if notification["read"] else "no",
            f"{base}{notification['path']}" if notification["path"] else None,
        )

    return await list_response(
        request.http.url.path, "notifications", FILE_COLUMNS, load, "notifications", row_of
    )


async def mark_read(request: PageRequest) -> Response:
    """Mark a notification as read, with those that are folded under it; one that is read already stays so."""
    typed = await request.read_form()
    wanted = [request.http.path_params["notification_id"], *typed.get("others", "").split()[:PAGE_SIZE]]
    async with request.database.transaction(request.signed_in.company_id) as workspace:
        for notification_id in wanted:
            await workspace.notifications.mark_read(notification_id, request.services.now())
    return request.redirect("/notifications")


async def mark_all_read(request: PageRequest) -> Response:
    """Mark every notification as read."""
    await request.read_form()
    async with request.database.transaction(request.signed_in.company_id) as workspace:
        await workspace.notifications.mark_read(None, request.services.now())
    return request.redirect("/notifications")
