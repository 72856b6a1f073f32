"""Notifications about engines that only a person can make work again."""

from datetime import datetime

from storage.repositories.notifications import NotificationDraft

REFUSALS = {
    "provider_not_configured": "has no credential",
    "provider_auth": "refuses the credential",
    "provider_quota": "has no quota left",
}
"""Failures of an engine that only a person can mend."""


def engine_refused(platform: str, code: str, now: datetime) -> NotificationDraft:
    """Tell, once a day, that a platform's credential is missing, refused or exhausted."""
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{platform} {REFUSALS[code]}",
        message="Nothing is measured there until this is mended. Check the engine's account and its key.",
        dedup_key=f"system_alert:engine:{platform}:{now.date().isoformat()}",
        path="/settings/engines",
    )
