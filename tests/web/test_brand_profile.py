"""The page of a brand's profile: what the set-up asked, to be changed later, by members alone."""

import re
from html import unescape
from typing import Any

from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague


def fields_of(html: str) -> dict[str, str]:
    """What the form holds as it is opened."""
    form = html[html.index('<form class="stack"') :]
    fields = dict(re.findall(r'<textarea[^>]* name="(\w+)"[^>]*>(.*?)</textarea>', form, re.DOTALL))
    fields |= dict(re.findall(r'<input(?: id="\w+")? name="([\w-]+)"[^>]* value="([^"]*)"', form))
    return {name: unescape(value) for name, value in fields.items()}


async def profile_of(person: Person, key: str) -> dict[str, Any]:
    told = await person.http.post(
        "/api/mcp-app/rest/get_brand_profile",
        json={"brandId": person.brand},
        headers={"Authorization": f"Bearer {key}"},
    )
    return told.json()


async def test_a_profile_is_changed_and_what_was_not_touched_stays(measured: Person) -> None:
    page, key = f"/brands/{measured.brand}/profile", await measured.make_key()
    fields = fields_of((await measured.http.get(page)).text)
    assert (fields["name"], fields["competitor-1"], fields["competitor-2"]) == ("Acme", "Rival", "Third")
    changed = {
        **fields,
        "aliases": "Acme Motors\r\nACME Inc",
        "website": "https://acme.example.com/",
        "foundingYear": "1994",
        "prices": "Service: small car: 89 EUR",
        "brandVoice": "plain\r\nand warm",
        "aliases-1": "Rivale, RIVAL Ltd",
        "sites-1": "rival.example.com",
        "competitor-2": "Fourth",
    }
    saved = await measured.submit(page, changed)
    assert saved.headers["location"] == f"{page}?saved=1&rereading=1", saved.text
    profile = await profile_of(measured, key)
    assert (profile["industry"], profile["website"]) == ("vehicles", "https://acme.example.com/")
    assert {"Acme Motors", "ACME Inc"} <= set(profile["aliases"])
    assert profile["facts"]["foundingYear"] == 1994
    assert profile["facts"]["prices"] == [{"name": "Service: small car", "price": "89 EUR"}]
    assert [rival["name"] for rival in profile["competitors"]] == ["Rival", "Fourth"]
    assert {"Rivale", "RIVAL Ltd"} <= set(profile["competitors"][0]["aliases"])
    assert profile["competitors"][0]["sites"] == ["rival.example.com"]
    shown = fields_of((await measured.http.get(page)).text)
    assert {name: value for name, value in shown.items() if value != changed[name].replace("\r\n", "\n")} == {
        "sites": "acme.example.com"
    }, "a website is the brand's own site"
    unchanged = await measured.submit(page, shown)
    assert unchanged.headers["location"] == f"{page}?saved=1"
    assert (await profile_of(measured, key))["updatedAt"] == profile["updatedAt"], "nothing was stored again"
    emptied = await measured.submit(page, {**shown, "foundingYear": "", "prices": "", "aliases": ""})
    assert emptied.status_code == 303, emptied.text
    assert (await profile_of(measured, key))["facts"] == {
        "telephone": None, "address": None, "openingHours": None, "foundingYear": None, "prices": []
    }  # fmt: skip


async def test_texts_of_a_profile_can_be_emptied_again(measured: Person) -> None:
    page, key = f"/brands/{measured.brand}/profile", await measured.make_key()
    texts = {
        "industry": "vehicles",
        "website": "https://acme.example.com/",
        "brandVoice": "Plain.",
        "targetAudience": "Families.",
    }
    shown = fields_of((await measured.http.get(page)).text)
    assert (await measured.submit(page, {**shown, **texts})).status_code == 303
    stored = await profile_of(measured, key)
    assert {name: stored[name] for name in texts} == texts
    shown = fields_of((await measured.http.get(page)).text)
    emptied = await measured.submit(page, {**shown, **dict.fromkeys(texts, " ")})
    assert emptied.status_code == 303, emptied.text
    left = await profile_of(measured, key)
    assert {name: left[name] for name in texts} == dict.fromkeys(texts)
    assert (left["name"], left["competitors"]) == (stored["name"], stored["competitors"])


async def test_what_a_profile_cannot_hold_is_said_at_its_field_and_stays_typed(measured: Person) -> None:
    page = f"/brands/{measured.brand}/profile"
    fields = fields_of((await measured.http.get(page)).text)
    empty = await measured.submit(page, {**fields, "name": " ", "brandVoice": "<b>warm</b>"})
    assert (empty.status_code, "Enter a name." in empty.text) == (422, True)
    assert ("&lt;b&gt;warm" in empty.text, "<b>warm" in empty.text) == (True, False)
    taken = await measured.submit(page, {**fields, "name": "Quiet brand"})
    assert (taken.status_code, 'aria-invalid="true"' in taken.text) == (422, True)
    year = await measured.submit(page, {**fields, "foundingYear": "long ago"})
    assert (year.status_code, 'value="long ago"' in year.text) == (422, True)
    nameless = await measured.submit(page, {**fields, "competitor-1": "", "aliases-1": "Rivale"})
    assert (nameless.status_code, 'value="Rivale"' in nameless.text) == (422, True)


async def test_a_viewer_reads_a_profile_and_a_stranger_finds_none(measured: Person, meet: Meet) -> None:
    page = f"/brands/{measured.brand}/profile"
    viewer, stranger = await colleague(measured, meet, "viewer"), meet()
    await stranger.sign_up()
    shown = (await viewer.http.get(page)).text
    assert ("vehicles" in shown, f'action="{page}"' in shown) == (True, False)
    assert (await viewer.http.post(page, data={"name": "x"})).status_code == 403
    assert (await stranger.http.get(page)).status_code == 404
    for address in ("", "/competitors", "/readiness"):
        assert f"{page}" in (await measured.http.get(f"/brands/{measured.brand}{address}")).text
