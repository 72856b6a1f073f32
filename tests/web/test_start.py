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

from tests.web.conftest import Meet, Person, Running

PASSWORD = "four unrelated words"
MOST_CLICKS = 8
SHOTS = os.environ.get("SETUP_SHOTS")
LOUD = ("error", "warning")
# As few as a score can stand on.
QUESTIONS = [
    f"Which car brand is best for {use}?"
    for use in ("families", "commuters", "students", "towing", "winters", "cities", "deserts", "mountains")
]
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
    await clicks.click("link", "Make an account")
    await page.get_by_label("Company").fill(person.company)
    await page.get_by_label("Your name").fill("Ada")
    await page.get_by_label("E-mail address").fill(person.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await clicks.click("button", "Make account")
    await page.get_by_label("Name of the brand").fill("Toyota")
    await clicks.click("button", "Continue")
    await page.get_by_label("Industry", exact=True).select_option("Car brand")
    await clicks.click("button", "Continue")
    await page.get_by_label("Competitors, one per line", exact=True).fill("Honda\nFord")
    await clicks.click("button", "Continue")
    await page.get_by_label("Your own questions, one in each line (optional)").fill("\n".join(QUESTIONS))
    await clicks.click("button", "Continue with selected")
    await page.get_by_text("Local demo model").wait_for()
    await clicks.click("button", "Continue")
    await page.get_by_text("16 questions in all").wait_for()
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


async def set_up(person: Any, name: str = "Toyota") -> tuple[str, str]:
    """Go through all steps over plain HTTP; return the brand's id and the address of the measurement."""
    checked = await person.submit("/start", {"name": name, "website": ""})
    fields = {**hidden_fields(checked.text), "industry": "car_maker", "place": "Springfield"}
    rivals = location(await person.http.post("/start/profile", data=fields))
    assert rivals.endswith("/rivals?industry=car_maker&place=Springfield")
    brand_id = rivals.split("/")[2]
    page = f"/start/{brand_id}/rivals"
    words = {"industry": "car_maker", "place": "Springfield", "rivals": "Honda\n Ford \n\nHonda"}
    questions = location(await person.submit(page, words))
    words = {"accept": "ticked", "take0": "1", "own": "Which car is fun? Answer in one word."}
    engines = location(await send(person, questions, words))
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
    return await person.http.post(page.partition("?")[0], data=hidden_fields(shown.text) | fields)


def hidden_fields(html: str) -> dict[str, str]:
    """Return the hidden fields of the last form of a page."""
    form = html[html.rindex('<form class="stack"') :]
    matches = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form)
    return {name: unescape(value) for name, value in matches}


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
    assert "questions asked" in page.text or page.status_code == 303
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


async def test_a_refused_step_says_why_and_keeps_what_was_typed(ada: Person) -> None:
    empty = await ada.submit("/start", {"name": " ", "website": "www.example.com"})
    assert (empty.status_code, "Fill in this field." in empty.text) == (422, True)
    assert 'value="www.example.com"' in empty.text
    unread = await ada.submit("/start", {"name": "Acme", "website": "127.0.0.1"})
    assert "The address is not allowed" in unread.text
    assert "create_brand_profile" not in unread.text
    fields = hidden_fields(unread.text) | {"website": "", "industry": "other", "place": ""}
    brand_id = location(await ada.http.post("/start/profile", data=fields)).split("/")[2]
    page = f"/start/{brand_id}/rivals"
    twin = await ada.submit(page, {"rivals": "Acme", "industry": "", "place": ""})
    assert twin.status_code == 422
    assert "is there twice, or is the brand itself" in unescape(twin.text)
    questions = f"/start/{brand_id}/questions"
    assert '<textarea id="own" name="own" rows="4"></textarea>' in (await ada.http.get(questions)).text
    none = await send(ada, questions, {"offered": "[]", "own": ""})
    assert "Accept or write at least one question." in none.text
    branded = {"offered": "[]", "own": f"{'x' * 3000}?\nWhy?"}
    long = await send(ada, questions, branded)
    assert (long.status_code, f"{branded['own']}</textarea>" in unescape(long.text)) == (422, True)
    for bad in ("no list", "{}", '[["neutral", 1, "", ""]]'):
        sent = await send(ada, f"/start/{brand_id}/questions", {"offered": bad, "own": "Why?"})
        assert sent.status_code == 400
    assert location(await ada.http.get(f"/start/{brand_id}/measure")).endswith("/questions")


async def test_a_key_that_no_engine_takes_is_refused_on_the_page_of_engines(ada: Person) -> None:
    checked = await ada.submit("/start", {"name": "Acme", "website": ""})
    fields = hidden_fields(checked.text) | {"industry": "other", "place": ""}
    brand_id = location(await ada.http.post("/start/profile", data=fields)).split("/")[2]
    page, action = f"/start/{brand_id}/engines", f"/start/{brand_id}/engine-key"
    refused = await ada.submit(page, {"platform": "chatgpt", "secret": "no key at all"}, action)
    assert (refused.status_code, "This is no API key" in refused.text) == (422, True)
    unknown = await ada.submit(page, {"platform": "local", "secret": "a-key-1234"}, action)
    assert unknown.status_code == 404
