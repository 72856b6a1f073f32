"""How pages are delivered: speed, size, honest errors, and what each says it is."""

import statistics

from readiness.checks.check import CheckOutcome, Command, Family, Group, Rule, failed, passed, unknown, warned
from readiness.fetching.errors import Reason
from readiness.survey.evidence import counted
from readiness.survey.site import SurveyedSite

family = Family(Group.TECHNICAL)
RFC9110 = "https://www.rfc-editor.org/rfc/rfc9110"


@family.check(
    "tech.perf.ttfb",
    3,
    "Server answers quickly",
    Rule(
        "median time to the first byte of {least} or more pages at most {fast} ms",
        "at most {slow} ms",
        "slower",
        "fewer pages: unknown; one vantage point",
        {"least": 3, "fast": 800, "slow": 1800},
    ),
    command=Command.TIMING,
    sources=("https://web.dev/articles/ttfb",),
    fix="Cache pages near their readers and look at the server's own time.",
)
def ttfb(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Time from the start of the request, connection included, to the headers."""
    visits = [visit for visit, _ in site.seen()]
    if len(visits) < rule["least"]:
        return unknown(next((visit.reason for visit in site.pages if visit.reason), Reason.NOT_FETCHED))
    median = statistics.median(visit.seconds * 1000 for visit in visits)
    evidence = site.home.show(f"median {median:.0f} ms of {counted(len(visits), 'page')}")
    return (
        passed(evidence)
        if median <= rule["fast"]
        else warned(evidence)
        if median <= rule["slow"]
        else failed(evidence)
    )


@family.check(
    "tech.perf.size",
    2,
    "HTML is not heavy",
    Rule(
        "largest page at most {light} KB",
        "at most {heavy} KB",
        "larger",
        limits={"light": 500, "heavy": 2000},
    ),
    command=Command.TIMING,
    sources=("https://developers.google.com/search/docs/crawling-indexing/googlebot",),
    fix="Move inline data, styles and images out of the HTML.",
)
def size(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Decoded bytes, 1 KB is 1,000 of them."""
    visits = [visit for visit, _ in site.seen()]
    if not visits:
        return unknown(site.home.blind)
    largest = max(visits, key=lambda visit: visit.size)
    kilobytes = largest.size / 1000
    evidence = largest.show(counted(largest.size, "byte"))
    if kilobytes > rule["heavy"] or largest.truncated:
        return failed(evidence)
    return passed(evidence) if kilobytes <= rule["light"] else warned(evidence)


@family.check(
    "tech.errors.soft404",
    1,
    "Unknown addresses say so",
    Rule("404 or 410 for a random path", "200 or a redirect", otherwise="anything else: unknown"),
    command=Command.HEADERS,
    sources=(RFC9110,),
    fix="Answer 404 for pages that do not exist.",
)
def soft404(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The path is random, so it is quoted without its last part."""
    control = site.control
    if control is None or control.status is None:
        return unknown(control.blind if control else Reason.NOT_FETCHED)
    if control.status in (404, 410):
        return passed(control.show())
    return warned(control.show()) if control.status < 400 else unknown(Reason.HTTP_ERROR)


@family.check(
    "tech.lang.title",
    0,
    "Language, title and description",
    Rule("all three are there", "one or two are", "none is"),
    sources=("https://html.spec.whatwg.org/multipage/dom.html#attr-lang",),
    fix="Set lang on html, a title, and a meta description.",
)
def lang_title(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Asked of home."""
    page = site.home.page
    if not site.home.ok or page is None:
        return unknown(site.home.blind)
    present = [bool(page.lang), bool(page.title), bool(page.description)]
    evidence = site.home.show(
        f"lang {page.lang or '-'}; title {page.title or '-'}; description {page.description or '-'}"
    )
    return passed(evidence) if all(present) else warned(evidence) if any(present) else failed(evidence)


DELIVERY = family.checks
