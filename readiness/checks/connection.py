"""Reaching the site: does its home page answer, and over a connection that can be trusted."""

import statistics

from readiness.checks.check import CheckOutcome, Command, Family, Group, Rule, failed, passed, unknown, warned
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.survey.evidence import Evidence, counted
from readiness.survey.site import STANDING_IN, SiteVisit, SurveyedSite

family = Family(Group.TECHNICAL)
RFC9110 = "https://www.rfc-editor.org/rfc/rfc9110"


@family.check(
    "tech.http.reachable",
    8,
    "Home page answers",
    Rule(
        "200 with HTML within {hops} redirects on the same site",
        "more than {few} redirects, or another registrable domain",
        "4xx, DNS, TLS or a second timeout: the scan ends without a report",
        otherwise="unknown, as every check is, when home answers with 5xx: the site is down",
        limits={"hops": 5, "few": 2},
    ),
    command=Command.HEADERS,
    sources=(RFC9110,),
    fix="Let the home page answer 200 with HTML, reached in one redirect at most.",
    gate=True,
)
def reachable(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Redirects are counted to the page that answered."""
    home = site.home
    if home.stopped is Reason.OFF_SITE:
        return warned(*(_hop(home, number) for number in range(len(home.chain))), reason=home.stopped.value)
    if home.reason is not None and home.reason in STANDING_IN:
        return unknown(home.reason)
    if not home.ok:
        return failed(home.show(), reason=home.blind.value) if home.status else unknown(home.blind)
    evidence = (*(_hop(home, number) for number in range(len(home.chain))), home.show())
    moved = not urls.same_site(site.url.host, site.host)
    return warned(*evidence) if len(home.chain) > rule["few"] or moved else passed(*evidence)


def _hop(visit: SiteVisit, number: int) -> Evidence:
    hop = visit.chain[number]
    return Evidence(url=hop.url, status_code=hop.status, header=f"location: {hop.location}"[:300])


@family.check(
    "tech.https",
    6,
    "HTTPS with a valid certificate",
    Rule(
        "valid certificate, and http leads to https",
        "no redirect from http",
        "no valid https, or https leads to http",
    ),
    command=Command.HEADERS,
    sources=(RFC9110,),
    fix="Serve the site over https with a valid certificate and redirect http to it.",
)
def https(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The http and the https home are fetched on their own; https to http is never followed."""
    secure, plain = site.secure_home, site.plain_home
    if (
        secure.reason is not None
        and secure.reason in (Reason.TLS, Reason.CONNECTION)
        and plain.reason is None
    ):
        return failed(plain.show(header=f"https: {secure.reason.value}"), reason=secure.reason.value)
    # A challenge or a block came over a connection with a valid certificate.
    if secure.reason is not None and secure.reason not in STANDING_IN:
        return unknown(secure.reason)
    if secure.stopped is Reason.DOWNGRADE:
        return failed(*(_hop(secure, number) for number in range(len(secure.chain))), reason="downgrade")
    shown = secure.certificate
    proof = secure.show(header=f"certificate: {shown.issuer}, until {shown.expires}" if shown else None)
    if plain.reason is not None and not plain.final_url.startswith("https:"):
        # Nothing listens on port 80, so nothing leaks over it either; any other silence we cannot read.
        return passed(proof) if plain.reason is Reason.CONNECTION else unknown(plain.reason)
    return (
        passed(proof, plain.show()) if plain.final_url.startswith("https:") else warned(proof, plain.show())
    )


CONNECTION = family.checks

delivery = Family(Group.TECHNICAL)


@delivery.check(
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
    fix="Cache pages close to their visitors, and reduce the server's response time.",
)
def ttfb(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """Time from the start of the request, connection included, to the headers."""
    visits = [visit for visit, _ in site.seen()]
    if len(visits) < rule["least"]:
        return unknown(next((visit.reason for visit in site.pages if visit.reason), Reason.NOT_FETCHED))
    median = statistics.median(visit.seconds * 1000 for visit in visits)
    evidence = site.home.show(detail=f"median {median:.0f} ms of {counted(len(visits), 'page')}")
    return (
        passed(evidence)
        if median <= rule["fast"]
        else warned(evidence)
        if median <= rule["slow"]
        else failed(evidence)
    )


@delivery.check(
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
    evidence = largest.show(detail=counted(largest.size, "byte"))
    if kilobytes > rule["heavy"] or largest.truncated:
        return failed(evidence)
    return passed(evidence) if kilobytes <= rule["light"] else warned(evidence)


@delivery.check(
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


@delivery.check(
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
        detail=f"lang {page.lang or '-'}; title {page.title or '-'}; description {page.description or '-'}"
    )
    return passed(evidence) if all(present) else warned(evidence) if any(present) else failed(evidence)


DELIVERY = delivery.checks
