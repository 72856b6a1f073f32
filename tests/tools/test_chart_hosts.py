"""The page of charts in two hosts as their makers publish them (AppBridge of ext-apps, AppRenderer of mcp-ui), in
Chromium: six results in both themes, hostile results, follow-ups, and no request that leaves."""

import os
import subprocess
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import FrameLocator, Page, Route, async_playwright

from server.mcp.chart_views import chart_page
from tests.conftest import NodeHome
from tests.in_full import in_full
from tests.tools.conftest import Office
from tests.tools.test_charts import CHROMIUM, MARKUP, SEEN, TALLEST, hostile, results_of

pytestmark = [pytest.mark.browser, pytest.mark.timeout(300)]
HOSTS = ("AppBridge", "AppRenderer")
HOST, SANDBOX = "http://host.example/", "http://sandbox.example/"
HOST_PAGE = """<!doctype html><meta charset="utf-8"><body style="margin:0"><div id="place"></div>
<script src="/hosts.js"></script>"""
# What a host puts between itself and a page that it does not trust: the frame that its origin is another one for.
SANDBOX_PAGE = """<!doctype html><meta charset="utf-8"><style>html,body,iframe{margin:0;border:0;width:100%;height:100%}
</style><body><script>
const inner = document.createElement("iframe");
addEventListener("message", ({ source, data }) => {
  if (source === inner.contentWindow) return parent.postMessage(data, "*");
  if (source !== parent) return;
  if (data.method !== "ui/notifications/sandbox-resource-ready") return inner.contentWindow?.postMessage(data, "*");
  inner.setAttribute("sandbox", data.params.sandbox || "allow-scripts");
  inner.srcdoc = data.params.html;
  document.body.append(inner);
});
parent.postMessage({ jsonrpc: "2.0", method: "ui/notifications/sandbox-proxy-ready", params: {} }, "*");
</script>"""
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; frame-src 'self'"


@dataclass
class ChartHosts:
    """One browser page that holds both hosts, and every address that it or a chart asked for."""

    page: Page
    requested: list[str] = field(default_factory=list[str])
    faults: list[str] = field(default_factory=list[str])

    @property
    def chart(self) -> FrameLocator:
        """The chart, behind the frame that the host keeps around it."""
        return self.page.frame_locator("iframe").frame_locator("iframe")

    async def show(self, host: str, result: Any, theme: str = "light", **calls: Any) -> None:
        """Let a host draw a result."""
        settings = {
            "host": host,
            "theme": theme,
            "html": chart_page(),
            "sandbox": SANDBOX,
            "input": {"brandId": "Acme"},
            "result": {"content": [{"type": "text", "text": "{}"}], "structuredContent": result},
            "calls": calls,
        }
        await self.page.evaluate("(settings) => show(settings)", settings)

    async def settle(self) -> None:
        """Wait until the chart has told the host its height."""
        await self.page.wait_for_function("sent.some(([kind]) => kind === 'size-changed')")

    async def background(self) -> int:
        """How bright the chart is, 0 to 255."""
        color = await self.chart.locator("body").evaluate("(body) => getComputedStyle(body).backgroundColor")
        return sum(int(part) for part in color.strip("rgb()").split(",")) // 3


@pytest.fixture(scope="module")
def bundle(node_home: NodeHome, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Both hosts as one script."""
    written = tmp_path_factory.mktemp("hosts") / "hosts.js"
    options = (
        "--bundle",
        "--format=iife",
        "--define:process.env.NODE_ENV='production'",
        f"--outfile={written}",
    )
    source = str(node_home.package / "chart_hosts.mjs")
    esbuild = node_home.package / "node_modules" / "esbuild" / "bin" / "esbuild"
    done = subprocess.run(
        [node_home.binary, esbuild, source, *options],
        env=node_home.environment,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return written.read_bytes()


@pytest.fixture
async def hosts(bundle: bytes) -> AsyncGenerator[ChartHosts]:
    """Both hosts on one page, whose addresses the browser answers itself."""
    if CHROMIUM is None:
        pytest.skip("no chromium on the PATH")
    served: dict[str, tuple[bytes, str, dict[str, str]]] = {
        HOST: (HOST_PAGE.encode(), "text/html", {}),
        f"{HOST}hosts.js": (bundle, "text/javascript", {}),
        SANDBOX: (SANDBOX_PAGE.encode(), "text/html", {"Content-Security-Policy": POLICY}),
    }
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        page = await browser.new_page(viewport={"width": 700, "height": 800})
        page.set_default_timeout(30_000)
        found = ChartHosts(page)
        page.on("pageerror", lambda error: found.faults.append(str(error)))
        page.on("dialog", lambda dialog: found.faults.append(dialog.message))

        async def answer(route: Route) -> None:
            address = route.request.url.partition("?")[0]
            found.requested.append(address)
            if address not in served:
                return await route.abort()
            body, kind, headers = served[address]
            await route.fulfill(body=body, headers={**headers, "Content-Type": kind})

        await page.route("**/*", answer)
        await page.goto(HOST)
        yield found
        assert set(found.requested) <= served.keys(), "a request left"
        # AppRenderer itself sends the theme once before it is connected, each time that it is mounted.
        assert set(found.faults) <= {"Not connected"}
        await browser.close()


async def picture(page: Page, name: str) -> None:
    """Keep what a person would see, when pictures are asked for."""
    if folder := os.environ.get("CHART_PICTURES"):
        await page.screenshot(path=Path(folder) / f"{name}.png")


@pytest.mark.parametrize("host", HOSTS)
async def test_published_hosts_draw_results_in_both_themes(
    fallen: Office, hosts: ChartHosts, host: str
) -> None:
    results = await results_of(fallen)
    for tool, result in results.items():
        await hosts.show(host, result)
        await hosts.chart.locator("h1", has_text=SEEN[tool]).first.wait_for()
        await hosts.settle()
        assert await hosts.background() > 200
        height = await hosts.chart.locator("body").evaluate("(body) => body.getBoundingClientRect().height")
        assert height <= TALLEST
        await picture(hosts.page, f"{host}-{tool}-light")
        await hosts.page.evaluate("switchTheme('dark')")
        await hosts.chart.locator("html[style*='dark'], html[data-theme='dark']").wait_for(state="attached")
        assert await hosts.background() < 60
        await picture(hosts.page, f"{host}-{tool}-dark")
    await hosts.show(host, results["compare_periods"])
    await hosts.chart.get_by_text("2026-03-01 – 2026-03-31: 43.8 (24 answers)").wait_for()
    await hosts.show(host, results["get_brand_snapshot"], **results)
    await hosts.chart.get_by_role("tab", name="Competitors").click()
    await hosts.chart.locator("h1", has_text="Ranking: Acme").wait_for()
    await hosts.chart.get_by_role("button", name="Prompts against Zentrix").click()
    await hosts.chart.locator("h1", has_text="Prompts won and lost").wait_for()
    await hosts.chart.get_by_role("button", name="Ask what to do next").click()
    await hosts.chart.locator("#said", has_text="Asked in the chat.").wait_for()
    sent = await hosts.page.evaluate("sent")
    assert ["tools/call", "get_competitor_rankings"] in sent
    assert ["ui/message", "user", ["text"]] in sent
    for result in results.values():
        for worst in (hostile(result, MARKUP), dict.fromkeys(result)):
            await hosts.show(host, worst)
            await hosts.settle()
            assert await hosts.chart.locator("img, main script, iframe").count() == 0


LONG_NAME = "The Extraordinarily Long Name of a Maker of Espresso Machines and Coffee Grinders Incorporated"
RIGHT_TO_LEFT = "شركة السيارات المتحدة (المحدودة) 24"
SAMPLE = (
    "Synthetic sample data: our generator made up the brand, its competitors, the engines and every answer."
)


def ranked(result: Any, names: list[str], own: int) -> dict[str, Any]:
    """A ranking of these names; the brand stands at a place, and every third name is tied with the one above."""
    rows = [
        {
            **result["rankings"][0],
            "rank": place + 1,
            "name": name,
            "entityId": f"entity-{place}",
            "isBrand": place == own,
            "tiedWithAbove": place % 3 == 2,
            "rankingScore": max(0, 92 - 2 * place),
            "intervals": {"thesePrompts": {"low": max(0, 86 - 2 * place), "high": max(2, 97 - 2 * place)}},
        }
        for place, name in enumerate(names)
    ]
    return {**result, "rankings": rows, "notice": SAMPLE}


def odd_results(results: dict[str, Any]) -> dict[str, tuple[dict[str, Any], str]]:
    """Results with nothing, one thing, very many, long names, ties, gaps and names from right to left, by a name;
    beside each, words that its chart must show."""
    ranking, trend, matrix, compared = (
        results[tool]
        for tool in ("get_competitor_rankings", "get_metric_trend", "get_prompt_results", "compare_periods")
    )
    names = [f"Rival {number}" for number in range(41)]
    names[33] = "Acme"
    point, prompt = trend["points"][0], matrix["prompts"][0]
    days = [{**point, "day": f"2026-03-{day:02}", "value": day % 7} for day in (1, 2, 3, 9, 10, 20, 21)]
    rivals = [{**prompt["rivals"][0], "name": name, "rate": 0.3} for name in (LONG_NAME, RIGHT_TO_LEFT, "Z")]
    crowded = {**prompt, "prompt": f"{LONG_NAME}? {RIGHT_TO_LEFT}?", "rivals": rivals}
    shares = {name: (compared[name] * 4)[:4] for name in ("parts", "engines", "prompts")}
    return {
        "no rival": (ranked(ranking, [], 0), "Nothing has been ranked yet"),
        "one rival": (ranked(ranking, ["Acme", "Rival"], 0), "Prompts against"),
        "forty rivals": (ranked(ranking, names, 33), "12 of 41 drawn"),
        "odd names": (
            ranked(ranking, ["Acme", LONG_NAME, RIGHT_TO_LEFT, "עברית Ltd. (2)"], 0),
            "sample data",
        ),
        "one day": ({**trend, "points": [point]}, "As a table"),
        "days with gaps": ({**trend, "points": days, "notice": SAMPLE}, "sample data"),
        "no day": ({**trend, "points": []}, "which is not zero"),
        "crowded prompts": ({**matrix, "prompts": [crowded] * 8, "total": 30}, "5 of 30 drawn"),
        "no prompt": ({**matrix, "prompts": [], "notice": None}, "No prompt matches"),
        "all shares": ({**compared, **shares, "notice": SAMPLE}, "by engine"),
        "no difference": ({**compared, "difference": None, "interval": None}, "Two periods compared"),
    }


@pytest.mark.parametrize("host", [HOSTS[0], pytest.param(HOSTS[1], marks=in_full)])
async def test_published_hosts_draw_edge_cases_without_overflow(
    fallen: Office, hosts: ChartHosts, host: str
) -> None:
    for name, (result, words) in odd_results(await results_of(fallen)).items():
        for theme, width in (("light", 700), ("dark", 380)):
            await hosts.page.set_viewport_size({"width": width, "height": 900})
            await hosts.show(host, result, theme)
            await hosts.chart.locator("main", has_text=words).wait_for()
            await hosts.settle()
            overflow, height = await hosts.chart.locator("html").evaluate(
                "(page) => [page.scrollWidth - page.clientWidth, document.body.getBoundingClientRect().height]"
            )
            await picture(hosts.page, f"{host}-{name}-{theme}")
            assert overflow <= 0, (name, width)
            assert width < 500 or height <= TALLEST, (name, height)
            if name == "forty rivals":
                labels = await hosts.chart.locator("main svg text[font-weight='700']").all_text_contents()
                assert [label.strip("\u2068\u2069") for label in labels] == ["34  \u2068Acme"]
