"""The process that drives Chromium: it opens pages, inspects them, fills fields by name, and reports line by line.

It is started by `python -m readiness.browsing.browser_worker`, reads one order from its input, writes JSON lines, and
is killed with all its children when it takes too long. Nothing is ever sent: before a field is filled the network is
sealed, and the worker goes on only when it hears that it is.
"""

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TypedDict, cast

from playwright.async_api import BrowserContext, Dialog, Page, async_playwright
from playwright.async_api import Error as BrowserError

from readiness.browsing.form_filling import fill_appointment, fill_search, find_telephone
from readiness.survey.rendered_page import RenderedPage, TaskAttempt

WATCH = r"""
(() => {
  const seen = {tools: [], shift: 0, measured: false, first: 0, last: 0, window: 0};
  const note = (tool) => {
    try { if (tool && tool.name && seen.tools.length < 50) seen.tools.push(String(tool.name).slice(0, 100)); } catch {}
  };
  const context = {
    registerTool(tool) { note(tool); return {unregister() {}}; },
    unregisterTool() {},
    provideContext(given) { try { [...((given && given.tools) || [])].slice(0, 50).forEach(note); } catch {} },
    clearContext() {},
  };
  const places = [[Navigator.prototype, 'modelContext'], [Document.prototype, 'modelContext'], [window, 'agent']];
  for (const [owner, name] of places) {
    try { Object.defineProperty(owner, name, {value: context, configurable: false, writable: false}); } catch {}
  }
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'WebTransport', 'WebSocket', 'EventSource']) {
    try { delete window[name]; } catch {}
  }
  try {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (entry.hadRecentInput) continue;
        const fresh = entry.startTime - seen.last > 1000 || entry.startTime - seen.first > 5000;
        if (fresh) { seen.first = entry.startTime; seen.window = 0; }
        seen.window += entry.value;
        seen.last = entry.startTime;
        seen.shift = Math.max(seen.shift, seen.window);
      }
    }).observe({type: 'layout-shift', buffered: true});
    seen.measured = true;
  } catch {}
  Object.defineProperty(window, '__readiness', {value: seen, enumerable: false, configurable: false});
})();
"""
"""A page's own sockets are removed; the gate would block them anyway."""

COUNT = r"""
() => {
  const text = (document.body ? document.body.innerText : '').slice(0, 400000);
  const seen = window.__readiness || {tools: [], shift: 0, measured: false};
  return {
    words: text.split(/\s+/).filter(Boolean).length,
    shift: seen.measured ? Number(seen.shift) : null,
    tools: [...seen.tools].map(String).slice(0, 50),
  };
}
"""

PAGE_SECONDS, LOOK_SECONDS, FILL_SECONDS, QUIET_MS, SETTLED_MS = 9.0, 4.0, 5.0, 2_500, 1_000
MOST_NODES, SHOWN_NAMELESS = 5_000, 5
INTERACTIVE = frozenset(
    [
        "button", "link", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider",
        "spinbutton", "listbox", "menuitem", "tab",
    ]
)  # fmt: skip
FLAGS = (
    "--proxy-bypass-list=<-loopback>", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp", "--disable-quic", "--disable-gpu",
    "--disable-webgl", "--disable-background-networking", "--disable-component-update",
    "--disable-domain-reliability", "--disable-dev-shm-usage", "--disable-remote-fonts",
    "--disable-notifications", "--disable-speech-api", "--disk-cache-size=1", "--media-cache-size=1",
    "--mute-audio", "--no-pings", "--no-service-autorun", "--renderer-process-limit=2",
    "--js-flags=--max-old-space-size=256",
)  # fmt: skip


class PageOrder(TypedDict):
    """One page to open and what to try on it: `search`, `appointment`, `telephone`."""

    url: str
    tasks: list[str]


class Order(TypedDict):
    """The order to the worker: which browser, through which gate, which pages."""

    executable: str
    folder: str
    proxy: str
    fingerprint: str
    agent: str
    pages: list[PageOrder]


def report(event: str, **values: object) -> None:
    """Write one line to the parent process."""
    sys.stdout.write(json.dumps({"event": event, **values}) + "\n")
    sys.stdout.flush()


async def receive() -> str:
    """Wait for one line from the parent process."""
    return (await asyncio.to_thread(sys.stdin.readline)).strip()


async def open_pages(order: Order) -> None:
    """Open every page in turn and report it; a page that fails is reported as lost."""
    async with async_playwright() as playwright:
        context = await playwright.chromium.launch_persistent_context(
            order["folder"],
            executable_path=order["executable"],
            chromium_sandbox=True,
            args=[*FLAGS, f"--ignore-certificate-errors-spki-list={order['fingerprint']}"],
            proxy={"server": order["proxy"]},
            user_agent=order["agent"],
            service_workers="block",
            accept_downloads=False,
            locale="en-US",
            timezone_id="UTC",
            viewport={"width": 1280, "height": 900},
        )
        await context.add_init_script(WATCH)
        report("started")
        for page_order in order["pages"]:
            try:
                rendered = await asyncio.wait_for(open_page(context, page_order), PAGE_SECONDS + FILL_SECONDS)
                report("page", page=asdict(rendered))
            except (BrowserError, TimeoutError) as error:
                report("lost", url=page_order["url"], cause=type(error).__name__)
        report("end")
        await context.close()


async def open_page(context: BrowserContext, order: PageOrder) -> RenderedPage:
    """Open one page in its own tab, inspect it, then try its tasks with the network sealed."""
    page = await context.new_page()
    page.set_default_timeout(LOOK_SECONDS * 1000)
    page.on("dialog", dismiss)
    page.on("popup", close)
    try:
        await page.goto(order["url"], wait_until="domcontentloaded", timeout=PAGE_SECONDS * 1000)
        with suppress(BrowserError):  # a page that never settles is inspected as it is
            await page.wait_for_load_state("networkidle", timeout=QUIET_MS)
        await page.wait_for_timeout(SETTLED_MS)
        counted = await asyncio.wait_for(page.evaluate(COUNT), LOOK_SECONDS)
        controls, nameless = await asyncio.wait_for(count_controls(page), LOOK_SECONDS)
        attempts = await try_tasks(page, order["tasks"])
    finally:
        await asyncio.wait_for(page.close(), LOOK_SECONDS)
    shift = counted["shift"]
    return RenderedPage(
        url=order["url"],
        words=int(counted["words"]),
        controls=controls,
        named=controls - len(nameless),
        nameless=tuple(nameless[:SHOWN_NAMELESS]),
        shift=round(float(shift), 4) if shift is not None else None,
        tools=tuple(str(tool) for tool in counted["tools"]),
        **attempts,
    )


async def dismiss(dialog: Dialog) -> None:
    """Leave a dialog of the page unanswered."""
    await dialog.dismiss()


async def close(page: Page) -> None:
    """Close a window that the page opened."""
    await page.close()


async def count_controls(page: Page) -> tuple[int, list[str]]:
    """Count the controls of the accessibility tree, and return the roles of those without a name."""
    client = await page.context.new_cdp_session(page)
    tree = cast(dict[str, Any], await client.send("Accessibility.getFullAXTree"))  # pyright: ignore[reportUnknownMemberType] - untyped there
    controls, nameless = 0, list[str]()
    for node in tree["nodes"][:MOST_NODES]:
        role = str(node.get("role", {}).get("value", ""))
        if node.get("ignored") or role not in INTERACTIVE:
            continue
        controls += 1
        if not str(node.get("name", {}).get("value", "")).strip():
            nameless.append(role)
    return controls, nameless


async def try_tasks(page: Page, tasks: list[str]) -> dict[str, TaskAttempt | None]:
    """Try every task of the page by names alone; the network is sealed from before the first to after the last."""
    if not tasks:
        return {}
    report("seal")
    if await receive() != "sealed":
        raise BrowserError("not sealed")
    tried: dict[str, TaskAttempt | None] = {}
    for task in tasks:
        try:
            tried[task] = await asyncio.wait_for(TASKS[task](page), FILL_SECONDS)
        except (BrowserError, TimeoutError):
            continue
    return tried


TASKS = {"search": fill_search, "appointment": fill_appointment, "telephone": find_telephone}


def main() -> None:
    """Read the order and carry it out."""
    order: Order = json.loads(sys.stdin.readline())
    asyncio.run(open_pages(order))


if __name__ == "__main__":
    main()
