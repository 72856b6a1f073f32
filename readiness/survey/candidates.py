"""Which pages of a site are worth a visit: key pages by what their links say, detail pages by what speaks for them.

Pure functions over what was fetched; they read strangers' links by the ten thousand and run in a worker process.
"""

# ruff: noqa: E501  # lists of words are easier to compare in few lines
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from urllib.parse import parse_qsl, unquote, urlsplit

from readiness.fetching import urls
from readiness.fetching.errors import UrlRefused
from readiness.reading import vocabulary
from readiness.reading.page import HtmlPage, Link
from readiness.reading.prices import amounts
from readiness.reading.structured_data import texts
from readiness.reading.vehicles import CERTAIN_TYPES, is_vehicle_page, main_image, says_something
from readiness.survey.link_roles import (
    ALIKE,
    CUSTOMERS,
    ROLE_WORDS,
    distance_from_stock,
    is_service,
    link_for,
    spaced,
    words_of,
)
from readiness.survey.site import KEY_ROLES, Role, SiteVisit, SurveyedSite

MOST_CANDIDATES = 5_000
NEEDED = 3
UNNAMED = 3
OTHER_INVENTORIES = 2
DESCRIBING = 40
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
BEHIND_HOME = (Role.SCHEDULE, Role.CONTACT, Role.HOURS)
"""Roles whose page may be linked from another key page alone."""


@dataclass(frozen=True, slots=True)
class PageCandidate:
    """A page the plan may fetch."""

    url: str
    role: Role


@dataclass(frozen=True, slots=True)
class DetailCandidates:
    """Pages that seem to offer one vehicle or to describe one service, each in the order of sha256(url).

    `alike` are pages that the inventory lists under addresses of one form: their content tells what they are.
    """

    vehicles: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()


def key_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return the key pages that home leads to, each under the first role it suits, `most` at most.

    Links come first; what only a script or the form of a search leads to is taken where no link suits.
    """
    links = [link for link in _links(site.home.page) if may_visit(link.href, site)]
    scripted = [link for link in _scripted(site.home.page) if may_visit(link.href, site)]
    return _for_roles(KEY_ROLES, links, scripted)[:most]


def unnamed_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return pages of the navigation whose links say nothing of a role, where the cars or the services are not found yet.

    Houses call them `Packages`, `Our garage` or a word of their own: then the page itself has to say what it is.
    """
    if not missing_lists(site):
        return []
    visited = {normalized_url(visit.final_url or visit.url) for visit in site.pages}
    chosen: dict[str, PageCandidate] = {}
    for link in _links(site.home.page):
        words = f"{link.text} {words_of(link.href)}"
        known = any(pattern.search(words) for pattern in (*ROLE_WORDS.values(), vocabulary.IDENTITY))
        key = normalized_url(link.href)
        if link.in_navigation and not known and may_visit(link.href, site) and key not in visited:
            chosen.setdefault(key, PageCandidate(link.href, Role.PAGE))
    return list(chosen.values())[: min(UNNAMED, most)]


def other_inventories(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return further pages that home calls an inventory, where the one that was visited lists no vehicle.

    Used cars may all be gone, and new ones not have come in yet.
    """
    first = site.role(Role.INVENTORY)
    if first is None or not first.ok or first.page is None or len(vehicle_links(first.page)) >= ALIKE:
        return []
    visited = {normalized_url(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    found: dict[str, PageCandidate] = {}
    for link in sorted(_links(site.home.page), key=distance_from_stock):
        key = normalized_url(link.href)
        suits = vocabulary.INVENTORY.search(link.text) and distance_from_stock(link)[0] < CUSTOMERS
        if suits and key not in visited and may_visit(link.href, site):
            found.setdefault(key, PageCandidate(link.href, Role.PAGE))
    return list(found.values())[: min(OTHER_INVENTORIES, most)]


def fullest_inventory(visits: tuple[SiteVisit, ...]) -> int | None:
    """Return which of these visits lists vehicles, the first of those that list most; None where none does."""
    counts = [len(vehicle_links(visit.page)) if visit.ok and visit.page else 0 for visit in visits]
    return counts.index(max(counts)) if max(counts, default=0) >= ALIKE else None


def vehicle_links(page: HtmlPage) -> set[str]:
    """Return the distinct addresses on a page that seem to lead to one vehicle each."""
    return {link.href for link in _links(page) if vehicle_points(link.href, link.text) >= NEEDED}


def missing_lists(site: SurveyedSite) -> list[Role]:
    """Return which of inventory and services no link of home led to."""
    return [role for role in (Role.INVENTORY, Role.SERVICE) if site.role(role) is None]


def roles_of_unnamed(visits: tuple[SiteVisit, ...], wanted: tuple[Role, ...]) -> list[Role]:
    """Return the role of each visited page by what stands on it; the first that suits a role has it."""
    tests = {Role.INVENTORY: lists_vehicles, Role.SERVICE: _lists_services}
    left = list(wanted)
    roles: list[Role] = []
    for visit in visits:
        page = visit.page if visit.ok else None
        suits = next((role for role in left if page is not None and tests[role](page)), Role.PAGE)
        left = [role for role in left if role is not suits]
        roles.append(suits)
    return roles


def lists_vehicles(page: HtmlPage) -> bool:
    """Whether a page has several links to vehicles, or to pages of one form beside prices and makes of cars."""
    forms = Counter(_form(url) for url in {link.href for link in _links(page) if not link.in_navigation})
    alike = max(forms.values(), default=0) >= ALIKE
    return len(vehicle_links(page)) >= ALIKE or (
        alike
        and len(amounts(page.own_text)) >= ALIKE
        and len(vocabulary.MAKES.findall(page.own_text)) >= ALIKE
    )


def _lists_services(page: HtmlPage) -> bool:
    """Whether a page names three services and says something of them, or has them in a list or a table."""
    named = sum(1 for words in vocabulary.SERVICES if words.search(page.own_text))
    says_more = page.own_words >= DESCRIBING or page.list_entries >= ALIKE
    return named >= ALIKE and (says_more or bool(page.lists or page.tables))


def further_key_pages(site: SurveyedSite, most: int) -> list[PageCandidate]:
    """Return the pages for appointments, contact and hours that home does not link to, but one of its key pages does.

    Where nobody could write to the business yet, the page that asks for an estimate may have the form.
    """
    visited = {normalized_url(visit.final_url or visit.url) for visit in site.pages}
    links = [
        link
        for visit in site.pages
        if visit.ok
        for link in _links(visit.page)
        if may_visit(link.href, site) and normalized_url(link.href) not in visited
    ]
    missing = [role for role in BEHIND_HOME if site.role(role) is None]
    further = _for_roles(missing, links, [])
    asking = (link.href for link in links if vocabulary.ESTIMATE.search(link.text))
    if not any(page.forms or _has_mail(page) for _, page in site.seen()):
        further += [PageCandidate(url, Role.CONTACT) for url in islice(asking, 1)]
    return further[:most]


def _has_mail(page: HtmlPage) -> bool:
    return any(link.href.lower().startswith("mailto:") for link in page.links)


def _for_roles(roles: Iterable[Role], links: list[Link], scripted: list[Link]) -> list[PageCandidate]:
    """The page of each role; a page that has a role already leaves the next one to another link that suits."""
    chosen: dict[str, PageCandidate] = {}
    for role in roles:
        free = [link for link in links if normalized_url(link.href) not in chosen]
        url = link_for(role, free) or link_for(role, scripted)
        if url is not None:
            chosen.setdefault(normalized_url(url), PageCandidate(url, role))
    return list(chosen.values())


def detail_pages(site: SurveyedSite) -> DetailCandidates:
    """Return detail pages from sitemaps, links and structured data, ordered by hash: nobody picks the best."""
    hosts = {urls.host_of(site.home.final_url), site.url.host}
    visited = {normalized_url(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    visited |= {normalized_url(visit.url) for visit in site.pages}
    vehicles: dict[str, str] = {}
    services: dict[str, str] = {}
    for href, text, is_vehicle in _mentioned(site):
        key = normalized_url(href)
        if not key or key in visited or urls.host_of(href) not in hosts:
            continue
        if is_vehicle or vehicle_points(href, text) >= NEEDED:
            vehicles.setdefault(key, href)
        elif is_service_url(href) or _is_about_services(text.strip().removeprefix("Nos ")):
            services.setdefault(key, href)
    vehicles |= _listed_beside(site, vehicles, visited | services.keys())
    return DetailCandidates(
        tuple(sorted(vehicles.values(), key=digest)[:MOST_CANDIDATES]),
        tuple(sorted(services.values(), key=digest)[:MOST_CANDIDATES]),
        tuple(sorted(_listed_alike(site, visited), key=digest)[:MOST_CANDIDATES]) if not vehicles else (),
    )


def _is_about_services(text: str) -> bool:
    """Whether the text of a link is that of a price list, or the name of one service and nothing else."""
    return bool(vocabulary.PRICE_LIST.fullmatch(text)) or is_service(text)


def _listed_alike(site: SurveyedSite, visited: set[str]) -> list[str]:
    """Return the largest group of links of the inventory page, outside its navigation, whose addresses have one form.

    The form is the folder, the ending and the names of the parameters; what home links to is no single vehicle.
    What the sitemap lists in the same form belongs to it.
    """
    inventory = site.role(Role.INVENTORY)
    if inventory is None or inventory.page is None:
        return []
    elsewhere = visited | {normalized_url(link.href) for link in _links(site.home.page)}
    groups: dict[str, dict[str, str]] = {}
    for link in _links(inventory.page):
        key = normalized_url(link.href)
        if link.in_navigation or not key or key in elsewhere or not may_visit(link.href, site):
            continue
        groups.setdefault(_form(link.href), {}).setdefault(key, link.href)
    largest = sorted(groups.values(), key=len)[-1:]
    chosen = {key: url for group in largest if len(group) >= ALIKE for key, url in group.items()}
    return list((chosen | _listed_beside(site, chosen, elsewhere)).values())


def _listed_beside(site: SurveyedSite, known: Mapping[str, str], visited: set[str]) -> dict[str, str]:
    """Return what the sitemap lists in the form that several known pages share; a home page's own folder is no form."""
    counts = Counter(_form(url) for url in known.values())
    forms = {form for form, count in counts.items() if count >= ALIKE and not form.startswith("/*")}
    named = {normalized_url(url): url for url in site.sitemap.locations if forms and _form(url) in forms}
    return {key: url for key, url in named.items() if key and key not in visited}


def _form(url: str) -> str:
    """Return what addresses of one kind of page share."""
    parts = urlsplit(url)
    folder, _, last = parts.path.rstrip("/").rpartition("/")
    names = sorted(name for name, _ in parse_qsl(parts.query)[:20])
    return f"{folder}/*.{last.rpartition('.')[2] if '.' in last else ''}?{'&'.join(names)}"


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


def listed_pages(site: SurveyedSite, most: int) -> list[str]:
    """Return pages of this host that sitemap and home name and that were not visited, in the order of sha256(url)."""
    visited = {normalized_url(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    visited |= {normalized_url(visit.url) for visit in site.pages}
    own = {urls.host_of(site.home.final_url), site.url.host}
    listed: dict[str, str] = {}
    for url in (*site.sitemap.locations, *(link.href for link in _links(site.home.page))):
        key = normalized_url(url)
        if key and key not in visited and urls.host_of(url) in own:
            listed.setdefault(key, url)
    return sorted(listed.values(), key=digest)[:most]


def unseen_locations(site: SurveyedSite, sample: int, most: int) -> list[str]:
    """Return pages that the sitemap lists and nobody visited, `most` at most, where fewer of its pages than `sample` were.

    In the order of sha256(url), as all that is drawn.
    """
    visited = {normalized_url(visit.final_url or visit.url) for visit in (site.home, *site.pages)}
    visited |= {normalized_url(visit.url) for visit in site.pages}
    ordered = sorted(site.sitemap.locations[:MOST_CANDIDATES], key=digest)
    keys = {key: url for url in ordered if (key := normalized_url(url)) and may_visit(url, site)}
    unseen = [url for key, url in keys.items() if key not in visited]
    return unseen[: min(most, max(0, sample - (len(keys) - len(unseen))))]


def canonical_target(site: SurveyedSite) -> str | None:
    """Return the canonical address of home where it is another page of this site."""
    page = site.home.page
    target = urls.resolve(site.home.final_url, page.canonicals[0]) if page and page.canonicals else None
    return target if target and may_visit(target, site) else None


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


def sitemap_order(children: tuple[str, ...], origin: str) -> list[str]:
    """Return the sitemaps of an index on this site; those whose name speaks of vehicles or services come first."""
    own = [url for url in children if urls.same_site(urls.host_of(url), urls.host_of(origin))]
    return sorted(own, key=lambda url: (not _lists_pages(url), digest(url)))


def may_visit(href: str, site: SurveyedSite) -> bool:
    """Whether a link leads to another page of this site."""
    home = site.home.final_url
    return (
        href.startswith(("https:", "http:"))
        and urls.same_site(urls.host_of(href), urls.host_of(home))
        and normalized_url(href) != normalized_url(home)
    )


def normalized_url(url: str) -> str:
    """Return a URL in normal form, for comparing, or an empty string for one that is refused."""
    try:
        parts = urlsplit(url)
        exempt = f"{parts.hostname}:{parts.port or urls.PORTS.get(parts.scheme)}"
        return str(urls.parse(url, allow_hosts=frozenset((exempt,))))
    except (UrlRefused, ValueError):
        return ""


def digest(url: str) -> str:
    """Return the hash that orders candidates."""
    return hashlib.sha256(url.encode()).hexdigest()


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
        for link in _links(page):
            yield link.href, link.text, False


def _links(page: HtmlPage | None) -> list[Link]:
    return [link for link in (page.links if page else ()) if link.href.startswith("http")]


def _scripted(page: HtmlPage | None) -> list[Link]:
    return [link for link in (page.scripted if page else ()) if link.href.startswith("http")]


def _lists_pages(url: str) -> bool:
    words = words_of(url)
    return bool(vocabulary.INVENTORY.search(words) or vocabulary.SERVICE.search(words))
