"""Set-up: from sign-up to a first score in a browser, and each step over plain HTTP."""

import json
import os
import re
from collections.abc import Awaitable, Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from tests.web.conftest import Meet, Person, Run, Running
from tests.web.test_content_import import SiteServer, open_site

PASSWORD = "four unrelated words"
MOST_CLICKS = 8
SHOTS = os.environ.get("SETUP_SHOTS")
LOUD = ("error", "warning")
Browse = Callable[..., Awaitable[Page]]


class Clicks:
    """Counts the clicks of a person, and takes a picture of each step when pictures are asked for."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    async def click(self, role: Any, name: str) -> None:
        await self.picture(f"{self.count}-before-{name}")
        self.count += 1
        await self.page.get_by_role(role, name=name, exact=True).click()

    async def picture(self, name: str) -> None:
        if SHOTS:
            path = Path(SHOTS) / f"{re.sub(r'[^a-z0-9]+', '-', name.lower())}.png"
            await self.page.screenshot(path=path, full_page=True)


@pytest.mark.browser
@pytest.mark.local
@pytest.mark.timeout(600)
async def test_a_first_score_takes_at_most_eight_clicks(browse: Browse, meet: Meet, service: Running) -> None:
    person = meet()
    page = await browse(person)
    messages: list[str] = []
    page.on("console", lambda message: messages.append(message.text) if message.type in LOUD else None)
    clicks = Clicks(page)
    await page.goto("/")
    await clicks.click("link", "Create an account")
    await page.get_by_label("Company").fill(person.company)
    await page.get_by_label("Your name").fill("Ada")
    await page.get_by_label("E-mail address").fill(person.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await clicks.click("button", "Create account")
    await page.get_by_label("Brand name").fill("Toyota")
    await page.get_by_label("What do you sell?").fill("Car brand")
    await clicks.click("button", "Continue")
    await page.get_by_label("Competitors, one per line (optional)").fill("Honda\nFord")
    await clicks.click("button", "Continue")
    await page.get_by_label("Your own prompts, one per line (optional)").wait_for()
    await clicks.click("button", "Continue")
    await page.get_by_text("Local demo model").wait_for()
    await clicks.click("button", "Continue")
    await page.get_by_text("24 requests").wait_for()
    await clicks.click("button", "Measure")
    await page.get_by_role("heading", name="Measuring Toyota").wait_for()
    await page.get_by_text("Local demo model").first.wait_for(timeout=60_000)
    await clicks.picture("9-progress")
    await page.wait_for_url(re.compile(r"/brands/"), timeout=500_000)
    await page.get_by_role("heading", name="Visibility score", exact=True).wait_for()
    await clicks.picture("10-result")
    assert re.search(r"Visibility score\s+\d+\.\d", await page.locator("main").inner_text())
    assert clicks.count <= MOST_CLICKS
    assert messages == []


def location(response: Any) -> str:
    assert response.status_code == 303, response.text
    return response.headers["location"]


async def new_brand(person: Person, **typed: str) -> str:
    """Send the first step with both of its pages; return the address of the brand's prompts."""
    checked = await person.submit("/start", {"website": "", "place": "", **typed})
    assert checked.status_code == 200, checked.text
    sent = await person.http.post("/start/profile", data=form_fields(checked.text))
    return location(sent)


async def set_up(person: Person, name: str = "Toyota") -> tuple[str, str]:
    """Go through all steps over plain HTTP; return the brand's id and the address of the measurement."""
    typed = {"name": name, "category": "Car brand", "place": "Springfield", "website": ""}
    checked = await person.submit("/start", typed)
    fields = {**form_fields(checked.text), "competitors": "Honda\n Ford \n\nHonda"}
    prompts = location(await person.http.post("/start/profile", data=fields))
    assert prompts.endswith("/questions?place=Springfield")
    brand_id = prompts.split("/")[2]
    shown = form_fields((await person.http.get(prompts)).text)
    fields = {name: value for name, value in shown.items() if not name.startswith("take")}
    fields |= {"take0": "1", "own": "Which car is fun? Answer in one word."}
    engines = location(await person.http.post(prompts.partition("?")[0], data=fields))
    place = {"country-DE": "1", "language": "de", "city": "Munich", "device": "mobile"}
    nowhere = await person.submit(engines, {"engine-local": "1", **place, "timezone": "Europe/Munich"})
    assert (nowhere.status_code, "must be the name of a time zone" in nowhere.text) == (422, True)
    assert 'value="Munich"' in nowhere.text
    measure = location(await person.submit(engines, {"engine-local": "1", **place}))
    started = await send(person, measure, {"repeats": "1", "schedule": "0 6 * * 1", "once": "a"})
    return brand_id, location(started)


async def send(person: Any, page: str, fields: dict[str, str]) -> Any:
    """Open a page of the set-up and send its last form."""
    shown = await person.http.get(page)
    return await person.http.post(page.partition("?")[0], data=form_fields(shown.text) | fields)


def form_fields(html: str) -> dict[str, str]:
    """Return the hidden fields and the ticked boxes of the last form of a page."""
    form = html[html.rindex('<form class="stack"') :]
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    ticked = re.findall(r'<input type="checkbox" name="([\w-]+)" value="([^"]*)" checked', form)
    return {name: unescape(value) for name, value in [*hidden, *ticked]}


@pytest.mark.local
async def test_every_step_stores_what_was_accepted_and_typed(ada: Person) -> None:
    assert location(await ada.http.get("/")) == "/start"
    brand_id, measurement = await set_up(ada)
    key = await ada.make_key()

    async def tool(name: str, **arguments: Any) -> Any:
        headers = {"Authorization": f"Bearer {key}"}
        return (await ada.http.post(f"/api/mcp-app/rest/{name}", json=arguments, headers=headers)).json()

    profile = await tool("get_brand_profile", brandId=brand_id)
    assert (profile["name"], profile["industry"]) == ("Toyota", "Car brand")
    assert [rival["name"] for rival in profile["competitors"]] == ["Honda", "Ford"]
    (stored,) = (await tool("list_prompt_sets", includePrompts=True))["promptSets"]
    assert [prompt["text"] for prompt in stored["prompts"]] == [
        "Which car brand is the most reliable?",
        "Which car is fun? Answer in one word.",
    ]
    assert (stored["platforms"], stored["repeats"], stored["schedule"]) == (["local"], 1, "0 6 * * 1")
    place = [stored[name] for name in ("countries", "language", "city", "timezone", "device")]
    assert place == [["DE"], "de", "Munich", None, "mobile"]
    run = await tool("get_run_status", runId=measurement.rsplit("/", 1)[1])
    assert (run["workflowId"], run["brandName"]) == ("prompt_set", "Toyota")


@pytest.mark.local
async def test_progress_is_streamed_until_the_run_has_ended(ada: Person, meet: Meet) -> None:
    _, measurement = await set_up(ada)
    page = await ada.http.get(measurement)
    assert "requests" in page.text or page.status_code == 303
    stranger = meet()
    await stranger.sign_up()
    for path in (measurement, f"{measurement}/events"):
        assert (await stranger.http.get(path)).status_code == 404
    events: list[tuple[str, dict[str, Any]]] = []
    last = ""
    async with ada.http.stream("GET", f"{measurement}/events") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        kind = ""
        async for line in stream.aiter_lines():
            name, _, value = line.partition(": ")
            if name == "id":
                last = value
            elif name == "event":
                kind = value
            elif name == "data":
                events.append((kind, json.loads(value)))
    assert events[-1][0] == "ended"
    assert (events[-1][1]["state"], events[-1][1]["planned"], events[-1][1]["settled"]) == ("done", 2, 2)
    quotes = events[-1][1]["quotes"]
    assert {quote["name"] for quote in quotes} == {"Local demo model"}
    assert all(quote["prompt"] and quote["text"] for quote in quotes)
    settled = [progress["settled"] for _, progress in events]
    assert settled == sorted(settled)
    again = await ada.http.get(f"{measurement}/events", headers={"Last-Event-ID": last})
    assert "data:" not in again.text
    assert location(await ada.http.get(measurement)) == events[-1][1]["next"]


async def test_shorter_names_of_a_company_are_offered_as_its_aliases(ada: Person) -> None:
    offered = await ada.submit("/start", {"name": "AZ Coatings LLC", "category": "paint", "website": ""})
    assert "short form of AZ Coatings LLC" in offered.text
    fields = form_fields(offered.text) | {"take0": "1", "competitors": ""}
    prompts = location(await ada.http.post("/start/profile", data=fields))
    profile = await ada.http.get(f"/brands/{prompts.split('/')[2]}/profile")
    assert ">AZ Coatings<" in profile.text or "AZ Coatings</textarea>" in profile.text


async def test_a_refused_step_says_why_and_keeps_what_was_typed(ada: Person) -> None:
    empty = await ada.submit("/start", {"name": " ", "category": "tea", "website": "www.example.com"})
    assert (empty.status_code, "Fill in this field." in empty.text) == (422, True)
    assert 'value="www.example.com"' in empty.text
    no_category = await ada.submit("/start", {"name": "Acme", "category": "", "website": ""})
    assert (no_category.status_code, 'value="Acme"' in no_category.text) == (422, True)
    unread = await ada.submit("/start", {"name": "Acme", "category": "tea", "website": "127.0.0.1"})
    assert "The address is not allowed" in unread.text
    assert "create_brand_profile" not in unread.text
    fields = form_fields(unread.text) | {"website": ""}
    twin = await ada.http.post("/start/profile", data=fields | {"competitors": "Acme"})
    assert twin.status_code == 422
    assert "is there twice, or is the brand itself" in unescape(twin.text)
    assert ">Acme</textarea>" in twin.text
    fields["token"] = form_fields(twin.text)["token"]
    prompts = location(await ada.http.post("/start/profile", data=fields))
    nothing = {"offered": "[]", "own": ""}
    shown = form_fields((await ada.http.get(prompts)).text)
    none = await ada.http.post(prompts, data={"token": shown["token"], **nothing})
    assert "Choose or write at least one prompt." in none.text
    long = await send(ada, prompts, {"own": f"{'x' * 3000}?\nWhy?"})
    assert (long.status_code, f"{'x' * 3000}?\nWhy?</textarea>" in unescape(long.text)) == (422, True)
    for bad in ("no list", "{}", '[["neutral", 1, "", ""]]'):
        sent = await send(ada, prompts, {"offered": bad, "own": "Why?"})
        assert sent.status_code == 400
    brand_id = prompts.split("/")[2]
    assert location(await ada.http.get(f"/start/{brand_id}/measure")).endswith("/questions")


async def test_a_key_that_no_engine_takes_is_refused_on_the_page_of_engines(ada: Person) -> None:
    brand_id = (await new_brand(ada, name="Acme", category="tea")).split("/")[2]
    page, action = f"/start/{brand_id}/engines", f"/start/{brand_id}/engine-key"
    refused = await ada.submit(page, {"platform": "chatgpt", "secret": "no key at all"}, action)
    assert (refused.status_code, "This is no API key" in refused.text) == (422, True)
    unknown = await ada.submit(page, {"platform": "local", "secret": "a-key-1234"}, action)
    assert unknown.status_code == 404


@pytest.mark.parametrize("category", ["espresso machines", "saas", "Something else"])
async def test_suggested_prompts_ask_for_what_the_person_typed(ada: Person, category: str) -> None:
    prompts = await new_brand(ada, name="Zentrix", category=category, place="Springfield")
    shown = form_fields((await ada.http.get(prompts)).text)
    offered = [text for kind, text, *_ in json.loads(shown["offered"]) if kind == "neutral"]
    assert len(offered) >= 10
    assert all(category in text for text in offered)
    assert any("in Springfield" in text for text in offered)
    assert len([name for name in shown if name.startswith("take")]) == len(json.loads(shown["offered"]))


async def test_nothing_is_preselected_as_the_industry(ada: Person) -> None:
    page = (await ada.http.get("/start")).text
    assert "Something else" not in page
    assert re.search(r'<input id="category" name="category" value=""', page)


async def test_setup_resumes_where_the_person_left(ada: Person) -> None:
    prompts = await new_brand(ada, name="Zentrix", category="espresso machines")
    brand = prompts.partition("/questions")[0]
    assert f'<a href="{brand}">Zentrix</a>' in (await ada.http.get("/start")).text
    assert location(await ada.http.get(brand)) == f"{brand}/questions"
    assert "espresso machines" in (await ada.http.get(f"{brand}/questions")).text
    location(await send(ada, prompts, {"own": ""}))
    assert location(await ada.http.get(brand)) == f"{brand}/engines"


SHOP = """<html><head><title>Zentrix | Espresso machines for small kitchens</title>
<meta name="description" content="Hand-built espresso machines from Springfield, repaired for ten years.">
<script type="application/ld+json">{"@context": "https://schema.org", "@type": "Organization",
 "name": "Zentrix", "alternateName": "Zentrix Coffee", "telephone": "+1 212 555 0100"}</script>
</head><body><h1>Espresso machines</h1><p>Call us.</p></body></html>"""


class Shop(SiteServer):
    """A shop's site with one page."""

    def page(self, path: str) -> tuple[str, str] | None:
        return ("text/html", SHOP) if path == "/" else None


async def test_a_site_is_previewed_and_what_it_says_is_ticked(run_service: Run, meet: Meet) -> None:
    owner = meet(run_service(ALLOW_PRIVATE_SITES="on").url)
    await owner.sign_up()
    with open_site(Shop) as site:
        typed = {"name": "Zentrix", "category": "espresso machines", "website": site.url, "place": ""}
        checked = await owner.submit("/start", typed)
    assert "Hand-built espresso machines from Springfield, repaired for ten years." in checked.text
    assert "Zentrix Coffee" in checked.text
    sent = await owner.http.post("/start/profile", data=form_fields(checked.text))
    brand_id = location(sent).split("/")[2]
    page = (await owner.http.get(f"/brands/{brand_id}/profile")).text
    assert ("Zentrix Coffee" in page, "+12125550100" in page.replace(" ", "")) == (True, True)
