"""Grade one surveyed site: which checks apply, their outcomes, and the resulting scores."""

import shlex
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from readiness import agents
from readiness.checks.catalog import CATALOG, JOURNEYS, of_group
from readiness.checks.check import (
    CREDIT,
    Check,
    CheckOutcome,
    CheckStatus,
    Command,
    Group,
    not_applicable,
    unknown,
)
from readiness.checks.general import for_kind
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.reading.isolation import TookTooLong, limit_processor_time
from readiness.report.document import (
    CheckResult,
    Counts,
    EvidenceItem,
    GroupReport,
    PageVisit,
    SampleSize,
    TopFix,
)
from readiness.report.line_changes import line_changes
from readiness.report.score import GroupScore, Mark, Overall, band, group_score, overall_score
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_kind import Kind, SiteState
from readiness.survey.site_type import SiteType, detect

TOP_FIXES = 5
CHECK_SECONDS, GRADING_SECONDS = 2.0, 20.0
"""Processor time of one check, and of all checks of a site together."""


@dataclass(frozen=True, slots=True)
class Graded:
    """Every check of the catalog with its answer, and what they add up to."""

    site_type: SiteType
    answers: Mapping[str, CheckOutcome]
    scores: Mapping[Group, GroupScore]
    overall: Overall


def grade(site: SurveyedSite, site_type: SiteType) -> Graded:
    """Answer the catalog; pure, since everything was fetched before. What an error page says is about no page."""
    journeys = _journeys(site, site_type)
    ends = time.process_time() + GRADING_SECONDS
    down = unknown(Reason.HTTP_ERROR) if site.is_down else None
    answers = {
        check.id: down
        or answered(for_kind(check, site_type.value), site, min(CHECK_SECONDS, ends - time.process_time()))
        if check.group not in JOURNEYS or (check.group in journeys and check.applies(site_type))
        else not_applicable("site_type")
        for check in CATALOG
    }
    return _counted(site_type, answers)


def answered(check: Check, site: SurveyedSite, seconds: float = CHECK_SECONDS) -> CheckOutcome:
    """Answer one check; unknown (too_slow) when it takes more than so much processor time."""
    if seconds <= 0:
        return unknown(Reason.TOO_SLOW)
    try:
        with limit_processor_time(seconds):
            outcome = check.answer(site, check.rule)
            missing = outcome.status in (CheckStatus.WARN, CheckStatus.FAIL) and _reads_text(check)
            if missing and site.only_shells and check.id not in SHOWN_BY_SCRIPTS:
                return unknown(Reason.JAVASCRIPT_ONLY)
            hidden = _hidden_page(check, site) if missing and outcome.sample is None else None
            return unknown(hidden.blind) if hidden else outcome
    except TookTooLong:
        return unknown(Reason.TOO_SLOW)


SHOWN_BY_SCRIPTS = ("veh.inventory.listed_without_js", "svc.menu.found")
"""What a site of scripts shows no agent that runs none: one finding of each journey costs its points for it."""


def _reads_text(check: Check) -> bool:
    return check.group in JOURNEYS or check.id in (
        "tech.sd.business",
        "tech.links.crawlable",
        "tech.a11y.names",
    )


def _hidden_page(check: Check, site: SurveyedSite) -> SiteVisit | None:
    """A linked page that may hold what a check missed, and that we could not read; None when all were read."""
    roles = READ_FOR.get(check.group, ())
    return next((visit for visit in site.pages if visit.role in roles and visit.reason in HIDING), None)


HIDING = (Reason.CHALLENGED, Reason.ROBOTS_DISALLOWED, Reason.TIMEOUT, Reason.BUDGET, Reason.TOO_SLOW)
READ_FOR = {
    Group.VEHICLE: (Role.INVENTORY,),
    Group.SERVICE: (Role.SERVICE, Role.SCHEDULE, Role.HOURS, Role.CONTACT),
    Group.HANDOFF: (Role.CONTACT, Role.HOURS, Role.SCHEDULE),
}
"""The pages on which the checks of a journey look for what has no page of its own."""


@dataclass(frozen=True, slots=True)
class SiteAnswers:
    """What a monitor asks of a site: its state, answered checks by id, and the bots kept from any of its pages."""

    state: SiteState
    checks: Mapping[str, CheckOutcome]
    denied: Mapping[agents.Tier, tuple[str, ...]]


def ask_site(site: SurveyedSite, names: Iterable[str]) -> SiteAnswers:
    """Answer the checks of these ids, for who needs no report, and list the denied bots of each tier."""
    wanted = frozenset(names)
    kind = detect(site).value
    checks = {check.id: answered(for_kind(check, kind), site) for check in CATALOG if check.id in wanted}
    pages = [site.home.final_url or site.home.url, *(visit.url for visit in site.pages)]
    denied = {
        tier: tuple(
            agent.token
            for agent in agents.AGENTS
            if agent.tier is tier and not all(site.robots.allows(url, agent.token) for url in pages)
        )
        for tier in agents.Tier
    }
    return SiteAnswers(site.state, checks, denied)


def _counted(site_type: SiteType, answers: Mapping[str, CheckOutcome]) -> Graded:
    scores = {group: group_score(_marks(of_group(group), answers)) for group in (Group.TECHNICAL, *JOURNEYS)}
    overall = overall_score(
        site_type.value, scores[Group.TECHNICAL], {group: scores[group] for group in JOURNEYS}
    )
    return Graded(site_type, answers, scores, overall)


def _marks(checks: Iterable[Check], answers: Mapping[str, CheckOutcome]) -> list[Mark]:
    return [Mark(check.id, check.weight, answers[check.id].status, check.gate) for check in checks]


def _journeys(site: SurveyedSite, site_type: SiteType) -> frozenset[Group]:
    kind = site_type.value
    if kind is Kind.NOT_AUTOMOTIVE:
        return frozenset()
    if kind is Kind.UNDETERMINED:
        return frozenset(group for group, roles in SIGNALS.items() if any(site.role(role) for role in roles))
    vehicle = kind is Kind.DEALER or (kind is Kind.REPAIR_SHOP and site_type.offers_vehicles)
    service = kind is not Kind.DEALER or site_type.service_department
    applying = ((Group.VEHICLE, vehicle), (Group.SERVICE, service), (Group.HANDOFF, True))
    return frozenset(group for group, applies in applying if applies)


SIGNALS = {
    Group.VEHICLE: (Role.INVENTORY, Role.VEHICLE),
    Group.SERVICE: (Role.SERVICE, Role.SERVICE_DETAIL, Role.SCHEDULE),
    Group.HANDOFF: (Role.CONTACT, Role.HOURS, Role.PRIVACY),
}


def group_report(group: Group, graded: Graded, site: SurveyedSite) -> GroupReport:
    """One group of the report."""
    score = graded.scores[group]
    results = check_results(group, graded, site)
    statuses = [result.status for result in results]
    return GroupReport(
        applicable=any(status is not CheckStatus.NOT_APPLICABLE for status in statuses),
        score=score.score,
        band=band(score.score, score.coverage, readable=not site.only_shells),
        reason=score.reason,
        low=score.low,
        high=score.high,
        coverage=score.coverage,
        capReason=score.cap_reason,
        counts=Counts.model_validate(
            {
                "pass": statuses.count(CheckStatus.PASS),
                "warn": statuses.count(CheckStatus.WARN),
                "fail": statuses.count(CheckStatus.FAIL),
                "unknown": statuses.count(CheckStatus.UNKNOWN),
                "notApplicable": statuses.count(CheckStatus.NOT_APPLICABLE),
            }
        ),
        checks=results,
    )


COMMANDS = {
    Command.GET: "curl -sSL --max-redirs 5 --max-time 10 -A 'SeenbyReadinessBot/1.0' URL",
    Command.HEADERS: "curl -sS -o /dev/null -D - URL",
    Command.BOT: "curl -sS -o /dev/null -w '%{http_code} %{size_download}\\n' -A 'HEADER OF THE BOT' URL",
    Command.TIMING: "curl -sS -o /dev/null -w '%{time_starttransfer} %{size_download}\\n' --compressed URL",
    Command.XML: "curl -sSL URL | xmllint --noout -",
}


def reproduce(command: Command, url: str) -> str:
    """The command of a check for one URL, ready to paste; one line per bot header, three for a timing."""
    quoted = shlex.quote(url)
    line = COMMANDS[command].replace("URL", quoted)
    if command is Command.BOT:
        return "\n".join(_as_bot(agent.header or "", quoted) for agent in agents.PROBED)
    return "\n".join([line] * 3) if command is Command.TIMING else line


def _as_bot(header: str, quoted: str) -> str:
    return (
        COMMANDS[Command.BOT]
        .replace("'HEADER OF THE BOT'", shlex.quote(header))
        .replace(" URL", f" {quoted}")
    )


def described_commands() -> Iterable[tuple[str, str]]:
    """Each code with its template, for the methodology."""
    return ((code.value, template) for code, template in COMMANDS.items())


def check_results(group: Group, graded: Graded, site: SurveyedSite) -> list[CheckResult]:
    """The checks of a group of the report, in the words for this kind of site."""
    kind = graded.site_type.value
    return [check_result(for_kind(check, kind), graded.answers[check.id], site) for check in of_group(group)]


def check_result(check: Check, answer: CheckOutcome, site: SurveyedSite) -> CheckResult:
    """One check of the report, with the command that repeats it."""
    url = answer.evidence[0].url if answer.evidence else site.home.final_url
    return CheckResult(
        id=check.id,
        group=check.group.value,
        title=check.title,
        status=answer.status,
        reason=answer.reason,
        weight=check.weight,
        credit=CREDIT.get(answer.status),
        observed=answer.status in CREDIT,
        sample=SampleSize(n=answer.sample.n, hits=answer.sample.hits) if answer.sample else None,
        evidence=[
            EvidenceItem(
                url=item.url,
                method=item.method,
                statusCode=item.status_code,
                header=item.header,
                selector=item.selector,
                jsonPointer=item.json_pointer,
                line=item.line,
                excerpt=item.excerpt,
                detail=item.detail,
                sha256=item.sha256,
                fetchedAt=item.fetched_at,
            )
            for item in answer.evidence
        ],
        rule=check.rule.words,
        sources=list(check.sources),
        fix=check.fix,
        changes=line_changes(check.id, answer, site),
        reproduce=reproduce(check.command, str(urls.parse(url, exact=True)) if _public(url) else url),
    )


def _public(url: str) -> bool:
    try:
        urls.parse(url)
    except urls.UrlRefused:
        return False
    return True


def top_fixes(graded: Graded) -> list[TopFix]:
    """Return at most five warnings and failures to fix, highest score gain first.

    Without an overall score, the gain is that of the check's group. In a group without a score, every check qualifies.
    """
    before = graded.overall.score
    fixes: list[tuple[int, TopFix]] = []
    for position, check in enumerate(CATALOG):
        answer = graded.answers[check.id]
        if answer.status not in (CheckStatus.WARN, CheckStatus.FAIL) or not check.weight:
            continue
        mended = _counted(
            graded.site_type,
            {**graded.answers, check.id: replace(answer, status=CheckStatus.PASS, reason=None)},
        )
        after = mended.overall.score
        if before is None or after is None:
            before_group, after_group = graded.scores[check.group].score, mended.scores[check.group].score
            gain = after_group - before_group if after_group is not None and before_group is not None else 0
        else:
            gain = after - before
        if gain > 0 or graded.scores[check.group].score is None:
            fix = for_kind(check, graded.site_type.value).fix
            fixes.append((position, TopFix(checkId=check.id, gain=gain, fix=fix)))
    return [fix for _, fix in sorted(fixes, key=lambda pair: (-pair[1].gain, pair[0]))[:TOP_FIXES]]


def page_visits(site: SurveyedSite) -> list[PageVisit]:
    """Every URL that was asked for, in the order of the plan."""
    visits: list[SiteVisit] = [site.robots_visit, site.secure_home, site.plain_home]
    visits += [site.home] if site.home not in visits else []
    visits += [visit for visit, _ in site.sitemap.files]
    visits += [*site.pages, *site.locations, *(visit for visit in (site.control, site.canonical) if visit)]
    visits += [*site.probes, *site.emerging, *site.images]
    return [
        PageVisit(
            url=visit.url,
            role=visit.role.value,
            statusCode=visit.status,
            reason=unseen.value if (unseen := visit.reason or visit.stopped) else None,
            bytes=visit.size,
            sha256=visit.sha256 or None,
            fetchedAt=visit.fetched_at,
        )
        for visit in visits
    ]
