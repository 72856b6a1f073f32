"""Scans a brand's own site and stores the readiness report."""

from workflows.agents.agent import Result, Work
from workflows.agents.outputs.site import ReadinessScan
from workflows.agents.site import own_site_of, scan_site
from workflows.configurations import ScannerConfiguration


async def run(work: Work) -> Result:
    """Scan; bot headers are tried when the brand's domains vouch for the site. Fails with why there is no report."""
    url, own = await own_site_of(work)
    await work.report(0, 1)
    probe = own and work.settings(ScannerConfiguration).probeBots is not False
    report = await scan_site(work, url, public=True, probe=probe)
    await work.report(1, 1)
    output = ReadinessScan(
        report_id=report.reportId,
        url=report.url,
        site_type=report.siteType.value,
        overall=report.overall.score,
        technical=report.technical.score,
    )
    score = (
        "without an overall score" if report.overall.score is None else f"score {report.overall.score} of 100"
    )
    return Result(output, f"The site was scanned, {score}.")
