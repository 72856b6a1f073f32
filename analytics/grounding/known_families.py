"""Whose family name a given name has, though the facts do not write the two together."""

import re
from collections.abc import Sequence

from analytics.grounding.flattening import flatten
from analytics.grounding.kinship import KIN_WORD

_FULL_NAME = re.compile(r"\b[A-ZÀ-ÖØ-Þ][^\W\d_]+ (?=([A-ZÀ-ÖØ-Þ][^\W\d_]+))")
_AND = r"(?:and|und|et|y|e|en|&)"


class KnownFamilies:
    """The sentences of the facts, to ask whether one gives somebody the family name of another."""

    def __init__(self, texts: Sequence[str]) -> None:
        parts = [part for text in texts for part in re.split(r"[.!?\n]", text)]
        self._sentences = [flatten(part) for part in parts]
        self._families = frozenset(flatten(name[1]) for part in parts for name in _FULL_NAME.finditer(part))

    def has_name(self, given: str, family: str) -> bool:
        """Tell whether a sentence names two of a family together, `Paul and Megan Ashby`, or says that they are kin."""
        if flatten(family) not in self._families:
            return False
        given, family = re.escape(flatten(given)), re.escape(flatten(family))
        together = re.compile(
            rf"\b{given} {_AND} [^\W\d_]+ {family}\b|\b{family} {_AND} (?:[^\W\d_]+ )?{given}\b"
        )
        beside = re.compile(rf"\b{family}\b.{{0,80}}\b{given}\b|\b{given}\b.{{0,80}}\b{family}\b")
        return any(
            together.search(sentence)
            or ((match := beside.search(sentence)) and KIN_WORD.search(sentence, *match.span()))
            for sentence in self._sentences
        )
