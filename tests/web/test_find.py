"""Pages, brands and questions are found by their words: on a page of their own, and with Ctrl-K over any page."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from html import unescape

import pytest
from playwright.async_api import Page, Route, expect

from tests.web.conftest import Meet, Person
from tests.web.test_automation import make_set
from tests.web.test_roles import colleague

Browse = Callable[..., Awaitable[Page]]


async def find(person: Person, words: str) -> list[str]:
    """The addresses that are found."""
    page = await person.http.get("/find", params={"q": words, "brand": person.brand})
    found = page.text.partition('id="found"')[2].partition("</ul>")[0]
    return [unescape(address) for address in re.findall(r'href="([^"]+)"', found)]


async def test_pages_brands_and_questions_are_found_and_open(measured: Person, meet: Meet) -> None:
    await make_set(measured)
    own = f"/brands/{measured.brand}"
    assert await find(measured, "SOURCES") == [f"{own}/sources"]
    assert len(await find(measured, "quiet brand")) == 1
    [question] = await find(measured, "boat which")
    assert "Which boat?" in await measured.text(question)
    assert await find(measured, "no such thing") == []
    for person in (measured, await colleague(measured, meet, "viewer")):
        for address in await find(measured, ""):
            assert (await person.http.get(address)).status_code == 200, address


async def test_what_is_typed_stays_text(measured: Person) -> None:
    page = await measured.http.get("/find", params={"q": "<script>alert(1)</script>"})
    assert ("&lt;script&gt;alert(1)" in page.text, "<script>alert" in page.text) == (True, False)


@pytest.mark.browser
async def test_the_keyboard_opens_the_field_and_what_it_finds(browse: Browse, measured: Person) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}")
    await page.keyboard.press("Control+k")
    await expect(page.get_by_label("Words")).to_be_focused()
    await page.keyboard.type("compet")
    found = page.get_by_role("dialog").get_by_role("link")
    await expect(found).to_have_count(1)
    await page.keyboard.press("ArrowDown")
    await expect(found).to_be_focused()
    await page.keyboard.press("Enter")
    await page.wait_for_url(re.compile(r"/competitors$"))
    await page.keyboard.press("Control+k")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("dialog")).to_be_hidden()


@pytest.mark.browser
async def test_an_answer_that_comes_late_leaves_the_focus_on_what_was_chosen(
    browse: Browse, measured: Person
) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}")
    asked_last, chosen = re.compile(r"q=compet$"), asyncio.Event()

    async def hold(route: Route) -> None:
        await chosen.wait()
        await route.continue_()

    await page.route(asked_last, hold)
    await page.keyboard.press("Control+k")
    await page.keyboard.type("compe")
    found = page.get_by_role("dialog").get_by_role("link")
    await expect(found).to_have_count(1)
    await page.keyboard.type("t")
    await page.keyboard.press("ArrowDown")
    await expect(found).to_be_focused()
    await found.evaluate("place => { place.dataset.of = 'an earlier answer'; }")
    chosen.set()
    await expect(found).not_to_have_attribute("data-of", "an earlier answer")
    await expect(found).to_be_focused()


@pytest.mark.browser
async def test_without_javascript_a_page_finds_the_same(browse: Browse, measured: Person) -> None:
    page = await browse(measured, java_script_enabled=False)
    await page.goto(f"/brands/{measured.brand}")
    await page.get_by_role("link", name="Find").click()
    await page.get_by_label("Words").fill("compet")
    await page.get_by_role("main").get_by_role("button", name="Find").click()
    await page.get_by_role("main").get_by_role("link", name="Competitors").click()
    await page.wait_for_url(re.compile(r"/competitors$"))


async def test_shortcuts_are_listed_where_places_are_found(ada: Person) -> None:
    page = " ".join((await ada.text("/find")).split())
    assert "Keyboard shortcuts" in page
    assert "? Show these shortcuts" in page
