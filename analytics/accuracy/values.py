"""Finds checkable values in a text: phone numbers, addresses, prices, years, opening hours, figures."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Literal, TypeAlias

from analytics.accuracy.opening_hours import CUES, DAY_CUES, Opening, openings
from analytics.text.folding import fold, without_case
from analytics.text.suffixes import registrable_domain

Kind: TypeAlias = Literal[
    "phone", "email", "site", "address", "city", "hours", "founded", "price", "figure", "named"
]
PHONE_DIGITS = 9
"""Phone numbers are compared by so many of their last digits; what stands before is written in many ways."""
LONGEST_TEXT = 100_000
"""Characters of a text that are searched for values; an answer has a few thousand."""
FEWEST_PHONE_DIGITS, MOST_PHONE_DIGITS = 7, 15

_PHONE = re.compile(r"(?<![\w.,/-])\+?\(?\d[\d ()./\u00a0\u2011-]{5,20}\d(?![\w/])")
_YEARS = re.compile(r"\d{4}\s{0,3}[-/\u2011]\s{0,3}\d{2,4}(?:[-/]\d{1,2})?")
_GROUPED = re.compile(r"\d{1,3}(?:[., ]\d{3}){1,6}")
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}+@(?:[\w-]{1,63}\.){1,8}[\w-]{2,63}")
_SITE = re.compile(
    r"\b(?:web ?site|homepage|site|visit|online at)\b[^.\n]{0,20}?(?P<url>(?:https?://)?(?:[\w-]{1,63}\.){1,5}[a-z]{2,24})",
    re.IGNORECASE,
)
_FOUNDED = re.compile(
    r"\b(?:(?P<firm>founded|established|est\.|set up|in business since)|since|opened|started)\b"
    r"[^.;\d\n]{0,40}?\b(?P<year>(?:1[6-9]|20)\d\d)\b(?![-/%]?\d| ?%)",
    re.IGNORECASE,
)
_STREETS = (
    "street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|way|court|ct|highway|hwy|parkway|pkwy|place|pl"
    "|square|sq"
)
_ADDRESS = re.compile(
    rf"\b\d{{1,5}} (?:[A-Z][\w.'’-]{{0,40}} ){{1,4}}(?i:{_STREETS})\b"
    r"|\b[A-ZÄÖÜ][\w.-]{0,40}(?:straße|strasse|str\.|weg|platz|allee|gasse) \d{1,4}\s?[a-z]?\b"
)
_PLACE = re.compile(
    r"\bin (?P<city>[A-ZÄÖÜ][\w'’.-]{0,40}\w(?: [A-ZÄÖÜ][\w'’-]{1,40}){0,2})(?P<region>, [A-ZÄÖÜ][\w. -]{0,60}\w)?"
)
_LOCATED = re.compile(r"\b(?:located|based|headquartered|situated)\s{1,3}\Z", re.IGNORECASE)
_LOOK_BEHIND = 20
_SIGNS = {"$": "USD", "us$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR"}
_CODES = "usd|eur|gbp|chf|cad|aud|jpy|cny|inr|pln|sek|nok|dkk|aed|brl|mxn|dollars?|euros?|pounds?"
_WORDS = {"dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "pound": "GBP", "pounds": "GBP"}
_AMOUNT = r"(?<!\d)(?:\d{1,3}(?:[., ]\d{3}){0,5}(?:[.,]\d{1,2})?(?!\d)|\d{1,15}(?:[.,]\d{1,2})?)"
_PRICE = re.compile(
    rf"(?P<sign>US\$|[$€£¥₹])\s?(?P<after>{_AMOUNT})"
    rf"|(?P<before>{_AMOUNT})\s?(?P<code>[$€£¥₹]|(?:{_CODES})\b)",
    re.IGNORECASE,
)
_FIGURE = re.compile(
    r"(?<![\w.,$€£])(?P<number>\d{1,3}(?:,\d{3}){1,5}|\d{1,15}(?:\.\d{1,9})?)[ -]?(?P<unit>[a-z]{2,40}|%)",
    re.IGNORECASE,
)
# Without one of these a text holds no value of a kind; in lower case, but the ends of streets, whose case counts.
_SITE_CUES = ("site", "homepage", "visit", "online at")
_FOUNDED_CUES = ("founded", "established", "est.", "set up", "since", "opened", "started")
_PRICE_CUES = ("$", "€", "£", "¥", "₹", *_CODES.replace("s?", "").split("|"))
_STREET_ENDS = ("straße", "strasse", "str.", "weg", "platz", "allee", "gasse")
_HOUSE_BEFORE = re.compile(r"\d [A-Z]")
"""Begins an address that does not end with its number."""
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
    """Yield every value of a text that can be told by its form, in its first 100,000 characters."""
    text = text[:LONGEST_TEXT]
    uncased = without_case(text)
    yield from phones(text)
    if "@" in text:
        for match in _EMAIL.finditer(text):
            yield Value("email", match[0].casefold(), *match.span())
    if holds_any(uncased, _SITE_CUES):
        for match in _SITE.finditer(text):
            domain = site(match["url"])
            if domain is not None and "@" not in match[0]:
                yield Value("site", domain, *match.span("url"))
    if holds_any(uncased, _FOUNDED_CUES):
        for match in _FOUNDED.finditer(text):
            firm = match["firm"] is not None
            yield Value("founded", int(match["year"]), match.start(), match.end("year"), firm=firm)
    if holds_any(text, _STREET_ENDS) or _HOUSE_BEFORE.search(text):
        for match in _ADDRESS.finditer(text):
            yield Value("address", address(match[0]), *match.span())
    yield from places(text)
    if holds_any(uncased, _PRICE_CUES):
        yield from prices(text)
    if holds_any(uncased, CUES) and holds_any(uncased, DAY_CUES):
        for start, end, opening in openings(text):
            yield Value("hours", opening, start, end)


def holds_any(text: str, parts: Iterable[str]) -> bool:
    """Tell whether one of these parts stands in a text: several of them are found faster than one expression is."""
    return any(part in text for part in parts)


def phones(text: str) -> Iterator[Value]:
    """Yield phone numbers: 7 to 15 digits in groups; dates, ranges of years and plain numbers are none."""
    for match in _PHONE.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if not FEWEST_PHONE_DIGITS <= len(digits) <= MOST_PHONE_DIGITS:
            continue
        if _YEARS.fullmatch(match[0]) or _GROUPED.fullmatch(match[0]):
            continue
        if len(re.findall(r"\d+", match[0])) > 1 or match[0].startswith("+"):
            yield Value("phone", digits, *match.span())


def same_phone(number: str, other_number: str) -> bool:
    """Tell whether two numbers end alike; a shorter one, without its area, may be the end of the other."""
    length = min(PHONE_DIGITS, len(number), len(other_number))
    return number[-length:] == other_number[-length:]


def places(text: str) -> Iterator[Value]:
    """Yield names of places after `in`; only a located one with its region surely is a city."""
    for match in _PLACE.finditer(text):
        located = _LOCATED.search(text, max(0, match.start() - _LOOK_BEHIND), match.start()) is not None
        yield Value(
            "city", folded(match["city"]), *match.span("city"), firm=located and bool(match["region"])
        )


def prices(text: str) -> Iterator[Value]:
    """Yield amounts with a currency."""
    for match in _PRICE.finditer(text):
        amount = number(match["after"] or match["before"])
        mark = (match["sign"] or match["code"]).casefold()
        if amount is not None:
            yield Value(
                "price", (amount, _SIGNS.get(mark) or _WORDS.get(mark) or mark.upper()), *match.span()
            )


def figures(text: str) -> Iterator[Value]:
    """Yield numbers with the word they count, in the singular: 36 months, 12 locations, 20 %."""
    for match in _FIGURE.finditer(text):
        amount = number(match["number"])
        unit = match["unit"].casefold()
        if amount is not None:
            yield Value("figure", (amount, unit.removesuffix("s") or unit), *match.span())


def number(text: str) -> Decimal | None:
    """Read an amount however its thousands and decimals are parted; a last group of one or two digits is decimal."""
    whole, sign, rest = text, "", ""
    last = max(text.rfind("."), text.rfind(","))
    if last >= 0 and len(text) - last - 1 in (1, 2):
        whole, sign, rest = text[:last], ".", text[last + 1 :]
    try:
        return Decimal(re.sub(r"[., ]", "", whole) + sign + rest).normalize()
    except InvalidOperation:
        return None


def site(url: str) -> str | None:
    """Return the registrable domain of an address, None where there is none."""
    host = re.sub(r"^[a-z]+://", "", url.strip().casefold()).split("/", 1)[0].split(":", 1)[0]
    return registrable_domain(host.removeprefix("www.").rstrip("."))


def address(text: str) -> str:
    """Return a street address without its abbreviations."""
    return " ".join(_EXPANDED.get(word.strip(".,"), word.strip(".,")) for word in folded(text).split())


def folded(text: str) -> str:
    """Return the form in which words are compared."""
    return fold(text).text.strip()
