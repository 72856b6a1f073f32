"""The cost of a request: reported by the provider, else from the operator's own price table, else unknown.

No price is built in, because prices change without notice. An unknown cost is None and never zero.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Literal, cast

from engines.engine import SUPPLIED, EngineAnswer, SupplierCost
from engines.errors import InvalidPrices

MILLION = Decimal(1_000_000)
AMOUNTS = ("input_per_mtok", "output_per_mtok", "per_search")
OF_ASKS = ("per_ask", "per_credit")
OPTIONAL = frozenset({"per_search", *OF_ASKS})
FIELDS = frozenset({*AMOUNTS, *OF_ASKS, "currency", "as_of"})


@dataclass(frozen=True, slots=True)
class Price:
    """One model's price, in `currency`: per million tokens and per search, or per observation of an AI surface."""

    input_per_mtok: Decimal
    output_per_mtok: Decimal
    per_search: Decimal
    currency: str
    """ISO 4217."""
    as_of: date
    per_ask: Decimal = Decimal(0)
    """Per observation of an AI surface by a data provider, whatever the result."""
    per_credit: Decimal = Decimal(0)
    """Per credit of a data provider that charges in credits."""

    def of(self, read: int, written: int, searches: int) -> Decimal:
        """Return the cost of this many input tokens, output tokens and searches."""
        tokens = self.input_per_mtok * read + self.output_per_mtok * written
        return tokens / MILLION + self.per_search * searches + self.per_ask

    def of_look(self, credits: Decimal | None) -> Decimal | None:
        """Return the cost of an observation: its credits if they have a price, else a flat price; None if unknown."""
        if self.per_credit and credits is not None:
            return credits * self.per_credit
        return self.per_ask or None


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of one request, and its source."""

    amount: Decimal
    currency: str
    stated_by: Literal["provider", "table"]


@dataclass(frozen=True, slots=True)
class Prices:
    """The operator's price table, by platform and model."""

    table: Mapping[tuple[str, str], Price] = field(default_factory=dict[tuple[str, str], Price])

    @classmethod
    def from_toml(cls, text: str) -> "Prices":
        """Parse tables such as `[chatgpt."gpt-5.5"]` with the fields of Price.

        `per_search` is optional and defaults to 0. For an AI surface, either `per_ask` or `per_credit` is
        sufficient. Raises InvalidPrices, which names every faulty table and field.
        """
        try:
            document: dict[str, object] = tomllib.loads(text, parse_float=Decimal)
        except tomllib.TOMLDecodeError as error:
            raise InvalidPrices([f"not TOML: {error}"]) from None
        faults: list[str] = []
        table: dict[tuple[str, str], Price] = {}
        for platform, models in document.items():
            for model, entry in _tables(platform, models, faults).items():
                price = _price(f"{platform}.{model}", entry, faults)
                if price is not None:
                    table[platform.casefold(), model] = price
        if faults:
            raise InvalidPrices(faults)
        return cls(table)

    def price(self, platform: str, *models: str | None) -> Price | None:
        """Return the price of the first of `models` that the table lists for the platform."""
        prices = (self.table.get((platform.casefold(), model)) for model in models if model is not None)
        return next((price for price in prices if price is not None), None)

    def cost(self, platform: str, answer: EngineAnswer) -> Cost | None:
        """Return the cost of an answer, or None if neither the provider nor the table states it."""
        if answer.usage.provider_cost_usd is not None:
            return Cost(answer.usage.provider_cost_usd, "USD", "provider")
        if answer.seen is not None:
            charged = answer.seen.cost
            return self.cost_of_look(platform, charged, answer.served_model, answer.requested_model)
        price = self.price(platform, answer.served_model, answer.requested_model)
        read, written = answer.usage.input_tokens, answer.usage.output_tokens
        searches = _searches(answer)
        if price is None or read is None or written is None or (searches is None and price.per_search):
            return None
        return Cost(price.of(read, written, searches or 0), price.currency, "table")

    def cost_of_look(self, platform: str, charged: SupplierCost | None, *models: str | None) -> Cost | None:
        """Return the cost of an observation on `surface@supplier`, answered or not: reported, else from the table."""
        if charged is not None and charged.unit == "usd":
            return Cost(charged.amount, "USD", "provider")
        price = self.price(platform, *models, platform.partition(SUPPLIED)[0])
        amount = price.of_look(charged.amount if charged else None) if price else None
        return Cost(amount, price.currency, "table") if price and amount is not None else None


def _searches(answer: EngineAnswer) -> int | None:
    if answer.usage.searches is not None:
        return answer.usage.searches
    return None if answer.retrieval.status == "unknown" else answer.retrieval.searches


def _tables(where: str, value: object, faults: list[str]) -> Mapping[str, object]:
    if not isinstance(value, dict):
        faults.append(f"{where} is not a table")
        return {}
    return cast(dict[str, object], value)


def _price(where: str, value: object, faults: list[str]) -> Price | None:
    entry = _tables(where, value, faults)
    before = len(faults)
    faults += [f"{where} has an unknown field {name}" for name in sorted(entry.keys() - FIELDS)]
    of_asks = {name: _amount(entry, where, name, faults) for name in OF_ASKS}
    needed = frozenset[str]() if any(of_asks.values()) else frozenset(AMOUNTS) - OPTIONAL
    amounts = [_amount(entry, where, name, faults, needed=name in needed) for name in AMOUNTS]
    currency, as_of = entry.get("currency"), entry.get("as_of")
    if not (isinstance(currency, str) and len(currency) == 3 and currency.isalpha() and currency.isupper()):
        faults.append(f"{where}.currency must be three capital letters")
    if not isinstance(as_of, date):
        faults.append(f"{where}.as_of must be a date")
    if len(faults) > before or not isinstance(as_of, date):
        return None
    return Price(*amounts, currency=str(currency), as_of=as_of, **of_asks)


def _amount(
    entry: Mapping[str, object], where: str, name: str, faults: list[str], *, needed: bool = False
) -> Decimal:
    value = entry.get(name, None if needed else 0)
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        amount = Decimal(value)
        if amount.is_finite() and amount >= 0:
            return amount
    faults.append(f"{where}.{name} must be a number of at least 0")
    return Decimal(0)
