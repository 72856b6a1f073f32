"""Indexing checks: indexing directives, the canonical URL and the sitemap."""

from readiness.checks.bots import CORE
from readiness.checks.check import CheckOutcome, Command, Family, Group, Rule, failed, passed, unknown, warned
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.survey.evidence import Evidence, counted
from readiness.survey.site import Role, SiteVisit, SurveyedSite

family = Family(Group.TECHNICAL)
SITEMAPS = "https://www.sitemaps.org/protocol.html"
ROBOTS_META = "https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag"
BINDING = frozenset(("robots", *(token.lower() for token in CORE)))
VALUED = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
DETAIL_ROLES = (Role.VEHICLE, Role.SERVICE, Role.SERVICE_DETAIL)
CANONICAL = "https://www.rfc-editor.org/rfc/rfc6596"


def _directives(visit: SiteVisit) -> list[tuple[str, str]]:
    """Robots directives that bind every bot or a search engine's: (place, words) of meta elements and headers."""
    directives = [
        (f'meta[name="{name}"]', content)
        for name, content in (visit.page.robots if visit.page else ())
        if name in BINDING
    ]
    headers = [value.lower() for key, value in visit.headers if key == "x-robots-tag"]
    return directives + [("x-robots-tag", words) for value in headers if (words := _binding(value))]


def _binding(header: str) -> str:
    """What an X-Robots-Tag says to every bot or to a search engine's; `otherbot: noindex` binds others."""
    kept: list[str] = []
    binds = True
    for part in header.split(","):
        name, colon, rest = part.strip().partition(":")
        if colon and name.strip() not in VALUED:
            binds, part = name.strip() in BINDING, rest
        kept += [part.strip()] if binds else []
    return ", ".join(kept)


def _directive(visit: SiteVisit, *words: str) -> Evidence | None:
    for place, content in _directives(visit):
        directives = {part.replace(" ", "") for part in content.split(",")}
        if directives.intersection(words):
            is_header = place == "x-robots-tag"
            return visit.show(
                content,
                header=f"{place}: {content}" if is_header else None,
                selector=None if is_header else place,
            )
    return None


@family.check(
    "tech.meta.indexable",
    6,
    "Pages may be indexed",
    Rule(
        "no noindex on home, and on at most {share} % of the sampled pages",
        "nosnippet or max-snippet:0",
        "noindex on home or on over {share} % of the sampled pages",
        limits={"share": 40},
    ),
    sources=(ROBOTS_META,),
    fix="Remove noindex and nosnippet from the pages that agents should find.",
)
def indexable(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Meta elements and X-Robots-Tag headers alike."""
    if not site.home.ok:
        return unknown(site.home.blind)
    on_home = _directive(site.home, "noindex", "none")
    samples = [
        visit for visit in site.pages if visit.ok and visit.role in (Role.VEHICLE, Role.SERVICE_DETAIL)
    ]
    kept_out = [directive for visit in samples if (directive := _directive(visit, "noindex", "none"))]
    if on_home:
        return failed(on_home, *kept_out)
    if samples and len(kept_out) * 100 > rule["share"] * len(samples):
        return failed(*kept_out)
    muted = [
        directive
        for visit in (site.home, *samples)
        if (directive := _directive(visit, "nosnippet", "max-snippet:0"))
    ]
    return warned(*kept_out, *muted) if muted else passed(site.home.show(detail="no noindex"), *kept_out)


@family.check(
    "tech.canonical",
    4,
    "Canonical address",
    Rule("absolute, same site, answers 200", "missing or relative", "another site, or 4xx"),
    sources=(CANONICAL,),
    fix="Give every page one absolute rel=canonical on its own host that answers 200.",
)
def canonical(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked of home."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    if not page.canonicals:
        return warned(site.home.show(detail="no canonical link", selector='link[rel="canonical"]'))
    written = page.canonicals[0]
    evidence = site.home.show(written, selector='link[rel="canonical"]')
    target = urls.resolve(site.home.final_url, written)
    if target is None or not urls.same_site(urls.host_of(target), site.host):
        return failed(evidence)
    if site.canonical is not None:
        if site.canonical.reason is not None:
            return unknown(site.canonical.reason)
        if site.canonical.status != 200:
            return failed(evidence, site.canonical.show())
    return passed(evidence) if written.startswith(("http://", "https://")) else warned(evidence)


@family.check(
    "tech.sitemap",
    7,
    "Sitemap",
    Rule(
        "valid, same-site URLs, lists vehicle or service pages, sampled ones answer 200",
        "no lastmod, blanks before the declaration, no vehicle or service page, or {few} or fewer dead URLs",
        "none, invalid XML, or more dead URLs",
        limits={"few": 2},
    ),
    command=Command.XML,
    sources=(SITEMAPS,),
    fix="Publish a valid sitemap of live pages with lastmod; name it in robots.txt.",
)
def sitemap(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Check the sitemap of an automotive site."""
    return grade_sitemap(site, rule)


def grade_sitemap(site: SurveyedSite, rule: Rule, *, general: bool = False) -> CheckOutcome:
    """Check the sitemap; of a general site every page is useful. A sampled URL is dead when it returns 404 or 410.

    When only JavaScript shells were read and no listed page is a known vehicle or service page, the result is unknown.
    """
    files = site.sitemap.files
    visit = files[0][0] if files else None
    if visit is None:
        return unknown(Reason.NOT_FETCHED)
    if visit.status is None or visit.reason is not None:
        return unknown(visit.blind)
    if visit.status != 200:
        return (
            failed(visit.show(detail="no sitemap answers"))
            if visit.status in (404, 410, 301, 302, 307, 308)
            else unknown(visit.blind)
        )
    invalid = [file for file, read in files if file.ok and read.state == "invalid"]
    if invalid:
        return failed(*(file.show(file.start[:100]) for file in invalid))
    listed = set(site.sitemap.locations)
    foreign = [url for url in listed if not urls.same_site(urls.host_of(url), site.host)]
    visits = (*site.pages, *site.locations)
    chosen = [page for page in visits if page.url in listed or f"{page.url}/" in listed]
    sampled = [page for page in chosen if page.status is not None]
    if chosen and not sampled:
        return unknown(chosen[0].blind)
    dead = [page for page in sampled if page.status in (404, 410)]
    dated = sum(read.dated for _, read in files)
    misdated = sum(read.misdated for _, read in files)
    useful = listed.intersection(
        (
            *site.vehicle_urls,
            *site.service_urls,
            *(page.url for page in site.pages if page.role in DETAIL_ROLES),
        )
    )
    useful = useful or (listed if general else set[str]())
    if not useful and site.only_shells:
        return unknown(Reason.JAVASCRIPT_ONLY)
    padded = any(read.state == "padded" for _, read in files)
    lacks = (
        ("blanks stand before the declaration", padded),
        (f"{len(foreign)} of them on another site", bool(foreign)),
        ("no vehicle or service page among them", not useful),
        (f"{misdated} with a lastmod that is no date", bool(misdated)),
    )
    counts = visit.show(
        detail=f"{counted(len(listed), 'URL')}, {dated} with lastmod, {len(dead)} of {len(sampled)} sampled dead"
        + "".join(f", {words}" for words, holds in lacks if holds)
    )
    if len(dead) > rule["few"]:
        return failed(counts, *(page.show() for page in dead))
    if not dated or dead or padded or foreign or not useful:
        return warned(counts, *(page.show() for page in dead))
    return passed(counts)


INDEXING = family.checks
