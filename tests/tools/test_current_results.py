"""Each call reads the database: its result is that of its company, of its day and of the newest commit of any process."""

import pytest

from storage.database import Database
from storage.repositories.brands import BrandDraft
from tests.tools.conftest import PROFILE, Office

both = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


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
async def test_the_same_call_of_another_company_is_answered_from_its_own_rows(office: Office) -> None:
    ours = await office.call("list_brand_profiles")
    theirs = await office.call("list_brand_profiles", "theirs")
    assert {brand["name"] for brand in ours["brands"]} == {"Acme", "Bolt"}
    assert {brand["name"] for brand in theirs["brands"]} == {"Other"}


@both
async def test_plan_and_credits_are_read_in_one_statement(office: Office, reads: list[str]) -> None:
    assert (await office.call("get_credits"))["available"] > 0
    assert len(reads) == 1


@both
async def test_a_score_is_read_in_five_statements(measured: Office, reads: list[str]) -> None:
    brand = (await measured.call("list_brand_profiles"))["brands"][0]["id"]
    reads.clear()
    assert (await measured.call("get_ai_visibility_score", brandId=brand))["status"] != "not_measured"
    assert len(reads) == 5


async def test_the_month_of_a_result_follows_the_day_of_the_call(office: Office) -> None:
    assert (await office.call("get_credits"))["resetDate"].startswith("2026-04-01")
    office.later(days=1)
    assert (await office.call("get_credits"))["resetDate"].startswith("2026-05-01")
