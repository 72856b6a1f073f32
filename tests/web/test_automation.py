"""The pages of automation: question sets are made, edited, previewed and put away; workflows start and are followed."""

import re
from typing import Any

import pytest

from tests.web.conftest import Person
from web.automation.prompt_lines import read_lines, write_lines

SET = {"name": "Buyers", "prompts": "Which boat? | choose | price, city\nWhich tram?", "mode": "visibility"}


async def make_set(person: Person, **fields: str) -> str:
    """Make a set by its form; return its address."""
    form = {**SET, "repeats": "2", "brand": person.brand, "countries": "us, de", **fields}
    made = await person.submit("/automation/sets/new", form, "/automation/sets")
    assert made.status_code == 303, made.text
    return str(made.headers["location"])


async def test_a_set_is_made_edited_and_put_away(measured: Person) -> None:
    address = await make_set(measured, schedule="0 6 * * 1")
    page = (await measured.http.get(address)).text
    assert "Which boat? | choose | price, city" in page
    assert "US, DE" in page
    changed = {**SET, "prompts": "Which boat? | choose | price\nWhich ferry?", "repeats": "4"}
    saved = await measured.submit(address, changed)
    assert saved.headers["location"] == f"{address}?saved=1"
    page = (await measured.http.get(address)).text
    assert ("Which ferry?" in page, "Which tram?" in page, 'value="4"' in page) == (True, False, True)
    assert "every Monday" not in await measured.text("/automation"), "an empty schedule takes it away"
    await measured.submit(address, {"archived": "1"}, f"{address}/archive")
    assert "Buyers" not in await measured.text("/automation")


async def test_a_form_that_does_not_do_keeps_what_was_typed(measured: Person) -> None:
    form = {**SET, "repeats": "3", "brand": measured.brand, "schedule": "at dawn"}
    refused = await measured.submit("/automation/sets/new", form, "/automation/sets")
    assert (refused.status_code, "Which boat? | choose" in refused.text) == (422, True)
    empty = await measured.submit("/automation/sets/new", {**form, "prompts": " \n"}, "/automation/sets")
    assert "Write at least one question." in empty.text


async def test_a_preview_says_what_a_run_takes(measured: Person) -> None:
    await measured.submit("/settings/engines", {"platform": "chatgpt", "secret": "a-key-of-a-provider-1234"})
    address = await make_set(measured, **{"engine-chatgpt": "1", "countries": ""})
    assert "4 questions to 1 engine" in " ".join((await measured.text(address)).split())


async def test_a_workflow_starts_and_its_run_is_shown(measured: Person) -> None:
    start = "/automation/workflows/ai_shop_checkup"
    started = await measured.submit("/automation", {"brand": measured.brand, "once": "o1"}, start)
    if started.status_code == 422:
        assert re.search(r'role="alert">[^<]+', started.text), "a refusal says why"
        return
    text = await measured.text(str(started.headers["location"]))
    assert "Ai shop checkup for Acme" in text


async def test_another_companys_set_is_not_found(measured: Person, meet: Any) -> None:
    address = await make_set(measured)
    stranger = meet()
    await stranger.sign_up()
    assert (await stranger.http.get(address)).status_code == 404


@pytest.mark.parametrize(
    ("line", "prompt"),
    [
        ("Which car?", {"text": "Which car?"}),
        ("Which car?\tchoose\tprice", {"text": "Which car?", "intent": "choose", "tags": ["price"]}),
        ("Which car? || a, b, a", {"text": "Which car?", "tags": ["a", "b"]}),
    ],
)
def test_lines_are_read_as_questions(line: str, prompt: dict[str, Any]) -> None:
    assert read_lines(line) == [prompt]
    assert read_lines(f"{line}\n{line}\n\n") == [prompt]


def test_lines_keep_what_they_do_not_say() -> None:
    known = [{"text": "Q", "intent": None, "tags": ["a"], "branded": True, "country": "DE", "city": None}]
    assert write_lines(known) == "Q |  | a"
    assert read_lines(write_lines(known), known) == [
        {"branded": True, "country": "DE", "text": "Q", "tags": ["a"]}
    ]


def test_a_question_with_a_stroke_in_it_stays_whole() -> None:
    known: list[dict[str, Any]] = [
        {"text": "A | B?", "intent": "compare", "tags": ["x"]},
        {"text": "C?", "intent": None, "tags": []},
    ]
    assert read_lines(write_lines(known) + "\nD?", known) == [
        {"text": "A | B?", "intent": "compare", "tags": ["x"]},
        {"text": "C?"},
        {"text": "D?"},
    ]
