"""Facts that an answer must hold, whoever gives it: a result of a tool at one place, or the words of a model."""

import re
from dataclasses import dataclass
from typing import Any, cast

NUMBER = re.compile(r"(?<![\d.,])-?\d{1,12}(?:[.,]\d{1,12})?(?![\d])")
STEP = re.compile(r"([^/\[\]#]{0,80})(?:\[([^\[\]]{1,200})\])?(#?)")
TIGHT = 0.0006
"""How far a result may lie from a share that was counted: results are rounded to four places at least."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of 0 to 1, which words may also give in percent; `points` says how exact words have to be."""

    at: str
    value: float
    points: float = 1.0
    tight: float = TIGHT
    scale: float = 1.0
    """What the result's own unit is, 100 for points."""

    def is_at(self, results: list[Any]) -> bool:
        found = place(results, self.at)
        return isinstance(found, int | float) and abs(found / self.scale - self.value) <= self.tight

    def is_said(self, text: str) -> bool:
        numbers = [abs(number) for number in numbers_in(text)]
        wanted = abs(self.value)
        near = self.points / 100
        return any(abs(number - wanted) <= near for number in numbers if number <= 1) or any(
            abs(number / 100 - wanted) <= near for number in numbers
        )


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number."""

    at: str
    value: int

    def is_at(self, results: list[Any]) -> bool:
        return place(results, self.at) == self.value

    def is_said(self, text: str) -> bool:
        return float(self.value) in numbers_in(text.replace(f"{self.value:,}", str(self.value)))


@dataclass(frozen=True, slots=True)
class Words:
    """One of some wordings, the first of which is in the result."""

    at: str
    wordings: tuple[str, ...]

    def is_at(self, results: list[Any]) -> bool:
        return self.wordings[0].casefold() in str(place(results, self.at)).casefold()

    def is_said(self, text: str) -> bool:
        return any(wording.casefold() in text.casefold() for wording in self.wordings)


Fact = Share | Count | Words


def words(at: str, *wordings: str) -> Words:
    """Return a fact in words."""
    return Words(at, wordings)


def numbers_in(text: str) -> list[float]:
    """Return every number of a text."""
    return [float(number.replace(",", ".")) for number in NUMBER.findall(text)]


def place(value: Any, path: str) -> Any:
    """Return what stands at a place: steps behind slashes, an item by number or as `[field=value]`, `#` its length.

    None where there is no such place.
    """
    for step in path.split("/"):
        match = STEP.fullmatch(step)
        assert match is not None, path
        name, chosen, counted = match.groups()
        value = _member(value, name) if name else value
        if chosen is not None:
            value = _item(value, chosen)
        if counted:
            value = len(value)
        if value is None:
            return None
    return value


def _member(value: Any, name: str) -> Any:
    if isinstance(value, list):
        items = cast(list[Any], value)
        return items[int(name)] if -len(items) <= int(name) < len(items) else None
    return cast(dict[str, Any], value).get(name)


def _item(items: list[Any], chosen: str) -> Any:
    field, equals, wanted = chosen.partition("=")
    if not equals:
        return _member(items, field)
    return next((item for item in items if str(item[field]) == wanted), None)
