# World and Sites are typed in conftest.py, which a test module cannot import.
"""What themes, static exports and one-page sites write, read as a visitor reads it: each case broke the scanner once."""

import re

import pytest

from readiness.reading import vocabulary
from readiness.scans.scan import Options
from readiness.survey.site_kind import Kind
from tests.readiness.conftest import Pages, Sites, World, statuses_of

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "layouts.example.com"


async def statuses(world: World, pages: Pages, kind: Kind | None = Kind.DEALER) -> dict[str, str]:
    return statuses_of(await world.scan(HOST, pages, Options(declared=kind)))


@pytest.mark.parametrize(
    "link",
    ["/", "index.html", "/index.php", "./INDEX.HTM", "http://layouts.example.com/default.aspx", "/index.html#top"],
)  # fmt: skip
async def test_a_logo_that_leads_home_is_no_page_of_its_own(world: World, sites: Sites, link: str) -> None:
    words = "Used cars Financing Trade-in Service Contact Privacy Policy"
    home = sites.page("Cars", f'<h1>Cars</h1><a href="{link}">{words}</a><p>Cars and vehicles.</p>')
    pages: Pages = {
        "/": home,
        "/index.html": home,
        "/index.php": home,
        "/INDEX.HTM": home,
        "/default.aspx": home,
    }
    found = await statuses(world, pages)
    assert {found[check] for check in ("veh.inventory.found", "ho.finance", "ho.trade_in")} == {"fail"}


PRICES = (
    ("<p>With gas prices well over $3.00 nobody likes to drive far for service.</p>", "fail"),
    ("<h2>Brakes</h2><p>A $2,500 repair often beats a $600 payment, as we like to say to our customers.</p>", "fail"),
    ("<ul><li>Yamaha MT-07 €9.899</li><li>2019 Honda Civic, brakes checked, $149,900</li></ul>", "fail"),
    ("<h2>Prices</h2><ul><li>Diesel $3.99</li><li>Unleaded $3.49</li></ul>", "fail"),
    ("<h3>Oil change</h3><div>2019 Honda Civic</div><div>$14,900</div>", "fail"),
    ("<ul><li>Oil change plan $19 per month</li></ul>", "fail"),
    ("<table><tr><td>Oil change</td><td>$49</td></tr></table>", "pass"),
    ("<div>$46.75 Smog Coupon</div>", "pass"),
    ("<h1>Preistabelle</h1><table><tr><td>Kleine Durchsicht</td><td>89 €</td></tr></table>", "pass"),
    ("<h2>Ceramic coating</h2><p>29 900 kr</p>", "pass"),
    ("<h2>Brakes</h2><p>From $99, with pads and labor, while you wait in our lounge.</p>", "pass"),
    ("<div><div>AC Repair</div><div>$120</div></div>", "pass"),
    ("<h3>Glasreparatur</h3><p>ab 99 €</p>", "pass"),
    ("<article><header><h2>Brakes</h2></header><aside>£95</aside></article>", "pass"),
)  # fmt: skip


@pytest.mark.parametrize(("html", "status"), PRICES)
async def test_a_price_of_a_service_is_in_a_row_that_names_one(
    world: World, sites: Sites, html: str, status: str
) -> None:
    menu = '<nav><a href="/services">Services</a></nav>'
    words = "<p>We look after cars.</p>"
    pages: Pages = {
        "/": sites.page("Garage", "<h1>Garage</h1>", nav=menu),
        "/services": sites.page("Services", html + words, nav=menu),
    }
    assert (await statuses(world, pages, Kind.REPAIR_SHOP))["svc.price"] == status


OFFERS = (
    ("<article><p>Used. 45,210 miles.</p><aside>£4,695</aside></article>", "veh.vdp.price", "pass"),
    ("<p>€38,995 Monthly payment from €220. 45,210 km</p>", "veh.vdp.price", "pass"),
    ("<p>$18,400. 45,210 miles.</p><p>I was in the market for a new car and they found me one.</p>", "veh.vdp.mileage", "pass"),
    ("<p>$18,400. In stock.</p><p>I was in the market for a new car.</p>", "veh.vdp.availability_condition", "warn"),
)  # fmt: skip


@pytest.mark.parametrize(("html", "check", "status"), OFFERS)
async def test_a_vehicle_is_read_from_its_own_words(
    world: World, sites: Sites, html: str, check: str, status: str
) -> None:
    pages = sites.dealer(HOST, vehicles=5)
    for number in range(5):
        title = f"{2015 + number} Honda Civic"
        pages[sites.vehicle_path(number)] = sites.page(title, f"<h1>{title}</h1>{html}")
    assert (await statuses(world, pages))[check] == status


PROSE = "We look after you, tell you what we do before we do it and never hide a fee. " * 4
SERVICES = "<h2>What we do</h2><ul><li>Oil changes</li><li>Brakes</li><li>Tires</li><li>Batteries</li></ul>"
KINDS = (
    ("Independent Subaru Specialists", f"<h1>Independent Subaru Specialists</h1>{SERVICES}", "", "repair_shop"),
    ("Auto Service & Sales", f"<h1>Auto Service & Sales</h1>{SERVICES}", "", "repair_shop"),
    ("Smith and Sons", f"<h1>Car repairs</h1>{SERVICES}<a href='/stock'>Vehicles we service</a>", "", "repair_shop"),
    ("Autobedrijf Jansen", "<h1>Autobedrijf Jansen</h1>", '<nav><a href="/stock">Occasions</a></nav>', "dealer"),
    ("Autohaus Muster", "<h1>Willkommen</h1>", '<nav><a href="/stock">Fahrzeuge</a></nav>', "dealer"),
    ("Metro Car Dealer", "<h1>Welcome</h1>", '<ul class="menu"><li><a href="/stock">Inventory</a></li></ul>', "dealer"),
    ("Sofas and chairs", "<h1>Sofas</h1>", '<nav><a href="/stock">In stock</a><a href="/pay">Finance</a></nav>', "not_automotive"),
)  # fmt: skip


@pytest.mark.parametrize(("title", "html", "menu", "kind"), KINDS)
async def test_the_kind_of_a_site_shows_in_few_signs(
    world: World, sites: Sites, title: str, html: str, menu: str, kind: str
) -> None:
    words = f"<p>{PROSE}</p>"
    pages: Pages = {
        "/": sites.page(title, f"{html}{words}", nav=menu),
        "/stock": sites.page("Stock", f"<h1>Stock</h1>{words}"),
        "/pay": sites.page("Pay", f"<h1>Pay</h1>{words}"),
    }
    report = await world.scan(HOST, pages)
    assert report.siteType.value == kind
    assert (report.overall.score is None) == (kind == "not_automotive")


@pytest.mark.parametrize(
    ("words", "address"),
    [("Mobile Mechanics", "not_applicable"), ("Smog Check station for all makes", "fail")],
)
async def test_only_a_business_that_comes_to_its_customers_is_mobile(
    world: World, sites: Sites, words: str, address: str
) -> None:
    pages: Pages = {"/": sites.page(words, f"<h1>{words}</h1>{SERVICES}<p>{PROSE}</p>")}
    assert (await statuses(world, pages, Kind.SERVICE_SITE))["ho.address"] == address


FIELDS = '<input name="{}" aria-label="{}"><input name="{}" aria-label="{}"><button>Send</button>'
FORMS = (
    (f'<form method="post">{FIELDS.format("user", "User", "pw", "Password").replace("aria-label=Password", "")}</form>'.replace('name="pw"', 'name="pw" type="password"'), "fail"),
    (f'<form action="/cars">{FIELDS.format("make", "Make", "model", "Model")}</form>', "fail"),
    ('<form method="post" action="/wp-comments-post.php"><h3>Leave a Reply</h3><textarea name="comment" aria-label="Comment"></textarea>'
     '<input name="email" aria-label="Email"><button>Post</button></form>', "fail"),
    (f'<form method="post">{FIELDS.format("your-name", "Name", "your-email", "Email")}</form>', "pass"),
    ('<form method="post" action="/book"><h3>Book an appointment</h3><input name="plate" aria-label="Plate">'
     '<input name="day" aria-label="Day" type="date"><input name="work" aria-label="Work"><button>Book</button></form>', "pass"),
)  # fmt: skip


@pytest.mark.parametrize(("form", "status"), FORMS)
async def test_only_a_form_that_reaches_a_person_is_contact(
    world: World, sites: Sites, form: str, status: str
) -> None:
    pages: Pages = {"/": sites.page("Garage", f"<h1>Garage</h1>{form}<p>{PROSE}</p>")}
    assert (await statuses(world, pages, Kind.REPAIR_SHOP))["ho.contact_form"] == status


async def test_a_privacy_policy_that_leads_home_is_no_policy(world: World, sites: Sites) -> None:
    links = '<a href="/index.html">Privacy Policy</a> <a href="/">Terms of use</a>'
    home = sites.answer(f"<!doctype html><title>Garage</title><h1>Garage</h1><p>{PROSE}</p>{links}")
    pages: Pages = {"/": home, "/index.html": home}
    assert (await statuses(world, pages, Kind.REPAIR_SHOP))["ho.privacy_identity"] == "fail"


async def test_a_dead_first_sitemap_hides_no_second(world: World, sites: Sites) -> None:
    pages = sites.repair_shop(HOST)
    pages["/pages.xml"] = pages.pop("/sitemap.xml")
    named = "".join(f"Sitemap: https://{HOST}/{name}.xml\n" for name in ("old", "pages"))
    pages["/robots.txt"] = sites.answer(f"User-agent: *\nDisallow:\n{named}", kind="text/plain")
    assert (await statuses(world, pages, Kind.REPAIR_SHOP))["tech.sitemap"] == "pass"


@pytest.mark.parametrize(
    ("lang", "status"), [("en-GB", "not_applicable"), ("de-DE", "not_applicable"), ("en-US", "fail")]
)
async def test_a_vin_is_asked_where_dealers_print_it(
    world: World, sites: Sites, lang: str, status: str
) -> None:
    pages = sites.dealer(HOST, vehicles=5)
    for page in pages.values():
        if isinstance(page.body, str) and page.kind.startswith("text/html"):
            page.text = re.sub(
                "<script.*?</script>| VIN [^.]*", "", page.text.replace('lang="en"', f'lang="{lang}"')
            )
    assert (await statuses(world, pages))["veh.vdp.vin"] == status


@pytest.mark.parametrize(
    "html", ['<div id="root"></div><script src="/app.js"></script>', '<h1>Used cars</h1><iframe src="https://stock.example.org/vehicles"></iframe>']
)  # fmt: skip
async def test_a_stock_list_that_only_scripts_show_costs_its_points(
    world: World, sites: Sites, html: str
) -> None:
    pages: Pages = {
        "/": sites.page(
            "Metro Car Dealer",
            f"<h1>Metro</h1><p>{PROSE}</p>",
            nav='<nav><a href="/stock">Inventory</a></nav>',
        ),
        "/stock": sites.answer(f"<!doctype html><title>Stock</title><body>{html}"),
    }
    assert (await statuses(world, pages))["veh.inventory.listed_without_js"] == "fail"


async def test_a_rental_is_no_place_in_french(world: World, sites: Sites) -> None:
    menu = '<nav><a href="/location">Location</a><a href="/acces">Horaires et accès</a></nav>'
    home = sites.page("Garage", f"<h1>Garage</h1><p>{PROSE}</p>", nav=menu)
    home.text = home.text.replace('lang="en"', 'lang="fr"')
    pages: Pages = {
        "/": home,
        "/location": sites.page("Location", "x"),
        "/acces": sites.page("Horaires", "x"),
    }
    report = await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP))
    assert [visit.url.rpartition("/")[2] for visit in report.pages if visit.role == "hours"] == ["acces"]


@pytest.mark.parametrize("words", ["Accueil, accurate work, Hotel", "Nous faisons un essai routier"])
async def test_words_inside_other_words_name_nothing(world: World, sites: Sites, words: str) -> None:
    assert vocabulary.services_named(words) == ()
    assert vocabulary.TEST_DRIVE.search(words) is None
