"""Folds text into a canonical form for comparing names, and maps each character back to its origin.

Regular characters (one in, one out) are translated in bulk. Only runs that change length (emphasis, white
space, combining marks, ligatures) are folded cluster by cluster, with results in a bounded cache.
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
# Strokes and dots that decomposition does not remove, and letters that writers of a language use interchangeably.
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

# Format characters that are visible: signs that enclose the digits after them.
_PRINTED_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_TRADE_SIGNS = frozenset("™®©℠")
_TATWEEL, _NUKTA = "\u0640", "\u093c"
_EMPHASIS = frozenset("*~`")

# Placeholder in the bulk translation for characters that need the original text; a text that contains the
# placeholder is resolved in the same way. It is ASCII, so that a translated Latin text stays a byte string,
# the fastest to search.
_IRREGULAR = "\x7f"
_JOINING = " *~`_&" + _IRREGULAR
# A single space before a run belongs to it; the second of two spaces is marked as irregular and so starts a run.
_RUN = re.compile(f"([{_JOINING[1:]}][{_JOINING}]*)")
_LONGEST_CACHED = 32
_ALONE = (False, False)
_ASCII_BYTES = bytes(range(128))
_RARE = 8
"""Texts with at most 1 in this many non-ASCII characters are folded by replacing characters one by one."""


@dataclass(frozen=True, slots=True)
class FoldedText:
    """Folded text with a mapping to the original.

    Segments are sorted by `starts`. In a segment of width 0, each folded character maps to one original
    character, starting at `origins`. In any other segment, all folded characters map to the `width` original
    characters at `origins`.
    """

    text: str
    starts: list[int] = field(default_factory=lambda: [0])
    origins: list[int] = field(default_factory=lambda: [0])
    widths: list[int] = field(default_factory=lambda: [0])

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the original `[start, end)` of a non-empty folded span; None if an edge splits a cluster."""
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
        """Return the folded position of an original offset, or of the next character that was kept."""
        segment = bisect_right(self.origins, origin) - 1
        if segment < 0:
            return 0
        shift = 0 if self.widths[segment] else origin - self.origins[segment]
        following = self.starts[segment + 1] if segment + 1 < len(self.starts) else len(self.text)
        return min(self.starts[segment] + shift, following)

    def origin(self, at: int) -> int:
        """Return the original offset of the cluster behind a folded character."""
        segment = bisect_right(self.starts, at) - 1
        return self.origins[segment] + (0 if self.widths[segment] else at - self.starts[segment])


@lru_cache(maxsize=1 << 16)
def is_dropped(char: str) -> bool:
    """Return whether folding always removes the character: invisible, a trade sign, or Markdown emphasis."""
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
    """Fold one character with its combining marks (compatibility decomposition, full case folding).

    Marks are dropped on Latin, Greek, Arabic and Hebrew bases (accents, harakat, hamza, niqqud) and
    recomposed elsewhere, so that kana and Hangul stay intact.
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
    """Lazily filled translation of characters that fold to exactly one character; `_IRREGULAR` for others."""

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
    """Return whether an underscore next to the character can be inside a word."""
    return char.isalnum() or (char != "" and is_mark(char))


def _clusters(run: str) -> list[tuple[int, int]]:
    """Return the clusters of an irregular run; consecutive underscores are one cluster."""
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
    """Return the folded pieces of an irregular run as (text, offset in the run, width).

    `before` and `after` say whether the neighbors of the run are letters or digits.
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
    """Append one space for a run of white space, but none next to an ampersand."""
    if space >= 0 and following != "&" and not (pieces and pieces[-1][0] == "&"):
        pieces.append((" ", space, 1))


_fold_short_run = lru_cache(maxsize=1 << 13)(_fold_run)


def fold(text: str) -> FoldedText:
    """Fold a text for comparison. Any string is accepted.

    Drops invisible characters, trade signs and Markdown emphasis (`_` only outside words); folds
    compatibility forms, case, and marks of Latin, Greek, Arabic and Hebrew letters; unifies apostrophes,
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
    """Translate the regular characters of a text.

    ASCII is translated as bytes, which leaves the other bytes of UTF-8 unchanged and is many times faster.
    Latin texts have so few other characters that replacing them one by one is faster, too.
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
    """Return the neighbors of a run, which only underscores need; all other runs share one cache entry."""
    return start > 0 and _joins(text[start - 1]), end < len(text) and _joins(text[end])


def written(text: str) -> str:
    """Return a name with its case, for matching as written: without accents, joiners and emphasis."""
    shown = "".join(char for char in text if not is_dropped(char)).translate(_SIGNS)
    decomposed = unicodedata.normalize("NFKD", shown).translate(_SIGNS)
    return "".join(char for char in decomposed if not (char.isspace() or char in "-_" or is_mark(char)))


def without_case(text: str) -> str:
    """Return a text lower-cased as in a case-insensitive expression; the result may be longer than the text."""
    return text.casefold().replace("\u0131", "i").replace("i\u0307", "i")
