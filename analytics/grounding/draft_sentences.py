"""A sentence of a draft as it is read, and what is said of it: the facts that it lacks."""

from collections.abc import Sequence
from dataclasses import dataclass

from analytics.grounding.claims import ClaimKind, DraftClaim
from analytics.grounding.facts import Word


@dataclass(frozen=True, slots=True)
class MissingFact:
    """A claim of a sentence that no fact supports: its kind and its words."""

    kind: ClaimKind
    words: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a draft at `[start, end)`, with the facts that it lacks; without any it may stand."""

    text: str
    start: int
    end: int
    missing: tuple[MissingFact, ...]


@dataclass(frozen=True, slots=True)
class DraftSentence:
    """One sentence of a draft; `rest` has blanks where `claims` stand, `before` are the words of the one before."""

    text: str
    flat: str
    rest: str
    language: str
    claims: Sequence[DraftClaim]
    words: Sequence[Word]
    parts: Sequence[tuple[int, int]]
    named: Sequence[Word]
    before: Sequence[Word]


def words_beside(words: Sequence[Word], sentence: DraftSentence, place: int) -> list[Word]:
    """Return which of these words stand before a place in its part of a sentence, all if none do."""
    low = next((low for low, high in sentence.parts if low <= place < high), 0)
    return [word for word in words if low <= word.start < place] or list(words)


def clause_of(flat: str, place: int) -> tuple[int, int]:
    """Return `[start, end)` of what stands around a place between colons and semicolons."""
    # The colon of a time, 14:00, ends no clause.
    low = max(flat.rfind(mark, 0, place) for mark in (": ", ";")) + 1
    ends = [at for mark in (": ", ";") if (at := flat.find(mark, place)) >= 0]
    return low, min(ends, default=len(flat))
