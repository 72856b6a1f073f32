"""Word stems that make texts comparable by what they are about."""

import re

from analytics.text.folding import without_case

STEM = 5
FEWEST_LETTERS = 4
_WORD = re.compile(r"[^\W\d_]+")


def stems(text: str) -> frozenset[str]:
    """Return the first five letters of the words of a text that have at least four, ignoring case."""
    return frozenset(word[:STEM] for word in _WORD.findall(without_case(text)) if len(word) >= FEWEST_LETTERS)
