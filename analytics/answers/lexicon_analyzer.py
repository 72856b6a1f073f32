"""VADER's values of clauses in less time than the library's; equal to the last bit.

The library looks at each letter for emojis, at each word of a clause again for each word of its lexicon, for each
of its negations in a list, and for idioms where none of their words stands. Words count only within three words
before one of the lexicon and two behind it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import punctuation
from typing import Any, cast

from vaderSentiment import vaderSentiment as vader  # pyright: ignore[reportMissingTypeStubs]

LIBRARY = cast(Any, vader)
BEFORE, BEHIND = 3, 2
NEGATIONS = frozenset[str](LIBRARY.NEGATE)
SHORTEST_WORD = 3
"""Letters of a word below which the marks around it may make it an emoticon, and stay."""
OF_IDIOMS = frozenset(
    max(idiom.split(), key=len)
    for idiom in (*LIBRARY.SPECIAL_CASES, *LIBRARY.BOOSTER_DICT)
    if len(idiom.split()) > 1
)
"""The longest word of each idiom: without it there is none."""
STRESSED = 1.25
"""How much more a word counts after `so` or `never so`, and a little further on."""


@dataclass(slots=True)
class NearbyWords:
    """The words around one of the lexicon, in the form that the library reads a text from."""

    words_and_emoticons: list[str]
    is_cap_diff: bool


class LexiconAnalyzer:
    """The library's analyzer, with a short way for clauses without emojis and without `but`."""

    def __init__(self) -> None:
        self._library: Any = LIBRARY.SentimentIntensityAnalyzer()
        self._library._negation_check = negated_valence
        self._library_idioms = self._library._special_idioms_check
        self._library._special_idioms_check = self._valence_in_idiom
        self.lexicon: dict[str, float] = self._library.lexicon
        self.emojis: Mapping[str, str] = self._library.emojis

    def polarity_scores(self, text: str) -> Mapping[str, float]:
        """Return the values of a clause by name; `compound` is the one that sums it up, -1 to 1."""
        stripped = text.strip()
        words = [
            word if len(word := token.strip(punctuation)) >= SHORTEST_WORD else token
            for token in stripped.split()
        ]
        folded = [word.lower() for word in words]
        if "but" in folded or not self.emojis.keys().isdisjoint(text):
            return self._library.polarity_scores(text)
        in_capitals = sum(map(str.isupper, words))
        is_cap_diff = 0 < in_capitals < len(words)
        values: list[float] = [0] * len(words)
        for at, word in enumerate(folded):
            if word not in self.lexicon or word in LIBRARY.BOOSTER_DICT:
                continue
            if word == "kind" and folded[at + 1 : at + 2] == ["of"]:
                continue
            first = max(0, at - BEFORE)
            nearby = NearbyWords(words[first : at + BEHIND + 1], is_cap_diff)
            (values[at],) = self._library.sentiment_valence(0, nearby, words[at], at - first, [])
        return self._library.score_valence(values, stripped)

    def _valence_in_idiom(self, valence: float, words: list[str], at: int) -> float:
        """Return what an idiom makes of the value of the word at a place; most words stand near none of its words."""
        if OF_IDIOMS.isdisjoint([word.lower() for word in words]):
            return valence
        return self._library_idioms(valence, words, at)


def negated_valence(valence: float, words: Sequence[str], distance: int, at: int) -> float:
    """Return what the value of the word at a place is for the one that stands `distance` + 1 words before it."""
    before = [word.lower() for word in words[at - distance - 1 : at]]
    first, last = before[0], before[-1]
    if distance:
        second = before[1]
        never_so = first == "never" and second in ("so", "this")
        if never_so or (distance > 1 and last in ("so", "this")):
            return valence * STRESSED
        if first == "without" and "doubt" in (second, last):
            return valence
    return valence * LIBRARY.N_SCALAR if first in NEGATIONS or "n't" in first else valence
