"""Finds what an answer says about a name: its clauses, or the list item, line or heading that it opens."""

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
"""Opens a clause that contrasts two names: `while Acme is slow, Bravo is quick`."""
_ASIDE = re.compile(r",[ ](?:which|who|whose|where|known for|famous for)\b", re.IGNORECASE)
"""Continues about the preceding name up to the next comma: `unlike Acme, which is slow, Bravo is quick`."""
_BRACKETS = re.compile(r"[*_\"”'’\]]{0,4}[ ]?(?P<said>\([^()\n]{1,120}\))")
_PARTING = re.compile(r"[,;]|\b(?:and|but)\b")
_SAID_AFTER = re.compile(
    r"(?:['’]s)?[*_\"”'’\]]{0,4}(?:[ ]?\([^()\n]{0,60}\)|\0)?[*_ ]{0,4}(?:[:：]|[-–—])(?=\s)"
)
LONGEST_DESCRIPTION = 1500
"""Maximum characters of an item, or of a clause on each side of the name, that are evaluated."""


class Descriptions:
    """The parts of a text that describe its names. `names` holds the spans of all names, in order."""

    def __init__(self, text: str, names: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._names = names
        self._sentences = sentences_of(text)
        self._tables = TableColumns(text)

    def of(self, start: int, end: int) -> str:
        """Return what the text says about the name at `[start, end)`.

        A name that opens an item, a heading or a line, followed by a dash, a colon or nothing else, is
        described by that whole item and by the bullets below it, excluding clauses about other entities. Any
        other name is described by its clause and the following clauses up to the next name. If a dash or a
        colon follows the name, the rest of the sentence counts too. A name that heads a table column is
        described by the cells below it.
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
        """Return a part of the text without the parenthetical remarks that follow other names."""
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
        """Return the position of the first comma that does not open an aside, or -1."""
        comma = self._text.find(",", at, high)
        while comma >= 0 and _ASIDE.match(self._text, comma, high):
            comma = self._text.find(",", comma + 1, high)
        return comma

    def _said_after(self, low: int, start: int, end: int) -> tuple[int, int]:
        """Return the range described by a dash or colon after a name, ending before the next such name.

        `Acme – reliable, Bravo – unreliable` makes one statement about each name.
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
        """Return the start of the next name before `high` if a dash or colon follows it."""
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
        """Return the bounds of the item that the name opens, or None."""
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
        """Return a line's indent and the kind of item it opens: heading, bold, number, bullet or plain text."""
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
        """Return whether a line belongs to an item of this level."""
        indent, kind = self._level(line)
        own_indent, own_kind = level
        if indent > own_indent:
            return True
        if own_kind == "heading":
            return kind != "heading"
        return own_kind in ("bold", "number") and kind in ("", "-", "*", "•", "+")

    def _goes_on(self, level: tuple[int, str], at: int) -> bool:
        """Return whether the line after a blank line belongs to the item: under a heading, indented, or a bullet."""
        following = at + 1
        if level[1] == "heading":
            return True
        return following < len(self._text) and self._belongs(level, following)
