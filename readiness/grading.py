"""From one surveyed site to its report: which checks apply, what they answer, what it adds up to."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from readiness import urls
from readiness.catalogue import CATALOGUE, JOURNEYS, of_group
from readiness.checks.check import CREDIT, Answer, Check, Group, Status, not_applicable
from readiness.commands import reproduce
from readiness.report import (
    CheckResult,
    Counts,
    EvidenceItem,
    GroupReport,
    PageVisit,
    SampleSize,
    TopFix,
)
from readiness.score import GroupScore, Mark, Overall, band, group_score, overall_score
from readiness.site import Role, Site, Visit
from readiness.site_type import Kind, SiteType

TOP_FIXES = 5


@dataclass(frozen=True, slots=True)
class Graded:
    """Every check of the catalogue with its answer, and what they add up to."""

    site_type: SiteType
    answers: Mapping[str, Answer]
    scores: Mapping[Group, GroupScore]
    overall: Overall


def grade(site: Site, site_type: SiteType) -> Graded:
    """Answer the catalogue; pure, since everything was fetched before."""
    journeys = _journeys(site, site_type)
    answers = {
        check.id: check.answer(site, check.rule)
        if check.group not in JOURNEYS or (check.group in journeys and check.applies(site_type))
        else not_applicable("site_type")
        for check in CATALOGUE
    }
    return _counted(site_type, answers)


def _counted(site_type: SiteType, answers: Mapping[str, Answer]) -> Graded:
    scores = {group: group_score(_marks(of_group(group), answers)) for group in (Group.TECHNICAL, *JOURNEYS)}
    overall = overall_score(
        site_type.value, scores[Group.TECHNICAL], {group: scores[group] for group in JOURNEYS}
    )
    return Graded(site_type, answers, scores, overall)


def _marks(checks: Iterable[Check], answers: Mapping[str, Answer]) -> list[Mark]:
    return [Mark(check.id, check.weight, answers[check.id].status, check.gate) for check in checks]


def _journeys(site: Site, site_type: SiteType) -> frozenset[Group]:
    """Which journeys apply; for an undetermined site those of which a signal was seen."""
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


def group_report(group: Group, graded: Graded, site: Site) -> GroupReport:
    """One group of the report."""
    score = graded.scores[group]
    results = [check_result(check, graded.answers[check.id], site) for check in of_group(group)]
    statuses = [result.status for result in results]
    return GroupReport(
        applicable=any(status is not Status.NOT_APPLICABLE for status in statuses),
        score=score.score,
        band=band(score.score),
        reason=score.reason,
        low=score.low,
        high=score.high,
        coverage=score.coverage,
        capReason=score.cap_reason,
        counts=Counts.model_validate(
            {
                "pass": statuses.count(Status.PASS),
                "warn": statuses.count(Status.WARN),
                "fail": statuses.count(Status.FAIL),
                "unknown": statuses.count(Status.UNKNOWN),
                "notApplicable": statuses.count(Status.NOT_APPLICABLE),
            }
        ),
        checks=results,
    )


def check_result(check: Check, answer: Answer, site: Site) -> CheckResult:
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
                sha256=item.sha256,
                fetchedAt=item.fetched_at,
            )
            for item in answer.evidence
        ],
        rule=check.rule.words,
        sources=list(check.sources),
        fix=check.fix,
        reproduce=reproduce(check.command, str(urls.parse(url, exact=True)) if _public(url) else url),
    )


def _public(url: str) -> bool:
    try:
        urls.parse(url)
    except urls.UrlRefused:
        return False
    return True


def top_fixes(graded: Graded) -> list[TopFix]:
    """The warnings and failures whose mending would raise the score most, at most five."""
    before = graded.overall.score
    found: list[tuple[int, TopFix]] = []
    for position, check in enumerate(CATALOGUE):
        answer = graded.answers[check.id]
        if answer.status not in (Status.WARN, Status.FAIL) or not check.weight:
            continue
        mended = _counted(
            graded.site_type, {**graded.answers, check.id: replace(answer, status=Status.PASS, reason=None)}
        )
        after = mended.overall.score
        if before is None or after is None:
            before_group, after_group = graded.scores[check.group].score, mended.scores[check.group].score
            gain = after_group - before_group if after_group is not None and before_group is not None else 0
        else:
            gain = after - before
        if gain > 0:
            found.append((position, TopFix(checkId=check.id, gain=gain, fix=check.fix)))
    return [fix for _, fix in sorted(found, key=lambda pair: (-pair[1].gain, pair[0]))[:TOP_FIXES]]


def page_visits(site: Site) -> list[PageVisit]:
    """Every URL that was asked for, in the order of the plan."""
    visits: list[Visit] = [site.robots_visit, site.secure_home, site.plain_home]
    visits += [visit for visit, _ in site.sitemap.files]
    visits += [*site.pages, *(visit for visit in (site.control, site.canonical) if visit)]
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
