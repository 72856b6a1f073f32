"""Profiles, competitors and repository items as the tools show them, on both databases."""

import uuid
from typing import Any

import pytest

from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.repositories.issues import Issue
from storage.repositories.repository_items import ItemDraft
from tests.tools.conftest import Office
from tools.calls.dispatch import Refusal

pytestmark = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)

PROFILE: dict[str, Any] = {
    "industry": "automotive",
    "website": "https://acme.example/",
    "voice": "plain",
    "keywords": ["electric", "family"],
    "target_audience": "families",
}


async def save_profile(office: Office) -> None:
    """Give Acme a whole profile with two competitors, one of which has a site."""
    rivals = [BrandDraft("Globex", sites=("globex.example",)), BrandDraft("Initech")]
    async with office.database.transaction(office.companies["ours"]) as workspace:
        await workspace.brands.save(BrandDraft("Acme"), rivals, PROFILE, office.now())


async def save_items(office: Office, *items: ItemDraft) -> None:
    """Publish items of Acme, each a minute after the one before."""
    for item in items:
        async with office.database.transaction(office.companies["ours"]) as workspace:
            brand = await workspace.brands.find("Acme")
            assert brand is not None
            await workspace.repository_items.save(brand.key, [item], office.later(minutes=1))


@pytest.mark.requirement("SVC-01", "TOOL-04")
async def test_a_credential_reaches_all_brands_of_its_company_alone(office: Office) -> None:
    for company, names in (("ours", ["Acme", "Bolt"]), ("theirs", ["Other"])):
        profiles = await office.call("list_brand_profiles", company)
        assert ([brand["name"] for brand in profiles["brands"]], profiles["total"]) == (names, len(names))
    assert isinstance(await office.call("get_brand_profile", brandId="Other"), Refusal)


@pytest.mark.requirement("RES-01", "TOOL-05", "TOOL-09")
async def test_a_profile_has_the_fields_of_the_specification(office: Office) -> None:
    await save_profile(office)
    profile = await office.call("get_brand_profile", brandId="acme")
    assert str(uuid.UUID(profile["id"])) == profile["id"]
    assert {field: profile[field] for field in ("name", "industry", "website", "brandVoice")} == {
        "name": "Acme",
        "industry": "automotive",
        "website": "https://acme.example/",
        "brandVoice": "plain",
    }
    assert (profile["keywords"], profile["targetAudience"]) == (["electric", "family"], "families")
    competitors = [(rival["name"], rival["sites"]) for rival in profile["competitors"]]
    assert competitors == [("Globex", ["globex.example"]), ("Initech", [])]
    listed = await office.call("get_competitors", brandId=profile["id"])
    assert (listed["competitors"], listed["total"]) == (profile["competitors"], 2)


HIDDEN = "\u202e\u200b\U000e0041\x1b\x07"


async def test_stored_text_comes_out_without_what_hides_or_reorders_words(office: Office) -> None:
    async with office.database.transaction(office.companies["ours"]) as workspace:
        profile = {**PROFILE, "voice": f"plain{HIDDEN}", "keywords": [f"el{HIDDEN}ectric"]}
        await workspace.brands.save(BrandDraft("Acme"), [], profile, office.now())
    await save_items(office, ItemDraft(f"War{HIDDEN}ranty", f"Eight\nyears{HIDDEN}.", "faq"))
    seen = await office.call("get_brand_profile", brandId="Acme")
    assert (seen["brandVoice"], seen["keywords"]) == ("plain", ["electric"])
    assert {"brandVoice", "keywords[]"} <= set(seen["untrusted"])
    items = await office.call("get_repository_items", brandId="Acme")
    assert [(item["title"], item["body"]) for item in items["items"]] == [("Warranty", "Eight\nyears.")]
    assert "items[].body" in items["untrusted"]


@pytest.mark.requirement("RES-02", "TOOL-07")
async def test_items_are_listed_newest_first_by_category_and_page(office: Office) -> None:
    await save_items(
        office,
        ItemDraft("Warranty", "Eight years.", "faq"),
        ItemDraft("Range", "Four hundred miles.", "faq"),
        ItemDraft("News", "A new plant.", "blog"),
    )
    page = await office.call("get_repository_items", brandId="Acme")
    shown = [(item["title"], item["body"], item["category"]) for item in page["items"]]
    assert shown == [
        ("News", "A new plant.", "blog"),
        ("Range", "Four hundred miles.", "faq"),
        ("Warranty", "Eight years.", "faq"),
    ]
    second = await office.call("get_repository_items", brandId="Acme", category="faq", limit=1, offset=1)
    assert ([item["title"] for item in second["items"]], second["total"]) == (["Warranty"], 2)
    assert (await office.call("get_repository_items", brandId="Bolt"))["items"] == []


@pytest.mark.requirement("TOOL-08")
async def test_a_search_matches_title_or_body_of_the_brand_alone(office: Office) -> None:
    await save_items(
        office,
        ItemDraft("Battery warranty", "Eight years.", "faq"),
        ItemDraft("Service", "The warranty covers the battery.", "faq"),
        ItemDraft("News", "A new plant.", "blog"),
    )
    matches = await office.call("search_repository_items", brandId="Acme", query="warranty battery")
    assert {item["title"] for item in matches["items"]} == {"Battery warranty", "Service"}
    assert matches["total"] == 2
    first = await office.call("search_repository_items", brandId="Acme", query="warranty", limit=1)
    assert (len(first["items"]), first["nextOffset"]) == (1, 1)
    elsewhere = await office.call("search_repository_items", brandId="Bolt", query="warranty")
    assert elsewhere["items"] == []


@pytest.mark.requirement("TOOL-06")
async def test_a_snapshot_cuts_each_part_to_what_was_asked_for(office: Office) -> None:
    await save_profile(office)
    await save_items(
        office, ItemDraft("Warranty", "Eight years.", "faq"), ItemDraft("News", "A plant.", "blog")
    )
    snapshot = await office.call(
        "get_brand_snapshot", brandId="Acme", repositoryCategory="faq", repositoryLimit=1, metricDays=7
    )
    assert snapshot["profile"]["name"] == "Acme"
    assert [rival["name"] for rival in snapshot["competitors"]] == ["Globex", "Initech"]
    assert [item["title"] for item in snapshot["repository"]["items"]] == ["Warranty"]
    assert (snapshot["mentions"]["limit"], snapshot["trend"]["metricName"]) == (8, "visibilityScore")
    assert snapshot["trend"]["days"] == 7


async def test_a_compact_snapshot_lists_the_worst_alerts_and_counts_all(
    office: Office,
) -> None:
    async with office.database.transaction(office.companies["ours"]) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        for number in range(12):
            severity = "critical" if number == 5 else "warning"
            moment = office.later(minutes=1)
            issue = Issue(
                0, new_id(), f"f{number}", "content_gap", "gap", f"s{number}", severity, f"gap {number}", None,
                (), "open", 1, 0, 0, moment, moment,
            )  # fmt: skip
            await workspace.issues.put(brand.key, issue)
    shown: dict[str, Any] = {
        detail: (await office.call("get_brand_snapshot", brandId="Acme", detail=detail))["monitoring"]
        for detail in ("compact", "full")
    }
    titles = {
        detail: [alert["title"] for result in view["results"] for alert in result["alerts"]]
        for detail, view in shown.items()
    }
    worst_first = ["gap 5", *(f"gap {number}" for number in range(11, -1, -1) if number != 5)]
    assert titles == {"compact": worst_first[:8], "full": worst_first}
    assert [view["openIssues"] for view in shown.values()] == [{"total": 12, "critical": 1}] * 2
