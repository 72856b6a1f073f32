"""Judges how an English answer speaks of an entity, with the VADER lexicon."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import import_module
from string import punctuation
from typing import Final, Protocol

from analytics.answers.descriptions import Descriptions
from analytics.matching.mentions import Mention
from analytics.text.language import is_english

VERSION = "lexicon-en/3"

_THRESHOLD = 0.05
_LONGEST_LEAD: Final = 60
_LEAST_OUTDONE: Final = 0.2
# What stands before a name that another is preferred to; what says that nothing is as good as the name.
_OUTDONE = re.compile(
    r"(?:\bthan|\b(?:beats?|outperforms?|outshines?|surpasses|outclasses|trumps|edges out"
    r"|preferred to|preferable to|superior to))"
    r"(?: the| an?)?[ *_\"“'\[]{1,6}\Z",
    re.IGNORECASE,
)
_UNEQUALED = re.compile(
    r"\b(?:nothing|none|nobody|no one|no other|few|can't|cannot|won't|didn't|couldn't|never|hard to)\b[^.;\n]{0,40}?"
    r"\b(?:close to|better than|beats?|tops?|rivals?|match(?:es)?|equals?|compares? (?:to|with)|compete with"
    r"|go wrong with|fault)"
    r"[ *_\"“'\[]{1,6}\Z",
    re.IGNORECASE,
)

_PRODUCT_WORDS = {
    2.0: "stellar top-notch first-rate world-class",
    1.5: "reputable knowledgeable well-regarded highly-rated top-rated seamless award-winning dependable well-made",
    1.0: "durable intuitive affordable sturdy polished",
    -1.0: "pricey outdated mediocre cumbersome",
    -1.3: "rip rips ripped peels cracks cracked breaks sag sags refuses crashes crashed delays leaks confusing noisy",
    -1.5: "overpriced subpar lackluster lacklustre underwhelming flimsy clunky unresponsive glitchy buggy",
    -1.6: "plagued outages",
    -2.0: "unhelpful unreliable shoddy second-rate untrustworthy overcharges overcharged ripoff rip-off",
}
"""Words of ours that VADER's lexicon lacks, by valence, -4 to 4."""
_NEUTRAL_WORDS = """
support supports supported supporting solution solutions like share shares shared care demand alarm
interest credit certain accept accepts accepted honor honors honour
"""
"""Words that VADER weighs and that name things in talk of products: support is a department, `like` compares."""
_PHRASES = {
    "shoddy": (
        "falls apart",
        "fall apart",
        "fell apart",
    ),
    "avoid": (
        "steer clear",
        "stay away",
        "think twice",
        "wouldn't recommend",
        "would not recommend",
        "can't recommend",
        "cannot recommend",
        "don't recommend",
    ),
    "excellent": (
        "hard to beat",
        "second to none",
        "hard to fault",
        "well worth",
        "rave reviews",
        "top choice",
        "best bet",
    ),
    "impressive": (
        "stands out",
        "standout",
    ),
    "reputable": (
        "lives up to",
        "go-to",
    ),
    "disappointing": (
        "falls short",
        "fall short",
        "lags behind",
        "leaves a lot to be desired",
        "leaves much to be desired",
        "let down",
    ),
    "overpriced": ("not worth",),
    "warning": (
        "red flag",
        "red flags",
    ),
    "mediocre": (
        "hit or miss",
        "hit-or-miss",
    ),
}
"""Phrases by one word that the lexicon weighs and that says the same."""
_WORD_OF_PHRASE = {phrase: word for word, phrases in _PHRASES.items() for phrase in phrases}
_PHRASE = re.compile("|".join(map(re.escape, sorted(_WORD_OF_PHRASE, key=len, reverse=True))), re.IGNORECASE)


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
    emojis: Mapping[str, str]

    def polarity_scores(self, text: str) -> Mapping[str, float]: ...


@cache
def _analyzer() -> _Analyzer:
    """Loaded at first use: it reads a lexicon of 7,500 words, which misses some that are said of products."""
    analyzer: _Analyzer = import_module("vaderSentiment.vaderSentiment").SentimentIntensityAnalyzer()
    for valence, words in _PRODUCT_WORDS.items():
        for word in words.split():
            analyzer.lexicon.setdefault(word, valence)
    for word in _NEUTRAL_WORDS.split():
        analyzer.lexicon.pop(word, None)
    return analyzer


def compound(clause: str) -> float:
    """VADER's compound value of a clause, -1 to 1 (C. J. Hutto, E. Gilbert, ICWSM 2014)."""
    plain = _PHRASE.sub(lambda match: _WORD_OF_PHRASE[match[0].lower()], clause.replace("’", "'"))
    analyzer = _analyzer()
    if _is_silent(plain, analyzer):
        return 0.0
    return analyzer.polarity_scores(plain)["compound"]


def _is_silent(clause: str, analyzer: _Analyzer) -> bool:
    """Whether no word of a clause, with or without the marks around it, is in the lexicon: VADER gives it 0."""
    words = clause.lower().split()
    return (
        analyzer.lexicon.keys().isdisjoint(words)
        and analyzer.lexicon.keys().isdisjoint(word.strip(punctuation) for word in words)
        and analyzer.emojis.keys().isdisjoint(clause)
    )


def label_of(value: float) -> ToneLabel:
    """Positive from 0.05, negative from -0.05, neutral between: the thresholds VADER's authors give."""
    if value >= _THRESHOLD:
        return ToneLabel.POSITIVE
    return ToneLabel.NEGATIVE if value <= -_THRESHOLD else ToneLabel.NEUTRAL


def _compared(value: float, lead: str) -> float:
    """What the value of a clause is for the name after `lead`, which may be the one that another is compared with."""
    if _UNEQUALED.search(lead):
        return max(abs(value), _LEAST_OUTDONE)
    if _OUTDONE.search(lead):
        return -value if value else -_LEAST_OUTDONE
    return value


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
        spoken: list[float] = []
        for span in mention.counted:
            description = descriptions.of(span.start, span.end)
            if description not in values:
                values[description] = compound(description)
            lead = text[max(0, span.start - _LONGEST_LEAD) : span.start]
            spoken.append(_compared(values[description], lead))
        mean = sum(spoken) / len(spoken)
        judged[mention.entity_id] = Tone(label_of(mean), mean)
    return judged
