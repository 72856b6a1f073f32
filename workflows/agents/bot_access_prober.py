"""Looks at which AI bots may read a brand's site and how its server reacts to their names."""

from readiness.catalogue import CATALOGUE
from workflows.agents.agent import Result, Work
from workflows.agents.site import eyes_of, looking, own_site_of, result_of
from workflows.monitors.bot_access import observe
from workflows.monitors.scripts import BOT_ACCESS_MONITOR

FIXES = {check.id: check.fix for check in CATALOGUE}


async def run(work: Work) -> Result:
    """Look as the monitor does, against its memory. Fails with why the site could not be seen."""
    url, own = await own_site_of(work)
    last = await work.workspace.monitors.latest_seen(work.brand.key, BOT_ACCESS_MONITOR)
    async with looking():
        site = await eyes_of(work).sites.access(url, probe=own)
    look = observe(site, last.memory if last else None)
    denied = {tier: look.metrics[tier]["denied"] for tier in ("search", "user", "training")}
    summary = (
        f"Denied by robots.txt: {denied['search']} search bots, {denied['user']} user agents, "
        f"{denied['training']} training bots; {look.metrics['reactions']} reactions to headers."
    )
    return result_of(look, summary, FIXES)
