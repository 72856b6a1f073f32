"""Statements of drafts, held against known facts."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analytics.grounding.flattening import flatten
from analytics.grounding.known_texts import KnownText
from analytics.grounding.numerals import numbers
from analytics.grounding.sentence_spans import sentences
from analytics.grounding.support import Grounding
from bench.grounding.measuring import MOST_FALSE_ACCEPTS, MOST_FALSE_REFUSALS, PLAIN, judge

ABOUT = KnownText(
    "item 1",
    "Acme Motors was founded by Bob Acme. Phone: +49 40 555 0100. Hours: Mon-Fri 8:00-18:00. Our warranty lasts 36 months.",
    "About us",
)


def missing(draft: str, *known: KnownText) -> list[str]:
    statements = Grounding([ABOUT, *known], ("Acme Motors",)).check(draft)
    return [fact.words for statement in statements for fact in statement.missing]


def test_error_rates_on_the_labelled_sentences_stay_below_the_goals() -> None:
    judged = [judgement for judgement in judge() if judgement.part in ("tuning", "held out")]
    bad = [judgement for judgement in judged if not judgement.keep]
    good = [judgement for judgement in judged if judgement.keep]
    assert len(bad) == len(good) == 100
    assert sum(judgement.kept for judgement in bad) / len(bad) < MOST_FALSE_ACCEPTS
    assert sum(not judgement.kept for judgement in good) / len(good) < MOST_FALSE_REFUSALS


def test_sentences_about_other_companies_are_judged_within_the_goals_too() -> None:
    judged = [judgement for judgement in judge() if judgement.part not in ("tuning", "held out", PLAIN)]
    bad = [judgement for judgement in judged if not judgement.keep]
    good = [judgement for judgement in judged if judgement.keep]
    assert sum(judgement.kept for judgement in bad) / len(bad) < MOST_FALSE_ACCEPTS
    assert sum(not judgement.kept for judgement in good) / len(good) < MOST_FALSE_REFUSALS


@pytest.mark.parametrize(
    ("draft", "lacking"),
    [
        (
            "Our mechanics attend a training course each spring.",
            ["mechanics attend a training course each spring"],
        ),
        ("The workshop is powered by solar energy.", ["powered by solar energy"]),
        ("Our warranty is part of what we offer, and we are happy to help.", []),
        ("If a brake squeals, have it inspected before a long journey.", []),
        ("Our mechanic Jane Miller will help.", ["Jane Miller"]),
        ("Call us. Ask for Jane, or see Dr. Weber.", ["Jane", "Dr Weber"]),
        ("Herr Müller leitet die Werkstatt und hilft Ihnen gern.", ["Herr Müller"]),
        ("Acme Motors was founded by Bob Acme in spring.", ["in spring"]),
        ("Call 040 555 0100 – we are open from 8 am to 6 pm.", []),
        ("Our warranty lasts three years.", []),
        ("Our 36 months of experience speak for us.", ["36 months"]),
        ("Over twenty thousand happy customers.", ["twenty thousand happy"]),
        ("They were convicted of fraud.", ["convicted", "fraud"]),
        ("Write to me@acme.example", ["me@acme.example"]),
        ("It costs 1.000 euros, not 100.", ["1.000 euros", "100"]),
    ],
)
def test_a_statement_stands_only_with_a_fact(draft: str, lacking: list[str]) -> None:
    assert missing(draft) == lacking
    assert missing(draft, KnownText("item 2", draft)) == []


@pytest.mark.parametrize(
    "draft",
    [
        "Every customer is met by a driver on arrival.",
        "A nurse sleeps on site, so nobody is ever alone.",
        "Most of our mechanics are engineers.",
        "Your car is back within a week.",
        "Ihr Wagen ist in einer Woche fertig.",
    ],
)
def test_words_that_advise_in_another_language_hide_no_claim(draft: str) -> None:
    assert missing(draft) != []


@pytest.mark.parametrize(
    "draft",
    [
        "An engine that is warm pulls better than a cold one.",
        "The sooner a noise is heard, the cheaper its cause.",
        "Here is how to choose.",
        "We are closed on Sundays.",
        "On Saturday and on Sunday, the garage is closed.",
        "A warranty of three years is part of every sale, and that is perfectly normal.",
    ],
)
def test_general_rules_and_announcements_need_no_fact(draft: str) -> None:
    assert missing(draft, KnownText("item 2", "A warranty comes with every sale.")) == []


def test_words_of_grammar_in_a_name_do_not_name_the_company() -> None:
    grounding = Grounding([ABOUT], ("The Garage of Acme",))
    assert [
        fact for said in grounding.check("A tyre of the right size lasts longer.") for fact in said.missing
    ] == []
    assert [fact for said in grounding.check("A tyre from Acme lasts longer.") for fact in said.missing] != []


def test_a_month_is_thirty_days_and_a_difference_follows_from_two_amounts() -> None:
    known = KnownText(
        "item 2", "Quotes are valid for 30 days. A small service costs 90 euros, a large one 140 euros."
    )
    assert missing("A quote stays valid for one month.", known) == []
    assert missing("A large service costs 50 euros more.", known) == []
    assert missing("A large service costs 60 euros more.", known) == ["60 euros"]


def test_a_family_name_is_shared_where_the_facts_say_so() -> None:
    known = KnownText("item 2", "Paul and Megan Ashby run the workshop. Iris Bell sells cars.")
    assert missing("Paul Ashby runs the workshop.", known) == []
    assert missing("Paul Bell runs the workshop.", known) != []


def test_a_number_is_supported_whole_and_with_what_it_counts() -> None:
    assert missing("We have 36 branches.") == ["36 branches"]
    assert missing("The warranty lasts 6 months.") == ["6 months"]


@pytest.mark.parametrize(
    ("language", "spelled", "value"),
    [
        ("en", "one hundred and five", 105),
        ("de", "dreihundertfünfundzwanzig", 325),
        ("fr", "quatre-vingt-dix-neuf", 99),
        ("es", "doscientos cincuenta", 250),
        ("it", "ventottomila", 28_000),
        ("nl", "tweeëntwintig", 22),
    ],
)
def test_numbers_in_words_are_read_in_six_languages(language: str, spelled: str, value: int) -> None:
    [read] = numbers(flatten(spelled), (language,))
    assert (read.value, read.end) == (value, len(spelled))


@given(st.text(max_size=200))
def test_sentences_part_a_text_and_no_text_breaks_the_guard(text: str) -> None:
    statements = Grounding([ABOUT]).check(text)
    assert all(statement.start < statement.end for statement in statements)
    spans = sentences(text)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


@pytest.mark.parametrize(
    "part", ["a", "A", "1", "1 ", "A.", "twenty ", "www.", "1.1", " - ", "Jane ", "l'", "mo-"]
)
def test_a_hostile_text_is_read_in_linear_time(part: str) -> None:
    grounding = Grounding([ABOUT])
    began = time.process_time()
    grounding.check(part * (2_000_000 // len(part)))
    assert time.process_time() - began < 5


SHOP = (
    KnownText(
        "item 1",
        "The Fjell has hydraulic disc brakes and weighs 13.4 kg. All frames are painted by hand. "
        "The beans for Harbour come from Brazil. A connection to Magento is planned. We do not sell helmets.",
        "Models",
    ),
    KnownText(
        "item 2",
        "A course lasts four hours. The trainer is Lena Vogt. Orders over 30 euros are sent free.",
        "Courses",
    ),
)


def lacks(draft: str) -> bool:
    statements = Grounding(SHOP, ("Acme Cycles",)).check(draft)
    return any(statement.missing for statement in statements)


@pytest.mark.parametrize(
    "draft",
    [
        "Choosing a bicycle is a big decision, so take your time.",
        "Your accountant will be pleased to hear that.",
        "Most people find a bicycle rather confusing at first.",
        "We are sorry to hear that your parcel was soaked when you opened it.",
        "Thank you, Dana, for your patience.",
        "Planning a tour means thinking of a hundred little things.",
    ],
)
def test_wording_and_the_readers_world_need_no_fact(draft: str) -> None:
    assert not lacks(draft)


@pytest.mark.parametrize(
    "draft",
    [
        "We have never lost a parcel.",
        "Our bicycles ride better than theirs.",
        "Everyone loves our helmets.",
        "You get your money back.",
        "Other shops often sell unsafe brakes.",
        "Your bicycle waits in our lounge.",
    ],
)
def test_records_comparisons_praise_and_slander_in_ordinary_words_need_a_fact(draft: str) -> None:
    assert lacks(draft)


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("Every frame is painted by hand.", True),
        ("All our brakes are hydraulic disc brakes on the Fjell.", False),
        ("All beans come from Brazil.", False),
        ("The beans for Harbour come from Brazil.", True),
    ],
)
def test_all_of_a_kind_is_said_only_where_a_fact_says_it_of_all(draft: str, stands: bool) -> None:
    assert lacks(draft) is not stands


@pytest.mark.parametrize(
    ("draft", "stands"),
    [
        ("The Fjell weighs about 13 kg.", True),
        ("The Fjell weighs less than 14 kg.", True),
        ("The Fjell weighs less than 13 kg.", False),
        ("The Fjell weighs about 10 kg.", False),
        ("The trainer shows you everything in four hours.", True),
        ("The trainer shows you everything in five hours.", False),
        ("Orders of 30 euros or more are sent free.", True),
        ("Orders of 20 euros or more are sent free.", False),
    ],
)
def test_a_number_follows_from_one_that_bears_it_out(draft: str, stands: bool) -> None:
    assert lacks(draft) is not stands


def test_what_is_planned_is_not_there_yet() -> None:
    assert lacks("You can use the connection to Magento today.")
    assert not lacks("The connection to Magento is still in the works.")


def test_claims_in_everyday_words_are_let_through_no_more_often_than_is_said() -> None:
    attacks = [judgement for judgement in judge() if judgement.part == PLAIN]
    assert len(attacks) == 55
    assert sum(judgement.kept for judgement in attacks) / len(attacks) < 1 / 3
