"""The list of asking sessions: its request, and what it says a brand's sessions rest on."""

from pathlib import Path
from typing import Any

import pytest

from tests.tools.conftest import Office, import_answers, scooter_answer


@pytest.mark.requirement("TOOL-17")
async def test_sessions_are_listed_per_brand_or_company_with_pagination(
    office: Office,
) -> None:
    wide = await office.call("list_simulations")
    assert (wide["simulations"], wide["total"], wide["limit"], wide["offset"]) == ([], 0, 20, 0)
    assert (wide["measurement"]["modelVersion"], wide["measurement"]["sampleSize"]) == ("accuracy/2", 0)
    own = await office.call("list_simulations", brandId="aCME", limit=100, offset=7)
    assert (own["limit"], own["offset"], own["nextOffset"]) == (100, 7, None)
    assert (own["measurement"]["modelVersion"], own["measurement"]["sampleSize"]) == ("accuracy/2", 0)
    for wrong in ({"limit": 101}, {"limit": 0}, {"offset": -1}):
        assert (await office.call("list_simulations", **wrong)).code == "INVALID_PARAMS"
    assert (await office.call("list_simulations", "theirs", brandId="Acme")).code == "NOT_FOUND"


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
async def test_filters_narrow_the_sessions_of_a_brand_and_of_the_company(measured: Office) -> None:
    async def platforms(**arguments: Any) -> list[str]:
        listed = await measured.call("list_simulations", **arguments)
        assert listed["total"] == len(listed["simulations"])
        assert (listed["notice"] == "No session matches these filters.") is (listed["total"] == 0)
        return sorted(session["platform"] for session in listed["simulations"])

    today = measured.now().date().isoformat()
    company_and_brand: tuple[dict[str, str], ...] = ({}, {"brandId": "Acme"})
    for brand in company_and_brand:
        assert await platforms(**brand) == ["chatgpt", "gemini"]
        assert await platforms(**brand, platform="GEMINI") == ["gemini"]
        assert await platforms(**brand, mode="readiness", to=today) == ["chatgpt", "gemini"]
        assert await platforms(**brand, **{"from": today}, platform="chatgpt") == ["chatgpt"]
        assert await platforms(**brand, mode="visibility") == []
        assert await platforms(**brand, to="2026-03-30") == []
    refused = await measured.call("list_simulations", platform="chatgtp")
    assert "Did you mean 'chatgpt'" in refused.hint
    from_elsewhere = await measured.call("list_simulations", country="uk")
    assert from_elsewhere.reason == "no country has this name", "nothing was ever asked from there"
    assert from_elsewhere.hint == "No country has been measured yet."
    in_words = await measured.call("list_simulations", country="Germany")
    assert in_words.reason == "country: has an invalid format"
    assert in_words.hint == "Send country as a string such as DE. Country asked from, such as DE."
    assert (await measured.call("list_simulations", "theirs", mode="visibility"))["total"] == 0


async def test_uk_means_gb_and_an_unmeasured_country_lists_the_others(office: Office, tmp_path: Path) -> None:
    lines = [
        scooter_answer(3, prompt, "chatgpt", "Acme is fine.", country=country)
        for prompt in range(2)
        for country in ("GB", "DE")
    ]
    await import_answers(office, tmp_path / "answers.jsonl", lines)
    for code in ("GB", "UK", "uk"):
        listed = await office.call("list_answers", brandId="Acme", country=code, **{"from": "2026-01-01"})
        assert listed["total"] == 2
    refused = await office.call("list_answers", brandId="Acme", country="US")
    assert refused.hint == "Measured: DE, GB."
