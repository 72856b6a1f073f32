"""Claims of answers held against facts, by the rules of accuracy/2."""

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


CARDS = {
    "en": (
        "Phone: +1 555 010 0199\nEmail: info@acme.com\nFounded: 1974\nHours: Mon-Fri 9-18\nOil change: from 49.95 USD\n"
        "Address: 12 Main Street, Springfield\nWebsite: acme.com",
        "Acme was founded in 1980. Call Acme at 555-010-0222. Write to sales@acme-cars.com. Its website is acme-cars.com. "
        "An oil change costs $89. Acme is open Monday to Saturday 8am-8pm. It is at 99 Elm Street.",
    ),
    "de": (
        "Telefon: 030 1234567\nE-Mail: info@acme.de\nGegründet: 1974\nÖffnungszeiten: Mo-Fr 9-18 Uhr\nÖlwechsel: ab 49,95 €\n"
        "Adresse: Hauptstraße 5, 10115 Berlin\nWebseite: acme.de",
        "Acme wurde 1980 gegründet. Acme ist unter 030 7654321 erreichbar. Die Adresse lautet kontakt@acme-autos.de. Die Website "
        "ist www.acme-autos.de. Ein Ölwechsel kostet 89 €. Acme hat Montag bis Samstag von 8 bis 20 Uhr geöffnet. Acme sitzt in "
        "der Gartenstraße 9.",
    ),
    "fr": (
        "Téléphone : 01 42 34 56 78\nCourriel : info@acme.fr\nFondée : 1974\nHoraires : lun-ven 9h-18h\nVidange : 49,95 €\n"
        "Adresse : 12 rue de la Paix, Paris\nSite web : acme.fr",
        "Acme a été fondée en 1980. Appelez Acme au 01 99 88 77 66. Écrivez à contact@acme-autos.fr. Le site est acme-autos.fr. La "
        "vidange coûte 89 €. Acme est ouvert du lundi au samedi de 8h à 20h. Acme se trouve au 99 avenue Foch.",
    ),
    "es": (
        "Teléfono: 912 345 678\nCorreo: info@acme.es\nFundada: 1974\nHorario: lunes a viernes 9:00-18:00\nCambio de aceite: 49,95 €\n"
        "Dirección: Calle Mayor 5, Madrid\nSitio web: acme.es",
        "Acme fue fundada en 1980. El teléfono de Acme es 911 222 333. El correo es hola@acme-autos.es. Su web es acme-autos.es. El "
        "cambio de aceite cuesta 89 €. Acme abre de lunes a sábado de 8:00 a 20:00. Está en la Calle Real 9.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("language", CARDS)
def test_every_kind_of_wrong_fact_is_found_in_four_languages(language: str) -> None:
    card, answer = CARDS[language]
    claims = checked(answer, facts_of([FactMaterial(card, "card")]), branded=True)
    assert sorted(claim.kind for claim in claims if claim.verdict == "contradicted") == [
        "address",
        "email",
        "founded",
        "hours",
        "phone",
        "price",
        "site",
    ]


@pytest.mark.parametrize(
    "line",
    ["Adresse: 12 rue", "Note: please call 2 people", "Zutritt: nur mit 2 Karten", "Team: see page 12 above"],
)
def test_a_line_that_states_nothing_is_no_fact(line: str) -> None:
    assert facts_of([FactMaterial(line, "card")]).all == ()


def test_another_mailbox_of_the_same_domain_contradicts_nothing() -> None:
    assert verdicts(checked("Write to Acme: sales@acme.com", facts(TERMS))) == [("email", "unverifiable")]
