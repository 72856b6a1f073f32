"""What changed between two reports of one site: scores, and every check whose answer is another one."""

from dataclasses import dataclass

from readiness.checks.check import CheckStatus
from readiness.report.document import CheckResult, Report

COUNTED = (CheckStatus.PASS, CheckStatus.WARN, CheckStatus.FAIL)
RANK = {CheckStatus.FAIL: 0, CheckStatus.WARN: 1, CheckStatus.PASS: 2}
OTHER_MODEL = (
    "The reports were made by models that do not compare; their scores and answers say nothing of a change."
)
OTHER_SITE = "The reports are about two addresses; side by side they show no change."


@dataclass(frozen=True, slots=True)
class GroupScoreChange:
    """A group's score in both reports; None where it had none."""

    title: str
    before: int | None
    after: int | None

    @property
    def points(self) -> int | None:
        """By how many points it rose or fell; None where one report has no score."""
        return self.after - self.before if self.before is not None and self.after is not None else None


@dataclass(frozen=True, slots=True)
class CheckChange:
    """One check with both answers; `kind` is improved, worse, now_seen or no_longer_seen."""

    kind: str
    before: CheckResult
    after: CheckResult


@dataclass(frozen=True, slots=True)
class ReportDifference:
    """The changes; `reason` says why two reports do not compare, and then there are none."""

    reason: str | None
    scores: tuple[GroupScoreChange, ...] = ()
    checks: tuple[CheckChange, ...] = ()


def compare_reports(before: Report, after: Report) -> ReportDifference:
    """Compare two reports of one address whose models have equal MAJOR and MINOR."""
    if _model(before) != _model(after):
        return ReportDifference(OTHER_MODEL)
    if before.host != after.host:
        return ReportDifference(OTHER_SITE)
    scores = [GroupScoreChange("Overall", before.overall.score, after.overall.score)]
    scores += [
        GroupScoreChange(title, old.score, new.score)
        for (title, old), (_, new) in zip(before.groups(), after.groups(), strict=True)
    ]
    earlier = {check.id: check for check in _checks(before)}
    changes = [
        CheckChange(kind, earlier[check.id], check)
        for check in _checks(after)
        if check.id in earlier and (kind := _kind(earlier[check.id].status, check.status))
    ]
    order = ("worse", "improved", "now_seen", "no_longer_seen")
    changes.sort(key=lambda change: (order.index(change.kind), -change.after.weight))
    return ReportDifference(None, tuple(scores), tuple(changes))


def _model(report: Report) -> list[str]:
    return report.modelVersion.rsplit("/", 1)[-1].split(".")[:2]


def _checks(report: Report) -> list[CheckResult]:
    return [*(check for _, group in report.groups() for check in group.checks), *report.emerging]


def _kind(before: CheckStatus, after: CheckStatus) -> str:
    """What became of an answer; an answer that was not seen is neither better nor worse than one that was."""
    if before is after:
        return ""
    if before in COUNTED and after in COUNTED:
        return "improved" if RANK[after] > RANK[before] else "worse"
    if after in COUNTED:
        return "now_seen"
    return "no_longer_seen" if before in COUNTED else ""
