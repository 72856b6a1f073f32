"""The pages in Chromium: the whole path of a key, and every page wide and narrow, light and dark."""

import json
import shutil
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.async_api import Browser, Page, async_playwright

from engines.registry import Registry
from engines.settings import EngineSettings
from storage.database import Database
from workflows.brand_files import parse_brands, save_brands
from workflows.captured_answers import Importer
from workflows.publishing import Publisher

CHROMIUM = shutil.which("chromium")
AXE = Path(__file__).parents[1] / "node" / "node_modules" / "axe-core" / "axe.min.js"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PASSWORD = "four unrelated words"
WAITS = 20_000
LOUD = ("error", "warning")
SIGNED_OUT = (
    "/",
    "/connect",
    "/auth/login",
    "/auth/signup",
    "/readiness",
    "/readiness/bot",
    "/readiness/methodology",
    "/readiness/report?url=www.example.com",
)
SIGNED_IN = (
    "/",
    "/connect",
    "/readiness",
    "/settings/keys",
    "/settings/apps",
    "/settings/engines",
    "/settings/people",
    "/settings/profile",
)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on the PATH"),
]


@pytest.fixture
async def chromium() -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


async def opened(chromium: Browser, person: Any, **look: Any) -> Page:
    """Open a browser as a person, with the session they have over HTTP if they have one."""
    context = await chromium.new_context(
        base_url=str(person.http.base_url), extra_http_headers={"X-Forwarded-For": person.address}, **look
    )
    cookies = [
        {"name": name, "value": value, "url": str(person.http.base_url)}
        for name, value in person.http.cookies.items()
    ]
    if cookies:
        await context.add_cookies(cookies)  # pyright: ignore[reportArgumentType] # a typed dict with fewer keys
    page = await context.new_page()
    page.set_default_timeout(WAITS)
    return page


async def test_a_key_is_made_used_revoked_and_refused(chromium: Browser, meet: Callable[..., Any]) -> None:
    person = meet()
    page = await opened(chromium, person)
    await page.goto("/")
    await page.get_by_role("link", name="Make an account").click()
    await page.get_by_label("Company").fill(person.company)
    await page.get_by_label("Your name").fill("Ada")
    await page.get_by_label("E-mail address").fill(person.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Make account").click()
    await page.get_by_label("Description (optional)").fill("for curl")
    await page.get_by_role("button", name="Make key").click()
    key = (await page.locator("[data-copy='the key']").inner_text()).strip()
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy the key").click()
    await page.get_by_text("the key copied").wait_for(state="attached")
    assert await page.evaluate("navigator.clipboard.readText()") == key

    async def called() -> int:
        path, headers = "/api/mcp-app/rest/list_brand_profiles", {"Authorization": f"Bearer {key}"}
        return (await person.http.post(path, json={}, headers=headers)).status_code

    assert await called() == 200
    await page.get_by_role("button", name="Revoke the key for curl").click()
    await page.get_by_text("revoked").first.wait_for()
    assert await called() == 401
    await page.get_by_role("button", name="Sign out").click()
    await page.get_by_role("heading", name="Sign in").wait_for()


PROMPTS = [
    f"Which {thing} would you pick?"
    for thing in ("car", "van", "truck", "bus", "bike", "cab", "boat", "tram")
]


def captured(day: datetime, named: int) -> list[dict[str, Any]]:
    """Answers of one day: Acme is named in the first `named` of them, Rival in every second one."""
    lines: list[dict[str, Any]] = []
    for number, prompt in enumerate(PROMPTS):
        names = (["Acme"] if number < named else []) + (["Rival"] if number % 2 else [])
        text = f"I would look at {' and '.join(names)}. A good choice." if names else "It depends."
        lines.append(
            {
                "platform": "chatgpt",
                "prompt": prompt,
                "text": text,
                "captured_at": day.isoformat(),
                "model": "tester-1",
                "source_id": f"{day.date()}-{number}",
            }
        )
    return lines


@pytest.fixture
async def measured(ada: Any, service: Any, tmp_path: Path) -> Any:
    """An owner whose company has one brand with measurements of four days, and one that was never measured."""
    now = datetime.now(UTC)
    database = await Database.open(service.settings.database_url)
    try:
        company = await database.operators.companies.find(ada.company)
        assert company is not None
        text = json.dumps(
            [
                {
                    "name": "Acme",
                    "industry": "vehicles",
                    "competitors": [{"name": "Rival"}, {"name": "Third"}],
                },
                {"name": "Quiet brand"},
            ]
        )
        brands = await save_brands(
            database, company.id, parse_brands(text.encode(), "brands.json"), "brands.json", now
        )
        async with Registry(EngineSettings()) as engines:
            importer = Importer(
                database, Publisher(database, list(engines.platforms), lambda: now), lambda: now
            )
            for ago, named in ((12, 3), (6, 4), (5, 6), (1, 5)):
                path = tmp_path / f"{ago}.jsonl"
                lines = captured(now - timedelta(days=ago), named)
                path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
                await importer.import_file(company.id, brands[0], path)
        ada.brand = brands[0].id
    finally:
        await database.close()
    return ada


async def faults(page: Page) -> list[str]:
    """What the accessibility checker finds serious, and whether anything is wider than the window."""
    found: list[str] = []
    wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    if wide > 0:
        found.append(f"{wide} pixels wider than the window")
    if AXE.exists():
        await page.evaluate(AXE.read_text(encoding="utf-8"))
        outcome = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
        found += [
            f"{one['id']}: {one['nodes'][0]['html'][:120]}"
            for one in outcome["violations"]
            if one["impact"] in ("serious", "critical")
        ]
    return found


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
async def test_every_page_fits_and_is_accessible(
    chromium: Browser, measured: Any, meet: Callable[..., Any], width: int, scheme: str
) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not in tests/node/node_modules: run npm ci there")
    for person, paths in (
        (meet(), SIGNED_OUT),
        (measured, (*SIGNED_IN, f"/brands/{measured.brand}", "/brands/none")),
    ):
        page = await opened(
            chromium,
            person,
            viewport={"width": width, "height": 800},
            color_scheme=scheme,
            bypass_csp=True,
        )
        for path in paths:
            await page.goto(path)
            assert await faults(page) == [], path
        await page.context.close()


async def test_no_page_breaks_its_own_policy_or_asks_another_host(chromium: Browser, measured: Any) -> None:
    page = await opened(chromium, measured)
    said: list[str] = []
    asked: set[str] = set()
    page.on("console", lambda message: said.append(message.text) if message.type in LOUD else None)
    page.on("request", lambda request: asked.add(request.url.split("/")[2]))
    for path in (*SIGNED_IN, f"/brands/{measured.brand}"):
        await page.goto(path)
    assert said == []
    assert asked == {str(httpx2.URL(measured.http.base_url).netloc.decode())}


async def test_the_start_page_shows_what_the_tools_say_and_what_to_do_next(
    measured: Any, service: Any
) -> None:
    key = await measured.make_key()
    response = await measured.http.post(
        "/api/mcp-app/rest/get_ai_visibility_score",
        json={"brandId": "Acme"},
        headers={"Authorization": f"Bearer {key}"},
    )
    score = response.json()
    text = " ".join((await measured.text("/")).split())
    assert score["score"] is not None
    assert f"{score['score']:.1f} of 100" in text
    assert f"95 % interval {score['interval']['low']:.1f} to {score['interval']['high']:.1f}" in text
    assert score["change"]["verdict"].replace("_", " ") in text
    assert "Never measured" in text
    assert '--brand "Quiet brand"' in text
