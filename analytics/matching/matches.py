"""Patterns that were found in a text: whether their edges are free, and what their case makes of them."""

from typing import NamedTuple

from analytics.matching.aliases import UMLAUTS
from analytics.matching.homonyms import Homonym
from analytics.matching.inflection import (
    case_languages,
    cyrillic_case_ends_at,
    has_article,
    plural_ends_at,
    prefix_before,
)
from analytics.matching.patterns import Name, Pattern, small_words
from analytics.text.folding import FoldedText, written
from analytics.text.scripts import left_edge_is_free, right_edge_is_free


class PatternMatch(NamedTuple):
    """A pattern found with free edges; `start` and `end` in the folded text, `span` in the original.

    `languages` are those in which its ending is a case ending, empty when any language will do; without a known
    language it is one only if it is a `sure` ending.
    """

    start: int
    end: int
    pattern: Pattern
    names: tuple[Name, ...]
    inflected: bool
    span: tuple[int, int]
    languages: tuple[str, ...] = ()
    sure: bool = True
    has_article: bool = False
    """Whether an article is glued to it, so that it may be the word instead."""


class MatchDecision(NamedTuple):
    """A hit of an entity after the rules about case. `ambiguous`: it still needs its context."""

    hit: PatternMatch
    inflected: bool
    fails_case: bool
    ambiguous: bool
    homonym: Homonym | None


def at_free_edges(
    pattern: Pattern, folded: FoldedText, start: int, end: int, text: str
) -> PatternMatch | None:
    """The hit if no letter binds it to its neighbours, or only what its language may glue to a name."""
    letters = folded.text
    prefixed = bool(start) and not left_edge_is_free(letters[start - 1], letters[start])
    prefix = prefix_before(letters, start, end) if prefixed and pattern.names else ""
    if prefixed and not prefix:
        return None
    span = folded.span(start, end)
    if span is None or _is_part_of_identifier(text, *span):
        return None
    if end == len(letters) or right_edge_is_free(letters[end - 1], letters[end]):
        names, articled = pattern.names, prefixed and has_article(prefix)
        return PatternMatch(start, end, pattern, names, prefixed, span, pattern.languages, True, articled)
    return None if prefixed else _inflected(PatternMatch(start, end, pattern, (), True, span), letters, text)


def _is_part_of_identifier(text: str, start: int, end: int) -> bool:
    """Return whether an underscore binds the name: `acme` in `acme_motors`, but not `Acme` in `Acme_CRM`."""
    return (
        text[start].islower()
        and (text[start - 1 : start] == "_" or text[end : end + 1] == "_")
        and (text[start - 2 : start - 1].isalnum() or text[end + 1 : end + 2].isalnum())
    )


def _inflected(hit: PatternMatch, folded: str, text: str) -> PatternMatch | None:
    """The hit with the names that may take the ending after it: an `s` after a capital, or a case ending."""
    names = hit.pattern.names
    capital = text[hit.span[0]].isupper()
    if capital and plural_ends_at(folded, hit.start, hit.end):
        takers = tuple(name for name in names if name.takes_s and not name.inflected)
        return hit._replace(names=takers) if takers else None
    takers = tuple(name for name in names if name.takes_cyrillic and not name.inflected)
    if takers and cyrillic_case_ends_at(folded, hit.end):
        return hit._replace(names=takers)
    takers = tuple(name for name in names if name.takes_latin and not name.inflected) if capital else ()
    if takers:
        languages, sure = case_languages(folded, hit.end)
        if languages:
            return hit._replace(names=takers, languages=languages, sure=sure)
    return None


def judge(hit: PatternMatch, text: str) -> MatchDecision | None:
    """The best that the hit's names make of its case; None if only exact names are left, not as written."""
    best: MatchDecision | None = None
    shown: str | None = None
    for name in hit.names:
        if name.umlaut and UMLAUTS.isdisjoint(text[slice(*hit.span)]):
            continue
        passes = True
        if name.as_written is not None:
            shown = written(text[slice(*hit.span)]) if shown is None else shown
            passes = shown == name.as_written or (name.capitals and shown == shown.upper())
        elif name.most_small is not None:
            passes = small_words(text[slice(*hit.span)]) <= name.most_small
        elif name.capital:
            passes = any(char.isupper() for char in text[slice(*hit.span)])
        if not passes and name.exact:
            continue
        decision = MatchDecision(
            hit, hit.inflected or name.inflected, not passes, name.ambiguous or hit.has_article, name.homonym
        )
        if best is None or (decision.fails_case, decision.ambiguous) < (best.fails_case, best.ambiguous):
            best = decision
    return best
