# World and Sites are typed in conftest.py, which a test module cannot import.
"""Vehicle pages are found by what they are: whatever their addresses look like, and never for their addresses alone."""

import re

import pytest

from readiness.scans.scan import Options
from readiness.survey.site_kind import Kind
from tests.readiness.conftest import Pages, Sites, World, statuses_of

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "finding.example.com"
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
async def test_a_vehicle_page_is_found_whatever_its_address_is(world: World, sites: Sites, form: str) -> None:
    report = await world.scan(HOST, serving_queries(dealer_at(sites, form)), Options(declared=Kind.DEALER))
    statuses = statuses_of(report)
    wanted = ("veh.inventory.listed_without_js", "veh.vdp.price", "veh.vdp.vin", "veh.vdp.structured")
    assert {check: statuses[check] for check in wanted} == dict.fromkeys(wanted, "pass")
    assert len([visit for visit in report.pages if visit.role == "vehicle"]) == 5


async def test_cars_and_services_are_found_behind_links_that_name_neither(world: World, sites: Sites) -> None:
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
    assert {visit.role for visit in report.pages if visit.url.endswith("/story")} == {"page"}


@pytest.mark.parametrize(
    "menu", ["<nav>{}</nav>", "<ul role=menubar>{}</ul>", "<table><tr><td>{}</td></tr></table>"]
)
async def test_the_place_is_found_behind_a_link_that_does_not_name_it(
    world: World, sites: Sites, menu: str
) -> None:
    links = menu.format(
        '<a href="/service">Service</a><a href="/den">The den</a><a href="/story">Our story</a>'
    )
    words = "We look after you and explain what we do before we do it. " * 6
    place = '12 Example Street, Springfield, IL 62701 <a href="https://maps.apple.com/?q=12">Map</a>'
    pages: Pages = {
        "/": sites.page("Zentrix", f"{links}<h1>Zentrix</h1><p>{words}</p>"),
        "/service": sites.page("Service", "<h1>Service</h1><p>Oil change, brakes, tires.</p>"),
        "/den": sites.page("The den", f"<h1>The den</h1><p>{place}</p>"),
        "/story": sites.page("Our story", f"<h1>Our story</h1><p>{words}</p>"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    assert (statuses["ho.address"], statuses["ho.directions"]) == ("pass", "pass")


BOOKING = (
    '<form method="post" action="/in"><label>Name <input name="n"></label><label>Plate <input name="p"></label>'
    '<label>{} <input name="d" type="{}"></label><button>Send</button></form>'
)


@pytest.mark.parametrize(
    ("head", "form", "expected"),
    [
        ("Bring it in", BOOKING.format("Day", "date"), ("pass", "pass", "pass")),
        ("Nous confier votre voiture, rendez-vous", BOOKING.format("Jour", "text"), ("pass", "pass", "pass")),
        ("Drop us a line", BOOKING.format("Message", "text"), ("warn", "fail", "fail")),
        ("Bring it in", '<a href="https://calendly.com/zentrix">Calendar</a>', ("pass", "warn", "pass")),
    ],
)
async def test_an_appointment_page_is_found_behind_an_unrelated_link(
    world: World, sites: Sites, head: str, form: str, expected: tuple[str, ...]
) -> None:
    links = (
        '<nav><a href="/service">Service</a><a href="/in">Over to you</a><a href="/story">Our story</a></nav>'
    )
    words = "We look after you and explain what we do before we do it. " * 6
    pages: Pages = {
        "/": sites.page(
            "Zentrix", f'{links}<h1>Zentrix</h1><a href="tel:+12025550143">Call</a><p>{words}</p>'
        ),
        "/service": sites.page("Service", f"<h1>Service</h1><p>Oil change, brakes, tires. {words}</p>"),
        "/in": sites.page(head, f"<h1>{head}</h1>{form}"),
        "/story": sites.page("Our story", f"<h1>Our story</h1><p>{words}</p>"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    checks = ("svc.booking", "svc.booking.machine", "ho.appointment")
    assert tuple(statuses[check] for check in checks) == expected


@pytest.mark.parametrize(
    ("role", "link", "title", "text", "expected"),
    [
        ("finance", "Month by month", "Ratenkauf", "12 bis 72 Monate.", "pass"),
        ("finance", "Month by month", "Month by month", "We are here for you.", "fail"),
        (
            "trade-in",
            "Your old one",
            "Your old one",
            "A trade-in takes ten minutes. Ask for your trade-in today.",
            "pass",
        ),
        ("trade-in", "We buy cars", "Hello", "Call us.", "pass"),
    ],
)
async def test_money_is_found_on_a_page_whose_link_does_not_speak_of_it(
    world: World,
    sites: Sites,
    role: str,
    link: str,
    title: str,
    text: str,
    expected: str,
) -> None:
    old = {"finance": "Financing", "trade-in": "Value your trade"}[role]
    pages = changed_everywhere(
        sites.dealer(HOST, vehicles=6), f'<a href="/{role}">{old}</a>', f'<a href="/q">{link}</a>'
    )
    pages["/q"] = sites.page(title, f"<h1>{title}</h1><p>{text}</p>")
    statuses = statuses_of(await world.scan(HOST, pages))
    assert statuses[f"ho.{role.replace('-', '_')}"] == expected
    assert statuses["veh.inventory.found"] == "pass"


@pytest.mark.parametrize(
    ("title", "first", "expected"),
    [
        ("Worth it", "Oil change", "pass"),
        ("Quanto viene", "Bollo tirato", "pass"),
        ("Our fair", "Big wheel", "fail"),
    ],
)
async def test_prices_on_a_page_of_their_own_are_prices_of_services(
    world: World, sites: Sites, title: str, first: str, expected: str
) -> None:
    links = '<nav><a href="/service">Service</a><a href="/worth">Worth every penny</a></nav>'
    words = "We look after you and explain what we do before we do it. " * 6
    rows = "".join(f"<tr><td>{what}</td><td>${price}</td></tr>" for what, price in
                   ((first, 59), ("Seasonal swap", 80), ("One hour", 120)))  # fmt: skip
    pages: Pages = {
        "/": sites.page("Zentrix", f"{links}<h1>Zentrix</h1><p>{words}</p>"),
        "/service": sites.page("Service", f"<h1>Service</h1><p>Oil change, brakes, tires. {words}</p>"),
        "/worth": sites.page(title, f"<h1>{title}</h1><table>{rows}</table>"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    assert statuses["svc.price"] == expected


async def test_items_with_price_and_mileage_are_vehicles_of_any_make(world: World, sites: Sites) -> None:
    names = ("wanderer", "nomad", "drifter", "rambler", "rover-one")
    vans = "".join(f'<a href="/mobile/{name}">{name}</a> 48.900 €, 31.000 km ' for name in names)
    pages: Pages = {
        "/": sites.page("Zentrix", '<nav><a href="/mobile">Ours</a></nav><h1>Zentrix</h1><p>Willkommen</p>'),
        "/mobile": sites.page("Ours", f"<h1>Ours</h1>{vans}"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    pages |= {f"/mobile/{name}": sites.page(name, f"<h1>{name}</h1><p>48.900 €</p>") for name in names}
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.DEALER)))
    assert statuses["veh.inventory.found"] == "pass"


async def test_a_workshop_booking_page_is_no_overview_of_services(world: World, sites: Sites) -> None:
    words = "We look after you and explain what we do before we do it. " * 6
    links = '<nav><a href="/slots">Workshop slots</a><a href="/spanners">Spanners</a></nav>'
    pages: Pages = {
        "/": sites.page("Zentrix", f"{links}<h1>Zentrix</h1><p>{words}</p>"),
        "/slots": sites.page("Slots", f"<h1>Slots</h1>{BOOKING.format('Day', 'date')}"),
        "/spanners": sites.page("Spanners", f"<h1>Spanners</h1><p>Oil change, brakes, tires. {words}</p>"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    assert (statuses["svc.menu.found"], statuses["svc.booking"]) == ("pass", "pass")


async def test_a_year_in_the_name_of_one_model_hides_no_other_car(world: World, sites: Sites) -> None:
    names = ("peugeot-2008-allure", "opel-astra", "kia-picanto", "renault-clio", "toyota-yaris")
    cars = "".join(f'<a href="/plaza/{name}">{name}</a> € 9.950 ' for name in names)
    offered = "<h1>{}</h1><p>Tweedehands, direct leverbaar. € 9.950. 45.210 km.</p>"
    pages: Pages = {
        "/": sites.page("Zentrix", '<nav><a href="/plaza">Occasions</a></nav><h1>Zentrix</h1><p>Welkom</p>'),
        "/plaza": sites.page("Occasions", f"<h1>Occasions</h1>{cars}"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    pages |= {f"/plaza/{name}": sites.page(name, offered.format(name)) for name in names}
    report = await world.scan(HOST, pages, Options(declared=Kind.DEALER))
    assert statuses_of(report)["veh.inventory.listed_without_js"] == "pass"
    assert len([visit for visit in report.pages if visit.role == "vehicle"]) == 5


async def test_the_booking_page_is_found_in_a_menu_of_many_links(world: World, sites: Sites) -> None:
    folders = {
        "models": ("astra", "corsa", "mokka", "zafira", "vivaro", "grandland", "insignia", "combo"),
        "fixed-ops": ("hello", "menu", "bay", "recalls"),
        "house": ("people", "jobs", "fair", "apprentices"),
    }
    paths = [f"/{folder}/{page}" for folder, pages in folders.items() for page in pages]
    links = (
        "<nav>" + "".join(f'<a href="{path}">Go {number}</a>' for number, path in enumerate(paths)) + "</nav>"
    )
    words = "We look after you and explain what we do before we do it. " * 6
    pages: Pages = {path: sites.page("Page", f"{links}<h1>Page</h1><p>{words}</p>") for path in ("/", *paths)}
    pages["/fixed-ops/hello"] = sites.page(
        "Ours", f"{links}<h1>Ours</h1><p>Oil change, brakes, tires. {words}</p>"
    )
    pages["/fixed-ops/bay"] = sites.page("A bay", f"{links}<h1>A bay</h1>{BOOKING.format('Day', 'date')}")
    pages["/robots.txt"] = sites.answer("", kind="text/plain")
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    assert (statuses["svc.menu.found"], statuses["svc.booking"]) == ("pass", "pass")


async def test_a_page_that_lists_nothing_gives_way_to_one_that_does(world: World, sites: Sites) -> None:
    words = "We look after you and explain what we do before we do it. " * 6
    links = '<nav><a href="/new">New cars</a><a href="/yard">The yard</a><a href="/diary">Workshop diary</a><a href="/bonnet">The bonnet</a></nav>'
    cars = "".join(
        f'<a href="/yard/{code}">Honda Civic 2021</a> $18,400 ' for code in ("aa", "bb", "cc", "dd", "ee")
    )
    pages: Pages = {
        "/": sites.page("Zentrix", f"{links}<h1>Zentrix</h1><p>{words}</p>"),
        "/new": sites.page("New", f"<h1>New cars</h1><p>{words}</p>"),
        "/yard": sites.page("Yard", f"<h1>The yard</h1>{cars}"),
        "/diary": sites.page("Diary", f"<h1>Diary</h1><p>A robin nested here. {words}</p>"),
        "/bonnet": sites.page("Bonnet", f"<h1>Bonnet</h1><p>Oil change, brakes, tires. {words}</p>"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    offered = "<h1>2021 Honda Civic</h1><p>Used, in stock. $18,400. 20,000 miles.</p>"
    pages |= {f"/yard/{code * 2}": sites.page("2021 Honda Civic", offered) for code in "abcde"}
    report = await world.scan(HOST, pages, Options(declared=Kind.DEALER))
    roles = {visit.url.rpartition("/")[2]: visit.role for visit in report.pages}
    assert (roles["yard"], roles["new"], roles["bonnet"], roles["diary"]) == (
        "inventory",
        "page",
        "service",
        "page",
    )
    assert statuses_of(report)["veh.vdp.price"] == "pass"


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ('<a href="/#services">Services</a>', "pass"),
        ('<a href="#services">Services</a>', "pass"),
        ('<a href="/">Smith Car Service</a>', "warn"),
    ],
)
async def test_services_of_a_one_page_site_are_found_by_their_section_link(
    world: World, sites: Sites, link: str, expected: str
) -> None:
    links = f'<nav>{link}<a href="tel:+12025550143">Call</a></nav>'
    words = "We look after you and explain what we do before we do it. " * 6
    home = f'{links}<h1>Zentrix</h1><h2 id="services">Services</h2><p>Oil change, brakes, tires. {words}</p>'
    pages: Pages = {"/": sites.page("Zentrix", home), "/robots.txt": sites.answer("", kind="text/plain")}
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    assert statuses["svc.menu.found"] == expected
    assert statuses["tech.links.crawlable"] == "pass"


@pytest.mark.parametrize("address", ["#", "#nowhere", "javascript:void(0)"])
async def test_a_menu_link_that_leads_nowhere_is_not_crawlable(
    world: World, sites: Sites, address: str
) -> None:
    menu = f'<nav><a href="{address}">Services</a><a href="#hours">Hours</a></nav>'
    home = f'{menu}<h1>Zentrix</h1><h2 id="hours">Hours</h2><p>Monday to Friday 8 am to 5 pm.</p>'
    pages: Pages = {"/": sites.page("Zentrix", home), "/robots.txt": sites.answer("", kind="text/plain")}
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    assert statuses["tech.links.crawlable"] == "fail"


@pytest.mark.parametrize("name", ["Our Showroom", "Visit us", "Where we are"])
async def test_a_list_of_cars_behind_a_link_to_a_place_is_the_inventory(
    world: World, sites: Sites, name: str
) -> None:
    codes = ("aa", "bb", "cc", "dd", "ee")
    cars = "".join(f'<a href="/yard/{code}">Honda Civic</a> 2021 $18,400 ' for code in codes)
    offered = "<h1>2021 Honda Civic</h1><p>Used, in stock. $18,400. 20,000 miles.</p>"
    pages: Pages = {
        "/": sites.page(
            "Zentrix", f'<nav><a href="/yard">{name}</a></nav><h1>Zentrix</h1><p>Honda since 1974.</p>'
        ),
        "/yard": sites.page(name, f"<h1>{name}</h1>{cars}"),
        "/robots.txt": sites.answer("", kind="text/plain"),
        **{f"/yard/{code}": sites.page("2021 Honda Civic", offered) for code in codes},
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.DEALER)))
    assert (statuses["veh.inventory.found"], statuses["veh.vdp.price"]) == ("pass", "pass")


async def test_campers_of_unknown_makes_are_an_inventory_by_mileage_and_year(
    world: World, sites: Sites
) -> None:
    names = ("laika-209", "rimor-5", "arca-740", "elnagh-573")
    listed = "".join(f'<div><a href="/gioiello/{name}">{name}</a> 2019 · 48.500 km</div>' for name in names)
    offered = "<h1>Laika 209 - 2019</h1><p>Usato, disponibile subito. Percorrenza: 48.500 km. € 39.900</p>"
    pages: Pages = {
        "/": sites.page(
            "Camper", '<nav><a href="/gioielli">I nostri gioielli</a></nav><h1>Camper usati</h1>'
        ),
        "/gioielli": sites.page("I nostri gioielli", f"<h1>I nostri gioielli</h1>{listed}"),
        "/robots.txt": sites.answer("", kind="text/plain"),
        **{f"/gioiello/{name}": sites.page(name, offered) for name in names},
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.DEALER)))
    assert (statuses["veh.inventory.found"], statuses["veh.vdp.price"]) == ("pass", "pass")


async def test_an_inventory_behind_a_script_is_read_but_fails_for_its_link(
    world: World, sites: Sites
) -> None:
    codes = ("aa", "bb", "cc", "dd")
    cars = "".join(f'<a href="/x/parc/{code}">Renault Trafic</a> 2021 · 64 200 km ' for code in codes)
    menu = (
        "<nav><span onclick=\"go('/x/pay')\">Payer</span><span onclick=\"go('/x/parc')\">Le parc</span></nav>"
    )
    offered = "<h1>Renault Trafic 2021</h1><p>Occasion, disponible. 17 900 €. 64 200 km.</p>"
    pages: Pages = {
        "/": sites.page("Zentrix", f"{menu}<h1>Utilitaires</h1>"),
        "/x/pay": sites.page("Payer", "<h1>Payer</h1>"),
        "/x/parc": sites.page("Le parc", f"<h1>Le parc</h1>{cars}"),
        "/robots.txt": sites.answer("", kind="text/plain"),
        **{f"/x/parc/{code}": sites.page("Renault Trafic", offered) for code in codes},
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.DEALER)))
    assert (statuses["veh.inventory.found"], statuses["veh.vdp.mileage"]) == ("fail", "pass")


@pytest.mark.parametrize(
    ("label", "status"), [("<label>When <input name=w></label>", "pass"), ("<input name=w>", "fail")]
)
async def test_fields_on_the_test_drive_page_alone_are_checked(
    world: World, sites: Sites, label: str, status: str
) -> None:
    menu = '<nav><a href="/cars">Cars</a><a href="/drive">Book a test drive</a></nav>'
    pages: Pages = {
        "/": sites.page("Zentrix", f"{menu}<h1>Zentrix</h1>"),
        "/cars": sites.page("Cars", "<h1>Cars</h1>"),
        "/drive": sites.page("Test drive", f'<h1>Test drive</h1><form method="post">{label}</form>'),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.DEALER)))
    assert statuses["tech.a11y.names"] == status


async def test_a_windscreen_fitter_has_services_though_all_of_them_are_glass(
    world: World, sites: Sites
) -> None:
    words = "We come to your door and bring everything that the work needs along with us. " * 4
    listed = "<dl><dt>Windscreen replacement</dt><dt>Chip repair</dt><dt>Side and rear glass</dt><dt>ADAS calibration</dt></dl>"
    pages: Pages = {
        "/": sites.page("Zentrix", '<nav><a href="/glass-services">Glass services</a></nav><h1>Zentrix</h1>'),
        "/glass-services": sites.page("Glass services", f"<h1>Glass services</h1>{listed}<p>{words}</p>"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    assert statuses["svc.menu.found"] == "pass"


FURTHER_WORDS = {
    "Get financed": "ho.finance",
    "Conditions d’utilisation": "ho.privacy_identity",
    "Términos y condiciones": "ho.privacy_identity",
    "Quem somos": "ho.privacy_identity",
    "Évaluer mon échange": "ho.trade_in",
}


@pytest.mark.parametrize("name", FURTHER_WORDS)
async def test_money_cars_taken_back_and_terms_are_found_by_further_words(
    world: World, sites: Sites, name: str
) -> None:
    links = f'<nav><a href="/cars">Cars</a><a href="/p7">{name}</a><a href="/privacy">Privacy</a></nav>'
    pages: Pages = {
        "/": sites.page("Zentrix", f"{links}<h1>Zentrix</h1>"),
        **{path: sites.page("Zentrix", f"<h1>{path}</h1>") for path in ("/cars", "/p7", "/privacy")},
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.DEALER)))
    assert statuses[FURTHER_WORDS[name]] == "pass"


async def test_cars_that_home_shows_too_are_listed_none_the_less(world: World, sites: Sites) -> None:
    codes = ("aa", "bb", "cc", "dd", "ee")
    cars = [f'<a href="/p/cars/{code}">Honda Civic</a> $18,400 ' for code in codes]
    offered = "<h1>2021 Honda Civic</h1><p>Used, in stock. $18,400. 20,000 miles.</p>"
    nav = '<nav><a href="/cars">Cars</a></nav>'
    pages: Pages = {
        "/": sites.page("Zentrix", f"{nav}<h1>Zentrix</h1>{''.join(cars[:2])}"),
        "/cars": sites.page("Cars", f"<h1>Cars</h1>{''.join(cars)}"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    pages |= {f"/p/cars/{code}": sites.page("2021 Honda Civic", offered) for code in codes}
    report = await world.scan(HOST, pages, Options(declared=Kind.DEALER))
    assert statuses_of(report)["veh.inventory.listed_without_js"] == "pass"


async def test_articles_at_like_addresses_are_no_vehicle_pages(world: World, sites: Sites) -> None:
    pages = dealer_at(sites, "/p/{code}")
    for path in [path for path in pages if path.startswith("/p/")]:
        pages[path] = sites.page("Our team", "<h1>Our team</h1><p>People who like cars.</p>")
    report = await world.scan(HOST, pages, Options(declared=Kind.DEALER))
    assert statuses_of(report)["veh.vdp.price"] == "unknown"
    assert not [visit for visit in report.pages if visit.role == "vehicle"]


async def test_a_page_that_offers_nothing_is_not_graded_beside_vehicles(world: World, sites: Sites) -> None:
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
async def test_vehicles_behind_a_script_or_form_are_graded_without_a_link(
    world: World, sites: Sites, entry: str
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
    assert "only a script or a form leads to" in (found.evidence[0].detail or "")


async def test_a_named_inventory_api_is_evidence_and_never_called(world: World, sites: Sites) -> None:
    pages = sites.dealer(HOST, vehicles=6)
    pages["/inventory"].text = pages["/inventory"].text.replace(
        "</main>", "</main><script>fetch('/api/v2/vehicles?limit=20').then(show)</script>"
    )
    pages["/inventory"].text = re.sub(r'<a href="/inventory/[^<]*</a>', "", pages["/inventory"].text)
    report = await world.scan(HOST, serving_queries(pages), Options(declared=Kind.DEALER))
    [listed] = [
        check for check in report.journeys.vehicle.checks if check.id == "veh.inventory.listed_without_js"
    ]
    assert listed.status == "fail"
    assert "not called: /api/v2/vehicles" in (listed.evidence[-1].detail or "")
    assert not [path for _, path, _ in world.server.requests if path.startswith("/api/")]


def changed_everywhere(pages: Pages, old: str, new: str) -> Pages:
    """The pages after one piece of text, such as a link of the menu, was replaced on all that have it."""
    for page in pages.values():
        if isinstance(page.body, str):
            page.text = page.text.replace(old, new)
    return pages


async def test_a_second_inventory_is_read_where_the_first_lists_no_vehicle(
    world: World, sites: Sites
) -> None:
    link = '<a href="/inventory">Used cars</a>'
    pages = changed_everywhere(
        sites.dealer(HOST, vehicles=6), link, '<a href="/used">Used cars</a><a href="/inventory">New cars</a>'
    )
    pages["/used"] = sites.page("Used cars", "<h1>Used cars</h1><p>All of them found a home last week.</p>")
    statuses = statuses_of(await world.scan(HOST, pages))
    wanted = ("veh.inventory.found", "veh.inventory.listed_without_js", "veh.vdp.price")
    assert {check: statuses[check] for check in wanted} == dict.fromkeys(wanted, "pass")


@pytest.mark.parametrize(
    ("old", "new", "check"),
    [
        ('<a href="/trade-in">Value your trade</a>', '<a href="/trade-in">TRADE</a>', "ho.trade_in"),
        ('<a href="/finance">Financing</a>', '<a href="/finance">Finanzdienstleistungen</a>', "ho.finance"),
        (
            '<a href="/finance">Financing</a><a href="/trade-in">Value your trade</a>',
            '<a href="/finance">Financing and trade-in</a>',
            "ho.trade_in",
        ),
        (
            '<a href="/service">Service</a>',
            '<a href="/offers">Service Specials</a><a href="/service">Service &amp; Parts</a>',
            "svc.detail",
        ),
        (
            '<a href="/schedule">Schedule service</a>',
            '<a href="/lease">Noleggio a lungo termine</a><a href="/schedule">Prenota il tagliando</a>',
            "svc.booking.machine",
        ),
    ],
)
async def test_a_page_is_found_by_the_best_link_text_not_the_first(
    world: World, sites: Sites, old: str, new: str, check: str
) -> None:
    pages = sites.dealer(HOST, vehicles=6)
    assert old in pages["/"].text
    pages = changed_everywhere(pages, old, new)
    pages |= {path: sites.page("More", "<h1>More</h1><p>Ask us.</p>") for path in ("/offers", "/lease")}
    assert statuses_of(await world.scan(HOST, pages))[check] == "pass"


async def test_parts_for_cars_of_several_years_make_no_dealer(world: World, sites: Sites) -> None:
    menu = "".join(
        f'<a href="/products/pads-honda-civic-2016-2021-{n}">Pads, Honda Civic 2016-2021</a>'
        for n in range(6)
    )
    cart = '<form action="/cart/add" method="post"><input name="quantity" aria-label="Quantity"><button>Add</button></form>'
    words = "We sell what stops a car and tell you how to fit it. " * 10
    pages: Pages = {
        "/": sites.page("Zentrix Parts", f"<h1>Zentrix Parts</h1><p>{words}</p>{menu}"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    pages |= {
        f"/products/pads-honda-civic-2016-2021-{number}": sites.page(
            "Pads, Honda Civic 2016", f"<h1>Pads for a 2016 Honda Civic</h1><p>$64.00</p>{cart}"
        )
        for number in range(6)
    }
    report = await world.scan(HOST, pages)
    assert report.siteType.value != "dealer"
    assert report.siteType.points["dealer"] == 0


async def test_dead_pages_of_a_sitemap_are_found_where_nobody_else_leads_to_them(
    world: World, sites: Sites
) -> None:
    pages = sites.dealer(HOST, vehicles=6)
    pages["/sitemap.xml"] = sites.sitemap(HOST, ["/service", "/about", "/careers", "/events"])
    report = await world.scan(HOST, pages)
    [found] = [check for check in report.technical.checks if check.id == "tech.sitemap"]
    assert found.status == "warn"
    assert "2 of 4 sampled dead" in (found.evidence[0].detail or "")


LOGO = '<img src="/logo.svg" alt="Synthetic Motors">'


@pytest.mark.parametrize(
    "logo", [f"<header>{LOGO}</header>", f'<table><tr><td><a href="/index.php">{LOGO}</a></td></tr></table>']
)
async def test_a_logo_above_a_vehicle_is_no_picture_of_it(world: World, sites: Sites, logo: str) -> None:
    pages = sites.dealer(HOST, vehicles=6)
    for path in [path for path in pages if path.startswith("/inventory/")]:
        text = re.sub(r'"image": "[^"]*", ', "", pages[path].text)
        text = text.replace('<img src="/car.png"', '<img src="https://pictures.example.org/car.png"')
        pages[path].text = text.replace("<nav>", f"{logo}<nav>")
    assert statuses_of(await world.scan(HOST, pages))["veh.vdp.images"] == "unknown"


async def test_an_empty_page_of_cars_makes_no_dealer_of_a_workshop(world: World, sites: Sites) -> None:
    words = "We look after you and explain what we do before we do it. " * 10
    services = "<h2>Oil change</h2><p>From $59, while you wait.</p><h2>Brakes</h2><p>Measured first.</p><h2>Tires</h2>"
    menu = '<nav><a href="/services">Services</a><a href="/cars">Cars for sale</a></nav>'
    pages: Pages = {
        "/": sites.page("Zentrix auto repair", f"{menu}<h1>Zentrix auto repair</h1><p>{words}</p>"),
        "/services": sites.page("Services", f"<h1>Services</h1>{services}<p>{words}</p>"),
        "/cars": sites.page("Cars for sale", "<h1>Cars for sale</h1><p>None this month.</p>"),
        "/robots.txt": sites.answer("", kind="text/plain"),
    }
    assert (await world.scan(HOST, pages)).siteType.value == "repair_shop"


async def test_services_under_headings_of_their_own_are_described_as_in_a_list(
    world: World, sites: Sites
) -> None:
    entry = "<h3>{}</h3><p>Measured, shown to you and replaced.</p>"
    described = "".join(entry.format(name) for name in ("Oil change", "Brakes", "Tires"))
    bare = "<h3>Oil change</h3><p>Soon.</p><h3>Brakes</h3><h3>Tires</h3>"
    for written, wanted in ((described, "pass"), (bare, "fail")):
        pages = sites.dealer(HOST, vehicles=6)
        for path in ("/service", "/schedule", *(path for path in pages if path.startswith("/services/"))):
            pages[path] = sites.page("Service", f"<h1>Service</h1>{written}")
        assert statuses_of(await world.scan(HOST, pages))["svc.detail"] == wanted
