# World and Sites are typed in conftest.py, which a test module cannot import.
"""What pages say in their own words, each on a site of its own: neither overlooked nor read into them."""

import re
from collections.abc import Callable

import pytest

from readiness.scans.scan import Options
from readiness.survey.site_kind import Kind
from tests.readiness.conftest import Pages, Sites, World, jsonld, statuses_of

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "facts.example.com"
PRICE, MILEAGE, CONDITION = "veh.vdp.price", "veh.vdp.mileage", "veh.vdp.availability_condition"
REACHABLE = "veh.vdp.reachable"


def dealer(sites: Sites) -> Pages:
    return sites.dealer(HOST, vehicles=5)


def with_vehicle_text(sites: Sites, text: str, head: str = "") -> Pages:
    """A dealer whose vehicle pages hold a heading and this text, and markup only where it is given."""
    pages = dealer(sites)
    for path in pages:
        if path.startswith("/inventory/"):
            pages[path] = sites.page("2021 Honda Civic", f"<h1>2021 Honda Civic</h1>{text}", head=head)
    return pages


VEHICLE_TEXTS = {
    # prices
    "fee beside a price on request": ("<p>Call for price. Documentation fee $299</p>", PRICE, "warn"),
    "fee written after its amount": ("<p>Call for price, plus a $299 doc fee</p>", PRICE, "warn"),
    "German delivery charge": ("<p>Preis auf Anfrage. Überführungskosten 990 €</p>", PRICE, "warn"),
    "French file fee": ("<p>Prix sur demande. Frais de dossier 199 €</p>", PRICE, "warn"),
    "title and road tax": ("<p>Price on application. Title $38.50. Road tax $1,195 a year.</p>", PRICE, "warn"),
    "Dutch handover": ("<p>Prijs op aanvraag. Rijklaarmaken vanaf € 1.895</p>", PRICE, "warn"),
    "labour by the hour": ("<p>Labour $120 per hour.</p>", PRICE, "fail"),
    "price without transfer": ("<p>Prezzo € 16.900, passaggio di proprietà escluso</p>", PRICE, "pass"),
    "deposit": ("<p>Reserve it with a deposit of $500</p>", PRICE, "fail"),
    "saving": ("<p>Save $2,000 today</p>", PRICE, "fail"),
    "amount off": ("<p>$1,500 off for students</p>", PRICE, "fail"),
    "down payment": ("<p>Only $1,000 down</p>", PRICE, "fail"),
    "mileage before a fee": ("<p>Mileage 45,210 $299 documentation fee</p>", PRICE, "fail"),
    "mileage before a currency": ("<p>Preis auf Anfrage. Kilometerstand 45.210 € Finanzierung möglich</p>", PRICE, "warn"),
    "price of another car": (
        "<p>Call for price.</p><h2>Similar vehicles</h2><p>2020 Honda Accord $18,400, 34,000 miles</p>", PRICE, "warn"),
    "price of a neighbour in German": (
        "<p>Preis auf Anfrage.</p><h2>Ähnliche Fahrzeuge</h2><p>Opel Corsa 12.400 €, 34.000 km</p>", PRICE, "warn"),
    "monthly rate": ("<p>Lease it for $299/mo.</p>", PRICE, "warn"),
    "German monthly rate": ("<p>Rate: 199 € monatlich</p>", PRICE, "warn"),
    "price and fee": ("<p>$18,400 plus $299 documentation fee</p>", PRICE, "pass"),
    "price before the word fee": ("<p>Price $18,400 Documentation fee $299</p>", PRICE, "pass"),
    "price before a down payment": ("<p>Price: $14,995</p><p>Down payment from $1,500, then $105 a week</p>", PRICE, "pass"),
    "reduced price": ("<p>Was $19,900 now $18,400. Save $1,500!</p>", PRICE, "pass"),
    "price with dash": ("<p>12.400,- €</p>", PRICE, "pass"),
    "euro first": ("<p>€ 12.400,-</p>", PRICE, "pass"),
    "price with a delivery charge": ("<p>18.990 € inkl. Überführung 990 €</p>", PRICE, "pass"),
    "French price": ("<p>Prix : 18 990 € TTC</p>", PRICE, "pass"),
    "Polish price": ("<p>Cena: 49 900 zł brutto</p>", PRICE, "pass"),
    "Dutch price": ("<p>Vraagprijs € 14.950</p>", PRICE, "pass"),
    "pounds": ("<p>Only £11,495</p>", PRICE, "pass"),
    # mileages
    "warranty": ("<p>Used. Warranty 60,000 miles.</p>", MILEAGE, "fail"),
    "warranty after the figure": ("<p>Used. 5 years or 60,000 miles warranty.</p>", MILEAGE, "fail"),
    "hyphenated warranty": ("<p>Used. 100,000-mile powertrain warranty.</p>", MILEAGE, "fail"),
    "years and miles": ("<p>Used. Powertrain coverage: 5 years / 60,000 miles.</p>", MILEAGE, "fail"),
    "German warranty": ("<p>Gebraucht. Garantie bis 100.000 km.</p>", MILEAGE, "fail"),
    "French warranty": ("<p>Occasion. Garantie 12 mois ou 20 000 km.</p>", MILEAGE, "fail"),
    "range": ("<p>Used. Reichweite 410 km.</p>", MILEAGE, "fail"),
    "service interval": ("<p>Used. Oil change every 10,000 miles.</p>", MILEAGE, "fail"),
    "delivery": ("<p>Used. Free delivery within 200 miles.</p>", MILEAGE, "fail"),
    "speed": ("<p>Used. Höchstgeschwindigkeit 190 km/h.</p>", MILEAGE, "fail"),
    "mileage of another car": ("<p>Used.</p><h2>You may also like</h2><p>Accord 34,000 miles</p>", MILEAGE, "fail"),
    "mileage and warranty": ("<p>Used. 45,210 miles. Warranty 60,000 miles.</p>", MILEAGE, "pass"),
    "mileage then the word warranty": ("<ul><li>Mileage 45,210 miles<li>Warranty 60,000 miles</ul>", MILEAGE, "pass"),
    "kilometres": ("<p>Gebraucht, 45.210 km, 66 kW</p>", MILEAGE, "pass"),
    "thousands": ("<p>Used with 45k miles on the clock</p>", MILEAGE, "pass"),
    "French mileage": ("<p>Kilométrage : 45 210 km</p>", MILEAGE, "pass"),
    "unit first": ("<p>Used. Odometer (miles): 45,210</p>", MILEAGE, "pass"),
    # condition and availability
    "certified technicians": ("<p>In stock. Inspected by certified technicians.</p>", CONDITION, "warn"),
    "new brakes": ("<p>In stock. New tires and new brakes.</p>", CONDITION, "warn"),
    "what it used to be": ("<p>In stock. It used to be a demo.</p>", CONDITION, "warn"),
    "place called new": ("<p>In stock in New York.</p>", CONDITION, "warn"),
    "financing available": ("<p>Used. Financing available.</p>", CONDITION, "warn"),
    "warranty available": ("<p>Used. Extended warranty available.</p>", CONDITION, "warn"),
    "German financing": ("<p>Gebraucht. Finanzierung verfügbar.</p>", CONDITION, "warn"),
    "French financing": ("<p>Occasion. Financement disponible.</p>", CONDITION, "warn"),
    "neither": ("<p>Financing available. Serviced by certified technicians.</p>", CONDITION, "fail"),
    "certified car": ("<p>Certified pre-owned, available now.</p>", CONDITION, "pass"),
    "German used car": ("<p>Gebrauchtwagen, sofort verfügbar.</p>", CONDITION, "pass"),
    "French used car": ("<p>Véhicule d'occasion, disponible de suite.</p>", CONDITION, "pass"),
    "Italian used car": ("<p>Auto usata, disponibile in sede.</p>", CONDITION, "pass"),
    "Spanish used car": ("<p>Coche seminuevo, disponible.</p>", CONDITION, "pass"),
    "Dutch used car": ("<p>Tweedehands, direct leverbaar.</p>", CONDITION, "pass"),
    "Polish used car": ("<p>Samochód używany, dostępny od ręki.</p>", CONDITION, "pass"),
    "labelled condition": ("<p>Condition: New. Status: In stock.</p>", CONDITION, "pass"),
    # labels that name the unit, and words for a car that stands there
    "mileage without a unit": ("<p>Used. Mileage: 61,204</p>", MILEAGE, "pass"),
    "mileage of a table": ("<dl><dt>Condition</dt><dd>Used</dd><dt>Mileage</dt><dd>38,412</dd></dl>", MILEAGE, "pass"),
    "Austrian kilometres of a table": ("<table><tr><th>Kilometer</th><td>39.870</td></tr></table><p>Gebrauchtwagen</p>", MILEAGE, "pass"),
    "unlimited mileage": ("<p>Used. Unlimited mileage 36 months.</p>", MILEAGE, "fail"),
    "miles a gallon": ("<p>Used. Mileage 28 mpg.</p>", MILEAGE, "fail"),
    "in the store": ("<p>Used. In store now.</p>", CONDITION, "pass"),
    "Austrian stock": ("<p>Gebrauchtwagen, lagernd.</p>", CONDITION, "pass"),
    # gone or not
    "offer of help": ("<p>If the vehicle is no longer available we will help.</p>", REACHABLE, "pass"),
    "German offer of help": ("<p>Sollte das Fahrzeug nicht mehr verfügbar sein, helfen wir.</p>", REACHABLE, "pass"),
    "best seller": ("<p>El más vendido de su clase.</p>", REACHABLE, "pass"),
    "sold": ("<p>Sorry, this vehicle has been sold.</p>", REACHABLE, "fail"),
    "sold in German": ("<p>Dieses Fahrzeug ist leider verkauft.</p>", REACHABLE, "fail"),
    "gone": ("<p>This car is no longer available.</p>", REACHABLE, "fail"),
    "sold by now": ("<p>Sorry, this car has now been sold.</p>", REACHABLE, "fail"),
    "sold new once": ("<p>This car was sold new in 2019.</p>", REACHABLE, "pass"),
    "sold neighbour": ("<p>In stock.</p><h2>Similar vehicles</h2><p>This car is no longer available.</p>", REACHABLE, "pass"),
}  # fmt: skip


@pytest.mark.parametrize("name", VEHICLE_TEXTS)
async def test_text_of_a_vehicle_page_is_read_as_a_buyer_reads_it(
    world: World, sites: Sites, name: str
) -> None:
    text, check, status = VEHICLE_TEXTS[name]
    statuses = statuses_of(await world.scan(HOST, with_vehicle_text(sites, text)))
    assert statuses[check] == status


Change = Callable[[Pages, Sites], object]


def all_over(pattern: str, to: str, only: str = "") -> Change:
    """Replace on every page whose path starts so; a pattern that is nowhere is a mistake of the test."""

    def change(pages: Pages, sites: Sites) -> None:
        changed = 0
        for path, answer in pages.items():
            if isinstance(answer.body, str) and path.startswith(only):
                answer.text, count = re.subn(pattern, lambda _: to, answer.text, flags=re.S)
                changed += count
        assert changed, pattern

    return change


def both(*changes: Change) -> Change:
    def change(pages: Pages, sites: Sites) -> None:
        for part in changes:
            part(pages, sites)

    return change


def with_header(name: str, value: str) -> Change:
    def change(pages: Pages, sites: Sites) -> None:
        pages["/"].headers[name] = value

    return change


def with_slashes(pages: Pages, sites: Sites) -> None:
    """Every vehicle and service page lives at an address that ends in a slash, and nowhere else."""
    for path in [path for path in pages if re.match("/(inventory|services)/", path)]:
        pages[f"{path}/"] = pages.pop(path)
    for answer in pages.values():
        if isinstance(answer.body, str):
            answer.text = re.sub(
                rf'((?:href="|https://{HOST})/(?:inventory|services)/[\w-]+)(?=["<])', r"\1/", answer.text
            )


def with_three_sitemaps(pages: Pages, sites: Sites) -> None:
    """The vehicles stand in the fourth sitemap that robots.txt names."""
    vehicles = [path for path in pages if path.startswith("/inventory/")]
    pages["/pages.xml"], pages["/news.xml"] = sites.sitemap(HOST, ["/"]), sites.sitemap(HOST, ["/about"])
    pages["/blog.xml"], pages["/vehicles.xml"] = (
        sites.sitemap(HOST, ["/contact"]),
        sites.sitemap(HOST, vehicles),
    )
    names = ("pages", "news", "blog", "vehicles")
    lines = "".join(f"Sitemap: https://{HOST}/{name}.xml\n" for name in names)
    pages["/robots.txt"] = sites.answer(f"User-agent: *\nDisallow:\n{lines}", kind="text/plain")
    del pages["/sitemap.xml"]


def float_prices(pages: Pages, sites: Sites) -> None:
    """Markup says 18000.0 where the page says $18,000, as a serialiser of floats writes it."""
    for path, answer in pages.items():
        if path.startswith("/inventory/"):
            answer.text = re.sub(r'("price": \d+)', r"\1.0", answer.text)


def department(**properties: object) -> str:
    return jsonld({"@type": "AutoRepair", "name": "Synthetic Motors Service", **properties})


STREET, VISIBLE_DAY = (
    "12 Example Street, Springfield, IL 62701",
    "<li>(?:Mon|Tues|Wednes|Thurs|Fri)day: [^<]*",
)
UNMARKED = all_over('<script type="application/ld.json">.*?</script>', "")
SALES_AND_SERVICE = "<p>Sales hours: Monday - Friday 9:00 am - 6:00 pm</p><p>Service hours: Monday - Friday 7:30 am - 5:00 pm</p>"
GERMAN_HOURS = "<p>Verkauf: Mo-Fr 9:00-18:00 Uhr</p><p>Werkstattzeiten: Mo-Fr 7:30-17:00 Uhr</p>"
RDFA = (
    '<div vocab="https://schema.org/" typeof="Car"><span property="name">2021 Honda Civic</span>'
    '<span property="brand">Honda</span><span property="model">Civic</span><meta property="vehicleModelDate" content="2021">'
    '<img property="image" src="/car.png" alt="Civic"><div property="offers" typeof="Offer">'
    '<meta property="price" content="18400"><meta property="priceCurrency" content="USD">'
    '<link property="availability" href="https://schema.org/InStock"></div></div>'
)


def written_address(text: str) -> Change:
    return both(UNMARKED, all_over(STREET, text))


def written_hours(text: str) -> Change:
    return both(UNMARKED, all_over(VISIBLE_DAY, ""), all_over("<ul></ul>|<ul>(?:<li>|</li>)*</ul>", text))


CHANGES: dict[str, tuple[Change, str, str]] = {
    # hours
    "sales and service hours": (all_over("<ul>.*?</ul>", SALES_AND_SERVICE), "ho.hours", "pass"),
    "service hours are stated": (all_over("<ul>.*?</ul>", SALES_AND_SERVICE), "svc.hours_service", "pass"),
    "German departments": (all_over("<ul>.*?</ul>", GERMAN_HOURS), "ho.hours", "pass"),
    "Werkstattzeiten": (all_over("<ul>.*?</ul>", GERMAN_HOURS), "svc.hours_service", "pass"),
    "only the workshop's hours": (
        all_over("<ul>.*?</ul>", "<p>Werkstatt: Mo-Fr 7:30-17:00 Uhr</p>"), "ho.hours", "pass"),
    "department with its own hours": (
        both(all_over("<ul>.*?</ul>", SALES_AND_SERVICE), all_over("<title>", department(openingHours="Mo-Fr 07:30-17:00") + "<title>", "/service")),
        "ho.hours", "pass"),
    "department whose hours are wrong": (
        both(all_over("<ul>.*?</ul>", SALES_AND_SERVICE), all_over("<title>", department(openingHours="Mo-Fr 06:00-20:00") + "<title>", "/service")),
        "ho.hours", "fail"),
    "one day differs": (all_over("Friday: 9:00 am", "Friday: 8:00 am"), "ho.hours", "fail"),
    "hours until": (written_hours("<p>Monday - Friday 9:00 AM until 6:00 PM</p>"), "ho.hours", "pass"),
    "hours daily": (written_hours("<p>Open daily 9am-9pm</p>"), "ho.hours", "pass"),
    "German hours": (written_hours("<p>Montag bis Freitag von 8.00 bis 18.00 Uhr</p>"), "ho.hours", "pass"),
    "French hours": (written_hours("<p>Du lundi au vendredi de 9h à 12h et de 14h à 18h30</p>"), "ho.hours", "pass"),
    "hours of two days": (written_hours("<p>Sat & Sun 10am - 4pm</p>"), "ho.hours", "warn"),
    "no hours": (written_hours("<p>We are open on Monday when the sun shines.</p>"), "ho.hours", "fail"),
    # addresses
    **{
        f"address {text}": (written_address(text), "ho.address", "pass")
        for text in (
            "Kieler Str. 18, 22525 Hamburg", "12 Example Street, Springfield, Illinois 62701", "100 King St W, Toronto, ON M5V 2T6",
            "Am Markt 3, 20095 Hamburg", "Industriestraße 7a, 70565 Stuttgart", "12 rue de la Paix, 75002 Paris", "Via Roma 12, 20121 Milano",
            "Calle Mayor, 3, 28013 Madrid", "Kerkstraat 12, 1017 GC Amsterdam", "ul. Długa 5, 00-238 Warszawa", "ul. 3 Maja 12, 64-920 Piła tel. 67 211 04 48", "ul. Wzorcowa 9A, 64-920 Piła, tel. 67 211 04 48",
            "Calle 8 de Marzo 5, 44600 Alcañiz, 978 83 00 11", "7 High Street, Leeds LS1 4AP",
            "The Old Dairy, Mill Lane, Bath BA1 1AA", "Unit 4, Riverside Retail Park, Wakefield Road, Huddersfield, HD5 9XX",
        )
    },
    "street alone": (written_address("12 Example Street"), "ho.address", "warn"),
    "no address": (written_address("our yard with 20000 Cars"), "ho.address", "fail"),
    # what may be indexed
    "no previews of pictures": (all_over("<title>", '<meta name="robots" content="max-image-preview:none"><title>', "/"), "tech.meta.indexable", "pass"),
    "another bot's noindex": (all_over("<title>", '<meta name="ahrefsbot" content="noindex"><title>', "/"), "tech.meta.indexable", "pass"),
    "another bot's header": (with_header("X-Robots-Tag", "otherbot: noindex, nofollow"), "tech.meta.indexable", "pass"),
    "a search engine's noindex": (all_over("<title>", '<meta name="googlebot" content="noindex"><title>', "/"), "tech.meta.indexable", "fail"),
    "a search engine's header": (with_header("X-Robots-Tag", "otherbot: nofollow, googlebot: noindex"), "tech.meta.indexable", "fail"),
    "none": (all_over("<title>", '<meta name="robots" content="none"><title>', "/"), "tech.meta.indexable", "fail"),
    # markup against text
    "float price": (float_prices, "tech.sd.consistent", "pass"),
    "another price": (all_over('"price": ', '"price": 9', "/inventory/"), "tech.sd.consistent", "fail"),
    "department's telephone": (
        all_over("<title>", department(telephone="+1-202-555-0177") + "<title>", "/"), "tech.sd.consistent", "pass"),
    "page with the department's telephone alone": (
        both(all_over("<title>", jsonld({"@type": "AutoDealer", "name": "Synthetic Motors", "telephone": "+1-202-555-0143"}) + "<title>", "/service"),
             all_over("Service hours", 'Call service: <a href="tel:+12025550177">(202) 555-0177</a>. Service hours', "/service")),
        "tech.sd.consistent", "pass"),
    "a date": (all_over("<main>", "<main><p>Updated 2026-03-01, 01.03.2026, since 1998 - 2026.</p>", "/"), "tech.sd.consistent", "pass"),
    # sitemaps and addresses
    "slashes at the end, sitemap": (with_slashes, "tech.sitemap", "pass"),
    "slashes at the end, vehicles": (with_slashes, "veh.vdp.reachable", "pass"),
    "vehicles in the fourth sitemap": (with_three_sitemaps, "tech.sitemap", "pass"),
    # vehicle markup and pictures
    "RDFa": (both(all_over('<script type="application/ld.json">.*?</script>', "", "/inventory/"), all_over("<main>", f"<main>{RDFA}", "/inventory/")),
             "veh.vdp.structured", "pass"),
    "RDFa of another vocabulary": (
        both(all_over('<script type="application/ld.json">.*?</script>', "", "/inventory/"),
             all_over("<main>", f"<main>{RDFA.replace('schema.org', 'example.org')}", "/inventory/")),
        "veh.vdp.structured", "fail"),
    "lazy picture": (all_over('<img src="/car.png"|"image": "[^"]*", ', '<img src="data:image/gif;base64,R0" data-src="/car.png"', "/inventory/"),
                     "veh.vdp.images", "pass"),
    "set of pictures": (all_over('<img src="/car.png"', '<img srcset="/car.png 1x, /car2.png 2x"', "/inventory/"), "veh.vdp.images", "pass"),
    # the service department
    "telephone after a postal code": (
        all_over('<a href="tel:[^"]*">(.*?)</a> or visit .*?</p>', "Springfield, IL 62701 (202) 555-0143 Monday</p>"), "ho.phone", "warn"),
    "small print is no service": (
        both(all_over('<a href="/service">Service</a>', '<a href="/terms">Terms of Service</a>'), all_over('<a href="/services/[^>]*>[^<]*</a>', ""),
             all_over("Schedule service", "Schedule a visit"), lambda pages, sites: pages.update({"/terms": sites.page("Terms of Service", "<h1>Terms</h1>")}),
             all_over("/services/[^<]*", "/about", "/sitemap.xml")),
        "svc.menu.found", "not_applicable"),
}  # fmt: skip


@pytest.mark.parametrize("name", CHANGES)
async def test_one_change_of_a_sound_dealer_is_read_for_what_it_is(
    world: World, sites: Sites, name: str
) -> None:
    change, check, status = CHANGES[name]
    pages = dealer(sites)
    change(pages, sites)
    assert statuses_of(await world.scan(HOST, pages, Options(declared=Kind.DEALER)))[check] == status


SERVICE_MENUS = (
    "Inspektion, TÜV und Reifenwechsel", "HU/AU, Bremsenservice, Klimaservice", "Ölwechsel, Unfallreparatur, Autoglas",
    "Oil changes, tyres and MOTs", "Wheel alignments, brake repairs, batteries", "Vidange, freinage, pneumatiques",
    "§57a Pickerl, Jahresservice, Spenglerei", "Cambio de aceite, frenos, neumáticos", "Tagliando, gomme, freni", "APK, bandenwissel, remmen", "Wymiana oleju, opony, hamulce",
)  # fmt: skip


@pytest.mark.parametrize("words", SERVICE_MENUS)
async def test_services_are_known_by_the_words_of_the_trade(world: World, sites: Sites, words: str) -> None:
    pages = sites.repair_shop(HOST)
    for path, answer in pages.items():
        if isinstance(answer.body, str) and path not in ("/robots.txt", "/sitemap.xml"):
            answer.text = re.sub(
                "Oil change|Brakes|Tires|oil-change|brakes|tires|<p>.*?</p>", "", answer.text
            )
    pages["/services"] = sites.page("Services", f"<h1>Services</h1><p>{words}</p>")
    statuses = statuses_of(await world.scan(HOST, pages, Options(declared=Kind.REPAIR_SHOP)))
    assert statuses["svc.menu.found"] == "pass"
