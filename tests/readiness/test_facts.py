# World and Sites are typed in conftest.py, which a test module cannot import.
"""What pages say in their own words, each on a site of its own: neither overlooked nor read into them."""

from collections.abc import Callable

import pytest

from readiness.report.document import Report
from tests.readiness.conftest import Pages, Sites, World

pytestmark = pytest.mark.asyncio(loop_scope="session")
HOST = "facts.example.com"
Statuses = Callable[[Report], dict[str, str]]
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
    # gone or not
    "offer of help": ("<p>If the vehicle is no longer available we will help.</p>", REACHABLE, "pass"),
    "German offer of help": ("<p>Sollte das Fahrzeug nicht mehr verfügbar sein, helfen wir.</p>", REACHABLE, "pass"),
    "best seller": ("<p>El más vendido de su clase.</p>", REACHABLE, "pass"),
    "sold": ("<p>Sorry, this vehicle has been sold.</p>", REACHABLE, "fail"),
    "sold in German": ("<p>Dieses Fahrzeug ist leider verkauft.</p>", REACHABLE, "fail"),
    "gone": ("<p>This car is no longer available.</p>", REACHABLE, "fail"),
    "sold neighbour": ("<p>In stock.</p><h2>Similar vehicles</h2><p>This car is no longer available.</p>", REACHABLE, "pass"),
}  # fmt: skip


@pytest.mark.parametrize("name", VEHICLE_TEXTS)
async def test_text_of_a_vehicle_page_is_read_as_a_buyer_reads_it(
    world: World, sites: Sites, statuses_of: Statuses, name: str
) -> None:
    text, check, status = VEHICLE_TEXTS[name]
    statuses = statuses_of(await world.scan(HOST, with_vehicle_text(sites, text)))
    assert statuses[check] == status
