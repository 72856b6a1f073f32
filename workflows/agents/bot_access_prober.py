"""Checks which AI bots may read a brand's site and how its server reacts to their user agents."""

from measurement.alerts.issues import BOT_ACCESS_MONITOR
from readiness.checks.catalog import CATALOG
from readiness.survey.site_kind import SiteState
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.site import own_site_of, result_of, site_access_of, site_failures_as_agent_failures
from workflows.configurations import ScannerConfiguration
from workflows.errors import AgentFailed
from workflows.monitors.bot_access import CHECKED, memory_before, observe
from workflows.monitors.figures import BotAccessFigures

FIXES = {check.id: check.fix for check in CATALOG}


async def run(work: Work) -> Result:
    """Run the monitor's check and compare it with the last one. Fails with why the site could not be read."""
    url, own = await own_site_of(work)
    last = await work.workspace.monitors.latest_seen(work.brand.key, BOT_ACCESS_MONITOR)
    async with site_failures_as_agent_failures():
        probe = own and work.settings(ScannerConfiguration).probeBots is not False
        site = await site_access_of(work).sites.access(url, probe=probe)
        answers = await site_access_of(work).sites.ask(site, CHECKED)
    if answers.state is not SiteState.ANSWERS:
        raise AgentFailed("site_unreachable")
    look = observe(site, answers, memory_before(last))
    return result_of(look, summary_of(look.figures), FIXES)


def summary_of(seen: BotAccessFigures) -> str:
    """Summarize which bots robots.txt blocks and how the site answered requests with bot user agents."""
    denied = [access.denied for access in (seen.search, seen.user, seen.training)]
    kinds = ("search bot", "fetcher for people", "training bot")
    kept_out = [numbered(number, kind) for number, kind in zip(denied, kinds, strict=True) if number]
    summary = f"robots.txt keeps out {', '.join(kept_out)}." if kept_out else "robots.txt keeps no bot out."
    if None in denied:
        summary = "robots.txt could not be read."
    if not seen.headers_probed:
        return summary
    probed = numbered(seen.headers_probed, "bot user agent")
    return f"{summary} {seen.reactions} of {probed} got a different answer than a browser."
