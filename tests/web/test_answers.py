"""Pages of answers: from a brand to a marked name in two clicks, filters in the address, hostile text inert."""

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.extraction.captured_lines import lines_of
from measurement.imports.captured_answers import Importer, LineReader
from measurement.imports.supplier_files import reader_of
from measurement.publication.publish import Publisher
from storage.database import Database
from tests.engines.supplier_bodies import dataforseo, overview, page
from tests.web.conftest import Meet, Person, Running
from web.answers.answer_page import mark_text
from web.layout.text_blocks import lay_out, mark_names

HOSTILE = (
    "Acme <script>alert(1)</script> and Rival are good. <img src=x onerror=alert(1)> "
    "[Acme](javascript:alert(1)) I found nothing about Third."
)


async def import_into(measured: Person, service: Running, path: Path, read: LineReader = lines_of) -> None:
    """Import a file of answers for the measured brand."""
    database = await Database.open(service.settings.database_url)
    try:
        async with Registry(EngineSettings()) as engines:
            publisher = Publisher(database, [*engines.platforms, "perplexity"], lambda: datetime.now(UTC))
            importer = Importer(database, publisher, lambda: datetime.now(UTC))
            company = await database.operators.companies.find(measured.company)
            assert company is not None
            brand = await database.workspace(company.id).brands.find(measured.brand)
            assert brand is not None
            await importer.import_file(company.id, brand, path, read=read)
    finally:
        await database.close()


@pytest.fixture
async def hostile(measured: Person, service: Running, tmp_path: Path) -> str:
    """An answer that tries to be more than text; returns the start of its question."""
    line = {
        "platform": "perplexity",
        "prompt": "Which <b>car</b>?",
        "text": HOSTILE,
        "captured_at": datetime.now(UTC).isoformat(),
        "model": "tester-1",
    }
    path = tmp_path / "hostile.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    await import_into(measured, service, path)
    return "Which"


async def test_an_answer_shows_hostile_text_as_text_and_marks_names(measured: Person, hostile: str) -> None:
    listed = await measured.http.get(f"/brands/{measured.brand}/answers?platform=perplexity")
    (address,) = re.findall(r'href="(/answers/[^"]+)"', listed.text)
    page = (await measured.http.get(address)).text
    assert '<mark class="own" title="Acme">Acme</mark>' in page
    assert '<mark class="rival" title="Rival">Rival</mark>' in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "<img" not in page.partition("<main")[2]
    assert not re.search(r'href="javascript:', page)
    assert "“Which &lt;b&gt;car&lt;/b&gt;?”" in page


async def test_a_filter_shows_as_many_answers_as_the_tool_counts(measured: Person) -> None:
    key = await measured.make_key()
    for outcome in ("names_us", "rival_instead", "nobody", "left_out"):
        counted = await measured.http.post(
            "/api/mcp-app/rest/list_answers",
            json={"brandId": measured.brand, "outcome": outcome},
            headers={"Authorization": f"Bearer {key}"},
        )
        text = " ".join((await measured.text(f"/brands/{measured.brand}/answers?outcome={outcome}")).split())
        assert f"Answers {counted.json()['total']} about Acme" in text


async def test_strangers_find_no_answer(measured: Person, meet: Meet) -> None:
    listed = await measured.http.get(f"/brands/{measured.brand}/answers")
    address = re.findall(r'href="(/answers/[^"]+)"', listed.text)[0]
    stranger = meet()
    await stranger.sign_up()
    for path in (address, f"/brands/{measured.brand}/answers"):
        assert (await stranger.http.get(path)).status_code == 404


@pytest.mark.browser
async def test_a_marked_sentence_is_two_clicks_from_the_brand(
    browse: Callable[..., Awaitable[Page]], measured: Person
) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}")
    await page.get_by_role("link", name="Answers", exact=True).click()
    await page.locator(".mentions a").first.click()
    await page.locator("mark.own").first.wait_for()
    assert await page.locator("mark.own").first.inner_text() == "Acme"


def test_marks_keep_every_character_and_never_overlap() -> None:
    spans = [
        {"start": 10, "end": 14, "status": "counted", "reason": None},
        {"start": 12, "end": 16, "status": "counted", "reason": None},
        {"start": 17, "end": 99, "status": "counted", "reason": None},
        {"start": 5, "end": 11, "status": "counted", "reason": None},
    ]
    entities = [
        {"name": "Acme", "own": True, "spans": spans[:1]},
        {"name": "Rival", "own": False, "spans": spans[1:]},
    ]
    text = "Acme and Rival"
    parts = mark_text(text, 10, entities)
    assert "".join(part.text for part in parts) == text
    assert [(part.text, part.name) for part in parts if part.mark] == [("Acme", "Acme")]


def laid_out(text: str, *names: tuple[int, int]) -> list[tuple[str, str]]:
    """The blocks of a text in which these spans name Acme: kind, and pieces with `*` for strong and `[]` for marks."""
    spans = [{"start": start, "end": end, "status": "counted", "reason": None} for start, end in names]
    parts = mark_text(text, 0, [{"name": "Acme", "own": True, "spans": spans}])
    written: list[tuple[str, str]] = []
    for block in lay_out(parts):
        pieces = (f"[{piece.text}]" if piece.mark else piece.text for piece in block.pieces)
        strong = (
            f"*{text}*" if piece.strong else text for piece, text in zip(block.pieces, pieces, strict=True)
        )
        written.append((block.kind, "".join(strong)))
    return written


def test_markdown_is_laid_out_with_the_marks_in_place() -> None:
    assert laid_out("# Best\n\n1. **Acme** is good\n- plain\n---\nEnd", (13, 17)) == [
        ("heading", "Best"),
        ("number", "*[Acme]* is good"),
        ("bullet", "plain"),
        ("paragraph", "End"),
    ]
    assert laid_out("**so Acme too**", (5, 9)) == [("paragraph", "*so **[Acme]** too*")]
    assert laid_out("```\n**Acme**\n```\n2 * 3 * 4 ** 5", (6, 10)) == [
        ("code", "**[Acme]**"),
        ("paragraph", "2 * 3 * 4 ** 5"),
    ]


def test_tricks_of_markdown_stay_text() -> None:
    for text in ("[x](javascript:alert(1))", "<b>x</b>", "![x](http://y.example)", "**", "** a**"):
        assert laid_out(text) == [("paragraph", text)]
    assert laid_out("a" * 20_000 + "**b**") == [("paragraph", "a" * 20_000 + "**b**")]


async def test_an_answer_links_to_its_neighbors_and_original_text(
    measured: Person,
) -> None:
    listed = await measured.http.get(f"/brands/{measured.brand}/answers")
    newest = re.findall(r'href="(/answers/[^"]+)"', listed.text)[0]
    page = (await measured.http.get(newest)).text
    (earlier,) = re.findall(r'href="([^"]+)" rel="prev"', page)
    assert f'href="{newest}" rel="next"' in (await measured.http.get(earlier)).text
    assert f'href="{newest}?raw=1"' in page
    assert "words raw" in (await measured.http.get(f"{newest}?raw=1")).text


def test_names_in_a_quote_are_marked_and_all_else_stays_text() -> None:
    profile: dict[str, Any] = {
        "name": "Acme",
        "aliases": ["Acme Cars"],
        "competitors": [{"name": "Rival", "aliases": []}],
    }
    assert mark_names("<b>acme cars</b>, Rivalry & Rival", profile) == (
        '&lt;b&gt;<mark class="own">acme cars</mark>&lt;/b&gt;, Rivalry &amp; <mark class="rival">Rival</mark>'
    )
    assert mark_names("**Acme** is good", profile) == '<mark class="own">Acme</mark> is good'
    assert mark_names("2 ** 4", profile) == "2 ** 4"


async def test_the_three_surface_rates_stay_three_numbers(
    measured: Person, service: Running, tmp_path: Path
) -> None:
    link = {"title": "<script>alert(2)</script>", "url": "javascript:alert(3)", "seller": "<img src=x>"}
    ours = {"title": "Running shoe", "seller": "Acme Store", "price": {"current": 99.5, "currency": "EUR"}}
    card = {"type": "ai_overview_shopping", "items": [link, ours]}
    looks = [page(overview("Take Acme.")), page(overview("Take any.")), page()]
    looks[0]["items"][0]["items"].append(card)
    await import_looks(measured, service, tmp_path, [(look, "Which shoe is best?") for look in looks])
    assert await seen_rates(measured) == [
        ("Shown", "67%"), ("Mention rate when shown", "50%"), ("Mention rate of all searches", "33%"), ("Searches", "3"),
    ]  # fmt: skip
    listed = await measured.http.get(
        f"/brands/{measured.brand}/answers?platform=google_ai_overview@dataforseo&period=all"
    )
    addresses = re.findall(r'href="(/answers/[^"]+)"', listed.text)
    assert addresses
    for address in addresses:
        shown = (await measured.http.get(address)).text.partition("<main")[2]
        assert not re.search(r"<script>alert|<img|href=.javascript:", shown)
    pages = [(await measured.http.get(address)).text for address in dict.fromkeys(addresses)]
    [beside] = [page for page in pages if "Cards beside the answer" in page]
    assert re.search(r"Running shoe <strong>\(Acme\)</strong>.*Acme Store · 99.5 EUR", beside)
    for words in ("country DE", "0.002 US dollars", "parser documented, not verified", "beside the text"):
        assert words in beside
    [absent] = [page for page in pages if "the page had none" in page]
    assert "Cards beside the answer" not in absent
    assert "Counted as a search that showed no AI answer" in absent
    assert "Not counted:" not in absent


async def test_each_observation_counts_once_and_branded_prompts_never(
    measured: Person, service: Running, tmp_path: Path
) -> None:
    rarely = [page(overview("Take Acme.")), *[page()] * 9]
    always = [page(overview("Take any."))] * 10
    looks = [(look, "Which shoe is best?") for look in rarely]
    looks += [(look, "Which shoe lasts?") for look in always]
    looks += [(page(overview("Acme is good.")), "Is Acme good?")] * 20
    await import_looks(measured, service, tmp_path, looks)
    # 11 of 20 were shown, and one of them names us.
    assert await seen_rates(measured) == [
        ("Shown", "55%"), ("Mention rate when shown", "9%"), ("Mention rate of all searches", "5%"), ("Searches", "20"),
    ]  # fmt: skip


async def import_looks(
    measured: Person, service: Running, folder: Path, looks: Sequence[tuple[dict[str, Any], str]]
) -> None:
    """Import what was seen at questions."""
    seen_at = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} +00:00"
    bodies = [
        dataforseo("google_ai_overview", {**look, "datetime": seen_at}, keyword=question)
        for look, question in looks
    ]
    for number, body in enumerate(bodies):
        body["tasks"][0]["id"] = f"task-{number}"
    path = folder / "bodies.json"
    path.write_text(json.dumps(bodies), encoding="utf-8")
    await import_into(measured, service, path, reader_of("dataforseo"))


async def seen_rates(measured: Person) -> list[tuple[str, str]]:
    """What the page of the score says of the only surface."""
    score = (await measured.http.get(f"/brands/{measured.brand}/score")).text
    seen = score.partition('id="seen"')[2].partition("</table>")[0]
    return re.findall(r'data-label="([^"]+)"[^>]*><a[^>]*>([^<]+)<', seen)


async def test_an_imported_observation_with_unknown_fields_is_shown(
    measured: Person, service: Running, tmp_path: Path
) -> None:
    looks: list[Any] = [
        {"supplier": "dataforseo", "cards": "many"},
        {"supplier": "dataforseo", "cards": [{"kind": "poster"}]},
        {"supplier": ["dataforseo"]},
        {"supplier": "dataforseo", "localeApplied": {}, "placements": [{"url": "x", "placement": []}]},
        {"supplier": "dataforseo", "cost": {"amount": "1e9999999", "unit": "usd"}, "localeSent": {"city": 5}},
    ]
    line = {"platform": "google_ai_overview@dataforseo", "prompt": "Which?", "mode": "readiness"}
    line |= {"captured_at": f"{datetime.now(UTC).isoformat()}"}
    path = tmp_path / "looks.jsonl"
    lines = [{**line, "text": f"Acme {number}.", "seen": look} for number, look in enumerate(looks)]
    path.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    await import_into(measured, service, path, lines_of)
    listed = await measured.http.get(
        f"/brands/{measured.brand}/answers?platform=google_ai_overview@dataforseo&period=all"
    )
    addresses = set(re.findall(r'href="(/answers/[^"]+)"', listed.text))
    assert len(addresses) == len(looks)
    assert [(await measured.http.get(address)).status_code for address in addresses] == [200] * len(looks)


async def test_a_model_that_is_switched_is_a_mark_on_the_chart(
    measured: Person, service: Running, tmp_path: Path
) -> None:
    line = {
        "platform": "chatgpt",
        "prompt": "Which car?",
        "text": "Acme.",
        "captured_at": datetime.now(UTC).isoformat(),
        "model": "tester-2",
    }
    path = tmp_path / "switched.jsonl"
    path.write_text(json.dumps(line), encoding="utf-8")
    await import_into(measured, service, path)
    overview_page = (await measured.http.get(f"/brands/{measured.brand}")).text
    assert re.search(
        r'<path class="event"[^>]*><title>[^<]*New model: ChatGPT serves tester-2', overview_page
    )
    assert "ChatGPT began to serve tester-2" in overview_page


async def test_words_are_searched_in_the_list_of_answers(measured: Person) -> None:
    page = f"/brands/{measured.brand}/answers"
    found = (await measured.http.get(f"{page}?contains=WHICH BUS&outcome=names_us")).text
    titles = re.findall(r'class="row-title" href="[^"]+">([^<]+)</a>', found)
    assert titles
    assert set(titles) == {"Which bus would you pick?"}
    assert f'data-count="{len(titles)}"' in found
    assert "contains “WHICH BUS”" in found
    assert '<input type="hidden" name="outcome" value="names_us">' in found, "the search keeps the filters"
    none = await measured.text(f"{page}?contains=<script>no such words")
    assert "No stored answer matches" in none


async def test_an_answer_without_a_brand_shows_its_beginning(measured: Person) -> None:
    html = (await measured.http.get(f"/brands/{measured.brand}/answers?outcome=nobody")).text
    rows = html.split('class="row-title"')[1:]
    assert rows
    assert all(re.search(r'<p class="passage" dir="auto">[^<]', row) for row in rows)


async def test_an_answer_is_open_beside_the_list_that_it_came_from(measured: Person) -> None:
    page = f"/brands/{measured.brand}/answers?period=90&outcome=names_us"
    listed = (await measured.http.get(page)).text
    addresses = [unescape(address) for address in re.findall(r'class="row-title" href="([^"]+)"', listed)]
    opened = (await measured.http.get(addresses[1])).text
    beside = [unescape(address) for address in re.findall(r'class="row-title" href="([^"]+)"', opened)]
    assert beside == addresses
    [current] = re.findall(r'class="row-title" href="([^"]+)" aria-current="true"', opened)
    assert unescape(current) == addresses[1]
    [back] = re.findall(r'<a href="([^"]+)">Answers</a> ›', opened)
    assert unescape(back) == page
    alone = (await measured.http.get(addresses[1].partition("?")[0])).text
    assert "Answers to this prompt" in alone


async def test_two_answers_to_a_prompt_are_compared_side_by_side(measured: Person, meet: Meet) -> None:
    page = f"/brands/{measured.brand}/answers?contains=Which bus"
    first = re.findall(r'class="row-title" href="([^"?]+)', (await measured.http.get(page)).text)[0]
    html = (await measured.http.get(first)).text
    others = re.findall(r'<option value="([^"]+)"', html[html.index('id="with"') :])
    assert first.rpartition("/")[2] not in others
    both = (await measured.http.get(f"{first}?with={others[-1]}")).text
    assert both.count('<div class="words" dir="auto">') == 2
    assert f'href="/answers/{others[-1]}"' in both
    assert re.search(r"<dt>In both</dt><dd>Rival", both)
    elsewhere = (await measured.http.get(f"{first}?with=none")).text
    assert elsewhere.count('<div class="words" dir="auto">') == 1


@pytest.mark.browser
async def test_j_and_k_open_the_next_and_previous_answer(
    browse: Callable[..., Awaitable[Page]], measured: Person
) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}/answers?outcome=names_us")
    addresses = await page.locator(".row-title").evaluate_all("rows => rows.map((row) => row.href)")
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    assert await page.evaluate("document.activeElement.href") == addresses[1]
    await page.keyboard.press("k")
    await page.keyboard.press("Enter")
    await page.wait_for_url(addresses[0])
    await page.keyboard.press("j")
    await page.wait_for_url(addresses[1])
    await page.keyboard.press("k")
    await page.wait_for_url(addresses[0])
    await page.goto(f"/brands/{measured.brand}/answers")
    await page.get_by_role("searchbox", name="Search answers").press_sequentially("jk")
    assert await page.get_by_role("searchbox", name="Search answers").input_value() == "jk"
