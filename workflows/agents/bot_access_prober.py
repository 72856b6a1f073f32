"""Looks at which AI bots may read a brand's site and how its server reacts to their names."""

from measurement.monitor_scripts import BOT_ACCESS_MONITOR
from readiness.checks.catalog import CATALOG
from readiness.survey.site_state import SiteState
from workflows.agents.agent import Result, Work
from workflows.agents.site import own_site_of, result_of, site_access_of, site_failures_as_agent_failures
from workflows.configurations import ScannerConfiguration
from workflows.errors import AgentFailed
from workflows.monitors.bot_access import CHECKED, memory_before, observe

FIXES = {check.id: check.fix for check in CATALOG}


async def run(work: Work) -> Result:
    """Look as the monitor does, against its memory. Fails with why the site could not be seen."""
    url, own = await own_site_of(work)
    last = await work.workspace.monitors.latest_seen(work.brand.key, BOT_ACCESS_MONITOR)
    async with site_failures_as_agent_failures():
        probe = own and work.settings(ScannerConfiguration).probeBots is not False
        site = await site_access_of(work).sites.access(url, probe=probe)
        answers = await site_access_of(work).sites.ask(site, CHECKED)
    if answers.state is not SiteState.ANSWERS:
        raise AgentFailed("site_unreachable")
    look = observe(site, answers, memory_before(last))
    seen = look.figures
    summary = (
        f"Denied by robots.txt: {seen.search.denied} search bots, {seen.user.denied} user agents, "
        f"{seen.training.denied} training bots; {seen.reactions} reactions to headers."
    )
    return result_of(look, summary, FIXES)
