"""Removes what an answer's page shows beside its sentences: source chips (`Acme +2`), ads and product cards."""

import re
from typing import Final

BLANK: Final = "\0"
_SHOWN = re.compile(r"[^\n\r]")
_WORD = r"[^\W_a-z][\w.&'’-]{0,30}"
_NAME = rf"{_WORD}(?: (?:{_WORD}|&|of|de|der|und|and|the)){{0,5}}"
_COUNT = r"[ \t\u00a0]{0,2}\+[ \t]?\d{1,2}"
_CHIPS = re.compile(
    rf"(?<![^\W_]){_NAME}(?:{_COUNT}(?=[ \t]*$)|[ \t]*\n[ \t]*\+[ \t]?\d{{1,2}}(?=[ \t]*$))"
    rf"|(?<=[.!?:;] ){_NAME}{_COUNT}(?=[ \t])"
    rf"|\[[^\[\]\n]{{1,80}}{_COUNT}\]",
    re.MULTILINE,
)
"""A name with the number of further sources, at the end of a line, behind a sentence or as the label of a link."""
_LONE_CHIP = re.compile(rf"(?<=[^\n]{{30}}[.!?]\n){_NAME}[ \t]*(?=\n[ \t]*\n|\n?\Z)")
"""A name on a line of its own directly under a sentence, with nothing about it below."""
_AD_WORDS: Final = (
    "sponsored|advertisement|ads?|promoted|anzeigen?|gesponsert|werbung|annonces?|sponsorisée?s?|patrocinad[oa]s?|anuncios?"
    "|anúncios?|sponsorizzat[oai]|annunci|gesponsord|advertenties?|sponsorowan[eya]|reklama|reklam|реклама|広告|スポンサー|광고|赞助|贊助|إعلان|ممول"
)
_AD = re.compile(
    rf"^[ \t>*_#-]{{0,6}}(?:{_AD_WORDS})\b[*_]{{0,3}}[ \t]{{0,3}}(?:$|[:：·•|–—(\[-]|(?<=\*)).*(?:\n[ \t]*\S.*)*",
    re.IGNORECASE | re.MULTILINE,
)
"""An ad: the block of lines that its label opens."""
_BLOCK = re.compile(r"(?:^(?!\d{1,3}[.)]\s)[^\s|>#*+•-].*(?:\n|\Z)){2,8}", re.MULTILINE)
_AMOUNT = r"(?:[$€£¥₹]|US\$|USD|EUR|GBP|CHF|PLN)"
_PRICE_LINE = re.compile(
    rf"^[ \t]{{0,8}}(?:from |ab |now )?"
    rf"(?:{_AMOUNT}\s?\d[\d.,' ]{{0,14}}|\d[\d.,' ]{{0,14}}(?:{_AMOUNT}|zł))[ \t]{{0,8}}$",
    re.MULTILINE,
)
_SENTENCE = re.compile(r"[.!?。！？:：][\"”)]?[ \t]*$|\w{2}[.!?] |\S{1,40}(?: \S{1,40}){13}", re.MULTILINE)


def blank_cards(text: str) -> str:
    """Return the text at the same length, with source chips, ads and product cards replaced by U+0000.

    A product card is a block of two to eight short lines, one of them a price and none a sentence or a list item. Line
    breaks are kept.
    """
    if "+" in text:
        text = _CHIPS.sub(_blank, text)
    if "\n" not in text:
        return _AD.sub(_blank, text)
    text = _AD.sub(_blank, _LONE_CHIP.sub(_blank, text))
    if _PRICE_LINE.search(text):
        text = _BLOCK.sub(_blank_card, text)
    return text


def _blank(match: re.Match[str]) -> str:
    return _SHOWN.sub(BLANK, match[0])


def _blank_card(match: re.Match[str]) -> str:
    is_card = _PRICE_LINE.search(match[0]) and not _SENTENCE.search(match[0])
    return _blank(match) if is_card else match[0]
