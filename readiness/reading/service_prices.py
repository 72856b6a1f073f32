"""Prices of services: amounts in rows, lists, tables and headings that name a service, and never in prose alone."""

# ruff: noqa: E501  # words of one meaning stay in one line

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from itertools import groupby

from readiness.reading import vocabulary
from readiness.reading.page import HtmlPage, TextLine
from readiness.reading.prices import Amount, amounts
from readiness.reading.vehicle_text import driven

PROSE = 9
"""Words from which on a line is prose, where an amount may be of anything."""
LONGEST_ROW = 300
LABELS = 2
"""Lines above an amount that may be its label."""
LEAST_OF_VEHICLE = Decimal(2_000)
STARTING = re.compile(
    r"(?:^|(?<!\w)(?:from|starting at|starts? at|only|just|price|costs?(?: you)?|kost(?:et|en)?(?: u| je)?|co[ûu]te|cuesta|costa|kosztuje|custa|ab|nur|preis|[àa] partir de|d[èe]s|prix"
    r"|desde|a partire da|da|vanaf|slechts|od|cena|a partir de)(?!\w))[\s:]{0,3}$",
    re.I,
)  # fmt: skip


def service_prices(page: HtmlPage, *, lists_prices: bool) -> Iterator[Amount]:
    """Yield the amounts that a page asks for services.

    Where it `lists_prices`, its rows and short lines count whatever they name; elsewhere they or their label, the lines
    right above, must name a service. Prose counts where an amount begins it or follows a word such as `from`.
    """
    units = list(_units([line for line in page.lines if line.is_own]))
    for at, (text, is_prose) in enumerate(units):
        found = amounts(text)
        if not found:
            continue
        labels = [label for label, _ in units[max(0, at - LABELS) : at] if _is_label(label)]
        labelled = " ".join([*labels, text])
        named = vocabulary.services_named(labelled)
        for amount in found:
            starts = not is_prose or STARTING.search(text[: amount.start])
            if starts and (named or lists_prices) and not _is_of_other(amount, labelled, bool(named)):
                yield amount


def _units(lines: Sequence[TextLine]) -> Iterator[tuple[str, bool]]:
    """Yield each row of a list or table as one text where it is short, else each line, and whether it is prose."""
    for row, group in groupby(lines, key=lambda line: line.row):
        texts = [line.text for line in group]
        joined = " ".join(texts)
        if row and len(joined) <= LONGEST_ROW:
            yield joined, False
        else:
            yield from ((text, text.count(" ") + 1 >= PROSE) for text in texts)


def _is_label(text: str) -> bool:
    return text.count(" ") + 1 < PROSE and not amounts(text)


def _is_of_other(amount: Amount, text: str, names_service: bool) -> bool:
    """Whether an amount is paid by the month, or for a vehicle or fuel."""
    if amount.monthly or driven(text):
        return True
    is_vehicle = vocabulary.MAKES.search(text) and (
        vocabulary.YEAR.search(text) or amount.value >= LEAST_OF_VEHICLE
    )
    return bool(is_vehicle) or (not names_service and bool(vocabulary.FUEL.search(text)))
