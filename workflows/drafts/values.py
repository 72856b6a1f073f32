"""Normalized values and names of a sentence, so that each can be required from the facts that the sentence cites.

`analytics.text` reads prices, phone numbers, weekdays and numbers, and text2num reads number words. The names of
months and units come from CLDR (babel), in the six languages that drafts are written in.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from itertools import chain
from typing import cast

from babel.dates import get_month_names
from babel.units import format_unit
from text_to_num import alpha2digit  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from analytics.text.folding import without_case
from analytics.text.opening_hours import DAY_NAMES
from analytics.text.phones import FEWEST_DIGITS, phones, same_phone
from analytics.text.prices import number, prices

LANGUAGES = ("en", "de", "fr", "es", "it", "nl")
UNITS = (
    *(f"duration-{unit}" for unit in ("second", "minute", "hour", "day", "week", "month", "year")),
    *(f"length-{unit}" for unit in ("millimeter", "centimeter", "meter", "kilometer", "inch", "foot", "mile")),
    *("mass-gram", "mass-kilogram", "mass-pound", "volume-liter", "speed-kilometer-per-hour", "temperature-celsius"),
    *("power-kilowatt", "power-horsepower", "energy-kilowatt-hour", "area-square-meter", "area-hectare"),
)  # fmt: skip
SAME_UNIT = {"duration-year": ("duration-month", 12), "duration-week": ("duration-day", 7)}
"""Units that texts use interchangeably: three years are 36 months."""
COUNTED = "counted"
"""Unit of a number that counts things. It differs from every unit of measurement."""
CLAIM_WORDS = re.compile(
    r"\b(?:award|prize|winner|auszeichnung|ausgezeichnet|preisträger|testsieger|récompense|lauréat|premio|galardon"
    r"|premiat|prijs|bekroond|certifi|zertifi|gecertif|lawsuit|legal|illegal|liabil|gesetz|rechtlich|rechtswidrig"
    r"|légal|juridi|legale|illegale|wettelijk|patent|brevet|medical|cure[sd]?\b|heals?\b|therap|diagnos|medizin|heilt"
    r"|heilung|médica|guérit|médic|cura\b|medisch|geneest|clinical|klinisch|clinique|clínic)",
    re.IGNORECASE,
)
"""Stems of award, legal and medical words. A sentence with one is never accepted without a citation."""
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")
URL = re.compile(
    r"(?:https?://|www\.)[^\s<>\"')\]]+"
    r"|\b(?:[a-z0-9-]{1,63}+\.){1,8}(?:com|org|net|de|fr|es|it|nl|eu|uk|at|ch|be|io|ai|app|dev|shop|info|example)\b"
    r"(?:/[^\s<>\"')\]]*)?",
    re.IGNORECASE,
)
ISO_DATE = re.compile(r"\b(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})\b")
NUMERIC_DATE = re.compile(r"\b(?P<day>\d{1,2})[./](?P<month>\d{1,2})[./](?P<year>\d{4})\b")
PERCENT = re.compile(
    r"(\d[\d.,]{0,20}+)\s?(?:%|percent|per cent|prozent|pour ?cent|por ciento|per ?cento|procent|(?:por|per|pour) 100)",
    re.IGNORECASE,
)
TIME = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:[:h](?P<minute>[0-5]\d)|\.(?P<dotted>[0-5]\d)(?=\s?(?:uhr|uur)))?"
    r"\s?(?:(?P<half>[ap])\.?m\b\.?|(?P<clock>uhr|uur|heures?|horas?|h)\b"
    r"|(?P<until>(?=(?:-|–|to|bis|à|a|tot|alle)\s?\d{1,2}(?:[:.]\d\d)?\s?(?:uhr|uur|h\b|[ap]\.?m))))?",
    re.IGNORECASE,
)
CODE = re.compile(r"(?<![\w-])(?=\w*\d)(?=\w*[^\W\d_])\w+(?!\w)")
NUMBER = r"\d(?:[\d.,’'\u00a0\u202f]|\s(?=\d{3}\b))*\d|\d"
NUMBERS = re.compile(
    rf"({NUMBER})(?:\s?(?:-|–|—|to|bis|à|tot|al?|a)\s?({NUMBER}))?[\s\u00a0-]?([^\W\d_]+(?:/h|²)?)?"
)
DAY_RANGE = re.compile(r"([^\W\d_]{2,})\.?\s?(?:-|–|to|bis|à|au|al?|tot|t/m)\s?([^\W\d_]{2,})", re.IGNORECASE)
LIST_NUMBER = re.compile(r"^\s*\d{1,2}[.)]\s")
NAME = r"[^\W\d_a-zà-öø-ÿ][\w’'&-]*"
NAMES = re.compile(rf"{NAME}(?:\s(?:(?:of|the|de|du|des|la|le|del|della|di|da|von|van|der|den|&)\s)?{NAME})*")
PRONOUNS = frozenset(("I", "Sie", "Ihr", "Ihre", "Ihren", "Ihnen", "U", "Uw"))
"""Pronouns that are capitalized within a sentence, in English, German and Dutch."""
GERMAN_PLACE = re.compile(r"\bin\s([A-ZÄÖÜ]\w+)")
"""A capitalized German word right after `in` is a place, since a noun would have an article."""
OPENING = re.compile(r"(?:^|[:!?…\n•])[\s\"“„«'(*_#>¿¡-]*$")
"""What precedes the first word of a sentence."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, or a range from `low` to `high`.

    `unit` is a CLDR unit, `COUNTED` when another word follows, or None when no word follows.
    """

    low: Decimal
    high: Decimal
    unit: str | None
    text: str


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """A date, possibly partial."""

    year: int | None
    month: int | None
    day: int | None
    text: str


@dataclass(slots=True)
class Values:
    """The values of a text. `plain` maps (kind, normal form) to the text as written."""

    plain: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    quantities: list[Quantity] = field(default_factory=list[Quantity])
    dates: list[tuple[CalendarDate, ...]] = field(default_factory=list[tuple[CalendarDate, ...]])
    phones: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def __bool__(self) -> bool:
        return bool(self.plain or self.quantities or self.dates or self.phones)

    def missing_from(self, known: "Values") -> tuple[str, ...]:
        """Return the values, as written, that `known` does not contain."""
        lost = [text for key, text in self.plain.items() if key not in known.plain]
        lost += [
            quantity.text
            for quantity in self.quantities
            if not known.has_quantity(quantity) and not known.has_phone(f"{quantity.low:f}")
        ]
        lost += [readings[0].text for readings in self.dates if not any(map(known.has_date, readings))]
        lost += [text for digits, text in self.phones if not known.has_phone(digits)]
        return tuple(dict.fromkeys(lost))

    def has_quantity(self, wanted: Quantity) -> bool:
        """Return whether these values contain a number in the same unit (no unit fits any), or a containing range."""
        if wanted.low == wanted.high and wanted.unit in (None, COUNTED):
            parts = {
                part for reading in chain(*self.dates) for part in (reading.year, reading.month, reading.day)
            }
            if wanted.low in parts:
                return True
        return any(_contains(known, wanted) for known in self.quantities)

    def has_phone(self, digits: str) -> bool:
        """Return whether these values contain a phone number, which may be a plain number of seven or more digits."""
        return len(digits) >= FEWEST_DIGITS and any(same_phone(digits, known) for known, _ in self.phones)

    def has_date(self, wanted: CalendarDate) -> bool:
        """Return whether these values contain a date that matches every given part."""
        return any(
            (wanted.year in (None, known.year))
            and (wanted.month in (None, known.month))
            and (wanted.day in (None, known.day))
            for known in chain(*self.dates)
        )


def read_values(text: str, languages: Sequence[str] = LANGUAGES) -> Values:
    """Return the numbers, prices, percentages, dates, times, weekdays, phones, emails and URLs of a text.

    Number words are read in `languages`: `once` is a number only in Spanish.
    """
    values = Values()
    rest = _with_digits(LIST_NUMBER.sub("", text), languages)

    def take(pattern: re.Pattern[str], read: Callable[[re.Match[str]], bool]) -> None:
        nonlocal rest
        rest = pattern.sub(lambda match: " " * len(match[0]) if read(match) else match[0], rest)

    def plain(kind: str, normal: Callable[[re.Match[str]], object]) -> Callable[[re.Match[str]], bool]:
        def read(match: re.Match[str]) -> bool:
            form = normal(match)
            if form is not None:
                values.plain[kind, str(form)] = match[0].strip()
            return form is not None

        return read

    take(EMAIL, plain("email", lambda match: match[0].casefold()))
    take(URL, plain("url", lambda match: plain_url(match[0])))
    take(ISO_DATE, lambda match: _add_date(values, match))
    take(NUMERIC_DATE, lambda match: _add_date(values, match, ambiguous=True))
    take(_written_dates(), lambda match: _add_date(values, match))
    for price in list(prices(rest)):
        written = rest[price.start : price.end]
        values.plain["money", f"{price.amount.normalize():f} {price.currency}"] = written.strip()
        rest = rest[: price.start] + " " * len(written) + rest[price.end :]
    take(PERCENT, plain("percentage", lambda match: _decimal(match[1])))
    for phone in list(phones(rest)):
        written = rest[phone.start : phone.end]
        values.phones.append((phone.digits.lstrip("0"), written.strip()))  # without a trunk prefix
        rest = rest[: phone.start] + " " * len(written) + rest[phone.end :]
    take(TIME, plain("time", _minutes))
    take(CODE, plain("name", _code))
    take(NUMBERS, lambda match: _add_quantity(values, match, text))
    for word in re.findall(r"[^\W\d_]{4,}", text):
        day = DAY_NAMES.get(without_case(word))
        if day is not None:
            values.plain["weekday", str(day)] = word
    _add_days_between(values, text)
    return values


def read_names(text: str, language: str, known: Iterable[str], *, heading: bool = False) -> tuple[str, ...]:
    """Return the proper names of a sentence: known entities, and capitalized words within it.

    German capitalizes nouns, and headings capitalize every word. There, a name is a run of several capitalized words
    (German) or a known entity (headings).
    """
    names = [name for name in known if holds(text, name)]
    if heading:
        return tuple(names)
    rest = URL.sub("", EMAIL.sub("", text))
    for match in NAMES.finditer(rest):
        words = match[0].split()
        if OPENING.search(rest[: match.start()]):
            words = words[1:]
        words = [word.strip(".'’") for word in words]
        while words and (words[0] in PRONOUNS or not words[0][:1].isupper()):
            words = words[1:]
        words = [
            word
            for word in words
            if without_case(word) not in DAY_NAMES and without_case(word) not in _months()
        ]
        name = " ".join(words)
        if (
            words
            and (len(words) > 1 or language != "de")
            and not any(holds(entity, name) for entity in names)
        ):
            names.append(name)
    if language == "de":
        names += [
            place for place in GERMAN_PLACE.findall(rest) if not any(holds(name, place) for name in names)
        ]
    return tuple(dict.fromkeys(names))


def missing_names(names: Sequence[str], texts: Sequence[str]) -> tuple[str, ...]:
    """Return the names that none of the texts contains."""
    return tuple(name for name in names if not any(holds(text, name) for text in texts))


def holds(text: str, name: str) -> bool:
    """Return whether a text contains a name between word boundaries, ignoring case."""
    wanted = without_case(name.strip())
    return bool(wanted) and re.search(rf"(?<!\w){re.escape(wanted)}(?!\w)", without_case(text)) is not None


def plain_url(url: str) -> str:
    """Return a URL in lower case without scheme, `www.` and trailing punctuation."""
    return re.sub(r"^(?:https?://)?(?:www\.)?", "", url.casefold()).rstrip("/.,;:!?")


def _with_digits(text: str, languages: Sequence[str]) -> str:
    """Return a text with number words in some languages replaced by digits."""
    for language in languages:
        text = cast("str", alpha2digit(text, language, 0.0))
    return text


def _contains(known: Quantity, wanted: Quantity) -> bool:
    if None not in (known.unit, wanted.unit):
        known, wanted = _common(known), _common(wanted)
        if known.unit != wanted.unit:
            return False
    ends = (known.low, known.high)
    return (wanted.low in ends and wanted.high in ends) or (
        wanted.low < wanted.high and known.low <= wanted.low and wanted.high <= known.high
    )


def _common(quantity: Quantity) -> Quantity:
    """Return a quantity in the common unit of its kind."""
    unit, factor = SAME_UNIT.get(quantity.unit or "", (quantity.unit, 1))
    return Quantity(quantity.low * factor, quantity.high * factor, unit, quantity.text)


def _decimal(written: str) -> Decimal | None:
    value = number(written.strip(".,’'"))
    return None if value is None else value.normalize()


def _add_date(values: Values, match: re.Match[str], *, ambiguous: bool = False) -> bool:
    """Add a date. A numeric date whose day could be its month gets both readings."""
    parts = {group.rstrip("23"): part for group, part in match.groupdict().items() if part}
    name = parts.get("name")
    year, day = (int(parts[group]) if group in parts else None for group in ("year", "day"))
    month = _months()[without_case(name).rstrip(".")] if name else int(parts["month"])
    readings = [(month, day), (day, month)] if ambiguous else [(month, day)]
    dates = tuple(
        CalendarDate(year, first, second, match[0].strip())
        for first, second in readings
        if first is not None and 1 <= first <= 12
    )
    if dates:
        values.dates.append(dates)
    return bool(dates)


def _add_quantity(values: Values, match: re.Match[str], text: str) -> bool:
    low = _decimal(match[1])
    high = low if match[2] is None else _decimal(match[2])
    if low is None or high is None:
        return False
    unit = _unit_of(match[3]) or COUNTED if match[3] else None
    if low == high == 1 and unit in (None, COUNTED) and "1" not in text:
        return False  # an article such as `un`, not a number
    written = (
        match[0]
        if unit not in (None, COUNTED) or not match[3]
        else match[0][: match.start(3) - match.start()]
    )
    values.quantities.append(Quantity(min(low, high), max(low, high), unit, written.strip(" -\u00a0")))
    return True


def _code(match: re.Match[str]) -> str | None:
    """Return a name of letters and digits such as `A4`; `30min` is a quantity."""
    letters = match[0].lstrip("0123456789")
    return None if letters.isalpha() and letters != match[0] and _unit_of(letters) else without_case(match[0])


def _minutes(match: re.Match[str]) -> int | None:
    minute = match["minute"] or match["dotted"]
    if minute is None and match["half"] is None and match["clock"] is None and match["until"] is None:
        return None
    if match["clock"] and match["clock"].lower() == "h" and minute is None:
        return None  # `24 h` is a duration
    hour = int(match["hour"])
    if match["half"]:
        hour = hour % 12 + (12 if match["half"].lower() == "p" else 0)
    return hour * 60 + int(minute or 0)


def _add_days_between(values: Values, text: str) -> None:
    """Add the days within ranges such as `Monday to Friday`, since facts name each day."""
    for match in DAY_RANGE.finditer(text):
        first, last = (DAY_NAMES.get(without_case(name)) for name in match.groups())
        if first is not None and last is not None:
            for day in range(first, first + (last - first) % 7 + 1):
                values.plain.setdefault(("weekday", str(day % 7)), match[0])


@cache
def _months() -> dict[str, int]:
    """Return month numbers by name, in all languages."""
    names: dict[str, int] = {}
    for language in LANGUAGES:
        for width in ("abbreviated", "wide"):
            months = cast("Mapping[int, str]", get_month_names(width, locale=language))
            for month, name in months.items():
                if len(name.rstrip(".")) >= 3:
                    names[without_case(name).rstrip(".")] = month
    return names


@cache
def _written_dates() -> re.Pattern[str]:
    month = "|".join(sorted(map(re.escape, _months()), key=len, reverse=True))
    return re.compile(
        rf"\b(?P<day>\d{{1,2}})(?:\.|st|nd|rd|th|er|º|°)?\s(?:of\s|de\s|di\s)?(?P<name>{month})\b\.?"
        r"(?:,?\s(?:de\s|del\s)?(?P<year>\d{4})\b)?"
        rf"|\b(?P<name2>{month})\.?\s(?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?!\d)(?:,?\s(?P<year2>\d{{4}})\b)?"
        rf"|\b(?P<name3>{month})\.?\s(?:de\s|del\s)?(?P<year3>\d{{4}})\b",
        re.IGNORECASE,
    )


@cache
def _units() -> dict[str, str]:
    """Return CLDR units by their words in all languages."""
    words = {"kilo": "mass-kilogram"}
    for language in (*LANGUAGES, "en_GB"):
        for unit in UNITS:
            for length in ("long", "short"):
                for amount in (1, 2):
                    written = format_unit(amount, unit, length, locale=language)  # type: ignore[arg-type]
                    word = without_case(re.sub(r"[\d\s\u00a0\u202f.]", "", written))
                    if word:
                        words.setdefault(word, unit)
    return words


def _unit_of(word: str) -> str | None:
    """Return the unit that a word names, including inflected forms such as `Jahren`."""
    folded = without_case(word)
    units = _units()
    for ending in range(min(3, max(len(folded) - 3, 0)) + 1):
        unit = units.get(folded[: len(folded) - ending])
        if unit is not None:
            return unit
    return None
