"""Engines that could be asked about a brand are listed as not measured, and no others."""

from typing import Any

import pytest

from storage.ids import new_id
from tests.tools.conftest import Office

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
