"""Prices in running text: amounts of money with their currency, in the notations of Europe and America.

price-parser reads one price from a text and takes `CHF 19’900` for 19 and `23990.000` for 23,990,000, so it is not used.
"""

# ruff: noqa: E501  # notations are easier to compare in few lines
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from analytics.text.folding import without_case

AMOUNT = r"\d{1,3}(?:[.,’' \u00a0\u202f]\d{3}){1,5}(?:[.,]\d{1,2})?(?!\d)|\d{1,15}(?:[.,]\d{1,2})?(?!\d)"
# A code before an amount belongs to the next one: `45,210 $299` is one amount of 299, `2021 CHF 28’900` one of 28,900.
PRICE = re.compile(
    rf"(?P<sign>[Uu][Ss]\$|C\$|R\$|[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|PLN|CAD|BRL|Fr\.|SFr\.?))\s?(?P<after>{AMOUNT})"
    rf"|(?<![\d.,])(?P<before>{AMOUNT})(?:[,.][-–—]{{1,2}})?\s?"
    r"(?P<code>€(?!\d)|(?:[£$¥₹]|(?i:usd|gbp|chf|cad|aud|jpy|cny|inr|sek|nok|dkk|aed|mxn|dollars?|pounds?)\b)(?!\s?\d)|(?i:eur|euros?|zł|pln|brl|kr)\b)"
    r"|(?<![\d.,])(?P<cents>\d{1,6}€\d{2})(?![\d.,]\d|\d)"  # `15€50`, as French till receipts have it
)
CURRENCIES = {
    "$": "USD", "us$": "USD", "c$": "CAD", "r$": "BRL", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "zł": "PLN", "fr": "CHF",
    "sfr": "CHF", "dollar": "USD", "dollars": "USD", "euro": "EUR", "euros": "EUR", "pound": "GBP", "pounds": "GBP", "kr": "SEK",
}  # fmt: skip
"""ISO 4217 codes of signs and words; a dollar is an American one, a crown a Swedish one."""


@dataclass(frozen=True, slots=True)
class Price:
    """An amount with the ISO 4217 code of its currency, at `[start, end)`."""

    amount: Decimal
    currency: str
    start: int
    end: int


def prices(text: str) -> Iterator[Price]:
    """Yield the amounts of money of a text, in order."""
    for match in PRICE.finditer(text):
        amount = number(match["after"] or match["before"] or match["cents"].replace("€", "."))
        mark = without_case(match["sign"] or match["code"] or "€").rstrip(".")
        if amount is not None:
            yield Price(amount, CURRENCIES.get(mark, mark.upper()), *match.span())


def number(text: str) -> Decimal | None:
    """The number a person means by `24,990.00`, `24.990,00`, `24 990` or `24990.0`; None when it is none.

    A lone separator groups thousands only between one to three digits and three digits.
    """
    plain = re.sub(r"[ \u00a0\u202f’']|[.,][-–—]{1,2}$", "", text)
    parts = re.split(r"[.,]", plain) if len(plain) <= 40 else []
    if not parts or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    *wholes, last = parts
    is_fraction = bool(wholes) and (len(last) != 3 or (len(wholes) == 1 and not 0 < len(wholes[0]) <= 3))
    try:
        return Decimal(f"{''.join(wholes)}.{last}" if is_fraction else "".join(parts))
    except InvalidOperation:
        return None
