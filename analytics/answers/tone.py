"""Classifies the tone (sentiment) of an English answer towards an entity, with the VADER lexicon."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from typing import Final, Protocol

from analytics.answers.descriptions import Descriptions
from analytics.answers.tone_wording import plain_wording
from analytics.answers.tone_words import NEUTRAL_WORDS, PRODUCT_WORDS
from analytics.matching.mentions import Mention
from analytics.text.folding import without_case
from analytics.text.language import is_english

VERSION = "lexicon-en/7"

_THRESHOLD = 0.05
_LONGEST_LEAD: Final = 60
_LEAST_OUTDONE: Final = 0.2
# Phrases before a name that is compared unfavorably, phrases that say nothing matches the name, and phrases
# before or after a name that refer to other entities.
_COMPARED = re.compile(
    r"(?:\bthan|(?:\bnot|n['’]t)(?: quite| nearly)? as \w{1,20}(?: \w{1,20})? as)(?: the| an?)?[ *_\"“'\[]{1,6}\Z",
    re.IGNORECASE,
)
_OUTDONE = re.compile(
    r"\b(?:(?:better|rather|instead|stronger|greater|superior|sooner) than|beats?|outperforms?|outshines?|surpasses"
    r"|outclasses|trumps|edges out|preferred to|preferable to|superior to|plagues?|plaguing|troubles?|haunts?)"
    r"(?: the| an?)?[ *_\"“'\[]{1,6}\Z",
    re.IGNORECASE,
)
_OTHERS_BEFORE = re.compile(
    r"\b(?:alternatives?|competitors?|rivals?|replacements?|substitutes?) (?:to|of|for)[ *_\"“'\[]{1,6}\Z",
    re.IGNORECASE,
)
_OTHERS_AFTER = re.compile(
    r"(?:['’]s?|\*\*['’]s)[*_]{0,2} (?:\w{1,20} )?(?:competitors?|competition|rivals?|peers|alternatives?)\b",
    re.IGNORECASE,
)
_UNEQUALED = re.compile(
    r"\b(?:nothing|none|nobody|no one|no other|few|can't|cannot|won't|didn't|couldn't|never|hard to)\b[^.;\n]{0,40}?"
    r"\b(?:close to|better than|beats?|tops?|rivals?|match(?:es)?|equals?|compares? (?:to|with)|compete with"
    r"|go wrong with|fault)"
    r"[ *_\"“'\[]{1,6}\Z",
    re.IGNORECASE,
)
_MARKS_BEFORE_NAME = " *_\"“'["
_LEADING_WORDS = (
    *("than", "as", "the", " a", " an", "to", "of", "for", "with", "fault"),
    *("beat", "beats", "top", "tops", "rival", "rivals", "match", "matches", "equal", "equals"),
    *("outperform", "outperforms", "outshine", "outshines", "surpasses", "outclasses", "trumps", "edges out"),
    *("plague", "plagues", "plaguing", "trouble", "troubles", "haunt", "haunts"),
)
"""Lower-case words that any of the expressions above may end with, right before a name."""


class ToneLabel(StrEnum):
    """`NOT_JUDGED` means that the lexicon does not support the answer's language. It never means neutral."""

    POSITIVE = "positive"
    NEUTRAL = "neutral"
    NEGATIVE = "negative"
    NOT_JUDGED = "not_judged"


@dataclass(frozen=True, slots=True)
class Tone:
    """The tone of an answer towards an entity. `value` is the mean of its clauses, -1 to 1, or None if not judged."""

    label: ToneLabel
    value: float | None


NOT_JUDGED = Tone(ToneLabel.NOT_JUDGED, None)


class _Analyzer(Protocol):
    """The part of the untyped library's interface that is used."""

    lexicon: dict[str, float]

    def polarity_scores(self, text: str) -> Mapping[str, float]: ...


@cache
def _analyzer() -> _Analyzer:
    """Load the analyzer on first use: its lexicon has 7,500 words, and lacks some that describe products."""
    analyzer: _Analyzer = import_module("vaderSentiment.vaderSentiment").SentimentIntensityAnalyzer()
    for valence, words in PRODUCT_WORDS.items():
        for word in words.split():
            analyzer.lexicon.setdefault(word, valence)
    for word in NEUTRAL_WORDS.split():
        analyzer.lexicon.pop(word, None)
    return analyzer


@cache
def _hurting() -> frozenset[str]:
    """Return the words with a negative valence in the lexicon."""
    return frozenset(word for word, valence in _analyzer().lexicon.items() if valence < 0)


def compound(clause: str) -> float:
    """Return VADER's compound value of a clause, -1 to 1 (C. J. Hutto, E. Gilbert, ICWSM 2014)."""
    analyzer = _analyzer()
    plain = plain_wording(clause, _hurting(), analyzer.lexicon)
    return analyzer.polarity_scores(plain)["compound"]


def label_of(value: float) -> ToneLabel:
    """Return positive from 0.05, negative from -0.05, neutral between: the thresholds of VADER's authors."""
    if value >= _THRESHOLD:
        return ToneLabel.POSITIVE
    return ToneLabel.NEGATIVE if value <= -_THRESHOLD else ToneLabel.NEUTRAL


def _may_lead(lead: str) -> bool:
    """Return whether the last word before a name can end a comparison, which is true for a few percent of names."""
    before = lead.rstrip(_MARKS_BEFORE_NAME)
    folded = without_case(before)
    return before != lead and folded.endswith(_LEADING_WORDS)


def _meant_for(value: float, lead: str, tail: str) -> float:
    """Return a clause's value for the name between `lead` and `tail`, which may be on either side of a comparison."""
    if _OTHERS_AFTER.match(tail):
        return 0.0
    if not _may_lead(lead):
        return value
    if _OTHERS_BEFORE.search(lead):
        return 0.0
    if _UNEQUALED.search(lead):
        return max(abs(value), _LEAST_OUTDONE)
    if _OUTDONE.search(lead):
        return -abs(value) if value else -_LEAST_OUTDONE
    return -value if _COMPARED.search(lead) else value


def tones(text: str, mentions: Sequence[Mention], prompt_language: str | None = None) -> dict[str, Tone]:
    """Return the tone towards each entity with a counted span, from the mean over the descriptions of its spans.

    A span is described by its clause, or by the item, line or heading that it opens. Answers that are not in
    English are not judged. `prompt_language` (a BCP 47 tag) decides for texts under 12 words.
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
        spoken: list[float] = []
        for span in mention.counted:
            description = descriptions.of(span.start, span.end)
            if description not in values:
                values[description] = compound(description)
            lead = text[max(0, span.start - _LONGEST_LEAD) : span.start]
            tail = text[span.end : span.end + _LONGEST_LEAD]
            spoken.append(_meant_for(values[description], lead, tail))
        mean = sum(spoken) / len(spoken)
        judged[mention.entity_id] = Tone(label_of(mean), mean)
    return judged
