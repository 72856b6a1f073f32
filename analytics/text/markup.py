"""Neutralizes what markup does to words: character references, backslash escapes, hyphens at line breaks."""

import re

_DROPPED = "\u200b"
"""Fills what is taken out; folding drops it, so that a replacement keeps every offset."""

_REFERENCES = {
    "amp": "&", "nbsp": " ", "quot": '"', "apos": "'", "lsquo": "'", "rsquo": "'", "ndash": "-", "mdash": "-",
    "shy": "", "reg": "", "trade": "", "copy": "", "#38": "&", "#160": " ", "#34": '"', "#39": "'", "#x27": "'",
    "#x26": "&", "#8217": "'", "#8216": "'", "#8211": "-", "#8212": "-", "#174": "", "#8482": "",
}  # fmt: skip
_REFERENCE = re.compile(r"&(#?[A-Za-z0-9]{2,6});", re.IGNORECASE)
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])[-\u2010][ \t]?\n[ \t]{0,8}(?=[^\W\d_])")
_SOFT_BREAK = re.compile(r"(?<=[^\W\d_])\u00ad[ \t]?\n[ \t]{0,8}(?=[^\W\d_])")


def neutralize(text: str) -> str:
    """Return the text, equally long, as a reader sees its words: `&amp;` as `&`, `Monday\\.com` without backslash.

    A hyphen at the end of a line is taken out when the next line goes on in lower case (`Moto-` / `rola`);
    otherwise it stays and only the line break goes (`Coca-` / `Cola`).
    """
    if "&" in text and ";" in text:
        text = _REFERENCE.sub(_referenced, text)
    if "\\" in text:
        text = _ESCAPE.sub(_DROPPED, text)
    if "-\n" in text or "- \n" in text or "\u2010\n" in text:
        text = _BROKEN_WORD.sub(_joined, text)
    if "\u00ad" in text and "\n" in text:
        text = _SOFT_BREAK.sub(_dropped, text)
    return text


def _referenced(match: re.Match[str]) -> str:
    char = _REFERENCES.get(match[1].lower())
    return match[0] if char is None else char + _DROPPED * (len(match[0]) - len(char))


def _joined(match: re.Match[str]) -> str:
    hyphen = "" if match.string[match.end()].islower() else "-"
    return hyphen + _DROPPED * (len(match[0]) - len(hyphen))


def _dropped(match: re.Match[str]) -> str:
    return _DROPPED * len(match[0])
