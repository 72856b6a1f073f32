"""Notifications about engines that only a person can make work again."""

from collections.abc import Mapping
from datetime import datetime

from measurement.planning.engine_names import platform_name
from storage.repositories.notifications import AlikeDrafts, NotificationDraft

REFUSALS = {
    "provider_not_configured": "has no credential",
    "provider_auth": "refuses the credential",
    "provider_quota": "has no quota left",
}
"""Failures of an engine that only a person can mend."""


PLACE = "/settings/engines"


def engines_refused(codes: Mapping[str, str], now: datetime) -> AlikeDrafts:
    """Tell of the platforms of one measurement that refused, each with its code, once a day."""
    return AlikeDrafts(
        [engine_refused(platform, code, now) for platform, code in codes.items()],
        lambda count: f"{count} engines answer nothing until a person mends it",
        PLACE,
    )


def engine_refused(platform: str, code: str, now: datetime) -> NotificationDraft:
    """Tell, once a day, that a platform's credential is missing, refused or exhausted."""
    return NotificationDraft(
        kind="system_alert",
        severity="warning",
        title=f"{platform_name(platform)} {REFUSALS[code]}",
        message="Nothing is measured there until this is mended. Check the engine's account and its key.",
        dedup_key=f"system_alert:engine:{platform}:{now.date().isoformat()}",
        path=PLACE,
    )
