"""Decides whether a name stands in words that say nothing is known of it."""

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from ahocorasick_rs import AhoCorasick, Implementation

from analytics.matching.absences.cue_words import triggers
from analytics.matching.absences.eastern import ARABIC, CHINESE, HEBREW, HINDI, JAPANESE, KOREAN
from analytics.matching.absences.english import ENGLISH
from analytics.matching.absences.germanic import DUTCH, GERMAN
from analytics.matching.absences.grammar import NAME, AbsenceGrammar, CompiledGrammar
from analytics.matching.absences.romance import FRENCH, ITALIAN, PORTUGUESE, SPANISH
from analytics.matching.absences.slavic_turkish import POLISH, RUSSIAN, TURKISH
from analytics.text.folding import fold

GRAMMARS: Final[tuple[AbsenceGrammar, ...]] = (
    ENGLISH, GERMAN, SPANISH, FRENCH, ITALIAN, PORTUGUESE, DUTCH, POLISH, TURKISH, RUSSIAN, JAPANESE, CHINESE, KOREAN,
    ARABIC, HINDI, HEBREW,
)  # fmt: skip

LONGEST_BEFORE: Final = 180
"""Characters before a name that are looked at, so that a name in an endless clause costs no more."""
LONGEST_AFTER: Final = 240
LONGEST_LEAD: Final = 80
"""Characters before a name in which words lead to it."""
_LIST_ENDS = re.compile(r"[.;:!?。]|$| (?:in|on|at|from|within|among|so|but|though|as|which)\b")
"""What may follow a list of names that is denied as a whole."""


@cache
def compiled(index: int) -> CompiledGrammar:
    """One of the grammars as expressions; compiled at first use, for each takes some hundredths of a second."""
    return CompiledGrammar(GRAMMARS[index])


_BEFORE_CONTRACTION = re.compile(
    r"(?<!\w)(?:aparec\w{1,4}|figuram?|fica|ficam|ficou|vem|primeir[oa]|segund[oa]|terceir[oa]|lugar|posicao) \Z"
)
"""Makes `no` the Portuguese for "in the": `aparece no ranking`."""


@cache
def _triggers() -> tuple[AhoCorasick, tuple[int, ...]]:
    folded = [
        (fold(trigger).text, index)
        for index, grammar in enumerate(GRAMMARS)
        for trigger in (*grammar.triggers, *_further_triggers(grammar))
    ]
    automaton = AhoCorasick([text for text, _ in folded], implementation=Implementation.DFA)
    return automaton, tuple(index for _, index in folded)


def _further_triggers(grammar: AbsenceGrammar) -> list[str]:
    """The cue words that deny and hold none of the grammar's own triggers."""
    own = [fold(trigger).text for trigger in grammar.triggers]
    return [word for word in triggers()[grammar.language] if not any(trigger in word for trigger in own)]


def denials(folded: str) -> list[tuple[int, int]]:
    """Where folded text holds a word without which no language denies anything: (offset, index of the grammar)."""
    automaton, owners = _triggers()
    hits = automaton.find_matches_as_indexes(folded, overlapping=True)
    return sorted(
        (start, owners[index])
        for index, start, _ in hits
        if not (
            folded.startswith("no ", start) and _BEFORE_CONTRACTION.search(folded[max(0, start - 14) : start])
        )
    )


def is_denied_before(grammars: Sequence[int], clause: str, after: str) -> bool:
    """Whether the folded part of a clause before a name says in one of these languages that nothing is known of it.

    Other names in it are written as the sign `NAME`; `after` is what follows the name.
    """
    for index in grammars:
        grammar = compiled(index)
        if grammar.before.search(clause) and not _goes_on(clause, after):
            return True
        if grammar.opening.search(clause) and grammar.ending.match(after):
            return True
    return False


def is_denied_after(grammars: Sequence[int], before: str, after: str) -> bool:
    """Whether the folded rest of a sentence after a name says that nothing is known of it.

    `before` are some words before the name, which may lead to it ("as for").
    """
    for index in grammars:
        grammar = compiled(index)
        if grammar.after.match(after) or grammar.remark.match(after):
            return True
        if grammar.lead.search(before) and grammar.denial.match(after):
            return True
        if grammar.ending.match(after) and grammar.opening.search(before):
            return True
    return False


def is_remarked(grammars: Sequence[int], before: str, following: Callable[[], str], *, alone: bool) -> bool:
    """Whether the sentence after that of a name is a remark that nothing is known of it.

    So it is after a name that is all of its line (`alone`), or one that a sentence leads to. `following` gives the
    folded text after the name, with the sign `LINE_BREAK` for line breaks.
    """
    for index in grammars:
        grammar = compiled(index)
        if alone and grammar.remark.match(following()):
            return True
        if grammar.lead.search(before) and grammar.next_denial.match(following()):
            return True
    return False


def _goes_on(before: str, after: str) -> bool:
    """Whether a name after `and` opens a statement of its own: `nothing on Bravo, and Acme is great`."""
    return before.rstrip(" \"'").endswith(f"{NAME}, and") and not _LIST_ENDS.match(after)


def is_hedged(grammars: Sequence[int], sentence: str) -> bool:
    """Whether a folded sentence only speculates or asks; after a first absence such a mention is none either."""
    return any(compiled(index).hedge.search(sentence) for index in grammars)
