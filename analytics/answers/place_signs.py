"""What the reader of prose rankings looks at in a sentence: the names in it, and what tells a place."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

NAME: Final = "\u25c6"
"""Stands in a folded sentence for a name."""
NEXT: Final = -1
"""The place of who follows the one before; a word such as "then" or "followed by" gives it."""
LAST: Final = -2
"""The place after all others of a sentence."""


class PlaceSign(NamedTuple):
    """A name of a sentence or, if `place` is set, a place.

    A place that is `explicit` has a noun or a number, one that is `weak` only says who leads.
    """

    at: int
    end: int
    entity: str = ""
    place: int = 0
    explicit: bool = False
    weak: bool = False


def names(sentence: str, entities: Sequence[str]) -> Iterator[PlaceSign]:
    """Yield the names of a folded sentence in which `NAME` stands for each of the entities."""
    at = -1
    for entity in entities:
        at = sentence.find(NAME, at + 1)
        yield PlaceSign(at, at + 1, entity)
