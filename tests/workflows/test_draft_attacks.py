"""Attacks on the checks of drafts: each case is one that the design page forbids."""

import asyncio
import json
import os
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from measurement.planning.published_items import DRAFT
from storage.repositories.brands import Brand
from storage.repositories.repository_items import RepositoryItem
from tests.workflows.conftest import House, OpenHouse, Talker
from tests.workflows.judging import is_judging, judge_well
from tests.workflows.test_drafts import GOOD, furnish, refresh, writing
from tests.zygote import fork_worker
from workflows.agents.catalog import AGENTS
from workflows.drafts.checks import (
    Judgement,
    MarketNames,
    apply_judgement,
    check_values,
    prepare_facts,
    read_judgements,
)
from workflows.drafts.document import DraftReview, DraftSentence, Fact
from workflows.drafts.facts import number_facts

NOW = datetime.now(UTC)
MARKET = MarketNames.named("Acme", "Globex", "Bolt & Sons", "Müller")
BIKES = "We sell good bikes for everyone."
RAEDER = "Wir verkaufen gute Räder."


def hostile(sentence: str, fact: str, language: str = "en", before: str = " ") -> DraftSentence:
    """The outcome of a sentence with a judge that supports everything and quotes the whole cited fact."""
    facts = [Fact(key="item:1#1", title="Facts", text=fact)]
    checked = check_values(
        DraftSentence(text=sentence, before=before, facts=(1,)),
        prepare_facts(facts, language),
        MARKET,
        language,
    )
    if checked.reason:
        return checked
    judged = Judgement(n=1, verdict="supported", fact=1, quote=fact)
    return apply_judgement(checked, facts, judged, MARKET, language)


NUMBERS = [
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


@pytest.mark.parametrize(("sentence", "fact", "language"), NUMBERS)
def test_no_value_that_is_absent_from_the_facts_is_supported(sentence: str, fact: str, language: str) -> None:
    assert hostile(sentence, fact, language).state == "unsupported"


@pytest.mark.parametrize(
    ("sentence", "fact", "language"),
    [
        ("Better bikes than globeх.", BIKES, "en"),  # the last letter is Cyrillic
        ("Globeх bikes are bad.", BIKES, "en"),
        ("Better bikes than ｇｌｏｂｅｘ.", BIKES, "en"),
        ("Better bikes than gl\u200bobex.", BIKES, "en"),
        ("Better bikes than _globex_.", BIKES, "en"),
        ("Better bikes than bolt  & sons.", BIKES, "en"),
        ("Better bikes than bolt and sons.", BIKES, "en"),
        ("Better bikes than mueller.", BIKES, "en"),
        ("Better bikes than muller.", BIKES, "en"),
    ],
)
def test_no_name_that_is_absent_from_the_facts_is_supported(sentence: str, fact: str, language: str) -> None:
    assert hostile(sentence, fact, language).state == "unsupported"


@pytest.mark.parametrize(
    "heading",
    ["Opening soon in Munich with Anna Keller", "Better Than Shimano", "Recommended by Anna Keller"],
)
def test_a_heading_hides_no_name(heading: str) -> None:
    assert hostile(heading, BIKES, before="\n\n## ").state == "unsupported"


@pytest.mark.parametrize(
    ("sentence", "language"),
    [
        ("We are aw\u200barded.", "en"),
    ],
)
def test_award_legal_and_medical_words_need_a_citation(sentence: str, language: str) -> None:
    checked = check_values(DraftSentence(text=sentence), (), MARKET, language)
    judged = Judgement(n=1, verdict="no claim")
    assert apply_judgement(checked, (), judged, MARKET, language).state == "unsupported"


@pytest.mark.parametrize(
    "other",
    [
        '{"n": 1, "verdict": "Unsupported"}',
        '{"n": "1", "verdict": "unsupported"}',
        '{"n": 1, "verdict": null}',
    ],
)
def test_a_sentence_judged_twice_is_not_checked(other: str) -> None:
    assert read_judgements(f'[{{"n": 1, "verdict": "supported", "quote": "good bikes"}}, {other}]') == {}


def test_a_key_given_twice_cannot_be_read() -> None:
    assert read_judgements('[{"n": 1, "verdict": "unsupported", "verdict": "supported", "quote": "x"}]') == {}


def acme(**changed: Any) -> Brand:
    values: dict[str, Any] = dict.fromkeys(Brand.__dataclass_fields__)
    return Brand(**{**values, "name": "Acme", "keywords": (), **changed})


def test_a_long_fact_is_not_cut_within_a_value() -> None:
    item = RepositoryItem("i1", "T", "x" * 590 + " costs 12345 euros", "faq", None, NOW, NOW)
    facts = number_facts(acme(), [item], [], "costs")
    number = next(n for n, fact in enumerate(facts, 1) if "costs" in fact.text)
    sentence = DraftSentence(text="It costs 123.", facts=(number,))
    assert check_values(sentence, prepare_facts(facts, "en"), MARKET, "en").missing


def test_a_page_cannot_give_its_lines_the_address_of_another() -> None:
    page = ("https://acme.example/reviews", "Reviews\nhttps://acme.example/prices\nBikes cost 5 euros.")
    facts = number_facts(acme(), [], [page], "bikes")
    said = next(fact for fact in facts if fact.text == "Bikes cost 5 euros.")
    assert said.url == "https://acme.example/reviews"


@pytest.fixture
async def house(tmp_path: Path, open_house: OpenHouse, talker: Talker) -> House:
    return await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)


async def test_a_character_that_no_database_stores_fails_no_run(
    address: str, open_house: OpenHouse, talker: Talker
) -> None:
    house = await open_house(address, talker.settings)

    def script(asked: str) -> str:
        if is_judging(asked):
            return judge_well(asked)
        return json.dumps(
            {"sentences": [{"start": "paragraph", "text": "We sell\u0000 bikes.", "facts": [1]}]}
        )

    talker.script = script
    status, reviews = await refresh(house)
    assert (status["status"], bool(reviews)) == ("completed", True), status["errors"]


async def test_a_worker_killed_before_the_judge_answers_decides_nothing(
    house: House, talker: Talker, tmp_path: Path
) -> None:
    environment = {
        **os.environ,
        "SEENBY_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}",
        "SEENBY_DATA_DIR": str(tmp_path),
        "SEENBY_ENGINE_COMPATIBLE": json.dumps([talker.entry]),
    }
    good = writing(f"{GOOD} It costs 9 euros.")
    held = threading.Event()
    judging = threading.Event()

    def script(asked: str) -> str:
        if is_judging(asked) and not held.is_set():
            judging.set()
            held.wait(60)
        return good(asked)

    talker.script = script
    brand_key = await furnish(house)
    started = await house.call("run_workflow", workflowId="content_refresh")
    first = fork_worker(environment, tmp_path)
    async with asyncio.timeout(120):
        while not judging.is_set():
            await asyncio.sleep(0.05)
    first.kill()
    await first.wait()
    items = house.database.workspace(house.company_id).repository_items
    assert (await items.page(brand_key, DRAFT, 5, 0))[1] == 0
    held.set()
    second = fork_worker(environment, tmp_path)
    await house.ended(started["runId"], 120)
    second.terminate()
    await second.wait()
    drafts, total = await items.page(brand_key, DRAFT, 5, 0)
    assert total
    for draft in drafts:
        review = DraftReview.load(await items.review(brand_key, draft.id))
        assert [sentence.state for sentence in review.sentences] == ["supported", "unsupported"]
    assert AGENTS  # the catalog of the worker
    written = [asked for asked in talker.asked if not is_judging(asked) and '"sentences": [{"start"' in asked]
    assert len(written) == len(set(written))
