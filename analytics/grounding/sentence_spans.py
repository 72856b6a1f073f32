"""Splits a text into its sentences and lines, and tells in which of the six languages it is written."""

import re
from collections import Counter

from analytics.grounding.flattening import flatten
from analytics.grounding.lexicon import MONTH_OF
from analytics.grounding.numerals import LANGUAGES
from analytics.grounding.plain_words import is_plain
from analytics.text.language import FUNCTION_WORDS

LONGEST_TEXT = 40_000
"""Characters of a draft that are read; what an engine may write is a fifth of it."""
_END = re.compile(
    r"(?<!\bDr)(?<!\bSt)(?<!\bMr)(?<!\bMrs)(?<!\bProf)(?<!\bNr)(?<!\bNo)(?<![.!?…。])"
    r"(?!(?<=\b[a-zA-Z]\.[a-zA-Z])\.\s[a-z])[.!?…。]++[\"”»')\]]*+\s++(?=\S)"
    r"|\n++"
)
_LIST_NUMBER = re.compile(
    r"(?:^|[\n#*–-]\s?|[.!?:;]\s|\b(?:am|der|den|dem|die|das|des|vom|zum|im|bis|ab|seit|beim|jede[rnms]?|ihr\w{0,2}"
    r"|unser\w{0,2}|nr|no)"
    r"\s)\d{1,2}[.)]\s*$",
    re.IGNORECASE,
)
"""A number that begins a line, or that a German article makes an ordinal; another one ends its sentence."""
_MONTH_BEHIND = re.compile(rf"(?<!\d)\d{{1,2}}\.\s(?:{'|'.join(MONTH_OF)})\b", re.IGNORECASE)
_LONGEST_MONTH = 12
"""What makes a day of a number: on 24. and 25. December."""
_WORD = re.compile(r"[^\W\d_]+")
_LONGEST_SAMPLE = 4_000
"""Characters that decide which language a text is in."""


def language_of(text: str, otherwise: str = "en") -> str:
    """Return which of the six languages a text is written in, by its function words and, half as much, its plain ones.

    `otherwise` stands when none leads it. A word that it has too, as German has `in` and `an`, speaks for no other
    language.
    """
    counted = Counter(word.casefold() for word in _WORD.findall(text[:_LONGEST_SAMPLE]))
    told = [(word, flatten(word), count) for word, count in counted.items()]
    alone = [row for row in told if not is_plain(row[1], otherwise)]
    counts = {
        language: sum(
            count * (2 if word in FUNCTION_WORDS[language] else is_plain(flat, language))
            for word, flat, count in (told if language == otherwise else alone)
        )
        for language in LANGUAGES
    }
    counts[otherwise] += 1
    return max(counts, key=lambda language: (counts[language], language == otherwise))


def sentences(text: str) -> list[tuple[int, int]]:
    """Return `[start, end)` of the sentences and lines of a text; abbreviations and list numbers end none."""
    spans: list[tuple[int, int]] = []
    start = 0
    for match in _END.finditer(text):
        if "\n" not in match[0] and (
            _LIST_NUMBER.search(text[start : match.start() + 1])
            or _MONTH_BEHIND.search(text, max(start, match.start() - 3), match.end() + _LONGEST_MONTH)
        ):
            continue
        spans.append((start, match.end()))
        start = match.end()
    spans.append((start, len(text)))
    return [(low, high) for low, high in spans if text[low:high].strip()]
