# World and Sites are typed in conftest.py, which a test module cannot import.
"""Vehicle pages are found by what they are: whatever their addresses look like, and never for their addresses alone."""

import re
from collections.abc import Callable

import pytest

from readiness.report.document import Report
from readiness.scans.scan import Options
from readiness.survey.site_type import Kind
from tests.readiness.conftest import Pages, Sites, World

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "finding.example.com"
Statuses = Callable[[Report], dict[str, str]]
FORMS = (
    "/used-Springfield-2021-Honda-Civic-{vin}", "/VehicleDetails/{n}", "/VehicleDetails/used-2021-Honda-Civic-Springfield-IL/{n}",
    "/listing/{n}", "/details/{vin}", "/vehicle?id={n}", "/cars-for-sale/2021-honda-civic-{n}", "/used-car/{n}", "/autos/{n}",
    "/used/Honda/2021-Honda-Civic-{vin}.htm", "/inventory/used-2021-honda-civic-ex-{vin}/", "/viewdetails/used/{vin}/2021-honda-civic",
    "/fahrzeuge/honda-civic-{n}", "/gebrauchtwagen/detail/{n}", "/occasions/honda-civic-{n}", "/coches/honda-civic-{n}", "/auto-usate/honda-civic-{n}",
    "/voorraad/honda-civic/{n}", "/oferta/honda-civic-{n}", "/p/{code}", "/{code}", "/shop/item.php?x={code}", "/catalog/a/{code}.html",
)  # fmt: skip


def dealer_at(sites: Sites, form: str) -> Pages:
    """A dealer whose vehicles live at addresses of this form, named nowhere but on the inventory page."""
    pages = sites.dealer(HOST, vehicles=6)
    for number in range(6):
        old = sites.vehicle_path(number)
        new = form.format(vin=sites.made_vin(number), n=481_200 + number, code="abcdef"[number] * 2 + "xyz")
        pages[new] = pages.pop(old)
        pages["/inventory"].text = pages["/inventory"].text.replace(
            f'{old}">2021 Honda Civic<', f'{new}">View<'
        )
    pages["/sitemap.xml"] = sites.sitemap(HOST, ["/", "/inventory", "/service"])
    return pages


def serving_queries(pages: Pages):
    def handle(scheme: str, path: str, headers: dict[str, str]):
        return pages.get(path)

    return handle


@pytest.mark.parametrize("form", FORMS)
async def test_a_vehicle_page_is_found_whatever_its_address_is(
    world: World, sites: Sites, statuses_of: Statuses, form: str
) -> None:
    report = await world.scan(HOST, serving_queries(dealer_at(sites, form)), Options(declared=Kind.DEALER))
    statuses = statuses_of(report)
    wanted = ("veh.inventory.listed_without_js", "veh.vdp.price", "veh.vdp.vin", "veh.vdp.structured")
    assert {check: statuses[check] for check in wanted} == dict.fromkeys(wanted, "pass")
    assert len([visit for visit in report.pages if visit.role == "vehicle"]) == 5


async def test_cars_and_services_are_found_behind_links_that_name_neither(
    world: World, sites: Sites, statuses_of: Statuses
) -> None:
    cars = "".join(
        f'<a href="/p/{code}">Honda Civic</a> $18,400 ' for code in ("aa", "bb", "cc", "dd", "ee", "ff")
    )
    services = "<h2>Oil change</h2><p>From $59, while you wait.</p><h2>Brakes</h2><p>Measured first.</p><h2>Tires</h2><p>"
    links = '<nav><a href="/treasures">Our treasures</a><a href="/spa">The spa</a><a href="/story">Our story</a></nav>'
    offered = "<h1>2021 Honda Civic</h1><p>Used, in stock. $18,400. 20,000 miles.</p>"
    words = "We look after you and explain what we do before we do it. " * 6
    pages: Pages = {
        "/": sites.page("Zentrix", f"{links}<h1>Zentrix</h1><p>{words}</p>"),
        "/treasures": sites.page("Our treasures", f"<h1>Our treasures</h1>{cars}"),
        "/spa": sites.page("The spa", f"<h1>The spa</h1>{services}{words}</p>"),
        "/story": sites.page("Our story", f"<h1>Our story</h1><p>{words}</p>"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    pages |= {f"/p/{code * 2}": sites.page("2021 Honda Civic", offered) for code in "abcdef"}
    report = await world.scan(HOST, pages, Options(declared=Kind.DEALER))
    statuses = statuses_of(report)
    wanted = ("veh.inventory.found", "veh.vdp.price", "svc.menu.found", "svc.price")
    assert {check: statuses[check] for check in wanted} == dict.fromkeys(wanted, "pass")
    assert "/story" not in "".join(visit.url for visit in report.pages)


async def test_articles_at_like_addresses_are_no_vehicle_pages(
    world: World, sites: Sites, statuses_of: Statuses
) -> None:
    pages = dealer_at(sites, "/p/{code}")
    for path in [path for path in pages if path.startswith("/p/")]:
        pages[path] = sites.page("Our team", "<h1>Our team</h1><p>People who like cars.</p>")
    report = await world.scan(HOST, pages, Options(declared=Kind.DEALER))
    assert statuses_of(report)["veh.vdp.price"] == "unknown"
    assert not [visit for visit in report.pages if visit.role == "vehicle"]


async def test_a_page_that_offers_nothing_is_not_graded_beside_vehicles(
    world: World, sites: Sites, statuses_of: Statuses
) -> None:
    pages = sites.dealer(HOST, vehicles=2)
    guides = [f"/inventory/guide-{number}" for number in range(100, 104)]
    pages |= {
        path: sites.page("Buyer's guide", "<h1>How to buy</h1><p>Read this first.</p>") for path in guides
    }
    pages["/inventory"].text = re.sub(
        "</main>",
        "".join(f'<a href="{path}">Guide</a>' for path in guides) + "</main>",
        pages["/inventory"].text,
    )
    report = await world.scan(HOST, pages, Options(declared=Kind.DEALER))
    assert statuses_of(report)["veh.vdp.vin"] == "pass"
    assert {visit.url for visit in report.pages if visit.role == "vehicle"} <= {
        f"https://{HOST}{sites.vehicle_path(number)}" for number in range(2)
    }


@pytest.mark.parametrize(
    "entry",
    [
        "<span onclick=\"location.href='/inventory'\">Used cars</span>",
        '<div data-href="/inventory">Used cars</div>',
        '<form action="/inventory" method="get"><label>Make <input name="m"></label><button>Search used cars</button></form>',
    ],
    ids=["script", "attribute", "form"],
)
async def test_vehicles_behind_a_script_or_a_form_are_graded_and_the_missing_link_is_told(
    world: World, sites: Sites, statuses_of: Statuses, entry: str
) -> None:
    pages = sites.dealer(HOST, vehicles=6)
    for page in pages.values():
        if isinstance(page.body, str):
            page.text = page.text.replace('<a href="/inventory">Used cars</a>', "")
    pages["/"].text = pages["/"].text.replace("<main>", f"<main>{entry}")
    pages["/sitemap.xml"] = sites.sitemap(HOST, ["/", "/service"])
    report = await world.scan(HOST, serving_queries(pages), Options(declared=Kind.DEALER))
    statuses = statuses_of(report)
    assert (statuses["veh.inventory.found"], statuses["veh.inventory.listed_without_js"]) == ("fail", "pass")
    assert statuses["veh.vdp.price"] == "pass"
    [found] = [check for check in report.journeys.vehicle.checks if check.id == "veh.inventory.found"]
    assert "only a script or a form leads to" in (found.evidence[0].excerpt or "")


async def test_data_of_an_inventory_that_a_page_names_is_evidence_and_never_called(
    world: World, sites: Sites, statuses_of: Statuses
) -> None:
    pages = sites.dealer(HOST, vehicles=6)
    pages["/inventory"].text = pages["/inventory"].text.replace(
        "</main>", "</main><script>fetch('/api/v2/vehicles?limit=20').then(show)</script>"
    )
    pages["/inventory"].text = re.sub(r'<a href="/inventory/[^<]*</a>', "", pages["/inventory"].text)
    report = await world.scan(HOST, serving_queries(pages), Options(declared=Kind.DEALER))
    [listed] = [
        check for check in report.journeys.vehicle.checks if check.id == "veh.inventory.listed_without_js"
    ]
    assert (listed.status, listed.reason) == ("unknown", "javascript_only")
    assert "not called: /api/v2/vehicles" in (listed.evidence[0].excerpt or "")
    assert not [path for _, path, _ in world.server.requests if path.startswith("/api/")]
