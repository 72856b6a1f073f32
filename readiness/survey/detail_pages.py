"""Pages that seem to offer one vehicle or to describe one service, by what speaks for them."""

# ruff: noqa: E501  # lists of words are easier to compare in few lines
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from readiness.fetching import urls
from readiness.reading import vocabulary
from readiness.reading.structured_data import texts
from readiness.reading.vehicles import CERTAIN_TYPES, is_vehicle_page, main_image, says_something
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_links import (
    ALIKE,
    MOST_CANDIDATES,
    digest,
    form_of,
    is_service,
    links_of,
    may_visit,
    spaced,
)

NEEDED = 3
VIN = re.compile(r"(?<![a-z0-9])(?=[a-z0-9]{0,16}\d)(?=[a-z0-9]{0,16}[a-z])[a-hj-npr-z0-9]{17}(?![a-z0-9])")
ID_PARAMETERS = frozenset(
    ("id", "vehicle", "vehicleid", "vehicle_id", "vid", "vin", "stock", "stockno", "stock_number", "car", "carid",
     "car_id", "listing", "listingid", "item", "fahrzeug", "fahrzeugid", "fid")
)  # fmt: skip
VEHICLE_FOLDERS = frozenset(
    ("inventory", "vehicle", "vehicles", "vehicle-details", "vehicledetails", "vehicle-detail", "vdp", "stock", "listing",
     "listings", "details", "detail", "used", "used-cars", "used-car", "used-vehicles", "used-vehicle", "used-inventory",
     "new", "new-cars", "new-car", "new-vehicles", "new-vehicle", "new-inventory", "pre-owned", "preowned", "cars", "car",
     "auto", "autos", "cars-for-sale", "car-for-sale", "for-sale", "trucks", "motorcycles", "fahrzeug", "fahrzeuge",
     "fahrzeugdetails", "fahrzeugbestand", "gebrauchtwagen", "neuwagen", "angebot", "angebote", "vehicule", "vehicules",
     "occasion", "occasions", "voiture", "voitures", "coche", "coches", "vehiculo", "vehiculos", "veicolo", "veicoli",
     "usato", "voorraad", "samochod", "samochody", "oferta", "oferty", "veiculo", "veiculos", "carro", "carros",
     "seminovos")
)  # fmt: skip
SERVICE_FOLDERS = frozenset(
    ("service", "services", "repair", "repairs", "leistungen", "werkstatt", "prestation", "prestations", "servicio",
     "servicios", "servizi", "diensten", "uslugi", "servico", "servicos", "packages", "car-repairs", "auto-repair")
)  # fmt: skip
OTHER_FOLDERS = frozenset(
    ("blog", "news", "press", "review", "reviews", "research", "compare", "comparison", "article", "articles", "jobs",
     "careers", "team", "staff", "tag", "category", "author", "events", "parts", "magazin", "aktuelles")
)  # fmt: skip


def vehicle_points(url: str, text: str = "") -> int:
    """Return how much speaks for a URL leading to one vehicle; from `NEEDED` points on it is a candidate.

    A VIN counts 5, a year with a make 4 (in the address or in the link's text), a folder or parameter of inventories
    together with an identifier 3.
    """
    parts = urlsplit(url)
    folders = [folder for folder in unquote(parts.path).lower().split("/") if folder]
    parameters = {name.lower(): value for name, value in parse_qsl(parts.query)[:20]}
    if OTHER_FOLDERS.intersection(folders) or (folders and SERVICE_FOLDERS.intersection(folders[:-1])):
        return 0
    written = unquote(f"{parts.path} {parts.query}")[:500].lower()
    words = re.sub(r"[/_+.=&-]", " ", written)
    points = 5 if VIN.search(words) else 0
    last = folders[-1] if folders else ""
    named = vocabulary.YEAR.search(written) and vocabulary.MAKES.search(words)
    linked = vocabulary.YEAR.search(text) and vocabulary.MAKES.search(text) and last not in VEHICLE_FOLDERS
    points += 4 if named or linked else 0
    identified = bool(re.search(r"\d{3}", last)) or bool(ID_PARAMETERS.intersection(parameters))
    in_folder = bool(VEHICLE_FOLDERS.intersection(folders)) or "vehicle" in last or "fahrzeug" in last
    in_folder = in_folder or any(vocabulary.INVENTORY.search(spaced(folder[:100])) for folder in folders[:-1])
    return points + (3 if identified and in_folder else 0)


def is_service_url(url: str) -> bool:
    """Whether a URL lies in a folder of services."""
    folders = [folder for folder in urlsplit(url).path.lower().split("/") if folder]
    return len(folders) > 1 and bool(SERVICE_FOLDERS.intersection(folders[:-1])) and len(folders[-1]) >= 3


@dataclass(frozen=True, slots=True)
class DetailCandidates:
    """Pages that seem to offer one vehicle or to describe one service, each in the order of sha256(url).

    `alike` are pages that the inventory lists under addresses of one form: their content decides what they are.
    """

    vehicles: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()


def detail_pages(site: SurveyedSite) -> DetailCandidates:
    """Return detail pages from sitemaps, links and structured data, in the order of their hash."""
    hosts = {urls.host_of(site.home.final_url), site.url.host}
    visited = {urls.page_key(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    visited |= {urls.page_key(visit.url) for visit in site.pages}
    vehicles: dict[str, str] = {}
    services: dict[str, str] = {}
    for href, text, is_vehicle in _mentioned(site):
        key = urls.page_key(href)
        if not key or key in visited or urls.host_of(href) not in hosts:
            continue
        if is_vehicle or vehicle_points(href, text) >= NEEDED:
            vehicles.setdefault(key, href)
        elif is_service_url(href) or is_about_services(text):
            services.setdefault(key, href)
    vehicles |= _listed_beside(site, vehicles, visited | services.keys())
    alike = _listed_alike(site, visited) if len(vehicles) < ALIKE else []
    # One address of many that look alike may hold a year by chance, as that of a Peugeot 2008 does.
    if set(vehicles.values()) <= set(alike):
        vehicles = {}
    return DetailCandidates(
        *(
            tuple(sorted(candidates, key=digest)[:MOST_CANDIDATES])
            for candidates in (vehicles.values(), services.values(), () if vehicles else alike)
        )
    )


def is_about_services(text: str) -> bool:
    """Whether the text of a link is that of a price list, or the name of one service and nothing else."""
    text = text.strip().removeprefix("Nos ")
    return bool(vocabulary.PRICE_LIST.fullmatch(text)) or is_service(text)


def _listed_alike(site: SurveyedSite, visited: set[str]) -> list[str]:
    """Return the largest group of links of the inventory page, outside its navigation, whose addresses have one form.

    The form is the folder, the ending and the names of the parameters. What home's navigation leads to is no single
    vehicle, nor what it links to beside the root; a teaser of one that lies in a folder is. What the sitemap lists in
    the same form belongs to it.
    """
    inventory = site.role(Role.INVENTORY)
    if inventory is None or inventory.page is None:
        return []
    elsewhere = visited | {
        urls.page_key(link.href)
        for link in links_of(site.home.page)
        if link.in_navigation or form_of(link.href).startswith("/*")
    }
    groups: dict[str, dict[str, str]] = {}
    for link in links_of(inventory.page):
        key = urls.page_key(link.href)
        if link.in_navigation or not key or key in elsewhere or not may_visit(link.href, site):
            continue
        groups.setdefault(form_of(link.href), {}).setdefault(key, link.href)
    largest = sorted(groups.values(), key=len)[-1:]
    chosen = {key: url for group in largest if len(group) >= ALIKE for key, url in group.items()}
    return list((chosen | _listed_beside(site, chosen, elsewhere)).values())


def shared_forms(addresses: Iterable[str]) -> set[str]:
    """Return the forms that several addresses share; a home page's own folder is no form."""
    counts = Counter(form_of(url) for url in addresses)
    return {form for form, count in counts.items() if count >= ALIKE and not form.startswith("/*")}


def _listed_beside(site: SurveyedSite, known: Mapping[str, str], visited: set[str]) -> dict[str, str]:
    forms = shared_forms(known.values())
    named = {urls.page_key(url): url for url in site.sitemap.locations if forms and form_of(url) in forms}
    return {key: url for key, url in named.items() if key and key not in visited}


def roles_by_content(visits: tuple[SiteVisit, ...]) -> list[Role]:
    """Return the role of each visit to what might be a vehicle: a page that offers none is none.

    A candidate for its address stays one where no page beside it offers a vehicle either: then it is a poor one.
    """
    pages = [visit.page if visit.ok else None for visit in visits]
    offers = [page is not None and is_vehicle_page(page) for page in pages]
    return (
        [
            Role.VEHICLE if offered or page is None or (any(offers) and says_something(page)) else Role.PAGE
            for page, offered in zip(pages, offers, strict=True)
        ]
        if any(offers)
        else [visit.role for visit in visits]
    )


def vehicle_images(site: SurveyedSite) -> list[str]:
    """Return one image of each sampled vehicle page: the marked-up one, else the first picture of it."""
    images: list[str] = []
    for visit in site.samples(Role.VEHICLE):
        if visit.page is None:
            continue
        url = main_image(visit.page, visit.final_url)
        if url and url not in images and urls.same_site(urls.host_of(url), site.host):
            images.append(url)
    return images


def _mentioned(site: SurveyedSite) -> Iterator[tuple[str, str, bool]]:
    """Yield every URL that the site names: address, text of the link, whether markup calls it a vehicle."""
    for url in site.sitemap.locations:
        yield url, "", False
    for visit, page in site.seen():
        for node in page.nodes_of(CERTAIN_TYPES | {"ListItem"}):
            vehicle = bool(CERTAIN_TYPES.intersection(node.types))
            for url in (*texts(node.properties, "url"), *texts(node.properties, "item", "url")):
                absolute = urls.resolve(visit.final_url, url)
                if absolute:
                    yield absolute, "", vehicle
        for link in links_of(page):
            yield link.href, link.text, False
