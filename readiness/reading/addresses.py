"""Postal addresses in running text, as eight countries write them."""

# ruff: noqa: E501  # patterns of addresses are easier to compare whole
import re
from collections.abc import Sequence
from dataclasses import dataclass

STATES = (
    "Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky"
    "|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New Hampshire|New Jersey|New Mexico"
    "|New York|North Carolina|North Dakota|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|South Carolina|South Dakota|Tennessee|Texas|Utah|Vermont"
    "|Virginia|Washington|West Virginia|Wisconsin|Wyoming|District of Columbia"
)
NAME = r"(?-i:[A-ZÀ-ÖØ-ÞŁŚŻŹĆŃ])[\w.'’ß-]{0,30}"
HOUSE = r"\d{1,4}\s?[a-z]?(?:\s?[-–/]\s?\d{1,4}\s?[a-z]?)?(?![\w%€$£])"
AMERICAN = (
    r"(?<![\d.,])\b\d{1,6}[A-Za-z]?,? (?:[NSEW]\.? )?(?:(?-i:[A-Z0-9])[\w.'-]{0,30} ){1,5}(?:st(?:reet)?|ave(?:nue)?|r(?:oa)?d|blvd|boulevard|dr(?:ive)?|ln|lane|way|hwy|highway|pkwy|parkway"
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
    rf"|(?:[A-Z]{{1,2}}-)?\d{{5}} (?!(?i:{UNIT_WORDS})\b)[A-ZÀ-ÖØ-Þ][\w'’]"  # Germany, France, Spain, Italy
    rf"|(?:[A-Z]{{1,2}}-)?\d{{4}} ?[A-Z]{{2}},? [A-Z'’][\w'’]"  # Netherlands
    r"|\d{2}-\d{3} [A-ZŁŚŻŹĆŃ]\w|\d{4}-\d{3} [A-ZÀ-Þ]\w"  # Poland, Portugal
    rf"|(?:A|CH|B|L|DK)-\d{{4}} [A-ZÀ-Þ]\w|(?<=, )[1-9]\d{{3}} (?!(?i:{UNIT_WORDS})\b)[A-ZÀ-Þ]\w)"  # Austria, Switzerland, Belgium
)
# A name and a house number right before a postal code is a street, whatever the street is called.
BEFORE_CODE = re.compile(rf"{NAME},? {HOUSE}[\s,|·•–-]{{1,4}}$")
NEAR = 90


FIGURES = re.compile(
    r"(?:[A-Z]{1,2}-)?(?:\d{4} ?[A-Z]{2}(?![\w'’])|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}(?:-\d{4})?|\d{4})"
    r"|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|[A-Z]\d[A-Z] ?\d[A-Z]\d"
)
WORD_REST = re.compile(r"[\w'’-]{0,40}")
SENTENCE = re.compile(r"(?<!\w)\w{5,40}(?<!str)\. (?=\D)", re.I)
PART_END = re.compile(r"[,;|·•()/]| [-–—] ")
LONGEST_PART = 200


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


def written_addresses(text: str, code_lines: Sequence[str] = ()) -> tuple[WrittenAddress, ...]:
    """Every street of a text, the ones with postal code and town first.

    `code_lines` are the pieces of text with postal codes, each of one element: nothing outside of it belongs to
    the address. Without one nothing but the word that a code ends in is taken for a part of it.
    """
    whole: list[WrittenAddress] = []
    parts: list[WrittenAddress] = []
    for street in STREET.finditer(text):
        code = POSTCODE.search(text, street.end(), street.end() + NEAR)
        if code:
            whole.append(_whole(text, street[0], street.start(), street.end(), code, code_lines))
        else:
            parts.append(WrittenAddress(street[0], False, street[0]))
    for code in POSTCODE.finditer(text):
        start = max(0, code.start() - NEAR)
        before = BEFORE_CODE.search(text[start : code.start()])
        if before:
            street_text = before[0].rstrip(" ,|·•–-\n")
            at = start + before.start()
            whole.append(_whole(text, street_text, at, at + len(street_text), code, code_lines))
        named = (
            list(BRITISH_ROAD.finditer(text, start, code.start())) if BRITISH_CODE.fullmatch(code[0]) else []
        )
        if named:
            road = named[-1]
            whole.append(_whole(text, road[0], road.start(), road.end(), code, code_lines))
    return (*whole, *parts)


def _whole(
    text: str, street: str, start: int, end: int, code: re.Match[str], lines: Sequence[str]
) -> WrittenAddress:
    """The address from its street to the town after its code, or to the code where the town comes first."""
    figures = FIGURES.search(code[0])
    piece = next((line for line in lines if code[0] in line), "")
    before, _, behind = piece.partition(code[0])
    begins = code.start() - len(before)
    is_certain = begins < end and text.startswith(before, begins)
    if start < begins < end and is_certain:
        start, street = begins, text[begins:end]
    # A sentence that ends before a street is none of it; a word of four letters may be an abbreviation.
    sentence = [match.end() for match in SENTENCE.finditer(street)][-1:]
    for cut in sentence:
        start, street = start + cut, street[cut:]
    named = [part for piece in text[end : code.start()].split(",") if (part := piece.strip(" |·•–-"))]
    town = next((part for part in named if not any(letter.isdigit() for letter in part)), "")
    if figures is None or figures.end() == len(code[0]):
        known = (figures[0], town) if figures and is_certain else ("", "")
        return WrittenAddress(text[start : code.end()], True, street, *known)
    line = code[0] + behind if piece else ""
    ending = PART_END.search(line, len(code[0]))
    line = line[: ending.start()] if ending else line
    rest = WORD_REST.match(text, code.end())
    stops = code.start() + len(line) if line else rest.end() if rest else code.end()
    named_town = line[figures.end() :].strip(" ,") if is_certain else ""
    return WrittenAddress(text[start:stops], True, street, figures[0], named_town)
