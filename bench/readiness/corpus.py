"""The sites of the corpus: correct sites of several countries and kinds, and variants with one change each.

`labels.toml` holds the expected scan results. They were written by hand alongside the texts below and never copied
from a report. Names are invented. Phone numbers are reserved for fiction where a country reserves some.
"""

# ruff: noqa: E501  # texts of pages stay in one piece
import re
from collections.abc import Callable, Mapping

from bench.readiness.shops import DUTCH, ENGLISH, FRENCH, GERMAN, Shop, build
from bench.sites import Page, Pages

ENGLISH_SERVICES = (
    "<h2>Oil changes</h2><p>From $59, with filter, while you wait.</p><h2>Brake repairs</h2><p>We measure pads and discs and show you.</p>"
    "<h2>Tires</h2><p>Mounting, balancing and storage over the season.</p><p>Service hours: Monday - Friday 7:30 am - 5:00 pm</p>"
)
GERMAN_SERVICES = (
    "<h2>Inspektion</h2><p>Nach Herstellervorgabe, ab 199 €.</p><h2>HU/AU</h2><p>Jeden Dienstag im Haus.</p><h2>Reifenwechsel</h2>"
    "<p>Mit Einlagerung über die Saison.</p><p>Werkstattzeiten: Mo-Fr 7.30-17.00 Uhr</p>"
)
FRENCH_SERVICES = (
    "<h2>Vidange</h2><p>À partir de 79 €, filtre compris.</p><h2>Freins</h2><p>Plaquettes et disques, devis affiché.</p><h2>Pneus</h2>"
    "<p>Montage et équilibrage.</p><p>Horaires atelier : lundi - vendredi 8h00-12h00 / 13h30-17h30</p>"
)
DUTCH_SERVICES = (
    "<h2>APK</h2><p>Vanaf € 39, klaar terwijl u wacht.</p><h2>Banden</h2><p>Wisselen en opslaan.</p><h2>Remmen</h2><p>Wij meten en laten het zien.</p>"
    "<p>Werkplaats openingstijden: ma-vr 8.00 - 17.00 uur</p>"
)
WEEK_ENGLISH = (
    "<table>"
    + "".join(
        f"<tr><td>{day}</td><td>9:00 AM - 6:00 PM</td></tr>"
        for day in ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
    )
    + "</table>"
)
US_CAR = "<p>Used, in stock. Price $18,400 plus $299 documentation fee.</p><dl><dt>Mileage</dt><dd>45,210 miles</dd><dt>VIN</dt><dd>{vin}</dd></dl><p>Powertrain warranty 60,000 miles.</p>"
GERMAN_CAR = "<p>Gebrauchtwagen, sofort verfügbar.</p><ul><li>Preis: 18.400 €</li><li>Kilometerstand: 45.210 km</li><li>FIN {vin}</li></ul><p>Garantie bis 100.000 km. Finanzierung möglich.</p>"
FRENCH_CAR = "<p>Véhicule d'occasion, disponible de suite.</p><ul><li>Prix : 18 400 € TTC</li><li>Kilométrage : 45 210 km</li><li>VIN {vin}</li></ul><p>Garantie 12 mois.</p>"
DUTCH_CAR = "<p>Tweedehands, direct leverbaar.</p><table><tr><td>Vraagprijs</td><td>€ 18.400,-</td></tr><tr><td>Kilometerstand</td><td>45.210 km</td></tr><tr><td>VIN</td><td>{vin}</td></tr></table>"
BRITISH_CAR = "<p>Used, available now.</p><ul><li>Price £18,400</li><li>45,210 miles</li><li>VIN {vin}</li></ul><p>MOT until March, two keys, full service history.</p>"
US = ("12 Example Street", "62701", "Springfield", "US")
WOLF = ("2021", "Volkswagen", "Golf")
GOOD: Mapping[str, Shop] = {
    "us-dealer": Shop(
        "Zentrix Motors", "AutoDealer", ENGLISH, "en-US", US, "12 Example Street, Springfield, Illinois 62701", ("(202) 555-0143", "+12025550143"),
        WEEK_ENGLISH, ENGLISH_SERVICES, "json-ld", car_text=US_CAR),
    "us-platform": Shop(
        "Acme Auto Group", "AutoDealer", ENGLISH, "en", US, "12 Example Street, Springfield, IL 62701", ("202-555-0144", "+12025550144"),
        "<p>Sales hours: Mon-Fri 9am-6pm</p>", ENGLISH_SERVICES, "graph", car_text=US_CAR, car_path="/used-Springfield-2021-Honda-Civic-{vin}"),
    "us-opaque": Shop(
        "Zentrix Cars", "AutoDealer", ENGLISH, "en", US, "12 Example Street, Springfield, IL 62701", ("202.555.0145", "+12025550145"),
        WEEK_ENGLISH, ENGLISH_SERVICES, "microdata", car_text=US_CAR, car_path="/d/{number}/view"),
    "german-dealer": Shop(
        "Autohaus Zentrix", "AutoDealer", GERMAN, "de", ("Kieler Str. 18", "22525", "Hamburg", "DE"), "Kieler Str. 18, 22525 Hamburg",
        ("040 66969123", "+494066969123"), "<p>Verkauf: Montag bis Freitag von 9.00 bis 18.00 Uhr</p>", GERMAN_SERVICES, "json-ld", WOLF, GERMAN_CAR,
        "/fahrzeuge/volkswagen-golf-{number}", "WVWZZZ1KZAW{number:06d}", "EUR"),
    "german-rdfa": Shop(
        "Autohaus Acme", "AutoDealer", GERMAN, "de-DE", ("Am Markt 3", "20095", "Hamburg", "DE"), "Am Markt 3, 20095 Hamburg",
        ("040 66969124", "+494066969124"), "<p>Verkauf: Mo-Fr 9-18 Uhr</p>", GERMAN_SERVICES, "rdfa", WOLF, GERMAN_CAR,
        "/gebrauchtwagen/detail/{number}", "WVWZZZ1KZAW{number:06d}", "EUR"),
    "french-dealer": Shop(
        "Garage Zentrix", "AutoDealer", FRENCH, "fr", ("12 rue de la Paix", "75002", "Paris", "FR"), "12 rue de la Paix, 75002 Paris",
        ("01 99 00 12 34", "+33199001234"), "<p>Du lundi au vendredi de 9h à 12h et de 14h à 18h30</p>", FRENCH_SERVICES, "json-ld", ("2021", "Renault", "Clio"),
        FRENCH_CAR, "/occasions/renault-clio-{number}", "VF1RJA00{number:09d}", "EUR", (("Mo-Fr", "09:00", "12:00"), ("Mo-Fr", "14:00", "18:30"))),
    "dutch-dealer": Shop(
        "Autobedrijf Zentrix", "AutoDealer", DUTCH, "nl", ("Kerkstraat 12", "1017 GC", "Amsterdam", "NL"), "Kerkstraat 12, 1017 GC Amsterdam",
        ("020 555 0143", "+31205550143"), "<p>Maandag t/m vrijdag van 9.00 tot 18.00 uur</p>", DUTCH_SERVICES, "json-ld", WOLF, DUTCH_CAR,
        "/voorraad/volkswagen-golf-{number}", "WVWZZZ1KZAW{number:06d}", "EUR"),
    "british-dealer": Shop(
        "Zentrix of Leeds", "AutoDealer", ENGLISH, "en-GB", ("7 High Street", "LS1 4AP", "Leeds", "GB"), "7 High Street, Leeds LS1 4AP",
        ("0113 496 0143", "+441134960143"), "<p>Open 9am to 6pm Monday to Friday</p>", ENGLISH_SERVICES.replace("$59", "£59").replace("Tires", "Tyres"), "json-ld",
        ("2021", "Vauxhall", "Corsa"), BRITISH_CAR, "/used-cars/vauxhall-corsa-{number}", "W0LZZZ1KZAW{number:06d}", "GBP"),
    "us-garage": Shop(
        "Zentrix Auto Repair", "AutoRepair", ENGLISH, "en-US", US, "12 Example Street, Springfield, IL 62701", ("(202) 555-0146", "+12025550146"),
        WEEK_ENGLISH, ENGLISH_SERVICES.replace("Service hours: Monday - Friday 7:30 am - 5:00 pm", "We work on all makes.")),
    "german-garage": Shop(
        "Werkstatt Zentrix", "AutoRepair", GERMAN, "de", ("Industriestraße 7a", "70565", "Stuttgart", "DE"), "Industriestraße 7a, 70565 Stuttgart",
        ("0711 66969123", "+4971166969123"), "<p>Mo.–Fr.: 8–17 Uhr, Sa.: geschlossen</p>", GERMAN_SERVICES.replace("Werkstattzeiten: Mo-Fr 7.30-17.00 Uhr", "Alle Marken."),
        specification=(("Mo-Fr", "08:00", "17:00"),)),
    "tyre-shop": Shop(
        "Zentrix Tyres", "TireShop", ENGLISH, "en-GB", ("7 High Street", "LS1 4AP", "Leeds", "GB"), "7 High Street, Leeds LS1 4AP",
        ("0113 496 0144", "+441134960144"), "<p>Weekdays from 9 a.m. to 6 p.m.</p>",
        "<h2>Tyres</h2><p>Fitted from £45 each.</p><h2>Wheel alignments</h2><p>Measured by laser.</p><h2>MOTs</h2><p>Every morning.</p>"),
}  # fmt: skip
Change = Callable[[str], str]


def _swap(pattern: str, to: str) -> Change:
    return lambda text: re.sub(pattern, lambda _: to, text, flags=re.S)


NO_MARKUP = r'<script type="application/ld\+json">.*?</script>'
CHANGED: Mapping[str, tuple[str, Mapping[str, tuple[tuple[str, str], ...]]]] = {
    # name: (sound site, {beginning of a path: what is replaced on its pages})
    "fee for a price": ("us-dealer", {"/inventory": ((NO_MARKUP, ""), (r"Price \$18,400 plus \$299", "Call for price. $299"))}),
    "warranty for a mileage": ("us-dealer", {"/inventory": ((NO_MARKUP, ""), ("45,210 miles", "on request"))}),
    "technicians for a condition": ("us-dealer", {"/inventory": ((NO_MARKUP, ""), ("Used, in stock", "In stock, checked by certified technicians"))}),
    "financing for availability": ("us-platform", {"/used-": ((NO_MARKUP, ""), ("Used, in stock", "Used. Financing available"))}),
    "offer of help": ("us-dealer", {"/inventory": (("Used, in stock", "Used, in stock. If the vehicle is no longer available we will help"),)}),
    "sold": ("us-dealer", {"/inventory": (("Used, in stock", "Used. This vehicle has been sold"), ("InStock", "SoldOut"))}),
    "german price on request": ("german-dealer", {"/fahrzeuge": ((NO_MARKUP, ""), ("18.400 €", "auf Anfrage, Preis auf Anfrage, Überführungskosten 990 €"))}),
    "german warranty only": ("german-dealer", {"/fahrzeuge": ((NO_MARKUP, ""), ("45.210 km", "siehe Anzeige"))}),
    "dutch without mileage": ("dutch-dealer", {"/voorraad": ((NO_MARKUP, ""), ("45.210 km", "onbekend"))}),
    "french without price": ("french-dealer", {"/occasions": ((NO_MARKUP, ""), ("18 400 € TTC", "nous consulter"))}),
    "british without a VIN": ("british-dealer", {"/used-cars": (("W0LZZZ1KZAW[0-9]{6}", ""),)}),
    "no vehicle markup": ("us-platform", {"/used-": ((NO_MARKUP, ""),)}),
    "other telephone in markup": ("us-garage", {"/": (('"telephone": "[^"]*"', '"telephone": "+12025550199"'),)}),
    "hours differ": ("german-dealer", {"/": (('"opens": "09:00"', '"opens": "10:00"'),)}),
    "saturday only": ("tyre-shop", {"/": (('"openingHoursSpecification": .*?"closes": "18:00"}], ', ""), ("Weekdays from 9 a.m. to 6 p.m.", "Saturday from 9 a.m. to 1 p.m."))}),
    "telephone as text": ("us-garage", {"/": (('<a href="tel:[^"]*">([^<]*)</a>', "(202) 555-0146"),)}),
    "no telephone": ("german-garage", {"/": (('<a href="tel:[^"]*">[^<]*</a>', ""), ('"telephone": "[^"]*", ', ""))}),
    "no address": ("tyre-shop", {"/": (('"address": {[^}]*}, ', ""), ("7 High Street, Leeds LS1 4AP", "in the heart of Leeds"))}),
    "no prices of services": ("us-garage", {"/service": (("From \\$59, with", "With"),)}),
    "estimates only": ("german-garage", {"/service": (("ab 199 €", "Kostenvoranschlag gern"),)}),
    "no service words": ("us-garage", {"/": (("Oil changes|Brake repairs|Tires|Mounting, balancing[^<]*|We measure[^<]*|From \\$59, with filter[^<]*", "Things"),)}),
    "noindex": ("french-dealer", {"/": (("<title>", '<meta name="robots" content="noindex"><title>'),)}),
    "no previews": ("french-dealer", {"/": (("<title>", '<meta name="robots" content="max-image-preview:none"><title>'),)}),
    "another bot's noindex": ("dutch-dealer", {"/": (("<title>", '<meta name="ahrefsbot" content="noindex"><title>'),)}),
    "foreign canonical": ("us-dealer", {"/": (('"canonical" href="https://HOST/', '"canonical" href="https://other.example.org/'),)}),
    "broken sitemap": ("british-dealer", {"/sitemap.xml": (("</urlset>", ""),)}),
    "sitemap without dates": ("british-dealer", {"/sitemap.xml": (("<lastmod>[^<]*</lastmod>", ""),)}),
    "unlabelled booking": ("tyre-shop", {"/book": (("<label>[^<]*", "<label>"),)}),
    "broken markup": ("us-garage", {"/hours": (("</title>", '</title><script type="application/ld+json">{"@type": </script>'),)}),
    "no finance": ("us-dealer", {"/": (('<a href="/finance">[^<]*</a>', ""),)}),
    "no trade-in": ("german-rdfa", {"/": (('<a href="/trade-in">[^<]*</a>', ""),)}),
    "no privacy": ("dutch-dealer", {"/": (('<a href="/privacy">[^<]*</a>', ""),)}),
    "no map": ("french-dealer", {"/": (('<p><a href="https://www.openstreetmap[^<]*</a></p>', ""),)}),
    "lazy pictures": ("us-dealer", {"/inventory": (('<img src="/car.png"', '<img data-src="/car.png"'),)}),
    "friday differs": ("us-garage", {"/hours": (("<td>Friday</td><td>9:00", "<td>Friday</td><td>10:00"),)}),
    "department with hours": (
        "us-dealer", {"/": (('"@type": "AutoDealer"', '"@type": "AutoDealer", "department": {"@type": "AutoRepair", "name": "Service", "openingHours": "Mo-Fr 07:30-17:00"}'),)}),
    "department with wrong hours": (
        "us-dealer", {"/": (('"@type": "AutoDealer"', '"@type": "AutoDealer", "department": {"@type": "AutoRepair", "name": "Service", "openingHours": "Mo-Fr 06:00-20:00"}'),)}),
    "price as a float": ("us-dealer", {"/inventory": (('"price": 18400', '"price": 18400.0'),)}),
    "prices differ": ("us-dealer", {"/inventory": (('"price": 18400', '"price": 17400'),)}),
    "german neighbours": (
        "german-dealer",
        {"/fahrzeuge": ((NO_MARKUP, ""), ("<li>Preis: 18.400 €</li><li>Kilometerstand: 45.210 km</li>", ""),
                        ("<p>Garantie", "<h2>Ähnliche Fahrzeuge</h2><p>Opel Corsa 12.400 €, 34.000 km</p><p>Garantie"))}),
    "monthly rate": ("british-dealer", {"/used-cars": ((NO_MARKUP, ""), ("Price £18,400", "£299 per month"))}),
    "no description": ("us-garage", {"/": (('<meta name="description"[^>]*>', ""),)}),
    "page as robots.txt": ("french-dealer", {"/robots.txt": (("User-agent.*", "<!doctype html><html><p>Accueil"),)}),
    "one search bot denied": ("dutch-dealer", {"/robots.txt": (("User-agent: [*]", "User-agent: YouBot\nDisallow: /\n\nUser-agent: *"),)}),
    "assistant denied": ("dutch-dealer", {"/robots.txt": (("User-agent: [*]", "User-agent: ChatGPT-User\nDisallow: /\n\nUser-agent: *"),)}),
    "training denied": ("dutch-dealer", {"/robots.txt": (("User-agent: [*]", "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *"),)}),
    "navigation by script": ("british-dealer", {"/": (("<nav>", '<nav><span onclick="open()">Menu</span>'),)}),
    "no business markup": ("us-dealer", {"/": (('"@type": "AutoDealer"', '"@type": "Thing"'),)}),
    "pictures are gone": ("german-dealer", {"/fahrzeuge": (("/car.png", "/gone.png"),)}),
}  # fmt: skip


def sites() -> dict[str, Pages]:
    """Every site of the corpus by its name."""
    built = {name: build(shop) for name, shop in GOOD.items()}
    for name, (sound, changes) in CHANGED.items():
        built[name] = _changed(built[sound], changes)
    return built


def _changed(pages: Pages, changes: Mapping[str, tuple[tuple[str, str], ...]]) -> Pages:
    changed = dict(pages)
    for start, replacements in changes.items():
        for pattern, to in replacements:
            touched = 0
            for path, page in changed.items():
                text = page.body.decode("latin-1") if path == "/car.png" else page.body.decode()
                if not path.startswith(start) or path == "/car.png" or not re.search(pattern, text, re.S):
                    continue
                touched += 1
                changed[path] = Page(_swap(pattern, to)(text).encode(), page.status, page.headers)
            if not touched:
                raise ValueError(f"{pattern} is on no page under {start}")
    return changed
