"""Businesses as they build their sites: what each is, where, in which language, and every page that says so."""

# ruff: noqa: E501  # texts of pages stay in one piece
# ruff: noqa: E501  # texts of pages stay in one piece
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from bench.sites import Page, Pages, data, typed

VEHICLES = 6


PIXEL = Page(b"\x89PNG\r\n\x1a\n", headers={"Content-Type": "image/png"})


@dataclass(frozen=True, slots=True)
class Words:
    """What a site of one language calls its pages, and how its pages talk."""

    inventory: str
    service: str
    schedule: str
    contact: str
    about: str
    finance: str
    trade_in: str
    privacy: str
    imprint: str
    labels: tuple[str, str, str]
    prose: str


ENGLISH = Words(
    "Used cars", "Service", "Book an appointment", "Contact us", "Opening hours", "Financing", "Value your trade",
    "Privacy policy", "Legal notice", ("Your name", "Your email", "Your message"),
    "We have looked after drivers of this town for three generations and we still know most of them by name. Every car on our "
    "yard was checked by our own people, its history is on the table before you ask, and nobody will hurry you. Bring your family, "
    "take the car for an hour, and tell us what you think of it over a coffee afterwards. ",
)  # fmt: skip


GERMAN = Words(
    "Gebrauchtwagen", "Werkstatt", "Termin vereinbaren", "Kontakt", "Öffnungszeiten", "Finanzierung", "Ankauf",
    "Datenschutz", "Impressum", ("Ihr Name", "Ihre E-Mail", "Ihre Nachricht"),
    "Seit drei Generationen kümmern wir uns um die Autofahrer dieser Stadt und kennen die meisten noch mit Namen. Jeder Wagen auf "
    "unserem Hof wurde von den eigenen Leuten geprüft, seine Geschichte liegt offen, und niemand drängt Sie. Bringen Sie die Familie mit, "
    "fahren Sie eine Stunde und erzählen Sie uns danach bei einem Kaffee, was Sie davon halten. ",
)  # fmt: skip


FRENCH = Words(
    "Véhicules d'occasion", "Atelier", "Prendre rendez-vous", "Contact", "Horaires", "Financement", "Reprise",
    "Confidentialité", "Mentions légales", ("Votre nom", "Votre courriel", "Votre message"),
    "Depuis trois générations nous prenons soin des conducteurs de cette ville et nous en connaissons encore la plupart par leur nom. "
    "Chaque voiture de notre parc a été contrôlée par nos propres équipes, son histoire est sur la table, et personne ne vous presse. "
    "Venez en famille, roulez une heure et dites-nous ensuite ce que vous en pensez autour d'un café. ",
)  # fmt: skip


DUTCH = Words(
    "Voorraad", "Werkplaats", "Afspraak maken", "Contact", "Openingstijden", "Financiering", "Inruilen",
    "Privacyverklaring", "Colofon", ("Uw naam", "Uw e-mail", "Uw bericht"),
    "Al drie generaties zorgen wij voor de automobilisten van deze stad en de meesten kennen we nog bij naam. Elke auto op ons terrein is "
    "door onze eigen mensen nagekeken, de geschiedenis ligt op tafel en niemand jaagt u op. Neem het gezin mee, rijd een uur en vertel ons "
    "daarna bij een kop koffie wat u ervan vindt. ",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shop:
    """One business: what it is, where it is, and in which form its pages say so."""

    name: str
    kind: str
    words: Words
    lang: str
    address: tuple[str, str, str, str]
    written_address: str
    telephone: tuple[str, str]
    hours: str
    services: str
    cars: str = "none"
    car: tuple[str, str, str] = ("2021", "Honda", "Civic")
    car_text: str = ""
    car_path: str = "/inventory/2021-honda-civic-{number}"
    vin: str = "JHMFC1F30MX{number:06d}"
    currency: str = "USD"
    specification: tuple[tuple[str, str, str], ...] = (("Mo-Fr", "09:00", "18:00"),)
    more: Mapping[str, object] = field(default_factory=dict[str, object])


def build(shop: Shop) -> Pages:
    """Every page of a business, with robots.txt, sitemap and pictures."""
    menu = _menu(shop)
    form = _form(shop.words)
    pages: Pages = {
        "/": _page(shop, shop.name, _home(shop), menu, data(json.dumps(_business(shop))) + '<link rel="canonical" href="https://HOST/">'),
        "/service": _page(shop, shop.words.service, f"<h1>{shop.words.service}</h1>{shop.services}<p>{shop.words.prose}</p>", menu),
        "/book": _page(shop, shop.words.schedule, f"<h1>{shop.words.schedule}</h1>{form}", menu),
        "/contact": _page(shop, shop.words.contact, f"<h1>{shop.words.contact}</h1>{_reach(shop)}{form}", menu),
        "/hours": _page(shop, shop.words.about, f"<h1>{shop.words.about}</h1>{shop.hours}<p>{shop.words.prose}</p>", menu),
        "/privacy": _page(shop, shop.words.privacy, f"<h1>{shop.words.privacy}</h1><p>{shop.words.prose}</p>", menu),
        "/imprint": _page(shop, shop.words.imprint, f"<h1>{shop.words.imprint}</h1><p>{shop.name}, {shop.written_address}</p>", menu),
        "/robots.txt": typed("User-agent: *\nDisallow: /intern/\nSitemap: https://HOST/sitemap.xml\n", "text/plain"),
        "/car.png": PIXEL,
    }  # fmt: skip
    cars = [
        shop.car_path.format(number=4100 + number, vin=shop.vin.format(number=number))
        for number in range(VEHICLES)
    ]
    if shop.cars != "none":
        title = " ".join(shop.car)
        listed = "".join(
            f'<li><a href="{path}"><img src="/car.png" alt="{title}"> {title}</a></li>' for path in cars
        )
        pages["/cars"] = _page(
            shop, shop.words.inventory, f"<h1>{shop.words.inventory}</h1><ul>{listed}</ul>", menu
        )
        for name, heading in (("finance", shop.words.finance), ("trade-in", shop.words.trade_in)):
            pages[f"/{name}"] = _page(shop, heading, f"<h1>{heading}</h1><p>{shop.words.prose}</p>", menu)
        pages |= {path: _car_page(shop, number, menu) for number, path in enumerate(cars)}
    listed_paths = ["/", "/service", *(cars if shop.cars != "none" else [])]
    rows = "".join(
        f"<url><loc>https://HOST{path}</loc><lastmod>2026-02-01</lastmod></url>" for path in listed_paths
    )
    xml = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{rows}</urlset>'
    return pages | {"/sitemap.xml": typed(xml, "application/xml")}


def _menu(shop: Shop) -> str:
    words = shop.words
    items = [
        ("/service", words.service),
        ("/book", words.schedule),
        ("/contact", words.contact),
        ("/hours", words.about),
    ]
    if shop.cars != "none":
        items = [
            ("/cars", words.inventory),
            *items,
            ("/finance", words.finance),
            ("/trade-in", words.trade_in),
        ]
    return "<nav>" + "".join(f'<a href="{path}">{text}</a>' for path, text in items) + "</nav>"


def _page(shop: Shop, title: str, body: str, menu: str, head: str = "") -> Page:
    footer = f'<footer>Synthetic test site. <a href="/privacy">{shop.words.privacy}</a> <a href="/imprint">{shop.words.imprint}</a></footer>'
    return Page(
        f'<!doctype html><html lang="{shop.lang}"><head><meta charset="utf-8"><title>{title}</title><meta name="description" content="{shop.name}: {title}">'
        f"{head}</head><body>{menu}<main>{body}</main>{footer}</body></html>".encode()
    )


def _home(shop: Shop) -> str:
    return f"<h1>{shop.name}</h1><p>{shop.words.prose * 3}</p>{_reach(shop)}"


def _reach(shop: Shop) -> str:
    text, link = shop.telephone
    return (
        f'<p>{shop.written_address}</p><p><a href="tel:{link}">{text}</a></p>'
        '<p><a href="https://www.openstreetmap.org/?mlat=1&amp;mlon=2">OpenStreetMap</a></p>'
    )


def _form(words: Words) -> str:
    name, email, message = words.labels
    return (
        f'<form action="/send" method="post"><label>{name} <input name="name"></label><label>{email} <input name="email"></label>'
        f'<label>{message} <textarea name="message"></textarea></label><button>OK</button></form>'
    )


def _business(shop: Shop) -> dict[str, object]:
    street, code, town, country = shop.address
    days = {
        "Mo": "Monday",
        "Tu": "Tuesday",
        "We": "Wednesday",
        "Th": "Thursday",
        "Fr": "Friday",
        "Sa": "Saturday",
        "Su": "Sunday",
    }
    order = list(days)
    hours: list[dict[str, object]] = []
    for written, opens, closes in shop.specification:
        first, _, last = written.partition("-")
        held = order[order.index(first) : order.index(last or first) + 1]
        hours.append(
            {
                "@type": "OpeningHoursSpecification",
                "dayOfWeek": [days[day] for day in held],
                "opens": opens,
                "closes": closes,
            }
        )
    return {
        "@context": "https://schema.org", "@type": shop.kind, "name": shop.name, "telephone": shop.telephone[1],
        "address": {"@type": "PostalAddress", "streetAddress": street, "postalCode": code, "addressLocality": town, "addressCountry": country},
        "openingHoursSpecification": hours,
        "makesOffer": [{"@type": "Offer", "itemOffered": {"@type": "Service", "name": shop.words.service}}],
        **shop.more,
    }  # fmt: skip


def _car_page(shop: Shop, number: int, menu: str) -> Page:
    title, vin = " ".join(shop.car), shop.vin.format(number=number)
    text = shop.car_text.format(vin=vin)
    head = data(json.dumps(_car(shop, vin))) if shop.cars in ("json-ld", "graph") else ""
    if shop.cars == "graph":
        head = data(
            json.dumps(
                {
                    "@context": "https://schema.org",
                    "@graph": [{"@type": "WebPage", "name": title}, _car(shop, vin)],
                }
            )
        )
    inner = f'<h1>{title}</h1><img src="/car.png" alt="{title}">{text}<p>{shop.words.prose}</p>'
    if shop.cars in ("microdata", "rdfa"):
        inner = _inline(shop, vin) + inner
    return _page(shop, title, inner, menu, head)


def _car(shop: Shop, vin: str) -> dict[str, object]:
    year, make, model = shop.car
    return {
        "@context": "https://schema.org", "@type": "Car", "name": " ".join(shop.car), "brand": {"@type": "Brand", "name": make}, "model": model,
        "vehicleModelDate": year, "vehicleIdentificationNumber": vin, "image": "https://HOST/car.png", "itemCondition": "https://schema.org/UsedCondition",
        "mileageFromOdometer": {"@type": "QuantitativeValue", "value": 45210, "unitCode": "SMI" if shop.currency in ("USD", "GBP") else "KMT"},
        "offers": {"@type": "Offer", "price": 18400, "priceCurrency": shop.currency, "availability": "https://schema.org/InStock"},
    }  # fmt: skip


def _inline(shop: Shop, vin: str) -> str:
    """The same facts as attributes: microdata, or RDFa Lite."""
    year, make, model = shop.car
    is_microdata = shop.cars == "microdata"
    item = (
        'itemscope itemtype="https://schema.org/{}"'
        if is_microdata
        else 'vocab="https://schema.org/" typeof="{}"'
    )
    said = "itemprop" if is_microdata else "property"
    metas = (
        ("name", " ".join(shop.car)),
        ("brand", make),
        ("model", model),
        ("vehicleModelDate", year),
        ("vehicleIdentificationNumber", vin),
    )
    offer = (
        ("price", "18400"),
        ("priceCurrency", shop.currency),
        ("availability", "https://schema.org/InStock"),
    )
    inner = "".join(f'<meta {said}="{name}" content="{value}">' for name, value in metas)
    offered = "".join(f'<meta {said}="{name}" content="{value}">' for name, value in offer)
    return (
        f'<div {item.format("Car")}>{inner}<div {said}="offers" {item.format("Offer")}>{offered}</div></div>'
    )
