"""Looks at which AI bots may read a site, what has changed since, and whether the server reacts to their names."""

from collections.abc import Mapping
from typing import Any

from readiness import agents
from readiness.agents import Tier
from readiness.catalogue import CATALOGUE
from readiness.checks.check import Answer, Status
from readiness.site import Site
from workflows.issues import Observation, Severity
from workflows.monitors.look import Look, shown

KIND = "bot_access"
POLICIES: Mapping[Tier, tuple[str, Severity, str]] = {
    Tier.SEARCH: ("tech.bots.search_policy", "critical", "robots.txt keeps AI search bots out"),
    Tier.USER: ("tech.bots.user_policy", "warning", "robots.txt keeps agents out that fetch for a person"),
    Tier.TRAINING: ("tech.bots.training_policy", "info", "robots.txt newly keeps training bots out"),
}
LIVE = "tech.bots.live_access"
CHECKS = {
    check.id: check for check in CATALOGUE if check.id in (LIVE, *(name for name, _, _ in POLICIES.values()))
}


def observe(site: Site, before: Mapping[str, Any] | None) -> Look:
    """Judge who may read a site; pure. `before` is the memory of the last look that saw something.

    Denying training is a choice, so that only a new denial is worth an information. When the policy differs though
    robots.txt is the same text, it must be seen twice.
    """
    robots = site.robots_visit
    denied = {tier: denied_bots(site, tier) for tier in Tier}
    unchanged = before is not None and before.get("robotsSha256") == robots.sha256
    observations: list[Observation] = []
    for tier, (name, severity, words) in POLICIES.items():
        answer = CHECKS[name].answer(site, CHECKS[name].rule)
        if tier is Tier.TRAINING:
            observations += training(site, answer, name, words, denied[tier], before)
        elif answer.status is Status.PASS:
            observations.append(Observation(KIND, name, tier.value))
        elif answer.status is not Status.UNKNOWN:
            evidence = [shown(one) for one in answer.evidence]
            observations.append(
                Observation(KIND, name, tier.value, words, severity, robots.url, evidence, unchanged)
            )
    live = CHECKS[LIVE].answer(site, CHECKS[LIVE].rule)
    observations += reactions(site, live)
    now_denied = {tier.value: denied[tier] for tier in Tier}
    metrics = {
        **{
            tier.value: {"allowed": len(of_tier(tier)) - len(denied[tier]), "denied": len(denied[tier])}
            for tier in Tier
        },
        "reactions": len(live.evidence) if live.status is Status.WARN else 0,
        "headersProbed": len({probe.agent for probe in site.probes if probe.agent}),
        **changes(now_denied, before),
    }
    return Look(metrics, tuple(observations), {"robotsSha256": robots.sha256, "denied": now_denied})


def training(
    site: Site,
    answer: Answer,
    name: str,
    words: str,
    denied: list[str],
    before: Mapping[str, Any] | None,
) -> list[Observation]:
    """Judge the choice about training: a new denial is told, an old one is neither good nor bad."""
    if answer.status is Status.UNKNOWN:
        return []
    if not denied:
        return [Observation(KIND, name, Tier.TRAINING.value)]
    known = set(before["denied"][Tier.TRAINING.value]) if before else set(denied)
    if set(denied) <= known:
        return []
    evidence = [shown(one) for one in answer.evidence]
    url = site.robots_visit.url
    return [Observation(KIND, name, Tier.TRAINING.value, words, "info", url, evidence)]


def reactions(site: Site, live: Answer) -> list[Observation]:
    """Judge how the server reacts to AI headers; one reaction may be a passing limit."""
    if live.status is Status.PASS:
        return [Observation(KIND, LIVE, "headers")]
    if live.status is not Status.WARN:
        return []
    words = "The server treats requests with an AI bot's name differently"
    evidence = [shown(one) for one in live.evidence]
    url = site.home.final_url
    return [Observation(KIND, LIVE, "headers", words, "warning", url, evidence, needs_twice=True)]


def of_tier(tier: Tier) -> list[agents.Agent]:
    """Return the bots of a tier."""
    return [agent for agent in agents.AGENTS if agent.tier is tier]


def denied_bots(site: Site, tier: Tier) -> list[str]:
    """Return the bots of a tier that robots.txt keeps from any of the pages looked at."""
    looked_at = [site.home.final_url or site.home.url, *(visit.url for visit in site.pages)]
    return [
        agent.token
        for agent in of_tier(tier)
        if not all(site.robots.allows(url, agent.token) for url in looked_at)
    ]


def changes(denied: Mapping[str, list[str]], before: Mapping[str, Any] | None) -> dict[str, list[str]]:
    """Return which bots are newly denied and newly allowed since the last look."""
    if before is None:
        return {"newlyDenied": [], "newlyAllowed": []}
    now = {bot for bots in denied.values() for bot in bots}
    then = {bot for bots in before["denied"].values() for bot in bots}
    return {"newlyDenied": sorted(now - then), "newlyAllowed": sorted(then - now)}
