"""Notifications and issues: lists, marking as read, dismissing, export, and email preferences."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args
from urllib.parse import urlencode

from starlette.responses import Response

from measurement.alerts.issues import Kind
from storage.repositories.notification_choices import (
    KINDS,
    MEANS,
    MONTHLY_REPORT,
    WEEKLY_REPORT,
    NotificationChoice,
)
from web.errors import PageNotFound
from web.request import PageRequest
from web.table_export import list_response
from web.view_filters import count_pages, parse_page_number

WORDS: Mapping[str, tuple[str, str]] = {
    "ai_mention": (
        "What engines say of you",
        "A competitor is named where you were, or an answer contradicts a fact.",
    ),
    "bot_access": ("Engines cannot read the site", "robots.txt or the site's protection blocks a bot."),
    "crawler_error": ("Broken pages", "A page that matters answers with an error."),
    "content_gap": ("Missing content", "Buyers ask something that nothing on the site answers."),
    "system_alert": ("Measuring itself", "A run failed, credits run out, an engine changed its model."),
    WEEKLY_REPORT: ("Weekly report", "On Mondays: how each brand stands and what changed."),
    MONTHLY_REPORT: ("Monthly report", "On the first of the month: the same for the month that ended."),
}
"""Name and description of each kind."""


async def show_choices(request: PageRequest) -> Response:
    """Show the user's notification preferences."""
    return await _render_choices(request)


async def save_choices(request: PageRequest) -> Response:
    """Store the user's own notification preferences. Viewers may also change theirs."""
    typed = await request.read_form()
    chosen = [
        NotificationChoice(kind, means) for kind in KINDS for means in MEANS if f"{kind}-{means}" in typed
    ]
    person = request.signed_in
    async with request.services.database.transaction(person.company_id) as workspace:
        await workspace.notification_choices.set_of_user(person.user_id, chosen)
    return request.redirect("/settings/notifications?saved=1")


async def _render_choices(request: PageRequest) -> Response:
    person = request.signed_in
    workspace = request.services.database.workspace(person.company_id)
    stored = await workspace.notification_choices.of_user(person.user_id)
    return request.render(
        "notifications/choices.html",
        kinds=[(kind, *WORDS[kind]) for kind in KINDS],
        chosen={(choice.kind, choice.means) for choice in stored},
        mailed=request.services.outbox is not None,
        saved=request.http.query_params.get("saved") == "1",
    )


PAGE_SIZE = 50
FILE_COLUMNS = ("when", "kind", "severity", "title", "message", "read", "page")
QUOTED = re.compile(r"“[^“”]{0,400}”")


@dataclass(frozen=True, slots=True)
class FoldedNotification:
    """The newest of several similar notifications, and the others."""

    newest: dict[str, Any]
    others: tuple[dict[str, Any], ...]


def fold(notifications: Sequence[dict[str, Any]]) -> list[FoldedNotification]:
    """Group notifications of one kind and brand whose titles differ only in quoted text, newest first."""
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
    """List the notifications, newest first."""
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
    """Export all notifications as CSV or JSON, newest first, one row each."""

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
    """Mark a notification and those grouped under it as read."""
    typed = await request.read_form()
    wanted = [request.http.path_params["notification_id"], *typed.get("others", "").split()[:PAGE_SIZE]]
    async with request.transaction() as workspace:
        for notification_id in wanted:
            await workspace.notifications.mark_read(notification_id, request.services.now())
    return request.redirect("/notifications")


async def mark_all_read(request: PageRequest) -> Response:
    """Mark every notification as read."""
    await request.read_form()
    async with request.transaction() as workspace:
        await workspace.notifications.mark_read(None, request.services.now())
    return request.redirect("/notifications")


async def show_issues(request: PageRequest) -> Response:
    """List the open issues with their evidence, most severe first."""
    asked = request.http.query_params
    number = parse_page_number(asked.get("page"))
    workspace = request.workspace
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
    """Dismiss an issue. It comes back only when it gets worse."""
    await request.read_form()
    issue_id = request.http.path_params["issue_id"]
    async with request.transaction() as workspace:
        if not await workspace.issues.dismiss(issue_id):
            raise PageNotFound
    return request.redirect("/issues")
