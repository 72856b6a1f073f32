"""Pages that seem to offer one vehicle or to describe one service, by what speaks for them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from readiness.fetching import urls
from readiness.reading import vocabulary
from readiness.reading.structured_data import texts
from readiness.reading.vehicles import CERTAIN_TYPES, is_vehicle_page, main_image, says_something
from readiness.survey.detail_addresses import NEEDED, is_service_url, vehicle_points
from readiness.survey.link_roles import ALIKE, is_service
from readiness.survey.site import Role, SiteVisit, SurveyedSite
from readiness.survey.site_links import MOST_CANDIDATES, digest, form_of, links_of, may_visit, normalized_url


@dataclass(frozen=True, slots=True)
class DetailCandidates:
    """Pages that seem to offer one vehicle or to describe one service, each in the order of sha256(url).

    `alike` are pages that the inventory lists under addresses of one form: their content tells what they are.
    """

    vehicles: tuple[str, ...] = ()
    services: tuple[str, ...] = ()
    alike: tuple[str, ...] = ()


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
        normalized_url(link.href)
        for link in links_of(site.home.page)
        if link.in_navigation or form_of(link.href).startswith("/*")
    }
    groups: dict[str, dict[str, str]] = {}
    for link in links_of(inventory.page):
        key = normalized_url(link.href)
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
    """Return what the sitemap lists in the form that several known pages share."""
    forms = shared_forms(known.values())
    named = {normalized_url(url): url for url in site.sitemap.locations if forms and form_of(url) in forms}
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
