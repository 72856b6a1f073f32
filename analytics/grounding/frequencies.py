"""How often something is done: four times a day is every six hours, and five days a week are the days of opening."""

import re
from decimal import Decimal
from typing import Final

from analytics.grounding.claims import DraftClaim

_MINUTES: Final = {"hour": 60, "day": 1440, "week": 10080, "month": 43200, "year": 525600}
_UNITS: Final = {
    "hour": r"hour|stunde|heure|hora|ora|uur",
    "day": r"day|tag|jour|dia|giorno|dag|etmaal",
    "week": r"week|woche|semaine|semana|settimana",
    "month": r"month|monat|mois|mes|mese|maand",
    "year": r"year|jahr|an|annee|ano|anno|jaar",
}
_PER: Final = (
    r"(?: ?/ ?|[ ](?:an?|per|each|every|am|pro|im|in der|par|al|por|cada|a la|all'|alla|op een|in de) ?)"
)
_TIMES: Final = {
    unit: re.compile(rf"(?:times|mal|fois|veces|volte|keer|maal){_PER}(?:{words})\b")
    for unit, words in _UNITS.items()
}
_COUNT: Final = re.compile(r"\d{1,3}|[^\W\d_]{2,14}")
_EVERY: Final = re.compile(
    r"\b(?:every|each|alle|jede[nrs]?|toutes les|tous les|chaque|cada|ogni|elke|iedere|om de) \Z"
)
_A_WEEK: Final = re.compile(
    rf"{_PER}(?:week|woche|semaine|semana|settimana)\b|[ ](?:die|de la|della|der) (?:woche|semana|settimana|week)\b"
)
_DAY: Final = Decimal(1440)
_DAYS_A_WEEK: Final = 7


def interval_of(claim: DraftClaim, flat: str) -> Decimal | None:
    """Return the minutes from one time to the next that a number of a flat text gives, None for other numbers."""
    if claim.kind != "number" or not isinstance(claim.value, tuple) or len(claim.value) != 2:
        return None
    value, unit = claim.value
    if value <= 0:
        return None
    if unit == "minutes" and _EVERY.search(flat, max(0, claim.start - 14), claim.start):
        return value
    counted = _COUNT.match(flat, claim.start)
    if counted is None:
        return None
    for per, pattern in _TIMES.items():
        # The word for times stands behind the number, or is the end of it: dreimal.
        if any(pattern.match(flat, place) for place in (counted.end(), counted.end() + 1)):
            return _MINUTES[per] / value
    return None


def days_a_week(claim: DraftClaim, flat: str) -> int | None:
    """Return on how many days of the week a flat text says that something is so, None for other numbers."""
    if (
        not isinstance(claim.value, tuple)
        or claim.value[1:] != ("minutes",)
        or not isinstance(claim.value[0], Decimal)
    ):
        return None
    days = claim.value[0] / _DAY
    is_whole = days == int(days) and 0 < days <= _DAYS_A_WEEK
    return int(days) if is_whole and _A_WEEK.match(flat, claim.end) else None
