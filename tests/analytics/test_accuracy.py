"""Claims of answers held against facts, by the rules of accuracy/1."""

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.accuracy.claims import CheckedClaim, FactMaterial, Facts, check, facts_of, omitted, score
from analytics.accuracy.values import values

CARD = FactMaterial("Phone: +1 555 010 0199\nFounded: 1974\nCity: Springfield\nHours: Mon-Fri 9-18", "card")
PRICES = FactMaterial("Oil change: from 49.95 USD", "prices")
TERMS = FactMaterial("Warranty: 36 months\nMakes: Toyota, Honda\nEmail: info@acme.com", "terms")


def facts(*more: FactMaterial) -> Facts:
    return facts_of((CARD, PRICES, *more), ("acme.com",))


def checked(text: str, known: Facts, *, branded: bool = False) -> list[CheckedClaim]:
    own = [match.span() for match in re.finditer("Acme", text)]
    others = [match.span() for match in re.finditer("Globex", text)]
    return check(text, known, own, others, branded=branded)


def verdicts(found: Sequence[CheckedClaim]) -> list[tuple[str, str]]:
    return [(one.kind, one.verdict) for one in found]


def test_the_worked_example_scores_sixty() -> None:
    text = (
        "Acme, founded in 1974 in Springfield, charges from $59.95 for an oil change. Call (555) 010-0199. "
        "It is open on Sundays."
    )
    claims = checked(text, facts(), branded=True)
    assert sorted(verdicts(claims)) == [
        ("city", "supported"),
        ("founded", "supported"),
        ("hours", "contradicted"),
        ("phone", "supported"),
        ("price", "contradicted"),
    ]
    assert score(claim.verdict for claim in claims) == 60
    assert [fact.kind for fact in omitted(facts(), claims)] == ["site"]
    price = next(claim for claim in claims if claim.kind == "price")
    assert price.fact is not None
    assert ("$59.95" in price.claim, price.fact.quote, price.fact.source) == (
        True,
        "Oil change: from 49.95 USD",
        "prices",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Acme opens Monday to Friday, 9 am to 6 pm.", [("hours", "supported")]),
        ("Acme is open Mon-Fri 9 am to 5 pm.", [("hours", "contradicted")]),
        ("Acme is closed on Saturday.", [("hours", "supported")]),
        ("Acme is open 24/7.", [("hours", "contradicted")]),
        ("Acme gives a 24-month warranty.", [("figure", "contradicted")]),
        ("Acme gives a warranty of 36 months.", [("figure", "supported")]),
        ("Acme takes 24 months to pay.", []),
        ("Acme sells Honda.", [("named", "supported")]),
        ("Acme does not sell Honda.", []),
        ("Acme was established in 1980.", [("founded", "contradicted")]),
        ("Acme has been a sponsor since 2019.", []),
        ("Acme is located in Chicago, Illinois.", [("city", "contradicted")]),
        ("Acme is popular in Europe.", []),
        ("Acme charges 12 USD for a wash.", [("price", "unverifiable")]),
        ("Acme charges €59.95 for an oil change.", [("price", "unverifiable")]),
        ("Reach Acme at 1-800-555-7777.", [("phone", "contradicted")]),
        ("Acme wrote on 2019-01-02 about 1,250,000 cars.", []),
        ("Visit Acme online at www.other.com today.", [("site", "contradicted")]),
        ("Write to Acme: sales@acme.com", [("email", "unverifiable")]),
        ("Globex was founded in 1950.", []),
        ("Acme and Globex: Globex was founded in 1950, they say.", []),
    ],
)
def test_claims_are_compared_by_what_they_mean(text: str, expected: list[tuple[str, str]]) -> None:
    assert verdicts(checked(text, facts(TERMS))) == expected


def test_a_clause_without_a_name_counts_only_for_a_branded_question() -> None:
    text = "It was founded in 1974; Globex was founded in 1950."
    assert verdicts(checked(text, facts(), branded=True)) == [("founded", "supported")]
    assert checked(text, facts()) == []


def test_without_a_claim_there_is_no_score() -> None:
    assert score([]) is None
    assert score(["unverifiable"]) is None
    assert score(["contradicted"]) == 0


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_text_can_be_read_and_every_claim_is_in_the_answer(item: str, answer: str) -> None:
    claims = check(f"Acme. {answer}", facts_of([FactMaterial(item, "i", item[:20])]), [(0, 4)], branded=True)
    assert all(claim.claim in f"Acme. {answer}" for claim in claims)


@given(st.lists(st.sampled_from(CARD.text.split("\n")), min_size=1))
def test_what_the_repository_says_never_contradicts_itself(lines: list[str]) -> None:
    text = "\n".join(lines)
    claims = check(text, facts_of([FactMaterial(text, "i")]), [], branded=True)
    assert "contradicted" not in {claim.verdict for claim in claims}


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("SİTE: acme.com", ["site"]),
        ("Vıſıt acme.com", ["site"]),
        ("eſtablıshed 1974", ["founded"]),
        ("SİNCE 1974", ["founded"]),
        ("12 Main Street", ["address"]),
        ("Hauptstraße 5", ["address"]),
        ("5 ſeK", ["price"]),
        ("7 \u212aRW or 7 SE\u212a", ["price"]),
        ("OPEN FRİ 9-17", ["hours"]),
        ("cloſed on ſundays", ["hours"]),
        ("open 24/7", ["hours"]),
        ("A@B.COM", ["email"]),
    ],
)
def test_a_value_is_found_in_any_case(text: str, kinds: list[str]) -> None:
    assert [value.kind for value in values(text)] == kinds
