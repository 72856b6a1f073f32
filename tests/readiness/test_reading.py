"""Reading prices, VINs, telephones and hours out of text: examples written by hand."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readiness.reading import business, prices, vehicles
from readiness.survey.evidence import excerpt


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$21,300", [("$21,300", Decimal(21300), False)]),
        ("$21300", [("$21300", Decimal(21300), False)]),
        ("24.990,00 €", [("24.990,00 €", Decimal("24990.00"), False)]),
        ("24 990 € TTC", [("24 990 €", Decimal(24990), False)]),
        ("CHF 19’900", [("CHF 19’900", Decimal(19900), False)]),
        ("£299 per month", [("£299", Decimal(299), True)]),
        ("49 900 zł", [("49 900 zł", Decimal(49900), False)]),
        ("$0 down", []),
        ("2021 Honda, 20,000 miles", []),
    ],
)
def test_prices_are_read_with_their_currency(text: str, found: list[tuple[str, Decimal, bool]]) -> None:
    assert [(amount.written, amount.value, amount.monthly) for amount in prices.amounts(text)] == found


@pytest.mark.parametrize(
    ("vin", "holds"),
    [
        ("1M8GDM9AXKP042788", True),
        ("1M8GDM9A1KP042788", False),
        ("11111111111111111", True),
        ("5GZCZ43D13S812715", True),
    ],
)
def test_the_check_digit_of_published_examples_holds(vin: str, holds: bool) -> None:
    assert vehicles.check_digit_holds(vin) is holds


@pytest.mark.parametrize(
    ("text", "region", "number"),
    [("(202) 555-0143", "US", "+12025550143"), ("030 901820", "DE", "+4930901820"), ("+33 1 42 68 53 00", "US", "+33142685300"),
     ("no number", "US", ""), ("12", "US", "")],
)  # fmt: skip
def test_telephones_compare_as_e164(text: str, region: str, number: str) -> None:
    assert business.e164(text, region) == number


NINE_TO_SIX = frozenset(((540, 1080),))
CLOSED: frozenset[tuple[int, int]] = frozenset()


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("Mon - Fri: 9:00 am - 6:00 pm Sat: closed", {0: NINE_TO_SIX, 1: NINE_TO_SIX, 2: NINE_TO_SIX, 3: NINE_TO_SIX, 4: NINE_TO_SIX, 5: CLOSED}),
        ("Montag bis Freitag 9.00 - 18.00 Uhr", dict.fromkeys(range(5), NINE_TO_SIX)),
        ("Lundi: 9h00 - 18h00", {0: NINE_TO_SIX}),
        ("Monday: 9 - 12, 13 - 18", {0: frozenset(((540, 720), (780, 1080)))}),
        ("We open on Monday with a party", {}),
    ],
)  # fmt: skip
def test_hours_are_read_from_text(text: str, days: dict[int, frozenset[tuple[int, int]]]) -> None:
    assert business.visible_hours(text).days == days


def test_hours_are_read_from_markup_in_both_spellings() -> None:
    specification = [
        {"dayOfWeek": ["https://schema.org/Monday", "Tuesday"], "opens": "09:00", "closes": "18:00:00"},
        {"dayOfWeek": "Sunday", "opens": "00:00", "closes": "00:00"},
    ]
    assert business.structured_hours({"openingHoursSpecification": specification}).days == {
        0: NINE_TO_SIX,
        1: NINE_TO_SIX,
        6: CLOSED,
    }
    assert business.structured_hours({"openingHours": "Mo-Tu 09:00-18:00"}).days == {
        0: NINE_TO_SIX,
        1: NINE_TO_SIX,
    }


@given(st.text(max_size=300))
def test_no_text_makes_a_reader_raise(text: str) -> None:
    prices.amounts(text)
    business.visible_hours(text)
    business.visible_phones(text, "US")


@given(st.text(max_size=600))
def test_an_excerpt_is_short_and_shows_everything_it_holds(text: str) -> None:
    shown = excerpt(text)
    assert len(shown) <= 300
    assert not set(shown) & set("\x00\x1b\n\r\t\u200b\u202e\u2066\ufeff\U000e0041")
    assert excerpt(shown) == shown
