"""The design system: one screen of the overview, filters that apply themselves, charts that show values, no dead rules."""

import json
import re
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page, expect

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.imports.captured_answers import Importer
from measurement.publication.publish import Publisher
from tests.web.conftest import Person, Running, captured, measure, opened_database
from web.charts.time_chart import ChartLine, fit_axis, time_chart

Browse = Callable[..., Awaitable[Page]]
WEB = Path(__file__).parents[2] / "web"
MOST_CSS_LINES = 1200
SELECTOR_CLASS = re.compile(r"\.(-?[a-zA-Z][\w-]*)")


async def measure_again(
    person: Person, service: Running, folder: Path, days_ago: int, named: int, **changed: str
) -> None:
    """Import further answers of a day, with some fields changed."""
    lines = captured(datetime.now(UTC) - timedelta(days=days_ago), named)
    again = [{**line, "source_id": f"again-{line['source_id']}", **changed} for line in lines]
    await import_lines(person, service, folder, again)


async def import_lines(
    person: Person, service: Running, folder: Path, lines: Sequence[dict[str, Any]]
) -> None:
    """Import captured answers for the person's brand."""
    now = datetime.now(UTC)
    file = folder / "again.jsonl"
    file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    async with opened_database(service.settings) as database, Registry(EngineSettings()) as engines:
        company = await database.operators.companies.find(person.company)
        assert company is not None
        brand = await database.workspace(company.id).brands.find(person.brand)
        assert brand is not None
        then = [*engines.platforms, "perplexity"]
        await Importer(database, Publisher(database, then, lambda: now), lambda: now).import_file(
            company.id, brand, file
        )


async def test_two_measurements_of_one_day_are_one_number_everywhere(
    ada: Person, service: Running, tmp_path: Path
) -> None:
    person = await measure(ada, service, tmp_path, ((1, 6),))
    await measure_again(person, service, tmp_path, 1, 2)
    page = (await person.http.get(f"/brands/{person.brand}")).text
    [headline] = re.findall(
        r'Visibility score</h2>.{,300}?class="value"><a[^>]*>([\d.]+)</a>', page, re.DOTALL
    )
    rows = (await person.http.get(f"/brands/{person.brand}/trend.json")).json()
    [day] = [row for row in rows if row["brand"] == "Acme" and not row["engine"]]
    answers = re.search(r'data-total="(\d+)">\d+ answers</a>', page)
    assert answers is not None
    assert (f"{day['value']:.1f}", str(day["answers"])) == (headline, answers[1])


async def test_a_long_trend_keeps_the_page_light_and_its_export_whole(
    ada: Person, service: Running, tmp_path: Path
) -> None:
    person = await measure(ada, service, tmp_path, ())
    now = datetime.now(UTC)
    lines = [line for ago in range(1, 41) for line in captured(now - timedelta(days=ago), 4)]
    await import_lines(person, service, tmp_path, lines)
    address = f"/brands/{person.brand}?period=90"
    page = (await person.http.get(address)).text
    assert "The newest 31 of 40 measured days." in page
    assert len(page) < 120 * 1024
    rows = (await person.http.get(f"/brands/{person.brand}/trend.json?period=90")).json()
    assert len([row for row in rows if row["brand"] == "Acme" and not row["engine"]]) == 40


async def test_figures_of_the_built_in_model_are_called_a_rehearsal(
    ada: Person, service: Running, tmp_path: Path
) -> None:
    person = await measure(ada, service, tmp_path, ())
    await measure_again(person, service, tmp_path, 1, 4, platform="local", model="built-in")
    page = (await person.http.get(f"/brands/{person.brand}")).text
    assert "These figures are a rehearsal." in page
    assert '<a href="/settings/engines">Add an engine key</a>' in page
    assert "Engines named us in " in page
    await measure_again(person, service, tmp_path, 0, 4)
    assert "rehearsal" not in await person.text(f"/brands/{person.brand}")


async def test_a_spark_line_shows_both_periods_of_the_change_beside_it(
    ada: Person, service: Running, tmp_path: Path
) -> None:
    person = await measure(ada, service, tmp_path, ((40, 1), (33, 1), (12, 8), (5, 7)))
    page = (await person.http.get(f"/brands/{person.brand}")).text
    headline = page[page.index('class="card headline"') :]
    line = headline[headline.index('class="spark"') : headline.index("</section>")]
    assert "rose" in headline[: headline.index('class="spark"')]
    paths = " ".join(re.findall(r'class="line" d="([^"]+)"', line))
    heights = [float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", paths)]
    assert len(heights) == 4, "two days of each period"
    assert heights[0] > heights[-1], "a score that rose is drawn higher at the end"


async def test_a_brand_that_is_never_named_has_no_rank(ada: Person, service: Running, tmp_path: Path) -> None:
    person = await measure(ada, service, tmp_path, ((1, 0),))
    for path in ("/", f"/brands/{person.brand}"):
        page = await person.text(path)
        assert "0.0 of 100" in " ".join(page.split())
        assert "1 of 3" not in page
    ranking = (await person.http.get(f"/brands/{person.brand}")).text.partition('id="ranking"')[2]
    own = re.search(r'<tr class="own"><td>(.*?)</td>', ranking)
    assert own is not None
    assert own[1] == "–"


async def test_reversed_days_are_an_error_at_the_fields_and_stay_typed(measured: Person) -> None:
    page = (await measured.http.get(f"/brands/{measured.brand}/answers?from=2026-03-09&to=2026-03-02")).text
    assert page.count("The first day is after the last day.") == 2
    assert re.search(r'name="from" value="2026-03-09" aria-invalid="true"', page)
    assert re.search(r'name="to" value="2026-03-02" aria-invalid="true"', page)
    assert "The page shows all time." in page


@pytest.mark.browser
async def test_a_changed_filter_applies_itself_and_keeps_the_focus(browse: Browse, measured: Person) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}/prompts")
    await expect(page.get_by_role("button", name="Apply")).to_be_hidden()
    await page.locator("select[name=period]").focus()
    await page.locator("select[name=period]").select_option("90")
    await page.wait_for_url(re.compile(r"period=90"))
    await expect(page.locator("select[name=period]")).to_be_focused()
    await expect(page.locator("select[name=period]")).to_have_value("90")
    await page.go_back()
    await expect(page.locator("select[name=period]")).to_have_value("28")


@pytest.mark.browser
async def test_a_chart_shows_the_values_of_a_day_under_the_pointer_and_by_keys(
    browse: Browse, measured: Person
) -> None:
    page = await browse(measured)
    await page.goto(f"/brands/{measured.brand}")
    rows = (await measured.http.get(f"/brands/{measured.brand}/trend.json")).json()
    days = [row for row in rows if row["brand"] == "Acme" and not row["engine"]]
    chart = page.locator("svg.wide-form")
    await chart.locator(".dot").last.hover()
    readout = page.locator(".readout")
    await expect(readout).to_contain_text(f"Acme{max(days, key=lambda row: row['day'])['value']:.1f}")
    await expect(readout).to_contain_text("Rival")
    await page.mouse.move(0, 0)
    await expect(readout).to_have_count(0)
    await chart.focus()
    await page.keyboard.press("ArrowRight")
    await expect(readout).to_contain_text(f"Acme{min(days, key=lambda row: row['day'])['value']:.1f}")
    await page.keyboard.press("Escape")
    await expect(readout).to_have_count(0)
    first, last = [await chart.locator(".dot").nth(at).bounding_box() for at in (0, -1)]
    assert first is not None
    assert last is not None
    height = first["y"] - 20
    await page.mouse.move(first["x"] + first["width"] / 2, height)
    await page.mouse.down()
    await page.mouse.move(last["x"] + last["width"] / 2, height)
    await page.mouse.up()
    oldest, newest = (choose(row["day"] for row in days) for choose in (min, max))
    await page.wait_for_url(re.compile(f"from={oldest}&to={newest}"))


@pytest.mark.browser
async def test_the_overview_is_one_screen(browse: Browse, measured: Person) -> None:
    page = await browse(measured, viewport={"width": 1440, "height": 900})
    await page.goto(f"/brands/{measured.brand}")
    parts = (".headline", ".stats", "#trend", "svg.wide-form", "#next", "#engines", "#ranking")
    bottoms = {
        part: await page.locator(part).evaluate("part => part.getBoundingClientRect().bottom")
        for part in parts
    }
    assert {part: bottom for part, bottom in bottoms.items() if bottom > 900} == {}


@pytest.mark.browser
async def test_a_telephone_has_five_places_and_the_others_one_tap_away(
    browse: Browse, measured: Person
) -> None:
    page = await browse(measured, viewport={"width": 390, "height": 844})
    await page.goto(f"/brands/{measured.brand}")
    places = page.locator(".side .places > li:visible")
    await expect(places).to_have_count(5)
    tops = await places.evaluate_all("parts => parts.map((part) => part.getBoundingClientRect().top)")
    assert min(tops) > 700
    await expect(page.get_by_role("link", name="Sources", exact=True)).to_be_hidden()
    await page.locator(".more summary").click()
    await page.get_by_role("link", name="Sources", exact=True).click()
    await page.wait_for_url(re.compile("/sources"))
    await expect(page.locator("select[name=period]")).to_be_hidden()
    await page.locator(".sheet summary").click()
    await expect(page.locator("select[name=period]")).to_be_visible()


async def test_near_values_far_from_zero_fill_the_axis(ada: Person, service: Running, tmp_path: Path) -> None:
    person = await measure(ada, service, tmp_path, ((12, 8), (6, 8), (1, 8)))
    address = f"/brands/{person.brand}?metric=mentionCount&rivals=no"
    near = (await person.http.get(address)).text
    await measure_again(person, service, tmp_path, 3, 1)
    far = (await person.http.get(address)).text
    for page, starts_at_zero in ((near, False), (far, True)):
        chart = page[page.index('class="time wide-form"') :]
        marks = [
            float(mark)
            for mark in re.findall(r'text-anchor="end">([\d.]+)</text>', chart[: chart.index("</svg>")])
        ]
        assert (marks[0] == 0) is starts_at_zero, marks
        assert len({round(after - before, 6) for before, after in pairwise(marks)}) == 1, "equal steps"


async def test_a_day_without_a_value_of_a_competitor_shows_a_dash(
    ada: Person, service: Running, tmp_path: Path
) -> None:
    person = await measure(ada, service, tmp_path, ((12, 8), (6, 8)))
    await measure_again(person, service, tmp_path, 3, 8, text="1. Acme: liked\n2. Rival: near\n3. Third: far")
    await measure_again(
        person, service, tmp_path, 1, 8, text="1. Acme: people here like it\n2. Elsewhere: it is far away"
    )
    page = await person.http.get(f"/brands/{person.brand}?metric=averagePosition")
    assert page.status_code == 200
    newest = page.text[page.text.index("<tbody><tr><td>") :].split("</tr>")[0]
    assert newest.count('<td class="number">–</td>') == 2, "Rival and Third are not ranked on that day"


def test_the_name_of_a_line_is_cut_at_a_word() -> None:
    today = datetime(2026, 11, 28, tzinfo=UTC).date()
    points = [{"day": today.isoformat(), "value": 40.0}]
    names = ["Zentrix (synthetic)", "Morvani", "Donaudampfschifffahrt"]
    lines = [ChartLine(name, points) for name in names[1:]]
    axis = fit_axis([40.0], str, str)
    chart = str(time_chart(points, today, today, "Score", axis, lines=lines, own_name=names[0]))
    shown = [re.findall(r"</title>([^<]+)</text>", form) for form in chart.split("</svg>")[:2]]
    wide, narrow = map(set, shown)
    assert wide == {"Zentrix (synthetic)", "Morvani", "Donaudampfschifffah…"}
    assert narrow == {"Zentrix…", "Morvani", "Donaudampfs…"}


@pytest.mark.parametrize("most", [3, 7, 10, 23, 90, 240])
def test_marks_of_an_axis_of_counts_are_whole(most: int) -> None:
    axis = fit_axis([0, most], str, str)
    step = (axis.most - axis.least) / 4
    assert step == int(step)
    assert axis.most >= most


async def test_every_component_is_shown(measured: Person) -> None:
    page = (await measured.http.get("/help/components")).text
    macros = re.findall(r"{% macro (\w+)\(", (WEB / "layout" / "components.html").read_text(encoding="utf-8"))
    shown = (WEB / "help" / "components.html").read_text(encoding="utf-8")
    assert [name for name in macros if not re.search(rf"\b{name}\(", shown)] == []
    assert 'class="skeleton' in page


def css_classes() -> dict[str, set[str]]:
    """Return the classes of each style sheet's selectors."""
    found: dict[str, set[str]] = {}
    for file in sorted((WEB / "static").glob("*.css")):
        text = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        selectors = re.findall(r"([^{}]+)\{", text)
        found[file.name] = {name for selector in selectors for name in SELECTOR_CLASS.findall(selector)}
    return found


def test_style_sheets_are_short_and_have_no_unused_class() -> None:
    sources = [file for kind in ("*.html", "*.py", "*.js") for file in WEB.rglob(kind)]
    sources += (WEB.parent / "workflows").rglob("*.py")  # states of sentences are classes
    text = "\n".join(file.read_text(encoding="utf-8") for file in sources)
    words = set(re.findall(r"[\w-]+", text)) | {f"rival-{number}" for number in range(1, 5)}
    unused = {file: sorted(names - words) for file, names in css_classes().items() if names - words}
    assert unused == {}
    lines = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in (WEB / "static").glob("*.css"))
    assert lines <= MOST_CSS_LINES
