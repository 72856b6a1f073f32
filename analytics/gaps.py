"""Content gaps, method gaps/1: prompts that competitors win, or that no content of the brand answers."""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from analytics.text.folding import fold
from analytics.text.language import FUNCTION_WORDS

GAPS_VERSION = "gaps/1"
WINDOW = timedelta(days=28)
LEAST_ANSWERS = 3
HALF = 0.5
CRITICAL_PLATFORMS, CRITICAL_RIVALS = 2, 3
COVERED = 0.5
"""Share of a prompt's weighted words that one item must contain to cover it."""
STALE = timedelta(days=180)
SHORTEST_STEM = 3
ENDINGS = ("ing", "es", "ed", "s", "e")
WORD = re.compile(r"\w+")
ASKING = (
    "what which where when who whom whose why how do does did can could should would will shall may might must "
    "i me my we us our your it its he she they them there any some much many most best good well near "
    "was wie wo wann wer warum welche welcher welches kann ich mein"
)
STOP_WORDS: frozenset[str] = frozenset(ASKING.split()).union(*FUNCTION_WORDS.values())


class GapKind(StrEnum):
    """The kind of gap."""

    ANSWER = "answer"
    CITATION = "citation"
    COVERAGE = "coverage"
    STALE = "stale"
    MISSING_FACT = "missing_fact"


@dataclass(frozen=True, slots=True)
class PromptEvidence:
    """The engines' answers to one unbranded prompt within the window.

    `valid` counts valid answers by platform. `named` and `cited` count answers by entity, with the brand
    under `own`. `rivals_on` are the platforms on which a competitor was named. `measurable` counts answers
    with known citations. Competitors that the prompt itself names are excluded.
    """

    valid: Mapping[str, int]
    named: Mapping[str, int]
    cited: Mapping[str, int]
    measurable: int
    rivals_on: Collection[str] = ()
    own: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """One gap, with the competitors that were found where the brand was not."""

    kind: GapKind
    severity: str
    rivals: tuple[str, ...] = ()
    item: int | None = None
    coverage: float | None = None
    fact: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One published text."""

    title: str
    body: str
    changed_at: datetime


def answer_gap(seen: PromptEvidence) -> Gap | None:
    """Return the gap of a prompt where the brand is never named and a competitor is named in half of the answers."""
    valid = sum(seen.valid.values())
    rivals = {name: count for name, count in seen.named.items() if name != seen.own and count}
    if valid < LEAST_ANSWERS or seen.named.get(seen.own, 0):
        return None
    if not any(count >= HALF * valid for count in rivals.values()):
        return None
    critical = len(seen.rivals_on) >= CRITICAL_PLATFORMS and len(rivals) >= CRITICAL_RIVALS
    return Gap(GapKind.ANSWER, "critical" if critical else "warning", tuple(sorted(rivals)))


def is_answered_enough(seen: PromptEvidence) -> bool:
    """Return whether there are enough answers to rule out an answer gap."""
    return sum(seen.valid.values()) >= LEAST_ANSWERS


def citation_gap(seen: PromptEvidence) -> Gap | None:
    """Return the gap of a prompt where the brand is never cited and a competitor in half of the measurable answers."""
    if not seen.measurable or seen.cited.get(seen.own, 0):
        return None
    rivals = tuple(
        sorted(
            name for name, count in seen.cited.items() if name != seen.own and count >= HALF * seen.measurable
        )
    )
    return Gap(GapKind.CITATION, "warning", rivals) if rivals else None


def stems(text: str) -> frozenset[str]:
    """Return the content words of a text: folded, without function words or endings."""
    return frozenset(stem(word) for word in WORD.findall(fold(text).text) if word not in STOP_WORDS)


def stem(word: str) -> str:
    """Remove one ending and a final e, so that price, prices and pricing are equal; short words are kept."""
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word[: -len(ending)]
    return word


@dataclass(frozen=True)
class ItemLibrary:
    """A brand's items, indexed by word, to find the one that covers a prompt."""

    items: Sequence[Item]
    _holders: dict[str, list[int]] = field(default_factory=dict[str, list[int]], init=False)

    def __post_init__(self) -> None:
        for index, item in enumerate(self.items):
            for word in stems(f"{item.title}\n{item.body}"):
                self._holders.setdefault(word, []).append(index)

    def idf(self, word: str) -> float:
        """Return the weight of a word: ln(1 + (N - df + 0.5) / (df + 0.5)), the idf of BM25."""
        holders = len(self._holders.get(word, ()))
        return math.log(1 + (len(self.items) - holders + 0.5) / (holders + 0.5))

    def best(self, prompt: str) -> tuple[int, float] | None:
        """Return the item that covers most of a prompt's weighted words, and that share; None if no word matches.

        Ties go to the most recently changed item.
        """
        wanted = stems(prompt)
        whole = sum(self.idf(word) for word in wanted)
        if not whole:
            return None
        held: dict[int, float] = {}
        for word in wanted:
            for index in self._holders.get(word, ()):
                held[index] = held.get(index, 0.0) + self.idf(word)
        if not held:
            return None
        index = max(held, key=lambda index: (held[index], self.items[index].changed_at, -index))
        return index, held[index] / whole

    def gaps(self, prompt: str, now: datetime) -> list[Gap]:
        """Return the gaps of the items for a prompt: coverage, else staleness and a requested fact that is missing."""
        if not stems(prompt):
            return []
        best_item = self.best(prompt)
        if best_item is None or best_item[1] < COVERED:
            index, share = best_item or (None, 0.0)
            return [Gap(GapKind.COVERAGE, "warning", item=index, coverage=share)]
        index, share = best_item
        item = self.items[index]
        gaps: list[Gap] = []
        if now - item.changed_at > STALE:
            gaps.append(Gap(GapKind.STALE, "info", item=index, coverage=share))
        missing = missing_fact(prompt, f"{item.title}\n{item.body}")
        if missing is not None:
            gaps.append(Gap(GapKind.MISSING_FACT, "info", item=index, coverage=share, fact=missing))
        return gaps


FACTS: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "price": (
        re.compile(
            r"\b(?:price|prices|pricing|cost|costs|how much|fee|fees|preis|preise|kosten|kostet)\b", re.I
        ),
        re.compile(
            r"(?:[$€£¥]|\b(?:usd|eur|gbp|chf|euro|dollars?)\b)\s?\d|\d\s?(?:[$€£¥]|(?:usd|eur|gbp|chf|euro|dollars?)\b)",
            re.I,
        ),
    ),
    "hours": (
        re.compile(
            r"\b(?:opening hours|hours|open on|open today|closing time|öffnungszeiten|geöffnet)\b", re.I
        ),
        re.compile(r"\b\d{1,2}(?:[:.]\d{2})?\s*(?:am|pm|a\.m\.|p\.m\.|uhr)|\b\d{1,2}:\d{2}\b", re.I),
    ),
    "booking": (
        re.compile(r"\b(?:book|booking|appointment|schedule|reserve|reservation|termin)\b", re.I),
        re.compile(r"\b(?:book|booking|appointment|schedul\w+|reserv\w+|termin\w*)\b", re.I),
    ),
    "address": (
        re.compile(r"\b(?:address|where is|located|location|directions|adresse|anfahrt)\b", re.I),
        re.compile(
            r"\b\d{1,5}[a-z]?\s+(?:[\w.'-]+\s+){0,4}(?:st|street|ave|avenue|rd|road|blvd|lane|way|drive|highway)\b"
            r"|\b\w+(?:straße|strasse|weg|platz|allee)\s+\d",
            re.I,
        ),
    ),
    "phone": (
        re.compile(r"\b(?:phone|telephone|call|phone number|telefon\w*|anrufen)\b", re.I),
        re.compile(r"\+?\(?\d[\d ()./-]{5,18}\d"),
    ),
}
"""Facts that a prompt may request, with the content that an item containing them has."""


def missing_fact(prompt: str, text: str) -> str | None:
    """Return the first fact that a prompt requests and a text does not contain, or None."""
    for fact, (asked, held) in FACTS.items():
        if asked.search(prompt) and not held.search(text):
            return fact
    return None
