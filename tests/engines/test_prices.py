"""What an ask costs."""

from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from engines.engine import EngineAnswer, Retrieval, Usage
from engines.errors import InvalidPrices
from engines.prices import Cost, Price, Prices

TABLE = """
[chatgpt."gpt-5.5"]
input_per_mtok = 1.25
output_per_mtok = 10
per_search = 0.01
currency = "USD"
as_of = 2026-03-01
"""
ANSWER = EngineAnswer(
    status="answered",
    text="x",
    truncated=False,
    citations=(),
    retrieval=Retrieval("searched", (), 2),
    requested_model="gpt-5.5",
    served_model="gpt-5.5-2026-04-23",
    usage=Usage(1_000, 500, 2),
    latency_ms=1,
    attempts=1,
    exchanges=(),
    parser="p/1",
)


def test_the_table_is_read_exactly() -> None:
    price = Price(Decimal("1.25"), Decimal(10), Decimal("0.01"), "USD", date(2026, 3, 1))
    assert Prices.from_toml(TABLE).price("ChatGPT", "gpt-5.5") == price


def test_the_cost_uses_the_price_of_the_served_else_requested_model() -> None:
    # 1000 x 1.25/1e6 + 500 x 10/1e6 + 2 x 0.01
    assert Prices.from_toml(TABLE).cost("chatgpt", ANSWER) == Cost(Decimal("0.02625"), "USD", "table")
    served = TABLE + TABLE.replace('"gpt-5.5"', '"gpt-5.5-2026-04-23"').replace("= 10", "= 20")
    assert Prices.from_toml(served).cost("chatgpt", ANSWER) == Cost(Decimal("0.03125"), "USD", "table")


def test_what_the_provider_states_wins() -> None:
    answer = replace(ANSWER, usage=replace(ANSWER.usage, provider_cost_usd=Decimal("0.5")))
    assert Prices.from_toml(TABLE).cost("chatgpt", answer) == Cost(Decimal("0.5"), "USD", "provider")


@pytest.mark.parametrize(
    "changes",
    [
        {"served_model": None, "requested_model": "other"},
        {"usage": Usage(None, 500, 2)},
        {"usage": Usage(1_000, None, 2)},
        {"usage": Usage(1_000, 500, None), "retrieval": Retrieval("unknown")},
    ],
)
def test_an_unknown_cost_is_none_and_not_zero(changes: dict[str, Any]) -> None:
    assert Prices.from_toml(TABLE).cost("chatgpt", replace(ANSWER, **changes)) is None
    assert Prices().cost("chatgpt", ANSWER) is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("=", "not TOML"),
        ("chatgpt = 3", "chatgpt is not a table"),
        ("[chatgpt]\nm = 3", "chatgpt.m is not a table"),
        (TABLE.replace("1.25", "-1"), "chatgpt.gpt-5.5.input_per_mtok"),
        (TABLE.replace("1.25", "nan"), "chatgpt.gpt-5.5.input_per_mtok"),
        (TABLE.replace("1.25", "true"), "chatgpt.gpt-5.5.input_per_mtok"),
        (TABLE.replace("output_per", "outputs_per"), "chatgpt.gpt-5.5.output_per_mtok"),
        (TABLE.replace("USD", "dollars"), "chatgpt.gpt-5.5.currency"),
        (TABLE.replace("2026-03-01", '"spring"'), "chatgpt.gpt-5.5.as_of"),
    ],
)
def test_a_faulty_table_is_refused_by_name(text: str, named: str) -> None:
    with pytest.raises(InvalidPrices) as caught:
        Prices.from_toml(text)
    assert named in str(caught.value)
