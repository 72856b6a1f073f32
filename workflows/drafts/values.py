"""Normalized values and names of a sentence, so that each can be required from the facts that the sentence cites.

`analytics.text` reads numbers, phone numbers and weekdays, and text2num reads number words. The names of months, units
and currencies come from CLDR (babel), in the six languages that drafts are written in.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from itertools import chain
from typing import Literal, cast

from babel import Locale
from babel.core import get_global
from babel.dates import get_month_names
from babel.numbers import get_currency_name, get_currency_symbol, get_territory_currencies
from babel.units import format_unit
from text_to_num import alpha2digit  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from analytics.text.folding import is_dropped, without_case
from analytics.text.language import FUNCTION_WORDS, detect
from analytics.text.opening_hours import DAY_NAMES
from analytics.text.phones import FEWEST_DIGITS, phones
from analytics.text.prices import CURRENCIES, number
from analytics.text.stems import STEM, stems
from analytics.text.suffixes import is_domain

LANGUAGES = ("en", "de", "fr", "es", "it", "nl")
FILLERS = frozenset("\u3164\u115f\u1160\u180e")
"""Invisible characters that count as letters."""
VULGAR_FRACTION = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")
PERCENT_WORDS = re.compile(r"\b(?:pour|por|per) ?(?:cento?|ciento)\b", re.IGNORECASE)
"""Read before number words, which include `cent` and `ciento`."""
NUMERALS = {
    re.compile(rf"\b(?:{words})\b", re.IGNORECASE): digits
    for digits, words in {
        "12": "dozens?|dutzend|douzaines?|docenas?|dozzin[ae]|dozijn",
        "1/2": "half|halve|halb(?:e[nmrs]?)?|hälfte|demie?s?|moitié|medio|mitad|mezzo|metà|helft",
        "3/2": "anderthalb|anderhal(?:f|ve)",
    }.items()
}
"""Number words that text2num does not read."""
OTHER_UNITS = re.compile(
    r"-(?:earth|solar)-|-(?:person|night|quarter|item|part|ofglucose|ofhg|dot|em|point|revolution|rod|chain|stone"
    r"|grain|drop|henry|light-speed|gasoline-energy-density|g-force|beaufort)$"
)
"""CLDR units whose names are ordinary words or have several meanings."""
FEWEST_LOCALES = 3
"""A unit symbol that fewer locales share is mostly a word of some language, such as `po` or `rd`."""
CONVERTED = {
    "duration-year": ("duration-month", 12),
    "duration-week": ("duration-day", 7),
    "duration-hour": ("duration-minute", 60),
}
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
EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]++(?:\.[\w-]++)*")
URL = re.compile(
    r"(?:(?<![\w+.-])(?P<scheme>[a-z][a-z0-9+.-]{1,20}:)?//(?P<host>[\w.-]+)"
    r"|(?<![\w.-])(?P<bare>(?:[\w-]{1,63}+\.){1,8}[\w-]{1,63}+))(?P<path>(?::\d{1,5})?(?:[/?#][^\s<>\"“”«»]*)?)",
    re.IGNORECASE,
)
ISO_DATE = re.compile(r"\b(?P<year>\d{4})([/-])(?P<month>\d{1,2})\2(?P<day>\d{1,2})\b")
NUMERIC_DATE = re.compile(r"\b(?P<day>\d{1,2})([./-])(?P<month>\d{1,2})\2(?P<year>\d{4})\b")
TIME = re.compile(
    r"\b(?P<hour>[01]?\d|2[0-4])(?:[:h](?P<minute>[0-5]\d)"
    r"|\.(?P<dotted>[0-5]\d)(?=\s?(?:(?:-|–|bis|tot)\s?\d{1,2}(?:[:.]\d\d)?\s?)?(?:uhr|uur)))?"
    r"\s?(?:(?P<half>[ap])\.?m\b\.?|(?P<clock>uhr|uur|heures?|horas?|h)\b"
    r"|(?P<until>(?=(?:-|–|to|bis|à|a|tot|alle)\s?\d{1,2}(?:[:.]\d\d)?\s?(?:uhr|uur|h\b|[ap]\.?m))))?",
    re.IGNORECASE,
)
SIGN = "".join(char for char in map(chr, range(0xFFFF)) if unicodedata.category(char) == "Sc")
WORD = rf"[^\W\d_]+(?:/[^\W\d_]+)?[23]?(?!\w)|[%‰°′][^\W\d_]?(?!\w)|[{SIGN}]"
WORDS = re.compile(WORD)
MOST_WORDS = 3
BEHIND = re.compile(rf"(?:[\s'’-]?(?:{WORD})){{0,{MOST_WORDS}}}")
NUMBER = r"(?:\d{1,4}\s)?\d{1,4}\s?[/⁄]\s?\d{1,4}(?!\d)|\d(?:[\d.,’']|\s(?=\d{3}\b))*\d|\d"
MONEY = rf"(?:(?<!\w)(?:[A-Za-z]{{1,3}}[{SIGN}]|[A-Z]{{3}}|S?Fr\.)|[{SIGN}])\s?"
QUANTITY = re.compile(
    rf"(?P<sign>(?<![^\s(\[])[-−–](?=\S))?(?:(?P<before>{MONEY})|(?<!\w)(?<!\d[.,]))(?P<low>{NUMBER})(?:[.,][-–—]{{1,2}})?"
    rf"(?:(?P<mid>\s?[%{SIGN}])?\s?(?:-|–|—|to|bis|à|tot|al?|hasta)\s?(?P<second>{MONEY})?(?P<high>{NUMBER}))?"
)
PREPOSITION = re.compile(
    r"(?<!\w)(?:since|in|from|until|by|seit|ab|bis|im jahr|depuis|en|dès|desde|dal|nel|sinds|vanaf)\s\Z", re.I
)
"""Precedes a year: `since 2009`."""
YEARS = range(1900, 2101)
DAY_RANGE = re.compile(
    r"\b([^\W\d_]{2,}+)\.?\s?(?:-|–|to|bis|à|au|al?|tot|t/m)\s?([^\W\d_]{2,}+)", re.IGNORECASE
)
NAME = r"[^\W\d_a-zà-öø-ÿ][\w’'&-]*"
NAMES = re.compile(
    rf"(?<!\w){NAME}(?:\s(?:(?:of|the|de|du|des|la|le|del|della|di|da|von|van|der|den|&)\s)?{NAME})*"
)
PRONOUNS = frozenset(("I", "Sie", "Ihr", "Ihre", "Ihren", "Ihnen", "U", "Uw"))
"""Pronouns that are capitalized within a sentence, in English, German and Dutch."""
GERMAN_PLACE = re.compile(r"\bin\s([A-ZÄÖÜ]\w+)")
"""A capitalized German word right after `in` is a place, since a noun would have an article."""
LEADING, OPENING = frozenset(" \t\"“„«'(*_#>¿¡-"), frozenset(":!?\n•")
"""What may stand between the beginning of a sentence and its first word, and what precedes the beginning."""
TOKEN = re.compile(r"\w+")
LONG_WORD = re.compile(r"[^\W\d_]{4,}")
FEWEST_NATIONAL, LONGEST_COUNTRY = 8, 3
"""Digits of a phone number without its country, and of a country's code."""
LONGEST_PREPOSITION, LONGEST_LABEL = 12, 40
FEWEST_LETTERS = 4
"""Letters of a unit that is inflected, or one word away from its number: `24 working hours`."""
UNIT_ENDINGS = ("n", "s", "ige", "iger", "igen", "iges")
"""German endings: `Jahren`, `36-monatige`."""
NEW = ("nuev", "nouv", "nuov")
"""Adjectives before the names of some currencies."""
LOOK_ALIKE = {"LATIN", "CYRILLIC", "GREEK"}
TAKEN = "\0"
"""Replaces what a reader took. It is neither a space nor part of a word."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, or a range from `low` to `high`.

    `units` are the CLDR units and currencies that its words may mean, `COUNTED` when other words follow, or empty.
    `nouns` are stems of the words that may name what is counted. `phone` is the phone number that it may be instead.
    `factor` converts it to the common unit of its kind.
    """

    low: Decimal
    high: Decimal
    units: frozenset[str]
    nouns: frozenset[str]
    text: str
    phone: "Phone | None"
    factor: int


@dataclass(frozen=True, slots=True)
class CalendarDate:
    """A date, possibly partial."""

    year: int | None
    month: int | None
    day: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Phone:
    """The digits of a phone number without a trunk prefix; with those of its country if it is `international`."""

    digits: str
    international: bool
    text: str


@dataclass(slots=True)
class Values:
    """The values of a text.

    `plain` maps (kind, normal form) to the text as written. `ends` are the ends of all quantities. `language` may be
    unknown.
    """

    language: str | None = None
    plain: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    quantities: list[Quantity] = field(default_factory=list[Quantity])
    ends: set[Decimal] = field(default_factory=set[Decimal])
    dates: list[tuple[CalendarDate, ...]] = field(default_factory=list[tuple[CalendarDate, ...]])
    phones: list[Phone] = field(default_factory=list[Phone])

    def __bool__(self) -> bool:
        return bool(self.plain or self.quantities or self.dates or self.phones)

    def missing_from(self, facts: Sequence["Values"]) -> tuple[str, ...]:
        """Return the values, as written, that none of the facts contains."""
        lost = [text for key, text in self.plain.items() if not any(key in fact.plain for fact in facts)]
        lost += [
            quantity.text
            for quantity in self.quantities
            if not any(
                fact.has_quantity(quantity, self.language)
                or (quantity.phone is not None and fact.has_phone(quantity.phone))
                for fact in facts
            )
        ]
        lost += [
            readings[0].text
            for readings in self.dates
            if not any(fact.has_date(reading) for fact in facts for reading in readings)
        ]
        lost += [phone.text for phone in self.phones if not any(fact.has_phone(phone) for fact in facts)]
        return tuple(dict.fromkeys(lost))

    def has_quantity(self, wanted: Quantity, language: str | None) -> bool:
        """Return whether these values contain a number in the same unit, or a containing range.

        A number without a unit fits any unit, and any part of a date. In the same language, a counted number has to
        count the same.
        """
        alike = None in (language, self.language) or language == self.language
        if not wanted.units and wanted.low == wanted.high:
            parts = {part for date in chain(*self.dates) for part in (date.year, date.month, date.day)}
            if wanted.low in parts:
                return True
        is_known = wanted.low < wanted.high or wanted.low * wanted.factor in self.ends
        return is_known and any(_contains(known, wanted, alike) for known in self.quantities)

    def has_phone(self, wanted: Phone) -> bool:
        """Return whether these values contain a phone number, with or without its country."""
        return any(_same_phone(wanted, known) for known in self.phones)

    def has_date(self, wanted: CalendarDate) -> bool:
        """Return whether these values contain a date that matches every given part."""
        return any(
            (wanted.year in (None, known.year))
            and (wanted.month in (None, known.month))
            and (wanted.day in (None, known.day))
            for known in chain(*self.dates)
        )


def normalized(text: str) -> str:
    """Return a text in its compatibility form, without emphasis and invisible characters, with ASCII digits."""
    visible = "".join(char for char in text if not is_dropped(char) and char not in FILLERS)
    composed = unicodedata.normalize("NFKC", VULGAR_FRACTION.sub(" ", visible))
    if composed.isascii():
        return composed
    return "".join(
        f"{unicodedata.numeric(char):g}" if unicodedata.category(char) in ("Nd", "No") else char
        for char in composed
    )


def read_values(text: str, language: str, source: str = "", *, is_fact: bool = False) -> Values:
    """Return the numbers, prices, percentages, dates, times, weekdays, phones, emails and URLs of a normalized text.

    Number words are read in a draft's `language` and in that of the text: `once` is a number only in Spanish. `source`
    is a longer text that tells the language of this one. Facts are read more liberally than sentences: their first word
    may be a month, and a number of seven digits may be a phone number.
    """
    detected = detect(source or text)
    own = detected if detected in LANGUAGES else None
    values = Values(own or (None if is_fact else language))
    languages = LANGUAGES if detected != own else tuple(dict.fromkeys((language, own or language)))
    has_one = "1" in text
    rest = text = _with_digits(text, languages)

    def take(pattern: re.Pattern[str], read: Callable[[re.Match[str]], bool]) -> None:
        nonlocal rest
        rest = pattern.sub(lambda match: TAKEN * len(match[0]) if read(match) else match[0], rest)

    def plain(kind: str, normal: Callable[[re.Match[str]], object]) -> Callable[[re.Match[str]], bool]:
        def read(match: re.Match[str]) -> bool:
            form = normal(match)
            if form is not None:
                values.plain[kind, str(form)] = match[0].strip()
            return form is not None

        return read

    take(EMAIL, plain("email", lambda match: match[0].casefold()))
    take(URL, plain("url", _plain_url))
    take(ISO_DATE, lambda match: _add_date(values, match))
    take(NUMERIC_DATE, lambda match: _add_date(values, match, ambiguous="/" in match[0]))
    take(_written_dates(), lambda match: _add_date(values, match))
    take(TIME, plain("time", _minutes))
    found = [(phone.start, phone.end) for phone in phones(rest) if not _units_behind(rest, phone.end)[0]]
    values.phones += [_phone(rest[start:end]) for start, end in found]
    rest = _without(rest, found)
    ends = [
        (match.start(), _add_quantity(values, match, has_one, is_fact)) for match in QUANTITY.finditer(rest)
    ]
    rest = _without(rest, ends)
    for match in TOKEN.finditer(rest):
        if any(map(str.isdigit, match[0])):
            values.plain["code", without_case(match[0])] = match[0]
        elif is_fact or not opens(rest, match.start()):
            month = _month_alone(match, LANGUAGES if is_fact else languages, is_fact)
            if month is not None:
                values.dates.append((CalendarDate(None, month, None, match[0]),))
    for word in LONG_WORD.findall(text):
        day = DAY_NAMES.get(without_case(word))
        if day is not None:
            values.plain["weekday", str(day)] = word
    _add_days_between(values, text)
    return values


def read_names(text: str, language: str, *, heading: bool = False) -> tuple[str, ...]:
    """Return the proper names of a normalized sentence: capitalized words within it, and words of mixed scripts.

    German capitalizes nouns, and some headings capitalize every word. In German, a name is a run of several capitalized
    words, or a place; in a heading in title case, no capitalized word is a name.
    """
    names = [word[0] for word in TOKEN.finditer(text) if not word[0].isascii() and len(_scripts(word[0])) > 1]
    if heading and not any(word.islower() for word in LONG_WORD.findall(text)):
        return tuple(names)
    rest = URL.sub(lambda match: "" if _plain_url(match) else match[0], EMAIL.sub("", text))
    for match in NAMES.finditer(rest):
        words = match[0].split()
        if opens(rest, match.start()):
            words = words[1:]
        words = [word.strip(".'’") for word in words]
        while words and (words[0] in PRONOUNS or not words[0][:1].isupper()):
            words = words[1:]
        words = [
            word
            for word in words
            if without_case(word) not in DAY_NAMES and without_case(word) not in _months()
        ]
        if len(words) > 1 or (words and language != "de"):
            names.append(" ".join(words))
    if language == "de":
        names += [place for place in GERMAN_PLACE.findall(rest) if not any(place in name for name in names)]
    return tuple(dict.fromkeys(names))


def missing_names(names: Iterable[str], texts: Sequence[str]) -> Iterator[str]:
    """Yield the names that none of the texts, which are in lower case, contains between word boundaries."""
    for name in names:
        wanted = without_case(name)
        word = re.compile(rf"(?<!\w){re.escape(wanted)}(?!\w)")
        if not any(wanted in text and word.search(text) for text in texts):
            yield name


def opens(text: str, at: int) -> bool:
    """Return whether a word at a place in a text is the first one of a sentence."""
    while at and text[at - 1] in LEADING:
        at -= 1
    return not at or text[at - 1] in OPENING


def _with_digits(text: str, languages: Sequence[str]) -> str:
    """Return a text with number words in some languages replaced by digits."""
    text = PERCENT_WORDS.sub("%", text)
    for pattern, digits in NUMERALS.items():
        text = pattern.sub(digits, text)
    for language in languages:
        text = cast("str", alpha2digit(text, language, 0.0))
    return text


def _without(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return a text with spans replaced by `TAKEN`."""
    pieces: list[str] = []
    at = 0
    for start, end in spans:
        if end > start:
            pieces += (text[at:start], TAKEN * (end - start))
            at = end
    return "".join((*pieces, text[at:]))


def _contains(known: Quantity, wanted: Quantity, alike: bool) -> bool:
    low, high = wanted.low * wanted.factor, wanted.high * wanted.factor
    factor = known.factor if wanted.units else 1
    ends = (known.low * factor, known.high * factor)
    if not (low in ends and high in ends) and not (low < high and ends[0] <= low and high <= ends[1]):
        return False
    if COUNTED in wanted.units:
        return known.units <= {COUNTED} and not (alike and wanted.nouns.isdisjoint(known.nouns))
    return not wanted.units or not wanted.units.isdisjoint(known.units)


def _phone(written: str) -> Phone:
    digits = "".join(filter(str.isdigit, written.replace("(0)", "")))
    return Phone(digits.lstrip("0"), written.startswith(("+", "00")), written.strip())


def _same_phone(one: Phone, other: Phone) -> bool:
    if one.digits == other.digits or one.international == other.international:
        return one.digits == other.digits
    national, whole = sorted((one.digits, other.digits), key=len)
    return (
        len(national) >= FEWEST_NATIONAL
        and len(whole) - len(national) <= LONGEST_COUNTRY
        and whole.endswith(national)
        and one.international == (one.digits == whole)
    )


def _plain_url(match: re.Match[str]) -> str | None:
    """Return a URL with its host in lower case, without `www.` and trailing punctuation; None for other words."""
    host = (match["host"] or match["bare"]).casefold().rstrip(".")
    if match["bare"] and not (is_domain(host) or host.endswith(".example")):
        return None
    scheme = (match["scheme"] or "").casefold()
    path = match["path"].rstrip("/.,;:!?'’)]")
    return f"{'' if scheme in ('http:', 'https:') else scheme}{host.removeprefix('www.')}{path}"


def _decimal(written: str) -> Decimal | None:
    numerator, slash, denominator = re.sub(r"\s?[/⁄]\s?", "/", written).partition("/")
    if slash:
        whole, _, part = numerator.rpartition(" ")
        return int(whole or 0) + Decimal(part) / int(denominator) if int(denominator) else None
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


def _month_alone(match: re.Match[str], languages: Sequence[str], is_fact: bool) -> int | None:
    """Return the month that a word names; English and German names are capitalized, short ones follow a preposition."""
    word = match[0]
    for language in languages:
        month = _months_of(language).get(without_case(word))
        if month is None:
            continue
        is_short = len(word) < FEWEST_LETTERS or without_case(word) == "mars"
        if is_fact or (
            word[0].isupper()
            if language in ("en", "de")
            else not is_short or _follows_preposition(match.string, match.start())
        ):
            return month
    return None


def _add_quantity(values: Values, match: re.Match[str], has_one: bool, is_fact: bool) -> int:
    """Add a number with its unit and return where it ends, or 0 when it is part of a word such as `3D`."""
    text, start, at = match.string, match.start(), match.end()
    low = _decimal(match["low"])
    high = low if match["high"] is None else _decimal(match["high"])
    mark = match["before"] or match["mid"] or match["second"] or ""
    units = _units_of(mark.strip())
    words = WORDS.findall(BEHIND.match(text, at)[0])  # type: ignore[index]
    glued = words[0] if words and text[at].isalpha() else ""
    follows = text[at : at + 1]
    if low is None or high is None or follows == "_" or (follows.isalpha() and not glued):
        return 0
    if not units and ((mark and mark[-1].isalnum()) or (glued and not _units_of(glued))):
        return 0
    if units:
        units = frozenset(f"{unit} {glued}" for unit in units) if glued else units
        at += len(glued)
    else:
        units, at = _units_behind(text, at)
    joined = match["low"].replace(" ", "")
    digits = joined if match["high"] is None and joined.isdigit() else ""
    nouns: frozenset[str] = frozenset()
    if not units:
        start = match.start("low") if match["before"] else start
        is_year = digits and low in YEARS and _follows_preposition(text, start)
        if words and not is_year:
            units = frozenset((COUNTED,))
            nouns = stems(" ".join(words)) or frozenset(map(without_case, words))
        if not (units and is_fact):
            nouns |= _label(text, start, is_fact)
    if low == high == 1 and units <= {COUNTED} and not has_one:
        return at  # an article such as `un`, not a number
    written = text[start:at].strip(f" -{TAKEN}")
    is_phone = len(digits) >= FEWEST_DIGITS and (not units or digits.startswith("0"))
    phone = _phone(digits) if is_phone else None
    if phone is not None and is_fact:
        values.phones.append(phone)
    if match["sign"]:
        low = -low
        high = low if match["high"] is None else high
    unit, factor = CONVERTED.get(next(iter(units), ""), ("", 1))
    units = frozenset((unit,)) if unit else units
    low, high = min(low, high), max(low, high)
    values.ends |= {low, high, low * factor, high * factor}
    values.quantities.append(Quantity(low, high, units, nouns, written, phone, factor))
    return at


def _follows_preposition(text: str, at: int) -> bool:
    return PREPOSITION.search(text[max(0, at - LONGEST_PREPOSITION) : at]) is not None


def _label(text: str, at: int, is_fact: bool) -> frozenset[str]:
    """Return the capitalized word before a number, as in `Main Street 3` and `Seats: 30`, as a stem."""
    word = next(iter(text[max(0, at - LONGEST_LABEL) : at].split()[-1:]), "")
    begins = text.rfind(word, 0, at) if word else at
    is_name = is_fact or word.endswith(":") or not opens(text, begins)
    return (
        frozenset((without_case(word)[:STEM].rstrip(":"),)) if word[:1].isupper() and is_name else frozenset()
    )


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


def _scripts(word: str) -> set[str]:
    """Return which of the alphabets with look-alike letters a word uses."""
    return {unicodedata.name(char, "").partition(" ")[0] for char in word} & LOOK_ALIKE


@cache
def _months_of(language: str, width: Literal["abbreviated", "wide"] = "wide") -> dict[str, int]:
    """Return month numbers by name in a language."""
    months = cast("Mapping[int, str]", get_month_names(width, locale=language))
    return {
        without_case(name).rstrip("."): month for month, name in months.items() if len(name.rstrip(".")) >= 3
    }


@cache
def _months() -> dict[str, int]:
    """Return month numbers by full and abbreviated name, in all languages."""
    names: dict[str, int] = {}
    for language in LANGUAGES:
        names |= _months_of(language, "abbreviated") | _months_of(language)
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


def _units_behind(text: str, at: int) -> tuple[frozenset[str], int]:
    """Return the units that the words behind a number name, at most one word further, and where they end."""
    behind = BEHIND.match(text, at)
    words = list(WORDS.finditer(behind[0])) if behind else []
    for skipped in (0, 1):
        for count in range(len(words) - skipped, 0, -1):
            chosen = words[skipped : skipped + count]
            name = " ".join(word[0] for word in chosen)
            units = _units_of(name) if len(name) >= FEWEST_LETTERS * skipped else frozenset[str]()
            if units:
                return units, at + chosen[-1].end()
    return frozenset(), at


def _units_of(name: str) -> frozenset[str]:
    """Return the units and currencies that a name or sign may mean, including inflected forms such as `Jahren`."""
    units, folded = _units(), without_case(name)
    if name in units or folded in units:
        return units.get(name) or units[folded]
    if name and name[-1] in SIGN:
        return frozenset((name,))
    stripped = (folded.removesuffix(ending) for ending in UNIT_ENDINGS if folded.endswith(ending))
    return next(
        (units[stem] for stem in stripped if len(stem) >= FEWEST_LETTERS and stem in units), frozenset[str]()
    )


@cache
def _units() -> dict[str, frozenset[str]]:
    """Return CLDR units and currencies by their names and signs in all languages."""
    names: defaultdict[str, set[str]] = defaultdict(set)
    symbols: Counter[tuple[str, str]] = Counter()
    for language in (*LANGUAGES, "en_GB"):
        for unit in cast("Mapping[str, str]", Locale.parse(language).unit_display_names):
            if OTHER_UNITS.search(unit):
                continue
            for amount in (1, 2):
                names[_name(format_unit(amount, unit, "long", locale=language))].add(unit)
            shown = {normalized(format_unit(amount, unit, "short", locale=language)) for amount in (1, 2)}
            symbols.update({(" ".join(WORDS.findall(symbol)), unit) for symbol in shown})
    for (symbol, unit), locales in symbols.items():
        if locales >= FEWEST_LOCALES:
            names[symbol].add(unit)
            if len(symbol) > 1:  # `a` is no ampere
                names[without_case(symbol)].add(unit)
    for code in set(chain.from_iterable(map(get_territory_currencies, get_global("territory_currencies")))):
        names[code].add(code)
        for language in LANGUAGES:
            names[get_currency_symbol(code, language)].add(code)
            for amount in (1, 2):
                name = _name(get_currency_name(code, amount, language))
                head = name.split()[0 if language in ("fr", "es", "it") else -1]
                names[name].add(code)
                if not head.startswith(NEW):
                    names[head].add(code)
    for sign, code in CURRENCIES.items():  # a dollar is an American one
        names[sign] = {unit for unit in names[sign] if "-" in unit} | {code}
    names["kilo"].add("mass-kilogram")
    return {
        name: frozenset(units) for name, units in names.items() if name and name not in FUNCTION_WORDS["en"]
    }


def _name(written: str) -> str:
    return without_case(" ".join(WORDS.findall(normalized(written))))
