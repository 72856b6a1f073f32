"""Trends of a metric under filters: each follows every filter, with competitors and served models on the same answers."""

from pathlib import Path
from typing import Any

import pytest

from tests.tools.conftest import SCOOTER_PROMPTS, Office, import_answers, scooter_answer

MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
OTHER_METRICS = {
    "visibilityScore",
    "shareOfVoice",
    "averagePosition",
    "citationRate",
    "sentiment",
    "recommendationRate",
}


async def trend(office: Office, name: str = "mentionCount", **arguments: Any) -> Any:
    return await office.call("get_metric_trend", brandId="Acme", metricName=name, days=3650, **arguments)


async def test_a_trend_of_each_engine_adds_up_to_that_of_all(fallen: Office) -> None:
    whole, chatgpt, gemini = [
        {point["day"]: point["value"] for point in (await trend(fallen, **engine))["points"]}
        for engine in ({}, {"platform": "chatgpt"}, {"platform": "gemini"})
    ]
    assert len(whole) == 2 * SCOOTER_PROMPTS
    assert whole == {day: chatgpt[day] + gemini[day] for day in whole}
    refused = await trend(fallen, platform="chatgtp")
    assert "'chatgpt'" in refused.hint


async def test_competitors_and_other_metrics_rest_on_the_same_answers(fallen: Office) -> None:
    plain = await trend(fallen, platform="gemini")
    assert (plain["competitors"], plain["related"], plain["modelChanges"]) == ([], [], [])
    seen = await trend(fallen, platform="gemini", context=True, competitors=True)
    assert seen["points"] == plain["points"]
    (rival,) = seen["competitors"]
    filters = {"brandId": "Acme", "platform": "gemini", "competitor": "Zentrix"}
    named = await fallen.call("list_answers", **filters, **MARCH)
    in_march = [point["value"] for point in rival["points"] if point["day"].startswith("2026-03")]
    assert (rival["name"], sum(in_march)) == ("Zentrix", named["total"])
    assert {line["metricName"] for line in seen["related"]} == OTHER_METRICS


async def test_a_filtered_share_of_voice_counts_competitors(fallen: Office) -> None:
    shares = {
        engine: (await trend(fallen, "shareOfVoice", platform=engine))["points"][-1]["value"]
        for engine in ("chatgpt", "gemini")
    }
    assert shares == {"chatgpt": 1.0, "gemini": 0.0}


async def test_a_newly_served_model_is_told_with_its_first_day(office: Office, tmp_path: Path) -> None:
    lines = [
        scooter_answer(3, prompt, "chatgpt", "Acme is fine.", model="tester-1" if prompt < 4 else "tester-2")
        for prompt in range(SCOOTER_PROMPTS)
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    seen = await trend(office, context=True)
    assert seen["modelChanges"] == [
        {"day": "2026-03-05", "platform": "chatgpt", "model": "tester-2", "requested": False}
    ]


async def test_a_competitors_score_of_one_day_is_that_of_the_ranking(office: Office, tmp_path: Path) -> None:
    lines = [
        {
            **scooter_answer(3, prompt, "chatgpt", "Acme is fine." if prompt % 3 else "Zentrix is fine."),
            "captured_at": f"2026-03-05T08:{prompt:02}:00Z",
        }
        for prompt in range(SCOOTER_PROMPTS)
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    ranked = (await office.call("get_competitor_rankings", brandId="Acme"))["rankings"]
    scores = {row["name"]: row["rankingScore"] for row in ranked}
    [line] = (await trend(office, "visibilityScore", competitors=True))["competitors"]
    assert [point["value"] for point in line["points"]] == [scores["Zentrix"]]


async def test_published_counts_say_of_competitors_what_their_answers_say(fallen: Office) -> None:
    for filters in ({}, {"platform": "chatgpt"}, {"mode": "visibility"}):
        counted = await trend(fallen, competitors=True, **filters)
        # A period that begins within a day is counted answer by answer.
        begin = {"from": "2026-01-01T00:00:01Z", "to": "2026-03-31"}
        read = await trend(fallen, competitors=True, **filters, **begin)
        assert counted["competitors"] == read["competitors"]
        assert counted["competitors"][0]["points"]


async def test_other_metrics_are_given_without_competitors(fallen: Office) -> None:
    seen = await trend(fallen, platform="gemini", context=True)
    assert (seen["competitors"], len(seen["related"])) == ([], len(OTHER_METRICS))


CENTURY = {"from": "2026-01-01", "to": "2026-03-31"}
CUT = {**CENTURY, "from": "2026-01-01T00:00:01Z"}
"""The same answers, but a period that begins within a day is read answer by answer."""


@pytest.mark.parametrize("name", sorted({*OTHER_METRICS, "mentionCount"}))
async def test_published_points_of_competitors_say_what_their_answers_say(
    office: Office, tmp_path: Path, name: str
) -> None:
    lines = [
        {
            **scooter_answer(month, prompt, engine, text, country=country),
            "captured_at": f"2026-{month:02}-01T08:{prompt:02}:00Z",
            "citations": ["https://acme.example/", "https://zentrix.example/"] if prompt % 4 else [],
        }
        for month in (1, 2, 3)
        for prompt in range(SCOOTER_PROMPTS)
        for engine, country, text in (
            ("chatgpt", "DE", "1. Zentrix\n2. Acme" if prompt % 3 else "Acme is terrible."),
            (
                "gemini",
                "AT",
                "Zentrix is a great choice for most people and they love it."
                if prompt % 5
                else "Nobody knows.",
            ),
        )
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    for country in ({}, {"country": "DE"}):
        published = await trend(office, name, competitors=True, **country, **CENTURY)
        read = await trend(office, name, competitors=True, **country, **CUT)
        assert published["competitors"] == read["competitors"], country
        # Zentrix has no known site, and a judge reads what is said of the brand only.
        assert published["competitors"] or name in ("citationRate", "sentiment", "recommendationRate")


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_competitor_queries_do_not_grow_with_batches(
    fallen: Office, reads: list[str], tmp_path: Path
) -> None:
    async def counted() -> int:
        reads.clear()
        assert (await trend(fallen, "shareOfVoice", competitors=True))["competitors"]
        assert not [sql for sql in reads if "answer_readings" in sql]
        return len(reads)

    before = await counted()
    for number in range(4):
        more = [
            scooter_answer(3, number, "chatgpt", "Acme is fine.", captured_at=f"2026-03-2{number}T08:00:00Z")
        ]
        await import_answers(fallen, tmp_path / f"more-{number}.jsonl", more)
    assert await counted() == before


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_each_engine_has_the_line_that_a_filter_on_it_gives(fallen: Office) -> None:
    seen = await trend(fallen, "shareOfVoice", context=True)
    assert [line["platform"] for line in seen["engines"]] == ["chatgpt", "gemini"]
    for line in seen["engines"]:
        alone = await trend(fallen, "shareOfVoice", platform=line["platform"])
        days = {point["day"]: point["value"] for point in alone["points"]}
        assert {point["day"]: point["value"] for point in line["points"]} == days
    [gemini] = (await trend(fallen, "shareOfVoice", context=True, platform="gemini"))["engines"]
    assert gemini == seen["engines"][1] | {"points": gemini["points"]}
    assert (await trend(fallen, "shareOfVoice"))["engines"] == []


async def test_no_engine_has_a_line_under_a_filter_on_prompts(fallen: Office) -> None:
    [prompt] = (await fallen.call("get_prompt_results", brandId="Acme", limit=1, **MARCH))["prompts"]
    seen = await trend(fallen, context=True, promptId=prompt["promptId"])
    assert (len(seen["points"]) > 0, seen["engines"]) == (True, [])
