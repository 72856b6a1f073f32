"""What an address says of its page: one vehicle, one service, or neither."""

# ruff: noqa: E501  # lists of words are easier to compare in few lines
import re
from urllib.parse import parse_qsl, unquote, urlsplit

from readiness.reading import vocabulary
from readiness.survey.link_roles import (
    spaced,
)

NEEDED = 3
VIN = re.compile(r"(?<![a-z0-9])(?=[a-z0-9]{0,16}\d)(?=[a-z0-9]{0,16}[a-z])[a-hj-npr-z0-9]{17}(?![a-z0-9])")
ID_PARAMETERS = frozenset(
    ("id", "vehicle", "vehicleid", "vehicle_id", "vid", "vin", "stock", "stockno", "stock_number", "car", "carid",
     "car_id", "listing", "listingid", "item", "fahrzeug", "fahrzeugid", "fid")
)  # fmt: skip
VEHICLE_FOLDERS = frozenset(
    ("inventory", "vehicle", "vehicles", "vehicle-details", "vehicledetails", "vehicle-detail", "vdp", "stock", "listing",
     "listings", "details", "detail", "used", "used-cars", "used-car", "used-vehicles", "used-vehicle", "used-inventory",
     "new", "new-cars", "new-car", "new-vehicles", "new-vehicle", "new-inventory", "pre-owned", "preowned", "cars", "car",
     "auto", "autos", "cars-for-sale", "car-for-sale", "for-sale", "trucks", "motorcycles", "fahrzeug", "fahrzeuge",
     "fahrzeugdetails", "fahrzeugbestand", "gebrauchtwagen", "neuwagen", "angebot", "angebote", "vehicule", "vehicules",
     "occasion", "occasions", "voiture", "voitures", "coche", "coches", "vehiculo", "vehiculos", "veicolo", "veicoli",
     "usato", "voorraad", "samochod", "samochody", "oferta", "oferty", "veiculo", "veiculos", "carro", "carros",
     "seminovos")
)  # fmt: skip
SERVICE_FOLDERS = frozenset(
    ("service", "services", "repair", "repairs", "leistungen", "werkstatt", "prestation", "prestations", "servicio",
     "servicios", "servizi", "diensten", "uslugi", "servico", "servicos", "packages", "car-repairs", "auto-repair")
)  # fmt: skip
OTHER_FOLDERS = frozenset(
    ("blog", "news", "press", "review", "reviews", "research", "compare", "comparison", "article", "articles", "jobs",
     "careers", "team", "staff", "tag", "category", "author", "events", "parts", "magazin", "aktuelles")
)  # fmt: skip


def vehicle_points(url: str, text: str = "") -> int:
    """Return how much speaks for a URL leading to one vehicle; from `NEEDED` points on it is a candidate.

    A VIN counts 5, a year with a make 4 (in the address or in the link's text), a folder or parameter of inventories
    together with an identifier 3.
    """
    parts = urlsplit(url)
    folders = [folder for folder in unquote(parts.path).lower().split("/") if folder]
    parameters = {name.lower(): value for name, value in parse_qsl(parts.query)[:20]}
    if OTHER_FOLDERS.intersection(folders) or (folders and SERVICE_FOLDERS.intersection(folders[:-1])):
        return 0
    written = unquote(f"{parts.path} {parts.query}")[:500].lower()
    words = re.sub(r"[/_+.=&-]", " ", written)
    points = 5 if VIN.search(words) else 0
    last = folders[-1] if folders else ""
    named = vocabulary.YEAR.search(written) and vocabulary.MAKES.search(words)
    linked = vocabulary.YEAR.search(text) and vocabulary.MAKES.search(text) and last not in VEHICLE_FOLDERS
    points += 4 if named or linked else 0
    identified = bool(re.search(r"\d{3}", last)) or bool(ID_PARAMETERS.intersection(parameters))
    in_folder = bool(VEHICLE_FOLDERS.intersection(folders)) or "vehicle" in last or "fahrzeug" in last
    in_folder = in_folder or any(vocabulary.INVENTORY.search(spaced(folder[:100])) for folder in folders[:-1])
    return points + (3 if identified and in_folder else 0)


def is_service_url(url: str) -> bool:
    """Whether a URL lies in a folder of services."""
    folders = [folder for folder in urlsplit(url).path.lower().split("/") if folder]
    return len(folders) > 1 and bool(SERVICE_FOLDERS.intersection(folders[:-1])) and len(folders[-1]) >= 3
