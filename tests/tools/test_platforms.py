"""Engines that could be asked about a brand are listed as not measured, and no others."""

from typing import Any

import pytest

from storage.ids import new_id
from tests.tools.conftest import SCOOTER_ANSWERS, Office

METRICS = ("visibilityScore", "mentionCount", "shareOfVoice", "averagePosition", "citationRate", "sentiment")


async def give_key(office: Office, platform: str) -> None:
    """Store our company's own key for an engine; nobody opens it here."""
    async with office.database.transaction(office.companies["ours"]) as workspace:
        await workspace.provider_credentials.put(new_id(), platform, "sealed", "1234", None, office.now())


async def listed(office: Office, company: str, brand: str) -> dict[str, Any]:
    """The engines of a brand but the built-in one, which is there where its model is installed."""
    platform_metrics = await office.call("get_platform_metrics", company, brandId=brand)
    return {
        platform["platform"]: platform
        for platform in platform_metrics["platforms"]
        if platform["platform"] != "local"
    }


@pytest.mark.requirement("TOOL-10")
async def test_an_unmeasured_brand_lists_the_available_engines(
    office: Office,
) -> None:
    await give_key(office, "claude")
    await give_key(office, "chatgpt")
    found = await listed(office, "ours", "aCME")
    assert list(found) == ["chatgpt", "claude"]
    for one in found.values():
        assert (one["status"], one["reason"], one["modes"]) == ("not_measured", "never_asked", [])
        assert [one[name]["value"] for name in METRICS] == [None] * 6
        assert set(one["asked"].values()) == {0}
    whole = await office.call("get_platform_metrics", brandId="Acme")
    assert (whole["calculatedAt"], whole["measurement"]["sampleSize"]) == (None, 0)
    assert await listed(office, "theirs", "Other") == {}, "another company's key says nothing about ours"
    assert (await office.call("get_platform_metrics")).code == "INVALID_PARAMS"
    assert (await office.call("get_platform_metrics", "theirs", brandId="Acme")).code == "NOT_FOUND"


async def test_an_engine_leaves_the_list_with_its_key_unless_it_was_asked(office: Office) -> None:
    await give_key(office, "claude")
    assert list(await listed(office, "ours", "Acme")) == ["claude"]
    async with office.database.transaction(office.companies["ours"]) as workspace:
        assert await workspace.provider_credentials.remove("claude")
    assert await listed(office, "ours", "Acme") == {}


async def test_engines_that_were_asked_stand_before_those_that_never_were(measured: Office) -> None:
    await give_key(measured, "claude")
    listed_engines = (await measured.call("get_platform_metrics", brandId="Acme"))["platforms"]
    reasons = [engine["reason"] == "never_asked" for engine in listed_engines]
    assert True in reasons
    assert False in reasons
    assert reasons == sorted(reasons)
    for never in (True, False):
        names = [
            engine["platform"] for engine in listed_engines if (engine["reason"] == "never_asked") is never
        ]
        assert names == sorted(names)


async def test_compact_engines_keep_their_own_numbers_and_leave_their_modes_out(measured: Office) -> None:
    full = (await measured.call("get_platform_metrics", brandId="Acme"))["platforms"]
    compact = (await measured.call("get_platform_metrics", brandId="Acme", detail="compact"))["platforms"]
    assert any(platform["modes"] for platform in full)
    assert compact == [
        {**platform, "modes": [], "citedDomains": platform["citedDomains"][:3]} for platform in full
    ]


@pytest.mark.parametrize(
    "period",
    [
        {},
        {"from": "2026-03-01", "to": "2026-03-03"},
        {"from": "2026-03-02"},
        {"from": "2026-03-01T07:59:00Z", "to": "2026-03-03T07:59:00Z"},
        {"from": "2026-03-01T09:00:00Z", "to": "2026-03-03T09:00:00Z"},
        {"platform": "gemini"},
        {"prompt": "Which scooter is best?"},
    ],
    ids=["all", "days", "open end", "cut days", "later hours", "one engine", "one prompt"],
)
async def test_every_cited_domain_counts_the_answers_that_cite_it(
    measured: Office, period: dict[str, str]
) -> None:
    begin, end = period.get("from", ""), period.get("to", "2027")
    expected: dict[tuple[str, str], int] = {}
    for number, (platform, prompt, _, url) in enumerate(SCOOTER_ANSWERS):
        at = f"2026-03-{number + 1:02}T08:00:00Z"
        inside = begin <= at and (at < end or at.startswith(end))
        chosen = platform == period.get("platform", platform) and prompt == period.get("prompt", prompt)
        if url and inside and chosen:
            place = platform, url.split("/")[2]
            expected[place] = expected.get(place, 0) + 1
    filters = {name: value for name, value in period.items() if name != "prompt"}
    if "prompt" in period:
        every = (await measured.call("list_answers", brandId="Acme"))["answers"]
        filters["promptId"] = next(one["promptId"] for one in every if one["prompt"] == period["prompt"])
    listed_engines = await measured.call("get_platform_metrics", brandId="Acme", **filters)
    found = {
        (engine["platform"], cited["domain"]): cited["answers"]
        for engine in listed_engines["platforms"]
        for cited in engine["citedDomains"]
    }
    assert found == expected
    assert expected, "the period has answers that cite something"
