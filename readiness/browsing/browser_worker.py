"""The process that drives Chromium: it opens pages, inspects them, and reports line by line.

It is started by `python -m readiness.browsing.browser_worker`, reads one order from its input, writes JSON lines, and
is killed with all its children when it takes too long. It types nothing and presses nothing.
"""

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import asdict
from typing import Any, TypedDict, cast

from playwright.async_api import BrowserContext, CDPSession, Dialog, Page, async_playwright
from playwright.async_api import Error as BrowserError

from readiness.survey.rendered_page import RenderedPage

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

PAGE_SECONDS, LOOK_SECONDS, QUIET_MS, SETTLED_MS = 9.0, 4.0, 2_500, 1_000
MOST_NODES, SHOWN_NAMELESS = 5_000, 5
INTERACTIVE = frozenset(
    [
        "button", "textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider",
        "spinbutton", "listbox",
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


class Order(TypedDict):
    """The order to the worker: which browser, through which gate, which pages."""

    executable: str
    folder: str
    proxy: str
    fingerprint: str
    agent: str
    pages: list[str]


def report(event: str, **values: object) -> None:
    """Write one line to the parent process."""
    sys.stdout.write(json.dumps({"event": event, **values}) + "\n")
    sys.stdout.flush()


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
        for url in order["pages"]:
            try:
                rendered = await asyncio.wait_for(open_page(context, url), PAGE_SECONDS + LOOK_SECONDS)
                report("page", page=asdict(rendered))
            except (BrowserError, TimeoutError) as error:
                report("lost", url=url, cause=type(error).__name__)
        report("end")
        await context.close()


async def open_page(context: BrowserContext, url: str) -> RenderedPage:
    """Open one page in its own tab and inspect it."""
    page = await context.new_page()
    page.set_default_timeout(LOOK_SECONDS * 1000)
    page.on("dialog", dismiss)
    page.on("popup", close)
    try:
        await page.goto(url, wait_until="domcontentloaded", timeout=PAGE_SECONDS * 1000)
        with suppress(BrowserError):  # a page that never settles is inspected as it is
            await page.wait_for_load_state("networkidle", timeout=QUIET_MS)
        await page.wait_for_timeout(SETTLED_MS)
        counted = await asyncio.wait_for(page.evaluate(COUNT), LOOK_SECONDS)
        controls, named, nameless = await asyncio.wait_for(count_controls(page), LOOK_SECONDS)
    finally:
        await asyncio.wait_for(page.close(), LOOK_SECONDS)
    shift = counted["shift"]
    return RenderedPage(
        url=url,
        words=int(counted["words"]),
        controls=controls,
        named=named,
        nameless=tuple(nameless),
        shift=round(float(shift), 4) if shift is not None else None,
        tools=tuple(str(tool) for tool in counted["tools"]),
    )


async def dismiss(dialog: Dialog) -> None:
    """Leave a dialog of the page unanswered."""
    await dialog.dismiss()


async def close(page: Page) -> None:
    """Close a window that the page opened."""
    await page.close()


async def count_controls(page: Page) -> tuple[int, int, list[str]]:
    """Count the inputs and buttons of the accessibility tree and those with a name; return places of some without."""
    client = await page.context.new_cdp_session(page)
    tree = cast(dict[str, Any], await client.send("Accessibility.getFullAXTree"))  # pyright: ignore[reportUnknownMemberType] - untyped there
    controls, nameless = 0, list[int]()
    for node in tree["nodes"][:MOST_NODES]:
        if node.get("ignored") or str(node.get("role", {}).get("value", "")) not in INTERACTIVE:
            continue
        controls += 1
        if not str(node.get("name", {}).get("value", "")).strip():
            nameless.append(int(node["backendDOMNodeId"]))
    places = [await place_of(client, node) for node in nameless[:SHOWN_NAMELESS]]
    return controls, controls - len(nameless), places


async def place_of(client: CDPSession, node: int) -> str:
    """Return a selector of an element: its tag with its id, name or class."""
    described = cast(
        dict[str, Any],
        await client.send("DOM.describeNode", {"backendNodeId": node}),  # pyright: ignore[reportUnknownMemberType] - untyped there
    )["node"]
    written = [str(value)[:40] for value in described.get("attributes", [])]
    attributes = dict(zip(written[::2], written[1::2], strict=False))
    wanted = (f"[{name}={attributes[name]}]" for name in ("id", "name", "class") if attributes.get(name))
    return described["localName"] + next(wanted, "")


def main() -> None:
    """Read the order and carry it out."""
    order: Order = json.loads(sys.stdin.readline())
    asyncio.run(open_pages(order))


if __name__ == "__main__":
    main()
