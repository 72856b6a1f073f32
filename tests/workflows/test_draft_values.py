"""Values and names of a sentence are found in facts in any notation or language, and nowhere else."""

import tomllib
from pathlib import Path

import pytest

from bench.drafts import facts_of
from workflows.drafts.checks import Market, check_values
from workflows.drafts.document import DraftSentence, Fact
from workflows.drafts.values import read_names, read_values

MARKET = Market(("Acme",), ("Globex", "Bolt & Sons"))


def missing(sentence: str, fact: str, language: str = "en") -> tuple[str, ...]:
    facts = [Fact(key="item:1#1", title="Facts", text=fact)]
    checked = check_values(DraftSentence(text=sentence, facts=(1,)), facts, MARKET, language)
    return checked.missing


@pytest.mark.parametrize(
    ("sentence", "fact", "language"),
    [
        (
            "The warranty is 36 months.",
            "Wir geben auf jedes Auto und auf die Teile eine Garantie: sechsunddreißig Monate",
            "en",
        ),
        ("The warranty is 36 months.", "Die Garantie auf das Auto: 36 Monate", "en"),
        ("Die Garantie gilt zwölf Monate.", "Guarantee: 12 months", "de"),
        ("An oil change costs €59.", "Ölwechsel 59,00 EUR", "en"),
        ("Jusqu'à 20 % de remise.", "Up to 20% off", "fr"),
        ("Since March 3, 2025.", "Eröffnet am 3. März 2025", "en"),
        ("Open since 2025.", "Opened on 3 March 2025", "en"),
        ("Open until 5 pm.", "9:00-17:00", "en"),
        ("Open on Tuesday.", "Mo-Fr 9-17 Uhr", "en"),
        ("Call 030 123456.", "Tel. +49 30 123456", "en"),
        ("Write to Help@Acme.example.", "help@acme.example", "en"),
        ("See https://www.acme.example/offer.", "acme.example/offer/", "en"),
        ("It takes 15 to 20 minutes.", "10-30 min", "en"),
        ("Ask Peter Miller about it.", "Owner: Peter Miller", "en"),
        ("Once a year we check the brakes.", "Brakes are checked each year", "en"),
        ("Chez nous, un véhicule neuf.", "Véhicule neuf ou d'occasion", "fr"),
    ],
)
def test_a_value_is_found_in_another_notation_or_language(sentence: str, fact: str, language: str) -> None:
    assert missing(sentence, fact, language) == ()


@pytest.mark.parametrize(
    ("sentence", "fact", "lost"),
    [
        ("The warranty is 48 months.", "36 months", "48 months"),
        ("The warranty is 36 years.", "36 months", "36 years"),
        ("It takes 5 to 40 minutes.", "10-30 min", "5 to 40 minutes"),
        ("It costs $59.", "€59", "$59"),
        ("It costs 59.50 euros.", "59 euros", "59.50 euros"),
        ("We work within 20 kilometres.", "Within 20 miles of town", "20 kilometres"),
        ("We keep 850 hectares.", "850 olive trees grow here", "850 hectares"),
        ("Up to 30% off.", "Up to 20% off", "30%"),
        ("Since 4 March 2025.", "3 March 2025", "4 March 2025"),
        ("Open until 6 pm.", "9:00-17:00", "6 pm."),
        ("Open on Sunday.", "Mo-Fr 9-17", "Sunday"),
        ("Call 555 4444.", "Call 555 0199", "555 4444"),
        ("See acme.example/sale.", "acme.example/offer", "acme.example/sale."),
        ("We have two technicians.", "One technician works here", "2"),
        ("Ask Peter Miller.", "Owner: Paul Miller", "Peter Miller"),
        ("Better than Globex.", "A good shop", "Globex"),
        ("Better than bolt & sons.", "A good shop", "Bolt & Sons"),
        ("We repair the Model X.", "We repair the Model Y", "Model X"),
        ("It has an A4 engine.", "It has an A6 engine", "A4"),
    ],
)
def test_a_value_that_no_cited_fact_contains_is_named(sentence: str, fact: str, lost: str) -> None:
    assert missing(sentence, fact) == (lost,)


def test_german_nouns_and_first_words_are_no_names() -> None:
    assert read_names("Unsere Werkstatt hat eine neue Halle.", "de", MARKET.own) == ()
    assert read_names("Fragen Sie Petra Klein danach.", "de", MARKET.own) == ("Petra Klein",)
    assert read_names("Repairs Take Little Time", "en", MARKET.competitors, heading=True) == ()
    assert read_names("Repairs Beat Globex", "en", MARKET.competitors, heading=True) == ("Globex",)


def test_a_value_of_another_fact_than_the_cited_one_is_missing() -> None:
    facts = [
        Fact(key="item:1#1", title="A", text="36 months"),
        Fact(key="item:2#1", title="B", text="48 months"),
    ]
    sentence = DraftSentence(text="The warranty is 48 months.", facts=(1,))
    assert check_values(sentence, facts, MARKET, "en").missing == ("48 months",)
    assert check_values(sentence, facts, MARKET, "en", all_facts=True).missing == ()


def test_a_list_number_and_an_article_are_no_values() -> None:
    assert not read_values("1. Bring the keys.", ("en",))
    assert not read_values("Nous avons un atelier.", ("fr",))


WITHIN_THE_FACTS = {"Unsere Ausstellung ist auch mittwochs von 14 bis 18 Uhr geöffnet."}
"""Its day and times are all in facts, though of something else: what a judge has to see."""


def test_no_sentence_with_a_foreign_value_passes_on_text_that_the_checks_never_saw() -> None:
    companies = tomllib.loads(Path(__file__).with_name("draft_sentences.toml").read_text(encoding="utf-8"))
    passed: set[str] = set()
    for company in companies["company"]:
        facts = facts_of(company)
        cited = tuple(range(1, len(facts) + 1))
        market = Market((company["name"],), ())
        checked = [
            check_values(DraftSentence(text=text, facts=cited), facts, market, company["language"])
            for text in company["refuse_value"]
        ]
        passed |= {sentence.text for sentence in checked if sentence.state != "unsupported"}
    assert passed == WITHIN_THE_FACTS
