"""Rank the findings of a checkup by the points that fixing them would gain."""

from collections.abc import Iterator

from measurement.alerts.issues import IssueObservation, Severity
from readiness.checks.catalog import CATALOG
from readiness.checks.check import CheckStatus, Group
from readiness.report.document import CheckResult, Report
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.outputs.site import CheckupOrder, SiteProfile
from workflows.agents.site import checks_of, failing_checks, report_of

SHOWN = 3
GATES = frozenset(check.id for check in CATALOG if check.gate)


async def run(work: Work) -> Result:
    """Report the scan's warnings and failures, highest gain first, or say that there is no scan.

    Failed checks become issues. Users are notified at once only of a failed gate; monitors cover the rest.
    """
    profile = work.output(SiteProfile)
    report = await report_of(work)
    if report is None:
        return Result(CheckupOrder(), "There is no readiness report. The other agents explain why.")
    gains = {fix.checkId: fix.gain for fix in report.topFixes}
    bad = failing_checks(report)
    numbers = {check.id: number for number, check in enumerate(bad)}
    findings = tuple(finding(check, gains.get(check.id)) for check in bad)
    raised = tuple(
        (observation, numbers[observation.check_id] if observation.bad is not None else None)
        for observation in observations(report)
    )
    failed = sum(check.status is CheckStatus.FAIL for check in bad)
    partly = len(bad) - failed
    order = tuple(check.id for check in bad)
    output = CheckupOrder(report_id=report.reportId, url=profile.url, order=order)
    summary = f"{numbered(failed, 'check')} failed, {partly} hold{'s' if partly == 1 else ''} in part."
    return Result(output, summary if bad else "Every check that applies holds.", findings, raised=raised)


def finding(check: CheckResult, gain: int | None) -> FindingDraft:
    """Return one check as a finding."""
    worth = f" Fixing it is worth {numbered(gain, 'point')} of the readiness score." if gain else ""
    return FindingDraft(
        severity_of(check),
        "readiness",
        f"{check.title}: {'fails' if check.status is CheckStatus.FAIL else 'holds in part'}",
        f"The rule: {check.rule}.{worth} To repeat it: {check.reproduce}",
        evidence_of(check),
        fix=check.fix,
        effort="small" if check.group == Group.TECHNICAL.value else "medium",
        check_id=check.id,
    )


def observations(report: Report) -> Iterator[IssueObservation]:
    """Yield what a report means for issues: a failure is bad, a pass or partial pass is clean, the rest unknown."""
    for check in checks_of(report):
        if not check.weight or check.status in (CheckStatus.UNKNOWN, CheckStatus.NOT_APPLICABLE):
            continue
        if check.status is not CheckStatus.FAIL:
            yield IssueObservation("readiness", check.id, report.host)
            continue
        yield IssueObservation(
            "readiness",
            check.id,
            report.host,
            f"Readiness: {check.title} fails",
            severity_of(check),
            check.evidence[0].url if check.evidence else report.finalUrl,
            evidence_of(check),
            silent=check.id not in GATES,
        )


def severity_of(check: CheckResult) -> Severity:
    """Return the severity of a check that does not pass."""
    if check.status is not CheckStatus.FAIL:
        return "info"
    return "critical" if check.id in GATES else "warning"


def evidence_of(check: CheckResult) -> list[StoredEvidence]:
    """Return the evidence of a check as findings store it."""
    return [
        StoredEvidence(type="page", url=item.url, excerpt=item.seen or f"status {item.statusCode}")
        for item in check.evidence[:SHOWN]
    ]
