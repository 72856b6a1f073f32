"""Alerts of rules that people set: a metric of a brand fell below or rose above a threshold."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from storage.repositories.alert_rules import AlertRule
from storage.repositories.brands import Brand
from storage.repositories.mails import MailDraft
from storage.repositories.notifications import NotificationDraft
from storage.workspace import Workspace

Words = Callable[[float], str]


def _decimal(value: float) -> str:
    return f"{value:.1f}"


def _percent(value: float) -> str:
    return f"{100 * value:.0f}%"


METRICS: Mapping[str, tuple[str, Words]] = {
    "visibilityScore": ("Visibility score", _decimal),
    "shareOfVoice": ("Share of voice", _percent),
    "citationRate": ("Citation rate", _percent),
    "averagePosition": ("Average rank", _decimal),
}
"""The metrics that rules can watch, with their names and how values are written."""
CROSSED: Mapping[str, str] = {"below": "fell below", "above": "rose above"}
RECENT = timedelta(days=7)
"""Older values are history that was imported, and raise no alert."""


async def check_rules(writing: Workspace, brand: Brand, revision_key: int, now: datetime) -> None:
    """Compare a brand's newest values with its rules, and notify where a threshold was crossed just now."""
    for rule in await writing.alert_rules.of_brand(brand.key):
        newest = await writing.trend_points.newest_value(revision_key, rule.metric, now.date() - RECENT)
        if newest is None:
            continue
        crossed = rule.is_crossed_by(newest[0])
        if crossed == rule.crossed:
            continue
        await writing.alert_rules.note(rule.id, crossed=crossed)
        if crossed:
            await _notify(writing, brand, rule, newest[0], now)


async def _notify(writing: Workspace, brand: Brand, rule: AlertRule, value: float, now: datetime) -> None:
    title, words = METRICS[rule.metric]
    draft = NotificationDraft(
        kind="ai_mention",
        severity="warning",
        title=f"{title} of {brand.name} {CROSSED[rule.direction]} {words(rule.threshold)}",
        message=f"The latest measurement is {words(value)}. The trend shows whether the change is significant.",
        dedup_key=f"alert_rule:{rule.id}:{now.isoformat()}",
        brand_key=brand.key,
        path=f"/brands/{brand.id}?metric={rule.metric}",
    )
    await writing.notifications.add(draft, now)
    if rule.email and rule.author_id is not None and rule.author_email is not None:
        content = {name: getattr(draft, name) for name in ("kind", "severity", "title", "message", "path")}
        # The key of the e-mail that the author may have chosen for all notifications of this kind: sent once.
        key = f"alert:{draft.dedup_key}:{rule.author_id}"
        await writing.mails.queue([MailDraft("alert", rule.author_email, content, key, rule.author_id)], now)
