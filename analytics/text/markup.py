"""Neutralizes the effects of markup on words: character references, backslash escapes, hyphens at line breaks."""

import re
from html import unescape

_DROPPED = "\u200b"
"""Replaces removed characters. Folding drops it, so that all offsets are kept."""

_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,7});")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010][ \t]?\n[ \t]{0,8}(?=[^\W\d_])")
_SOFT_BREAK = re.compile(r"(?<=[^\W\d_])\u00ad[ \t]?\n[ \t]{0,8}(?=[^\W\d_])")


def neutralize(text: str) -> str:
    """Return the text at the same length, with words as a reader sees them: `&amp;` as `&`, `Monday\\.com` unescaped.

    A hyphen at the end of a line is removed if the next line continues in lower case (`Moto-` / `rola`).
    Otherwise only the line break is removed (`Coca-` / `Cola`).
    """
    text = without_references(text)
    if "\\" in text:
        text = _ESCAPE.sub(_DROPPED, text)
    # Searching for a single character is many times faster than for several that do not occur.
    if "\n" in text and (
        ("-" in text and ("-\n" in text or "- \n" in text)) or ("\u2010" in text and "\u2010\n" in text)
    ):
        text = _BROKEN_WORD.sub(_joined, text)
    if "\u00ad" in text and "\n" in text:
        text = _SOFT_BREAK.sub(_dropped, text)
    return text


def without_references(text: str) -> str:
    """Return the text at the same length, with HTML character references decoded."""
    return _REFERENCE.sub(_referenced, text) if "&" in text and ";" in text else text


def _referenced(match: re.Match[str]) -> str:
    """Return the character of an HTML reference, with white space as a blank."""
    char = unescape(match[0])
    if char == match[0]:
        char = unescape(char.lower())
    if len(char) != 1 or char == "\0":
        return match[0]
    return (" " if char.isspace() else char) + _DROPPED * (len(match[0]) - 1)


def _joined(match: re.Match[str]) -> str:
    hyphen = "" if match.string[match.end()].islower() else "-"
    return hyphen + _DROPPED * (len(match[0]) - len(hyphen))


def _dropped(match: re.Match[str]) -> str:
    return _DROPPED * len(match[0])
