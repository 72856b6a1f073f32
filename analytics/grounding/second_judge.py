"""Reads what a second judge says of sentences: a line of the facts, quoted word for word, lets one stand."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, cast
from unicodedata import normalize

from analytics.grounding.flattening import flatten, stems

Verdict: TypeAlias = Literal["supported", "unsupported", "no claim"]
LONGEST_ANSWER = 60_000
"""Characters; a quote for each of the most sentences of one draft needs a third of it."""
MOST_SENTENCES = 60
MOST_FACT_CHARACTERS = 12_000
FEWEST_CHARACTERS, FEWEST_WORDS = 8, 3
"""Letters and digits, and words, of a quote; fewer stand in some line by chance."""
_LETTER_OR_DIGIT = re.compile(r"[^\W_]")
_BLANKS = re.compile(r"\s+")
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class JudgedSentence:
    """What the second judge says of one sentence; `quote` is what it gives as support, unchecked."""

    verdict: Verdict
    quote: str | None = None


def read_judgements(answer: str, count: int) -> Mapping[int, JudgedSentence] | None:
    """Return sentence number (from 1) -> what an answer says of it; None for an answer that cannot be read.

    An answer is a JSON list of objects with `n`, `verdict` and `quote`. A sentence that is judged twice, by a number
    out of range or by other words than the three verdicts is not judged.
    """
    start, end = answer.find("["), answer.rfind("]")
    if len(answer) > LONGEST_ANSWER or start < 0 or end < start:
        return None
    try:
        listed: object = json.loads(answer[start : end + 1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(listed, list):
        return None
    judged: dict[int, JudgedSentence] = {}
    twice: set[int] = set()
    for entry in cast("list[object]", listed):
        if not isinstance(entry, dict):
            continue
        fields = cast("dict[str, object]", entry)
        number, verdict, quote = fields.get("n"), fields.get("verdict"), fields.get("quote")
        if type(number) is not int or not 1 <= number <= count:
            continue
        if number in judged:
            twice.add(number)
        if verdict == "supported" and isinstance(quote, str):
            judged[number] = JudgedSentence("supported", quote)
        elif verdict in ("unsupported", "no claim"):
            judged[number] = JudgedSentence(cast("Verdict", verdict))
    return {number: entry for number, entry in judged.items() if number not in twice}


def clean(text: str) -> str:
    """Return a text as quotes are compared: composed, in lower case, with plain dashes, quotes and single blanks."""
    return _BLANKS.sub(" ", flatten(normalize("NFC", text))).strip()


def find_support(
    quote: str, lines: Sequence[str], sentence: str | None = None, own_names: str = ""
) -> str | None:
    """Return the line in which a quote stands word for word: the whole line, or three words of it; None without one.

    The quote must share a word or number with `sentence`, if that is given. The company's own names are in every
    line and every sentence: they tie nothing to anything.
    """
    cleaned = clean(quote)
    own = stems(flatten(own_names))
    wanted = None if sentence is None else _ties(clean(sentence)) - own
    if len(_LETTER_OR_DIGIT.findall(cleaned)) < FEWEST_CHARACTERS or (
        wanted is not None and not (_ties(cleaned) - own) & wanted
    ):
        return None
    for line in lines:
        flat = clean(line)
        at = flat.find(cleaned)
        if at < 0 or not _is_whole(flat, at, at + len(cleaned)):
            continue
        if flat == cleaned or len(cleaned.split(" ")) >= FEWEST_WORDS:
            return line
    return None


def chosen_lines(lines: Sequence[str], draft: str) -> list[str]:
    """Return the lines to show beside a draft, in their order: all, or those that share most words with it."""
    if sum(map(len, lines)) <= MOST_FACT_CHARACTERS:
        return list(lines)
    wanted = _ties(clean(draft))
    ranked = sorted(range(len(lines)), key=lambda place: (-len(_ties(clean(lines[place])) & wanted), place))
    chosen: list[int] = []
    room = MOST_FACT_CHARACTERS
    for place in ranked:
        if len(lines[place]) <= room:
            chosen.append(place)
            room -= len(lines[place])
    return [lines[place] for place in sorted(chosen)]


def _ties(flat: str) -> frozenset[str]:
    return stems(flat) | frozenset(_DIGITS.findall(flat))


def _is_whole(flat: str, start: int, end: int) -> bool:
    """Tell whether a row of characters begins and ends between words."""
    before, after = flat[start - 1 : start] if start else "", flat[end : end + 1]
    return not (before.isalnum() and flat[start].isalnum()) and not (
        after.isalnum() and flat[end - 1].isalnum()
    )
