"""Convert Markdown with marked names to blocks and bold text, and mark names in quotes.

No part of the text becomes an HTML element: templates output every piece as text.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from markupsafe import Markup, escape

HEADING = re.compile(r" {0,3}#{1,6}\s+")
BULLET = re.compile(r"\s{0,40}[-*+]\s+")
NUMBER = re.compile(r"\s{0,40}(\d{1,4})[.)]\s+")
FENCE = re.compile(r"\s{0,40}(```|~~~)")
RULE = re.compile(r"\s{0,40}([-*_])(\s{0,4}\1){2,80}\s{0,40}")
BOLD = re.compile(r"(\*\*|__)(?=\S)(.{1,400}?)(?<=\S)\1")
LONGEST_LINE = 10_000
"""Longer lines are output unchanged: the patterns are not applied to them."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """A piece of a text. `mark` says whose name it is and is used as a CSS class; it is empty for plain text."""

    text: str
    mark: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A piece of a line; `mark` and `name` as in TextPart."""

    text: str
    mark: str = ""
    name: str = ""
    strong: bool = False


@dataclass(frozen=True, slots=True)
class TextBlock:
    """A line with its kind: heading, bullet, number, code or paragraph; `number` is that of a numbered item."""

    kind: str
    pieces: tuple[TextPiece, ...]
    number: int = 0


def lay_out(parts: Sequence[TextPart]) -> list[TextBlock]:
    """Return the blocks of a marked text. Block and bold markup is removed; all other text is kept."""
    blocks: list[TextBlock] = []
    code = False
    for line in _lines(parts):
        text = "".join(part.text for part in line)
        if FENCE.match(text):
            code = not code
        elif code or len(text) > LONGEST_LINE:
            blocks.append(TextBlock("code" if code else "paragraph", tuple(_pieces(line, 0, []))))
        elif text.strip() and not RULE.fullmatch(text):
            blocks.append(_block(line, text))
    return blocks


def _block(line: Sequence[TextPart], text: str) -> TextBlock:
    for kind, pattern in (("heading", HEADING), ("bullet", BULLET), ("number", NUMBER)):
        begun = pattern.match(text)
        if begun:
            number = int(begun[1]) if kind == "number" else 0
            return TextBlock(kind, tuple(_pieces(line, begun.end(), _bold(text))), number)
    return TextBlock("paragraph", tuple(_pieces(line, 0, _bold(text))))


def _lines(parts: Sequence[TextPart]) -> list[list[TextPart]]:
    """Split marked text into lines."""
    lines: list[list[TextPart]] = [[]]
    for part in parts:
        first, *rest = part.text.split("\n")
        lines[-1].append(TextPart(first, part.mark, part.name))
        lines.extend([TextPart(piece, part.mark, part.name)] for piece in rest)
    return lines


def _bold(text: str) -> list[tuple[int, int]]:
    """Return the start and end of each bold span, including its markup."""
    return [(match.start(), match.end()) for match in BOLD.finditer(text)]


def _pieces(line: Sequence[TextPart], skipped: int, bold: Sequence[tuple[int, int]]) -> list[TextPiece]:
    """Return the pieces of a line without its first `skipped` characters and without bold markup."""
    hidden = set(range(skipped))
    for start, end in bold:
        hidden |= {start, start + 1, end - 2, end - 1}
    cuts = sorted({cut for start, end in bold for cut in (start, start + 2, end - 2, end)})
    pieces: list[TextPiece] = []
    at = 0
    for part in line:
        edges = [at, *(cut for cut in cuts if at < cut < at + len(part.text)), at + len(part.text)]
        if at < skipped < at + len(part.text):
            edges = sorted({*edges, skipped})
        for start, end in pairwise(edges):
            if start == end or start in hidden:
                continue
            strong = any(begin <= start < finish for begin, finish in bold)
            pieces.append(TextPiece(part.text[start - at : end - at], part.mark, part.name, strong))
        at += len(part.text)
    return pieces


def mark_names(quote: str, profile: Mapping[str, Any]) -> Markup:
    """Return a quote with its names marked and bold markup removed. The rest is escaped."""
    quote = remove_stars(quote)
    kinds = {name.casefold(): "rival" for rival in profile["competitors"] for name in _names(rival)}
    kinds |= {name.casefold(): "own" for name in _names(profile)}
    longest_first = sorted(kinds, key=len, reverse=True)
    names = re.compile(
        rf"(?<!\w)(?:{'|'.join(re.escape(name) for name in longest_first)})(?!\w)", re.IGNORECASE
    )
    parts: list[Markup] = []
    at = 0
    for match in names.finditer(quote):
        kind = kinds.get(match[0].casefold())
        if kind is None or not match[0]:
            continue
        parts.append(escape(quote[at : match.start()]))
        parts.append(Markup('<mark class="{}">{}</mark>').format(kind, match[0]))
        at = match.end()
    parts.append(escape(quote[at:]))
    return Markup("").join(parts)


def remove_stars(quote: str) -> str:
    """Return a quote without bold markup. Unbalanced markup, as in a truncated quote, is kept."""
    return quote.replace("**", "") if quote.count("**") % 2 == 0 else quote


def _names(entity: Mapping[str, Any]) -> list[str]:
    aliases: list[Any] = entity.get("aliases") or []
    texts = (alias if isinstance(alias, str) else alias["text"] for alias in aliases)
    return [name for name in (entity["name"], *texts) if name]
