"""Brings text into one form for comparison without moving a character, so that offsets stay those of the original."""

import re
import unicodedata

_PLAIN = {"’": "'", "‘": "'", "\u00a0": " ", "\u202f": " ", "\u2009": " "}
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2212"
_WORD = re.compile(r"[^\W\d_]+")
STEM = 5
FEWEST_LETTERS = 4


class _Flat(dict[int, str]):
    """Character -> its lower case base letter, worked out once for each."""

    def __missing__(self, point: int) -> str:
        char = chr(point)
        base = unicodedata.normalize("NFKD", char)[0] if char.isalpha() else char
        lower = base.lower()
        flat = "-" if char in _DASHES else _PLAIN.get(char, lower if len(lower) == 1 else char)
        self[point] = flat
        return flat


_FLAT = _Flat()


def flatten(text: str) -> str:
    """Return a text of the same length in lower case, without accents, with plain dashes, quotes and blanks."""
    return unicodedata.normalize("NFC", text).translate(_FLAT)


def stems(text: str) -> frozenset[str]:
    """Return the first letters of the words of a flat text that are long enough to mean something."""
    return frozenset(word[:STEM] for word in _WORD.findall(text) if len(word) >= FEWEST_LETTERS)
