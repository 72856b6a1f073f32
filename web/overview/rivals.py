"""The brand beside its rivals: ranks of the newest measurement, and how many answers of a view name each."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class RankedRival:
    """The brand or one competitor; `ranking` is its row in the ranking, None where it is not ranked.

    `named` counts the answers of the view that name it, None where they were not counted.
    """

    name: str
    is_brand: bool
    ranking: Mapping[str, Any] | None
    named: int | None


def rank_rivals(
    profile: Mapping[str, Any], ranked: Sequence[Mapping[str, Any]], overall: Mapping[str, Any] | None
) -> list[RankedRival]:
    """Return the ranked ones by rank, then the competitors of the profile that are not ranked."""
    named: dict[str, int] = {}
    if overall is not None:
        named = {rival["name"]: rival["named"] for rival in overall["rivals"]}
    rows = [
        RankedRival(
            row["name"],
            row["isBrand"],
            row,
            None if overall is None else _named(row["name"], row["isBrand"], overall, named),
        )
        for row in ranked
    ]
    listed = {row["name"] for row in ranked}
    rows += [
        RankedRival(rival["name"], False, None, None if overall is None else named.get(rival["name"], 0))
        for rival in profile["competitors"]
        if rival["name"] not in listed
    ]
    return rows


def _named(name: str, is_brand: bool, overall: Mapping[str, Any], named: Mapping[str, int]) -> int:
    return overall["own"]["named"] if is_brand else named.get(name, 0)
