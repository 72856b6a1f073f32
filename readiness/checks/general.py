"""Checks of the catalog as they are asked of a site outside the automotive trade: the same ids and weights."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from readiness.checks.bots import BOTS
from readiness.checks.browser import BROWSER
from readiness.checks.check import (
    Check,
    CheckOutcome,
    Rule,
    failed,
    nothing_seen,
    passed,
    unless,
    warned,
)
from readiness.checks.indexing import INDEXING, grade_sitemap
from readiness.checks.markup import MARKUP
from readiness.reading import business
from readiness.survey.site import SurveyedSite
from readiness.survey.site_kind import Kind

CONTACTS = ("address", "telephone", "logo", "sameAs", "contactPoint", "email")
"""Properties that only a business, an organization or a place has."""


@unless(nothing_seen)
def sd_business(site: SurveyedSite, rule: Rule) -> CheckOutcome:
    """The best node of all pages decides."""
    named: CheckOutcome | None = None
    for visit, page in site.seen():
        for node in page.nodes:
            contacts = [name for name in CONTACTS if node.properties.get(name)]
            is_business = contacts or business.GENERAL_TYPES.intersection(node.types)
            if not is_business or not node.properties.get("name"):
                continue
            evidence = visit.show(
                ", ".join(node.types),
                detail=f"with {', '.join(contacts) or 'a name only'}",
                pointer=node.pointer,
            )
            if contacts:
                return passed(evidence)
            named = named or warned(evidence)
    return named or failed(site.home.show(detail="no business in structured data"))


_BY_ID: Mapping[str, Check] = {check.id: check for check in (*BOTS, *BROWSER, *INDEXING, *MARKUP)}
GENERAL: Mapping[str, Check] = {
    check.id: check
    for check in (
        replace(
            _BY_ID["tech.sd.business"],
            rule=Rule(
                "a business or organization with a name and a logo, profile or contact", "only a name", "none"
            ),
            sources=("https://schema.org/Organization", "https://schema.org/LocalBusiness"),
            fix="Mark up the business as the schema.org type that fits it, such as Organization, OnlineStore or "
            "LocalBusiness, with name, logo and contact.",
            answer=sd_business,
        ),
        replace(
            _BY_ID["tech.sitemap"],
            rule=Rule(
                "valid, same-site URLs, sampled ones answer 200",
                "no lastmod, blanks before the declaration, or {few} or fewer dead URLs",
                "none, invalid XML, or more dead URLs",
                limits=_BY_ID["tech.sitemap"].rule.limits,
            ),
            answer=partial(grade_sitemap, general=True),
        ),
        replace(
            _BY_ID["tech.bots.search_policy"],
            rule=replace(
                _BY_ID["tech.bots.search_policy"].rule, passes="robots.txt allows every search bot on home"
            ),
        ),
    )
}


def for_kind(check: Check, kind: Kind) -> Check:
    """Return a check as it is asked of a site of this kind."""
    return GENERAL.get(check.id, check) if kind is Kind.NOT_AUTOMOTIVE else check
