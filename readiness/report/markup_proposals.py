"""JSON-LD that a site could add, out of facts that its pages show and nothing else.

A field is certain when the pages show one value for it; any other is left out and named. A proposal is held
against schema.org's vocabulary and graded by the check that it is for, on a copy of the site that has it; one that
does not improve the check, or that makes another check worse, is not shown.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, cast

from analytics.text.prices import number
from readiness.checks.catalog import CATALOG
from readiness.checks.check import CREDIT
from readiness.reading import vocabulary
from readiness.reading.addresses import written_addresses
from readiness.reading.business import BUSINESS_TYPES
from readiness.reading.page import HtmlPage
from readiness.reading.prices import amounts
from readiness.reading.structured_data import read_block
from readiness.reading.vehicle_text import FIGURE, driven, own_offer, stated_availability
from readiness.reading.vehicles import is_used, main_image, vehicle
from readiness.survey.evidence import excerpt
from readiness.survey.facts import REACHED, phones, region_of
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_kind import Kind
from readiness.survey.site_type import detect

CONTEXT = "https://schema.org"
TYPES = {Kind.DEALER: "AutoDealer", Kind.REPAIR_SHOP: "AutoRepair"}
NAME_ENDS = re.compile(r"\s[|–—·:-]\s|\s?\|\s?")
DIGITS = re.compile(r"\d[\d.,\u202f ]{0,12}")
MOST_SERVICES = 12
GUARDED = (
    "tech.sd.valid", "tech.sd.business", "tech.sd.consistent", "ho.hours", "ho.address", "veh.vdp.price",
)  # fmt: skip
"""Checks that no proposal may make worse."""


@dataclass(frozen=True, slots=True)
class MarkupProposal:
    """A script element to add to the page at `url`; `left_out` names the fields that are not certain, and why."""

    url: str
    script: str
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A node, and the fields that were left out of it."""

    node: dict[str, Any]
    left_out: tuple[str, ...] = ()


def propose_markup(check_id: str, site: SurveyedSite) -> Iterator[MarkupProposal]:
    """Yield markup with which a check passes, one for each page that needs its own and shows enough for it."""
    visits = _vehicle_visits(site) if check_id == "veh.vdp.structured" else (site.home,)
    proposals = (_proposal(check_id, site, visit) for visit in visits if visit.ok)
    return (proposal for proposal in proposals if proposal is not None)


def _proposal(check_id: str, site: SurveyedSite, visit: SiteVisit) -> MarkupProposal | None:
    if visit.page is None:
        return None
    draft = BUILDERS[check_id](site, visit, visit.page)
    if draft is None:
        return None
    # A script element ends at the first "</", even inside a string.
    document = {"@context": CONTEXT, **draft.node}
    markup = json.dumps(document, ensure_ascii=False, indent=2).replace("<", "\\u003c")
    if read_block(markup, 0)[0].strange or not _helps(check_id, site, visit, markup):
        return None
    script = f'<script type="application/ld+json">\n{markup}\n</script>'
    return MarkupProposal(visit.url, script, draft.left_out)


def _helps(check_id: str, site: SurveyedSite, visit: SiteVisit, markup: str) -> bool:
    """Whether the check improves on a site with the markup, and no other check that reads markup gets worse."""
    only = _with_only(site, visit) if check_id == "veh.vdp.structured" else site
    patched = _with_markup(only, visit, markup)
    questions = {check.id: check for check in CATALOG if check.id in (check_id, *GUARDED)}
    before = {name: check.answer(only, check.rule).status for name, check in questions.items()}
    after = {name: check.answer(patched, check.rule).status for name, check in questions.items()}
    gains = {name: CREDIT.get(after[name], 1.0) - CREDIT.get(before[name], 1.0) for name in questions}
    return gains[check_id] > 0 and min(gains.values()) >= 0


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


def _business(site: SurveyedSite, visit: SiteVisit, page: HtmlPage) -> Draft | None:
    name = _shown_name(site, page)
    if not name:
        return None
    shown = {"telephone": _numbers(site), "address": _addresses(site)}
    certain = {field: values[0] for field, values in shown.items() if len(values) == 1}
    left_out = tuple(
        f"{field}: the pages show {len(values) or 'none'}"
        for field, values in shown.items()
        if field not in certain
    )
    node = {**_identity(site, visit), "name": name, "url": site.home.final_url, **certain}
    return Draft(node, left_out) if certain else None


def _numbers(site: SurveyedSite) -> list[str]:
    """The telephones of the pages that say how a business is reached; where some are linked, those alone."""
    region = region_of(site)
    pages = [page for _, page in site.seen(*REACHED)]
    linked = {link.href[4:] for page in pages for link in page.links if link.href.lower().startswith("tel:")}
    shown = [pair for page in pages for pair in phones(page, region)]
    return list(dict.fromkeys(number for written, number in shown if written in linked or not linked))


def _addresses(site: SurveyedSite) -> list[dict[str, str]]:
    """The addresses with street, code and town of the pages that say where a business is."""
    whole = (
        tuple(map(excerpt, (written.street, written.code, written.town)))
        for _, page in site.seen(*REACHED)
        for written in written_addresses(page.lines, region_of(site))
        if written.is_whole
    )
    return [
        {"@type": "PostalAddress", "streetAddress": street, "postalCode": code, "addressLocality": town}
        for street, code, town in dict.fromkeys(whole)
        if street and code and town
    ]


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


def _services(site: SurveyedSite, visit: SiteVisit, page: HtmlPage) -> Draft | None:
    """What headings and links of the service pages name; a word in running text may speak of anything."""
    texts = [
        "\n".join((*(text for _, text in seen.headings), *(link.text for link in seen.links)))
        for seen_visit, seen in site.seen(Role.SERVICE, Role.SERVICE_DETAIL)
        if seen_visit.role is not Role.HOME
    ]
    names = dict.fromkeys(excerpt(name) for text in texts for name in vocabulary.services_named(text))
    business = _business(site, visit, page)
    owner = business.node if business else {**_identity(site, visit), "name": _shown_name(site, page)}
    if not names or not owner["name"]:
        return None
    offers = [
        {"@type": "Offer", "itemOffered": {"@type": "Service", "name": name}}
        for name in list(names)[:MOST_SERVICES]
    ]
    return Draft({**owner, "makesOffer": offers}, business.left_out if business else ())


def _vehicle(site: SurveyedSite, visit: SiteVisit, page: HtmlPage) -> Draft | None:
    """What the page shows of its vehicle; a field that it does not show, or shows in two ways, is left out."""
    offered, text = vehicle(page), own_offer(page)
    prices = {amount.value: amount for amount in amounts(text) if not amount.monthly}
    if not prices or not offered.make:
        return None
    offer: dict[str, Any] = {"@type": "Offer"}
    left_out: list[str] = []
    if len(prices) == 1:
        [price] = prices.values()
        offer |= {"price": f"{price.value}", "priceCurrency": price.currency}
    else:
        left_out.append(f"price: the page shows {len(prices)} amounts")
    used = is_used(page, offered)
    if used is not None:
        offer["itemCondition"] = f"{CONTEXT}/{'Used' if used else 'New'}Condition"
    if stated_availability(text).lower() in IN_STOCK:
        offer["availability"] = f"{CONTEXT}/InStock"
    fields: dict[str, Any] = {
        "@type": "Car",
        "name": excerpt(offered.title),
        "brand": {"@type": "Brand", "name": excerpt(offered.make)},
        "model": excerpt(offered.model),
        "vehicleModelDate": offered.year,
        "vehicleIdentificationNumber": offered.vin,
        "mileageFromOdometer": _odometer(text),
        "image": main_image(page, visit.final_url),
        "url": visit.final_url,
        "offers": offer,
    }
    return Draft({name: value for name, value in fields.items() if value}, tuple(left_out))


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
