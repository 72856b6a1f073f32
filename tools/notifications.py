"""The notification tool: alerts of the company."""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from tools.calls.call import ThisCall
from tools.calls.parameters import Limit, Offset
from tools.calls.table import ToolFamily
from tools.calls.wire import ListWindow, Page, Wire, place_of, untrusted_fields

family = ToolFamily()

OnlyUnread = Annotated[bool, Field(description="Leave out read ones.")]


class NotificationView(Wire):
    """One alert."""

    id: str
    brandId: str | None
    kind: str = Field(description="bot_access, crawler_error, content_gap, ai_mention or system_alert.")
    severity: str
    title: str
    message: str
    issueId: str | None = Field(
        description="The issue it speaks of; get_monitoring_results lists it while open."
    )
    runId: str | None = Field(description="The run it speaks of; feeds get_run_status.")
    path: str | None = Field(description="Page of this service that shows more.")
    read: bool
    createdAt: datetime


class Notifications(Page):
    """A page of alerts, newest first."""

    window = ListWindow("notifications")

    notifications: list[NotificationView]
    untrusted: list[str] = untrusted_fields("notifications[].title", "notifications[].message")


@family.read("List notifications")
async def list_notifications(
    call: ThisCall, limit: Limit = 20, offset: Offset = 0, onlyUnread: OnlyUnread = False
) -> Notifications:
    """Return the company's alerts, newest first. For the monitors of one brand use get_monitoring_results."""
    workspace = await call.workspace()
    notifications, total = await workspace.notifications.page(onlyUnread, limit, offset)
    return Notifications(
        notifications=[
            NotificationView(
                id=notification.id,
                brandId=notification.brand_id,
                kind=notification.kind,
                severity=notification.severity,
                title=notification.title,
                message=notification.message,
                issueId=notification.issue_id,
                runId=notification.run_id,
                path=notification.path,
                read=notification.read_at is not None,
                createdAt=notification.created_at,
            )
            for notification in notifications
        ],
        **place_of(total, limit, offset),
    )
