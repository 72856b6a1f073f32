# World and Sites are typed in conftest.py, which a test module cannot import.
"""What themes, static exports and one-page sites write, read as a visitor reads it: each case broke the scanner once."""

import pytest

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
