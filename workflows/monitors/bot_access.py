"""Bot access monitor: which AI bots may read a site, what changed, and how the server treats their user agents."""

from collections.abc import Mapping, Sequence

from measurement.alerts.issues import IssueObservation, Severity
from readiness import agents
from readiness.agents import Tier
from readiness.checks.check import CheckOutcome, CheckStatus
from readiness.report.grading import SiteAnswers
from readiness.survey.site import SurveyedSite
from readiness.survey.site_kind import SiteState
from storage.repositories.monitors import MonitorResult
from workflows.monitors.figures import (
    BotAccessFigures,
    BotAccessMemory,
    MonitorCheck,
    TierAccess,
    page_evidence,
)

KIND = "bot_access"
POLICIES: Mapping[Tier, tuple[str, Severity, str]] = {
    Tier.SEARCH: ("tech.bots.search_policy", "critical", "robots.txt keeps AI search bots out"),
    Tier.USER: ("tech.bots.user_policy", "warning", "robots.txt keeps agents out that fetch for a person"),
    Tier.TRAINING: ("tech.bots.training_policy", "info", "robots.txt newly keeps training bots out"),
}
LIVE = "tech.bots.live_access"
CHECKED = (LIVE, *(name for name, _, _ in POLICIES.values()))
Denied = Mapping[str, tuple[str, ...]]
"""The bots that are denied, by tier."""


def memory_before(last: MonitorResult | None) -> BotAccessMemory | None:
    """Return the state of the last successful check, or None."""
    return BotAccessMemory.load(last.memory) if last and last.memory else None


def observe(
    site: SurveyedSite, asked: SiteAnswers, before: BotAccessMemory | None
) -> MonitorCheck[BotAccessFigures]:
    """Evaluate who may read a site; pure. `before` is the state of the last successful check.

    Denying training is a choice, so only a new denial is reported. A problem must be seen
    twice. A site that is down, or whose robots.txt is, says nothing about who may read it: the memory stays.
    """
    robots = site.robots_visit
    if asked.state is not SiteState.ANSWERS or (robots.status or 500) >= 500:
        return MonitorCheck(BotAccessFigures(state=asked.state), (), before)
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
    now_denied = {tier.value: tuple(denied[tier]) for tier in Tier}
    newly_denied, newly_allowed = changes(now_denied, before)
    figures = BotAccessFigures(
        state=asked.state,
        search=access_of(Tier.SEARCH, denied),
        user=access_of(Tier.USER, denied),
        training=access_of(Tier.TRAINING, denied),
        reactions=len(live.evidence) if live.status is CheckStatus.WARN else 0,
        headers_probed=len({probe.agent for probe in site.probes if probe.agent}),
        newly_denied=newly_denied,
        newly_allowed=newly_allowed,
    )
    return MonitorCheck(figures, tuple(observations), memory_of(robots.sha256, now_denied, before))


def access_of(tier: Tier, denied: Mapping[Tier, Sequence[str]]) -> TierAccess:
    """Count the bots of a tier that may read a site, and those that may not."""
    return TierAccess(allowed=len(of_tier(tier)) - len(denied[tier]), denied=len(denied[tier]))


def memory_of(robots_sha256: str, denied: Denied, before: BotAccessMemory | None) -> BotAccessMemory:
    """Return the state for the next check: a change is accepted after it was seen twice."""
    rule = denied
    if before is not None and denied not in (before.denied, before.pending):
        rule = before.denied
    return BotAccessMemory(robots_sha256=robots_sha256, denied=rule, pending=denied)


def training(
    site: SurveyedSite,
    answer: CheckOutcome,
    name: str,
    words: str,
    denied: Sequence[str],
    before: BotAccessMemory | None,
) -> list[IssueObservation]:
    """Evaluate access for training: a new denial is reported, a known one is neutral."""
    if answer.status is CheckStatus.UNKNOWN:
        return []
    if not denied:
        return [IssueObservation(KIND, name, Tier.TRAINING.value)]
    known = set(before.denied[Tier.TRAINING.value]) if before else set(denied)
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


def changes(denied: Denied, before: BotAccessMemory | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the bots that are newly denied and newly allowed since the last check."""
    if before is None:
        return (), ()
    now = {bot for bots in denied.values() for bot in bots}
    then = {bot for bots in before.denied.values() for bot in bots}
    return tuple(sorted(now - then)), tuple(sorted(then - now))
