"""Two engines, modes or countries compared on the same prompts: the paired test, its verdict and its words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.conftest import Office, import_answers

MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
# The worked example of the method's page: 30 prompts asked once on each side.
NAMED_ON = {(True, True): 6, (True, False): 1, (False, True): 8, (False, False): 15}
SIDES: dict[str, tuple[dict[str, str], dict[str, str]]] = {
    "platform": ({"platform": "gemini"}, {"platform": "chatgpt"}),
    "mode": ({"mode": "readiness"}, {"mode": "visibility"}),
    "country": ({"country": "US"}, {"country": "DE"}),
}


def lines_of(before: dict[str, str], after: dict[str, str]) -> Iterator[dict[str, Any]]:
    """An answer to every prompt on each side."""
    outcomes = [named for named, prompts in NAMED_ON.items() for _ in range(prompts)]
    for number, named in enumerate(outcomes):
        for name, side, named_here in zip(("before", "after"), (before, after), named, strict=True):
            channel: dict[str, Any] = {"platform": "chatgpt", "mode": "readiness", "citations": [], **side}
            if channel["mode"] == "visibility":
                del channel["citations"]
            yield {
                "prompt": f"Which scooter suits rider {number:02}?",
                "text": "Acme is fine." if named_here else "Zentrix is fine.",
                "captured_at": f"2026-03-{number % 28 + 1:02}T08:00:00Z",
                "source_id": f"{name}-{number}",
                **channel,
                # Two engines and two modes have different models; two countries are served by the same one.
                "model": "same" if "country" in side else f"model-of-{name}",
            }


async def asked_on_both(office: Office, folder: Path, field: str) -> dict[str, str]:
    """Import the example for two sides that differ in one field; return the arguments that compare them."""
    before, after = SIDES[field]
    await import_answers(office, folder / "answers.jsonl", list(lines_of(before, after)))
    return {**after, f"compare{field.capitalize()}": before[field]}


@pytest.mark.parametrize("field", SIDES)
async def test_two_sides_are_compared_by_the_paired_test_of_periods(
    office: Office, tmp_path: Path, field: str
) -> None:
    sides = await asked_on_both(office, tmp_path, field)
    seen = await office.call("compare_periods", brandId="Acme", metric="presence", **MARCH, **sides)
    assert (seen["verdict"], seen["reason"], seen["limitation"]) == ("differs", None, None)
    assert (seen["compared"], seen["commonPrompts"]) == ([field], 30)
    assert (seen["difference"], round(seen["p"], 4)) == (23.33, 0.0207)
    assert seen["interval"] == {"low": 3.82, "high": 42.84}
    before, after = SIDES[field]
    assert {name: seen["before"][name] for name in SIDES} == {**dict.fromkeys(SIDES), **before}
    assert {name: seen["after"][name] for name in SIDES} == {**dict.fromkeys(SIDES), **after}
    assert seen["before"]["since"] == seen["after"]["since"] == "2026-03-01T00:00:00Z"
    assert sum(row["contribution"] for row in seen["prompts"]) != 0
    [engine] = seen["engines"]
    assert (engine["verdict"], engine["difference"]) == ("differs", 23.33)


@pytest.mark.parametrize(
    ("field", "words"),
    [
        ("platform", "Mention rate is higher for ChatGPT than for Gemini (+23.3 points"),
        (
            "mode",
            "Mention rate is higher for answers from memory than for answers with web search (+23.3 points",
        ),
        ("country", "Mention rate is higher for Germany than for United States (+23.3 points"),
    ],
)
async def test_the_verdict_on_two_sides_names_both_and_no_change(
    office: Office, tmp_path: Path, field: str, words: str
) -> None:
    sides = await asked_on_both(office, tmp_path, field)
    seen = await office.call("compare_periods", brandId="Acme", metric="presence", **MARCH, **sides)
    assert seen["statement"].startswith(words)
    turned = {**SIDES[field][0], f"compare{field.capitalize()}": SIDES[field][1][field]}
    other = await office.call("compare_periods", brandId="Acme", metric="presence", **MARCH, **turned)
    assert (other["difference"], "is lower for" in other["statement"]) == (-23.33, True)


async def test_sides_without_a_common_engine_are_compared_as_a_whole(office: Office, tmp_path: Path) -> None:
    remembering = {"platform": "chatgpt", "mode": "visibility"}
    searching = {"platform": "perplexity", "mode": "readiness"}
    await import_answers(office, tmp_path / "answers.jsonl", list(lines_of(searching, remembering)))
    modes = {"mode": "visibility", "compareMode": "readiness"}
    seen = await office.call("compare_periods", brandId="Acme", metric="presence", **modes, **MARCH)
    assert (seen["verdict"], seen["limitation"], seen["engines"]) == ("differs", "engines_differ", [])
    assert seen["difference"] == 23.33
    assert seen["interval"] == {"low": 3.82, "high": 42.84}
    assert "no engine was asked alike on both sides" in seen["statement"]
    share = next(row for row in seen["ratios"] if row["metric"] == "shareOfVoice")
    assert share["difference"] == pytest.approx(share["after"]["value"] - share["before"]["value"], abs=0.011)


async def test_sides_without_a_detectable_difference_are_not_called_equal(
    office: Office, tmp_path: Path
) -> None:
    sides = await asked_on_both(office, tmp_path, "country")
    missed = {**sides, "country": "US", "compareCountry": "DE", "from": "2026-03-01", "to": "2026-03-07"}
    few = await office.call("compare_periods", brandId="Acme", metric="presence", **missed)
    assert few["verdict"] == "no_detectable_difference"
    assert few["statement"].startswith(
        "Mention rate: no difference between United States and Germany can be detected"
    )


async def test_a_side_without_answers_is_not_comparable_with_a_reason(office: Office, tmp_path: Path) -> None:
    await asked_on_both(office, tmp_path, "platform")
    seen = await office.call(
        "compare_periods", brandId="Acme", platform="chatgpt", comparePlatform="gemini",
        compareFrom="2026-01-01", compareTo="2026-01-31", **MARCH,
    )  # fmt: skip
    assert (seen["verdict"], seen["reason"]) == ("not_comparable", "insufficient_data")
    assert (seen["compared"], seen["limitation"]) == (["period", "platform"], None)
    assert "one side has no answer that counts" in seen["statement"]


async def test_a_side_without_its_opposite_is_rejected_with_what_to_send(
    office: Office, tmp_path: Path
) -> None:
    await asked_on_both(office, tmp_path, "country")
    alone = await office.call("compare_periods", brandId="Acme", compareMode="visibility", **MARCH)
    assert "compareMode needs mode" in alone.message
    assert alone.hint == "Send mode for one side and compareMode for the other."
    same = await office.call("compare_periods", brandId="Acme", country="DE", compareCountry="de", **MARCH)
    assert "the same country" in same.message
    unknown = await office.call("compare_periods", brandId="Acme", country="DE", compareCountry="FR", **MARCH)
    assert "Measured: DE, US" in unknown.hint
    wrong = await office.call(
        "compare_periods", brandId="Acme", platform="chatgpt", comparePlatform="chatgtp", **MARCH
    )
    assert "'chatgpt'" in wrong.hint


async def test_two_countries_that_other_models_served_are_not_compared(
    office: Office, tmp_path: Path
) -> None:
    before, after = SIDES["country"]
    lines = [
        {**line, "model": f"model-in-{line['country']}"} for line in lines_of(before, after)
    ]  # a model that only one country gets
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    seen = await office.call("compare_periods", brandId="Acme", country="DE", compareCountry="US", **MARCH)
    assert (seen["verdict"], seen["difference"]) == ("not_comparable", None)
    assert [row["reason"] for row in seen["engines"]] == ["served_model_changed"]
    assert seen["reason"] == "served_model_changed"
