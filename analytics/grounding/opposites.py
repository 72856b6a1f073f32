"""Finds words that set things of one kind against each other, `small` and `large`; they stand in opposites.toml."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from analytics.grounding.facts import split_parts

_DATA: Final = files("analytics.grounding").joinpath("opposites.toml")


@dataclass(frozen=True, slots=True)
class Opposite:
    """One member of a set of opposites at `[start, end)` of a flat text."""

    of: str
    member: str
    start: int
    end: int


def opposites(flat: str, language: str) -> list[Opposite]:
    """Return the members of sets of opposites that a flat text names, in order."""
    named = [
        Opposite(of, member, *match.span())
        for (of, member), pattern in _patterns(language).items()
        for match in pattern.finditer(flat)
    ]
    return sorted(named, key=lambda hit: hit.start)


def governing(named: list[Opposite], flat: str, place: int) -> dict[str, str]:
    """Return set -> the member that a place of a flat text stands under: the nearest before it, its own part first."""
    low, high = next(
        ((low, high) for low, high in split_parts(flat) if low <= place < high), (place, place + 1)
    )
    ruled: dict[str, str] = {}
    for of in {hit.of for hit in named}:
        alike = [hit for hit in named if hit.of == of]
        beside = [hit for hit in alike if low <= hit.start < high]
        before = [hit for hit in beside or alike if hit.start <= place]
        ruled[of] = (before[-1] if before else (beside or alike)[0]).member
    return ruled


def is_of_kinds(of: str) -> bool:
    """Tell whether a set tells kinds of things apart wherever they stand, not only side by side in one text."""
    return of in _tables()["kinds"]


@cache
def _patterns(language: str) -> Mapping[tuple[str, str], re.Pattern[str]]:
    return {
        (of, member): re.compile(rf"\b(?:{words[language]})(?![\w'])")
        for of, members in _tables().items()
        if of != "kinds"
        for member, words in members.items()
    }


@cache
def _tables() -> Mapping[str, Any]:
    return tomllib.loads(_DATA.read_text(encoding="utf-8"))
