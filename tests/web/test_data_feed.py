"""The data feed: tables by a read-only key in the address, the same as on the pages, and nothing else."""

import re

import pytest

from tests.web.conftest import Meet, Person
from web.routes import FEEDS


async def read_only_key(owner: Person) -> str:
    """Create a read-only key on the page."""
    html = (await owner.submit("/settings/keys", {"description": "Sheets", "access": "read"})).text
    match = re.search(r"sk_live_[0-9a-f]{32}", html)
    assert match is not None
    assert "read only" in html
    return match[0]


async def test_a_read_only_key_reads_every_table_as_the_pages_export_it(measured: Person, meet: Meet) -> None:
    key, sheet = await read_only_key(measured), meet()
    for table in FEEDS:
        for ending in ("csv", "json"):
            page = await measured.http.get(f"/brands/{measured.brand}/{table}.{ending}?period=7")
            fed = await sheet.http.get(f"/data/{measured.brand}/{table}.{ending}?period=7&key={key}")
            assert (fed.status_code, fed.text) == (200, page.text), table
    bearer = {"Authorization": f"Bearer {key}"}
    assert (await sheet.http.get(f"/data/{measured.brand}/trend.csv", headers=bearer)).status_code == 200
    for path in (
        f"/data/{measured.brand}/people.csv",
        f"/data/{measured.brand}/trend.xls",
        "/data/no/trend.csv",
    ):
        assert (await sheet.http.get(path, headers=bearer)).status_code == 404
    assert (await sheet.http.get(f"/brands/{measured.brand}?key={key}")).status_code == 303


async def test_a_read_only_key_changes_nothing_over_rest(measured: Person, meet: Meet) -> None:
    bearer, program = {"Authorization": f"Bearer {await read_only_key(measured)}"}, meet()
    rest = "/api/mcp-app/rest"
    listed = await program.http.post(f"{rest}/list_brand_profiles", json={}, headers=bearer)
    assert (listed.status_code, listed.json()["total"]) == (200, 2)
    made = await program.http.post(f"{rest}/create_brand_profile", json={"name": "New"}, headers=bearer)
    assert made.json()["error"]["message"] == "The credential lacks the scope service.write."


@pytest.mark.parametrize("kind", ["none", "writing", "wrong", "revoked", "of another company"])
async def test_other_keys_read_no_table(ada: Person, measured: Person, meet: Meet, kind: str) -> None:
    stranger = meet()
    key = {"none": "", "writing": await measured.make_key(), "wrong": "sk_live_" + "0" * 32}.get(kind)
    if kind == "revoked":
        key = await read_only_key(measured)
        page = (await measured.http.get("/settings/keys")).text
        [revoke] = re.findall(r'action="(/settings/keys/[^"]+/revoke)"', page)[:1]
        assert (await measured.submit("/settings/keys", {}, revoke)).status_code == 303
    elif kind == "of another company":
        await stranger.sign_up()
        key = await read_only_key(stranger)
    answer = await meet().http.get(f"/data/{measured.brand}/trend.csv?key={key}")
    assert answer.status_code == (404 if kind == "of another company" else 401)
    assert "visibilityScore" not in answer.text
