"""Settings of a company: what may be spent is typed, stored and shown; everything can be taken away by an owner."""

import json

from tests.web.conftest import Meet, Person, Running
from tests.web.test_roles import colleague


async def test_limits_are_stored_shown_and_taken_away(ada: Person) -> None:
    limits = {"perRun": "2.50", "perDay": "", "currency": "eur"}
    assert (await ada.submit("/settings/budget", limits)).status_code == 303
    page = (await ada.http.get("/settings/budget")).text
    assert ('value="2.5"' in page, 'value="EUR"' in page) == (True, True)
    refused = await ada.submit("/settings/budget", {**limits, "perDay": "much"})
    assert (refused.status_code, 'value="much"' in refused.text) == (422, True)
    assert (await ada.submit("/settings/budget", {**limits, "perRun": ""})).status_code == 303
    assert "No limit is set" in await ada.text("/settings/budget")


async def test_members_see_limits_and_set_none(ada: Person, meet: Meet) -> None:
    member = await colleague(ada, meet, "member")
    assert "An owner of your company sets limits here" in await member.text("/settings/budget")
    assert 'action="/settings/budget"' not in (await member.http.get("/settings/budget")).text
    assert (await member.http.get("/settings/data/everything.jsonl")).status_code == 403


async def test_an_owner_takes_everything_of_the_company_or_of_one_brand(measured: Person) -> None:
    whole = (await measured.http.get("/settings/data/everything.jsonl")).text.splitlines()
    head, *records = [json.loads(line) for line in whole]
    assert (head["company"], head["brand"]) == (measured.company, None)
    brand = (await measured.http.get(f"/settings/data/everything.jsonl?brand={measured.brand}")).text
    assert json.loads(brand.partition("\n")[0])["brand"] == "Acme"
    assert 0 < brand.count("\n") < len(records)
    assert (await measured.http.get("/settings/data/everything.jsonl?brand=none")).status_code == 404


async def test_the_export_holds_no_account_and_no_key(measured: Person, service: Running) -> None:
    key = await measured.make_key()
    whole = (await measured.http.get("/settings/data/everything.jsonl")).text
    assert (measured.email in whole, key in whole, "password_hash" in whole) == (False, False, False)


async def test_a_chosen_theme_stays_in_the_browser(ada: Person, meet: Meet) -> None:
    viewer = await colleague(ada, meet, "viewer")
    assert (await viewer.submit("/settings/profile", {"theme": "dark"}, "/settings/theme")).status_code == 303
    for path in ("/settings/profile", "/"):
        page = (await viewer.http.get(path)).text
        assert ('data-theme="dark"' in page, 'name="color-scheme" content="dark"' in page) == (True, True)
    assert "data-theme" not in (await ada.http.get("/")).text
    assert (await viewer.submit("/settings/profile", {"theme": "x"}, "/settings/theme")).status_code == 400
    await viewer.submit("/settings/profile", {"theme": ""}, "/settings/theme")
    assert "data-theme" not in (await viewer.http.get("/")).text
