"""Results that are told again while nothing changes: each caller gets what reading anew would give."""

import re
from datetime import timedelta

import pytest

from storage.database import Database
from storage.ids import new_id
from storage.repositories.api_keys import ApiKey
from storage.repositories.brands import BrandDraft
from storage.repositories.oauth_clients import StoredRequest
from storage.tables import metadata
from storage.tables.columns import IN_NO_RESULT
from tests.tools.conftest import PROFILE, Office

both = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


@both
async def test_a_repeated_call_reads_nothing_while_nothing_changes(office: Office, reads: list[str]) -> None:
    first = await office.call("list_brand_profiles")
    read = len(reads)
    assert read > 0
    assert await office.call("list_brand_profiles") == first
    assert len(reads) == read


@both
async def test_a_change_by_another_process_is_in_the_next_result(office: Office, url: str) -> None:
    assert (await office.call("list_brand_profiles"))["total"] == 2
    other = await Database.open(url)
    try:
        async with other.transaction(office.companies["ours"]) as workspace:
            await workspace.brands.save(BrandDraft("Comet"), [], PROFILE, office.now())
        assert (await office.call("list_brand_profiles"))["total"] == 3
    finally:
        await other.close()


@both
async def test_other_companies_and_key_use_do_not_invalidate_the_cache(
    office: Office, reads: list[str]
) -> None:
    key = ApiKey(
        id=new_id(), company_id=office.companies["ours"], digest="digest", prefix="sk_live_", last4="last", description="Key",
        status="active", scopes={}, created_at=office.now(), expires_at=None, last_used_at=None,
    )  # fmt: skip
    async with office.database.operation() as operators:
        await operators.api_keys.add(key)
    first = await office.call("get_credits")
    async with office.database.transaction(office.companies["theirs"]) as workspace:
        await workspace.brands.save(BrandDraft("Comet"), [], PROFILE, office.now())
    async with office.database.operation() as operators:
        await operators.api_keys.used({key.id: office.now()})
        await operators.sessions.sweep(office.now(), office.now())
        await operators.oauth_requests.add(StoredRequest("id", "flow", {}, office.now()))
    read = len(reads)
    assert await office.call("get_credits") == first
    assert len(reads) == read
    assert (await office.call("list_brand_profiles", "theirs"))["total"] == 2


async def test_no_reading_tool_reads_a_table_whose_changes_count_for_nothing(
    measured: Office, reads: list[str]
) -> None:
    office = measured
    brand = (await office.call("list_brand_profiles"))["brands"][0]["id"]
    answer = (await office.call("list_answers", brandId=brand))["answers"][0]["answerId"]
    arguments = {"brandId": brand, "metricName": "visibilityScore", "query": "scooter", "answerId": answer}
    called = [row for row in office.dispatcher.table.values() if row.access == "read"]
    for row in called:
        named = arguments.keys() & row.input_schema["properties"].keys()
        result = await office.call(row.name, **{name: arguments[name] for name in named})
        needs_another = set(row.input_schema.get("required", ())) - arguments.keys()
        assert needs_another or isinstance(result, dict), (row.name, result)
    uncounted = [table.name for table in metadata.sorted_tables if table.info.items() >= IN_NO_RESULT.items()]
    assert len(uncounted) > 5
    assert len(reads) > len(called)
    words = {word for statement in reads for word in re.findall(r"\w+", statement)}
    assert words.isdisjoint(uncounted)


@both
async def test_the_same_call_of_another_company_is_answered_from_its_own_rows(office: Office) -> None:
    ours = await office.call("list_brand_profiles")
    theirs = await office.call("list_brand_profiles", "theirs")
    assert {brand["name"] for brand in ours["brands"]} == {"Acme", "Bolt"}
    assert {brand["name"] for brand in theirs["brands"]} == {"Other"}


@both
async def test_plan_and_credits_are_read_in_one_statement(office: Office, reads: list[str]) -> None:
    assert (await office.call("get_credits"))["available"] > 0
    assert len(reads) == 1


async def test_another_argument_is_another_call(office: Office) -> None:
    brands = (await office.call("list_brand_profiles"))["brands"]
    for brand in brands:
        assert (await office.call("get_brand_profile", brandId=brand["id"]))["name"] == brand["name"]


async def test_a_result_that_names_the_month_is_made_anew_on_the_next_day(office: Office) -> None:
    assert (await office.call("get_credits"))["resetDate"].startswith("2026-04-01")
    office.later(days=1)
    assert (await office.call("get_credits"))["resetDate"].startswith("2026-05-01")


async def test_a_result_that_rests_on_the_instant_is_made_anew_each_time(
    office: Office, reads: list[str]
) -> None:
    brand = (await office.call("list_brand_profiles"))["brands"][0]["id"]
    await office.call("get_citations", brandId=brand)
    read = len(reads)
    office.later(seconds=timedelta(minutes=5).total_seconds())
    await office.call("get_citations", brandId=brand)
    assert len(reads) > read


async def test_a_refusal_is_never_told_again(office: Office, reads: list[str]) -> None:
    for _ in range(2):
        read = len(reads)
        refusal = await office.call("get_brand_profile", brandId="3f0f3f5e-0000-4000-8000-000000000000")
        assert refusal.code == "NOT_FOUND"
        assert len(reads) > read
