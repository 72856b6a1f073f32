"""Finds names of people, places and organisations that no fact vouches for."""

import re
from collections.abc import Iterator

from analytics.grounding import opening_words
from analytics.grounding.addressees import addressees
from analytics.grounding.flattening import flatten
from analytics.grounding.kinship import KIN_WORD
from analytics.grounding.known_families import KnownFamilies
from analytics.grounding.known_names import COMMON, GIVEN_NAMES, PARTICLES, PLACES

# Bounded, so that a letter repeated ten thousand times is not read again from each of its places.
_WORD = re.compile(r"[^\W\d_]{1,40}(?:['’-][^\W\d_]{1,40}){0,4}")
_BEGINS = re.compile(r"(?:\A|[.!?:…\"“„«»(\[|>¿¡]|\n|[-–—*•]\s?|\d[.)])\s*\Z")
_TITLE = re.compile(
    r"\b(?:mr|mrs|ms|miss|mx|dr|prof|sir|dame|herrn?|frau|monsieur|madame|mme|don|dona|senora?|signora?"
    r"|mevrouw|meneer"
    r"|dhr|mw|meister|\w*meister(?:in)?|geschaftsfuhrer(?:in)?|inhaber(?:in)?|chefin?|monteur|le chef)\.?\s\Z"
)
_CALLING = re.compile(
    r"\b(?:ask(?: for)?|meet|speak (?:to|with)|talk (?:to|with)|owner|founder|manager|director|mechanic"
    r"|technician"
    r"|advis[eo]r|sales(?:wo)?man)[ ,:]{1,3}\Z"
)
_LEGAL_FORM = frozenset(
    (
        "gmbh",
        "ag",
        "inc",
        "ltd",
        "llc",
        "sarl",
        "sas",
        "sa",
        "sl",
        "srl",
        "spa",
        "bv",
        "nv",
        "plc",
        "kg",
        "ohg",
    )
)
_ELISION = re.compile(r"^(?:l|d|c|j|m|n|s|t|qu|all|dell|nell|sull|un)['’]", re.IGNORECASE)
_POSSESSIVE = re.compile(r"(?:['’]s|-(?:based|born|area|style|made|grown))\Z")
_LETTERS = re.compile(r"[^\W_]+")
_BESIDE_KIN = re.compile(rf"(?:{KIN_WORD.pattern})\s\Z")
_MOST_JOINED = 6
_NAME_BEHIND = re.compile(r" [A-ZÀ-ÖØ-Þ][a-zà-öø-ÿß]{2,}")
"""What makes a name of a word that is short for a day: Sam Ridley."""
_SURNAMES = frozenset(
    [
        "vos",
        "may",
        "best",
        "young",
        "will",
        "long",
        "welcome",
        "mai",
        "freitag",
        "sommer",
        "winter",
        "don",
        "val",
    ]
)
"""Words of grammar that are names behind a given name."""


_FORMAL = frozenset(("suo", "sua", "suoi", "sue", "vostro", "vostra", "vostri", "vostre", "ella"))
"""Pronouns that Italian letters write with a capital."""


class KnownWords:
    """The words of everything that is known, to look names up in."""

    def __init__(self, material: str) -> None:
        flat = flatten(material)
        self._line = f" {' '.join(_LETTERS.findall(flat))} "
        self.lower = frozenset(re.findall(r"(?<![^\W_])[a-zà-öø-ÿ][^\W\d_]+", material))
        self._families = KnownFamilies([material])

    def extended(self, text: str) -> "KnownWords":
        """Return these words and those of another text."""
        extended = KnownWords(text)
        extended._line = f"{self._line}{extended._line}"
        extended.lower = self.lower | extended.lower
        return extended

    def holds(self, words: list[str]) -> bool:
        """Tell whether these words stand in the material one after the other."""
        wanted = " ".join(_LETTERS.findall(flatten(" ".join(words))))
        return not wanted or f" {wanted} " in self._line

    def holds_parts(self, words: list[str]) -> bool:
        """Tell whether a row of words is made of rows that stand in the material; a person's name must stand whole."""
        if self.holds(words):
            return True
        for cut in range(len(words) - 1, 0, -1):
            head = words[:cut]
            is_given = cut == 1 and flatten(head[0]) in GIVEN_NAMES
            if self.holds(head) and (not is_given or self._families.has_name(head[0], words[1])):
                return self.holds_parts(words[cut:])
        return False


def unknown_names(
    text: str, known: KnownWords, language: str, *, plain: frozenset[str]
) -> list[tuple[str, int, int]]:
    """Return (name, start, end) of what reads like a name in one sentence and does not stand in the material.

    `plain` are words that the draft also writes in lower case. In German every noun has a capital, so that a row of
    capitalised words is a name only where a given name, a place, a title or a legal form says so.
    """
    greeted = addressees(text)
    return [
        (" ".join(word for word, _, _ in row), row[0][1], row[-1][2])
        for row in _rows(text)
        if not any(low <= row[-1][1] < high for low, high in greeted)
        and _is_name(text, row, known, language, plain)
    ]


def _rows(text: str) -> Iterator[list[tuple[str, int, int]]]:
    """Yield rows of capitalised words, particles between them; function words end a row."""
    row: list[tuple[str, int, int]] = []
    for match in _WORD.finditer(text):
        elided = _ELISION.match(match[0])
        start = match.start() + (elided.end() if elided and elided.end() < len(match[0]) else 0)
        word = _POSSESSIVE.sub("", text[start : match.end()])
        gap = text[row[-1][2] : match.start()] if row else ""
        joined = gap in (" ", "", "'s ", "’s ") or (
            gap == ". " and flatten(row[-1][0]) in ("dr", "prof", "mr", "mrs", "ms")
        )
        if row and (not joined or len(row) >= _MOST_JOINED or elided):
            yield from _trimmed(row)
            row = []
        flat = flatten(word)
        is_surname = bool(row) and joined and flat in _SURNAMES
        is_given = len(flat) <= opening_words.LONGEST_SHORT_DAY and _NAME_BEHIND.match(text, match.end())
        may_name = (
            word[0].isupper()
            and (is_surname or flat not in COMMON)
            and not KIN_WORD.fullmatch(flat)
            and (bool(is_given) or not opening_words.DAY_OR_HOUR.fullmatch(flat))
        )
        if may_name or (row and flat in PARTICLES):
            row.append((word, start, start + len(word)))
        else:
            yield from _trimmed(row)
            row = []
    yield from _trimmed(row)


def _trimmed(row: list[tuple[str, int, int]]) -> Iterator[list[tuple[str, int, int]]]:
    while row and not row[-1][0][0].isupper():
        row = row[:-1]
    if row:
        yield row


def _is_name(
    text: str, row: list[tuple[str, int, int]], known: KnownWords, language: str, plain: frozenset[str]
) -> bool:
    words = [word for word, _, _ in row if not (language == "it" and flatten(word) in _FORMAL)]
    if not words:
        return False
    before = flatten(text[max(0, row[0][1] - 24) : row[0][1]])
    addressed = _TITLE.search(before) is not None or _CALLING.search(before) is not None
    flat = [flatten(word) for word in words]
    if len(words) > 1 and _TITLE.search(f"{flat[0]} "):
        words, flat, addressed = words[1:], flat[1:], True
    told = addressed or any(word in GIVEN_NAMES or word in PLACES or word in _LEGAL_FORM for word in flat)
    if known.holds_parts(words):
        return False
    if language == "de" and words[-1].endswith("s") and known.holds_parts([*words[:-1], words[-1][:-1]]):
        return False  # Susanne Kerns Mann
    if language == "de":
        return told and not all(word in plain for word in flat)
    if _BEGINS.search(text[: row[0][1]][-12:]) is not None and not told:
        words, flat = words[1:], flat[1:]
    suspects = [
        word for word, folded in zip(words, flat, strict=True)
        if not word.isupper() and folded not in plain and folded not in PARTICLES
    ]  # fmt: skip
    return bool(suspects) and not known.holds_parts(suspects)


def person_names(text: str, language: str) -> Iterator[list[str]]:
    """Yield the words of each name in a text that says who does something: a given name and on, or after a title.

    Where nouns have no capitals, two words with capitals side by side name somebody too.
    """
    for row in _rows(text):
        words = [word for word, _, _ in row]
        flat = [flatten(word) for word in words]
        given = next((at for at, word in enumerate(flat) if word in GIVEN_NAMES), None)
        before = flatten(text[max(0, row[0][1] - 24) : row[0][1]])
        if given is None and _BESIDE_KIN.search(before):
            given = 0  # ihre Tochter Lena
        if given is not None:
            name = words[given:]
        elif _TITLE.search(f"{flat[0]} ") and len(words) > 1:
            name = words[1:]
        elif _TITLE.search(before) or (
            language != "de"
            and len(words) > 1
            and not any(map(str.isupper, words))
            and not PLACES.intersection(flat)
        ):
            name = words
        else:
            continue
        tokens = [word for word in name if flatten(word) not in PARTICLES and len(word) > 2]
        if tokens:
            yield tokens
