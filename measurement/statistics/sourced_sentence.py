"""A sentence of a text with the place of the fact that it tells."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FactPlace:
    """Where a fact stands: the id of an item, or `profile`; its title; the number of the line, from 1; its words."""

    source: str
    title: str
    line: int
    words: str


@dataclass(frozen=True, slots=True)
class SourcedSentence:
    """One sentence of a text and the line that says it; None where no line does, as of a heading or a courtesy."""

    text: str
    place: FactPlace | None
