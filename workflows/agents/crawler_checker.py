"""Looks for pages of a brand's site that crawlers cannot read."""

from readiness.checks.catalog import CATALOG
from workflows.agents.agent import Result, Work
from workflows.agents.site import own_site_of, result_of, site_access_of, site_failures_as_agent_failures
from workflows.agents.summaries import numbered
from workflows.monitors.crawler_check import CHECKED, observe

FIXES = {check.id: check.fix for check in CATALOG} | {
    "crawler.page_status": "Let the page answer 200, or lead to the page that took its place.",
    "crawler.error_rate": "Mend or remove the pages that answer with an error, and their places in the sitemap.",
    "crawler.certificate": "Renew the certificate, and let it be renewed by itself.",
}


async def run(work: Work) -> Result:
    """Look at up to fifty pages as the monitor does. Fails with why the site could not be seen."""
    url, _ = await own_site_of(work)
    async with site_failures_as_agent_failures():
        site = await site_access_of(work).sites.pages(url)
        answers = await site_access_of(work).sites.ask(site, CHECKED)
    look = observe(site, answers, work.now)
    seen = look.figures
    summary = (
        f"Pages that were read: {seen.urls}, with {numbered(seen.errors, 'error')} and "
        f"{numbered(seen.redirects, 'redirect')}."
    )
    return result_of(look, summary, FIXES)
