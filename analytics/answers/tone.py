"""Judges how an English answer speaks of an entity, with the VADER lexicon."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Protocol

from analytics.answers.descriptions import Descriptions
from analytics.matching.mentions import Mention
from analytics.text.language import is_english

VERSION = "lexicon-en/2"

_THRESHOLD = 0.05


_PRODUCT_WORDS = {
    2.0: "stellar top-notch first-rate world-class",
    1.5: "reputable knowledgeable well-regarded highly-rated top-rated seamless award-winning dependable well-made",
    1.0: "durable intuitive affordable",
    -1.0: "pricey outdated mediocre cumbersome",
    -1.5: "overpriced subpar lackluster lacklustre underwhelming flimsy clunky unresponsive glitchy buggy",
    -2.0: "unhelpful unreliable shoddy second-rate untrustworthy overcharges overcharged ripoff rip-off",
}
"""Words of ours that VADER's lexicon lacks, by valence, -4 to 4."""


class ToneLabel(StrEnum):
    """`NOT_JUDGED` means that the lexicon does not read the answer's language, never neutral."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True)
class Tone:
    """An answer's tone towards an entity; `value` is the mean of its clauses, -1 to 1, None if not judged."""

    label: ToneLabel
    value: float | None


NOT_JUDGED = Tone(ToneLabel.NOT_JUDGED, None)


class _Analyzer(Protocol):
    """What is used of the library, which has no types."""

    lexicon: dict[str, float]

    def polarity_scores(self, text: str) -> Mapping[str, float]: ...


@cache
def _analyzer() -> _Analyzer:
    """Loaded at first use: it reads a lexicon of 7,500 words, which misses some that are said of products."""
    analyzer: _Analyzer = import_module("vaderSentiment.vaderSentiment").SentimentIntensityAnalyzer()
    for valence, words in _PRODUCT_WORDS.items():
        for word in words.split():
            analyzer.lexicon.setdefault(word, valence)
    return analyzer


def compound(clause: str) -> float:
    """VADER's compound value of a clause, -1 to 1 (C. J. Hutto, E. Gilbert, ICWSM 2014)."""
    return _analyzer().polarity_scores(clause)["compound"]


def label_of(value: float) -> ToneLabel:
    """Positive from 0.05, negative from -0.05, neutral between: the thresholds VADER's authors give."""
    if value >= _THRESHOLD:
        return ToneLabel.POSITIVE
    return ToneLabel.NEGATIVE if value <= -_THRESHOLD else ToneLabel.NEUTRAL


def tones(text: str, mentions: Sequence[Mention], prompt_language: str | None = None) -> dict[str, Tone]:
    """The tone towards each entity with a counted span: the label of the mean over what describes its spans.

    A span is described by its clause, or by the item, line or heading that it opens. Not judged when the answer is
    not English; `prompt_language` (a BCP 47 tag) decides for texts under 12 words.
    """
    named = [mention for mention in mentions if mention.counted]
    if not named:
        return {}
    if not is_english(text, prompt_language):
        return {mention.entity_id: NOT_JUDGED for mention in named}
    spans = sorted((span.start, span.end) for mention in mentions for span in mention.spans)
    descriptions = Descriptions(text, spans)
    values: dict[str, float] = {}
    judged: dict[str, Tone] = {}
    for mention in named:
        described = [descriptions.of(span.start, span.end) for span in mention.counted]
        for description in described:
            if description not in values:
                values[description] = compound(description)
        mean = sum(values[description] for description in described) / len(described)
        judged[mention.entity_id] = Tone(label_of(mean), mean)
    return judged
