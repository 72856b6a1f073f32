"""Which writing system a character belongs to, as far as word boundaries depend on it."""

import unicodedata
from enum import Enum
from functools import lru_cache
from itertools import chain


class Script(Enum):
    """How a character takes part in words. `NONE` is no part of a word: space, punctuation, symbol."""

    NONE = 0
    SPACED = 1
    KATAKANA = 2
    HANGUL = 3
    UNSPACED = 4


_KATAKANA = ((0x30A1, 0x30FA), (0x30FC, 0x30FF), (0x31F0, 0x31FF), (0xFF66, 0xFF9F))
_HANGUL = ((0x1100, 0x11FF), (0x3131, 0x318E), (0xA960, 0xA97F), (0xAC00, 0xD7FF))
_HAN = ((0x3005, 0x3007), (0x3021, 0x3029), (0x3038, 0x303B), (0x3400, 0x4DBF), (0x4E00, 0x9FFF))
_HAN_SUPPLEMENT = ((0xF900, 0xFAFF), (0x20000, 0x323AF))
_HIRAGANA = ((0x3041, 0x309F), (0x1B001, 0x1B11F))
_SOUTH_EAST = ((0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F))
_UNSPACED = (*_HAN, *_HAN_SUPPLEMENT, *_HIRAGANA, *_SOUTH_EAST)

# The same characters as the inside of a regular expression's class: no blanks are written between their
# words, or (Hangul) particles are glued to foreign words.
GLUED = "".join(f"{chr(low)}-{chr(high)}" for low, high in chain(_KATAKANA, _HANGUL, _UNSPACED))


def _within(code: int, ranges: tuple[tuple[int, int], ...]) -> bool:
    return any(low <= code <= high for low, high in ranges)


@lru_cache(maxsize=1 << 16)
def is_mark(char: str) -> bool:
    """Whether the character continues the one before it.

    Combining marks, the vowels and finals of decomposed Hangul, and the half-width voicing marks of kana.
    """
    code = ord(char)
    return (
        unicodedata.category(char).startswith("M")
        or 0x1160 <= code <= 0x11FF
        or 0xD7B0 <= code <= 0xD7FF
        or code in (0xFF9E, 0xFF9F)
    )


@lru_cache(maxsize=1 << 16)
def script_of(char: str) -> Script:
    """The script class of one character; letters, digits, marks and `_` outside the lists are SPACED."""
    if not (char.isalnum() or char == "_" or is_mark(char)):
        return Script.NONE
    code = ord(char)
    if _within(code, _KATAKANA):
        return Script.KATAKANA
    if _within(code, _HANGUL):
        return Script.HANGUL
    return Script.UNSPACED if _within(code, _UNSPACED) else Script.SPACED


def left_edge_is_free(before: str, first: str) -> bool:
    """Whether a name may start between these two characters of folded text.

    Arabic is a spaced script: a name with a prefix glued to it is another word, unless that form is an alias.
    """
    left, right = script_of(before), script_of(first)
    return left is not right or left not in (Script.SPACED, Script.KATAKANA, Script.HANGUL)


def right_edge_is_free(last: str, after: str) -> bool:
    """Whether a name may end between these two characters of folded text.

    Hangul particles follow a name without a blank, so unlike the left edge two Hangul letters do not bind.
    """
    left, right = script_of(last), script_of(after)
    return left is not right or left not in (Script.SPACED, Script.KATAKANA)
