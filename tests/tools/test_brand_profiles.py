"""Brand profiles made and changed through the tools, on both databases, and proposed from a site."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Protocol

import pytest

from bench.sites import POLICY, data, dealer, page, served
from oauth.principal import Caller, Principal, Scope
from storage.database import Database
from storage.workspace import Workspace
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.brand_sites import Sites

BOTH = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
SQLITE = pytest.mark.parametrize("url", ["sqlite"], indirect=True)
AssertError = Callable[..., None]
FACTS = {
    "telephone": "+1 212 555 0100",
    "openingHours": "Mon-Fri 9:00-18:00",
    "foundingYear": 1937,
    "prices": [{"name": "Oil change", "price": "$ 49"}],
}


class Office(Protocol):
    database: Database

    async def call(self, tool: str, company: str = "ours", /, **arguments: Any) -> Any: ...
    def workspace(self, company: str = "ours") -> Workspace: ...
    def now(self) -> datetime: ...


@BOTH
async def test_a_created_profile_is_read_back_as_it_was_sent(office: Office) -> None:
    created = await office.call(
        "create_brand_profile",
        name=" Delta Motors ",
        aliases=["Delta"],
        website="delta.example",
        sites=["https://www.delta.example/cars/"],
        industry="car dealer",
        keywords=["used cars"],
        brandVoice="Calm.",
        targetAudience="Families",
        categoryWords=["garage"],
        ambiguous=True,
        facts=FACTS,
        competitors=[{"name": "Echo", "aliases": ["Echo Cars"], "sites": ["echo.example"]}],
    )
    profile = created["profile"]
    assert (profile["name"], profile["aliases"]) == ("Delta Motors", ["Delta Motors", "Delta"])
    assert (profile["website"], profile["sites"]) == ("https://delta.example", ["delta.example/cars"])
    assert (profile["ambiguous"], profile["categoryWords"]) == (True, ["garage"])
    assert profile["facts"] == {**FACTS, "address": None}
    assert [(rival["name"], rival["sites"]) for rival in profile["competitors"]] == [
        ("Echo", ["echo.example"])
    ]
    assert await office.call("get_brand_profile", brandId="delta motors") == profile
    assert created["proposals"] == []


@BOTH
async def test_an_update_changes_what_is_sent_and_keeps_the_rest(office: Office) -> None:
    before = (await office.call("create_brand_profile", name="Delta", aliases=["DLT"], facts=FACTS))[
        "profile"
    ]
    after = (await office.call("update_brand_profile", brandId=before["id"], name="Delta Group"))["profile"]
    assert (after["id"], after["name"]) == (before["id"], "Delta Group")
    assert (after["aliases"], after["facts"]) == (["Delta Group", "DLT"], before["facts"])
    emptied = await office.call("update_brand_profile", brandId="delta group", aliases=[], facts={})
    assert emptied["profile"]["aliases"] == ["Delta Group"]
    assert emptied["profile"]["facts"]["telephone"] is None


@BOTH
async def test_an_empty_text_takes_away_what_was_there_and_a_name_stays(office: Office) -> None:
    texts = {"industry": "cars", "website": "delta.example", "brandVoice": "Calm.", "targetAudience": "All."}
    made = (await office.call("create_brand_profile", name="Delta", **texts))["profile"]
    assert all(made[name] for name in texts)
    left = (await office.call("update_brand_profile", brandId="Delta", **dict.fromkeys(texts, " ")))[
        "profile"
    ]
    assert {name: left[name] for name in texts} == dict.fromkeys(texts)
    nameless = await office.call("update_brand_profile", brandId="Delta", name=" ")
    assert nameless.code == "INVALID_PARAMS"


@BOTH
async def test_an_added_competitor_joins_the_existing_ones(office: Office) -> None:
    echo = {"name": "Echo", "aliases": ["Echo Cars"], "sites": ["echo.example"]}
    made = (await office.call("create_brand_profile", name="Delta", competitors=[echo]))["profile"]
    added = [{"name": "Foxtrot", "sites": ["foxtrot.example"]}, {"name": "echo", "aliases": ["Eko"]}]
    after = (await office.call("update_brand_profile", brandId="Delta", addCompetitors=added))["profile"]
    first, second = after["competitors"]
    assert (first["id"], first["aliases"]) == (made["competitors"][0]["id"], ["Echo", "Echo Cars", "Eko"])
    assert first["sites"] == ["echo.example"]
    assert (second["name"], second["sites"]) == ("Foxtrot", ["foxtrot.example"])
    again = (await office.call("update_brand_profile", brandId="Delta", addCompetitors=added))["profile"]
    assert again["competitors"] == after["competitors"]


@SQLITE
async def test_an_added_competitor_is_refused_where_its_name_or_number_cannot_be(office: Office) -> None:
    await office.call("create_brand_profile", name="Delta", competitors=[{"name": "Echo"}])
    itself = await office.call("update_brand_profile", brandId="Delta", addCompetitors=[{"name": "delta"}])
    assert "is the brand itself" in itself.message
    many = [{"name": f"Rival {number}"} for number in range(100)]
    refused = await office.call("update_brand_profile", brandId="Delta", addCompetitors=many)
    assert "at most 100 competitors" in refused.message
    assert (await office.call("get_competitors", brandId="Delta"))["total"] == 1


@BOTH
async def test_a_person_decides_of_a_new_name_whether_it_is_an_ordinary_word(office: Office) -> None:
    decided: dict[str, bool | None] = {}
    said_of: dict[str, dict[str, bool]] = {
        "Orange": {},
        "Apple": {"ambiguous": False},
        "Smart": {"ambiguous": True},
    }
    for name, said in said_of.items():
        await office.call("create_brand_profile", name=name, **said)
        brand = await office.workspace().brands.find(name)
        assert brand is not None
        own = (await office.workspace().brands.entities(brand))[0]
        (decided[name],) = (alias.ambiguous for alias in own.aliases)
    assert decided == {"Orange": None, "Apple": False, "Smart": True}


@BOTH
async def test_a_refused_profile_leaves_nothing(office: Office, assert_error: AssertError) -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "name: it is missing"),
        ({"name": "ACME"}, "another brand has this name"),
        ({"name": "New", "sites": ["not a site"]}, "is no web address"),
        ({"name": "New", "competitors": [{"name": "new"}]}, "is there twice"),
        ({"name": "New", "aliases": ["Echo"], "competitors": [{"name": "Echo"}]}, "claimed by two"),
        ({"name": "New", "aliases": ["!!"]}, '"!!" holds no letter and no digit that could be searched for'),
        ({"name": "!"}, 'names: "!" holds no letter and no digit that could be searched for'),
    )
    for arguments, words in cases:
        refused = await office.call("create_brand_profile", **arguments)
        assert words in refused.message, arguments
    assert {brand.name for brand in await office.workspace().brands.all()} == {"Acme", "Bolt"}
    renamed = await office.call("update_brand_profile", brandId="Acme", name="bolt")
    assert "another brand has this name" in renamed.message


@SQLITE
@pytest.mark.parametrize(
    ("website", "sites"),
    [
        ("https://www.delta.example/en/home", ["delta.example"]),
        ("https://www.facebook.com/delta/", ["facebook.com/delta"]),
        (None, []),
    ],
)
async def test_the_website_is_the_own_site_where_none_is_given(
    office: Office, website: str | None, sites: list[str]
) -> None:
    sent = {"website": website} if website else {}
    await office.call("create_brand_profile", name="Delta", **sent)
    profile = await office.call("get_brand_profile", brandId="Delta")
    assert profile["sites"] == sites


@SQLITE
async def test_a_plan_with_no_room_for_another_brand_refuses_it(office: Office) -> None:
    for number in range(8):
        await office.call("create_brand_profile", name=f"Brand {number}")
    refused = await office.call("create_brand_profile", name="One too many")
    assert "the growth plan has room for 10 brands" in refused.message


@SQLITE
async def test_another_companys_brand_is_not_found(office: Office) -> None:
    theirs = (await office.workspace("theirs").brands.all())[0].id
    refused = await office.call("update_brand_profile", brandId=theirs, name="Ours now")
    assert refused.code == "NOT_FOUND"


@SQLITE
async def test_proposals_come_from_the_site_and_nothing_is_stored(office: Office) -> None:
    host = "www.synthetic-motors.example.com"
    business = {
        "@type": "AutoDealer",
        "name": "Synthetic Motors",
        "legalName": "Synthetic Motors LLC",
        "telephone": "+1 212 555 0100",
        "foundingDate": "1987-04-01",
        "address": {"streetAddress": "1 Main Street", "addressLocality": "Springfield"},
    }
    home = page(f"<h1>Hello</h1><script>x</script>{data(json.dumps(business))}")
    with served({host: dealer() | {"/": home}}) as place:
        sites = Sites(replace(POLICY, interval=0), lambda: datetime.now(UTC), place.network())
        dispatcher = Dispatcher(
            tool_table(),
            RateLimits(MemoryWindows()),
            WorkspaceOpener(office.database),
            now=office.now,
            site_reader=sites,
        )
        company = office.workspace().company_id
        caller = Caller(Principal(company, "key:1", frozenset({Scope.WRITE})), "192.0.2.1")
        outcome = await dispatcher.call("create_brand_profile", {"proposeFrom": host}, caller)
        refused = await dispatcher.call("create_brand_profile", {"proposeFrom": "127.0.0.1"}, caller)
    assert isinstance(outcome, Success)
    result = json.loads(outcome.body)
    proposed = {(proposal["field"], proposal["value"]) for proposal in result["proposals"]}
    assert {
        ("name", "Synthetic Motors"),
        ("aliases", "Synthetic Motors LLC"),
        ("industry", "auto dealer"),
        ("sites", "synthetic-motors.example.com"),
        ("facts.address", "1 Main Street, Springfield"),
        ("facts.foundingYear", "1987"),
    } <= proposed
    assert all(host in proposal["source"] for proposal in result["proposals"])
    assert (result["profile"], len(await office.workspace().brands.all())) == (None, 2)
    assert not isinstance(refused, Success)
    assert "the address is not allowed" in refused.message


@BOTH
async def test_an_archived_brand_keeps_its_history_and_leaves_the_lists(measured: Office) -> None:
    before = await measured.call("get_ai_visibility_score", brandId="Acme")
    archived = (await measured.call("update_brand_profile", brandId="Acme", archived=True))["profile"]
    assert (archived["name"], archived["archived"]) == ("Acme", True)
    listed = await measured.call("list_brand_profiles")
    assert (listed["total"], [brand["name"] for brand in listed["brands"]]) == (1, ["Bolt"])
    everything = (await measured.call("list_brand_profiles", includeArchived=True))["brands"]
    assert [(brand["name"], brand["archived"]) for brand in everything] == [("Acme", True), ("Bolt", False)]
    assert await measured.call("get_ai_visibility_score", brandId="Acme") == before
    assert (await measured.call("list_answers", brandId="Acme"))["total"] == 5
    assert (await measured.call("get_dashboard_overview"))["brandCount"] == 1
    taken = await measured.call("create_brand_profile", name="ACME")
    assert "includeArchived" in taken.hint
    again = (await measured.call("update_brand_profile", brandId="Acme", archived=False))["profile"]
    assert (again["archived"], again["createdAt"]) == (False, archived["createdAt"])
    assert (await measured.call("list_brand_profiles"))["total"] == 2


@SQLITE
async def test_archived_brands_free_plan_slots_and_need_one_to_return(
    office: Office,
) -> None:
    await office.call("update_brand_profile", brandId="Acme", archived=True)
    for number in range(9):
        await office.call("create_brand_profile", name=f"Brand {number}")
    stored = await office.call("create_brand_profile", name="Of old", archived=True)
    assert stored["profile"]["archived"] is True
    for refused in (
        await office.call("create_brand_profile", name="One too many"),
        await office.call("update_brand_profile", brandId="Acme", archived=False),
    ):
        assert "the growth plan has room for 10 brands" in refused.message
    renamed = await office.call("update_brand_profile", brandId="Acme", name="Acme of old")
    assert renamed["profile"]["archived"] is True
