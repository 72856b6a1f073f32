"""The page that draws results inside a chat, in Chromium inside a small host: six views, both themes, hostile input."""

import json
import os
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client
from playwright.async_api import Browser, FrameLocator, Page, async_playwright

from oauth.principal import Caller, Principal, Scope
from server.mcp.chart_views import APP_MIME_TYPE, chart_page, chart_uri
from server.mcp.handlers import local_handlers
from server.mcp.server import build_server
from tests.tools.conftest import Office
from tools.catalog import tool_table

pytestmark = pytest.mark.browser
CHROMIUM = shutil.which("chromium")
LARGEST_PAGE = 40_000
TALLEST = 520
HOST = """<!doctype html><meta charset="utf-8"><body style="margin:0;background:BACK">
<iframe id="f" sandbox="allow-scripts" style="border:0;width:100%;height:900px"></iframe><script>
const setup = SETUP, sent = []; window.sent = sent;
const frame = document.getElementById("f");
addEventListener("message", ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  sent.push(data);
  const answer = (result) => source.postMessage({ jsonrpc: "2.0", id: data.id, result }, "*");
  if (data.method === "ui/initialize") answer({ protocolVersion: "2026-01-26", hostInfo: { name: "stub", version: "1" },
    hostCapabilities: {}, hostContext: { theme: setup.theme } });
  else if (data.method === "ui/notifications/initialized") {
    source.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-input", params: { arguments: setup.given } }, "*");
    source.postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params: setup.result }, "*");
  } else if (data.method === "tools/call") answer({ structuredContent: setup.calls[data.params.name] || {}, isError: !setup.calls[data.params.name] });
  else if (data.method === "ui/message") setup.refuses ? source.postMessage({ jsonrpc: "2.0", id: data.id, error: { code: -1, message: "no" } }, "*") : answer({});
  else if (data.id !== undefined && data.method) answer({});
  if (data.method === "ui/notifications/size-changed") frame.style.height = data.params.height + "px";
});
frame.srcdoc = setup.page;
</script>"""


@pytest.fixture
async def chromium() -> AsyncGenerator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on the PATH")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        await browser.close()


@asynccontextmanager
async def hosted(
    chromium: Browser, result: Any, *, theme: str = "light", wide: int = 700, **setup: Any
) -> AsyncGenerator[tuple[Page, FrameLocator, list[str]]]:
    """A host that shows a result in the page; yields the host, the page and every address that was requested."""
    context = await chromium.new_context(viewport={"width": wide, "height": 800})
    page = await context.new_page()
    page.set_default_timeout(60_000)
    requested: list[str] = []
    faults: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    page.on("pageerror", lambda error: faults.append(str(error)))
    whole: dict[str, Any] = {
        "page": chart_page(),
        "theme": theme,
        "calls": {},
        "refuses": False,
        "given": {"brandId": "Acme"},
        **setup,
        "result": result,
    }
    written = json.dumps(whole).replace("</", "<\\/")
    await page.set_content(
        HOST.replace("SETUP", written).replace("BACK", "#111" if theme == "dark" else "#fff")
    )
    yield page, page.frame_locator("#f"), requested
    assert faults == []
    assert [url for url in requested if not url.startswith(("about:", "data:"))] == []
    await context.close()


async def results_of(office: Office) -> dict[str, Any]:
    """What the six tools with a chart say of Acme."""
    period = {"from": "2026-03-01", "to": "2026-03-31"}
    return {
        "get_ai_visibility_score": await office.call("get_ai_visibility_score", brandId="Acme"),
        "get_competitor_rankings": await office.call("get_competitor_rankings", brandId="Acme"),
        "get_metric_trend": await office.call(
            "get_metric_trend", brandId="Acme", metricName="mentionCount", days=90
        ),
        "get_brand_snapshot": await office.call(
            "get_brand_snapshot", brandId="Acme", metricName="mentionCount", metricDays=90
        ),
        "get_prompt_results": await office.call("get_prompt_results", brandId="Acme", **period),
        "compare_periods": await office.call("compare_periods", brandId="Acme", **period),
    }


SEEN = {
    "get_ai_visibility_score": "Acme in AI answers",
    "get_competitor_rankings": "Ranking: Acme",
    "get_metric_trend": "mentionCount of Acme",
    "get_brand_snapshot": "Acme in AI answers",
    "get_prompt_results": "Prompts won and lost",
    "compare_periods": "Two periods compared",
}


async def text_of(frame: FrameLocator) -> str:
    return await frame.locator("body").inner_text()


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_all_six_results_are_drawn_within_the_height_of_a_chat(
    fallen: Office, chromium: Browser, theme: str
) -> None:
    results = await results_of(fallen)
    for tool, result in results.items():
        for wide in (700, 380):
            shown: dict[str, Any] = {"structuredContent": result}
            async with hosted(chromium, shown, theme=theme, wide=wide, calls=results) as (page, frame, _):
                await frame.locator("h1", has_text=SEEN[tool]).first.wait_for()
                await page.wait_for_function("sent.some((m) => m.method === 'ui/notifications/size-changed')")
                if tool == "get_brand_snapshot":
                    await frame.locator("svg").first.wait_for()
                height = await frame.locator("body").evaluate("(body) => body.getBoundingClientRect().height")
                overflow = await frame.locator("html").evaluate("(e) => e.scrollWidth - e.clientWidth")
                if folder := os.environ.get("CHART_PICTURES"):
                    await page.screenshot(path=Path(folder) / f"{tool}-{theme}-{wide}.png")
                assert overflow <= 0, (tool, wide)
                assert wide < 500 or height <= TALLEST, (tool, height)


async def test_a_result_is_followed_up_through_the_host(fallen: Office, chromium: Browser) -> None:
    results = await results_of(fallen)
    shown = {"structuredContent": results["get_brand_snapshot"]}
    async with hosted(chromium, shown, calls=results) as (page, frame, _):
        await frame.get_by_role("tab", name="Competitors").click()
        await frame.locator("h1", has_text="Ranking: Acme").wait_for()
        await frame.get_by_role("button", name="Prompts against Zentrix").click()
        await frame.locator("h1", has_text="Prompts won and lost").wait_for()
        await frame.get_by_role("button", name="Ask what to do next").click()
        await frame.locator("#said", has_text="Asked in the chat.").wait_for()
        sent = await page.evaluate("sent")
    called = [message["params"] for message in sent if message.get("method") == "tools/call"]
    assert [call["name"] for call in called] == ["get_competitor_rankings", "get_prompt_results"]
    (asked,) = [message["params"] for message in sent if message.get("method") == "ui/message"]
    assert asked["role"] == "user"
    assert isinstance(asked["content"], list)
    async with hosted(
        chromium, shown | {"structuredContent": results["get_ai_visibility_score"]}, refuses=True
    ) as (
        _,
        frame,
        _,
    ):
        await frame.get_by_role("button", name="Ask what to do next").click()
        await frame.locator("#said", has_text="Ask in the chat: What should we do").wait_for()


async def test_what_a_call_was_narrowed_to_stays_when_its_chart_is_followed_up(
    fallen: Office, chromium: Browser
) -> None:
    results = await results_of(fallen)
    given = {"brandId": "Acme", "platform": "gemini", "country": "DE", "days": 90, "limit": 3}
    shown = {"structuredContent": results["get_metric_trend"]}
    async with hosted(chromium, shown, calls=results, given=given) as (page, frame, _):
        await frame.get_by_role("button", name="7 days").click()
        await page.wait_for_function("sent.some((m) => m.method === 'tools/call')")
        sent = await page.evaluate("sent.find((m) => m.method === 'tools/call').params.arguments")
    assert (sent["platform"], sent["country"], sent["days"]) == ("gemini", "DE", 7)
    assert "limit" not in sent


async def test_a_trend_is_read_day_by_day_with_the_keyboard(fallen: Office, chromium: Browser) -> None:
    result = (await results_of(fallen))["get_metric_trend"]
    result["points"] = [
        {**result["points"][0], "day": f"2026-03-{day:02}", "value": day} for day in (1, 2, 3, 9)
    ]
    async with hosted(chromium, {"structuredContent": result}) as (_, frame, _):
        await frame.locator("svg").focus()
        await frame.locator("svg").press("ArrowLeft")
        await frame.locator("#said", has_text="2026-03-03: 3").wait_for()
        assert await frame.locator("svg path[stroke-width='2']").get_attribute("d") is not None


MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def hostile(value: Any, text: str) -> Any:
    """The same shape with this text in every string."""
    if isinstance(value, str):
        return text
    if isinstance(value, list):
        return [hostile(each, text) for each in cast(list[Any], value)]
    if isinstance(value, dict):
        return {key: hostile(each, text) for key, each in cast(dict[str, Any], value).items()}
    return value


async def test_hostile_results_stay_inert(fallen: Office, chromium: Browser) -> None:
    results = await results_of(fallen)
    worst: list[Any] = [hostile(result, MARKUP) for result in results.values()]
    worst += [hostile(result, "w" * 20_000) for result in results.values()]
    worst += [dict.fromkeys(result) for result in results.values()]
    worst += [{key: [1e308, -1e308, {}, None] for key in result} for result in results.values()]
    worst += [{}, {"points": [{"day": "2026-01-01", "value": 1e308}] * 5_000}, {"rankings": "no"}, 7, "text"]
    # A theme gives colors alone: each result is drawn in one, in turns.
    for structured, theme in zip(worst, cycle(("light", "dark")), strict=False):
        async with hosted(chromium, {"structuredContent": structured}, theme=theme) as (page, frame, _):
            await page.wait_for_function("sent.some((m) => m.method === 'ui/notifications/size-changed')")
            assert await frame.locator("img, main script, iframe").count() == 0
            assert "Waiting for" not in await text_of(frame)
    error = {"isError": True, "content": [{"type": "text", "text": MARKUP}]}
    async with hosted(chromium, error) as (_, frame, _):
        await frame.locator("p.bad", has_text="onerror").wait_for()


async def test_the_page_is_listed_read_and_named_by_the_tools_it_draws(office: Office) -> None:
    principal = Principal(office.companies["ours"], "key:1", frozenset({Scope.READ}))
    server = build_server(local_handlers(office.dispatcher, Caller(principal, "192.0.2.1")))
    async with Client(server) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        for name, tool in tools.items():
            assert (tool.meta or {}).get("ui") == ({"resourceUri": chart_uri()} if name in SEEN else None), (
                name
            )
        listed = {str(resource.uri): resource for resource in (await client.list_resources()).resources}
        assert listed[chart_uri()].mime_type == APP_MIME_TYPE
        for uri in (chart_uri(), "ui://seenby/charts/00000000.html"):
            (content,) = (await client.read_resource(uri)).contents
            assert content.mime_type == APP_MIME_TYPE
            assert (content.meta or {})["ui"]["csp"] == {"connectDomains": [], "resourceDomains": []}
    assert len(chart_page().encode()) < LARGEST_PAGE
    assert SEEN.keys() <= tool_table().keys()
