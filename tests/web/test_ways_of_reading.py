"""What people do with the keyboard alone, without JavaScript, and on paper; test_pictures.py asks it of every page."""

import re
from collections.abc import Awaitable, Callable
from math import ceil
from pathlib import Path

import pytest
from playwright.async_api import Locator, Page, ViewportSize, expect

from storage.database import Database
from tests.web.conftest import Person
from tests.web.page_world import alarmed, drafted

Browse = Callable[..., Awaitable[Page]]
pytestmark = pytest.mark.browser
MOST_TABS = 150


async def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until a control has the focus; it must be seen then."""
    await target.wait_for()
    for _ in range(MOST_TABS):
        if await target.evaluate("part => part === document.activeElement"):
            outline = await target.evaluate("part => getComputedStyle(part).outlineStyle")
            assert outline != "none", "the focus is not seen"
            return
        await page.keyboard.press("Tab")
    raise AssertionError(f"{target} is out of reach of the keyboard")


async def press(page: Page, target: Locator) -> None:
    await tab_to(page, target)
    await page.keyboard.press("Enter")


PRINTED_SHEET: ViewportSize = {"width": 673, "height": 986}
"""A sheet of A4 without its margins, in pixels of CSS."""


async def type_into(page: Page, label: str, text: str) -> None:
    await tab_to(page, page.get_by_label(label, exact=True))
    await page.keyboard.insert_text(text)


async def test_the_keyboard_alone_completes_the_set_up(browse: Browse, ada: Person) -> None:
    page = await browse(ada)
    await page.goto("/start")
    await type_into(page, "Brand name", "Toyota")
    await type_into(page, "What do you sell?", "Car brand")
    await press(page, page.get_by_role("button", name="Continue"))
    await type_into(page, "Competitors, one per line (optional)", "Honda")
    await press(page, page.get_by_role("button", name="Continue"))
    await type_into(page, "Your own prompts, one per line (optional)", "Which car is fun?")
    await press(page, page.get_by_role("button", name="Continue"))
    await press(page, page.get_by_role("button", name="Continue"))
    await tab_to(page, page.get_by_role("button", name="Measure"))


async def test_the_keyboard_alone_filters_opens_an_answer_and_decides_an_action(
    browse: Browse, measured: Person, database: Database
) -> None:
    await alarmed(measured, database)
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}")
    await tab_to(page, page.locator("select[name=period]"))
    await page.keyboard.type("90 days")
    await page.wait_for_url(re.compile(r"period=90"))
    await press(page, page.locator(".stat .value a").first)
    await page.wait_for_url(re.compile(r"/answers\?"))
    await press(page, page.locator(".mentions a").first)
    await page.locator("mark.own").first.wait_for()
    await page.goto(f"/brands/{measured.brand}/actions")
    doing = page.get_by_role("region", name="Doing")
    await expect(doing.locator("details.action")).to_have_count(0)
    row = page.get_by_role("region", name="To do").locator("details.action").first
    title = await row.locator(".action-title").inner_text()
    await press(page, row.locator("summary"))
    await press(page, row.get_by_role("button", name=f"Start {title}"))
    await page.get_by_role("status").filter(has_text="Saved. Moved to Doing.").wait_for()
    await expect(doing.locator(".action-title")).to_have_text(title)


async def test_the_keyboard_alone_decides_a_draft_and_approves_it(
    browse: Browse, measured: Person, database: Database
) -> None:
    await drafted(measured, database)
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}")
    await press(page, page.get_by_role("navigation", name="Main").get_by_role("link", name="Content"))
    await press(page, page.get_by_role("link", name="1 draft waits"))
    await press(page, page.get_by_role("link", name="Warranty of our vans"))
    await press(page, page.get_by_text("Changes to the published text"))
    await expect(page.locator(".difference ins").first).to_contain_text("seven years")
    choices = page.get_by_role("group", name=re.compile("^Decision for"))
    for place in range(await choices.count()):
        choice = choices.nth(place)
        await tab_to(page, choice.get_by_label("Delete"))
        await page.keyboard.press("ArrowDown")
        if "seven years" in await choice.get_by_label("New text").input_value():
            await tab_to(page, choice.get_by_label("New text"))
            await page.keyboard.press("Control+A")
            await page.keyboard.type("A long warranty, in short.")
        else:
            await page.keyboard.press("ArrowDown")
            await tab_to(page, choice.get_by_label("Reason"))
            await page.keyboard.type("Our warranty terms")
    await press(page, page.get_by_role("button", name="Save decisions"))
    await page.get_by_role("status").filter(has_text="Saved.").wait_for()
    await expect(page.get_by_text("Every sentence has a source or a decision.")).to_be_visible()
    await press(page, page.get_by_role("button", name="Approve and replace"))
    await page.get_by_role("status").filter(has_text="Approved").wait_for()
    await expect(page.locator(".words")).to_contain_text("A long warranty, in short.")
    await press(page, page.get_by_role("link", name="Content", exact=True).last)
    await expect(page.get_by_text("1 text that Acme publishes")).to_be_visible()


async def test_the_keyboard_alone_imports_texts_from_a_file(
    browse: Browse, measured: Person, tmp_path: Path
) -> None:
    text = tmp_path / "warranty.md"
    text.write_text("# Warranty of our vans\n\nSeven years.", encoding="utf-8")
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}/content")
    await press(page, page.get_by_role("link", name=re.compile("Import")).first)
    await tab_to(page, page.get_by_label("Files (optional)"))
    await page.get_by_label("Files (optional)").set_input_files(text)
    await type_into(page, "Category", "faq")
    await page.keyboard.press("Enter")
    await page.get_by_role("heading", name="1 text was stored").wait_for()
    await press(page, page.get_by_role("link", name="Warranty of our vans"))
    await expect(page.locator(".words")).to_contain_text("Seven years.")


async def test_the_keyboard_alone_deletes_the_workspace_and_keeps_it(
    browse: Browse, measured: Person
) -> None:
    page = await browse(measured)
    await page.goto("/settings/data")
    await press(page, page.locator("summary", has_text=f"Delete {measured.company}"))
    await type_into(page, f"Type {measured.company} to confirm", measured.company)
    await page.keyboard.press("Enter")
    await page.get_by_role("status").filter(has_text="Planned").wait_for()
    await press(page, page.get_by_role("button", name=f"Keep it {measured.company}"))
    await page.get_by_role("status").filter(has_text="It is kept").wait_for()


async def test_the_keyboard_alone_filters_answers_by_verdict(browse: Browse, measured: Person) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}/answers")
    outcomes = page.get_by_role("navigation", name="Outcome")
    menu = outcomes.locator("summary")
    await press(page, menu)
    for verdict in ("Positive tone", "Neutral tone", "Recommends us"):
        choice = outcomes.get_by_role("link", name=verdict)
        await press(page, choice)
        await page.wait_for_url(re.compile(f"outcome={verdict.split()[0].lower()[:7]}"))
        await expect(menu).to_have_text(verdict)
        await press(page, menu)
        await expect(choice).to_have_attribute("aria-current", "page")


async def test_the_first_tab_leads_past_the_navigation(browse: Browse, measured: Person) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}/prompts")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    assert await page.evaluate("document.activeElement.id") == "content"


async def test_pages_work_without_javascript(browse: Browse, measured: Person) -> None:
    page = await browse(measured, java_script_enabled=False)
    await page.goto(f"/brands/{measured.brand}")
    await page.locator("select[name=period]").select_option("90")
    await page.get_by_role("button", name="Apply").click()
    await page.wait_for_url(re.compile(r"period=90"))
    await page.locator(".stat .value a").first.click()
    await page.locator(".mentions a").first.click()
    await expect(page.locator("mark.own").first).to_be_visible()
    await page.goto("/start")
    await page.get_by_label("Brand name").fill("Delta Motors")
    await page.get_by_label("What do you sell?").fill("cars")
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("heading", name="Who does Delta Motors compete with?").wait_for()


async def test_a_report_is_saved_as_pdf(browse: Browse, measured: Person) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}/report")
    pdf = await page.pdf(format="A4")
    assert pdf[:5] == b"%PDF-"
    await page.emulate_media(media="print")
    await page.set_viewport_size(PRINTED_SHEET)
    tall = await page.locator("article.report").bounding_box()
    assert tall is not None
    sheets = len(re.findall(rb"/Type\s*/Page\b", pdf))
    assert sheets <= 1 + ceil(tall["height"] / PRINTED_SHEET["height"]), "half-empty sheets"
    for heading in ("Key figures", "What changed"):
        place = await page.get_by_role("heading", name=heading, exact=True).bounding_box()
        assert place is not None
        assert place["y"] < PRINTED_SHEET["height"], heading
    header = page.locator("article.report thead").first
    await expect(header).to_be_visible()
    assert (await header.bounding_box() or {"width": 0})["width"] > 400, "a table is a table on paper"
