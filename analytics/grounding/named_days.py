"""Days of the year that go by a name, Christmas Eve or Capodanno, with their dates, in six languages."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_NAMES: Final[Mapping[tuple[int, int], str]] = {
    (
        1,
        1,
    ): r"new year's day|neujahr(?:stag)?|(?:le )?jour de l'an|(?:le )?nouvel an|(?:el )?(?:dia de )?ano nuevo"
    r"|capodanno|nieuwjaarsdag|nieuwjaar",
    (
        1,
        6,
    ): r"epiphany|heilige(?:n)? drei konige|dreikonig(?:e|stag)?|(?:l'|a l')epiphanie|(?:el )?dia de reyes"
    r"|(?:l'|all')?epifania|driekoningen",
    (
        5,
        1,
    ): r"tag der arbeit|(?:le )?premier mai|(?:la )?fete du travail|(?:el )?dia del trabajo|(?:il )?primo maggio"
    r"|festa del lavoro|dag van de arbeid",
    (8, 15): r"mariahimmelfahrt|maria himmelfahrt|(?:a )?l'assomption|ferragosto",
    (11, 1): r"all saints' day|allerheiligen|(?:la )?toussaint|todos los santos|ognissanti",
    (12, 24): r"christmas eve|heiligabend|heilige[nr]? abend|(?:la )?veille de noel|nochebuena"
    r"|(?:la )?vigilia di natale|kerstavond",
    (12, 25): r"christmas day|(?:erste[nr]?|1\.) weihnachts(?:feier)?tag|(?:le )?jour de noel|(?:a|le) noel"
    r"|(?:el )?dia de navidad|(?:en|por) navidad|(?:il )?giorno di natale|a natale|(?:eerste|1e) kerstdag",
    (
        12,
        26,
    ): r"boxing day|st\.? stephen's day|(?:zweite[nr]?|2\.) weihnachts(?:feier)?tag|(?:a )?santo stefano"
    r"|(?:tweede|2e) kerstdag",
    (12, 31): r"new year's eve|silvester|(?:la )?saint-sylvestre|nochevieja|(?:la notte di )?san silvestro"
    r"|oudejaars(?:dag|avond)|oudjaar",
}
_NAMED: Final = re.compile(
    "|".join(rf"(?P<m{month}d{day}>\b(?:{names})\b)" for (month, day), names in _NAMES.items())
)
_TWO: Final = re.compile(
    r"\b(?P<first>erste[nr]?|eerste|1\.|1e)(?= (?:und|en) (?:zweite[nr]?|tweede|2\."
    r"|2e) (?:weihnachts(?:feier)?tag|kerstdag)\b)"
)
"""What leaves the name of its day to the one behind it: eerste en tweede kerstdag."""


def named_days(flat: str) -> Iterator[tuple[tuple[None, int, int], int, int]]:
    """Yield (no year, month, day) with `[start, end)` of each day of a flat text that goes by a name."""
    for match in _TWO.finditer(flat):
        yield (None, 12, 25), *match.span()
    for match in _NAMED.finditer(flat):
        month, _, day = (match.lastgroup or "m1d1")[1:].partition("d")
        yield (None, int(month), int(day)), *match.span()
