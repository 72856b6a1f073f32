"""JSON-LD that a site could add, out of facts that its pages show and nothing else.

A proposal is held against schema.org's vocabulary and graded by the check that it is for, on a copy of the site that
has it; one that does not pass there, or that makes another check worse, is not shown.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from analytics.text.prices import number
from readiness.checks.catalog import CATALOG
from readiness.checks.check import CREDIT, CheckStatus
from readiness.reading import vocabulary
from readiness.reading.addresses import written_addresses
from readiness.reading.business import BUSINESS_TYPES
from readiness.reading.page import HtmlPage
from readiness.reading.prices import amounts
from readiness.reading.structured_data import read_block
from readiness.reading.vehicle_text import FIGURE, driven, own_offer, stated_availability
from readiness.reading.vehicles import is_used, main_image, vehicle
from readiness.survey.evidence import excerpt
from readiness.survey.facts import phones, region_of
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_kind import Kind
from readiness.survey.site_type import detect

CONTEXT = "https://schema.org"
TYPES = {Kind.DEALER: "AutoDealer", Kind.REPAIR_SHOP: "AutoRepair"}
VOCABULARY: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(BUSINESS_TYPES, frozenset(("name", "url", "telephone", "address", "makesOffer"))),
    "PostalAddress": frozenset(("streetAddress", "postalCode", "addressLocality")),
    "Offer": frozenset(("price", "priceCurrency", "availability", "itemCondition", "itemOffered", "url")),
    "Service": frozenset(("name",)),
    "Car": frozenset(
        ("name", "brand", "model", "vehicleModelDate", "vehicleIdentificationNumber", "mileageFromOdometer",
         "image", "offers", "url")
    ),
    "Brand": frozenset(("name",)),
    "QuantitativeValue": frozenset(("value", "unitCode")),
}  # fmt: skip
"""The part of schema.org's vocabulary that proposals use; a test holds it to the whole one."""
NAME_ENDS = re.compile(r"\s[|–—·:-]\s|\s?\|\s?")
DIGITS = re.compile(r"\d[\d.,\u202f ]{0,12}")
MOST_SERVICES = 12
GUARDED = (
    "tech.sd.valid", "tech.sd.business", "tech.sd.consistent", "ho.hours", "ho.address", "veh.vdp.price",
)  # fmt: skip
"""Checks that no proposal may make worse."""


@dataclass(frozen=True, slots=True)
class MarkupProposal:
    """A script element to add to the page at `url`."""

    url: str
    script: str


def propose_markup(check_id: str, site: SurveyedSite) -> Iterator[MarkupProposal]:
    """Yield markup with which a check passes, one for each page that needs its own and shows enough for it."""
    visits = _vehicle_visits(site) if check_id == "veh.vdp.structured" else (site.home,)
    proposals = (_proposal(check_id, site, visit) for visit in visits if visit.ok)
    return (proposal for proposal in proposals if proposal is not None)


def _proposal(check_id: str, site: SurveyedSite, visit: SiteVisit) -> MarkupProposal | None:
    if visit.page is None:
        return None
    build = BUILDERS[check_id]
    node = build(site, visit, visit.page)
    if node is None or not in_vocabulary(node):
        return None
    # A script element ends at the first "</", even inside a string.
    markup = json.dumps({"@context": CONTEXT, **node}, ensure_ascii=False, indent=2).replace("<", "\\u003c")
    if not _holds(check_id, site, visit, markup):
        return None
    return MarkupProposal(visit.url, f'<script type="application/ld+json">\n{markup}\n</script>')


def in_vocabulary(node: Mapping[str, Any]) -> bool:
    """Whether schema.org has every type and property of a node, those of the nodes in it too."""
    properties = VOCABULARY.get(str(node.get("@type")), frozenset())
    inner = [item for value in node.values() for item in _objects(value)]
    return set(node) - {"@type", "@id"} <= properties and all(map(in_vocabulary, inner))


def _objects(value: Any) -> list[dict[str, Any]]:
    items = cast(list[Any], value) if isinstance(value, list) else [value]
    return [cast(dict[str, Any], item) for item in items if isinstance(item, dict)]


def _holds(check_id: str, site: SurveyedSite, visit: SiteVisit, markup: str) -> bool:
    """Whether the check passes on a site with the markup, and no other check that reads markup gets worse."""
    only = _with_only(site, visit) if check_id == "veh.vdp.structured" else site
    patched = _with_markup(only, visit, markup)
    questions = {check.id: check for check in CATALOG if check.id in (check_id, *GUARDED)}
    before = {name: check.answer(only, check.rule).status for name, check in questions.items()}
    after = {name: check.answer(patched, check.rule).status for name, check in questions.items()}
    worse = [name for name in questions if CREDIT.get(after[name], 1.0) < CREDIT.get(before[name], 1.0)]
    return after[check_id] is CheckStatus.PASS and not worse


def _with_only(site: SurveyedSite, visit: SiteVisit) -> SurveyedSite:
    """The site as if this were its only vehicle page: one page's markup cannot fix the others."""
    kept = (page for page in site.pages if page.role is not Role.VEHICLE or page.url == visit.url)
    return replace(site, pages=tuple(kept))


def _with_markup(site: SurveyedSite, visit: SiteVisit, markup: str) -> SurveyedSite:
    page = cast(HtmlPage, visit.page)
    block, nodes = read_block(markup, len(page.blocks))
    patched = replace(visit)
    patched.__dict__["page"] = replace(page, blocks=(*page.blocks, block), nodes=(*page.nodes, *nodes))
    if visit.url == site.home.url and visit.role is site.home.role:
        return replace(site, home=patched)
    return replace(site, pages=tuple(patched if other.url == visit.url else other for other in site.pages))


def _vehicle_visits(site: SurveyedSite) -> list[SiteVisit]:
    pages = ((visit, visit.page) for visit in site.samples(Role.VEHICLE) if visit.ok)
    return [visit for visit, page in pages if page and vehicle(page).node is None]


def _business(site: SurveyedSite, visit: SiteVisit, page: HtmlPage) -> dict[str, Any] | None:
    name = _shown_name(site, page)
    numbers = [e164 for _, seen in site.seen() for _, e164 in phones(seen, region_of(site))]
    address = _shown_address(site)
    if not (name and numbers and address):
        return None
    return {
        **_identity(site, visit),
        "name": name,
        "url": site.home.final_url,
        "telephone": numbers[0],
        "address": address,
    }


def _identity(site: SurveyedSite, visit: SiteVisit) -> dict[str, str]:
    """The type that the site gives its business, with the id that joins both; the type that it seems to be without one.

    A tire shop that is marked up as one is no second business of another type.
    """
    for marked, node in site.nodes(BUSINESS_TYPES):
        identity = {"@type": next(name for name in node.types if name in BUSINESS_TYPES)}
        id = node.properties.get("@id")
        if isinstance(id, str) and (marked.url == visit.url or not id.startswith("#")):
            identity["@id"] = id
        return identity
    return {"@type": TYPES.get(detect(site).value, "AutomotiveBusiness")}


def _shown_name(site: SurveyedSite, page: HtmlPage) -> str:
    """The part of home's title, else its heading, that home's text and another page show alike; empty without one."""
    others = [seen for visit, seen in site.seen() if visit.url != site.home.url]
    heading = page.heading("h1")
    titled = [heading] if heading and heading.casefold() in page.title.casefold() else []
    for part in (excerpt(piece) for piece in (*NAME_ENDS.split(page.title), *titled)):
        folded = part.casefold()
        repeated = any(folded in f"{seen.title} {seen.text}".casefold() for seen in others)
        if len(part) > 2 and folded in page.text.casefold() and (repeated or page.heading("h1") == part):
            return part
    return ""


def _shown_address(site: SurveyedSite) -> dict[str, Any] | None:
    """The first address of which street, code and town are certain."""
    for _, page in site.seen():
        for written in written_addresses(page.text, page.code_lines):
            if written.is_whole and written.street and written.code and written.town:
                return {
                    "@type": "PostalAddress",
                    "streetAddress": excerpt(written.street),
                    "postalCode": excerpt(written.code),
                    "addressLocality": excerpt(written.town),
                }
    return None


def _services(site: SurveyedSite, visit: SiteVisit, page: HtmlPage) -> dict[str, Any] | None:
    texts = [
        seen.text
        for seen_visit, seen in site.seen(Role.SERVICE, Role.SERVICE_DETAIL)
        if seen_visit.role is not Role.HOME
    ]
    names = dict.fromkeys(excerpt(name) for text in texts for name in vocabulary.services_named(text))
    owner = _business(site, visit, page) or {**_identity(site, visit), "name": _shown_name(site, page)}
    if not names or not owner["name"]:
        return None
    offers = [
        {"@type": "Offer", "itemOffered": {"@type": "Service", "name": name}}
        for name in list(names)[:MOST_SERVICES]
    ]
    return {**owner, "makesOffer": offers}


def _vehicle(site: SurveyedSite, visit: SiteVisit, page: HtmlPage) -> dict[str, Any] | None:
    """What the page shows of its vehicle; a field that it does not show is left out."""
    offered, text = vehicle(page), own_offer(page)
    price = next((amount for amount in amounts(text) if not amount.monthly), None)
    if price is None or not offered.make:
        return None
    offer: dict[str, Any] = {"@type": "Offer", "price": f"{price.value}", "priceCurrency": price.currency}
    used = is_used(page, offered)
    if used is not None:
        offer["itemCondition"] = f"{CONTEXT}/{'Used' if used else 'New'}Condition"
    if stated_availability(text).lower() in IN_STOCK:
        offer["availability"] = f"{CONTEXT}/InStock"
    image = main_image(page, visit.final_url)
    fields: dict[str, Any] = {
        "@type": "Car",
        "name": excerpt(offered.title),
        "brand": {"@type": "Brand", "name": excerpt(offered.make)},
        "model": excerpt(offered.model),
        "vehicleModelDate": offered.year,
        "vehicleIdentificationNumber": offered.vin,
        "mileageFromOdometer": _odometer(text),
        "image": image,
        "url": visit.final_url,
        "offers": offer,
    }
    return {name: value for name, value in fields.items() if value}


IN_STOCK = frozenset(
    ("in stock", "available", "on the lot", "auf lager", "verfügbar", "sofort verfügbar", "vorrätig", "en stock",
     "disponible", "disponibile", "op voorraad", "beschikbaar", "dostępny")
)  # fmt: skip


def _figures(written: str) -> str:
    match = DIGITS.search(written)
    return match[0].strip() if match else ""


def _odometer(text: str) -> dict[str, Any] | None:
    """The mileage with its unit; None where the page says none, or in thousands."""
    shown = driven(text)
    figures, unit = number(_figures(shown)), FIGURE.search(shown) or re.search("km|mi", shown, re.I)
    if figures is None or unit is None or re.search(r"\d\s?(?:k|t|tsd|tys)\b", shown, re.I):
        return None
    code = "SMI" if re.search("mi", shown, re.I) and not re.search("km", shown, re.I) else "KMT"
    return {"@type": "QuantitativeValue", "value": int(figures), "unitCode": code}


BUILDERS = {"tech.sd.business": _business, "svc.structured": _services, "veh.vdp.structured": _vehicle}
