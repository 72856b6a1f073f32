"""Finds on which days, in which months and at which time of the day a flat sentence says that something is so."""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from analytics.grounding import lexicon, opening_words
from analytics.grounding.opening_claims import day_spans

_IN: Final = (
    r"(?:in|im|en|van|von|vom|ad?|di|de|during|until|till|since|from|through(?:out)?|bis|seit|ab|desde|hasta|da|vanaf|tot|sinds"
    r"|au mois de|of|every|jeden|chaque|cada|ogni|elke) "
)
_MONTH: Final = re.compile(rf"\b(?:{'|'.join(lexicon.MONTH_OF)})\b")
_MONTHS: Final = re.compile(
    rf"\b{_IN}(?P<months>{_MONTH.pattern}(?:(?:,? (?:and|und|et|y|e|en|or|oder|ou|o|of|to|bis|a|al?|hasta|tot|-) |, ?)"
    rf"{_MONTH.pattern}){{0,11}})"
)
_PARTS: Final[Mapping[str, re.Pattern[str]]] = {
    "morning": re.compile(
        r"\b(?:(?<!good )mornings?|morgens|vormittags?|am morgen|le matin|matinee|(?:por|de) las? mananas?"
        r"|(?:al|di|la) mattin[ao]|'s ochtends|ochtends?)\b"
    ),
    "afternoon": re.compile(
        r"\b(?:(?<!good )afternoons?|nachmittags?|apres-midi|(?:por|de) las? tardes?|pomeriggi?o?|'s middags|middags)\b"
    ),
    "evening": re.compile(
        r"\b(?:(?<!good )evenings?|abends|am abend|le soir|en soiree|por las? noches?"
        r"|(?:di|la) sera|'s avonds|avonds)\b"
    ),
    "night": re.compile(r"\b(?:at night|nachts|la nuit|de noche|di notte|'s nachts|midnight|mitternacht)\b"),
    "holidays": re.compile(
        r"\b(?:(?:public|bank) holidays?|feiertag\w*|jours? feries?|festivos?|festivi|feestdag\w*)\b"
    ),
}
_SEASONS: Final[Mapping[str, re.Pattern[str]]] = {
    "spring": re.compile(
        r"\b(?:in (?:the )?spring|im fruhling|im fruhjahr|au printemps"
        r"|en primavera|in primavera|in de lente)\b"
    ),
    "summer": re.compile(
        r"\b(?:in (?:the )?summer|im sommer|en ete|en verano"
        r"|d'estate|in estate|in de zomer)\b"
    ),
    "autumn": re.compile(
        r"\b(?:in (?:the )?autumn|im herbst|en automne|en otono"
        r"|in autunno|d'autunno|in de herfst)\b"
    ),
    "winter": re.compile(
        r"\b(?:in (?:the )?winter|im winter|en hiver|en invierno"
        r"|d'inverno|in inverno|in de winter)\b"
    ),
}
_SEASON_MONTHS: Final = {"spring": (4, 5), "summer": (6, 7, 8), "autumn": (10, 11), "winter": (12, 1, 2)}
"""Months that belong to a season wherever the six languages are spoken."""
_LAST_OF_MORNING, _NOON, _AFTERNOON, _EVENING, _NIGHT = 660, 720, 840, 1110, 1320
"""Minutes of the day until or from which somebody who is there then is there at that time of the day."""


@dataclass(frozen=True, slots=True)
class Period:
    """A day (0 is Monday), a month (1 is January) or a part of the day by its name, at `[start, end)`."""

    kind: str
    value: int | str
    start: int
    end: int

    @property
    def named(self) -> tuple[str, int | str]:
        """What it is, wherever it stands."""
        return self.kind, self.value


def periods(flat: str) -> list[Period]:
    """Return the days, months and parts of the day that a flat text names."""
    days, spans = day_spans(flat)
    start, end = (min(low for low, _ in spans), max(high for _, high in spans)) if spans else (0, 0)
    read = [Period("day", day, start, end) for day in sorted(days)]
    read += [
        Period("month", lexicon.MONTH_OF[month[0]], *month.span())
        for match in _MONTHS.finditer(flat)
        for month in _MONTH.finditer(flat, *match.span("months"))
    ]
    read += [
        Period("season", season, *match.span())
        for season, pattern in _SEASONS.items()
        for match in pattern.finditer(flat)
    ]
    return read + [
        Period("part", part, *match.span())
        for part, pattern in _PARTS.items()
        for match in pattern.finditer(flat)
    ]


def months_of(season: str) -> frozenset[int]:
    """Return the months that are of a season by any count."""
    return frozenset(_SEASON_MONTHS[season])


def open_months(flat: str) -> frozenset[int]:
    """Return the months from the first to the last that a text about opening names, none of other texts."""
    named = [period.value for period in periods(flat) if period.kind == "month"]
    if opening_words.OPENING.search(flat) is None or opening_words.CLOSED.search(flat) or len(named) != 2:
        return frozenset()
    first, last = int(named[0]), int(named[1])
    return frozenset((first + step - 1) % 12 + 1 for step in range((last - first) % 12 + 1))


def part_of_day(minute: int) -> str:
    """Return the part of the day that a minute of it belongs to."""
    if minute < _NOON:
        return "morning"
    if minute < _EVENING:
        return "afternoon"
    return "evening" if minute < _NIGHT else "night"


def is_open_then(period: Period, days: Collection[int], week: Mapping[int, Collection[int]]) -> bool:
    """Tell whether a week of opening times reaches a day, or a part of the day on one of these days."""
    if period.kind == "day":
        return period.value in week
    if period.kind != "part":
        return False
    times = {time for day in days or week for time in week.get(day, ())}
    match period.value:
        case "morning":
            return any(time <= _LAST_OF_MORNING for time in times)
        case "afternoon":
            return any(time >= _AFTERNOON for time in times)
        case "evening":
            return any(time >= _EVENING for time in times)
        case "night":
            return any(time >= _NIGHT for time in times)
        case _:
            return False
