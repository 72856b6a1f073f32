"""Every page: fits, is accessible, works with the keyboard, prints and needs no script.

TAKE_PICTURES=1 also saves a screenshot of every page in pictures/, TAKE_PICTURES=new-agent,draft of some pages. The
screenshots that README.md shows are updated in docs/images/ at the same time.
"""

import json
import os
import re
import shutil
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page

from storage.database import Database
from tests.conftest import NodeHome
from tests.web.conftest import App, Meet, Person, Running
from tests.web.every_page import FOR_MACHINES, LEADING_ON, page_routes, pattern_of
from tests.web.page_checks import (
    INLINE,
    LOOKS,
    NARROW_AND_WIDE,
    ROOT,
    Look,
    control_names,
    keyboard_faults,
    layout_faults,
    overflow,
    print_faults,
    script_free_faults,
    set_look,
)
from tests.web.page_numbers import read_numbers
from tests.web.page_steps import AFTER_A_FORM, NAMES, OWNERS, STRANGERS, Step
from tests.web.page_world import World, plant_hostile_text, prepare_world
from tests.web.test_roles import colleague
from web.endpoints import OWN_FORMS

SHOWN = ROOT / "docs" / "images"
"""The few screenshots that README.md shows."""
PICTURES = ROOT / "pictures"
"""Screenshots of every page, which are an artifact of the checks and not committed."""
PICTURED: tuple[Look, ...] = (LOOKS[0], LOOKS[-1])
TOO_LONG = {"api"}
"""The page of all tools is forty screens long: its screenshot would show nothing."""
MOST_OPENED = 2
"""Numbers of a page that are opened here; the crawler of the demo's history opens more of the pages that it has."""
WORKING = {
    *("setup-brand", "setup-profile", "setup-questions", "setup-engines", "setup-measure"),
    *("new-text", "import-texts", "new-set", "agent-kinds", "new-agent", "new-workflow"),
}
"""Pages that consist of a form which changes something: a viewer is told so instead."""
NOWHERE = {"refused-return", "consent", "missing"}
"""What has no address of its own: the answer of a form, a question that is answered once, and what is not there."""
LEADING_NOWHERE = {"shared-report"}
"""A report behind a link shows itself and nothing else, so that its numbers open nothing."""
ACTIVE = re.compile(r"<script>alert|<img src=x|href=.?javascript:|\u202e")
Browse = Callable[..., Awaitable[Page]]


def is_pictured(name: str) -> bool:
    wanted = os.environ.get("TAKE_PICTURES", "")
    return wanted == "1" or name in wanted.split(",")


def is_walked(name: str) -> bool:
    """Whether the page is checked: every page, unless screenshots of a few named pages are wanted."""
    return os.environ.get("TAKE_PICTURES", "1") == "1" or is_pictured(name)


async def take_pictures(page: Page, name: str) -> None:
    for look in PICTURED:
        await set_look(page, look)
        picture = PICTURES / f"{name}-{look[0]}-{look[1]}.png"
        await page.screenshot(path=picture, full_page=True)
        if (SHOWN / picture.name).exists():
            shutil.copy(picture, SHOWN / picture.name)


class Walk:
    """A person's way over pages with two browsers, one of them without JavaScript; notes what is wrong with each."""

    def __init__(self, page: Page, plain: Page, world: World) -> None:
        self._page = page
        self._plain = plain
        self._world = world
        self.faults: dict[str, list[str]] = {}
        self.addresses: dict[str, str] = {}
        self.totals: dict[str, tuple[str, int]] = {}
        """A number of each kind of address that numbers open, with the page that it stands on."""

    async def look_at(self, name: str, step: Step) -> None:
        """Go to a page and ask it everything that holds on all of them."""
        page = self._page
        await step(page, self._world)
        found = [] if is_at(name, page.url) else [f"this is {page.url}"]
        self.addresses[name] = urlsplit(page.url)._replace(scheme="", netloc="").geturl()
        html = await page.content()
        found += [f"refused by the policy: {part}" for part in INLINE.findall(html)]
        found += self.number_faults(name, html)
        names = None if name in AFTER_A_FORM else await control_names(page)
        found += await layout_faults(page)
        if is_pictured(name) and name not in TOO_LONG:
            await take_pictures(page, name)
        found += await print_faults(page)
        found += await keyboard_faults(page)
        if name not in NOWHERE:
            found += await script_free_faults(self._plain, page.url, names)
        if found:
            self.faults[name] = found

    async def hostile_faults(self) -> dict[str, list[str]]:
        """Open every page again, once all stored text is hostile and long: it is inert and fits."""
        faults: dict[str, list[str]] = {}
        for name in self.addresses.keys() - NOWHERE:
            shown = await self._plain.goto(self.addresses[name])
            assert shown is not None
            found = [f"not inert: {part}" for part in set(ACTIVE.findall(await shown.text()))]
            for width in NARROW_AND_WIDE:
                await self._plain.set_viewport_size({"width": width, "height": 800})
                found += [f"with long names, {width}: {fault}" for fault in await overflow(self._plain)]
            if found:
                faults[name] = found
        return faults

    def number_faults(self, name: str, html: str) -> list[str]:
        """Numbers that open nothing; those that open something are noted, one of each kind."""
        numbers = read_numbers(html)
        for target, number in list(numbers.totals.items())[:MOST_OPENED]:
            kind = re.sub(r"=[^&#]*|[0-9a-f-]{36}", "", target)
            self.totals.setdefault(f"{name} {kind}", (target, number))
        return [] if name in LEADING_NOWHERE else [f"opens nothing: {number}" for number in numbers.closed]


def is_at(name: str, url: str) -> bool:
    """Whether an address is of the route that a page has; some pages are no route's only one."""
    routes = [route for route, shown in NAMES.items() if shown == name]
    return not routes or any(pattern_of(route).fullmatch(urlsplit(url).path) for route in routes)


async def viewer_faults(viewer: Person, name: str, address: str) -> list[str]:
    """Whether a viewer sees a page of the owner's, and finds no form on it that changes something."""
    shown = await viewer.http.get(address)
    if name in WORKING:
        return (
            [] if (shown.status_code, "Viewers are read-only" in shown.text) == (403, True) else ["it opens"]
        )
    sent = re.findall(r'<form[^>]*method="post"[^>]*action="([^"]+)"', shown.text)
    found = [f"a viewer can send {action}" for action in sent if action not in OWN_FORMS]
    return found + ([] if shown.status_code == 200 else [f"a viewer gets {shown.status_code}"])


@pytest.fixture
async def world(
    measured: Person,
    meet: Meet,
    let_in: Callable[[Person], Awaitable[App]],
    service: Running,
    database: Database,
) -> World:
    return await prepare_world(measured, meet, let_in, service, database)


@pytest.mark.browser
@pytest.mark.timeout(1800)
async def test_every_page_holds_what_is_promised_of_all(
    browse: Browse, world: World, meet: Meet, node_home: NodeHome, service: Running
) -> None:
    asked: set[str] = set()
    walks: list[Walk] = []
    for person, pages in ((meet(), STRANGERS), (world.owner, OWNERS)):
        page = await browse(person, bypass_csp=True)
        page.context.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
        plain = await browse(person, bypass_csp=True, java_script_enabled=False)
        walks.append(Walk(page, plain, world))
        for name, step in pages.items():
            if is_walked(name):
                await walks[-1].look_at(name, step)
    faults = walks[0].faults | walks[1].faults
    viewer = await colleague(world.owner, meet, "viewer")
    for name in walks[1].addresses.keys() - NOWHERE:
        address = walks[1].addresses[name]
        if found := await viewer_faults(viewer, name, address):
            faults.setdefault(name, []).extend(found)
    for at, (target, number) in walks[1].totals.items():
        opened = re.findall(r'data-count="(\d+)"', (await viewer.http.get(target)).text)
        if str(number) not in opened:
            faults.setdefault(at.partition(" ")[0], []).append(f"{number} opens {target} with {opened}")
    plant_hostile_text(service)
    for walk in walks:
        for name, found in (await walk.hostile_faults()).items():
            faults.setdefault(name, []).extend(found)
    assert faults == {}, json.dumps(faults, indent=1)
    assert asked == {urlsplit(str(world.owner.http.base_url)).netloc}, "pages ask nobody else for anything"


def test_every_page_of_the_application_is_walked_over(service: Running) -> None:
    assert page_routes(service) == NAMES.keys()
    assert set(NAMES.values()) <= STRANGERS.keys() | OWNERS.keys()


async def test_what_is_no_page_shows_none(measured: Person) -> None:
    for path in FOR_MACHINES | LEADING_ON:
        shown = await measured.http.get(
            path.replace("{tool}", "get_credits").replace("{path:path}", "nothing")
        )
        kind = shown.headers.get("content-type", "")
        assert "text/html" not in kind or path in LEADING_ON, (path, kind)


def test_committed_screenshots_are_the_few_that_readme_shows() -> None:
    shown = re.findall(r"docs/images/([\w.-]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert {path.name for path in SHOWN.iterdir()} == set(shown)
    assert len(shown) <= 12
