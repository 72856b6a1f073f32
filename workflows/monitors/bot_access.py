"""Looks at which AI bots may read a site, what has changed since, and whether the server reacts to their names."""

from collections.abc import Mapping, Sequence
from typing import Any

from measurement.alerts.issues import IssueObservation, Severity
from readiness import agents
from readiness.agents import Tier
from readiness.checks.check import CheckOutcome, CheckStatus
from readiness.report.grading import SiteAnswers
from readiness.survey.site import SiteState, SurveyedSite
from workflows.monitors.look import MonitorCheck, page_evidence

KIND = "bot_access"
POLICIES: Mapping[Tier, tuple[str, Severity, str]] = {
    Tier.SEARCH: ("tech.bots.search_policy", "critical", "robots.txt keeps AI search bots out"),
    Tier.USER: ("tech.bots.user_policy", "warning", "robots.txt keeps agents out that fetch for a person"),
    Tier.TRAINING: ("tech.bots.training_policy", "info", "robots.txt newly keeps training bots out"),
}
NO_FIGURES: Mapping[str, Any] = {
    **{tier.value: {"allowed": None, "denied": None} for tier in Tier},
    "reactions": None,
    "headersProbed": 0,
    "newlyDenied": [],
    "newlyAllowed": [],
}
LIVE = "tech.bots.live_access"
CHECKED = (LIVE, *(name for name, _, _ in POLICIES.values()))


def observe(site: SurveyedSite, asked: SiteAnswers, before: Mapping[str, Any] | None) -> MonitorCheck:
    """Judge who may read a site; pure. `before` is the memory of the last look that saw something.

    Denying training is a choice, so that only a new denial is worth an information. Whatever is bad must be seen
    twice. A site that is down, or whose robots.txt is, says nothing about who may read it: the memory stays.
    """
    robots = site.robots_visit
    if asked.state is not SiteState.ANSWERS or (robots.status or 500) >= 500:
        return MonitorCheck({**NO_FIGURES, "state": asked.state.value}, (), before or {})
    before = before or None
    denied = asked.denied
    observations: list[IssueObservation] = []
    for tier, (name, severity, words) in POLICIES.items():
        answer = asked.checks[name]
        if tier is Tier.TRAINING:
            observations += training(site, answer, name, words, denied[tier], before)
        elif answer.status is CheckStatus.PASS:
            observations.append(IssueObservation(KIND, name, tier.value))
        elif answer.status is not CheckStatus.UNKNOWN:
            evidence = [page_evidence(item) for item in answer.evidence]
            observations.append(
                IssueObservation(
                    KIND, name, tier.value, words, severity, robots.url, evidence, needs_twice=True
                )
            )
    live = asked.checks[LIVE]
    observations += reactions(site, live)
    now_denied = {tier.value: list(denied[tier]) for tier in Tier}
    metrics = {
        "state": asked.state.value,
        **{
            tier.value: {"allowed": len(of_tier(tier)) - len(denied[tier]), "denied": len(denied[tier])}
            for tier in Tier
        },
        "reactions": len(live.evidence) if live.status is CheckStatus.WARN else 0,
        "headersProbed": len({probe.agent for probe in site.probes if probe.agent}),
        **changes(now_denied, before),
    }
    return MonitorCheck(metrics, tuple(observations), memory_of(robots.sha256, now_denied, before))


def memory_of(
    robots_sha256: str, denied: Mapping[str, list[str]], before: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return what the next look compares with: a change becomes the rule once it was seen twice."""
    rule = denied
    if before is not None and denied not in (before["denied"], before.get("pending")):
        rule = before["denied"]
    return {"robotsSha256": robots_sha256, "denied": rule, "pending": denied}


def training(
    site: SurveyedSite,
    answer: CheckOutcome,
    name: str,
    words: str,
    denied: Sequence[str],
    before: Mapping[str, Any] | None,
) -> list[IssueObservation]:
    """Judge the choice about training: a new denial is told, an old one is neither good nor bad."""
    if answer.status is CheckStatus.UNKNOWN:
        return []
    if not denied:
        return [IssueObservation(KIND, name, Tier.TRAINING.value)]
    known = set(before["denied"][Tier.TRAINING.value]) if before else set(denied)
    if set(denied) <= known:
        return []
    evidence = [page_evidence(item) for item in answer.evidence]
    url = site.robots_visit.url
    return [IssueObservation(KIND, name, Tier.TRAINING.value, words, "info", url, evidence, True)]


def reactions(site: SurveyedSite, live: CheckOutcome) -> list[IssueObservation]:
    """Judge how the server reacts to AI headers; one reaction may be a passing limit."""
    if live.status is CheckStatus.PASS:
        return [IssueObservation(KIND, LIVE, "headers")]
    if live.status is not CheckStatus.WARN:
        return []
    words = "The server treats requests with an AI bot's name differently"
    evidence = [page_evidence(item) for item in live.evidence]
    url = site.home.final_url
    return [IssueObservation(KIND, LIVE, "headers", words, "warning", url, evidence, needs_twice=True)]


def of_tier(tier: Tier) -> list[agents.Agent]:
    """Return the bots of a tier."""
    return [agent for agent in agents.AGENTS if agent.tier is tier]


def changes(denied: Mapping[str, list[str]], before: Mapping[str, Any] | None) -> dict[str, list[str]]:
    """Return which bots are newly denied and newly allowed since the last look."""
    if before is None:
        return {"newlyDenied": [], "newlyAllowed": []}
    now = {bot for bots in denied.values() for bot in bots}
    then = {bot for bots in before["denied"].values() for bot in bots}
    return {"newlyDenied": sorted(now - then), "newlyAllowed": sorted(then - now)}
