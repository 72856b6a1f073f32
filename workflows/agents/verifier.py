"""Runs the checks that failed again and says which of them hold now."""

from readiness.checks.check import CREDIT
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
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
    compared = [
        {"checkId": check.id, "before": check.status.value, "after": now[check.id].status.value}
        for check in checks_of(before)
        if check.id in work.outputs["evidence_loader"]["failed"]
    ]
    mended = [check for check in compared if check["after"] == "pass"]
    unseen = [check for check in compared if check["after"] not in CREDIT]
    titles = {check.id: check.title for check in now.values()}
    findings = tuple(
        FindingDraft(
            "info",
            "readiness",
            f"{titles[check['checkId']]}: {check['before']} before, {check['after'].replace('_', ' ')} now",
            "The same check was run again on the site as it is now; proposals count once they are published.",
            [{"type": "report", "id": before.reportId, "excerpt": check["before"]},
             {"type": "report", "id": after.reportId, "excerpt": check["after"]}],
            check_id=check["checkId"],
        )
        for check in compared
    )  # fmt: skip
    output = {"reportId": after.reportId, "compared": compared}
    summary = f"{len(mended)} of {len(compared)} checks hold now, {len(unseen)} could not be seen."
    return Result(output, summary, findings)
