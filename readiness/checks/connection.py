"""Reaching the site: does its home page answer, and over a connection that can be trusted."""

from readiness.checks.check import CheckOutcome, Command, Family, Group, Rule, failed, passed, unknown, warned
from readiness.fetching import urls
from readiness.fetching.errors import Reason
from readiness.survey.evidence import Evidence
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
    # A challenge or a refusal came over a connection whose certificate held.
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
