"""Answers opened as evidence: whole, by outcome, by filter, and out of another company's reach."""

import json
from typing import Any

import pytest
from sqlalchemy import text

from tests.tools.conftest import HIDDEN_WORDS, SCOOTER_ANSWERS, Office


async def prompts_of(office: Office, **arguments: Any) -> list[str]:
    """The prompts of the answers that a call lists, newest first."""
    listed = await office.call("list_answers", brandId="Acme", **arguments)
    return [answer["prompt"] for answer in listed["answers"]]


@pytest.mark.parametrize(
    ("outcome", "texts"),
    [
        ("names_us", {0, 3}),
        ("rival_instead", {1, 4}),
        ("nobody", {2}),
        ("cites_us", {0}),
        ("contradicts", set[int]()),
        ("truncated", set[int]()),
        ("left_out", {3}),
        ("anybody", {0, 1, 3, 4}),
        ("judged", set[int]()),
        ("negative", set[int]()),
        (None, {0, 1, 2, 3, 4}),
    ],
)
async def test_outcome_chooses_the_answers_that_it_names(
    measured: Office, outcome: str | None, texts: set[int]
) -> None:
    chosen = {"outcome": outcome} if outcome else {}
    listed = await measured.call("list_answers", brandId="Acme", **chosen)
    days = {int(answer["capturedAt"][8:10]) - 1 for answer in listed["answers"]}
    assert (days, listed["total"]) == (texts, len(texts))
    assert (listed["notice"] is None) is bool(texts)


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
@pytest.mark.parametrize("outcome", [None, "judged", "left_out"])
async def test_each_detail_alone_narrows_the_answers_of_an_outcome(
    measured: Office, outcome: str | None
) -> None:
    every = {"outcome": outcome} if outcome else {}
    total = (await measured.call("list_answers", brandId="Acme", **every))["total"]
    score = await measured.call("get_ai_visibility_score", brandId="Acme")
    for detail in (
        {"counted": True},
        {"citationsKnown": True},
        {"competitor": "Zentrix"},
        {"source": "acme.com"},
        {"source": "https://acme.com/scooters"},
        {"batchIds": score["measurement"]["batchIds"]},
    ):
        listed = await measured.call("list_answers", brandId="Acme", **every, **detail)
        assert listed["total"] <= total, detail
        assert len(listed["answers"]) == listed["total"], detail


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_filters_narrow_the_answers_and_pages_partition_them(measured: Office) -> None:
    assert len(await prompts_of(measured, platform="GEMINI")) == 3
    assert (
        await prompts_of(measured, **{"from": "2026-03-02", "to": "2026-03-03"})
        == [SCOOTER_ANSWERS[0][1]] * 2
    )
    assert await prompts_of(measured, **{"from": "2026-03-02T08:00:01Z", "to": "2026-03-03T08:00:00Z"}) == []
    first = await measured.call("list_answers", brandId="Acme", limit=3)
    rest = await measured.call("list_answers", brandId="Acme", limit=3, offset=first["nextOffset"])
    ids = [answer["answerId"] for page in (first, rest) for answer in page["answers"]]
    assert len(set(ids)) == 5
    prompt_id = first["answers"][0]["promptId"]
    assert await prompts_of(measured, promptId=prompt_id) == ["Which scooter for the city?"]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_every_count_of_the_other_tools_opens_into_as_many_answers(measured: Office) -> None:
    async def total(**arguments: Any) -> int:
        listed = await measured.call("list_answers", brandId="Acme", **arguments)
        return listed["total"]

    assert await total(counted=True) == 4
    period = {"from": "2026-03-01", "to": "2026-03-31"}
    for group in ("domain", "url"):
        cited = await measured.call("get_citations", brandId="Acme", groupBy=group, **period)
        assert await total(counted=True, citationsKnown=True, **period) == cited["measurableAnswers"]
        for citation in cited["citations"]:
            assert await total(counted=True, source=citation["source"], **period) == citation["answers"]
    results = await measured.call("get_prompt_results", brandId="Acme", **period)
    for prompt in results["prompts"]:
        counted = {"counted": True, "promptId": prompt["promptId"], **period}
        assert await total(**counted) == prompt["answers"]
        assert await total(outcome="names_us", **counted) == prompt["own"]["named"]
        for rival in prompt["rivals"]:
            assert await total(competitor=rival["name"], **counted) == rival["named"]
    score = await measured.call("get_ai_visibility_score", brandId="Acme")
    batches = score["measurement"]["batchIds"]
    assert await total(counted=True, batchIds=batches) == score["answers"]
    unknown = await measured.call("list_answers", brandId="Acme", batchIds=["none of ours"])
    assert (unknown.code, "batch not found" in unknown.message) == ("NOT_FOUND", True)
    assert (await measured.call("list_answers", brandId="Acme", competitor="Acne")).code == "INVALID_PARAMS"


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_words_find_the_answers_whose_text_or_prompt_holds_them(measured: Office) -> None:
    every = await measured.call("list_answers", brandId="Acme", counted=True)
    texts = {
        answer["answerId"]: (await measured.call("get_answer", answerId=answer["answerId"]))["text"]
        for answer in every["answers"]
    }
    word = next(iter(texts.values())).split()[-1].strip(".*")
    holding = {answer_id for answer_id, text in texts.items() if word.casefold() in text.casefold()}
    found = await measured.call("list_answers", brandId="Acme", counted=True, contains=word.upper())
    assert {answer["answerId"] for answer in found["answers"]} == holding
    assert all(word.casefold() in answer["excerpt"].casefold() for answer in found["answers"])
    assert found["total"] == len(holding)
    last = await measured.call(
        "list_answers", brandId="Acme", counted=True, contains=word, limit=1, offset=len(holding) - 1
    )
    assert (len(last["answers"]), last["total"], last["nextOffset"]) == (1, len(holding), None)
    assert await prompts_of(measured, contains="SCOOTER for the city") == ["Which scooter for the city?"]
    none = await measured.call("list_answers", brandId="Acme", contains="no answer says this")
    assert (none["total"], none["notice"]) == (0, "No stored answer matches this outcome and filter.")


async def test_an_answer_that_names_no_one_is_listed_with_its_beginning(measured: Office) -> None:
    listed = await measured.call("list_answers", brandId="Acme", outcome="nobody")
    [answer] = listed["answers"]
    whole = await measured.call("get_answer", answerId=answer["answerId"])
    assert answer["quote"] is None
    assert answer["excerpt"]
    assert whole["text"].startswith(answer["excerpt"].rstrip("…"))


async def test_unknown_names_in_filters_are_refused_with_the_nearest(measured: Office) -> None:
    refused = await measured.call("list_answers", brandId="Acme", platform="chatgtp")
    assert (refused.code, "chatgpt" in refused.hint) == ("INVALID_PARAMS", True)
    assert (await measured.call("list_answers", brandId="Acme", tag="price")).code == "INVALID_PARAMS"
    assert (await measured.call("list_answers", brandId="Acme", promptSetId="none")).code == "NOT_FOUND"
    backwards = {"from": "2026-03-03", "to": "2026-03-01"}
    assert (await measured.call("list_answers", brandId="Acme", **backwards)).code == "INVALID_PARAMS"
    assert (await measured.call("list_answers", brandId="Acme", **{"from": "March"})).code == "INVALID_PARAMS"


async def test_an_answer_opens_into_words_names_and_sources(measured: Office) -> None:
    listed = await measured.call("list_answers", brandId="Acme", outcome="cites_us")
    answer = await measured.call("get_answer", answerId=listed["answers"][0]["answerId"])
    assert answer["text"] == SCOOTER_ANSWERS[0][2]
    entities = {entity["name"]: entity for entity in answer["entities"]}
    assert {name: entity["rank"] for name, entity in entities.items()} == {"Acme": 1, "Zentrix": 2}
    span = entities["Acme"]["spans"][0]
    assert answer["text"][span["start"] : span["end"]] == "Acme"
    [citation] = answer["citations"]
    assert (citation["owner"], citation["ownerName"]) == ("owned", "Acme")
    assert (answer["counted"], answer["leftOut"]) == (True, [])


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_spans_of_old_and_new_storage_formats_look_the_same(
    measured: Office,
) -> None:
    listed = await measured.call("list_answers", brandId="Acme", outcome="names_us")
    shown = [await measured.call("get_answer", answerId=answer["answerId"]) for answer in listed["answers"]]
    where = "FROM mentions WHERE entity_key = 0 AND named"
    async with measured.database.writing() as connection:
        rows = (await connection.execute(text(f"SELECT answer_key, spans {where}"))).all()
        for key, spans in rows:
            places = json.loads(spans)
            assert places
            assert all(len(place) == 2 for place in places), spans
            named = [
                {"start": start, "end": end, "kind": "exact", "status": "counted", "reason": None}
                for start, end in places
            ]
            await connection.execute(
                text("UPDATE mentions SET spans = :spans WHERE entity_key = 0 AND answer_key = :key"),
                {"spans": json.dumps(named), "key": key},
            )
    again = [await measured.call("get_answer", answerId=answer["answerId"]) for answer in listed["answers"]]
    assert [answer["entities"] for answer in again] == [answer["entities"] for answer in shown]
    assert [span for answer in shown for entity in answer["entities"] for span in entity["spans"]]


async def test_a_branded_prompt_is_left_out_with_its_reason(measured: Office) -> None:
    listed = await measured.call("list_answers", brandId="Acme", outcome="left_out")
    assert listed["answers"][0]["leftOut"] == ["branded_prompt"]


async def test_hidden_characters_are_shown_and_move_no_span(measured: Office) -> None:
    listed = await measured.call("list_answers", brandId="Acme", **{"from": "2026-03-05"})
    answer = await measured.call("get_answer", answerId=listed["answers"][0]["answerId"])
    assert answer["text"] == HIDDEN_WORDS.replace("\u202e", "\ufffd")
    span = answer["entities"][0]["spans"][0]
    assert answer["text"][span["start"] : span["end"]] == "Zentrix"
    assert "text" in answer["untrusted"]


async def test_a_long_text_is_read_part_by_part(measured: Office) -> None:
    listed = await measured.call("list_answers", brandId="Acme", limit=1)
    answer_id = listed["answers"][0]["answerId"]
    part = await measured.call("get_answer", answerId=answer_id, offset=5)
    assert (part["text"], part["textLength"], part["nextOffset"]) == (
        HIDDEN_WORDS[5:].replace("\u202e", "\ufffd"),
        len(HIDDEN_WORDS),
        None,
    )


async def test_another_companys_answer_is_not_found(measured: Office) -> None:
    listed = await measured.call("list_answers", brandId="Acme", limit=1)
    answer_id = listed["answers"][0]["answerId"]
    assert (await measured.call("get_answer", "theirs", answerId=answer_id)).code == "NOT_FOUND"
    assert (await measured.call("get_answer", answerId="nobody's")).code == "NOT_FOUND"
