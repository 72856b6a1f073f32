"""The page of prompts: a heat map whose prompts are tagged and archived in place, by members alone."""

import re
from html import unescape
from typing import Any

from tests.web.conftest import Meet, Person
from tests.web.test_numbers import ask_tool
from tests.web.test_roles import colleague

SET = {
    "name": "Buyers",
    "prompt-1": "Which car lasts?",
    "tags-1": "price",
    "prompt-2": "Which car is safe?",
    "prompt-3": "Which car is fast?",
    "mode": "visibility",
    "repeats": "2",
}


async def make_set(person: Person, **fields: str) -> str:
    """Make a set of three prompts; return the page of prompts that shows them."""
    made = await person.submit(
        "/automation/sets/new", {**SET, "brand": person.brand, **fields}, "/automation/sets"
    )
    assert made.status_code == 303, made.text
    return f"/brands/{person.brand}/prompts"


async def set_of(person: Person) -> list[dict[str, Any]]:
    """The prompts of the set, by the tool."""
    listed = await ask_tool(
        person, "list_prompt_sets", brandId=person.brand, includePrompts=True, includeArchived=True
    )
    [known] = [each for each in listed["promptSets"] if each["name"] == "Buyers"]
    return [{**prompt, "status": known["status"]} for prompt in known["prompts"]]


async def test_selected_prompts_are_tagged_and_archived_together(measured: Person) -> None:
    page = await make_set(measured)
    first, second, third = await set_of(measured)
    both = {f"prompt-{prompt['promptId']}": "1" for prompt in (first, second)}
    view = f"{page}?sort=rate&period=90"
    sent = await measured.submit(
        view, {**both, "do": "tag", "tags": "city, price, city", "back": "sort=rate"}, page
    )
    assert sent.headers["location"] == f"{page}?sort=rate&saved=tag"
    assert "Tags added." in await measured.text(sent.headers["location"])
    assert [prompt["tags"] for prompt in await set_of(measured)] == [["price", "city"], ["city", "price"], []]
    await measured.submit(view, {**both, "do": "archive", "back": ""}, page)
    left = await set_of(measured)
    assert [prompt["promptId"] for prompt in left] == [third["promptId"]], "the third keeps its id"
    last = {f"prompt-{third['promptId']}": "1", "do": "archive"}
    await measured.submit(page, last, page)
    assert {prompt["status"] for prompt in await set_of(measured)} == {"archived"}


async def test_tags_of_a_prompt_are_edited_in_its_row(measured: Person) -> None:
    page = await make_set(measured)
    html = (await measured.http.get(page)).text
    first = (await set_of(measured))[0]
    row = html[html.index(f'id="tags-{first["promptId"]}"') - 600 :].partition("</form>")[0]
    [value] = re.findall(r'name="tags" value="([^"]*)"', row)
    assert value == "price"
    change = {f"prompt-{first['promptId']}": "1", "do": "tags", "tags": "<b>new</b>"}
    assert (await measured.submit(page, change, page)).status_code == 303
    shown = (await measured.http.get(page)).text
    assert ("<b>new</b>" in shown, "<b>new</b>" in unescape(shown)) == (False, True)
    assert (await set_of(measured))[0]["tags"] == ["<b>new</b>"]
    long = {**change, "tags": "x" * 101}
    rejected = await measured.submit(page, long, page)
    assert (rejected.status_code, 'role="alert"' in rejected.text) == (422, True)
    assert (await set_of(measured))[0]["tags"] == ["<b>new</b>"]


async def test_column_headers_sort_and_say_how(measured: Person) -> None:
    page = f"/brands/{measured.brand}/prompts"
    for sort, header in (("rate", "All engines"), ("gap", "Outcome"), ("change", "Change")):
        html = (await measured.http.get(f"{page}?sort={sort}")).text
        [sorted_by] = re.findall(r'<th scope="col" aria-sort="\w+"><a href="[^"]+">([^<]+)<', html)
        assert sorted_by == header
        rows = await ask_tool(measured, "get_prompt_results", brandId=measured.brand, sort=sort, limit=25)
        shown = re.findall(r'<th scope="row"><a href="[^"]+">([^<]+)</a>', html)
        assert shown == [row["prompt"] for row in rows["prompts"]]


async def test_no_row_spells_out_that_a_change_is_not_comparable(measured: Person) -> None:
    html = (await measured.http.get(f"/brands/{measured.brand}/prompts?period=7&compare=year")).text
    assert html.count('popovertarget="term-verdict"><span aria-hidden="true">–</span>') == 8
    main = re.sub(
        r'<span class="visually-hidden">[^<]*</span>|<div class="term-words".*?</div>',
        "",
        html,
        flags=re.DOTALL,
    )
    assert "ot comparable" not in main


async def test_viewers_and_strangers_change_no_prompt(measured: Person, meet: Meet) -> None:
    page = await make_set(measured)
    first = (await set_of(measured))[0]
    viewer, stranger = await colleague(measured, meet, "viewer"), meet()
    await stranger.sign_up()
    shown = (await viewer.http.get(page)).text
    assert ("price" in shown, 'type="checkbox"' in shown, 'method="post" action="' + page in shown) == (
        True,
        False,
        False,
    )
    change = {f"prompt-{first['promptId']}": "1", "do": "archive"}
    assert (await viewer.http.post(page, data=change)).status_code == 403
    assert (await stranger.http.get(page)).status_code == 404
    token = await stranger.token("/settings/profile", "/settings/workspace")
    assert (await stranger.http.post(page, data={**change, "token": token})).status_code in (403, 404)
    assert len(await set_of(measured)) == 3
