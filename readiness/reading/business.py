"""What pages say about the business behind them: telephone, address, opening hours."""

# ruff: noqa: E501  # patterns of addresses are easier to compare whole
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

import phonenumbers

from readiness.reading import vocabulary
from readiness.reading.structured_data import texts, values

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
PHONE_TEXT = re.compile(r"(?<![\w.])\+?\(?\d[\d ()./\u2010-\u2015-]{6,18}\d(?!\w)")
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
STREET = re.compile(
    r"\b\d{1,6}[a-z]? (?:[A-Z0-9][\w.'-]{0,30} ){1,5}(?:st(?:reet)?|ave(?:nue)?|r(?:oa)?d|blvd|boulevard|dr(?:ive)?|ln|lane|way|hwy|highway|pkwy|parkway|ct|court|pl(?:ace)?)\b"
    r"|\b[A-ZÄÖÜ][\w.ß-]{0,40}(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse) \d{1,4}\b"
    r"|\b\d{1,4},? (?:rue|avenue|boulevard|route) \w{1,40}|\b(?:calle|avenida|via|viale|rua|ul\.|ulica) [\w .]{2,40} \d{1,4}\b",
    re.I,
)
POSTCODE = re.compile(
    r"\b(?:[A-Z]{2} \d{5}(?:-\d{4})?(?!\d)|\d{5} [A-ZÄÖÜ]\w|\d{4} ?[A-Z]{2} [A-Z]\w|\d{2}-\d{3} \w|\d{4}-\d{3} \w"
    r"|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b)"
)
TIME = r"(\d{1,2})(?:[:.h](\d{2}))?\s{0,2}(a\.?m\.?|p\.?m\.?|uhr|h)?"
SPAN = re.compile(rf"{TIME}\s{{0,2}}(?:-|–|—|to|bis|à|a|tot|do|às)\s{{0,2}}{TIME}", re.I)
CLOSED = re.compile(r"closed|geschlossen|ferm[ée]|cerrado|chiuso|gesloten|zamkni[ęe]te|fechado", re.I)
DAY_NAMES = {name: index for index, names in enumerate(vocabulary.DAYS) for name in names}
DAY = "|".join(sorted((re.escape(name) for name in DAY_NAMES), key=len, reverse=True))
DAY_LINE = re.compile(
    rf"(?<!\w)({DAY})\.?(?!\w)(?:\s{{0,2}}(?:-|–|—|to|through|bis|à|a|tot|do)\s{{0,2}}({DAY})\.?(?!\w))?\s{{0,2}}:?\s{{0,2}}",
    re.I,
)
SCHEMA_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


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
    """Every number in a text as (as written, E.164)."""
    numbers = ((match[0], e164(match[0], region)) for match in PHONE_TEXT.finditer(text))
    return tuple((written, number) for written, number in numbers if number)


@dataclass(frozen=True, slots=True)
class Hours:
    """Opening times by day, 0 is Monday, as sets of (open, close) minutes of the day; an empty set is closed."""

    days: Mapping[int, frozenset[tuple[int, int]]]


def visible_hours(text: str) -> Hours:
    """Opening hours of a text such as `Mon - Fri: 9:00 am - 6:00 pm`; the first statement of a day counts."""
    days: dict[int, frozenset[tuple[int, int]]] = {}
    matches = list(DAY_LINE.finditer(text))
    for index, match in enumerate(matches):
        end = matches[index + 1].start() if index + 1 < len(matches) else match.end() + 60
        rest = text[match.end() : min(end, match.end() + 60)]
        closed = CLOSED.match(rest)
        spans = frozenset(span for span_match in SPAN.finditer(rest) if (span := _span(span_match)))
        if not (closed or (spans and SPAN.match(rest))):
            continue
        start = DAY_NAMES[match[1].lower()]
        last = DAY_NAMES[match[2].lower()] if match[2] else start
        for day in range(start, last + 1 if last >= start else last + 8):
            days.setdefault(day % 7, frozenset() if closed else spans)
    return Hours(days)


def _span(match: re.Match[str]) -> tuple[int, int] | None:
    opens = _minutes(match[1], match[2], match[3] or (match[6] if _is_am(match[6]) else None))
    closes = _minutes(match[4], match[5], match[6])
    return (opens, closes) if opens is not None and closes is not None else None


def _is_am(half: str | None) -> bool:
    return bool(half and half.lower().startswith("a"))


def _minutes(hour: str, minute: str | None, half: str | None) -> int | None:
    number, rest = int(hour), int(minute or 0)
    if half and half.lower().startswith("p") and number < 12:
        number += 12
    if _is_am(half) and number == 12:
        number = 0
    return number * 60 + rest if number <= 24 and rest < 60 else None


def structured_hours(node: Mapping[str, Any]) -> Hours:
    """Opening hours of a schema.org node: openingHoursSpecification, or the openingHours text."""
    days: dict[int, set[tuple[int, int]]] = {}
    for value in values(dict(node), "openingHoursSpecification"):
        if not isinstance(value, dict):
            continue
        item = cast(dict[str, Any], value)
        opens = _clock(next(iter(texts(item, "opens")), ""))
        closes = _clock(next(iter(texts(item, "closes")), ""))
        for name in texts(item, "dayOfWeek"):
            day = name.rpartition("/")[2].capitalize()
            if day in SCHEMA_DAYS and opens is not None and closes is not None:
                spans = days.setdefault(SCHEMA_DAYS.index(day), set())
                if opens != closes:
                    spans.add((opens, closes))
    for text in texts(dict(node), "openingHours"):
        for day, spans in _compact(text).items():
            days.setdefault(day, set()).update(spans)
    return Hours({day: frozenset(spans) for day, spans in days.items()})


def _compact(text: str) -> dict[int, set[tuple[int, int]]]:
    """`Mo-Fr 09:00-18:00` as schema.org writes it."""
    short = {name[:2]: index for index, name in enumerate(SCHEMA_DAYS)}
    match = re.fullmatch(r"([A-Za-z, -]{2,60}) (\d{2}:\d{2}) ?- ?(\d{2}:\d{2})", " ".join(text.split()))
    if not match:
        return {}
    opens, closes = _clock(match[2]), _clock(match[3])
    days: dict[int, set[tuple[int, int]]] = {}
    for part in match[1].split(","):
        ends = [short.get(piece.strip().capitalize()[:2]) for piece in part.split("-")]
        if None in ends or opens is None or closes is None:
            continue
        first, last = cast(int, ends[0]), cast(int, ends[-1])
        for day in range(first, last + 1):
            days[day] = {(opens, closes)}
    return days


def _clock(text: str) -> int | None:
    match = re.match(r"(\d{1,2}):(\d{2})", text)
    return _minutes(match[1], match[2], None) if match else None
