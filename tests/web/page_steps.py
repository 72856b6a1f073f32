"""How each page is reached: by its address, or as a person comes to it; every page of the application has a step."""

import re
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from playwright.async_api import Page

from tests.web.conftest import PROMPTS
from tests.web.page_world import World

Step: TypeAlias = Callable[[Page, World], Awaitable[object]]


def at(path: str) -> Step:
    """Open a page by its address."""
    return lambda page, world: page.goto(path)


async def new_key(page: Page, world: World) -> None:
    await page.goto("/settings/keys")
    await page.get_by_label("Description (optional)").fill("For the quarterly report")
    await page.get_by_role("button", name="Create key").click()
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
    await page.get_by_label("Brand name").fill("Delta Motors")
    await page.get_by_label("What do you sell?").fill("cars")
    await page.get_by_label("Website (optional)").fill("127.0.0.1")
    await page.get_by_role("button", name="Continue").click()
    await page.get_by_role("heading", name="Who does Delta Motors compete with?").wait_for()


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
    await page.get_by_role("heading", name="Mentions").wait_for()


async def prompt_groups(page: Page, world: World) -> None:
    tags = ("price", "service", "price, city", "city")
    lines = [f"{prompt} | choose | {tags[number % 4]}" for number, prompt in enumerate(PROMPTS)]
    await page.goto(f"/automation/sets/new?brand={world.owner.brand}")
    await page.get_by_label("Name").fill("Questions with tags")
    await page.get_by_text("Add several prompts").click()
    await page.get_by_label("One prompt per line").fill("\n".join(lines))
    await page.get_by_role("button", name="Save").click()
    await page.get_by_text("Saved.").or_(page.get_by_role("heading", name="Run", exact=True)).first.wait_for()
    await page.goto(f"/brands/{world.owner.brand}/prompts?group=tag&period=90")
    await page.get_by_role("columnheader", name="Tag").wait_for()


async def draft(page: Page, world: World) -> None:
    await page.goto(f"/brands/{world.owner.brand}/content?category=draft")
    await page.locator("table a").first.click()
    await page.get_by_text("Changes to the published text").wait_for()


async def audit(page: Page, world: World) -> None:
    await page.goto(f"/brands/{world.owner.brand}/audit")
    draw = page.get_by_role("button", name="Draw a sample")
    if await draw.count():
        await draw.click()
    await page.get_by_role("button", name="Save and continue").wait_for()


async def prompt_set(page: Page, world: World) -> None:
    await page.goto("/automation")
    await page.locator("table a").first.click()
    await page.get_by_role("heading", name="Run", exact=True).wait_for()


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
    await page.get_by_label("Run automatically").select_option("0 6 * * 1")
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
    """Archive a brand, and restore it when the plan has no room for it: the last page, as it is another brand then."""
    await page.goto(f"/brands/{world.owner.brand}/profile")
    await page.get_by_role("button", name="Archive brand…").click()
    await page.get_by_role("dialog").get_by_role("button", name="Archive brand").click()
    await page.get_by_role("button", name="Restore brand").click()
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
    "policy": at("/privacy"),
    "components": at("/help/components"),
    "methodology": at("/readiness/methodology"),
    "forgotten": at("/auth/forgotten"),
    "new-password": lambda page, world: page.goto(world.new_password),
    "api": at("/docs"),
    "shared-report": lambda page, world: page.goto(world.shared),
    "no-report": at("/readiness/report?url=nowhere.example.com"),
    "refused": at("/api/oauth/authorize?client_id=unknown"),
}
OWNERS: dict[str, Step] = {
    "start": at("/"),
    "setup-brand": at("/start"),
    "setup-profile": setup_profile,
    "setup-questions": setup("questions"),
    "setup-engines": setup("engines"),
    "setup-measure": setup("measure"),
    "answers": lambda page, world: page.goto(f"/brands/{world.owner.brand}/answers"),
    "answer": answer,
    "brand": of_brand(""),
    "brand-profile": of_brand("/profile"),
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


AFTER_A_FORM = {"setup-profile", "new-key", "new-invitation", "refused-return"}
"""Pages that answer a form: at their address another one stands."""
NAMES: dict[str, str] = {
    "/": "start",
    "/connect": "connect",
    "/auth/login": "login",
    "/auth/signup": "signup",
    "/auth/invitation": "invitation",
    "/auth/forgotten": "forgotten",
    "/auth/reset": "new-password",
    "/docs": "api",
    "/oauth/consent": "consent",
    "/shared/{token}": "shared-report",
    "/help": "help",
    "/help/{page}": "help-page",
    "/privacy": "policy",
    "/terms": "policy",
    "/support": "policy",
    "/help/components": "components",
    "/readiness": "scans",
    "/readiness/report": "no-report",
    "/readiness/methodology": "methodology",
    "/readiness/bot": "bot",
    "/readiness/sites/{slug}": "public-sites",
    "/readiness/reports/{report_id}/fixes": "fixes",
    "/readiness/reports/{report_id}/difference": "difference",
    "/readiness/reports/{report_id}": "report",
    "/start": "setup-brand",
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
    "/brands/{brand_id}/profile": "brand-profile",
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
