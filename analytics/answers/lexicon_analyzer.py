"""VADER's values of clauses in less time than the library's; equal to the last bit.

The library looks at each letter for emojis and at each word of a clause again for each word of its lexicon. Words
count only within three words before one of the lexicon and two behind it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from vaderSentiment import vaderSentiment as vader  # pyright: ignore[reportMissingTypeStubs]

LIBRARY = cast(Any, vader)
BEFORE, BEHIND = 3, 2


@dataclass(slots=True)
class NearbyWords:
    """The words around one of the lexicon, in the form that the library reads a text from."""

    words_and_emoticons: list[str]
    is_cap_diff: bool


class LexiconAnalyzer:
    """The library's analyzer, with a short way for clauses without emojis and without `but`."""

    def __init__(self) -> None:
        self._library: Any = LIBRARY.SentimentIntensityAnalyzer()
        self.lexicon: dict[str, float] = self._library.lexicon
        self.emojis: Mapping[str, str] = self._library.emojis

    def polarity_scores(self, text: str) -> Mapping[str, float]:
        """Return the values of a clause by name; `compound` is the one that sums it up, -1 to 1."""
        stripped = text.strip()
        whole = LIBRARY.SentiText(stripped)
        words: list[str] = whole.words_and_emoticons
        folded = [word.lower() for word in words]
        if "but" in folded or not self.emojis.keys().isdisjoint(text):
            return self._library.polarity_scores(text)
        values: list[float] = []
        for at, word in enumerate(folded):
            before_of = word == "kind" and folded[at + 1 : at + 2] == ["of"]
            if word not in self.lexicon or word in LIBRARY.BOOSTER_DICT or before_of:
                values.append(0)
                continue
            first = max(0, at - BEFORE)
            nearby = NearbyWords(words[first : at + BEHIND + 1], whole.is_cap_diff)
            values = self._library.sentiment_valence(0, nearby, words[at], at - first, values)
        return self._library.score_valence(values, stripped)
