"""What pages say about the business behind them: its types, its country, its telephone."""

# ruff: noqa: E501  # patterns of addresses are easier to compare whole
import re
from collections.abc import Iterable, Iterator

import phonenumbers

BUSINESS_TYPES = frozenset(
    (
        "AutoDealer",
        "AutoRepair",
        "AutoBodyShop",
        "TireShop",
        "AutoWash",
        "AutoRental",
        "AutoPartsStore",
        "MotorcycleDealer",
        "MotorcycleRepair",
        "GasStation",
        "AutomotiveBusiness",
    )
)
GENERAL_TYPES = frozenset(("LocalBusiness", "Store", "Organization", "Corporation"))
PHONE_TEXT = re.compile(r"(?<![\w.,$€£#])\+?\(?\d[\d ()./\u2010-\u2015-]{6,18}\d(?![\w€$£%])")
DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d[-./](?:0?[1-9]|1[0-2])[-./](?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])[-./ ]{1,2}(?:0?[1-9]|[12]\d|3[01])[-./ ]{1,2}(?:19|20)\d\d"
    r"|(?:19|20)\d\d ?[-\u2010-\u2015/] ?(?:19|20)\d\d)(?!\d)"
)
MOST_TRIES = 1_000
DIALS_ZERO = frozenset(("DE", "AT", "CH", "FR", "NL", "BE", "GB", "IE", "AU"))
GROUPED = re.compile(r"\d[ ().-]{1,3}\d")
PHONE_LABEL = re.compile(
    r"(?<!\w)(?:tel(?:efon|ephone|éfono|efono|efoon|\.)?|phone|call(?: us)?(?: at| on)?|fon|mobile?|mobil|handy|hotline|rufnummer|whats?app|text|fax|ruf|t[ée]l(?:[ée]phone)?|m[óo]vil|cellulare|bel|zadzwo[ńn])\W{0,4}$",
    re.I,
)
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
"""What tells, by language, a country from the largest one that speaks it: postal codes, currencies, tax numbers."""


def countries_of_codes(lang: str, text: str) -> list[str]:
    """Return the country whose codes stand in a text most often, of those that speak a language; empty without any."""
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


def e164(text: str, region: str) -> str:
    """A telephone number in E.164, or an empty string when it is not a possible one."""
    try:
        parsed = phonenumbers.parse(text, region)
    except phonenumbers.NumberParseException:
        return ""
    return (
        phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164)
        if phonenumbers.is_possible_number(parsed)
        else ""
    )


def visible_phones(text: str, region: str) -> tuple[tuple[str, str], ...]:
    """Every telephone number in a text as (as written, E.164).

    A number that its plan does not assign counts only behind a word such as `Tel.`; a date never does.
    """
    numbers: list[tuple[str, str]] = []
    tries = MOST_TRIES
    for match in PHONE_TEXT.finditer(text):
        labelled = bool(PHONE_LABEL.search(text[max(0, match.start() - 20) : match.start()]))
        for part in _parts(match[0]):
            number = e164(part, region) if tries > 0 and not DATE.search(part) else ""
            tries -= 1
            if number and (labelled or (_is_dialled(part, region) and _is_assigned(number))):
                numbers.append((part, number))
                break
    return tuple(numbers)


def _is_dialled(written: str, region: str) -> bool:
    """Whether figures are written as a number to dial: with the 0 where a plan has one, else in groups.

    Stock numbers, mileages and dates without separators are valid numbers by chance.
    """
    if written.lstrip("(").startswith(("+", "0")):
        return True
    return region not in DIALS_ZERO and bool(GROUPED.search(written))


def _is_assigned(number: str) -> bool:
    return phonenumbers.is_valid_number(phonenumbers.parse(number))


def _parts(written: str) -> Iterator[str]:
    """Yield what might be the number in figures that stand side by side, whole first: a postal code may precede it."""
    yield written
    words = written.split(" ")
    for start in range(1, len(words)):
        yield " ".join(words[start:])
    for end in range(len(words) - 1, 0, -1):
        yield " ".join(words[:end])
