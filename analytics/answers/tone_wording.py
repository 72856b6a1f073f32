"""Rewrites a clause so that the tone lexicon scores it as intended: phrases, remedies, distant negations."""

import re
from collections.abc import Container, Mapping, Sequence
from functools import cache
from typing import Final

from ahocorasick_rs import AhoCorasick, Implementation

from analytics.answers.tone_words import PHRASES

_WORD_OF_PHRASE = {phrase: word for word, phrases in PHRASES.items() for phrase in phrases}
_PHRASE = re.compile(
    rf"\b(?P<phrase>{'|'.join(map(re.escape, sorted(_WORD_OF_PHRASE, key=len, reverse=True)))})s?\b",
    re.IGNORECASE,
)

_REMEDY = re.compile(
    r"\b(?:solv(?:es?|ed|ing)|fix(?:es|ed|ing)?|resolv(?:es?|ed|ing)|repair(?:s|ed|ing)?|prevent(?:s|ed|ing)?"
    r"|avoids|avoiding|reduc(?:es?|ed|ing)|minimi[sz](?:es?|ed|ing)|eliminat(?:es?|ed|ing)|remov(?:es?|ed|ing)"
    r"|fight(?:s|ing)?|combats?|tackl(?:es?|ing)|detect(?:s|ed|ing)?|block(?:s|ed|ing)|filters out"
    r"|(?:protect|insure|guard|defend|shield)(?:s|ed|ing)?(?: \w+){0,3}? (?:from|against)|protection (?:from|against)"
    r"|cover(?:s|ed|ing)(?! up)|(?:to|you|them|customers|users|teams|drivers|and) avoid|reliev(?:es?|ing)"
    r"|treats|sav(?:es?|ing) you (?:from|the)|free (?:of|from)"
    r"|(?:assistance|help|relief|aid|compensation|insurance|coverage|treatments?|lawyers?|attorneys?|law firm"
    r"|victims)"
    r" (?:after|for|of|with|against|in case of))\b",
    re.IGNORECASE,
)
"""Introduces a problem that the subject solves, not one that it has: `fights fraud`, `covers theft and fire damage`."""
_REMEDY_ENDS = re.compile(
    r"[.;:!?()\n]|\b(?:but|yet|however|although|though|while|whereas|is|are|was|were|has|have|with)\b",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"(?:\b(?:not|never|cannot|no longer|hardly|rarely|barely|fail(?:s|ed)? to|unable to|struggle[sd]? to"
    r"|refuse[sd]? to|too late to)|n't)(?: \w{1,20}){0,2} ?\Z",
    re.IGNORECASE,
)
_LONGEST_FAILED: Final = 60
_NEGATED = re.compile(r"\b(?:not|never|without|rarely)\b|n't\b", re.IGNORECASE)
_DETERMINER = re.compile(r"\b(?:the|a|an|any|such)[ ]", re.IGNORECASE)
_NEITHER = re.compile(
    r"\bneither\b(?P<names>[^.;\n]{1,120}?\bnor\b[^.;\n]{1,60}?)"
    r"\b(?P<verb>is|are|was|were|has|have|had|does|do|did|can|could|will|would|offers?|feels?|looks?)\b",
    re.IGNORECASE,
)
_LITTLE = re.compile(
    r"\b(?:low|lower|lowest|few|fewer|fewest|least|minimal|zero)(?: \w{1,20})?? (?P<what>[\w'-]{1,30})\b",
    re.IGNORECASE,
)
_LACKS = re.compile(
    r"\bno (?:\w{1,12} )?(?=(?:support|service|help|response|refunds?|warranty|encryption|privacy|explanation)\b)",
    re.IGNORECASE,
)
"""Negative although none of its words is."""
_NO_THING = re.compile(r"\bno (?P<what>[\w'-]{1,30})\b", re.IGNORECASE)
_NEGATED_BEFORE_COMMA = re.compile(
    r"(?:\b(?:not|never|without|lacks)|n't)\b(?: [\w'%$€£.-]{1,20}){1,2}(?=,)", re.IGNORECASE
)
"""A negation that ends at a comma. The lexicon would extend it to the next three words."""
_TOO = re.compile(r"\btoo (?!(?:with|for|and|but|if|when|the|as|on|in|at)\b)(?=[a-z]{3})", re.IGNORECASE)
"""Excess: `too small`."""
_LESS = re.compile(r"\bless(?= \w)", re.IGNORECASE)
_WORD = re.compile(r"[\w'-]+")
_LITTLE_WORDS = "low lower lowest few fewer fewest least minimal zero"
_REMEDY_STEMS = (
    "solv fix repair prevent avoids avoiding reduc minimi eliminat remov fight combat tackl detect block"
    " protect insure"
    " guard defend shield covers covered covering reliev treats"
)
_HELP_WORDS = (
    "assistance help relief aid compensation insurance coverage treatment treatments lawyer lawyers attorney"
    " attorneys"
    " firm victims"
)
_HELPED = ("after", "for", "of", "with", "against", "in case of")
_CUES: Final[Mapping[str, Sequence[str]]] = {
    "phrase": tuple(_WORD_OF_PHRASE),
    "little": tuple(f"{word} " for word in _LITTLE_WORDS.split()),
    "less": ("less ",),
    "neither": ("neither",),
    "no": ("no ",),
    "too": ("too ",),
    "negated": ("not", "never", "without", "rarely", "n't"),
    "remedy": (
        *_REMEDY_STEMS.split(),
        "filters out", " avoid", "saves you", "save you", "saving you", "free of", "free from",
        *(f"{word} {of}" for word in _HELP_WORDS.split() for of in _HELPED),
    ),
}  # fmt: skip
"""Lower-case substrings without which a clause contains no wording of that kind."""


def plain_wording(clause: str, hurting: Container[str], weighed: Container[str]) -> str:
    """Return a clause reworded for a lexicon that scores words by the three words before them.

    `hurting` holds the words with a negative valence, `weighed` all words in the lexicon, both in lower case.
    """
    words = clause.replace("’", "'")
    cues = _cues_in(words)
    if not cues:
        return words
    if "phrase" in cues:
        words = _PHRASE.sub(lambda match: _WORD_OF_PHRASE[match["phrase"].lower()], words)
    if "little" in cues:
        words = _LITTLE.sub(lambda little: "good" if little["what"].lower() in hurting else little[0], words)
    if "no" in cues:
        words = _NO_THING.sub(
            lambda thing: thing[0] if thing["what"].lower() in weighed else thing["what"],
            _LACKS.sub("lacks ", words),
        )
    if not cues.isdisjoint(("negated", "no")):
        words = _NEGATED_BEFORE_COMMA.sub(r"\g<0>, and and and", words)
    if "too" in cues:
        words = _TOO.sub("flawed ", words)
    if "less" in cues:
        words = _LESS.sub("not", words)
    if "neither" in cues:
        words = _NEITHER.sub(r"\g<names>\g<verb> not", words)
    if not cues.isdisjoint(("remedy", "phrase")):
        words = _without_remedied(words, hurting)
    negates = not cues.isdisjoint(("negated", "less", "neither")) and _NEGATED.search(words)
    return _DETERMINER.sub("", words) if negates else words


@cache
def _cues() -> tuple[AhoCorasick, tuple[str, ...]]:
    owned = [(cue, kind) for kind, cues in _CUES.items() for cue in cues]
    return AhoCorasick([cue for cue, _ in owned], implementation=Implementation.DFA), tuple(
        kind for _, kind in owned
    )


def _cues_in(words: str) -> set[str]:
    """Return the kinds of wording that a clause may contain, judged by the substrings each kind requires."""
    automaton, kinds = _cues()
    # Folds as a case-insensitive expression does. The automaton rejects lone surrogates.
    lower = words.casefold().replace("ı", "i").encode("utf-8", "replace").decode()
    return {kinds[index] for index, _, _ in automaton.find_matches_as_indexes(lower, overlapping=True)}


def _without_remedied(clause: str, hurting: Container[str]) -> str:
    """Remove negative words that name the problem a product or service solves."""
    parts: list[str] = []
    at = 0
    for remedy in _REMEDY.finditer(clause):
        if remedy.start() < at or _FAILED.search(
            clause[max(0, remedy.start() - _LONGEST_FAILED) : remedy.start()]
        ):
            continue
        end = _REMEDY_ENDS.search(clause, remedy.end())
        stop = end.start() if end else len(clause)
        against = _WORD.sub(
            lambda word: "" if word[0].lower() in hurting else word[0], clause[remedy.start() : stop]
        )
        parts += clause[at : remedy.start()], against
        at = stop
    return "".join([*parts, clause[at:]])
