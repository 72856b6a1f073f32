"""What a reader of a report must know before any figure, in whole sentences."""

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from readiness import agents
from readiness.checks.catalog import JOURNEYS
from readiness.checks.check import CheckOutcome, CheckStatus, Group
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.fetching.policy import LARGEST_BODY, MIB
from readiness.reading.page_reader import MAX_ITEMS, MAX_TEXT
from readiness.report.grading import Graded
from readiness.report.score import READY_COVERAGE, UNMEASURED_BAND, band
from readiness.survey.evidence import excerpt
from readiness.survey.site import Role, SurveyedSite
from readiness.survey.site_kind import Kind
from readiness.survey.site_type import SiteType

SEARCHES = {
    "OAI-SearchBot": "ChatGPT's search",
    "Claude-SearchBot": "Claude's search",
    "PerplexityBot": "Perplexity",
    "Googlebot": "Google Search with its AI answers",
    "Bingbot": "Bing with Copilot",
}
NAMED = 3
"""Pages that a sentence names."""
KINDS = {
    Kind.DEALER: "a dealer",
    Kind.REPAIR_SHOP: "a repair shop",
    Kind.SERVICE_SITE: "a service business",
    Kind.NOT_AUTOMOTIVE: "no automotive business",
}


def notices(site: SurveyedSite, site_type: SiteType, answers: Mapping[str, CheckOutcome]) -> list[str]:
    """Return the sentences at the top of a report, the most important one first; often there is none."""
    return [
        *_redirect(site),
        *_gates(site, answers),
        *_visibility_notices(site),
        *_type(site_type),
        *_caps(site),
    ]


def unmeasured(graded: Graded) -> Iterator[str]:
    """Say of which figures too little was measured to call them ready, however good they are."""
    named = {"technical readiness": graded.scores[Group.TECHNICAL]}
    named |= {f"the {group.value} journey": graded.scores[group] for group in JOURNEYS}
    figures = {name: (score.score, score.coverage) for name, score in named.items()}
    figures["everything that applies"] = (graded.overall.score, graded.overall.coverage)
    for name, (score, coverage) in figures.items():
        if score is not None and band(score) != band(score, coverage):
            yield (
                f"Only {coverage * 100:.0f} % of {name} could be measured: its score is called "
                f"{UNMEASURED_BAND} at most, since ready takes {READY_COVERAGE * 100} %."
            )


def _caps(site: SurveyedSite) -> Iterator[str]:
    """Say of which pages only a part was read; what a check did not find may be in the rest."""
    capped = {visit.url for visit, page in site.seen() if page.capped}
    cut = {visit.url for visit, _ in site.seen() if visit.truncated}
    if capped:
        yield (
            f"Of {_pages(capped)} only the first {MAX_TEXT:,} characters of text and {MAX_ITEMS:,} links and fields "
            "were read; what comes after them was not graded."
        )
    if cut:
        yield f"Of {_pages(cut)} only the first {LARGEST_BODY // MIB} MiB were fetched; the rest was not graded."


def _pages(addresses: set[str]) -> str:
    paths = sorted(urlsplit(address).path or "/" for address in addresses)
    more = f" and {len(paths) - NAMED} more" if len(paths) > NAMED else ""
    return (
        f"{len(paths)} page{'' if len(paths) == 1 else 's'} ({', '.join(map(excerpt, paths[:NAMED]))}{more})"
    )


def _redirect(site: SurveyedSite) -> Iterator[str]:
    target = site.redirected_to
    if target:
        yield (
            f"This address redirects to another site, {urls.host_of(target)}. This report is about the address that "
            "was asked for and says nothing of the other site."
        )


def _type(site_type: SiteType) -> Iterator[str]:
    declared, detected = site_type.declared, site_type.detected
    if declared is not None and detected is not declared and detected in KINDS:
        yield (
            f"The site was declared as {KINDS[declared]}; what was seen speaks for {KINDS[detected]}. The checks are "
            "those of the declared type."
        )


def _gates(site: SurveyedSite, answers: Mapping[str, CheckOutcome]) -> Iterator[str]:
    if answers["tech.bots.search_policy"].status is not CheckStatus.FAIL:
        return
    status = site.robots_visit.status or 0
    if status >= 500:
        yield (
            f"robots.txt answers with status {status}. Search engines and AI crawlers take that for a ban of the whole "
            "site, so that none of them may read it until robots.txt answers again."
        )
        return
    home = site.home.final_url or site.home.url
    denied = [agent.token for agent in agents.SEARCH_AGENTS if not site.robots.allows(home, agent.token)]
    for token in denied:
        if token in SEARCHES:
            yield f"{SEARCHES[token]} cannot read this site: robots.txt denies {token} the home page."
    others = [token for token in denied if token not in SEARCHES]
    if others:
        yield f"robots.txt denies further search bots the home page: {', '.join(others)}."
    if not denied:
        yield from _denied_pages(site)


def _denied_pages(site: SurveyedSite) -> Iterator[str]:
    pages = [visit.url for visit in site.pages if visit.role in (Role.VEHICLE, Role.SERVICE_DETAIL)]
    pages += [*site.vehicle_urls[:1], *site.service_urls[:1]]
    denied = [
        agent.token
        for agent in agents.SEARCH_AGENTS
        if not all(site.robots.allows(url, agent.token) for url in pages)
    ]
    for token in denied:
        if token in SEARCHES:
            yield f"{SEARCHES[token]} cannot read vehicle or service pages: robots.txt denies them to {token}."
    others = [token for token in denied if token not in SEARCHES]
    if others:
        yield f"robots.txt denies vehicle or service pages to further search bots: {', '.join(others)}."


def _visibility_notices(site: SurveyedSite) -> Iterator[str]:
    challenged = {visit.url for visit in site.pages if visit.reason is Reason.CHALLENGED}
    if site.is_down:
        yield (
            f"The site is down: its home page answers with status {site.home.status}. Nothing else of it could be "
            "seen, so that every check is unknown; scan it again when it answers."
        )
    elif site.robots.is_unread:
        yield (
            "robots.txt took us too long to read, so that no page was asked for. What the site allows and shows is "
            "unknown; that is no fault of the site."
        )
    elif site.home.reason is Reason.ROBOTS_DISALLOWED and (site.robots_visit.status or 0) >= 500:
        yield "Our bot keeps to that too, so that no page was asked for: what they hold is unknown."
    elif site.home.reason is Reason.ROBOTS_DISALLOWED:
        yield (
            "robots.txt keeps our bot away from the home page. What it allows was graded; the rest is unknown, which "
            "is no fault of the site."
        )
    elif site.home.reason is Reason.CHALLENGED:
        yield (
            "The site answered our visit with a challenge page instead of its own. Its pages could not be graded, and "
            "agents without a browser meet the same page."
        )
    elif site.home.reason is Reason.VISIT_REFUSED:
        yield (
            f"The site rejected our visit: its home page answers with status {site.home.status}. Its pages could not "
            "be graded; a firewall that blocks our bot may block AI agents too."
        )
    elif site.home.reason is Reason.PLACEHOLDER:
        yield (
            "In the place of its home page the site shows a note (maintenance, construction, a default page or nothing "
            "at all). Its own pages could not be graded; scan it again when they are there."
        )
    elif site.only_shells:
        yield (
            "The pages hold almost no text before JavaScript runs. Most agents run none and see an empty page; what "
            "scripts would show is unknown, and nothing here is called better than limited."
        )
    elif challenged:
        yield (
            f"The site answered {_pages(challenged)} with a challenge page instead of its own. What they hold is "
            "unknown, and agents without a browser meet the same page."
        )
