"""Two periods compared: the verdict, what brings it about, what is missing, and what cannot be compared."""

from pathlib import Path
from typing import Any

import pytest

from tests.tools.conftest import SCOOTER_PROMPTS, Office, import_answers, scooter_answer

MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
FEBRUARY = {"compareFrom": "2026-02-01", "compareTo": "2026-02-28"}


async def compared(office: Office, **arguments: Any) -> Any:
    return await office.call("compare_periods", brandId="Acme", **{**MARCH, **arguments})


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_fall_is_told_with_interval_and_with_what_brought_it_about(fallen: Office) -> None:
    seen = await compared(fallen, metric="presence", limit=100)
    assert (seen["verdict"], seen["reason"], seen["commonPrompts"]) == ("changed", None, SCOOTER_PROMPTS)
    # 10 of 12 prompts lost on one of two engines: 10/12 of a half.
    assert seen["difference"] == pytest.approx(-100 * 10 / 12 / 2, abs=0.01)
    assert seen["interval"]["high"] < 0
    assert "fell" in seen["statement"]
    assert [(row["platform"], row["contribution"]) for row in seen["engines"]] == [
        ("gemini", pytest.approx(seen["difference"], abs=0.01)),
        ("chatgpt", 0.0),
    ]
    assert [row["verdict"] for row in seen["engines"]] == ["changed", "no_detectable_change"]
    lost = [row for row in seen["prompts"] if row["contribution"]]
    assert len(lost) == 10
    assert sum(row["contribution"] for row in lost) == pytest.approx(seen["difference"], abs=0.1)
    opened = await fallen.call("get_answer", answerId=lost[0]["answerIds"][0])
    assert (opened["promptId"], opened["capturedAt"][:7]) == (lost[0]["promptId"], "2026-03")


async def test_the_score_is_taken_apart_into_parts_that_add_up_to_its_difference(fallen: Office) -> None:
    seen = await compared(fallen, **FEBRUARY)
    assert (seen["metric"], seen["endpoint"]) == ("visibilityScore", "score")
    assert sum(row["contribution"] for row in seen["parts"]) == pytest.approx(seen["difference"], abs=0.02)
    assert sum(row["contribution"] for row in seen["engines"]) == pytest.approx(seen["difference"], abs=0.02)
    before, after = seen["before"], seen["after"]
    assert (before["answers"], after["answers"]) == (2 * SCOOTER_PROMPTS, 2 * SCOOTER_PROMPTS)
    assert after["score"] - before["score"] == pytest.approx(seen["difference"], abs=0.02)
    assert before["until"] == "2026-03-01T00:00:00Z"


SAID = ("verdict", "reason", "difference", "interval", "p", "statement", "commonPrompts", "missing")
LISTED = ("parts", "platforms", "engines", "prompts")


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_whole_days_equal_their_answers_under_every_filter(fallen: Office, tmp_path: Path) -> None:
    [prompt] = (await compared(fallen, limit=1))["prompts"]
    chosen: list[dict[str, str]] = [
        {},
        {"platform": "gemini"},
        {"mode": "visibility"},
        {"platform": "chatgpt", "mode": "visibility"},
        {"promptId": prompt["promptId"]},
    ]
    for filters in chosen:
        days = await compared(fallen, **FEBRUARY, **filters, limit=100)
        # No answer was captured in the second that is missing here, so that these are the same answers.
        instants = await compared(
            fallen, **{**FEBRUARY, "from": "2026-03-01T00:00:01Z"}, **filters, limit=100
        )
        assert days["after"]["answers"] > 0
        assert {name: days[name] for name in SAID + LISTED} == {
            name: instants[name] for name in SAID + LISTED
        }, filters


async def test_prompts_come_in_pages_and_filters_narrow_what_is_compared(fallen: Office) -> None:
    first = await compared(fallen, limit=5)
    assert (len(first["prompts"]), first["total"], first["nextOffset"]) == (5, SCOOTER_PROMPTS, 5)
    steady = await compared(fallen, platform="chatgpt", metric="presence")
    assert (steady["verdict"], steady["difference"]) == ("no_detectable_change", 0.0)
    assert "no change can be detected" in steady["statement"]
    refused = await compared(fallen, platform="chatgtp")
    assert "'chatgpt'" in refused.hint


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_missing_answers_count_against_a_change_up_to_the_tipping_point(
    office: Office, tmp_path: Path
) -> None:
    # The worked example of the method's page: named and valid answers by prompt, three asked of each.
    counts = {
        2: [(3, 3)] * 8 + [(2, 3)] * 6 + [(1, 3)] * 6 + [(0, 3)] * 10,
        3: [(2, 3)] * 7 + [(1, 2)] * 6 + [(1, 3)] + [(1, 2)] * 5 + [(0, 2)] + [(0, 3)] * 10,
    }
    lines = [
        {
            **scooter_answer(
                month, number % 20, "chatgpt", "Acme is fine." if repeat < named else "Zentrix is fine."
            ),
            "prompt": f"Which scooter suits rider {number:02}?",
            "repeat": repeat,
            "source_id": f"{month}-{number}-{repeat}",
            "truncated": repeat >= valid,
        }
        for month, prompts in counts.items()
        for number, (named, valid) in enumerate(prompts)
        for repeat in range(3)
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    seen = await compared(office, metric="presence")
    assert seen["verdict"] == "changed_if_missing_are_alike"
    assert (seen["difference"], seen["missing"]["answers"], seen["missing"]["tipping"]) == (-11.67, 12, 5)
    assert seen["interval"]["low"] == -19.58
    assert seen["interval"]["low"] < 0 < seen["interval"]["high"]
    assert "5 of 12" in seen["missing"]["meaning"]
    assert "among the answers received" in seen["statement"]


async def test_answers_that_arrived_without_a_text_are_counted_apart(office: Office, tmp_path: Path) -> None:
    lines = [
        {
            **scooter_answer(month, prompt, "chatgpt", "" if empty else "Acme is fine."),
            "source_id": f"{month}-{prompt}-{repeat}",
            "repeat": repeat,
            **({"status": "empty"} if empty else {}),
        }
        for month in (2, 3)
        for prompt in range(SCOOTER_PROMPTS)
        for repeat in range(2)
        for empty in [month == 3 and repeat == 1 and prompt < 5]
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    seen = await compared(office, metric="presence")
    assert (seen["before"]["answers"], seen["after"]["answers"]) == (24, 19)
    assert (seen["missing"]["answers"], seen["missing"]["leftOut"]) == (0, 5)
    assert seen["missing"]["meaning"] == (
        "No planned answer is missing. 5 of 48 answers that arrived do not count: empty, declined or not grounded."
    )
    whole = await compared(office, compareFrom="2026-02-01", compareTo="2026-02-28", to="2026-03-02")
    assert whole["missing"]["leftOut"] == 2


async def test_a_period_without_answers_is_not_comparable_and_no_zero(fallen: Office) -> None:
    seen = await compared(fallen, compareFrom="2025-01-01", compareTo="2025-01-31")
    assert (seen["verdict"], seen["reason"]) == ("not_comparable", "insufficient_data")
    assert (seen["difference"], seen["before"]["score"], seen["before"]["answers"]) == (None, None, 0)
    assert "no answer that counts" in seen["statement"]
    assert seen["missing"]["meaning"] == "Nothing could be compared."
    never = await fallen.call("compare_periods", brandId="Bolt")
    assert (never["verdict"], never["prompts"]) == ("not_comparable", [])


async def test_an_engine_that_served_another_model_is_named_and_left_out(
    office: Office, tmp_path: Path
) -> None:
    lines = [
        {
            **scooter_answer(
                month, number, platform, "Acme is fine." if number % 2 or month == 3 else "Zentrix is."
            ),
            "model": "sonar-2" if platform == "perplexity" and month == 3 else "first-model",
            "source_id": f"{platform}-{month}-{number}",
        }
        for platform in ("chatgpt", "perplexity")
        for month in (2, 3)
        for number in range(SCOOTER_PROMPTS)
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    seen = await compared(office)
    assert (seen["reason"], seen["limitation"]) == (None, "served_model_changed")
    assert "Perplexity served another model than before and is left out" in seen["statement"]
    assert {row["platform"]: row["reason"] for row in seen["engines"]} == {
        "chatgpt": None, "perplexity": "served_model_changed"
    }  # fmt: skip
    for part in seen["parts"]:
        assert part["difference"] == pytest.approx(part["after"] - part["before"], abs=0.011)


async def test_periods_that_overlap_or_end_before_they_begin_are_refused(fallen: Office) -> None:
    overlapping = await compared(fallen, compareFrom="2026-02-15", compareTo="2026-03-02")
    assert "overlap" in overlapping.message
    reversed_ends = await compared(fallen, compareFrom="2026-02-15", compareTo="2026-02-01")
    assert "compareFrom" in reversed_ends.message


async def test_another_companys_brand_is_not_found(fallen: Office) -> None:
    refused = await fallen.call("compare_periods", "theirs", brandId="Acme")
    assert refused.code == "NOT_FOUND"


def ratio_of(seen: Any, metric: str) -> Any:
    return next(row for row in seen["ratios"] if row["metric"] == metric)


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_share_of_voice_of_both_periods_counts_their_mentions(
    fallen: Office,
) -> None:
    for filters in ({}, {"platform": "gemini"}):
        share = ratio_of(await compared(fallen, **FEBRUARY, **filters), "shareOfVoice")
        for side, days in (
            ("before", {"from": "2026-02-01", "to": "2026-02-28"}),
            ("after", MARCH),
        ):
            listed = await fallen.call(
                "list_answers", brandId="Acme", counted=True, limit=100, **days, **filters
            )
            names = [named["name"] for answer in listed["answers"] for named in answer["names"]]
            assert share[side]["units"] == len(names) > 0
            assert share[side]["value"] == pytest.approx(100 * names.count("Acme") / len(names), abs=0.01)
            assert share[side]["interval"]["low"] <= share[side]["value"] <= share[side]["interval"]["high"]
        assert share["verdict"] == "changed"
        assert share["interval"]["high"] < 0
        assert share["difference"] == pytest.approx(
            share["after"]["value"] - share["before"]["value"], abs=0.01
        )


async def test_a_period_without_answers_has_ratios_of_the_other_and_no_verdict(fallen: Office) -> None:
    seen = await compared(fallen, compareFrom="2024-01-01", compareTo="2024-01-31")
    share = ratio_of(seen, "shareOfVoice")
    assert (share["before"]["value"], share["verdict"], share["interval"]) == (None, "not_comparable", None)
    assert share["after"]["value"] is not None
