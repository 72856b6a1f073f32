"""Finds what an answer says of a name: its clauses, or the list item, line or heading that the name opens."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from analytics.answers.table_columns import TableColumns
from analytics.text.sentences import sentences_of

_ITEM = re.compile(
    r"(?P<indent>[ \t]{0,24})(?P<mark>[-*•+][ \t]|\d{1,3}[.)][ \t]|\#{1,6}[ \t]|[*_]{2,3}(?=\S)|\|)?"
)
_LEAD = re.compile(
    r"[ \t>]{0,24}(?:\#{1,6}[ \t]{1,4}|[-*•+][ \t]{1,4})?[*_]{0,3}"
    r"(?:\(?\#?\d{1,3}[.)、:]?\ufe0f?\u20e3?[ \t]{0,4}|[\U0001f947-\U0001f949][ \t]{0,4}"
    r"|\|[ \t]{0,4}(?:\d{1,3}[ \t]{0,4}\|)?[ \t]{0,4})?"
    r"[*_\"“'‘\[]{0,4}\Z"
)
_TAIL = re.compile(
    r"(?:['’]s)?(?:[ ][A-Z0-9&][\w&'’.-]{0,24}){0,3}[*_\"”'’\]]{0,4}(?:\([^()\n]{0,60}\)|\0)?"
    r"[*_ ]{0,4}(?:[:：|]|[-–—](?=\s)|$)",
    re.MULTILINE,
)
_CONTRAST = re.compile(
    r"\s{0,4}(?:while|whilst|although|though|whereas|unlike|compared (?:to|with)|in (?:contrast|comparison) (?:to|with)"
    r"|as opposed to)\b",
    re.IGNORECASE,
)
"""Opens a clause that sets one name against another: `while Acme is slow, Bravo is quick`."""
_ASIDE = re.compile(r",[ ](?:which|who|whose|where|known for|famous for)\b", re.IGNORECASE)
"""Goes on about the name before it, up to the next comma: `unlike Acme, which is slow, Bravo is quick`."""
_BRACKETS = re.compile(r"[*_\"”'’\]]{0,4}[ ]?(?P<said>\([^()\n]{1,120}\))")
_PARTING = re.compile(r"[,;]|\b(?:and|but)\b")
_SAID_AFTER = re.compile(
    r"(?:['’]s)?[*_\"”'’\]]{0,4}(?:[ ]?\([^()\n]{0,60}\)|\0)?[*_ ]{0,4}(?:[:：]|[-–—])(?=\s)"
)
LONGEST_DESCRIPTION = 1500
"""Characters of an item that are judged; of an endless clause as many on each side of the name."""


class Descriptions:
    """The parts of one text that speak of its names; `names` are the spans of all names, in order."""

    def __init__(self, text: str, names: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._names = names
        self._sentences = sentences_of(text)
        self._tables = TableColumns(text)

    def of(self, start: int, end: int) -> str:
        """Return what is said of the name at `[start, end)`.

        A name that opens an item, a heading or a line and is followed by a dash, a colon or nothing more is described
        by all of it and by the bullets below, without the clauses that name somebody else. Any other name is
        described by its clause and the clauses after it up to the next name, and with a dash or a colon after it by
        the rest of its sentence. A name that heads a column of a table is described by the cells below it.
        """
        column = self._tables.below(start)
        if column is not None:
            return column
        low, high = self._item(start, end) or self._clause(start, end)
        parts: list[str] = []
        at = low
        while at < high:
            last = min(max(self._sentences.end_of_clause(at), at + 1), high)
            if (at <= start < last) or not self._names_another(at, last, start):
                parts.append(self._without_brackets_of_others(at, last, start))
            at = last
        return "".join(parts)

    def _without_brackets_of_others(self, first: int, last: int, own: int) -> str:
        """Return a part of the text without what stands in brackets behind the names of others."""
        places = range(bisect_left(self._names, (first, -1)), bisect_left(self._names, (last, -1)))
        if not places:
            return self._text[first:last]
        kept: list[str] = []
        at = first
        for place in places:
            start, end = self._names[place]
            said = _BRACKETS.match(self._text, end, last) if start != own else None
            if said is not None and said.start("said") >= at:
                kept.append(self._text[at : said.start("said")])
                at = said.end("said")
        return "".join([*kept, self._text[at:last]])

    def _clause(self, start: int, end: int) -> tuple[int, int]:
        low, high = self._sentences.clause(start, end)
        opening = _CONTRAST.match(self._text, low, start)
        comma = self._comma(max(opening.end(), low), high) if opening is not None else -1
        if comma >= 0:
            return (low, comma) if start < comma else (comma, high)
        high = next(
            (
                first
                for first, last in self._sentences.clauses_after(start, end)
                if self._names_another(first, last, start)
            ),
            self._sentences.around(start, end)[1],
        )
        if _SAID_AFTER.match(self._text, end):
            low, high = self._said_after(low, start, end)
        return max(low, start - LONGEST_DESCRIPTION), min(high, end + LONGEST_DESCRIPTION)

    def _comma(self, at: int, high: int) -> int:
        """Where the first comma stands that no aside begins with; -1 without one."""
        comma = self._text.find(",", at, high)
        while comma >= 0 and _ASIDE.match(self._text, comma, high):
            comma = self._text.find(",", comma + 1, high)
        return comma

    def _said_after(self, low: int, start: int, end: int) -> tuple[int, int]:
        """Where what a dash or colon behind a name begins with stands, up to the next name of which the same is true.

        `Acme – reliable, Bravo – unreliable` says one thing of each.
        """
        high = self._sentences.around(start, end)[1]
        at = bisect_left(self._names, (start, -1))
        before = self._names[at - 1] if at else None
        if before is not None and before[0] >= low and _SAID_AFTER.match(self._text, before[1]):
            low = start
        following = self._next_said_of(end, high)
        if following is not None:
            partings = [cut.start() for cut in _PARTING.finditer(self._text, end, following)]
            high = partings[-1] if partings else following
        return low, high

    def _next_said_of(self, end: int, high: int) -> int | None:
        """Where the next name before `high` begins, if it is one with a dash or colon behind it."""
        place = bisect_left(self._names, (end, -1))
        if place == len(self._names):
            return None
        following = self._names[place]
        is_said_of = following[0] < high and _SAID_AFTER.match(self._text, following[1])
        return following[0] if is_said_of else None

    def _names_another(self, low: int, high: int, own: int) -> bool:
        at = bisect_left(self._names, (low, -1))
        return any(start != own for start, _ in self._names[at : at + 2] if start < high)

    def _item(self, start: int, end: int) -> tuple[int, int] | None:
        """Where the item begins and ends that the name opens; None if it opens none."""
        line = self._text.rfind("\n", 0, start) + 1
        if not _LEAD.fullmatch(self._text, line, start) or not _TAIL.match(self._text, end):
            return None
        if self._next_said_of(end, self._sentences.around(start, end)[1]) is not None:
            return None
        level = self._level(line)
        stop = min(len(self._text), line + LONGEST_DESCRIPTION)
        at = self._text.find("\n", end)
        while 0 <= at < stop:
            following = self._text.find("\n", at + 1)
            following = len(self._text) if following < 0 else following
            row = self._text[at + 1 : following]
            if row.strip() and not self._belongs(level, at + 1):
                return line, at
            if not row.strip() and not self._goes_on(level, following):
                return line, at
            at = following if following < len(self._text) else -1
        return line, stop

    def _level(self, line: int) -> tuple[int, str]:
        """The indent of a line and what kind of item it opens: heading, bold, number, bullet, or plain text."""
        item = _ITEM.match(self._text, line)
        mark = (item["mark"] or "") if item else ""
        kind = (
            "heading"
            if mark[:1] == "#"
            else "bold"
            if mark[:1] in "*_" and mark[1:2] in ("*", "_")
            else mark[:1]
        )
        return (len(item["indent"].expandtabs(4)) if item else 0), "number" if kind.isdigit() else kind

    def _belongs(self, level: tuple[int, str], line: int) -> bool:
        """Whether a line still belongs to an item of this level."""
        indent, kind = self._level(line)
        own_indent, own_kind = level
        if indent > own_indent:
            return True
        if own_kind == "heading":
            return kind != "heading"
        return own_kind in ("bold", "number") and kind in ("", "-", "*", "•", "+")

    def _goes_on(self, level: tuple[int, str], at: int) -> bool:
        """Whether what follows a blank line belongs to the item: below a heading, or indented, or its bullets."""
        following = at + 1
        if level[1] == "heading":
            return True
        return following < len(self._text) and self._belongs(level, following)
