"""Repeats the checks that failed before and reports which ones are fixed."""

from collections.abc import Iterable

from readiness.checks.check import CREDIT, CheckStatus
from readiness.report.document import Report
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.outputs.gaps import VisibilityEvidence
from workflows.agents.outputs.site import ComparedCheck, SiteVerification
from workflows.agents.site import checks_of, own_site_of, report_of, scan_site
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Compare what an earlier report found with the site as it is now. Fails with `no_input` without a report.

    A report of this run is not compared: what it proposes can have been published only after it. An action that is
    marked done has its check run again by schedule.
    """
    before = await report_of(work)
    if before is None:
        raise AgentFailed("no_input")
    failed = work.output(VisibilityEvidence).failed
    run_row = await work.workspace.runs.find(work.run_id)
    if run_row is None or before.scannedAt >= (run_row.started_at or run_row.created_at):
        output = SiteVerification(report_id=before.reportId, compared=())
        later = "what this run proposes is checked once it is published and its action is marked done"
        return Result(
            output, f"{numbered(len(failed), 'check')} not passed in the report of this run; {later}."
        )
    url, own = await own_site_of(work)
    after = await scan_site(work, url, public=False, probe=own)
    now = {check.id: check for check in checks_of(after)}
    compared = tuple(
        ComparedCheck(check_id=check.id, before=check.status, after=now[check.id].status)
        for check in checks_of(before)
        if check.id in failed
    )
    fixed = [check for check in compared if check.after is CheckStatus.PASS]
    unseen = [check for check in compared if check.after not in CREDIT]
    output = SiteVerification(report_id=after.reportId, compared=compared)
    summary = (
        f"Since {before.scannedAt:%Y-%m-%d} {len(fixed)} of {len(compared)} failing checks were fixed; "
        f"{len(compared) - len(fixed) - len(unseen)} still fail, {len(unseen)} could not be checked."
    )
    return Result(output, summary, tuple(changes(before, after, compared)))


def changes(before: Report, after: Report, compared: Iterable[ComparedCheck]) -> Iterable[FindingDraft]:
    """Yield a finding for each check whose status is another one now; what did not change is no news."""
    titles = {check.id: check.title for check in checks_of(after)}
    for check in compared:
        if check.after is check.before or check.after not in CREDIT:
            continue
        yield FindingDraft(
            "info",
            "readiness",
            f"{titles[check.check_id]}: {check.before.value} on {before.scannedAt:%Y-%m-%d}, {check.after.value} now",
            "The same check was run again on the site as it is now.",
            [
                StoredEvidence(type="report", id=before.reportId, excerpt=check.before.value),
                StoredEvidence(type="report", id=after.reportId, excerpt=check.after.value),
            ],
            check_id=check.check_id,
        )
