"""Numbers of a page: which of them open nothing, and which say how many things they open."""

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"]
)
COUNT = re.compile(r"\d+ (?:answers?|questions?|prompts?|mentions|sources|credits|runs)\b")
FIGURE = re.compile(r"[+-]?\d[\d,]*(?:\.\d+)?%?=?(?: \(tied\))?(?: of \d+)?")
"""What stands in a cell of its own: a number, a share, a rank, a part of a whole."""
TOLD = re.compile(r"\d+ of \d+(?: answers)?|\d+ (?:answers|questions|prompts)")
NUMBER = re.compile(r"\d+")


@dataclass
class Cell:
    """One place for a number: a cell of a table, the value of a tile or of a fact."""

    text: str = ""
    opens: bool = False

    @property
    def is_closed_number(self) -> bool:
        """Whether it is a number that opens nothing."""
        return not self.opens and FIGURE.fullmatch(" ".join(self.text.split())) is not None


@dataclass
class PageNumbers(HTMLParser):
    """Reads a page: `closed` are numbers that open nothing, `totals` the addresses behind counts with each count."""

    closed: list[str] = field(default_factory=list[str])
    totals: dict[str, int] = field(default_factory=dict[str, int])
    targets: set[str] = field(default_factory=set[str])
    told: dict[str, set[int]] = field(default_factory=dict[str, set[int]])
    """The numbers that links such as "440 of 741 answers" say, by where they lead."""

    def __post_init__(self) -> None:
        super().__init__()
        self._tags: list[str] = []
        self._cells: list[tuple[int, Cell]] = []
        self._linked = 0
        self._prose: list[str] = []
        self._link: tuple[str, list[str]] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        attributes = dict(attrs)
        self._tags.append(tag)
        classes = (attributes.get("class") or "").split()
        if tag in ("td", "dd") or "value" in classes or "data-count" in attributes:
            # What counts the list that it heads stands where it would lead.
            self._cells.append((len(self._tags), Cell(opens="data-count" in attributes)))
        if tag == "a":
            self._linked += 1
            for _, cell in self._cells:
                cell.opens = True
            target = attributes.get("href") or ""
            self.targets.add(target)
            self._link = (target, [])
            if "data-total" in attributes:
                self.totals[target] = int(attributes["data-total"] or -1)

    def handle_endtag(self, tag: str) -> None:
        while self._tags:
            depth, ended = len(self._tags), self._tags.pop()
            self._linked -= ended == "a"
            if ended == "a" and self._link is not None:
                target, words = self._link
                if TOLD.fullmatch(text := " ".join("".join(words).split())):
                    self.told.setdefault(target, set()).update(map(int, NUMBER.findall(text)))
                self._link = None
            if self._cells and self._cells[-1][0] == depth:
                cell = self._cells.pop()[1]
                if cell.is_closed_number:
                    self.closed.append(" ".join(cell.text.split()))
            if ended == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._link is not None:
            self._link[1].append(data)
        for _, cell in self._cells:
            cell.text += data
        inside_words = {
            "title",
            "option",
            "svg",
            "blockquote",
            "q",
            "style",
            "script",
            "textarea",
            "pre",
            "button",
        }
        if not self._linked and not inside_words & set(self._tags):
            opening = [cell.opens for _, cell in self._cells]
            self.closed += [] if any(opening) else COUNT.findall(data)


def read_numbers(html: str) -> PageNumbers:
    """Read a page."""
    page = PageNumbers()
    page.feed(html)
    page.close()
    return page
