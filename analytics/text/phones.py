"""Phone numbers in running text, by the numbering plan of a country where it is known (phonenumbers)."""

# ruff: noqa: E501  # patterns are easier to compare whole
import re
from collections.abc import Iterator
from dataclasses import dataclass

import phonenumbers

PHONE_TEXT = re.compile(r"(?<![\w.,$€£#/-])\+?\(?\d[\d ()./\u00a0\u2010-\u2015-]{5,20}\d(?![\w/€$£%])")
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
PHONE_WORD = re.compile(
    r"(?<!\w)(?:t[eé]l|phone|call|fon|mobil|m[óo]vil|cellulare|hotline|fax|whats?app|zadzwo|numer)", re.I
)
YEARS = re.compile(r"\d{4}\s{0,3}[-/\u2011]\s{0,3}\d{2,4}(?:[-/]\d{1,2})?")
THOUSANDS = re.compile(r"\d{1,3}(?:[., ]\d{3}){1,6}")
FEWEST_DIGITS, MOST_DIGITS = 7, 15
COMPARED_DIGITS = 9
"""Numbers are compared by their last digits; prefixes are written in many ways."""


@dataclass(frozen=True, slots=True)
class PhoneNumber:
    """The digits of a number at `[start, end)`, without a sign."""

    digits: str
    start: int
    end: int


def phones(text: str, *, cued: bool = False) -> Iterator[PhoneNumber]:
    """Yield numbers of any country: 7 to 15 digits in groups; dates, ranges of years and plain figures are none.

    Groups of three digits are a figure, unless a word such as `Tel.` precedes them or the text is `cued` as a number.
    """
    for match in PHONE_TEXT.finditer(text):
        digits = re.sub(r"\D", "", match[0])
        if not FEWEST_DIGITS <= len(digits) <= MOST_DIGITS:
            continue
        before = text[max(0, match.start() - 40) : match.start()]
        if YEARS.fullmatch(match[0]) or (
            THOUSANDS.fullmatch(match[0]) and not (cued or PHONE_WORD.search(before))
        ):
            continue
        if len(re.findall(r"\d+", match[0])) > 1 or match[0].startswith("+"):
            yield PhoneNumber(digits, *match.span())


def same_phone(number: str, other_number: str) -> bool:
    """Return whether two numbers end alike; a shorter one, without its area, may be the end of the other."""
    length = min(COMPARED_DIGITS, len(number), len(other_number))
    return number[-length:] == other_number[-length:]


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
    """Yield what might be the number among adjacent figures, whole first: a postal code may precede it."""
    yield written
    words = written.split(" ")
    for start in range(1, len(words)):
        yield " ".join(words[start:])
    for end in range(len(words) - 1, 0, -1):
        yield " ".join(words[:end])
