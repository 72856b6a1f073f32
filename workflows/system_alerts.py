"""What the service tells of itself: low credits, engines that refuse, monitors that are late."""

from datetime import datetime

from storage.repositories.notifications import NotificationDraft
from workflows.credits import Balance, period_of

LOW = 0.1
"""Share of a month's credits under which people are warned."""


def low_credits(balance: Balance, now: datetime) -> NotificationDraft | None:
    """Tell, once a month, that under a tenth of the credits is left; None while there is more."""
    whole = balance.plan.credits + balance.granted
    if balance.available >= LOW * whole:
        return None
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{balance.available} of {whole} credits are left this month",
        message=f"Workflows are refused when they cost more. The credits are full again on {balance.reset.date()}.",
        dedup_key=f"system_alert:credits:{period_of(now)}",
    )


def monitors_overdue(now: datetime) -> NotificationDraft:
    """Tell, once a day and company, that monitors have not looked for more than two of their periods.

    Where nothing executes monitors, all those of all brands are late at once, for one reason.
    """
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title="Monitors are overdue",
        message="At least one has not looked for more than two days. Is a process running that executes workflows and "
        "monitors? The monitors of each brand say when they looked last.",
        dedup_key=f"system_alert:overdue:{now.date().isoformat()}",
        path="/automation",
    )
