"""Reports each night the effect of actions that were completed 7 and 28 days ago."""

import logging
from datetime import UTC, datetime, time

from measurement.planning.clock import Clock
from measurement.planning.schedules import repeat_nightly
from measurement.statistics.interventions import (
    EARLY_DAYS,
    MOST_ACTIONS,
    VERDICT_DAYS,
    InterventionReport,
    report_intervention,
)
from storage.database import Database
from storage.repositories.actions import Action, ActionChoice
from storage.repositories.brands import Brand, MeasuredBrand
from storage.repositories.notifications import NotificationDraft

log = logging.getLogger(__name__)

HOUR = time(4, 11)
GRACE_DAYS = 3
"""Days for which a missed check is still made."""
EVER = datetime(1970, 1, 1, tzinfo=UTC)


class InterventionChecks:
    """Checks completed actions nightly, in one of all processes; each effect is reported once."""

    def __init__(self, database: Database, now: Clock) -> None:
        self._database = database
        self._now = now

    async def run(self) -> None:
        """Check every night until cancelled."""
        await repeat_nightly(self._database, "intervention checks", HOUR, self._now, self.check_all)

    async def check_all(self) -> int:
        """Report every action that is due and return their number. A failure of one brand does not stop the others."""
        due = 0
        for measured in await self._database.operators.brands.measured(EVER):
            try:
                due += await self._check(measured)
            except Exception:
                log.exception("checking done actions of brand %s", measured.id)
        return due

    async def _check(self, measured: MeasuredBrand) -> int:
        workspace = self._database.workspace(measured.company_id)
        brand = await workspace.brands.find(measured.id)
        if brand is None or brand.archived_at is not None:
            return 0
        done, _ = await workspace.actions.page(brand.key, ActionChoice("done"), MOST_ACTIONS, 0)
        due = [action for action in done if is_due(action, self._now())]
        for action in due:
            report = await report_intervention(workspace, brand, action, self._now())
            if report is not None:
                async with self._database.transaction(measured.company_id) as writing:
                    await writing.notifications.add(effect_notification(brand, action, report), self._now())
        return len(due)


def is_due(action: Action, now: datetime) -> bool:
    """Check whether an action was completed 7 or 28 days ago, or up to three days more."""
    if action.done_on is None:
        return False
    age = (now.date() - action.done_on).days
    return any(days <= age < days + GRACE_DAYS for days in (EARLY_DAYS, VERDICT_DAYS))


def effect_notification(brand: Brand, action: Action, report: InterventionReport) -> NotificationDraft:
    """Say what an action changed; a word such as rose or fell stands only where the interval excludes 0."""
    name = "Early result" if report.stage == "early" else "Verdict"
    return NotificationDraft(
        kind="system_alert",
        severity="info",
        title=f"{name} on an action for {brand.name}: {effect_words(report)}",
        message=f'The action "{action.title}" was done on {report.done_on}. {explanation(report)}',
        dedup_key=f"system_alert:intervention:{action.id}:{report.done_on}:{report.stage}",
        brand_key=brand.key,
        path=f"/brands/{brand.id}/actions?state=done&effect={action.id}#{action.id}",
    )


def effect_words(report: InterventionReport) -> str:
    """Return the effect in a few words."""
    effect = report.effect
    if effect is None or effect.verdict == "not_comparable":
        return "its effect cannot be measured"
    if effect.verdict == "no_effect_found":
        return "no effect found"
    return f"its prompts {effect.verdict} by {abs(effect.effect or 0):.1f} points"


def statement_of_effect(report: InterventionReport) -> str:
    """Return the stage, the effect in a few words, and the numbers behind it."""
    if report.stage == "waiting":
        return explanation(report)
    name = "Early result" if report.stage == "early" else "Verdict"
    return f"{name}: {effect_words(report)}. {explanation(report)}"


def count_words(prompts: int) -> str:
    """Return how many prompts an action is about."""
    return f"{prompts} prompt{'' if prompts == 1 else 's'}"


def explanation(report: InterventionReport) -> str:
    """Return the numbers behind the effect, or why there are none."""
    effect = report.effect
    if report.stage == "waiting":
        return f"Done on {report.done_on}. Early result on {report.next_look}."
    if effect is None or effect.effect is None or effect.interval is None:
        return REASONS.get(
            (effect.reason or "") if effect else "", "The periods before and after cannot be compared."
        )
    assert effect.treated is not None
    assert effect.untreated is not None
    later = "" if report.next_look is None else f" Verdict on {report.next_look}."
    return (
        f"Its {count_words(effect.treated.prompts)} changed by {100 * effect.treated.delta:+.1f} points and "
        f"{effect.untreated.prompts} untreated ones by {100 * effect.untreated.delta:+.1f}: a difference of "
        f"{effect.effect:+.1f} (95% CI {effect.interval[0]:.1f} to {effect.interval[1]:.1f}).{later}"
    )


REASONS = {
    "no_treated_prompts": "No prompt of this action was measured both before and after it.",
    "no_untreated_prompts": "Fewer than three other prompts were measured both before and after it.",
    "insufficient_data": "No answers before or after. Run the prompt set at least once a week.",
}
