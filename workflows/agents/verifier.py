"""Runs the checks that failed again and says which of them hold now."""

from readiness.checks.check import CREDIT, CheckStatus
from storage.documents.evidence import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.gaps import VisibilityEvidence
from workflows.agents.outputs.site import ComparedCheck, SiteVerification
from workflows.agents.site import checks_of, own_site_of, report_of, scan_site
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Scan again, privately, and compare check by check. Fails with `no_input` without an earlier report."""
    before = await report_of(work)
    if before is None:
        raise AgentFailed("no_input")
    url, own = await own_site_of(work)
    after = await scan_site(work, url, public=False, probe=own)
    now = {check.id: check for check in checks_of(after)}
    failed = work.output(VisibilityEvidence).failed
    compared = tuple(
        ComparedCheck(check_id=check.id, before=check.status, after=now[check.id].status)
        for check in checks_of(before)
        if check.id in failed
    )
    mended = [check for check in compared if check.after is CheckStatus.PASS]
    unseen = [check for check in compared if check.after not in CREDIT]
    titles = {check.id: check.title for check in now.values()}
    findings = tuple(
        FindingDraft(
            "info",
            "readiness",
            f"{titles[check.check_id]}: {check.before.value} before, {check.after.value.replace('_', ' ')} now",
            "The same check was run again on the site as it is now; proposals count once they are published.",
            [StoredEvidence(type="report", id=before.reportId, excerpt=check.before.value),
             StoredEvidence(type="report", id=after.reportId, excerpt=check.after.value)],
            check_id=check.check_id,
        )
        for check in compared
    )  # fmt: skip
    output = SiteVerification(report_id=after.reportId, compared=compared)
    summary = f"{len(mended)} of {len(compared)} checks hold now, {len(unseen)} could not be seen."
    return Result(output, summary, findings)
