"""Every page wide and narrow, light and dark: it fits, is accessible, and docs/images/ has its picture.

UPDATE_PICTURES=1 takes the pictures anew, UPDATE_PICTURES=new-agent,draft those of some pages; look at each before
committing it.
"""

import os
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, TypeAlias
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page

from bench.sites import POLICY, dealer, served
from measurement.alerts.issues import IssueObservation, record
from measurement.brand_profiles import change_profile
from measurement.published_items import DRAFT
from readiness.scans.scanner import Scanner, ScanRequest
from storage.database import Database
from storage.documents.evidence import StoredEvidence
from storage.repositories.readiness import ScanDraft
from storage.repositories.repository_items import ItemDraft
from storage.repositories.suggestions import SuggestionDraft
from tests.conftest import NodeHome
from tests.web.conftest import PROMPTS, Person, Running
from tests.web.every_page import is_page, pattern_of
from tests.web.test_shared_reports import shared_link
from web.routes import FOR_PEOPLE, OPEN

ROOT = Path(__file__).parents[2]
IMAGES = ROOT / "docs" / "images"
AXE = ROOT / "tests" / "node" / "node_modules" / "axe-core" / "axe.min.js"
LOOKS: tuple[tuple[int, Literal["light", "dark"]], ...] = (
    (1280, "light"),
    (1280, "dark"),
    (360, "light"),
    (360, "dark"),
)
PICTURED = ((1280, "light"), (360, "dark"))
NARROW_AND_WIDE = (320, 640, 2560)
"""The narrowest window, half of 1280 as a zoom of 200 % makes it, and the widest."""
CUT = """() => [...document.querySelectorAll("main *")].filter((part) => {
  const box = part.getBoundingClientRect();
  if (!box.width || part.closest(".visually-hidden, .stacks thead, .scroll, svg, pre, textarea, select, option")) return false;
  return box.right > document.documentElement.clientWidth + 1 || box.left < -1;
}).map((part) => part.outerHTML.slice(0, 120))"""
"""What stands outside of the window, where no region of its own scrolls."""
PUBLISHED = """# How long does it last?

The warranty of a new van lasts five years.

Ask us for the terms."""
WRITTEN = """# How long does it last?

A new van has a warranty of seven years, the battery one of eight.

It covers parts and labor in every workshop of ours.

Ask us for the terms."""
Step: TypeAlias = Callable[[Page, "World"], Awaitable[object]]


@dataclass
class World:
    """What pages show: an owner with measurements, an app that asks, an open invitation, a report of a scan."""

    owner: Any
    app: Any
    invitation: str
    report: str
    run: str
    shared: str
    scan: str
    suggestion: str


def at(path: str) -> Step:
    """Open a page by its address."""
    return lambda page, world: page.goto(path)


async def new_key(page: Page, world: World) -> None:
    await page.goto("/settings/keys")
    await page.get_by_label("Description (optional)").fill("For the quarterly report")
    await page.get_by_role("button", name="Make key").click()
    await page.get_by_role("heading", name="Your new key").wait_for()


async def new_invitation(page: Page, world: World) -> None:
    await page.goto("/settings/people")
    await page.get_by_label("E-mail address").fill("carol@example.com")
    await page.get_by_role("button", name="Make link").click()
    await page.get_by_role("heading", name="Invitation for carol@example.com").wait_for()


def setup(step: str) -> Step:
    """Open a step of the set-up for the owner's brand."""
    return lambda page, world: page.goto(f"/start/{world.owner.brand}/{step}")


async def setup_profile(page: Page, world: World) -> None:
    await page.goto("/start")
    await page.get_by_label("Name of the brand").fill("Delta Motors")
    await page.get_by_label("Website (optional)").fill("127.0.0.1")
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("heading", name="What does Delta Motors do?").wait_for()


async def answer(page: Page, world: World) -> None:
    await page.goto(f"/brands/{world.owner.brand}/answers?outcome=names_us")
    await page.locator(".mentions a").first.click()
    await page.locator("mark.own").first.wait_for()


def of_brand(path: str) -> Step:
    """Open a page of the owner's brand."""
    return lambda page, world: page.goto(f"/brands/{world.owner.brand}{path}")


async def prompt(page: Page, world: World) -> None:
    await page.goto(f"/brands/{world.owner.brand}/prompts")
    await page.locator(".matrix tbody th a").first.click()
    await page.get_by_role("heading", name="Who is named").wait_for()


async def prompt_groups(page: Page, world: World) -> None:
    tags = ("price", "service", "price, city", "city")
    lines = [f"{prompt} | choose | {tags[number % 4]}" for number, prompt in enumerate(PROMPTS)]
    await page.goto(f"/automation/sets/new?brand={world.owner.brand}")
    await page.get_by_label("Name").fill("Questions with tags")
    await page.get_by_label("Questions, one a line").fill("\n".join(lines))
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Stored.").or_(page.get_by_role("heading", name="A run of it")).first.wait_for()
    await page.goto(f"/brands/{world.owner.brand}/prompts?group=tag&period=90")
    await page.get_by_role("columnheader", name="Tag").wait_for()


async def draft(page: Page, world: World) -> None:
    await page.goto(f"/brands/{world.owner.brand}/content?category=draft")
    await page.locator("table a").first.click()
    await page.get_by_role("heading", name="What would change").wait_for()


async def audit(page: Page, world: World) -> None:
    await page.goto(f"/brands/{world.owner.brand}/audit")
    draw = page.get_by_role("button", name="Draw a sample")
    if await draw.count():
        await draw.click()
    await page.get_by_role("button", name="Save and go on").wait_for()


async def prompt_set(page: Page, world: World) -> None:
    await page.goto("/automation")
    await page.locator("table a").first.click()
    await page.get_by_role("heading", name="A run of it").wait_for()


async def issues(page: Page, world: World) -> None:
    await page.goto("/issues")
    await page.locator("details", has_text="An engine answered").locator("summary").click()
    await page.get_by_text("An engine answered").wait_for()


async def sites_choice(page: Page, world: World) -> None:
    await page.goto("/readiness/sites")
    if await page.get_by_role("button", name="Publish the page").count():
        await page.get_by_label("acme-motors").check()
        await page.get_by_role("button", name="Publish the page").click()
        await page.get_by_role("heading", name="Its address").wait_for()


async def public_sites(page: Page, world: World) -> None:
    await sites_choice(page, world)
    await page.goto(await page.locator("#where ~ .code pre").inner_text())


async def kept_agent(page: Page, world: World) -> None:
    await page.goto("/automation/agents/new?kind=content_writer")
    await page.get_by_label("Name").fill("Writer of answers")
    await page.get_by_label("Acme").check()
    await page.get_by_label("Schedule, cron in UTC").fill("0 6 * * 1")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_role("heading", name="Its runs").wait_for()


async def ended_run(page: Page, world: World) -> None:
    await page.goto(world.run)
    while not await page.get_by_text(re.compile("completed|failed|degraded")).count():
        await page.reload()
    await page.get_by_role("heading", level=1).wait_for()


async def ended_measurement(page: Page, world: World) -> None:
    await page.goto(world.run.replace("/automation/runs/", "/measurements/"))
    await page.get_by_role("heading", level=1).wait_for()


async def webhooks(page: Page, world: World) -> None:
    await page.goto("/settings/webhooks")
    await page.get_by_role("heading", name="Webhooks").first.wait_for()


async def text(page: Page, world: World) -> None:
    await page.goto(f"/brands/{world.owner.brand}/content?category=faq")
    await page.locator("table a").first.click()
    await page.get_by_role("link", name="Edit").wait_for()


async def suggestion(page: Page, world: World) -> None:
    await page.goto(f"/brands/{world.owner.brand}/suggestions/{world.suggestion}")
    await page.get_by_role("heading", level=1).wait_for()


async def scan_progress(page: Page, world: World) -> None:
    await page.goto(f"/readiness/scans/{world.scan}")
    await page.get_by_role("heading", level=1).wait_for()


async def refused_return(page: Page, world: World) -> None:
    """Put a brand away, and find no room for it when it is to come back: the last page, as it is another brand then."""
    await page.goto(f"/brands/{world.owner.brand}")
    await page.get_by_role("button", name=re.compile("^Put")).click()
    await page.get_by_role("button", name=re.compile("Bring")).click()
    await page.get_by_role("alert").wait_for()


STRANGERS: dict[str, Step] = {
    "welcome": at("/"),
    "connect": at("/connect"),
    "login": at("/auth/login"),
    "signup": at("/auth/signup"),
    "invitation": lambda page, world: page.goto(world.invitation),
    "readiness": at("/readiness"),
    "bot": at("/readiness/bot"),
    "help": at("/help"),
    "help-page": at("/help/concepts"),
    "methodology": at("/readiness/methodology"),
    "forgotten": at("/auth/forgotten"),
    "shared-report": lambda page, world: page.goto(world.shared),
    "no-report": at("/readiness/report?url=nowhere.example.com"),
    "refused": at("/api/oauth/authorize?client_id=unknown"),
}
OWNERS: dict[str, Step] = {
    "start": at("/"),
    "setup-brand": at("/start"),
    "setup-profile": setup_profile,
    "setup-rivals": setup("rivals"),
    "setup-questions": setup("questions"),
    "setup-engines": setup("engines"),
    "setup-measure": setup("measure"),
    "answers": lambda page, world: page.goto(f"/brands/{world.owner.brand}/answers"),
    "answer": answer,
    "brand": of_brand(""),
    "score": of_brand("/score"),
    "prompts": of_brand("/prompts"),
    "prompt": prompt,
    "sources": of_brand("/sources?when=all"),
    "crawlers": of_brand("/crawlers"),
    "competitors": of_brand("/competitors"),
    "suggestions": of_brand("/suggestions"),
    "suggestion": suggestion,
    "actions": of_brand("/actions"),
    "content": of_brand("/content"),
    "new-text": of_brand("/content/new"),
    "import-texts": of_brand("/content/import"),
    "draft": draft,
    "monitors": of_brand("/monitors"),
    "brand-report": of_brand("/report"),
    "audit": audit,
    "automation": at("/automation"),
    "new-set": at("/automation/sets/new"),
    "workflow": at("/automation/workflows/ai_shop_checkup"),
    "scan": scan_progress,
    "new-agent": at("/automation/agents/new?kind=answer_prober"),
    "new-workflow": at("/automation/workflows/new?from=content_refresh"),
    "our-workflow": at("/automation/workflows/full_service"),
    "set": prompt_set,
    "notifications": at("/notifications"),
    "issues": issues,
    "keys": at("/settings/keys"),
    "new-key": new_key,
    "apps": at("/settings/apps"),
    "engines": at("/settings/engines"),
    "choices": at("/settings/notifications"),
    "budget": at("/settings/budget"),
    "data": at("/settings/data"),
    "shared": at("/settings/shared"),
    "people": at("/settings/people"),
    "new-invitation": new_invitation,
    "profile": at("/settings/profile"),
    "scans": at("/readiness"),
    "report": lambda page, world: page.goto(f"/readiness/reports/{world.report}"),
    "fixes": lambda page, world: page.goto(f"/readiness/reports/{world.report}/fixes"),
    "difference": lambda page, world: page.goto(f"/readiness/reports/{world.report}/difference"),
    "side-by-side": lambda page, world: page.goto(f"/brands/{world.owner.brand}/readiness"),
    "sites-choice": sites_choice,
    "public-sites": public_sites,
    "consent": lambda page, world: page.goto(world.app.request),
    "prompt-groups": prompt_groups,
    "agent-kinds": at("/automation/agents/new"),
    "agent": kept_agent,
    "run": ended_run,
    "measurement": ended_measurement,
    "text": text,
    "webhooks": webhooks,
    "wordpress": at("/settings/wordpress"),
    "find": at("/find?q=a"),
    "missing": at("/brands/none"),
    "refused-return": refused_return,
}


async def scanned(owner: Person, service: Running, database: Database) -> str:
    """Scan a synthetic dealer on loopback twice for the owner's company; return the id of the second report."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    host = "www.acme-motors.example.com"
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        await change_profile(workspace, brand, {"website": f"https://{host}/"}, datetime.now(UTC))
    with served({host: dealer()}) as place:
        policy = replace(POLICY, interval=0)
        scanner = Scanner(database, policy, service.url, lambda: datetime.now(UTC), place.network())
        await scanner.scan(company.id, ScanRequest(f"https://{host}/"))
        return (await scanner.scan(company.id, ScanRequest(f"https://{host}/"))).reportId


async def drafted(owner: Person, database: Database) -> None:
    """Let the owner's brand have a text, and a run's draft that would replace it."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    text = ItemDraft("Warranty of our vans", PUBLISHED, "faq")
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        await workspace.repository_items.save(brand.key, [text], datetime.now(UTC))
        [item], _ = await workspace.repository_items.page(brand.key, "faq", 1, 0)
        written = ItemDraft(text.title, WRITTEN, DRAFT, key=f"item:{item.id}")
        await workspace.repository_items.save(brand.key, [written], datetime.now(UTC))


async def alarmed(owner: Person, database: Database) -> None:
    """Let the owner's brand have an issue with both texts side by side, and one of a page."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    page = StoredEvidence(type="page", url="https://www.acme-motors.example.com/stock", excerpt="HTTP 404")
    texts = [
        StoredEvidence(type="answer", id="1", excerpt="Acme gives a warranty of two years."),
        StoredEvidence(type="profile", id="2", excerpt="Our warranty lasts five years."),
    ]
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        broken = IssueObservation(
            "crawler_error", "K1", page.url or "", "A key page answers 404", "critical", page.url, [page]
        )
        wrong = IssueObservation(
            "accuracy", "warranty", "warranty", "An answer contradicts the profile", evidence=texts
        )
        await record(workspace, brand, [broken, wrong], datetime.now(UTC))


async def waiting(owner: Person, database: Database) -> tuple[str, str]:
    """Let a scan wait for its turn, and a name be known that was dismissed; return their ids."""
    company = await database.operators.companies.find(owner.company)
    assert company is not None
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        name = SuggestionDraft("Fabrikam", "fabrikam", 3, 3, 3, ["chatgpt"], [], "lists")
        await workspace.suggestions.add(brand.key, name, datetime.now(UTC))
        [kept] = await workspace.suggestions.of_brand(brand.key)
        await workspace.suggestions.decide(kept, "dismissed", datetime.now(UTC))
        site = "www.acme-motors.example.com"
        draft = ScanDraft(f"https://{site}/", site, site, "elsewhere", site)
        return await workspace.readiness.begin(draft, datetime.now(UTC)), kept.id


async def started(owner: Person) -> str:
    """Start a run that asks no engine; return the address of its page."""
    start = "/automation/workflows/ai_shop_checkup"
    sent = await owner.submit("/automation", {"brand": owner.brand, "once": "pictures"}, start)
    assert sent.status_code == 303, sent.text
    return str(sent.headers["location"])


@pytest.fixture
async def world(measured: Person, let_in: Callable[..., Any], service: Running, database: Database) -> World:
    await measured.make_key("Dashboard")
    await measured.submit("/settings/engines", {"platform": "chatgpt", "secret": "a-key-of-a-provider-1234"})
    invited = await measured.submit("/settings/people", {"email": "bob@example.com", "role": "member"})
    link = invited.text.split("/auth/invitation?key=")[1].split("<")[0]
    app = await let_in(measured)
    await app.redeem(await app.allow(*await app.ask()))
    await alarmed(measured, database)
    await drafted(measured, database)
    questions = f"/start/{measured.brand}/questions"
    shown = await measured.http.get(questions)
    token = shown.text.rpartition('name="token" value="')[2].partition('"')[0]
    sent = await measured.http.post(questions, data={"token": token, "own": "\n".join(PROMPTS)})
    assert sent.status_code == 303
    report = await scanned(measured, service, database)
    return World(
        measured,
        app,
        f"/auth/invitation?key={link}",
        report,
        await started(measured),
        await shared_link(measured),
        *await waiting(measured, database),
    )


async def overflow(page: Page) -> list[str]:
    """Whether anything is wider than the window, and what is cut by it."""
    wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    cut: list[str] = await page.evaluate(CUT)
    return ([f"{wide} pixels wider than the window"] if wide > 0 else []) + cut[:3]


async def faults(page: Page) -> list[str]:
    """What the accessibility checker finds, and what does not fit the window."""
    faults = await overflow(page)
    outcome = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    faults += [
        f"{violation['id']}: {violation['nodes'][0]['html'][:120]}" for violation in outcome["violations"]
    ]
    return faults


def is_updated(name: str) -> bool:
    """Whether the pictures of a page are taken anew."""
    wanted = os.environ.get("UPDATE_PICTURES", "")
    return wanted == "1" or name in wanted.split(",")


async def looked_at(page: Page, name: str) -> None:
    """Check the open page in each look, and take its picture when pictures are taken."""
    await page.evaluate(AXE.read_text(encoding="utf-8"))
    for width in NARROW_AND_WIDE:
        await page.set_viewport_size({"width": width, "height": 800})
        assert await overflow(page) == [], (name, width)
    for width, scheme in LOOKS:
        await page.set_viewport_size({"width": width, "height": 800})
        await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        assert await faults(page) == [], (name, width, scheme)
        if (width, scheme) in PICTURED and is_updated(name):
            await page.screenshot(path=IMAGES / f"{name}-{width}-{scheme}.png", full_page=True)


GROUP = 12
"""Pages that one test opens."""


def groups(pages: dict[str, Step]) -> list[list[str]]:
    """Return the names of pages in groups, those alone of which pictures are wanted where some are named."""
    wanted = os.environ.get("UPDATE_PICTURES", "1")
    names = [name for name in pages if wanted == "1" or is_updated(name)]
    return [names[start : start + GROUP] for start in range(0, len(names), GROUP)]


@pytest.mark.browser
@pytest.mark.parametrize("names", [*groups(STRANGERS), *groups(OWNERS)], ids=lambda names: names[0])
async def test_every_page_fits_and_is_accessible(
    browse: Callable[..., Awaitable[Page]],
    world: World,
    meet: Callable[..., Any],
    node_home: NodeHome,
    names: list[str],
) -> None:
    is_owner = names[0] in OWNERS
    page = await browse(world.owner if is_owner else meet(), bypass_csp=True)
    for name in names:
        await (OWNERS if is_owner else STRANGERS)[name](page, world)
        routes = [route for route, shown in NAMES.items() if shown == name]
        shown = urlsplit(page.url).path
        assert not routes or pattern_of(routes[0]).fullmatch(shown), (name, shown)
        await looked_at(page, name)


NAMES: dict[str, str] = {
    "/": "start",
    "/connect": "connect",
    "/auth/login": "login",
    "/auth/signup": "signup",
    "/auth/invitation": "invitation",
    "/auth/forgotten": "forgotten",
    "/shared/{token}": "shared-report",
    "/help": "help",
    "/help/{page}": "help-page",
    "/readiness": "scans",
    "/readiness/report": "no-report",
    "/readiness/methodology": "methodology",
    "/readiness/bot": "bot",
    "/readiness/sites/{slug}": "public-sites",
    "/readiness/reports/{report_id}/fixes": "fixes",
    "/readiness/reports/{report_id}/difference": "difference",
    "/readiness/reports/{report_id}": "report",
    "/start": "setup-brand",
    "/start/{brand_id}/rivals": "setup-rivals",
    "/start/{brand_id}/questions": "setup-questions",
    "/start/{brand_id}/engines": "setup-engines",
    "/start/{brand_id}/measure": "setup-measure",
    "/measurements/{run_id}": "measurement",
    "/brands/{brand_id}": "brand",
    "/brands/{brand_id}/report": "brand-report",
    "/brands/{brand_id}/content": "content",
    "/brands/{brand_id}/content/new": "new-text",
    "/brands/{brand_id}/content/import": "import-texts",
    "/brands/{brand_id}/content/{item_id}": "text",
    "/brands/{brand_id}/content/{item_id}/draft": "draft",
    "/brands/{brand_id}/score": "score",
    "/brands/{brand_id}/prompts": "prompts",
    "/brands/{brand_id}/prompts/{prompt_id}": "prompt",
    "/brands/{brand_id}/sources": "sources",
    "/brands/{brand_id}/crawlers": "crawlers",
    "/brands/{brand_id}/competitors": "competitors",
    "/brands/{brand_id}/readiness": "side-by-side",
    "/brands/{brand_id}/actions": "actions",
    "/brands/{brand_id}/answers": "answers",
    "/brands/{brand_id}/audit": "audit",
    "/answers/{answer_id}": "answer",
    "/brands/{brand_id}/suggestions": "suggestions",
    "/brands/{brand_id}/suggestions/{suggestion_id}": "suggestion",
    "/find": "find",
    "/automation": "automation",
    "/brands/{brand_id}/monitors": "monitors",
    "/automation/agents/new": "new-agent",
    "/automation/agents/{agent_id}": "agent",
    "/automation/sets/new": "new-set",
    "/automation/sets/{set_id}": "set",
    "/automation/workflows/new": "new-workflow",
    "/automation/workflows/{workflow_id}": "workflow",
    "/automation/runs/{run_id}": "run",
    "/notifications": "notifications",
    "/issues": "issues",
    "/settings/keys": "keys",
    "/settings/apps": "apps",
    "/settings/notifications": "choices",
    "/settings/shared": "shared",
    "/settings/engines": "engines",
    "/settings/wordpress": "wordpress",
    "/settings/webhooks": "webhooks",
    "/settings/budget": "budget",
    "/settings/data": "data",
    "/settings/people": "people",
    "/settings/profile": "profile",
    "/readiness/scans/{scan_id}": "scan",
    "/readiness/sites": "sites-choice",
}
"""By route, the picture of its page; several pictures may be of one route."""
NOT_PICTURED = {"/auth/reset"}
"""The form of a new password stands behind a link that is mailed alone: tests/web/test_mailed_links.py."""


def test_every_page_of_the_application_is_looked_at() -> None:
    pages = {path for method, path, _ in (*OPEN, *FOR_PEOPLE) if method == "GET" and is_page(path)}
    assert pages - NOT_PICTURED == NAMES.keys()
    assert set(NAMES.values()) <= STRANGERS.keys() | OWNERS.keys()


def test_every_page_has_its_pictures() -> None:
    kept = {path.stem for path in IMAGES.glob("*.png")}
    assert kept == {
        f"{name}-{width}-{scheme}" for name in (*STRANGERS, *OWNERS) for width, scheme in PICTURED
    }
