"""Parses ranking marks that Markdown does not define: 1️⃣, 🥇, #1, 1、, ①, Platz 1, and numbers within a line."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final, NamedTuple

from analytics.answers.list_items import is_shared_line

_KEYCAP = "\ufe0f?\u20e3"
_MEDALS = "🥇🥈🥉"
_TROPHY = "🏆"
"""Means first place if a second-place medal follows; decorative otherwise."""
_CIRCLED = "①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿"
"""The numbers up to ten, in two styles."""
_WORDS = {
    "roman": ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X"),
    "metal": ("gold", "silver", "bronze"),
}
_CHINESE = "一二三四五六七八九十"
_DIGITS = r"[0-9０-９٠-٩०-९]{1,2}"
_PLACE = (
    r"(?:no\.?|nr\.?|n[°º]|№|rank|ranked|place|spot|position|pick|top|number|platz|rang|puesto|lugar|posición"
    r"|número|numéro|place"
    r"|posto|posizione|posição|plaats|nummer|miejsce|место|sıra)"
)
_PLACED = r"(?:place|lugar|puesto|posto|position|plaats|platz|miejsce|место|sıra|yer|classificat[oa])"
_MARK = (
    rf"(?P<keycap>[0-9]{_KEYCAP}|🔟)|(?P<medal>[{_MEDALS}{_TROPHY}])|(?P<circled>[{_CIRCLED}])"
    rf"|\#[ ]?(?P<hash>{_DIGITS})(?![\w%]|\.\d)[:.)–-]?"
    rf"|{_PLACE}[ ]?\#?(?P<place>{_DIGITS})(?!\w)[ ]?(?:[:：.)–—-]|(?=[*】］〕]|\])|(?= ))"
    rf"|[（(](?P<bracket>{_DIGITS})[）)]"
    rf"|第?(?P<counted>{_DIGITS}|[{_CHINESE}])(?:位|名|위|등|순위)[ ]?[:：是は는—–-]?"
    rf"|(?P<comma>{_DIGITS}|[{_CHINESE}])[、．）]"
    rf"|(?P<ordinal>{_DIGITS})(?:st|nd|rd|th|º|ª|er|ère|re|e|ème|\.º|ᵉʳ|ʳᵉ|ᵉ|ˢᵗ|ⁿᵈ|ʳᵈ|ᵗʰ)"
    rf"(?: {_PLACED})?[*_]{{0,3}}[ ]?[:–—-]"
    rf"|(?P<raised>{_DIGITS})\.?[ºª°](?:[.:)]|[ ]{_PLACED}[ ]?[:–—-])?(?=[ *])"
    rf"|(?P<placed>{_DIGITS})(?:\.|-[ея])?[ ]{_PLACED}[ ]?[:：–—-]"
    rf"|(?P<roman>(?-i:VI{{1,3}}|I[VX]|I{{1,3}}|V|X))[.)](?=[ *])|(?P<metal>gold|silver"
    rf"|bronze)(?: medal)?[ ]?[:–—-](?=[ *])"
    rf"|(?<=[*_]{{2}})(?P<inside>{_DIGITS})[.):](?= )|(?<=[{_MEDALS}{_TROPHY}] )(?P<awarded>{_DIGITS})[.):](?= )"
    rf"|(?P<dotted>{_DIGITS})\.\)(?=[ *])|(?P<colon>{_DIGITS}):(?=[ *])"
    rf"|=?(?P<tied>{_DIGITS})=?\.?=(?= )|(?P<dash>{_DIGITS})[ ]?[–—-](?= )|(?P<foreign>[٠-٩०-९０-９]{{1,2}})[.)।-]"
    rf"|(?P<bold>{_DIGITS})[.)]?[*_]{{2,3}}|(?P<escaped>{_DIGITS})\\[.)]"
)
# Both are searched for after a line break, which is faster than matching `^`.
_LINE_MARK = re.compile(
    rf"\n[ \t]{{0,6}}(?:>[ ]?)?(?:\#{{1,6}}[ \t]{{1,3}})?(?P<bullet>[-*•+][ \t]{{1,3}})?"
    rf"(?P<opened>[*_]{{2,3}})?[ ]?(?:(?P<award>[{_MEDALS}{_TROPHY}])[ ]{{1,2}})?(?:[【［〔\[][ ]?)?(?:{_MARK})"
    r"(?:[ ]?[】］〕\]])?[*_]{0,3}[:：.]?[ \t\u3000]{0,3}",
    re.IGNORECASE,
)
_BULLET_NUMBER = re.compile(
    rf"\n[ \t]{{0,6}}[-*•+][ \t]{{1,3}}(?P<opened>[*_]{{2,3}})?(?P<number>{_DIGITS})[.)][ \t]{{1,3}}"
)
_PLAIN_NUMBER = re.compile(r"\n[ \t]{0,3}(?P<number>\d{1,2})[.)][ \t]{1,3}")
_INLINE_MARK = re.compile(
    rf"(?<![\w.,#$€£-])(?:\((?P<bracket>[0-9]{{1,2}})\)|(?P<plain>[0-9]{{1,2}})[.)]"
    rf"|\#(?P<hash>[0-9]{{1,2}})|(?P<circled>[{_CIRCLED}]))[ ]{{1,2}}(?=[^\W\d_a-z]|[*_“\"])"
)
_PLACE_BEFORE = re.compile(
    r"(?<!\w)(?:platz|rang|nummer|number|place|spot|position|numéro|numero|número|puesto|posto|lugar|posición|posição|plaats|plek|op|auf|at"
    r"|miejsce|место|sıra) \Z",
    re.IGNORECASE,
)
"""Marks the number that ends a sentence as a rank in it: `Acme lands on place 1. Bravo follows.`"""
_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~)", re.MULTILINE)
_DOTTED = {digit: re.compile(rf"{digit}[.)] ") for digit in "12"}
_FEWEST = 2
MOST_SHARED: Final = 4
"""Maximum number of names that may share a rank before the next number."""

PRINTED_PLACES: Final = frozenset(
    ("medal", "hash", "place", "counted", "ordinal", "raised", "placed", "metal", "keycap")
)
"""Kinds of marks whose number is a rank even if the run does not start at 1."""


class RankMark(NamedTuple):
    """A printed rank, its `kind` of mark, and the bounds of the item in the text."""

    number: int
    kind: str
    start: int
    end: int


def line_marks(text: str) -> list[list[RankMark]]:
    """Return runs of at least two marked lines that number consecutively with the same kind of mark."""
    opened = f"\n{text}"
    matches = sorted((*_LINE_MARK.finditer(opened), *_BULLET_NUMBER.finditer(opened)), key=_start)
    if len(matches) < _FEWEST:
        return []
    fences = [match.start() for match in _FENCE.finditer(text)]
    newest: dict[str, list[RankMark]] = {}
    runs: list[list[RankMark]] = []
    for match in matches:
        if bisect_left(fences, match.start()) % 2:
            continue
        kind, number = _read(match)
        start = match.end() - 1
        end = text.find("\n", start)
        mark = RankMark(number, kind, start, len(text) if end < 0 else end)
        run = newest.get(kind)
        if run is None or not (_continues(run, number) or _passes_shared(text, run[-1], number)):
            run = newest[kind] = []
            runs.append(run)
        run.append(mark)
    joined = [_with_plain_numbers(text, run) for run in _joined(runs)]
    return [run for run in joined if len(run) >= _FEWEST and not _are_one_medal(run)]


def _joined(runs: Sequence[list[RankMark]]) -> list[list[RankMark]]:
    """Join runs that continue with another kind of mark: 🥇, 🥈, 🥉, 4️⃣."""
    joined: list[list[RankMark]] = []
    for run in sorted(runs, key=_first_start):
        last = joined[-1][-1] if joined else None
        if last is not None and run[0].start > last.start and 1 < run[0].number == last.number + 1:
            joined[-1] += run
        else:
            joined.append(run)
    return joined


def _with_plain_numbers(text: str, run: list[RankMark]) -> list[RankMark]:
    """Add the lines directly below that continue with plain numbers, which Markdown does not parse as a list there."""
    while (line := _PLAIN_NUMBER.match(text, run[-1].end)) and int(line["number"]) == run[-1].number + 1:
        end = text.find("\n", line.end())
        run.append(RankMark(int(line["number"]), run[0].kind, line.end(), len(text) if end < 0 else end))
    return run


def _first_start(run: Sequence[RankMark]) -> int:
    return run[0].start


def _are_one_medal(run: list[RankMark]) -> bool:
    """Return whether every line has the first-place medal, which then conveys no rank."""
    return run[0].kind == "medal" and all(mark.number == 1 for mark in run)


def inline_marks(text: str) -> list[list[RankMark]]:
    """Return runs of marks within a single line that count up from 1: `1) Acme, 2) Bravo`."""
    runs: list[list[RankMark]] = []
    if not _may_count(text):
        return runs
    at = 0
    for line in text.split("\n"):
        marks = [
            mark
            for mark in (_INLINE_MARK.finditer(line) if _may_count(line) else ())
            if not (mark["plain"] and _PLACE_BEFORE.search(line, max(0, mark.start() - 12), mark.start()))
        ]
        numbers = [_read(mark)[1] for mark in marks]
        if len(marks) >= _FEWEST and numbers == list(range(1, len(marks) + 1)):
            ends = [mark.start() for mark in marks[1:]] + [len(line)]
            runs.append(
                [
                    RankMark(number, "inline", at + mark.end(), at + end)
                    for number, mark, end in zip(numbers, marks, ends, strict=True)
                ]
            )
        at += len(line) + 1
    return runs


def _start(match: re.Match[str]) -> int:
    return match.start()


def _may_count(text: str) -> bool:
    """Return whether the text contains inline marks for both the first and the second rank."""
    return _holds_mark(text, "2", "②") and _holds_mark(text, "1", "①")


def _holds_mark(text: str, digit: str, circled: str) -> bool:
    """Return whether a number appears in the text as a mark. Most texts lack the characters and return early."""
    if digit in text and _DOTTED[digit].search(text):
        return True
    if "#" in text and (f"#{digit} " in text or f"#0{digit} " in text):
        return True
    return circled in text and f"{circled} " in text


def _read(match: re.Match[str]) -> tuple[str, int]:
    """Return the kind of a mark and its number."""
    kind, shown = next(
        (name, value)
        for name, value in match.groupdict().items()
        if value and name not in ("opened", "bullet", "award")
    )
    award = match.groupdict().get("award")
    if award and award in _MEDALS:
        return "medal", _MEDALS.index(award) + 1
    if kind == "medal":
        return kind, 1 if shown == _TROPHY else _MEDALS.index(shown) + 1
    if kind == "keycap":
        return kind, 10 if shown == "🔟" else int(shown[0])
    if shown in _CIRCLED:
        return kind, _CIRCLED.index(shown) % 10 + 1
    if kind in _WORDS:
        return kind, _WORDS[kind].index(shown.lower() if kind == "metal" else shown) + 1
    if shown in _CHINESE:
        return kind, _CHINESE.index(shown) + 1
    return kind, int(shown)


def _passes_shared(text: str, last: RankMark, number: int) -> bool:
    """Return whether a number skips ranks after a line whose names share one: 1, 2, 2, 4."""
    return last.number + 1 < number <= last.number + MOST_SHARED and is_shared_line(
        text, last.start, last.end
    )


def _continues(run: list[RankMark], number: int) -> bool:
    """Return whether a number continues a run: the next one, the same (a tie), or the correct rank after ties."""
    last = run[-1].number
    falls = len(run) == 1 or run[-2].number == last + 1
    return number in (last, last + 1, run[0].number + len(run)) or (number == last - 1 and falls)
