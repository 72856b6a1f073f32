"""The filters that every analytics tool takes: all of them, with the same meaning, on stored and on new results."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from measurement.statistics.expected_gains import headline_values
from tests.tools.conftest import Office, import_answers, scooter_answer
from tools.calls.filters import FILTERS
from tools.catalog import tool_table

TABLE = tool_table()
ANALYTICS = (
    "get_ai_visibility_score",
    "get_platform_metrics",
    "get_metric_trend",
    "get_brand_mentions",
    "get_competitor_rankings",
    "list_answers",
    "get_prompt_results",
    "get_citations",
    "compare_periods",
)
COMMON = frozenset({"platform", "country", "mode", "promptSetId", "tag", "intent", "from", "to"})
MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
BOTH = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


@pytest.mark.parametrize("name", ANALYTICS)
def test_every_analytics_tool_takes_the_same_optional_filters(name: str) -> None:
    schema = TABLE[name].input_schema
    assert schema["properties"].keys() >= COMMON
    assert not COMMON & set(schema.get("required", ()))
    first = TABLE["list_answers"].input_schema["properties"]
    assert {field: schema["properties"][field] for field in COMMON} == {
        field: first[field] for field in COMMON
    }
    assert {"from" if field == "from_" else field for field in FILTERS} == COMMON | {"promptId"}


@pytest.mark.parametrize("name", ANALYTICS)
async def test_a_filter_that_names_nothing_is_refused_with_the_nearest_name(
    measured: Office, name: str
) -> None:
    required = {"metricName": "visibilityScore"} if name == "get_metric_trend" else {}
    for field, misspelt, nearest in (("platform", "chatgtp", "chatgpt"), ("platform", "opnai", "openai")):
        refused = await measured.call(name, brandId="Acme", **required, **{field: misspelt})
        assert refused.code == "INVALID_PARAMS", (name, field)
        assert nearest in refused.hint or nearest == "openai"
    for field, nowhere in (("tag", "nobody"), ("intent", "nobody"), ("country", "ZZ")):
        refused = await measured.call(name, brandId="Acme", **required, **{field: nowhere})
        assert (refused.code, refused.reason) == ("INVALID_PARAMS", f"no {field} has this name")
    set_id = "00000000-0000-7000-8000-000000000000"
    assert (await measured.call(name, brandId="Acme", **required, promptSetId=set_id)).code == "NOT_FOUND"


@BOTH
async def test_the_score_of_a_period_is_the_one_that_a_comparison_shows_of_it(fallen: Office) -> None:
    compared = await fallen.call("compare_periods", brandId="Acme", **MARCH)
    score = await fallen.call("get_ai_visibility_score", brandId="Acme", **MARCH)
    assert round(score["score"], 0) == round(compared["after"]["score"], 0)
    assert score["answers"] == compared["after"]["answers"] == 24
    assert [factor["value"] for factor in score["factors"]] == [
        factor["value"] for factor in compared["after"]["factors"]
    ]
    assert (score["receipt"], score["change"]) == (None, None)
    assert "compare_periods" in score["notice"]


@BOTH
async def test_filters_choose_the_answers_behind_score_engines_ranking_and_trend(fallen: Office) -> None:
    gemini = {"platform": "gemini", **MARCH}
    score = await fallen.call("get_ai_visibility_score", brandId="Acme", **gemini)
    presence = {factor["part"]: factor["value"] for factor in score["factors"]}["presence"]
    assert (score["answers"], presence) == (12, pytest.approx(2 / 12))
    metrics = await fallen.call("get_platform_metrics", brandId="Acme", **gemini)
    (engine,) = metrics["platforms"]
    assert (engine["platform"], engine["presence"]["value"]) == ("gemini", pytest.approx(2 / 12))
    ranking = await fallen.call("get_competitor_rankings", brandId="Acme", **gemini)
    assert [(row["name"], row["presence"]) for row in ranking["rankings"]] == [
        ("Zentrix", pytest.approx(10 / 12)),
        ("Acme", pytest.approx(2 / 12)),
    ]
    trend = await fallen.call("get_metric_trend", brandId="Acme", metricName="mentionCount", **gemini)
    assert [(point["day"], point["value"]) for point in trend["points"]] == [
        ("2026-03-01", 1.0),
        ("2026-03-02", 1.0),
        *((f"2026-03-{day:02}", 0.0) for day in range(3, 13)),
    ]
    february = await fallen.call(
        "get_metric_trend",
        brandId="Acme",
        metricName="mentionCount",
        **{"from": "2026-02-01", "to": "2026-02-28"},
    )
    assert [point["value"] for point in february["points"]] == [2.0] * 12


async def test_filters_that_no_answer_fits_say_so_and_no_number(fallen: Office) -> None:
    then = {"from": "2020-01-01", "to": "2020-01-31"}
    score = await fallen.call("get_ai_visibility_score", brandId="Acme", **then)
    assert (score["score"], score["status"]) == (None, "not_measured")
    trend = await fallen.call("get_metric_trend", brandId="Acme", metricName="mentionCount", **then)
    metrics = await fallen.call("get_platform_metrics", brandId="Acme", **then)
    ranking = await fallen.call("get_competitor_rankings", brandId="Acme", **then)
    assert (trend["points"], metrics["platforms"], ranking["rankings"]) == ([], [], [])
    assert trend["newestDay"] == "2026-03-12"
    for result in (score, metrics, ranking):
        assert "fits these filters" in result["notice"]


async def test_a_ranking_of_every_brand_takes_engine_and_country_alone(fallen: Office) -> None:
    everyone = await fallen.call("get_competitor_rankings", platform="gemini")
    assert everyone["rankings"]
    refused = await fallen.call("get_competitor_rankings", **MARCH)
    assert (refused.code, "brandId" in refused.message) == ("INVALID_PARAMS", True)


@pytest.mark.parametrize("chosen", [{}, {"platform": "gemini"}, MARCH])
async def test_a_brand_without_competitors_is_told_to_add_some(
    office: Office, tmp_path: Path, chosen: dict[str, str]
) -> None:
    lines = [scooter_answer(3, prompt, "gemini", "Acme is fine.") for prompt in range(12)]
    await import_answers(office, tmp_path / "answers.jsonl", lines, rivals=())
    for brand in ("Acme", "Bolt"):
        ranking = await office.call("get_competitor_rankings", brandId=brand, **chosen)
        assert [row["name"] for row in ranking["rankings"]] == (["Acme"] if brand == "Acme" else [])
        assert ranking["notice"] == (
            f"{brand} has no competitors to rank it against. Add some with update_brand_profile."
        )


@pytest.mark.parametrize("period", [{}, MARCH], ids=["newest", "period"])
async def test_filtered_scores_read_as_often_however_many_batches_there_are(
    fallen: Office, reads: list[str], tmp_path: Path, period: dict[str, str]
) -> None:
    chosen = {"brandId": "Acme", "platform": "chatgpt", **period}

    async def counted() -> tuple[int, dict[str, Any]]:
        before = len(reads)
        score = await fallen.call("get_ai_visibility_score", **chosen)
        return len(reads) - before, score

    first, few = await counted()
    for number in range(6):
        lines = [
            scooter_answer(
                3,
                number * 2 + more,
                "chatgpt",
                "Zentrix is fine.",
                captured_at=f"2026-03-{20 + number}T08:00:00Z",
            )
            for more in (0, 1)
        ]
        await import_answers(fallen, tmp_path / f"more-{number}.jsonl", lines)
    more, many = await counted()
    assert many["answers"] > few["answers"]
    assert more - first <= (0 if period else 4), "all batches, or all before the newest, are read together"


@BOTH
async def test_filters_of_whole_days_read_no_answers(fallen: Office, reads: list[str]) -> None:
    for chosen in (MARCH, {"platform": "gemini", **MARCH}, {"mode": "visibility", **MARCH}):
        for name in (
            "get_ai_visibility_score",
            "get_competitor_rankings",
            "get_prompt_results",
            "compare_periods",
        ):
            reads.clear()
            assert await fallen.call(name, brandId="Acme", **chosen)
            assert not [sql for sql in reads if "answer_readings.measurable" in sql], (name, chosen)
    await fallen.call("get_competitor_rankings", brandId="Acme", **{**MARCH, "from": "2026-03-01T00:00:01Z"})
    assert [sql for sql in reads if "answer_readings.measurable" in sql], (
        "a period that cuts a day is read one by one"
    )


async def test_what_actions_may_gain_is_told_without_reading_an_answer(
    fallen: Office, reads: list[str]
) -> None:
    workspace = fallen.database.workspace(fallen.companies["ours"])
    (brand,) = [brand for brand in await workspace.brands.all() if brand.name == "Acme"]
    reads.clear()
    assert await headline_values(workspace, brand, datetime(2026, 3, 13, 9, 30, tzinfo=UTC))
    assert not [sql for sql in reads if "answer_readings" in sql]


async def test_a_period_of_whole_days_counts_every_batch_that_it_holds(
    fallen: Office, tmp_path: Path
) -> None:
    whole = {"brandId": "Acme", **MARCH}
    before = (await fallen.call("get_ai_visibility_score", **whole))["answers"]
    line = scooter_answer(3, 1, "chatgpt", "Acme again.", captured_at="2026-03-25T08:00:00Z")
    await import_answers(fallen, tmp_path / "more.jsonl", [line])
    assert (await fallen.call("get_ai_visibility_score", **whole))["answers"] == before + 1 > 2
