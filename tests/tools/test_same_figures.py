"""The figure of a brand and its intervals are the same wherever the same thing is named."""

from pathlib import Path
from typing import Any

import pytest

from tests.tools.conftest import SCOOTER_PROMPTS, Office, import_answers, scooter_answer

MARCH = {"from": "2026-03-01", "to": "2026-03-31"}
FIGURES: tuple[dict[str, str], ...] = ({"platform": "chatgpt"}, {"platform": "gemini"}, {})


def text_of(prompt: int, platform: str) -> str:
    """Answer so that Zentrix is named less often than Acme."""
    if prompt % 4 == 3:
        return "Neither of the well known makers fits here."
    praise = "Acme is excellent and reliable." if prompt % 3 else "Acme is a terrible choice."
    return f"{praise} Zentrix is fine." if prompt % (4 if platform == "gemini" else 2) == 0 else praise


async def asked(office: Office, path: Path, *, naming: bool = False) -> None:
    lines = [
        scooter_answer(3, prompt, platform, text_of(prompt, platform), language="en")
        for platform in ("chatgpt", "gemini")
        for prompt in range(SCOOTER_PROMPTS)
    ]
    if naming:
        named = scooter_answer(3, 0, "chatgpt", "Acme beats it.", language="en")
        lines += [{**named, "prompt": "Is there anything better than Zentrix?"}]
    await import_answers(office, path / "answers.jsonl", lines)


async def own_row(office: Office, chosen: dict[str, str]) -> dict[str, Any]:
    ranking = await office.call("get_competitor_rankings", brandId="Acme", **chosen)
    return next(row for row in ranking["rankings"] if row["isBrand"])


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_headline_engines_and_ranking_agree(office: Office, tmp_path: Path) -> None:
    await asked(office, tmp_path)
    for chosen in FIGURES:
        score = await office.call("get_ai_visibility_score", brandId="Acme", **chosen, **MARCH)
        for row in (await own_row(office, chosen), await own_row(office, {**chosen, **MARCH})):
            assert (row["rankingScore"], row["intervals"]) == (score["score"], score["intervals"]), chosen
        metrics = await office.call("get_platform_metrics", brandId="Acme")
        for platform in metrics["platforms"]:
            if platform["platform"] == chosen.get("platform"):
                shown = platform["visibilityScore"]
                assert (shown["value"], shown["intervals"]) == (score["score"], score["intervals"])
    newest = await office.call("get_ai_visibility_score", brandId="Acme")
    row = await own_row(office, {})
    assert (row["rankingScore"], row["intervals"]) == (newest["score"], newest["intervals"])


async def test_only_prompts_naming_a_competitor_separate_ranking_and_score(
    office: Office, tmp_path: Path
) -> None:
    await asked(office, tmp_path, naming=True)
    score = await office.call("get_ai_visibility_score", brandId="Acme")
    row = await own_row(office, {})
    assert row["answers"] + 1 == score["answers"]
    assert row["rankingScore"] != score["score"]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_a_read_calculation_gives_way_to_the_next(office: Office, tmp_path: Path) -> None:
    one = [scooter_answer(2, 0, "chatgpt", text_of(0, "chatgpt"), language="en")]
    await import_answers(office, tmp_path / "one.jsonl", one)
    first = await office.call("get_ai_visibility_score", brandId="Acme")
    await office.call("get_brand_snapshot", brandId="Acme")
    await office.call("create_brand_profile", name="Comet")
    assert await office.call("get_ai_visibility_score", brandId="Acme") == first
    await asked(office, tmp_path)
    second = await office.call("get_ai_visibility_score", brandId="Acme")
    assert (first["answers"], second["answers"]) == (1, 2 * SCOOTER_PROMPTS)
    assert second["receipt"]["receiptId"] != first["receipt"]["receiptId"]
