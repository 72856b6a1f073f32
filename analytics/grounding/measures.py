"""Units of measure in six languages: what they measure, and how many of the smallest common unit they are."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

_UNITS: Final[Mapping[tuple[str, str], str]] = {
    ("minutes", "1"): r"min|minutes?|minuten?|minutos?|minuti|minuut",
    ("minutes", "60"): r"h|hours?|stunden?|heures?|horas?|ore|ora|uur|uren",
    ("minutes", "1440"): r"days?|tage?n?|jours?|journees?|dias?|giorn[oi]|dag(?:en)?",
    ("minutes", "10080"): r"weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|week",
    ("months", "1"): r"months?|monate?n?|mois|mes(?:es)?|mes[ei]|maand(?:en)?",
    ("months", "12"): r"years?|jahre?n?s?|ans?|annees?|anos?|ann[oi]|jaar|jaren",
    ("months", "120"): r"decades?|jahrzehnte?n?|decennies?|decadas?|decenni\w*|decennia",
    ("seconds", "1"): r"seconds?|sekunden?|secondes?|segundos?|second[oi]|seconden?",
    ("kwh", "1"): r"kwh|kilowattstunden?|kilowattheures?|chilowattora|kilowattuur",
    ("kw", "1"): r"kw|kilowatts?|kilovatios?|chilowatt",
    ("metre", "0.001"): r"mm|millimet(?:re|er)s?n?|milimetros?|millimetr[io]",
    ("metre", "0.01"): r"cm|centimet(?:re|er)s?|zentimetern?|centimetros?|centimetr[io]",
    ("metre", "1"): r"m|met(?:re|er)s?|metern?|metros?|metr[oi]",
    ("metre", "1000"): r"km|kilomet\w+|chilometr[io]",
    ("inch", "1"): r"inch(?:es)?",
    ("inch", "12"): r"ft|feet|foot",
    ("square metre", "1"): r"m²|m2|qm|sqm|sq\.? ?m|mq|square met(?:re|er)s?|quadratmetern?s?|metres? carres?"
    r"|metros? cuadrados?|metr[oi] quadrat[oi]|vierkante meters?",
    ("square metre", "10000"): r"ha|hectares?|hektarn?|hectareas?|ettar[oi]",
    ("square foot", "1"): r"ft²|sqft|sq\.? ?ft|square f(?:ee|oo)t|quadratfuß|pieds? carres?|pies? cuadrados?"
    r"|pied[ei] quadrat[oi]|vierkante voet",
    ("cubic metre", "1"): r"m³|m3|cbm|cubic met(?:re|er)s?|kubikmetern?s?|metres? cubes?|metros? cubicos?"
    r"|metr[oi] cub[oi]|kubieke meters?|kuub",
    ("litre", "0.001"): r"ml|millilit(?:re|er)s?n?|mililitros?|millilitr[oi]",
    ("litre", "0.01"): r"cl|centilit(?:re|er)s?|zentilitern?|centilitros?|centilitr[oi]",
    ("litre", "1"): r"l|lit(?:re|er)s?|litern?|litros?|litr[oi]",
    ("gram", "1"): r"g|gr|gramm?e?s?|gramos?|gramm[oi]",
    ("gram", "1000"): r"kg|kilos?|kilogra\w+|chil[io]|chilogramm\w+",
    ("gram", "1000000"): r"t|tonnes?|tonnen?|toneladas?|tonnellat[ae]|ton",
    ("fahrenheit", "1"): r"° ?f|(?:degrees|grad|degres|grados|gradi|graden) fahrenheit",
    ("degree", "1"): r"°(?: ?c)?|(?:degrees?|grade?n?|degres?|grados?|grad[oi])(?: celsius| centigrad[eo]s?)?",
    ("people", "1"): r"people|persons?|guests?|employees|staff|mechanics|menschen|mitarbeiter\w*|personen|personnes"
    r"|employes|salaries|mecaniciens|collaborateurs|personas|empleados|person[ae]|dipendenti|mensen|medewerkers",
}  # fmt: skip
"""What is measured, with how many of one unit of it the words stand for."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit of a dimension: `factor` times the one that values of the dimension are kept in."""

    dimension: str
    factor: Decimal
    words: re.Pattern[str]


MEASURES: Final = tuple(
    Measure(dimension, Decimal(factor), re.compile(words)) for (dimension, factor), words in _UNITS.items()
)
SPACE: Final = frozenset(("metre", "inch", "square metre", "square foot", "cubic metre"))
"""The dimensions of sizes, which things differ in."""
_ANY: Final = re.compile(
    "|".join(
        rf"(?P<u{at}>(?:{measure.words.pattern})(?![^\W_]))"
        for at, measure in sorted(
            enumerate(MEASURES), key=lambda pair: pair[1].dimension.count(" "), reverse=True
        )
    )
)
"""Units of two words stand first: square feet are no feet. What is inflected beyond the words is another word."""


def measure_at(flat: str, place: int) -> tuple[Measure, int] | None:
    """Return the unit of measure that begins at a place of a flat text, and where it ends; None for other words."""
    match = _ANY.match(flat, place)
    return None if match is None else (MEASURES[int((match.lastgroup or "u0")[1:])], match.end())
