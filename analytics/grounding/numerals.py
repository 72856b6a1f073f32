"""Reads numbers, in digits and in words of English, German, French, Spanish, Italian and Dutch."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from analytics.text.prices import number

LANGUAGES = ("en", "de", "fr", "es", "it", "nl")
_TOKEN = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(
    r"(?<![\d.,])(?:\d{1,3}(?:[., ']\d{3})+(?![\d])(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)?)(?!\d)"
)
_SCALE = re.compile(
    r"[ -]?(?:(?P<thousand>k\b|thousand|tausend|tsd\b|mille\b|mil\b|mila\b|duizend)"
    r"|(?P<million>m\b(?=[^\w]|$)|million(?:s|en)?|mio\b|millones|milioni|miljoen))"
)
_MONEY = re.compile(r"(?:[$€£¥]|\b(?:usd|eur|gbp|chf))\s?\Z")
_TEENS: Mapping[str, str] = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen",
    "de": "null ein zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn "
    "siebzehn achtzehn neunzehn",
    "fr": "zero un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "es": "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis "
    "diecisiete dieciocho diecinueve",
    "it": "zero uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici "
    "sedici diciassette diciotto diciannove",
    "nl": "nul een twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien "
    "zeventien achttien negentien",
}
_TENS: Mapping[str, str] = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig funfzig sechzig siebzig achtzig neunzig",
    "fr": "vingt trente quarante cinquante soixante",
    "es": "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "it": "venti trenta quaranta cinquanta sessanta settanta ottanta novanta",
    "nl": "twintig dertig veertig vijftig zestig zeventig tachtig negentig",
}
_HUNDREDS: Mapping[str, str] = {
    "en": "hundred", "de": "hundert", "fr": "cent cents", "es": "cien ciento", "it": "cento", "nl": "honderd",
}  # fmt: skip
_THOUSANDS: Mapping[str, str] = {
    "en": "thousand", "de": "tausend", "fr": "mille", "es": "mil", "it": "mille mila", "nl": "duizend",
}  # fmt: skip
_MILLIONS = frozenset(
    ("million", "millions", "millionen", "millon", "millones", "milione", "milioni", "miljoen")
)
_LINKS: Mapping[str, str] = {"en": "and", "de": "und", "fr": "et", "es": "y", "it": "e", "nl": "en"}
_LINKED: Mapping[str, tuple[str, str]] = {
    "en": (r"hundred|thousand|million", r"(?!hundred|thousand)\w+"),
    "de": (r"hundert|tausend|million(?:en)?", r"\w+"),
    "fr": (r"vingt|trente|quarante|cinquante|soixante|septante|huitante|nonante|cent|mille", r"une?|onze"),
    "es": (r"(?:treint|cuarent|cincuent|sesent|setent|ochent|novent)a", r"un[oa]?|dos|tres|cuatro|cinco|seis|siete"
    "|ocho|nueve"),
    "it": (r"cento|mille|mila", r"\w+"),
    "nl": (r"honderd|duizend|miljoen", r"\w+"),
}  # fmt: skip
"""Before and behind which words a link joins two number words: thirty-five in Spanish, no `five and fifteen`."""
_HALVES: Mapping[str, re.Pattern[str]] = {
    "en": re.compile(r" and a half\b"),
    "de": re.compile(r" (?:und )?ein ?halb\b"),
    "nl": re.compile(r" en (?:een )?half\b"),
}
"""What adds a half to the number before it; French, Spanish and Italian say so of hours of the day."""
_SPANISH_HUNDREDS = (
    "doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos"
)
_ARTICLES = frozenset(
    (
        "a",
        "an",
        "ein",
        "eine",
        "einen",
        "einem",
        "einer",
        "eines",
        "un",
        "une",
        "una",
        "uno",
        "een",
        "one",
        "eins",
    )
)
_SPAN = re.compile(
    r"[ -](?:year|month|week|jahr|monat|woche|an|annee|mois|semaine|ano|mes|semana|anno|mese|settimana|jaar|maand|week)"
    r"(?:es?)?\b"
)
"""What makes one of a thing out of an article: a year of warranty is a claim, a day like any other is none."""
_WITHIN = re.compile(
    r"\b(?:binnen|within|innerhalb|en|in|sous|entro|takes?|lasts?|dauert|dure|tarda|dura|duurt)\s\Z"
)
_LASTS = re.compile(r"\b(?:within|in|for|after|than|takes?|lasts?|least|most|just|only|about)\s\Z")
"""What stands before a span of time that is counted in English, where `a week` alone is every week."""
_AHEAD = re.compile(
    r" (?:day|week|month|year) or (?:more|longer) (?:ahead|before|beforehand|in advance|earlier|notice)\b"
)
"""The same behind it."""
_ONE_COIN = re.compile(
    r"(?:one (?:euro|pound|dollar|franc)|eine?n? (?:euro|franken|dollar|pfund)|un (?:euro|franc|dollar)|un (?:euro"
    r"|dolar|franco)"
    r"|een (?:euro|pond))\b"
)
_ONE_O_CLOCK = re.compile(
    r"ein uhr\b|one o'clock\b|une heure (?:du matin|de l'apres-midi|et demie)\b|una (?:de la tarde|y media|y cuarto)\b"
    r"|una (?:e mezza|del pomeriggio)\b|een uur 's (?:middags|nachts)\b"
)
_AT = re.compile(
    r"(?:\b(?:at|until|till|from|by|um|bis|halb|gegen|half|(?:a|hasta|desde|de) la)|\b(?:al|dal)l') ?\Z"
)
_NOTHING_BEHIND = re.compile(r"\s{0,3}(?:[.,;:!?)]|\Z|\s(?:to|until|till|bis|and|und|y|e|hasta)\b)")
"""What makes an hour of an article: at one, um eins, a la una."""
_ONE_DAY = re.compile(r" (?:day|tage?s?|jour|dia|giorno|dag)\b")
_AMBIGUOUS = frozenset(
    (
        "once",
        "due",
        "sei",
        "cent",
        "tres",
        "neuf",
        "mil",
        "mille",
        "elf",
        "null",
        "nul",
        "six",
        "dix",
        "acht",
        "nove",
        "zero",
        "an",
    )
)
"""Words that are a number in one language and another word in the next; they count in their own language only."""


_ONE, _HALF = Decimal(1), Decimal("0.5")
_ONE_AND_HALF: Mapping[str, Mapping[str, Decimal]] = {
    language: dict.fromkeys(words.split(), _ONE + _HALF)
    for language, words in {
        "en": "", "de": "anderthalb eineinhalb", "fr": "", "es": "", "it": "", "nl": "anderhalf anderhalve",
    }.items()
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Number:
    """A number at `[start, end)`."""

    value: Decimal
    start: int
    end: int
    in_words: bool = False


def numbers(flat: str, languages: Sequence[str]) -> list[Number]:
    """Return the numbers of a flat text in order; words are read in these languages, the first is the text's own."""
    read: list[Number] = [*_numbers_in_digits(flat)]
    for at, language in enumerate(languages):
        for spelled in _numbers_in_words(flat, language, own=at == 0):
            if not any(other.start < spelled.end and spelled.start < other.end for other in read):
                read.append(spelled)
    return sorted(read, key=lambda each: each.start)


def _numbers_in_digits(flat: str) -> Iterator[Number]:
    for match in _DIGITS.finditer(flat):
        value = number(match[0].replace("'", ""))
        if value is None:
            continue
        scale = _SCALE.match(flat, match.end())
        if scale is None or (
            scale[0].endswith("m") and not _MONEY.search(flat, max(0, match.start() - 4), match.start())
        ):
            yield Number(value, *match.span())  # 1.4 m are metres, £1.4m are millions
        else:
            yield Number(value * (1000 if scale["thousand"] else 1_000_000), match.start(), scale.end())


def _numbers_in_words(flat: str, language: str, *, own: bool) -> Iterator[Number]:
    """Yield what rows of number words of one language say; articles alone say nothing."""
    row: list[tuple[str, int, int]] = []
    for token in _TOKEN.finditer(flat):
        word = token[0]
        parts = () if word in _AMBIGUOUS and not own else _parts(word, language)
        joined = bool(row) and flat[row[-1][2] : token.start()].strip(" -") == ""
        if row and not joined:
            yield from _row(row, language, flat)
            row = []
        if parts:
            row += [(part, token.start(), token.end()) for part in parts]
        elif row and word == _LINKS[language] and _links(row[-1][0], flat, token.end(), language):
            row.append((word, token.start(), token.end()))
        else:
            yield from _row(row, language, flat)
            row = []
    yield from _row(row, language, flat)


def _links(before: str, flat: str, end: int, language: str) -> bool:
    """Tell whether a link that ends here joins the number words before and behind it."""
    first, last = _LINKED[language]
    return (
        re.fullmatch(first, before) is not None
        and re.match(rf" (?:{last})\b", flat[end : end + 16]) is not None
    )


def _row(row: list[tuple[str, int, int]], language: str, flat: str) -> Iterator[Number]:
    while row and row[-1][0] == _LINKS[language]:
        row = row[:-1]
    if len(row) > 1 and row[0][0] in _ARTICLES and row[1][0] not in (*_multipliers(language), *_MILLIONS):
        row = row[1:]  # una ventina is twenty
    words = [word for word, _, _ in row]
    if not words or (len(words) == 1 and words[0] in _ARTICLES and not _is_span(flat, row[0])):
        return
    value, end = _value(words, language), row[-1][2]
    half = _HALVES[language].match(flat, end) if language in _HALVES else None
    if half is not None:
        value, end = value + _HALF, half.end()
    yield Number(value, row[0][1], end, in_words=True)


def _is_span(flat: str, token: tuple[str, int, int]) -> bool:
    """Tell whether an article stands before a span of time that it counts."""
    word, start, end = token
    if (
        word in ("a", "an")
        and not _LASTS.search(flat, max(0, start - 16), start)
        and not _AHEAD.match(flat, end)
    ):
        return False
    if _SPAN.match(flat, end) or _ONE_COIN.match(flat, start):
        return True
    if _ONE_O_CLOCK.match(flat, start) or (
        _AT.search(flat, max(0, start - 12), start) and _NOTHING_BEHIND.match(flat, end)
    ):
        return True
    return (
        _WITHIN.search(flat, max(0, start - 12), start) is not None and _ONE_DAY.match(flat, end) is not None
    )


def _value(words: Sequence[str], language: str) -> Decimal:
    """Add up a row of number words; `vier vingt` in French is four times twenty."""
    small = _small(language)
    total = current = Decimal(0)
    for at, word in enumerate(words):
        if word in _MILLIONS:
            total, current = (total + max(current, _ONE)) * 1_000_000, Decimal(0)
        elif word in _THOUSANDS[language].split():
            total, current = total + max(current, _ONE) * 1000, Decimal(0)
        elif word in _HUNDREDS[language].split():
            current = max(current, _ONE) * 100
        elif language == "fr" and word in ("vingt", "vingts") and at and words[at - 1] == "quatre":
            current += 76
        else:
            current += small.get(word, 0)
    return total + current


@cache
def _small(language: str) -> dict[str, Decimal]:
    """Return the words below a hundred of a language, as they stand in one piece."""
    teens = _TEENS[language].split()
    tens = _TENS[language].split()
    small = {word: value for value, word in enumerate(teens)}
    small |= {word: value * 10 for value, word in enumerate(tens, 2)}
    units = teens[1:10]
    for decade, ten in enumerate(tens, 2):
        for unit_value, unit in enumerate(units, 1):
            value = decade * 10 + unit_value
            if language == "de":
                small[f"{unit}und{ten}"] = value
            elif language == "nl":
                small[f"{unit}en{ten}"] = value
            elif language == "it":
                small[f"{ten[:-1] if unit[0] in 'uo' else ten}{unit}"] = value
    small |= _variants(language)
    exact = {word: Decimal(value) for word, value in small.items()}
    half = {"de": "einhalb", "nl": "enhalf"}.get(language)
    halves = {f"{unit}{half}": exact[unit] + _HALF for unit in units} if half else {}
    return {**exact, **halves, **_ONE_AND_HALF[language]}


def _variants(language: str) -> dict[str, int]:
    """Return forms that the rules of a language do not give."""
    if language == "es":
        spelled = "veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho"
        hundreds = {word: value * 100 for value, word in enumerate(_SPANISH_HUNDREDS.split(), 2)}
        feminine = {word.replace("tos", "tas"): value for word, value in hundreds.items()}
        twenties = {word: value for value, word in enumerate(spelled.split(), 21)}
        return {
            **twenties,
            **hundreds,
            **feminine,
            "veintiun": 21,
            "veintinueve": 29,
            "un": 1,
            "una": 1,
            "decena": 10,
            "docena": 12,
            "quincena": 15,
            "veintena": 20,
            "treintena": 30,
            "centenar": 100,
        }
    return {
        "en": {"dozen": 12, "a": 1, "an": 1},
        "de": {
            "eins": 1,
            "eine": 1,
            "einen": 1,
            "einem": 1,
            "einer": 1,
            "eines": 1,
            "dreissig": 30,
            "zwo": 2,
            "dutzend": 12,
        },
        "fr": {
            "vingts": 20,
            "une": 1,
            "septante": 70,
            "huitante": 80,
            "nonante": 90,
            "dizaine": 10,
            "douzaine": 12,
            "quinzaine": 15,
            "vingtaine": 20,
            "trentaine": 30,
            "quarantaine": 40,
            "cinquantaine": 50,
            "soixantaine": 60,
            "centaine": 100,
        },
        "it": {
            "un": 1,
            "una": 1,
            "decina": 10,
            "dozzina": 12,
            "quindicina": 15,
            "ventina": 20,
            "trentina": 30,
            "quarantina": 40,
            "cinquantina": 50,
            "sessantina": 60,
            "centinaio": 100,
        },
        "nl": {
            "dozijn": 12,
            "tiental": 10,
            "vijftiental": 15,
            "twintigtal": 20,
            "dertigtal": 30,
            "vijftigtal": 50,
        },
    }[language]


@cache
def _multipliers(language: str) -> tuple[str, ...]:
    return (*_THOUSANDS[language].split(), *_HUNDREDS[language].split())


@cache
def _parts(word: str, language: str) -> tuple[str, ...]:
    """Return the number words that a word is made of, `zwanzig tausend` of `zwanzigtausend`; none for other words."""
    if word in _small(language) or word in _MILLIONS or word in _multipliers(language):
        return (word,)
    if language not in ("de", "it", "nl"):
        return ()
    for multiplier in _multipliers(language):
        before, cut, after = word.partition(multiplier)
        if not cut:
            continue
        left = _parts(before, language) if before else ()
        right = (
            _parts(after.removeprefix(_LINKS[language]) if language != "it" else after, language)
            if after
            else ()
        )
        if (left or not before) and (right or not after):
            return (*left, multiplier, *right)
    return ()
