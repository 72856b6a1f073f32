"""Which kind of automotive business a site belongs to, from evidence with points, and what then applies."""

from dataclasses import dataclass

from readiness.fetching import urls
from readiness.reading import vocabulary
from readiness.reading.vehicles import is_vehicle_page, vehicle
from readiness.survey.page_roles import lists_vehicles
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_kind import DECLARABLE, Kind
from readiness.survey.site_links import links_of


@dataclass(frozen=True, slots=True)
class Sign:
    """One kind of evidence: what it is, what it is worth, for which type."""

    words: str
    points: int
    kind: Kind


DEALER_TYPES = frozenset(("AutoDealer", "MotorcycleDealer"))
REPAIR_TYPES = frozenset(("AutoRepair", "AutoBodyShop", "TireShop"))
SPECIAL_TYPES = frozenset(("AutoWash", "AutoRental"))
OFFERED = 3
SERVICE_WORDS = 3
NEEDED, LEAD = 5, 2
SIGNS = {
    "dealer_type": Sign("schema.org AutoDealer or MotorcycleDealer", 5, Kind.DEALER),
    "vehicles": Sign(f"{OFFERED} or more vehicle pages or distinct VINs", 4, Kind.DEALER),
    "inventory_link": Sign("a link to an inventory", 3, Kind.DEALER),
    "money_link": Sign("a link to finance or trade-in", 2, Kind.DEALER),
    "stock": Sign("an inventory that lists vehicles, or leaves them to scripts or frames", 2, Kind.DEALER),
    "dealer_name": Sign("words for a dealer in home's title or h1", 3, Kind.DEALER),
    "repair_type": Sign("schema.org AutoRepair, AutoBodyShop or TireShop", 5, Kind.REPAIR_SHOP),
    "service_words": Sign(
        f"{SERVICE_WORDS} or more services named in navigation or headings", 3, Kind.REPAIR_SHOP
    ),
    "workshop_name": Sign("words for a workshop in home's title or h1", 3, Kind.REPAIR_SHOP),
    "workshop": Sign(f"a page that names {SERVICE_WORDS} or more services", 3, Kind.REPAIR_SHOP),
    "booking_link": Sign("a link to a page for appointments of a workshop", 2, Kind.REPAIR_SHOP),
    "scheduler": Sign("a known scheduler's host", 2, Kind.REPAIR_SHOP),
    "special_type": Sign("schema.org AutoWash or AutoRental", 5, Kind.SERVICE_SITE),
    "special_words": Sign(
        "wash, detailing, glass, mobile, rental or inspection words in title or h1", 4, Kind.SERVICE_SITE
    ),
}
CERTAIN = frozenset(
    (
        "dealer_type",
        "vehicles",
        "dealer_name",
        "repair_type",
        "workshop_name",
        "special_type",
        "special_words",
    )
)
"""Signs that only an automotive business has; furniture is in stock and paid in parts as well."""


@dataclass(frozen=True, slots=True)
class SiteType:
    """The verdict: type, whether a dealer has a service department, points per type, signs seen."""

    value: Kind
    declared: Kind | None
    detected: Kind
    service_department: bool
    points: dict[str, int]
    evidence: tuple[str, ...]
    offers_vehicles: bool
    mobile: bool


def detect(site: SurveyedSite, declared: Kind | None = None) -> SiteType:
    """The type of a site; a declared one wins. Works on what was fetched and on nothing else."""
    seen = [name for name, holds in _signs(site).items() if holds]
    points = {kind.value: sum(SIGNS[n].points for n in seen if SIGNS[n].kind is kind) for kind in DECLARABLE}
    readable = site.home.ok and not site.only_shells
    named = bool(CERTAIN.intersection(seen)) or bool(vocabulary.AUTOMOTIVE.search(_words(site)))
    detected = _winner(points, seen, is_automotive=named or not readable)
    if not seen and not readable:
        detected = Kind.UNDETERMINED
    value = declared or detected
    dealer_and_shop = min(points[Kind.DEALER], points[Kind.REPAIR_SHOP]) >= NEEDED
    department = value is Kind.DEALER and (
        dealer_and_shop
        or "repair_type" in seen
        or "service_words" in seen
        or site.role(Role.SERVICE) is not None
        or _books_work(site)
    )
    return SiteType(
        value=value,
        declared=declared,
        detected=detected,
        service_department=department,
        points=points,
        evidence=tuple(f"{SIGNS[name].words} (+{SIGNS[name].points} {SIGNS[name].kind})" for name in seen),
        offers_vehicles="vehicles" in seen,
        mobile=bool(vocabulary.MOBILE.search(_text(site)))
        and bool({"special_type", "special_words"} & set(seen)),
    )


def _winner(points: dict[str, int], seen: list[str], *, is_automotive: bool) -> Kind:
    """The kind with the most points; of an automotive business two signs, or a certain one, are enough."""
    if not seen:
        return Kind.NOT_AUTOMOTIVE
    if min(points[Kind.DEALER], points[Kind.REPAIR_SHOP]) >= NEEDED:
        return Kind.DEALER
    (best, most), (_, second), *_ = sorted(points.items(), key=lambda item: -item[1])
    if most >= NEEDED and most - second >= LEAD and (is_automotive or best != Kind.DEALER):
        return Kind(best)
    if not is_automotive:
        return Kind.NOT_AUTOMOTIVE
    if most == second and points[Kind.DEALER] == most and "inventory_link" not in seen:
        best = Kind.REPAIR_SHOP
    return Kind(best) if len(seen) > 1 or CERTAIN.intersection(seen) else Kind.UNDETERMINED


def _signs(site: SurveyedSite) -> dict[str, bool]:
    seen = site.seen()
    home = site.home.page
    types = {name for _, page in seen for node in page.nodes for name in node.types}
    vehicles = [page for _, page in seen if is_vehicle_page(page)]
    vins = {vehicle(page).vin for page in vehicles} - {""}
    named = " ".join(
        [link.text for link in (home.links if home else ()) if link.in_navigation]
        + [text for _, page in seen if page not in vehicles for _, text in page.headings]
    )
    titles = " ".join(f"{page.title} {page.heading('h1')}" for visit, page in seen if visit.role is Role.HOME)
    hosts = [
        urls.host_of(link.href) for _, page in seen for link in page.links if link.href.startswith("http")
    ]
    return {
        "dealer_type": bool(types & DEALER_TYPES),
        "vehicles": max(len(vins), len(site.vehicle_urls) if vehicles else 0) >= OFFERED,
        "inventory_link": site.role(Role.INVENTORY) is not None,
        "stock": _may_list_vehicles(site.role(Role.INVENTORY)),
        "dealer_name": bool(vocabulary.DEALER.search(titles)),
        "money_link": any(site.role(role) is not None for role in (Role.FINANCE, Role.TRADE_IN)),
        "repair_type": bool(types & REPAIR_TYPES),
        "service_words": len(vocabulary.services_named(named)) >= SERVICE_WORDS,
        "workshop_name": _is_workshop(titles),
        "workshop": any(
            len(vocabulary.services_named(page.text)) >= SERVICE_WORDS for _, page in site.seen(Role.SERVICE)
        ),
        "booking_link": site.role(Role.SCHEDULE) is not None
        and any(vocabulary.services_named(page.text) for _, page in seen),
        "scheduler": any(
            host == known or host.endswith(f".{known}") for host in hosts for known in vocabulary.SCHEDULERS
        ),
        "special_type": bool(types & SPECIAL_TYPES),
        "special_words": bool(vocabulary.SPECIAL.search(titles)),
    }


def _is_workshop(titles: str) -> bool:
    specialist = vocabulary.SPECIALIST.search(titles) and vocabulary.MAKES.search(titles)
    return bool(vocabulary.WORKSHOP.search(titles) or specialist)


def _books_work(site: SurveyedSite) -> bool:
    """Whether a link of home to the page to book speaks of the workshop."""
    page = site.role(Role.SCHEDULE)
    return page is not None and any(
        urls.page_key(link.href) == urls.page_key(page.url) and vocabulary.SERVICE.search(link.text)
        for link in links_of(site.home.page)
    )


def _may_list_vehicles(inventory: SiteVisit | None) -> bool:
    """Whether a linked inventory has vehicles, or might have them in scripts and frames, which are not read."""
    if inventory is None or not inventory.ok or inventory.page is None:
        return inventory is not None
    page = inventory.page
    hidden = page.is_shell or page.frames or page.inline_data or page.interfaces
    return bool(hidden) or lists_vehicles(page)


def _words(site: SurveyedSite) -> str:
    """Return what a site calls itself: its host, the titles and headings of its pages, its structured types."""
    seen = site.seen()
    types = (name for _, page in seen for node in page.nodes for name in node.types)
    return " ".join([site.host, *types, *(f"{page.title} {page.heading('h1')}" for _, page in seen)])


def _text(site: SurveyedSite) -> str:
    return " ".join(f"{page.title} {page.text}" for _, page in site.seen())
