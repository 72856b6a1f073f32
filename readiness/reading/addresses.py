"""Postal addresses in running text, as eight countries write them."""

# ruff: noqa: E501  # patterns of addresses are easier to compare whole
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from babel.dates import get_month_names

from readiness.reading.page import TextLine

STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky"
    "|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico"
    "|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont"
    "|Virginia|Washington|West Virginia|Wisconsin|Wyoming|District of Columbia"
)
NAME = r"(?-i:[A-ZÀ-ÖØ-ÞŁŚŻŹĆŃ])[\w.'’ß-]{0,30}"
HOUSE = r"\d{1,4}\s?[a-z]?(?:\s?[-–/]\s?\d{1,4}\s?[a-z]?)?(?![\w%€$£])"
AMERICAN = (
    r"(?<![\d.,:])\b\d{1,6}[A-Za-z]?,? (?:[NSEW]\.? )?(?:(?-i:[A-Z0-9])[\w.'-]{0,30} ){1,5}(?:st(?:reet)?|ave(?:nue)?|r(?:oa)?d|blvd|boulevard|dr(?:ive)?|ln|lane|way|hwy|highway|pkwy|parkway"
    r"|ct|court|pl(?:ace)?|cir(?:cle)?|sq(?:uare)?|ter(?:race)?|tr(?:ai)?l|pike|turnpike|row|close|crescent|gardens|mews|estate|loop|plaza|route|freeway|expressway|industrial park)\b\.?"
)
NUMBERED_ROAD = (
    r"\b\d{1,6} (?:(?:US|U\.S\.|State|County|Old|N|S|E|W)\.? )?(?:Highway|Hwy|Route|Rte|Road)\.? \d{1,4}\b"
    r"|\b\d{1,6} (?:(?-i:US|SR|CR|FM)[- ]\d{1,4}|(?:[NSEW]\.? )?(?-i:Broadway|Bowery))\b"
)
GERMAN = (
    rf"\b(?:{NAME}[\s-]){{0,3}}(?:[A-ZÄÖÜ][\w.ß-]{{0,40}})?(?:stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|ring|damm|ufer|chaussee|markt|hof|park|berg|steig|pfad|graben|wall|feld|kamp) {HOUSE}"
    rf"|\b(?:Am|An der|An den|Im|In der|In den|Zum|Zur|Auf dem|Auf der|Unter den|Unter der|Vor dem|Hinter der|Beim|Alte[rn]?|Neue[rn]?|Gro(?:ß|ss)e[rn]?|Kleine[rn]?) (?:{NAME} ){{1,3}}{HOUSE}"
)
DUTCH = rf"\b(?:{NAME} ){{0,3}}[A-Z][\w.'’-]{{0,40}}(?:straat|weg|laan|plein|kade|gracht|dijk|singel|dreef|steeg|pad|hof|baan) {HOUSE}"
ROMANCE = (
    rf"\b{HOUSE},? (?:(?:bis|ter),? )?(?:rue|avenue|av\.|boulevard|bd\.?|route|chemin|place|quai|impasse|all[ée]e|cours|za|zi|zac|rond-point) "
    rf"(?:(?:de|du|des|la|le|les|aux?|saint|sainte)[ -]|[dl]['’]){{0,4}}[\w'’-]{{1,40}}(?:[ -](?:(?:de|du|des|la|le)[ -]){{0,2}}{NAME}){{0,3}}"
    rf"|(?-i:\bZ\.?[AI]\.?C?\.?) (?:(?:de|du|des|la|le|les) |[dl]['’]){{0,3}}{NAME}(?=,? \d{{5}} )"
    rf"|\b(?:calle|c/|avenida|avda?\.|av\.|paseo|plaza|carretera|ctra\.|pol[íi]gono|camino|ronda|via|viale|corso|piazza|strada|largo|rua|estrada|travessa|pra[çc]a|ul\.|ulica|al\.|aleja|pl\.|os\.) ?(?:[\wÀ-ž.'’-]{{1,30}},? ){{1,6}}?(?:n[.º°] ?)?{HOUSE}"
)
BRITISH_ROAD = re.compile(
    rf"(?<![\w.])(?:{NAME} ){{1,3}}(?:road|rd|street|st|lane|avenue|drive|close|way|hill|green|park|estate|wharf|yard|parade|square|terrace|court|gardens|row|mews|approach|rise|vale|grove|crescent|walk|quay|quayside|embankment|bypass|arches)\b\.?(?=[\s,|·•–-])",
    re.I,
)
"""A street whose houses have names instead of numbers, as in `The Old Dairy, Mill Lane, Bath BA1 1AA`."""
BRITISH_CODE = re.compile(r"[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}")
STREET = re.compile(
    f"(?:{AMERICAN})|(?:{NUMBERED_ROAD})|(?:{GERMAN})|(?:{DUTCH})|(?:{ROMANCE})",
    re.I,
)
UNIT_WORDS = r"(?:miles?|km|mi|kms|kilomet\w{1,6}|ccm|kwh?|ps|hp|euros?|eur|usd|vehicles?|cars?|customers?|kunden|fahrzeuge|jahre|years)"
POSTCODE = re.compile(
    rf"\b(?:(?:[A-Z]{{2}}|{STATES})\.?,? \d{{5}}(?:-\d{{4}})?(?!\d)"  # United States
    r"|[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b"  # Canada
    r"|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}\b"  # United Kingdom
    r"|[AC-FHKNPRTV-Y]\d[\dW] ?[\dAC-FHKNPRTV-Y]{4}\b"  # Ireland
    r"|(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT),? \d{4}(?!\d)"  # Australia
    rf"|(?:[A-Z]{{1,2}}-)?\d{{5}} (?!(?i:{UNIT_WORDS})\b)[A-ZÀ-ÖØ-Þ][\w'’]"  # Germany, France, Spain, Italy
    rf"|(?:[A-Z]{{1,2}}-)?\d{{4}} ?[A-Z]{{2}},? [A-Z'’][\w'’]"  # Netherlands
    r"|\d{2}-\d{3} [A-ZŁŚŻŹĆŃ]\w|\d{4}-\d{3} [A-ZÀ-Þ]\w"  # Poland, Portugal
    r"|(?:A|CH|B|L|DK)-\d{4} [A-ZÀ-Þ]\w)"
)
FOUR_FIGURES = re.compile(rf"(?<![\w.,-])[1-9]\d{{3}} (?!(?i:{UNIT_WORDS})\b)[A-ZÀ-Þ]\w")
FOUR_FIGURE_COUNTRIES = frozenset(("AT", "BE", "CH", "DK", "LU", "NO", "NZ"))
"""Where a postal code has no more than four figures; elsewhere these are years and house numbers."""
# A name and a house number right before a postal code is a street, whatever the street is called.
BEFORE_CODE = re.compile(rf"{NAME},? {HOUSE}[\s,|·•–-]{{1,4}}$")
NEAR = 90
LINES_BEFORE = 2


FIGURES = re.compile(
    r"(?:[A-Z]{1,2}-)?(?:\d{4} ?[A-Z]{2}(?![\w'’])|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}(?:-\d{4})?|\d{4})"
    r"|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]\d[\dW] ?[\dA-Z]{4}"
)
WORD_REST = re.compile(r"[\w'’-]{0,40}")
SENTENCE = re.compile(r"(?<!\w)\w{5,40}(?<!str)\. (?=\D)", re.I)
PART_END = re.compile(r"[,;|·•()/]| [-–—] ")
LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pl", "pt")


@dataclass(frozen=True, slots=True)
class WrittenAddress:
    """An address as a text gives it; `is_whole` where a postal code with its town is beside the street.

    `town` is empty where street and code are not in one element, so the start of the address is uncertain.
    """

    text: str
    is_whole: bool
    street: str = ""
    code: str = ""
    town: str = ""


@lru_cache(maxsize=1)
def _date() -> re.Pattern[str]:
    """A day with its month and year, as CLDR names months; `ul. 3 Maja 12` has no year and is a street."""
    names = {
        re.escape(name.rstrip("."))
        for language in LANGUAGES
        for width in ("wide", "abbreviated")
        for name in cast(Mapping[int, str], get_month_names(width, locale=language)).values()
    }
    month = f"(?:{'|'.join(sorted(names, key=len, reverse=True))})"
    year = r"(?:19|20)\d\d(?!\d)"
    return re.compile(
        rf"(?<!\w){month}\.? \d{{1,2}}(?:st|nd|rd|th)?,? {year}|\d{{1,2}}(?:\.|er|º|st|nd|rd|th)? (?:de )?{month}\.?,? (?:de )?{year}",
        re.I,
    )


def written_addresses(lines: Sequence[TextLine], region: str) -> tuple[WrittenAddress, ...]:
    """Every address of a page in a country: those with street, postal code and town first, then single streets.

    The street is in the line of the code or in one of the two lines before it. A street alone counts in an `<address>`
    and beside a line with a link to a telephone or a map. A date is no address.
    """
    whole: list[WrittenAddress] = []
    parts: list[WrittenAddress] = []
    texts = [line.text for line in lines]
    for at, line in enumerate(lines):
        found = [address for code in _codes(line.text, region) if (address := _whole(lines, texts, at, code))]
        whole += found
        beside = lines[max(0, at - LINES_BEFORE) : at + LINES_BEFORE + 1]
        if not found and (line.tag == "address" or any(near.has_contact for near in beside)):
            parts += [
                WrittenAddress(street[0], False, street[0])
                for street in STREET.finditer(line.text)
                if not _date().search(line.text)
            ]
    return (*whole, *parts)


def _codes(text: str, region: str) -> Iterator[re.Match[str]]:
    if any(letter.isdigit() for letter in text):
        yield from POSTCODE.finditer(text)
        if region in FOUR_FIGURE_COUNTRIES:
            yield from FOUR_FIGURES.finditer(text)


def _street_before(text: str, code: re.Match[str], at: int) -> tuple[int, int] | None:
    """Where the street before a code at `at` begins and ends."""
    named = [street.span() for street in STREET.finditer(text, 0, at + 8) if street.end() <= at]
    before = BEFORE_CODE.search(text[:at])
    if before:
        named.append((before.start(), before.start() + len(before[0].rstrip(" ,|·•–-"))))
    if BRITISH_CODE.fullmatch(code[0]):
        named += [road.span() for road in BRITISH_ROAD.finditer(text, 0, at)]
    near = [span for span in named if at - span[1] <= NEAR]
    return max(near, key=lambda span: (span[1], -span[0]), default=None)


def _whole(
    lines: Sequence[TextLine], texts: Sequence[str], at: int, code: re.Match[str]
) -> WrittenAddress | None:
    """The address that ends in a code, from its street to the town behind the code or before it; None without a street."""
    above: list[str] = []
    for line in reversed(texts[max(0, at - LINES_BEFORE) : at]):
        if len(line) > NEAR or POSTCODE.search(line):
            break
        above.insert(0, line)
    lead = " ".join([*above, ""])
    text, code_at, code_end = lead + texts[at], len(lead) + code.start(), len(lead) + code.end()
    span = _street_before(text, code, code_at)
    if span is None or _date().search(text[span[0] : code_end + 4]):
        return None
    start, end = span
    street = text[start:end]
    figures = FIGURES.search(code[0])
    piece = next((piece for piece in lines[at].pieces if code[0] in piece), "")
    before, _, behind = piece.partition(code[0])
    begins = code_at - len(before)
    is_certain = bool(piece) and begins < end
    if start < begins < end and is_certain:
        start, street = begins, text[begins:end]
    # A sentence that ends before a street is none of it; a word of four letters may be an abbreviation.
    sentence = [match.end() for match in SENTENCE.finditer(street)][-1:]
    for cut in sentence:
        start, street = start + cut, street[cut:]
    named = [part for piece in text[end:code_at].split(",") if (part := piece.strip(" |·•–-"))]
    town = next((part for part in named if not any(letter.isdigit() for letter in part)), "")
    if figures is None or figures.end() == len(code[0]):
        known = (figures[0], town) if figures and is_certain else ("", "")
        return WrittenAddress(text[start:code_end], True, street, *known)
    line = code[0] + behind if piece else ""
    ending = PART_END.search(line, len(code[0]))
    line = line[: ending.start()] if ending else line
    rest = WORD_REST.match(text, code_end)
    stops = code_at + len(line) if line else rest.end() if rest else code_end
    return WrittenAddress(
        text[start:stops], True, street, figures[0], line[figures.end() :].strip(" ,") if is_certain else ""
    )
