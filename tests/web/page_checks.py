"""What holds on every page, asked of an open one in Chromium; each check returns its faults in words, or nothing."""

import asyncio
import re
from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Literal, cast

from playwright.async_api import Page

ROOT = Path(__file__).parents[2]
AXE = ROOT / "tests" / "node" / "node_modules" / "axe-core" / "axe.min.js"
Look = tuple[int, Literal["light", "dark"]]
LOOKS: tuple[Look, ...] = ((1280, "light"), (1280, "dark"), (360, "light"), (360, "dark"))
NARROW_AND_WIDE = (320, 390, 640, 768, 820, 1024, 1440, 2560)
"""The narrowest window, telephones, half of 1280 as a zoom of 200 % makes it, tablets, and the widest."""
PAPER = 718
"""Pixels of a sheet of A4 less its margins."""
CUT = """() => [...document.querySelectorAll("main *")].filter((part) => {
  const box = part.getBoundingClientRect();
  if (!box.width || part.closest(".visually-hidden, .stacks thead, .scroll, svg, pre, textarea, select, option")) return false;
  return box.right > document.documentElement.clientWidth + 1 || box.left < -1;
}).map((part) => part.outerHTML.slice(0, 120))"""
"""What stands outside of the window, where no region of its own scrolls."""
CONTROLS = """
const within = (root) => [...root.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")]
  .filter((part) => part.checkVisibility({visibilityProperty: true}) && !part.disabled && part.tabIndex >= 0);
const told = (part) => part.outerHTML.replace(/\\s+/g, " ").slice(0, 110);
"""
"""Finds the controls of a part of the page that can be used now, as the keyboard should."""
LISTEN = f"""() => {{
  {CONTROLS}
  window.stops = new Set();
  window.unseen = new Set();
  document.addEventListener("focusin", (event) => {{
    if (event.target.matches("main")) return;
    const style = getComputedStyle(event.target);
    window.stops.add(event.target);
    if (style.outlineStyle === "none" || !parseFloat(style.outlineWidth)) window.unseen.add(told(event.target));
  }});
  document.querySelectorAll("main details").forEach((part) => {{ part.open = true; }});
  const main = document.querySelector("main");
  main.tabIndex = -1;
  main.focus();
}}"""
MISSED = f"""() => {{
  {CONTROLS}
  const isReached = (part) => window.stops.has(part) || (part.type === "radio"
    && [...window.stops].some((stop) => stop.type === "radio" && stop.name === part.name && stop.form === part.form));
  return [
    ...within(document.querySelector("main")).filter((part) => !isReached(part)).map((part) => `no Tab reaches ${{told(part)}}`),
    ...[...window.unseen].map((part) => `the focus is not seen on ${{part}}`),
  ];
}}"""
COVERED = f"""() => {{
  {CONTROLS}
  return within(document.querySelector("main")).filter((part) => {{
    part.focus();
    const box = part.getClientRects()[0];
    if (!box) return false;
    const shares = [0.02, 0.5, 0.98];
    const places = shares.flatMap((across) => shares.map((down) => [box.left + across * box.width, box.top + down * box.height]));
    return !places.some(([x, y]) => {{
      const top = document.elementFromPoint(x, y);
      return top && (part.contains(top) || top.contains(part) || [...(part.labels ?? [])].some((label) => label.contains(top)));
    }});
  }}).map((part) => `covered when it has the focus: ${{told(part)}}`);
}}"""
USELESS = f"""() => {{
  {CONTROLS}
  return [
    ...within(document).filter((part) => part.tagName === "BUTTON" && !part.popoverTargetElement
      && !(part.type === "submit" && part.form?.getAttribute("action"))).map((part) => `does nothing: ${{told(part)}}`),
    ...[...document.forms].filter((form) => !form.querySelector("button:not([type=button]), input[type=submit]"))
      .map((form) => `cannot be sent: ${{told(form)}}`),
    ...(document.querySelector("main h1") ? [] : ["no heading"]),
  ];
}}"""
NAMES = f"""() => {{
  {CONTROLS}
  return within(document.querySelector("main")).filter((part) => !part.matches(".copy, .apply"))
    .map((part) => `${{part.tagName}} ${{part.name ?? ""}} ${{part.innerText?.trim() ?? ""}}`);
}}"""
"""What each control of the page is called."""
ACCESSIBILITY = """async (rules) => {
  const only = rules.length ? {runOnly: {type: "rule", values: rules}} : {};
  const outcome = await axe.run(document, {resultTypes: ["violations"], ...only});
  return outcome.violations.map((violation) => `${violation.id}: ${violation.nodes[0].html.slice(0, 120)}`);
}"""
COLOR_RULES = ("color-contrast", "link-in-text-block")
"""What the color scheme can change; all other rules see the same page in dark as in light."""
INLINE = re.compile(r"<style|<script(?![^>]*\bsrc=\"/)|\son[a-z]+=\"|\sstyle=\"|\bsrc=\"(?!/)", re.IGNORECASE)
"""What the content security policy of the pages refuses."""
TABS_AT_ONCE, MOST_TABS = 20, 1500

BROKEN = r"""() => {
  const found = new Set(), range = document.createRange();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode, holder = text.parentElement;
    if (holder.closest("code, pre, script, style, textarea") || !holder.checkVisibility()) continue;
    for (const word of text.data.matchAll(/(?<!\S)\p{L}{2,12}(?!\S)/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
      if (lines.size > 1) found.add(`"${word[0]}" is broken in two in ${holder.outerHTML.slice(0, 80)}`);
    }
  }
  return [...found];
}"""
"""Short words that stand on two lines, for want of room."""


async def overflow(page: Page) -> list[str]:
    """Whether anything is wider than the window, and what is cut by it."""
    wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    cut: list[str] = await page.evaluate(CUT)
    return ([f"{wide} pixels wider than the window"] if wide > 0 else []) + cut[:3]


async def accessibility_faults(page: Page, rules: Sequence[str] = ()) -> list[str]:
    """What the accessibility checker finds by all its rules, or by some alone."""
    found: list[str] = await page.evaluate(ACCESSIBILITY, list(rules))
    return found


async def set_look(page: Page, look: Look) -> None:
    """Give the window a width and its reader a color scheme."""
    await page.set_viewport_size({"width": look[0], "height": 800})
    await page.emulate_media(media="screen", color_scheme=look[1], reduced_motion="reduce")


async def layout_faults(page: Page) -> list[str]:
    """What does not fit or is not accessible, zoomed, narrow and wide, light and dark."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = []
    for width in NARROW_AND_WIDE:
        await page.set_viewport_size({"width": width, "height": 800})
        broken: list[str] = await page.evaluate(BROKEN) if width == NARROW_AND_WIDE[0] else []
        found += [f"{width}: {fault}" for fault in [*await overflow(page), *broken[:3]]]
    for look in LOOKS:
        await set_look(page, look)
        rules = COLOR_RULES if look[1] == "dark" else ()
        seen = await overflow(page) + await accessibility_faults(page, rules)
        found += [f"{look[0]} {look[1]}: {fault}" for fault in seen]
    return found


async def print_faults(page: Page) -> list[str]:
    """What is wrong on paper: navigation, a dark sheet, or what stands beside the sheet."""
    await page.set_viewport_size({"width": PAPER, "height": 1000})
    await page.emulate_media(media="print", color_scheme="dark")
    found = await overflow(page)
    shown = await page.evaluate(
        """() => [...document.querySelectorAll("header.side, header.top, .skip")].filter((part) => part.checkVisibility()).map((part) => part.className)"""
    )
    paper = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    headed = await page.evaluate("document.querySelector('main h1')?.checkVisibility() ?? false")
    found += [f"navigation {shown}"] if shown else []
    found += [] if paper == "rgb(255, 255, 255)" else [f"on {paper}"]
    found += [] if headed else ["no heading"]
    return [f"on paper: {fault}" for fault in found]


async def keyboard_faults(page: Page) -> list[str]:
    """Controls of the page that Tab does not reach, that show no focus, or that something covers then."""
    await set_look(page, LOOKS[0])
    found = await _unopened(page)
    await page.evaluate(LISTEN)
    keys = await page.context.new_cdp_session(page)
    tab = {"key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9}
    for _ in range(0, MOST_TABS, TABS_AT_ONCE):
        presses = [{"type": kind, **tab} for _ in range(TABS_AT_ONCE) for kind in ("rawKeyDown", "keyUp")]
        sent = [cast("Awaitable[object]", keys.send("Input.dispatchKeyEvent", press)) for press in presses]  # pyright: ignore[reportUnknownMemberType]
        await asyncio.gather(*sent)
        if not await page.evaluate("document.querySelector('main').contains(document.activeElement)"):
            break
    found += await page.evaluate(MISSED)
    await keys.detach()
    await set_look(page, LOOKS[-1])
    return found + await page.evaluate(COVERED)


async def _unopened(page: Page) -> list[str]:
    """Whether the first thing of the page that unfolds does not unfold by Enter."""
    summary = await page.query_selector("main details:not([open]) > summary:visible")
    if summary is None:
        return []
    await summary.focus()
    await page.keyboard.press("Enter")
    is_open = await summary.evaluate("part => part.parentElement.open")
    return [] if is_open else [f"Enter does not unfold {await summary.inner_text()}"]


async def control_names(page: Page) -> list[str]:
    """What each control of the page is called in a wide window, but those that only a script or its absence needs."""
    await set_look(page, LOOKS[0])
    return await page.evaluate(NAMES)


async def script_free_faults(plain: Page, url: str, names: list[str] | None) -> list[str]:
    """What a page lacks in a browser without JavaScript: `names` are its controls in one with it, where these compare."""
    await plain.goto(url)
    found: list[str] = await plain.evaluate(USELESS)
    found += await overflow(plain)
    if names is not None:
        without = await control_names(plain)
        found += [f"only with a script: {name}" for name in names if name not in without]
        found += [f"only without a script: {name}" for name in without if name not in names]
    return [f"without JavaScript: {fault}" for fault in found]
