"""Neutralizes the effects of markup on words: character references, escapes, ChatGPT's markers, broken words."""

import re
from html import unescape

_DROPPED = "\u200b"
"""Replaces removed characters. Folding drops it, so that all offsets are kept."""

_MARKER = re.compile(
    r"\ue200(?:entity\ue202(?:\[\s*\"[^\"\n]*\",\s*\"(?P<entity>(?:[^\"\\\n]|\\.)+)\"|(?P<plain>[^\[\ue200-\ue202]+))"
    r"|url\ue202(?P<label>[^\ue200-\ue202]+)\ue202(?P<url>[^\ue200-\ue202]*))?"
    r"(?:[^\ue200\ue201]*\ue201|[^\ue200\ue201\n]*)"
)
"""What ChatGPT puts between U+E200 and U+E201: a name with its kind, a link with its label, or marks to leave out."""
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,7});")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_INLINE_TAG = re.compile(
    r"</?(?:b|i|u|s|em|strong|span|a|mark|font|small|bdi|ins|wbr)(?:\s[^<>]{0,500})?/?>", re.IGNORECASE
)
_TAG = re.compile(
    r"</?(?:br|p|div|li|ul|ol|tr|td|th|table|h[1-6]|img|hr|sup|sub|section|article|figure|figcaption|picture|svg|button|label)"
    r"(?:\s[^<>]{0,500})?/?>",
    re.IGNORECASE,
)
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010][ \t]?\n[ \t]{0,8}(?=[^\W\d_])")
_SOFT_BREAK = re.compile(r"(?<=[^\W\d_])\u00ad[ \t]?\n[ \t]{0,8}(?=[^\W\d_])")


def neutralize(text: str) -> str:
    """Return the text at the same length, with words as a reader sees them: `&amp;` as `&`, `Monday\\.com` unescaped.

    A hyphen at the end of a line is removed if the next line continues in lower case (`Moto-` / `rola`).
    Otherwise only the line break is removed (`Coca-` / `Cola`). HTML tags are left out; those that begin a block, an
    image or a footnote part words.
    """
    text = without_references(text)
    if "<" in text and ">" in text:
        text = _TAG.sub(_blanked, _INLINE_TAG.sub(_dropped, text))
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


def with_links(text: str) -> str:
    """Return the text with ChatGPT's markers as Markdown: links, and names without their kind."""
    return _MARKER.sub(_link, text) if "\ue200" in text else text


def _link(match: re.Match[str]) -> str:
    if match["label"]:
        return f"[{match['label']}](<{match['url']}>)"
    return match["entity"] or match["plain"] or ""


def without_references(text: str) -> str:
    """Return the text at the same length, with HTML character references decoded and ChatGPT's markers left out."""
    if "\ue200" in text:
        text = _MARKER.sub(_unmarked, text)
    return _REFERENCE.sub(_referenced, text) if "&" in text and ";" in text else text


def _unmarked(match: re.Match[str]) -> str:
    """Return the name or label that a marker shows, in its place; a blank for other markers, which part words."""
    start, end = next(
        (match.span(name) for name in ("entity", "plain", "label") if match[name]), (match.end(), match.end())
    )
    before, after = start - match.start(), match.end() - end
    return (
        (" " if start == end else _DROPPED)
        + _DROPPED * (before - 1)
        + match.string[start:end]
        + _DROPPED * after
    )


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


def _blanked(match: re.Match[str]) -> str:
    """Return blanks in place of a tag, with its line breaks."""
    return "".join("\n" if char == "\n" else " " for char in match[0])


def _dropped(match: re.Match[str]) -> str:
    return _DROPPED * len(match[0])
