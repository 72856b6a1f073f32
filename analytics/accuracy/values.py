"""Finds checkable values in a text: phone numbers, addresses, prices, years, opening hours, figures."""

# ruff: noqa: E501  # patterns are easier to compare whole
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeAlias

from analytics.text.folding import fold
from analytics.text.opening_hours import Opening, openings
from analytics.text.phones import phones
from analytics.text.prices import number, prices
from analytics.text.suffixes import registrable_domain

Kind: TypeAlias = Literal[
    "phone", "email", "site", "address", "city", "hours", "founded", "price", "figure", "named"
]
LONGEST_TEXT = 100_000
"""Characters of a text that are searched for values; an answer has a few thousand."""

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}+@(?:[\w-]{1,63}\.){1,8}[\w-]{2,63}")
_SITE = re.compile(
    r"\b(?:web ?site|homepage|web ?seite|site(?: web)?|web|sito|sitio|strona|visit|visitez|visita|besuchen sie|online (?:at|unter))\b"
    r"[^.\n@]{0,20}?(?P<url>(?:https?://)?(?:[\w-]{1,63}\.){1,5}[a-z]{2,24})(?!@)",
    re.IGNORECASE,
)
_FOUNDED_WORDS = "founded|established|est\\.|set up|in business since|gegründet|gründung|fondée?s?|créée?|fundad[ao]|fondat[ao]|opgericht|założon[aoy]"
_FOUNDED = re.compile(
    rf"\b(?:(?P<firm>{_FOUNDED_WORDS})|since|opened|started|seit|depuis|desde)\b"
    r"[^.;\d\n]{0,40}?\b(?P<year>(?:1[6-9]|20)\d\d)\b(?![-/%]?\d| ?%)"
    r"|\b(?P<firm_year>(?:1[6-9]|20)\d\d)(?: [^\W\d]{2,20}){0,3} (?:gegründet|opgericht)\b",
    re.IGNORECASE,
)
_STREETS = (
    "street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|way|court|ct|highway|hwy|parkway|pkwy|place|pl"
    "|square|sq"
)
_ADDRESS = re.compile(
    rf"\b\d{{1,5}} (?:[A-Z][\w.'’-]{{0,40}} ){{1,4}}(?i:{_STREETS})\b"
    r"|\b[A-ZÄÖÜ][\w.-]{0,40}(?:straße|strasse|str\.|weg|platz|allee|gasse|straat|laan|plein) \d{1,4}\s?[a-z]?\b"
    r"|\b\d{1,4}(?: bis| ter)?,? (?:rue|avenue|boulevard|place|chemin|allée|quai|cours)(?: (?:de|du|des|la|le|les)| d['’]| l['’])* ?"
    r"[A-ZÉ][\w'’-]{1,40}(?: [A-ZÉ][\w'’-]{1,40}){0,2}"
    r"|\b(?:Calle|Avenida|Plaza|Paseo|Via|Viale|Piazza|Corso|Rua|ul\.)(?: (?:de|del|la|las|los|di|da|do|dos))* "
    r"[A-ZŁŚŻ][\w'’-]{1,40}(?: [A-ZŁŚŻ][\w'’-]{1,40}){0,2},? \d{1,4}\b"
)
_PLACE = re.compile(
    r"\bin (?P<city>[A-ZÄÖÜ][\w'’.-]{0,40}\w(?: [A-ZÄÖÜ][\w'’-]{1,40}){0,2})(?P<region>, [A-ZÄÖÜ][\w. -]{0,60}\w)?"
)
_LOCATED = re.compile(r"\b(?:located|based|headquartered|situated)\s{1,3}\Z", re.IGNORECASE)
_LOOK_BEHIND = 20
_FIGURE = re.compile(
    r"(?<![\w.,$€£])(?P<number>\d{1,3}(?:,\d{3}){1,5}|\d{1,15}(?:\.\d{1,9})?)[ -]?(?P<unit>[a-z]{2,40}|%)",
    re.IGNORECASE,
)
_EXPANDED = {
    "st": "street", "ave": "avenue", "rd": "road", "blvd": "boulevard", "ln": "lane", "dr": "drive", "ct": "court",
    "hwy": "highway", "pkwy": "parkway", "pl": "place", "sq": "square", "str": "strasse",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Value:
    """One value at `[start, end)`, in a form that compares; a `firm` one contradicts what differs from it.

    `value` is by kind: digits of a phone number, folded text, a year, (amount, currency), (number, unit), Opening.
    """

    kind: Kind
    value: str | int | tuple[Decimal, str] | Opening
    start: int
    end: int
    firm: bool = True


def values(text: str) -> Iterator[Value]:
    """Yield every value of a text that its form identifies, in its first 100,000 characters."""
    text = text[:LONGEST_TEXT]
    for phone in phones(text):
        yield Value("phone", phone.digits, phone.start, phone.end)
    for match in _EMAIL.finditer(text):
        yield Value("email", match[0].casefold(), *match.span())
    for match in _SITE.finditer(text):
        domain = site(match["url"])
        if domain is not None and "@" not in match[0]:
            yield Value("site", domain, *match.span("url"))
    for match in _FOUNDED.finditer(text):
        year = "firm_year" if match["firm_year"] else "year"
        firm = bool(match["firm"] or match["firm_year"])
        yield Value("founded", int(match[year]), match.start(), match.end(year), firm=firm)
    for match in _ADDRESS.finditer(text):
        yield Value("address", address(match[0]), *match.span())
    yield from places(text)
    yield from costs(text)
    for opening in openings(text):
        yield Value("hours", opening, opening.start, opening.end)


def costs(text: str) -> Iterator[Value]:
    """Yield prices as (amount, currency)."""
    for price in prices(text):
        yield Value("price", (price.amount.normalize(), price.currency), price.start, price.end)


def places(text: str) -> Iterator[Value]:
    """Yield names of places after `in`; only a located one with its region surely is a city."""
    for match in _PLACE.finditer(text):
        located = _LOCATED.search(text, max(0, match.start() - _LOOK_BEHIND), match.start()) is not None
        yield Value(
            "city", folded(match["city"]), *match.span("city"), firm=located and bool(match["region"])
        )


def figures(text: str) -> Iterator[Value]:
    """Yield numbers with the word they count, in the singular: 36 months, 12 locations, 20 %."""
    for match in _FIGURE.finditer(text):
        amount = number(match["number"])
        unit = match["unit"].casefold()
        if amount is not None:
            yield Value("figure", (amount.normalize(), unit.removesuffix("s") or unit), *match.span())


def site(url: str) -> str | None:
    """Return the registrable domain of an address, None where there is none."""
    host = re.sub(r"^[a-z]+://", "", url.strip().casefold()).split("/", 1)[0].split(":", 1)[0]
    return registrable_domain(host.removeprefix("www.").rstrip("."))


def is_address(text: str) -> bool:
    """Return whether a text holds a street address."""
    return _ADDRESS.search(text) is not None


def address(text: str) -> str:
    """Return a street address without its abbreviations."""
    return " ".join(_EXPANDED.get(word.strip(".,"), word.strip(".,")) for word in folded(text).split())


def folded(text: str) -> str:
    """Return the form in which words are compared."""
    return fold(text).text.strip()
