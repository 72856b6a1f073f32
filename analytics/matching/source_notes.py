"""Removes footnotes and lists of sources from a text: a name that occurs only there is not a mention."""

import re

BLANK = "\0"

# Headings of a list of sources at the end of an answer, including the languages of the negation cues.
_HEADINGS = (
    "sources?|references?|citations?|footnotes?|bibliography|works cited|sources used|quellen?|quellenangaben"
    "|einzelnachweise|fußnoten|fuentes?|referencias?|références?|fonti|fonte|riferimenti|fontes|referências?|bronnen|bron"
    r"|referenties|źródł[ao]|przypisy|bibliografia|kaynak(?:lar|ça)?|источники?|ссылки|примечания|出典|引用元|参照元|参考文献|参考資料|参考サイト|参考リンク|参考(?![^\s:：*_])"
    "|情報源|来源|參考資料|参考资料|参考来源|資料來源|信息来源"
    "|출처|참고 ?자료|참고 ?문헌|المصادر|المراجع|المصدر|स्रोत|संदर्भ"
)
# Line openers are searched for after a line break, which is faster than matching `^`.
_HEADING = re.compile(
    rf"\n[ \t>]{{0,8}}(?:\#{{1,6}}[ \t]{{0,8}})?[*_]{{0,3}}(?:{_HEADINGS})[*_]{{0,3}}[ \t]{{0,8}}"
    r"(?P<colon>[:：][*_]{0,3})?(?P<rest>[^\n]*+)",
    re.IGNORECASE,
)
_LISTED = re.compile(r"[ \t]{0,8}(?:[-*•–+・·]|\(?\d{1,3}[.)\]:、]|\[|<?https?:|\0|[¹²³⁰⁴-⁹])")
_SOURCE_WORDS = "(?:sources?|quellen?|fuentes?|fonti|fonte|fontes|bron|źródło|kaynak|источник|出典|来源|출처)"
_BRACKETED = re.compile(rf"\({_SOURCE_WORDS}[:：][^()（）\n]{{0,200}}[)）]", re.IGNORECASE)
_WIDE_BRACKETED = re.compile(rf"（{_SOURCE_WORDS}[:：][^()（）\n]{{0,200}}[)）]", re.IGNORECASE)
_FOOTNOTE = re.compile(r"\n[ \t]{0,3}(?:\[\^[^\[\]\s]{1,64}\]:|[¹²³⁰⁴-⁹]{1,3}[ \t])[^\n]*+")
_NUMBERED = re.compile(r"^[ \t]{0,3}(?P<mark>\[\d{1,3}\])[:.]?[ \t][^\n]*+", re.MULTILINE)
_SHOWN = re.compile(r"[^\n\r]")


def blank_source_notes(text: str) -> str:
    """Return the text at the same length, with footnotes, bracketed sources and lists of sources replaced by U+0000.

    A line that opens with `[3]` is a source if `[3]` also occurs before it. A list of sources is a line such
    as `Sources:` with the list items after it, or with the text after its colon. Line breaks are kept.
    """
    if text.startswith("[") or "\n[" in text or "\n [" in text:
        text = _NUMBERED.sub(_blank_repeated, text)
    if "[^" in text or not text.isascii():
        text = _FOOTNOTE.sub(_blank_line, f"\n{text}")[1:]
    if "(" in text:
        text = _BRACKETED.sub(_blank, text)
    if "（" in text:
        text = _WIDE_BRACKETED.sub(_blank, text)
    pieces: list[str] = []
    at = 0
    for heading in _HEADING.finditer(f"\n{text}"):
        if heading.start() < at or (heading["rest"].strip(" *_") and not heading["colon"]):
            continue
        start, end = heading.start("rest") - 1, _end_of_list(text, heading.end() - 1)
        pieces += (text[at:start], _SHOWN.sub(BLANK, text[start:end]))
        at = end
    return "".join((*pieces, text[at:])) if pieces else text


def _blank(match: re.Match[str]) -> str:
    return BLANK * (match.end() - match.start())


def _blank_line(match: re.Match[str]) -> str:
    return "\n" + BLANK * (match.end() - match.start() - 1)


def _blank_repeated(match: re.Match[str]) -> str:
    return _blank(match) if match.string.find(match["mark"], 0, match.start()) >= 0 else match[0]


def _end_of_list(text: str, at: int) -> int:
    """Return the end of the list after `at`; blank lines between its items belong to the list."""
    end = at
    while at < len(text):
        following = text.find("\n", at + 1)
        following = len(text) if following < 0 else following
        line = text[at + 1 : following]
        if line.strip():
            if not _LISTED.match(line):
                break
            end = following
        at = following
    return end
