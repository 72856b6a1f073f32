"""Values and names of a sentence are found in facts in any notation or language, and nowhere else."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench.drafts import facts_of
from storage.repositories.brands import Brand
from storage.repositories.repository_items import RepositoryItem
from workflows.drafts.checks import (
    Judgement,
    MarketNames,
    apply_judgement,
    check_values,
    prepare_facts,
    read_judgements,
)
from workflows.drafts.document import DraftSentence, Fact
from workflows.drafts.facts import number_facts
from workflows.drafts.values import normalized, read_names, read_values
from workflows.drafts.writer import read_draft

NOW = datetime.now(UTC)
MARKET = MarketNames.named("Acme", "Globex", "Bolt & Sons", "Müller")
BIKES = "We sell good bikes for everyone."


def missing(sentence: str, fact: str, language: str = "en", before: str = " ") -> tuple[str, ...]:
    facts = prepare_facts([Fact(key="item:1#1", title="Facts", text=fact)], language)
    checked = check_values(DraftSentence(text=sentence, before=before, facts=(1,)), facts, MARKET, language)
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
        ("It takes 30 minutes.", "It takes half an hour", "en"),
        ("Die 36-monatige Garantie.", "36 months warranty", "de"),
        ("Das kostet CHF 19.90.", "19,90 Schweizer Franken", "de"),
        ("Das kostet 59,- €.", "59 EUR", "de"),
        ("Up to 120 km/h on 50 m².", "120 kilometers per hour, 50 square meters", "en"),
        ("Call +49 (0)30 123456.", "030 123456", "en"),
        ("Llámenos al 955 500 140.", "Teléfono: +34 955500140", "es"),
        ("We have 30 seats.", "Seats: 30", "en"),
        ("Find us at Main Street 3 in Town.", "Address: Main Street 3, 1234 Town", "en"),
        ("We have 12 shops.", "Wir haben 12 Läden und die Werkstatt", "en"),
        ("Closed in May.", "Closed from 3 to 5 May", "en"),
        ("We are open von 9.00 - 17.00 Uhr.", "9-17 Uhr", "en"),
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
        ("It costs 5 Canadian dollars.", "$5 in Canadian shops", "5 Canadian dollars"),
        ("It costs €2-10.", "It costs €2 in 10 shops", "€2-10"),
        ("It takes 2½ hours.", "It takes 2 hours", "2 1⁄2 hours"),
        ("It lifts **5** tons.", "The crane has 5 wheels", "5 tons"),
        ("It has 5G.", "It has 5 antennas", "5G"),
    ],
)
def test_a_value_that_no_cited_fact_contains_is_named(sentence: str, fact: str, lost: str) -> None:
    assert missing(sentence, fact) == (lost,)


ABSENT = [
    # A day, month or year of a date is no count of things.
    ("We have 12 shops.", "Opened on 12 March 2015.", "en"),
    ("We have 2015 shops.", "Opened on 12 March 2015.", "en"),
    ("Wir haben 25 Läden.", "Am 25. Mai ist geschlossen.", "de"),
    # The digits of a phone number are no count of things.
    ("We have 1,234,567 customers.", "Call +49 30 1234567.", "en"),
    # Another country's number is another number.
    ("Call +33 30 1234567.", "Call +49 30 1234567.", "en"),
    ("Call +1 630 123 4567.", "Call 123-4567 now.", "en"),
    # A suffix that multiplies.
    ("Revenue is €5m.", "Revenue is €5.", "en"),
    ("Revenue is €5bn.", "Revenue is €5.", "en"),
    ("Revenue is $5k.", "Revenue is $5.", "en"),
    # Percentages.
    ("Prices rose 5 percentage points.", "Prices rose 5 percent.", "en"),
    ("Die Preise stiegen um 5 Prozentpunkte.", "Die Preise stiegen um 5 Prozent.", "de"),
    ("Prices rose 5‰.", "We have 5 shops.", "en"),
    # The lower end of a range has the unit of its upper end.
    ("It costs 2 to 10 euros.", "It costs 10 euros in 2 shops.", "en"),
    ("Il coûte 2 à 10 euros.", "Il coûte 10 euros dans 2 magasins.", "fr"),
    ("It takes off 2 to 10 percent.", "10 percent off in 2 shops.", "en"),
    # A sign.
    ("It works at -5 °C.", "It works at 5 °C.", "en"),
    # Units.
    ("We reply in 24 working hours.", "We reply in 24 working days.", "en"),
    ("The crane lifts 5 tons.", "The crane has 5 wheels.", "en"),
    ("The crane lifts 5 lbs.", "The crane lifts 5 oz.", "en"),
    # Currencies.
    ("It costs 5 roubles.", "It costs 5 pesos.", "en"),
    ("It costs ₺5.", "It costs ₽5.", "en"),
    ("It costs 5 crowns.", "It has 5 rooms.", "en"),
    ("Das kostet 5 Franken.", "Das hat 5 Räume.", "de"),
    # Digits of other scripts.
    ("We have ١٢ shops.", "We have shops.", "en"),
    ("We have １２ shops.", "We have shops.", "en"),
    ("We have 𝟏𝟐 shops.", "We have shops.", "en"),
    ("We have ⑫ shops.", "We have shops.", "en"),
    ("We have ²³ shops.", "We have shops.", "en"),
    ("We have ½ of the market.", "We have a share of the market.", "en"),
    ("We have 2/3 of the market.", "We have 2 or 3 shares of the market.", "en"),
    # What nobody sees divides no number.
    ("We have 1\u200b2 shops.", "We have 1 shop and 2 vans.", "en"),
    ("We have 1\u00ad2 shops.", "We have 1 shop and 2 vans.", "en"),
    # The number at a sentence's beginning.
    ("50) shops are ours.", "We are here.", "en"),
    ("30. Geburtstag feiern wir dieses Jahr.", "Wir feiern dieses Jahr.", "de"),
    # Number words.
    ("We have a dozen shops.", "We have shops.", "en"),
    ("Half of all customers return.", "Customers return.", "en"),
    ("Wir haben anderthalb Läden.", "Wir haben Läden.", "de"),
    ("Nous avons une douzaine de magasins.", "Nous avons des magasins.", "fr"),
    ("La moitié des clients revient.", "Les clients reviennent.", "fr"),
    ("Tenemos una docena de tiendas.", "Tenemos tiendas.", "es"),
    ("Abbiamo una dozzina di negozi.", "Abbiamo negozi.", "it"),
    ("We hebben anderhalve winkel.", "We hebben winkels.", "nl"),
    # A sentence in another language than most of the draft.
    ("Wir haben zwölf Läden.", "Wir haben Läden.", "en"),
    # Dates and times.
    ("Since April.", "Since March.", "en"),
    ("Wir öffnen im Mai.", "Wir öffnen im März.", "de"),
    ("Seit dem 03.04.2024.", "Seit dem 4. März 2024.", "de"),
    ("Since 2024/04/03.", "Since 2024; shops 3, vans 4.", "en"),
    # Addresses.
    ("See acme.biz/sale.", "See us.", "en"),
    ("See acme.co/offer.", "See us.", "en"),
    ("See ftp://evil.biz/x.", "See us.", "en"),
    ("See [the offer](//evil.zip/x).", "See us.", "en"),
    ("See https://acme.example/A.", "See https://acme.example/a.", "en"),
    ("See https://acme.example/a'b.", "See https://acme.example/a.", "en"),
    ("Write to evil@localhost.", "Write to us.", "en"),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "fact", "language"), ABSENT)
def test_a_value_in_another_context_is_missing(sentence: str, fact: str, language: str) -> None:
    assert missing(sentence, fact, language)


@pytest.mark.parametrize(
    "sentence",
    [
        "Better bikes than globeх.",  # the last letter is Cyrillic
        "Globeх bikes are bad.",
        "Better bikes than ｇｌｏｂｅｘ.",
        "Better bikes than gl\u200bobex.",
        "Better bikes than _globex_.",
        "Better bikes than bolt  & sons.",
        "Better bikes than bolt and sons.",
        "Better bikes than mueller.",
        "Better bikes than muller.",
    ],
)
def test_a_competitor_is_found_in_any_spelling(sentence: str) -> None:
    assert missing(sentence, BIKES)


def test_a_heading_in_sentence_case_has_names() -> None:
    heading = "Opening soon in Munich with Anna Keller"
    assert missing(heading, BIKES, before="\n\n## ") == ("Munich", "Anna Keller")


def test_german_nouns_and_first_words_are_no_names() -> None:
    assert read_names("Unsere Werkstatt hat eine neue Halle.", "de") == ()
    assert read_names("Fragen Sie Petra Klein danach.", "de") == ("Petra Klein",)
    assert missing("Repairs Take Little Time", BIKES, before="\n\n## ") == ()
    assert missing("Repairs Beat Globex", BIKES, before="\n\n## ") == ("Globex",)


def test_a_value_of_another_fact_than_the_cited_one_is_missing() -> None:
    facts = prepare_facts(
        [
            Fact(key="item:1#1", title="A", text="36 months"),
            Fact(key="item:2#1", title="B", text="48 months"),
        ],
        "en",
    )
    sentence = DraftSentence(text="The warranty is 48 months.", facts=(1,))
    assert check_values(sentence, facts, MARKET, "en").missing == ("48 months",)
    assert check_values(sentence, facts, MARKET, "en", all_facts=True).missing == ()


def test_an_article_is_no_value_and_a_list_number_is_one() -> None:
    assert not read_values("Nous avons un atelier.", "fr")
    assert missing("1. Bring the keys.", "Bring the keys.") == ("1",)


def test_an_invisible_character_hides_no_award() -> None:
    text = "We are aw\u200barded."
    checked = check_values(DraftSentence(text=text), (), MARKET, "en")
    assert checked.reason == "needs_citation"
    judged = apply_judgement(DraftSentence(text=text), (), Judgement(n=1, verdict="no claim"), MARKET, "en")
    assert judged.state == "unsupported"


def test_characters_have_one_form() -> None:
    assert normalized("١٢ １２ ⑫ ❷ 2½ \u3164**x**") == "12 12 12 2 2 1⁄2 x"


@pytest.mark.parametrize(
    "other",
    [
        '{"n": 1, "verdict": "Unsupported"}',
        '{"n": "1", "verdict": "unsupported"}',
        '{"n": 1, "verdict": null}',
        '{"n": 1, "verdict": "unsupported", "verdict": "supported"}',
    ],
)
def test_a_sentence_judged_twice_has_no_judgement(other: str) -> None:
    good = '{"n": 2, "verdict": "no claim"}'
    answer = f'[{{"n": 1, "verdict": "supported", "quote": "good bikes"}}, {other}, {good}]'
    assert list(read_judgements(answer)) == [2]
    assert list(read_judgements(f"[{other}]")) == []


def test_deep_brackets_are_no_judgements() -> None:
    assert read_judgements("[" * 100_000 + "]" * 100_000) == {}


def acme() -> Brand:
    values: dict[str, Any] = dict.fromkeys(Brand.__dataclass_fields__)
    values |= {"name": "Acme", "keywords": ()}
    return Brand(**values)


@pytest.mark.parametrize("end", [" costs 12345 euros", " costs 12 345 euros"])
def test_a_long_fact_is_not_cut_within_a_value(end: str) -> None:
    item = RepositoryItem("i1", "T", "x" * 590 + end, "faq", None, NOW, NOW)
    facts = number_facts(acme(), [item], [], "costs")
    assert not any(character.isdigit() for fact in facts for character in fact.text)


def test_lines_of_a_page_keep_its_url() -> None:
    page = ("https://acme.example/reviews", "Reviews\nhttps://acme.example/prices\nBikes cost 5 euros.")
    said = next(fact for fact in number_facts(acme(), [], [page], "bikes") if "5 euros" in fact.text)
    assert (said.url, said.title) == ("https://acme.example/reviews", "Reviews")


def test_a_draft_has_no_character_that_no_database_stores() -> None:
    sentences = read_draft(
        '{"sentences": [{"text": "We sell\\u0000 \\u0007bikes."}, {"text": "\\u0000"}]}', 1
    )
    assert sentences is not None
    assert [sentence.text for sentence in sentences] == ["We sell bikes."]


WITHIN_THE_FACTS = {"Unsere Ausstellung ist auch mittwochs von 14 bis 18 Uhr geöffnet."}
"""Its day and times are all in facts, though of something else: what a judge has to see."""


def test_no_foreign_value_passes_in_unseen_sentences() -> None:
    companies = tomllib.loads(Path(__file__).with_name("draft_sentences.toml").read_text(encoding="utf-8"))
    passed: set[str] = set()
    for company in companies["company"]:
        facts = facts_of(company)
        cited = tuple(range(1, len(facts) + 1))
        market, prepared = MarketNames.named(company["name"]), prepare_facts(facts, company["language"])
        checked = [
            check_values(DraftSentence(text=text, facts=cited), prepared, market, company["language"])
            for text in company["refuse_value"]
        ]
        passed |= {sentence.text for sentence in checked if sentence.state != "unsupported"}
    assert passed == WITHIN_THE_FACTS
