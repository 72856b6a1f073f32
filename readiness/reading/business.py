"""What pages say about the business behind them: its types and its country."""

# ruff: noqa: E501  # patterns of addresses are easier to compare whole
import re
from collections.abc import Iterable

BUSINESS_TYPES = frozenset(
    (
        "AutoDealer", "AutoRepair", "AutoBodyShop", "TireShop", "AutoWash", "AutoRental", "AutoPartsStore",
        "MotorcycleDealer", "MotorcycleRepair", "GasStation", "AutomotiveBusiness",
    )
)  # fmt: skip
GENERAL_TYPES = frozenset(("LocalBusiness", "Store", "Organization", "Corporation"))
COUNTRY_NAMES = {
    "usa": "US",
    "united states": "US",
    "germany": "DE",
    "deutschland": "DE",
    "united kingdom": "GB",
    "uk": "GB",
}
LANGUAGE_COUNTRY = {
    "de": "DE",
    "fr": "FR",
    "es": "ES",
    "it": "IT",
    "nl": "NL",
    "pl": "PL",
    "pt": "PT",
    "en": "US",
}
SUFFIX_COUNTRY = {"de": "DE", "at": "AT", "ch": "CH", "fr": "FR", "es": "ES", "it": "IT", "nl": "NL", "pl": "PL",
                  "pt": "PT", "br": "BR", "uk": "GB", "ca": "CA", "be": "BE", "ie": "IE", "au": "AU"}  # fmt: skip


CODES = {
    "en": (
        ("GB", re.compile(r"(?<!\w)[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?!\w)|£")),
        ("CA", re.compile(r"(?<!\w)[A-Z]\d[A-Z] ?\d[A-Z]\d(?!\w)")),
        ("IE", re.compile(r"(?<!\w)(?:[AC-FHKNPRTV-Y]\d[\dW]) [0-9AC-FHKNPRTV-Y]{4}(?!\w)|(?<!\w)Co\. (?:Dublin|Cork|Galway|Kildare)")),
        ("AU", re.compile(r"(?<!\w)(?:NSW|VIC|QLD|TAS|ACT) \d{4}(?!\d)")),
    ),
    "de": (("CH", re.compile(r"(?<!\w)(?:CH-\d{4}|CHF)(?!\w)")), ("AT", re.compile(r"(?<!\w)A-\d{4}(?!\d)"))),
    "fr": (("CH", re.compile(r"(?<!\w)(?:CH-\d{4}|CHF)(?!\w)")), ("BE", re.compile(r"(?<!\w)(?:B-\d{4}|TVA:? BE)(?!\w)"))),
    "nl": (("BE", re.compile(r"(?<!\w)(?:B-\d{4}|BTW:? ?(?:nr\.? )?BE)(?!\w)")),),
    "pt": (("BR", re.compile(r"(?<!\w)(?:CEP|\d{5}-\d{3}|CNPJ)(?!\w)|R\$")),),
}  # fmt: skip
"""What distinguishes, by language, a country from the largest one that speaks it: postal codes, currencies, tax numbers."""


def countries_of_codes(lang: str, text: str) -> list[str]:
    """Return the country whose codes occur most often in a text, of those that speak a language; empty without any."""
    counts = {region: len(code.findall(text)) for region, code in CODES.get(lang[:2].lower(), ())}
    best = max(counts, key=lambda region: counts[region], default="")
    return [best] if counts.get(best) else []


def country(host: str, lang: str, addresses: Iterable[str]) -> str:
    """ISO country a site's local numbers belong to: stated address, then domain, then language."""
    for stated in addresses:
        code = COUNTRY_NAMES.get(stated.lower(), stated.upper())
        if len(code) == 2:
            return code
    suffix = host.rpartition(".")[2]
    region = lang.partition("-")[2].upper()
    return (
        SUFFIX_COUNTRY.get(suffix)
        or (region if len(region) == 2 else "")
        or LANGUAGE_COUNTRY.get(lang[:2].lower(), "US")
    )
