"""Brings text to the one form in which names are compared, and remembers where each character came from.

Regular characters (one in, one out) are translated in bulk; only runs that change length - emphasis, white
space, combining marks, ligatures - are folded cluster by cluster, and their results are kept in a bounded
cache.
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass, field
from functools import lru_cache

from analytics.text.scripts import is_mark

_APOSTROPHES = "\u2018\u2019\u02bc\u00b4"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_SIGNS = str.maketrans({**dict.fromkeys(_APOSTROPHES, "'"), **dict.fromkeys(_DASHES, "-")})
# Strokes and dots that no decomposition takes off, and letters that writers of one language use for each other.
_STROKES = str.maketrans(
    {
        "\u0111": "d",
        "\u0142": "l",
        "\u00f8": "o",
        "\u0131": "i",
        "\u0451": "\u0435",
        "\u0649": "\u064a",
        "\u06cc": "\u064a",
        "\u06a9": "\u0643",
        "\u0629": "\u0647",
        "\u0901": "\u0902",
    }
)

# The format characters that are printed: signs that enclose the digits after them.
_PRINTED_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_TRADE_SIGNS = frozenset("™®©℠")
_TATWEEL, _NUKTA = "\u0640", "\u093c"
_EMPHASIS = frozenset("*~`")

# Stands in the bulk translation for "look at the original", which also says what a text means that holds it itself.
# In ASCII, so that the translation of a text in a Latin script is a string of bytes, which is searched fastest.
_IRREGULAR = "\x7f"
_JOINING = " *~`_&" + _IRREGULAR
# A single space before a run belongs to it; the second of two spaces is marked as irregular and so opens one.
_RUN = re.compile(f"([{_JOINING[1:]}][{_JOINING}]*)")
_LONGEST_CACHED = 32
_ALONE = (False, False)
_ASCII_BYTES = bytes(range(128))
_RARE = 8
"""One character in so many at most is beyond ASCII in a text that is folded by replacing characters one by one."""


@dataclass(frozen=True, slots=True)
class FoldedText:
    """Folded text with the way back to the original.

    Segments are sorted by `starts`. In a segment of width 0 each folded character is one original character,
    from `origins` on; in any other, all its folded characters come from the `width` original ones at
    `origins`.
    """

    text: str
    starts: list[int] = field(default_factory=lambda: [0])
    origins: list[int] = field(default_factory=lambda: [0])
    widths: list[int] = field(default_factory=lambda: [0])

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """The original `[start, end)` of a non-empty folded one; None when an edge cuts a cluster apart."""
        first = bisect_right(self.starts, start) - 1
        shift = start - self.starts[first]
        if self.widths[first] and shift:
            return None
        begin = self.origins[first] + (0 if self.widths[first] else shift)
        last = bisect_right(self.starts, end - 1) - 1
        width = self.widths[last]
        if not width:
            return begin, self.origins[last] + end - self.starts[last]
        if self.starts[last + 1] != end:
            return None
        return begin, self.origins[last] + width

    def position(self, origin: int) -> int:
        """Where in the folded text stands what begins at an original offset, or the next that was kept."""
        segment = bisect_right(self.origins, origin) - 1
        if segment < 0:
            return 0
        shift = 0 if self.widths[segment] else origin - self.origins[segment]
        following = self.starts[segment + 1] if segment + 1 < len(self.starts) else len(self.text)
        return min(self.starts[segment] + shift, following)

    def origin(self, at: int) -> int:
        """The original offset of the cluster that a folded character came from."""
        segment = bisect_right(self.starts, at) - 1
        return self.origins[segment] + (0 if self.widths[segment] else at - self.starts[segment])


@lru_cache(maxsize=1 << 16)
def is_dropped(char: str) -> bool:
    """Whether folding removes the character anywhere: invisible, a trade sign, or Markdown emphasis."""
    if char in _EMPHASIS or char in _TRADE_SIGNS or char == _TATWEEL:
        return True
    if unicodedata.category(char) == "Cf":
        return char not in _PRINTED_FORMATS
    code = ord(char)
    return (
        0xFE00 <= code <= 0xFE0F
        or 0xE0100 <= code <= 0xE01EF
        or code in (0x34F, 0x180B, 0x180C, 0x180D, 0x180F)
    )


@lru_cache(maxsize=1 << 12)
def _loses_marks(base: str) -> bool:
    return unicodedata.name(base, "").startswith(("LATIN ", "GREEK ", "ARABIC ", "HEBREW "))


def fold_cluster(cluster: str) -> str:
    """Fold one character with the marks after it (compatibility decomposition, full case folding).

    Marks are dropped on Latin, Greek, Arabic and Hebrew bases (accents, harakat, hamza, niqqud) and composed
    again elsewhere, so that kana and Hangul stay whole.
    """
    signs = "".join(char for char in cluster if not is_dropped(char)).translate(_SIGNS)
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", signs).casefold())
    kept: list[str] = []
    bare = False
    for char in decomposed:
        if not is_mark(char):
            bare = _loses_marks(char)
        elif bare or char == _NUKTA:
            continue
        kept.append("\ufffd" if unicodedata.category(char) == "Cs" else char)
    return unicodedata.normalize("NFC", "".join(kept)).translate(_STROKES).translate(_SIGNS)


class _Regular(dict[int, str]):
    """Translation of the characters that fold to exactly one, filled as met; `_IRREGULAR` for others."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        self[code] = regular = self._of(char)
        return regular

    @staticmethod
    def _of(char: str) -> str:
        if char in _JOINING:
            return char
        if char.isspace():
            return " "
        if is_dropped(char) or is_mark(char):
            return _IRREGULAR
        folded = fold_cluster(char)
        lone = len(folded) == 1 and (folded not in _JOINING or folded == "&")
        return folded if lone else _IRREGULAR


_REGULAR = _Regular()
_ASCII = bytes(ord(_REGULAR[code]) for code in range(128)) + bytes(range(128, 256))


def _joins(char: str) -> bool:
    """Whether an underscore beside the character can stand inside a word."""
    return char.isalnum() or (char != "" and is_mark(char))


def _clusters(run: str) -> list[tuple[int, int]]:
    """The clusters of an irregular run; underscores in a row are one."""
    spans: list[tuple[int, int]] = []
    for at, char in enumerate(run):
        first = run[spans[-1][0]] if spans else ""
        marked = is_mark(char) and not is_dropped(char) and _takes_marks(first)
        if spans and (marked or char == "_" == first):
            spans[-1] = (spans[-1][0], at + 1)
        else:
            spans.append((at, at + 1))
    return spans


def _takes_marks(base: str) -> bool:
    return not (base.isspace() or base in "_&" or is_dropped(base))


def _fold_run(run: str, before: bool, after: bool) -> tuple[tuple[str, int, int], ...]:
    """The folded pieces of an irregular run as (text, offset in the run, width).

    `before` and `after` say whether the neighbours of the run are letters or digits.
    """
    pieces: list[tuple[str, int, int]] = []
    space = -1
    for start, end in _clusters(run):
        char = run[start]
        if char.isspace():
            space = start if space < 0 else space
            continue
        if char == "_":
            left = _joins(run[start - 1]) if start else before
            if left and (_joins(run[end]) if end < len(run) else after):
                pieces.extend(("_", at, 1) for at in range(start, end))
            continue
        folded = "" if is_dropped(char) else fold_cluster(run[start:end])
        if folded:
            _give_space(pieces, space, folded)
            space = -1
            pieces.append((folded, start, end - start))
    _give_space(pieces, space, "")
    return tuple(pieces)


def _give_space(pieces: list[tuple[str, int, int]], space: int, following: str) -> None:
    """One space for a run of white space, and none beside an ampersand."""
    if space >= 0 and following != "&" and not (pieces and pieces[-1][0] == "&"):
        pieces.append((" ", space, 1))


_fold_short_run = lru_cache(maxsize=1 << 13)(_fold_run)


def fold(text: str) -> FoldedText:
    """Fold a text for comparison; total, any string is accepted.

    Drops invisible characters, trade signs and Markdown emphasis (`_` only outside words), folds
    compatibility forms, case, and marks of Latin, Greek, Arabic and Hebrew letters, unifies apostrophes,
    dashes and white space.
    """
    base = _regular_text(text).replace("  ", f" {_IRREGULAR}")
    parts = _RUN.split(base)
    if len(parts) == 1:
        return FoldedText(base)
    pieces: list[str] = []
    starts, origins, widths = [0], [0], [0]
    length = end = 0
    for at in range(1, len(parts), 2):
        plain, run = parts[at - 1], parts[at]
        start = end + len(plain)
        end = start + len(run)
        if plain and (plain[-1] == " " or (run[0] == _IRREGULAR and is_mark(text[start]))):
            plain = plain[:-1]
            start -= 1
        pieces.append(plain)
        length += len(plain)
        run = text[start:end]
        fold_run = _fold_run if end - start > _LONGEST_CACHED else _fold_short_run
        for piece, offset, width in fold_run(run, *(_neighbours(text, start, end) if "_" in run else _ALONE)):
            starts.append(length)
            origins.append(start + offset)
            widths.append(width)
            pieces.append(piece)
            length += len(piece)
        starts.append(length)
        origins.append(end)
        widths.append(0)
    pieces.append(parts[-1])
    return FoldedText("".join(pieces), starts, origins, widths)


def _regular_text(text: str) -> str:
    """ASCII is translated as bytes, which leaves the other bytes of UTF-8 alone and is many times faster.

    Of the other characters a text in a Latin script has so few that replacing each of them is faster, too.
    """
    if text.isascii():
        return text.encode("ascii").translate(_ASCII).decode("ascii")
    encoded = text.encode("utf-8", "surrogatepass").translate(_ASCII)
    plain = encoded.decode("utf-8", "surrogatepass")
    others = encoded.translate(None, _ASCII_BYTES).decode("utf-8", "surrogatepass")
    if len(others) * _RARE > len(plain):
        return plain.translate(_REGULAR)
    changed = {char: regular for char in set(others) if (regular := _REGULAR[ord(char)]) != char}
    if not changed.keys().isdisjoint(changed.values()):
        return plain.translate(_REGULAR)
    for char, regular in changed.items():
        plain = plain.replace(char, regular)
    return plain


def _neighbours(text: str, start: int, end: int) -> tuple[bool, bool]:
    """Only underscores look beyond the run; the same answer for all others keeps the cache small."""
    return start > 0 and _joins(text[start - 1]), end < len(text) and _joins(text[end])


def written(text: str) -> str:
    """A name with its case, for "occurs as written": without accents, joiners and emphasis."""
    shown = "".join(char for char in text if not is_dropped(char)).translate(_SIGNS)
    decomposed = unicodedata.normalize("NFKD", shown).translate(_SIGNS)
    return "".join(char for char in decomposed if not (char.isspace() or char in "-_" or is_mark(char)))


def without_case(text: str) -> str:
    """Return a text in lower case as an expression has it that ignores case; it may be longer than the text."""
    return text.casefold().replace("\u0131", "i").replace("i\u0307", "i")
