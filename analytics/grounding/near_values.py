"""Whether a number that a sentence says to be above, below or near follows from the number of a fact."""

import re
from decimal import Decimal
from typing import Final

from analytics.grounding.claims import DraftClaim
from analytics.grounding.facts import is_negative
from analytics.grounding.number_bounds import bound_of

_MOST_APART: Final = Decimal("0.25")
"""What is said to be over a number may lie above it by this share of it; more would be another number's boast."""
_MOST_ABOUT: Final = Decimal("0.1")
_ABOUT: Final = re.compile(
    r"\b(?:about|around|roughly|approximately|approx\.|some|circa|ca\.|etwa|ungefahr|rund|gut|knapp|fast|beinahe"
    r"|environ|a peu pres"
    r"|pres de|presque|quelque|alrededor de|unos|unas|cerca de|casi|aproximadamente|circa|quasi|intorno a|all'incirca"
    r"|ongeveer|rond de|zo'n|bijna|almost|nearly|just under|just over|close to)\s(?:[€$£]\s?)?\Z"
)
_DAYS_A_MONTH: Final = 30
_MINUTES_A_DAY: Final = 1440


def follows_nearly(fact: DraftClaim, claim: DraftClaim, flat: str) -> bool:
    """Tell whether a fact's value bears out one that a flat sentence gives as a bound or as about right.

    More than ten follows from twelve, about a quarter of an hour from fourteen minutes, neither from eight.
    """
    known, said = _amount(fact), _amount(claim)
    if known is None or said is None or known[1] != said[1] or not said[0] or is_negative(flat):
        return False
    apart = (known[0] - said[0]) / said[0]
    match bound_of(flat, claim):
        case "over":
            return 0 < apart <= _MOST_APART
        case "under":
            return -_MOST_APART <= apart < 0
        case None:
            about = _ABOUT.search(flat, max(0, claim.start - 24), claim.start)
            return about is not None and abs(apart) <= _MOST_ABOUT
        case _:
            return False


def _amount(claim: DraftClaim) -> tuple[Decimal, str] | None:
    """Return a value with its unit, spans of time in days; None for what is no number or a year."""
    if not isinstance(claim.value, tuple) or len(claim.value) != 2 or claim.kind == "date":
        return None
    value, unit = claim.value
    match unit:
        case "minutes":
            return value / _MINUTES_A_DAY, "days"
        case "months":
            return value * _DAYS_A_MONTH, "days"
        case _:
            return value, "counted" if unit.startswith("~") or unit == "people" else unit
