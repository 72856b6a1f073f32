"""Takes out of a text what points at a source instead of naming anybody, without moving a character."""

import re
from collections.abc import Set as AbstractSet

from analytics.matching.cards import blank_cards
from analytics.matching.source_notes import BLANK, blank_source_notes
from analytics.text.folding import fold
from analytics.text.scripts import GLUED
from analytics.text.suffixes import is_domain

_IMAGE = re.compile(r"!\[[^\[\]\n\r]{0,500}\](?=[(\[])")
_LINK_TARGET = re.compile(r"\]\([^()\n\r]*+(?:\([^()\n\r]*+\)[^()\n\r]*+)*+\)")
_BRACKETED_LINK = re.compile(
    r"\((?P<label>\[[^\[\]\n\r]{1,120}\])\([^()\s]{1,2000}\)\)(?=[\s]*(?:[.,;:!?。，；：|\n\r]|\(\[|\Z))"
)
"""A link alone in brackets behind a statement, as engines cite: `([Acme Blog](https://acme.example)).`"""
_REFERENCE = re.compile(
    r"""^[ ]{0,3}\[(?!\^)[^\[\]\n\r]{1,999}\]:[ \t]*[^\s\0]\S*"""
    r"""(?:[ \t]+(?:"[^"\n\r]*"|'[^'\n\r]*'|\([^()\n\r]*\)))?[ \t]*$""",
    re.MULTILINE,
)
_MARK = re.compile(r"\[\[?\d{1,4}(?:[ ]?[,–-][ ]?\d{1,4})*+\]?\]|\[\^[^\[\]\s]{1,64}\]")
# Lenticular brackets also quote in Japanese and Chinese; a citation starts with a digit or holds a dagger.
_LENTICULAR_MARK = re.compile(r"【(?:\d[^【】\n\r]*+|[^【】†\n\r]*+†[^【】\n\r]*+)】")
_URL_CHARACTER = r"[^\s\0<>\"`|()\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]"
_URL = re.compile(
    rf"(?:https?://|(?<![\w.])www\.)(?:{_URL_CHARACTER}++|\({_URL_CHARACTER}*+\))+",
    re.IGNORECASE,
)
_CLOSES_SENTENCE = ".,;:!?'*_~"
_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_HANDLE = re.compile(r"@\w(?:[\w.-]*\w)?")
_DOT = re.compile(r"\.(?=[^\W\d_])")
_SPACE = re.compile(r"[\s\0]")
_LABEL = rf"(?:[^\W_{GLUED}](?:[^\W_{GLUED}]|-){{0,62}}+|(?<![{GLUED}])[{GLUED}]{{1,63}}+)"
_HOST = re.compile(
    rf"(?<![^\W_{GLUED}])(?P<host>{_LABEL}(?:\u200b?\.{_LABEL})++)"
    rf"(?P<rest>(?::\d+)?(?:/{_URL_CHARACTER}*+|[?\#](?=\w){_URL_CHARACTER}++)?)"
)


def _blank(match: re.Match[str]) -> str:
    return BLANK * (match.end() - match.start())


def _blank_label(match: re.Match[str]) -> str:
    """The alternative text of an image, without the bracket that its target follows."""
    return BLANK * (match.end() - match.start() - 1) + "]"


def _blank_url(match: re.Match[str]) -> str:
    """What closes the sentence behind a URL is none of it."""
    length = len(match[0].rstrip(_CLOSES_SENTENCE))
    return BLANK * length + match[0][length:]


def blank(text: str, kept: AbstractSet[str] = frozenset()) -> str:
    """The text with U+0000 in place of what points at a source: URLs, domains, addresses, handles, marks.

    Same length, so offsets stay. `kept` holds folded names that look like a domain (`booking.com`): they stay
    unless a path follows. A link's label stays, unless it is itself a domain. Line breaks are never blanked.
    Footnotes, lists of sources, source chips, ads and product cards go as well.
    """
    text = blank_cards(blank_source_notes(text))
    if "[" in text or "]" in text:
        text = _blank_brackets(text)
    if "【" in text:
        text = _LENTICULAR_MARK.sub(_blank, text)
    if "://" in text or "www." in text or "WWW." in text:
        text = _URL.sub(_blank_url, text)
    if "@" in text:
        text = _HANDLE.sub(_blank, _EMAIL.sub(_blank, text))
    if "." in text:
        text = _blank_domains(text, kept)
    return text


def _blank_brackets(text: str) -> str:
    if "](" in text:
        if "([" in text:
            text = _BRACKETED_LINK.sub(_blank, text)
        if "![" in text:
            text = _IMAGE.sub(_blank_label, text)
        text = _LINK_TARGET.sub(_blank, text)
    if "]:" in text:
        text = _REFERENCE.sub(_blank, text)
    return _MARK.sub(_blank, text)


def _blank_domains(text: str, kept: AbstractSet[str]) -> str:
    """Look only into the words that hold a dot before a letter; each of them is read once."""
    pieces: list[str] = []
    at = 0
    for dot in _DOT.finditer(text):
        if dot.start() < at:
            continue
        start = max(at, *(text.rfind(space, at, dot.start()) + 1 for space in " \n\0"))
        space = _SPACE.search(text, dot.end())
        end = space.start() if space else len(text)
        pieces += (text[at:start], _blank_hosts(text[start:end], kept))
        at = end
    return "".join((*pieces, text[at:])) if pieces else text


def _blank_hosts(word: str, kept: AbstractSet[str]) -> str:
    def replace(match: re.Match[str]) -> str:
        host, rest = match["host"], match["rest"]
        if not is_domain(host.replace("\u200b", "")) or (not rest and kept and fold(host).text in kept):
            return match[0]
        return _blank(match)

    return _HOST.sub(replace, word)
