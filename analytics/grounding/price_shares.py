"""Reads shares of a price that are said in words, half price, in six languages."""

import re
from collections.abc import Iterator, Mapping
from typing import Final

_SHARES: Final[Mapping[int, str]] = {
    50: r"half[- ]price|half off|half the (?:usual |normal |full )?(?:price|fee|rate)|pays? (?:only |just )?half"
    r"|halbe[nr]? preis\w*|(?:zahl\w+|kost\w+) (?:\w+ ){0,2}die halfte|(?:moitie|demi)[- ](?:prix|tarif)"
    r"|paie\w* (?:\w+ )?la moitie|moitie moins cher|mitad de precio|medio precio|media tarifa|paga\w* (?:\w+ )?la mitad"
    r"|meta prezzo|mezza tariffa|paga\w* (?:\w+ )?la meta|halve (?:prijs|tarief)|betaa?l\w* (?:\w+ )?de helft",
    25: r"a quarter (?:off|less|more|extra|cheaper)|ein viertel (?:weniger|mehr|gunstiger|billiger|teurer)"
    r"|un quart (?:de moins|de plus|en moins|en plus|moins cher)|un cuarto (?:menos|mas)|un quarto in (?:meno|piu)"
    r"|een kwart (?:minder|meer|korting|goedkoper|duurder|extra|erbij|bij de prijs)",
}
"""Shares of a price in words, in percent."""
_PATTERNS: Final = {percent: re.compile(rf"\b(?:{pattern})\b") for percent, pattern in _SHARES.items()}


def price_shares(flat: str) -> Iterator[tuple[int, int, int]]:
    """Yield percent, start and end of each share of a price in a flat text."""
    for percent, pattern in _PATTERNS.items():
        for match in pattern.finditer(flat):
            yield percent, *match.span()
