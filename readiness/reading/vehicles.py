"""What a page says about the vehicle it offers: identity, VIN, price, mileage, condition."""

import re
from dataclasses import dataclass
from typing import Any, cast
from urllib.parse import urlsplit

from analytics.text.prices import number
from readiness.fetching import urls
from readiness.reading import vocabulary
from readiness.reading.page import HtmlPage, Node
from readiness.reading.prices import amounts
from readiness.reading.structured_data import texts, values
from readiness.reading.vehicle_text import driven, own_offer, stated_condition

VEHICLE_TYPES = frozenset(("Car", "Vehicle", "Motorcycle", "MotorizedBicycle", "BusOrCoach", "Product"))
CERTAIN_TYPES = VEHICLE_TYPES - {"Product"}
VIN = re.compile(r"(?<![A-Za-z0-9])[A-HJ-NPR-Z0-9]{17}(?![A-Za-z0-9])")
DRIVEN = 1_000
"""Miles or kilometers from which on a car is no new one, whatever its text says of new cars."""
CART = re.compile(
    r"/(?:cart|basket|warenkorb|panier|carrito|cesta|carrello|winkelwagen|winkelmand|koszyk|carrinho)\b", re.I
)
QUANTITIES = frozenset(
    ("quantity", "qty", "menge", "anzahl", "quantite", "cantidad", "quantita", "aantal", "ilosc")
)
TRANSLITERATION = dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ0123456789", map(int, "12345678123457923456789" + "0123456789"), strict=True)
)
WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)


def check_digit_holds(vin: str) -> bool:
    """Whether position 9 of a 17-character VIN is its check digit (49 CFR 565.15, SAE J853)."""
    remainder = sum(TRANSLITERATION[c] * weight for c, weight in zip(vin, WEIGHTS, strict=True)) % 11
    return vin[8] == ("X" if remainder == 10 else str(remainder))


def is_north_american(vin: str) -> bool:
    """Whether the maker is one of North America, where the check digit is compulsory."""
    return vin[0] in "12345"


@dataclass(frozen=True, slots=True)
class Vehicle:
    """One offered vehicle; `node` is the structured data it came from, if any."""

    node: Node | None
    title: str
    year: str
    make: str
    model: str
    vin: str
    vin_pointer: str
    offer: dict[str, Any]


def vehicle(page: HtmlPage) -> Vehicle:
    """What a detail page says of its vehicle: structured data first, then title and headings."""
    node = next(iter(page.nodes_of(CERTAIN_TYPES)), None) or next(iter(page.nodes_of(VEHICLE_TYPES)), None)
    data = node.properties if node else {}
    title = " ".join((page.heading("h1"), page.title))
    year, make = vocabulary.YEAR.search(title), vocabulary.MAKES.search(title)
    marked_vin = first(data, "vehicleIdentificationNumber") or first(data, "vin")
    visible_vin = VIN.search(page.text)
    offers = [cast(dict[str, Any], value) for value in values(data, "offers") if isinstance(value, dict)]
    return Vehicle(
        node=node,
        title=page.heading("h1") or page.title,
        year=(first(data, "vehicleModelDate") or first(data, "modelDate") or first(data, "productionDate"))[
            :4
        ]
        or (year[0] if year else ""),
        make=first(data, "brand") or first(data, "manufacturer") or (make[0] if make else ""),
        model=first(data, "model") or (title[make.end() :].strip().split(" ")[0] if make else ""),
        vin=marked_vin.upper() or (visible_vin[0] if visible_vin and _has_both(visible_vin[0]) else ""),
        vin_pointer=f"{node.pointer}/vehicleIdentificationNumber" if node and marked_vin else "",
        offer=offers[0] if offers else {},
    )


def main_image(page: HtmlPage, url: str) -> str:
    """Absolute URL of the picture of a vehicle page: the marked-up one, else the first that is no logo."""
    node = vehicle(page).node
    marked = (first(node.properties, "image", "url") or first(node.properties, "image")) if node else ""
    return (urls.resolve(url, marked) if marked else None) or next(
        (image.src for image in page.images if not image.is_furniture), ""
    )


def _has_both(vin: str) -> bool:
    return any(c.isdigit() for c in vin) and any(c.isalpha() for c in vin)


def first(data: dict[str, Any], *path: str) -> str:
    """The first text at a path of properties, or an empty string."""
    return next(iter(texts(data, *path)), "")


def is_vehicle_page(page: HtmlPage) -> bool:
    """Whether a page offers one vehicle: marked up as such, with a VIN and a year or make, or named and priced.

    Where its title has no year, as in much of Europe, or an unknown make, as many campers have, price and
    mileage are both needed beside the other one.
    """
    offered = vehicle(page)
    marked = offered.node is not None and bool(CERTAIN_TYPES.intersection(offered.node.types))
    if not marked and not offered.vin and _sells_by_the_piece(page):
        return False
    return (
        marked
        or bool(offered.vin and (offered.year or offered.make))
        or bool(offered.year and offered.make and (offered.offer or _is_priced(page)))
        or bool(offered.year and _has_price_and_mileage(page))
        or bool(
            vocabulary.MAKES.search(page.heading("h1")) and offered.model and _has_price_and_mileage(page)
        )
    )


def _sells_by_the_piece(page: HtmlPage) -> bool:
    """Whether a page has a quantity or a cart: pads for a Honda of 2019 are no Honda of 2019."""
    return any(
        CART.search(urlsplit(form.action).path)
        or any(control.field in QUANTITIES for control in form.controls)
        for form in page.forms
    )


def _has_price_and_mileage(page: HtmlPage) -> bool:
    text = own_offer(page)
    return bool(amounts(text) and driven(text))


def _is_priced(page: HtmlPage) -> bool:
    text = own_offer(page)
    return bool(amounts(text) or driven(text))


def says_something(page: HtmlPage) -> bool:
    """Whether a page says anything that belongs to a vehicle: markup, VIN, year and make, price or mileage."""
    offered = vehicle(page)
    return bool(offered.node or offered.vin or (offered.year and offered.make)) or _is_priced(page)


def is_used(page: HtmlPage, offered: Vehicle) -> bool | None:
    """Used, new, or None when the page does not say; structured data speaks first."""
    stated = (
        first(offered.offer, "itemCondition")
        or first(offered.node.properties if offered.node else {}, "itemCondition")
    ).lower()
    if stated:
        return "new" not in stated
    title, text = f"{page.heading('h1')} | {page.title}", own_offer(page)
    figures = re.search(r"\d[\d.,\u202f ]*", driven(text))
    was_driven = figures is not None and (number(figures[0].strip(" .,")) or 0) >= DRIVEN
    stated = stated_condition(title, text)
    return None if stated is False and was_driven and stated_condition(title, "") is None else stated
