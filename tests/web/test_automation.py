"""The pages of automation: question sets are made, edited, previewed and put away; workflows start and are followed."""

import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from html import unescape
from typing import Any

import pytest

from storage.database import Database
from storage.documents import StoredEvidence
from storage.ids import new_id
from storage.repositories.findings import FindingDraft
from storage.repositories.runs.runs import Run, RunDraft
from storage.workspace import Workspace
from tests.web.conftest import Meet, Person
from tests.web.test_roles import colleague
from web.automation.monitors_page import QUESTIONS, STATUSES
from web.automation.prompt_set_form import read_lines

SET = {"name": "Buyers", "prompts": "Which boat? | choose | price, city\nWhich tram?", "mode": "visibility"}


HOSTILE = "<script>alert(1)</script>\u202e"


async def make_set(person: Person, **fields: str) -> str:
    """Make a set by its form; return its address."""
    form = {**SET, "repeats": "2", "brand": person.brand, "countries": "us, de", **fields}
    made = await person.submit("/automation/sets/new", form, "/automation/sets")
    assert made.status_code == 303, made.text
    return str(made.headers["location"])


def rows_of_form(page: str) -> list[tuple[str, str, str]]:
    """The prompts of a set's form with their intents and tags, without the blank rows."""
    values = dict(re.findall(r'<input name="((?:prompt|intent|tags)-\d+)" value="([^"]*)"', page))
    numbers = [name.partition("-")[2] for name in values if name.startswith("prompt-")]
    rows = [
        (values[f"prompt-{number}"], values[f"intent-{number}"], values[f"tags-{number}"])
        for number in numbers
    ]
    return [row for row in rows if row[0]]


async def test_prompts_are_edited_in_fields_and_keep_what_has_no_field(measured: Person) -> None:
    address = await make_set(measured)
    key = await measured.make_key()
    headers = {"Authorization": f"Bearer {key}"}
    prompts = [{"text": "A | B?", "branded": True, "tags": ["x"]}, {"text": "Which tram?"}]
    sent = {"promptSetId": address.rpartition("/")[2], "prompts": prompts}
    rest = "/api/mcp-app/rest"
    assert (
        await measured.http.post(f"{rest}/update_prompt_set", json=sent, headers=headers)
    ).status_code == 200
    fields = {
        **SET,
        "prompts": "Which ferry?",
        "prompt-1": "A | B?",
        "intent-1": "compare",
        "tags-1": "x, y, x",
        "country-1": "de",
        "language-1": "de",
        "prompt-2": " ",
        "prompt-3": "Which bus?",
    }
    assert (await measured.submit(address, fields)).status_code == 303
    page = (await measured.http.get(address)).text
    assert rows_of_form(page) == [
        ("A | B?", "compare", "x, y"),
        ("Which bus?", "", ""),
        ("Which ferry?", "", ""),
    ]
    listed = await measured.http.post(
        f"{rest}/list_prompt_sets",
        json={"brandId": measured.brand, "includePrompts": True, "limit": 100},
        headers=headers,
    )
    [known] = [each for each in listed.json()["promptSets"] if each["promptSetId"] == sent["promptSetId"]]
    [first, *_] = known["prompts"]
    assert (first["branded"], first["country"], first["language"]) == (True, "DE", "de")
    wrong = await measured.submit(address, {**fields, "country-1": "XX"})
    assert (wrong.status_code, 'value="XX"' in wrong.text) == (422, True)


async def test_a_set_is_made_edited_and_put_away(measured: Person) -> None:
    address = await make_set(measured, schedule="0 6 * * 1")
    page = (await measured.http.get(address)).text
    assert rows_of_form(page) == [("Which boat?", "choose", "price, city"), ("Which tram?", "", "")]
    assert "US, DE" in page
    changed = {**SET, "prompts": "Which boat? | choose | price\nWhich ferry?", "repeats": "4"}
    saved = await measured.submit(address, changed)
    assert saved.headers["location"] == f"{address}?saved=1"
    page = (await measured.http.get(address)).text
    assert ("Which ferry?" in page, "Which tram?" in page, 'value="4"' in page) == (True, False, True)
    assert "every Monday" not in await measured.text("/automation"), "an empty schedule takes it away"
    await measured.submit(address, {"archived": "1"}, f"{address}/archive")
    assert "Buyers" not in await measured.text("/automation")


async def test_schedules_have_names_and_a_custom_one_survives(
    measured: Person,
) -> None:
    address = await make_set(measured, schedule="0 6 * * 1-5")
    page = (await measured.http.get(address)).text
    assert '<option value="0 6 * * 1-5" selected>every weekday at 06:00</option>' in page
    assert "every weekday at 06:00 (UTC)" in await measured.text("/automation")
    own = {**SET, "repeats": "2", "schedule": "0 6 * * 1-5", "own-schedule": "30 7 * * 1,4"}
    assert (await measured.submit(address, own)).status_code == 303
    page = (await measured.http.get(address)).text
    assert '<option value="30 7 * * 1,4" selected>30 7 * * 1,4</option>' in page
    measuring = (await measured.http.get(f"/start/{measured.brand}/measure")).text
    assert 'value="30 7 * * 1,4" selected' in measuring
    wrong = await measured.submit(address, {**own, "own-schedule": "at dawn"})
    assert (wrong.status_code, 'value="at dawn"' in wrong.text) == (422, True)


async def test_a_schedule_is_shown_in_the_time_zone_of_its_prompt_set(measured: Person) -> None:
    address = await make_set(measured, schedule="0 6 * * 1-5", timezone="Asia/Tokyo")
    assert "every weekday at 06:00 (Asia/Tokyo)" in await measured.text("/automation")
    assert "Times are in the time zone below, or UTC if it is empty." in await measured.text(address)
    assert "Times are in UTC." in await measured.text("/automation/agents/new?kind=content_writer")


async def test_a_form_that_does_not_do_keeps_what_was_typed(measured: Person) -> None:
    form = {**SET, "repeats": "3", "brand": measured.brand, "schedule": "at dawn"}
    refused = await measured.submit("/automation/sets/new", form, "/automation/sets")
    assert (refused.status_code, ("Which boat?", "choose", "price, city") in rows_of_form(refused.text)) == (
        422,
        True,
    )
    empty = await measured.submit("/automation/sets/new", {**form, "prompts": " \n"}, "/automation/sets")
    assert "Add at least one prompt." in empty.text


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (
            "questions.csv",
            b'\xef\xbb\xbfQuestion;Intent;Tags\n"Which ferry; and why?";choose;"price, city"\nWhich boat?;;\n',
        ),
        ("questions.txt", b"Which ferry; and why? | choose | price, city\r\nWhich boat?\r\n"),
    ],
)
async def test_questions_of_a_file_are_looked_at_before_they_are_stored(
    measured: Person, name: str, content: bytes
) -> None:
    address = await make_set(measured)
    fields = {**SET, "token": await measured.token(address, address), "repeats": "7", "import": "1"}
    sent = await measured.http.post(address, data=fields, files={"file": (name, content, "text/csv")})
    text = unescape(sent.text)
    assert (sent.status_code, "1 new prompt imported, 1 already in the set" in text) == (200, True)
    assert ("Which ferry; and why?", "choose", "price, city") in rows_of_form(text)
    assert 'value="7"' in text, "what was typed stays"
    assert "Which ferry" not in await measured.text(address), "nothing is stored yet"
    typed = dict(re.findall(r'<input name="((?:prompt|intent|tags)-\d+)" value="([^"]*)"', text))
    sent = await measured.submit(address, {**SET, **typed, "prompts": "", "repeats": "2"})
    assert sent.status_code == 303
    rows = rows_of_form(unescape((await measured.http.get(address)).text))
    assert [text for text, _, _ in rows] == ["Which boat?", "Which tram?", "Which ferry; and why?"]
    assert rows[-1] == ("Which ferry; and why?", "choose", "price, city")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00q", b"", b"question\n", b"PK\x03\x04\x00"])
async def test_a_file_without_questions_is_said_and_changes_nothing(measured: Person, content: bytes) -> None:
    address = await make_set(measured)
    fields = {**SET, "token": await measured.token(address, address), "repeats": "2", "import": "1"}
    sent = await measured.http.post(address, data=fields, files={"file": ("a.csv", content)})
    assert (sent.status_code, 'role="alert"' in sent.text, "Which tram?" in sent.text) == (422, True, True)
    forged = await measured.http.post(address, data={**fields, "token": "x"}, files={"file": ("a.csv", b"a")})
    assert forged.status_code == 403


async def test_an_agent_is_made_set_up_run_and_put_away(measured: Person, meet: Meet) -> None:
    assert "Check the claims" in await measured.text("/automation/agents/new")
    form = "/automation/agents/new?kind=content_writer"
    fields = {"kind": "content_writer", "name": "Writer", "tone": "plain", "itemLimit": "9"}
    refused = await measured.submit(form, fields, "/automation/agents")
    assert (refused.status_code, 'value="plain"' in refused.text) == (422, True)
    fields |= {"itemLimit": "2", f"brand-{measured.brand}": "1", "schedule": "0 6 * * 1"}
    made = await measured.submit(form, fields, "/automation/agents")
    address = str(made.headers["location"]).partition("?")[0]
    assert "every Monday" in await measured.text("/automation")
    changed = {"name": "Second writer", "tone": "<b>warm</b>", f"brand-{measured.brand}": "1", "schedule": ""}
    await measured.submit(address, changed)
    page = (await measured.http.get(address)).text
    assert ("&lt;b&gt;warm&lt;/b&gt;" in page, "<b>warm" in page, 'value="2"' in page) == (True, False, False)
    assert "every Monday" not in await measured.text("/automation")
    viewer = await colleague(measured, meet, "viewer")
    shown = (await viewer.http.get(address)).text
    assert ("Second writer" in shown, f'action="{address}' in shown) == (True, False)
    assert (await viewer.http.post(address, data={"name": "x"})).status_code == 403
    assert (await viewer.http.get("/automation/agents/new")).status_code == 403
    await measured.submit(address, {"archived": "1"}, f"{address}/archive")
    assert "Second writer" not in await measured.text("/automation")


async def test_agent_engines_stay_selected_after_their_key_is_removed(measured: Person, meet: Meet) -> None:
    await measured.submit("/settings/engines", {"platform": "chatgpt", "secret": "a-key-of-a-provider-1234"})
    await measured.submit("/settings/engines", {"platform": "gemini", "secret": "a-key-of-a-provider-1234"})
    form = "/automation/agents/new?kind=answer_prober"
    shown = (await measured.http.get(form)).text
    assert ('name="platforms-chatgpt"' in shown, 'name="platforms"' in shown) == (True, False)
    fields = {"kind": "answer_prober", "name": "Asks", "platforms-chatgpt": "1", "platforms-gemini": "1"}
    made = await measured.submit(form, fields, "/automation/agents")
    address = str(made.headers["location"]).partition("?")[0]
    await measured.submit("/settings/engines", {}, "/settings/engines/gemini/remove")
    page = (await measured.http.get(address)).text
    assert page.count('value="1" checked') == 2
    assert "Gemini (cannot be asked now)" in page
    viewer = await colleague(measured, meet, "viewer")
    assert "ChatGPT, Gemini (cannot be asked now)" in await viewer.text(address)
    saved = await measured.submit(address, {"name": "Asks", "platforms-chatgpt": "1"})
    assert saved.status_code == 303, saved.text
    page = (await measured.http.get(address)).text
    assert ("Gemini" in page, page.count('value="1" checked')) == (False, 1)


async def test_monitors_say_what_they_saw_and_lead_to_what_to_do(measured: Person) -> None:
    address = f"/brands/{measured.brand}/monitors"
    assert f'href="{address}"' in (await measured.http.get("/automation")).text
    key = await measured.make_key()
    told = await measured.http.post(
        "/api/mcp-app/rest/get_monitoring_results",
        json={"brandId": measured.brand},
        headers={"Authorization": f"Bearer {key}"},
    )
    text = await measured.text(address)
    for monitor in told.json()["results"]:
        assert STATUSES[monitor["status"]][0] in text
        assert all(alert["title"] in text for alert in monitor["alerts"])
    assert all(question in text for question in QUESTIONS.values())
    assert "_" not in text.split("Monitors", 2)[2].partition("Every number here")[0], "no name of a script"


async def test_the_page_of_a_set_says_what_its_schedule_takes_in_a_month(measured: Person) -> None:
    await measured.submit("/settings/engines", {"platform": "chatgpt", "secret": "a-key-of-a-provider-1234"})
    fields = {"engine-chatgpt": "1", "countries": "", "schedule": "0 6 * * *"}
    text = " ".join((await measured.text(await make_set(measured, **fields))).split())
    [credits] = re.findall(r"engine, (\d+) credits", text)
    assert f"Scheduled 30 times in 30 days: {30 * int(credits)} credits" in text
    assert "in 30 days" not in await measured.text(
        await make_set(measured, **fields | {"name": "Once", "schedule": ""})
    )


async def test_a_preview_says_what_a_run_takes(measured: Person) -> None:
    await measured.submit("/settings/engines", {"platform": "chatgpt", "secret": "a-key-of-a-provider-1234"})
    address = await make_set(measured, **{"engine-chatgpt": "1", "countries": ""})
    assert "4 requests to 1 engine" in " ".join((await measured.text(address)).split())


async def test_a_workflow_starts_and_its_run_is_shown(measured: Person) -> None:
    start = "/automation/workflows/ai_shop_checkup"
    started = await measured.submit("/automation", {"brand": measured.brand, "once": "o1"}, start)
    if started.status_code == 422:
        assert re.search(r'role="alert">[^<]+', started.text), "a refusal says why"
        return
    text = await measured.text(str(started.headers["location"]))
    assert "AI shop checkup for Acme" in text


async def test_another_companys_set_is_not_found(measured: Person, meet: Meet) -> None:
    address = await make_set(measured)
    stranger = meet()
    await stranger.sign_up()
    assert (await stranger.http.get(address)).status_code == 404


@pytest.mark.parametrize(
    ("line", "prompt"),
    [
        ("Which car?", {"text": "Which car?"}),
        ("Which car?\tchoose\tprice", {"text": "Which car?", "intent": "choose", "tags": ["price"]}),
        ("Which car? || a, b, a", {"text": "Which car?", "tags": ["a", "b"]}),
    ],
)
def test_lines_are_read_as_questions(line: str, prompt: dict[str, Any]) -> None:
    assert read_lines(line) == [prompt]
    assert read_lines(f"{line}\n{line}\n\n") == [prompt]


async def test_a_brand_is_put_away_and_brought_back_on_its_page(measured: Person) -> None:
    address = f"/brands/{measured.brand}"
    put_away = await measured.submit(f"{address}/profile", {"archived": "1"}, f"{address}/archive")
    assert put_away.headers["location"] == address
    page = await measured.text(address)
    assert ("Acme is archived" in page, "Measure now" in page) == (True, False)
    brands = await measured.text("/")
    assert ("Archived:" in brands, "Open Acme" in brands) == (True, False)
    full = await measured.submit(address, {"archived": "0"}, f"{address}/archive")
    assert (full.status_code, "has room for 1 brand" in full.text) == (422, True)
    listed = (await measured.http.get("/")).text
    for other in set(re.findall(r'"(/brands/[0-9a-f-]{36})"', listed)) - {address}:
        await measured.submit(f"{other}/profile", {"archived": "1"}, f"{other}/archive")
    back = await measured.submit(address, {"archived": "0"}, f"{address}/archive")
    assert back.headers["location"] == address
    assert ("Acme is archived" in await measured.text(address), "Open Acme" in await measured.text("/")) == (
        False,
        True,
    )


async def test_the_place_of_a_set_is_typed_and_one_that_is_none_is_refused(measured: Person) -> None:
    place = {"language": "de", "city": "Munich", "region": "Bavaria", "timezone": "Europe/Berlin"}
    address = await make_set(measured, name="Placed", countries="de", device="mobile", **place)
    page = (await measured.http.get(address)).text
    assert all(f'value="{part}"' in page for part in place.values())
    assert '<option value="mobile" selected>' in page
    form = {**SET, "name": "Placed", "repeats": "2", "countries": "de", **place}
    nowhere = await measured.submit(address, {**form, "timezone": "Europe/Munich"})
    assert (nowhere.status_code, "It must be the name of a time zone" in nowhere.text) == (422, True)
    two = await measured.submit(address, {**form, "countries": "de, at"})
    assert "needs the one country" in two.text
    assert (
        await measured.submit(address, {**form, "countries": "de, at", "city": "", "region": ""})
    ).is_redirect
    page = (await measured.http.get(address)).text
    assert ("DE, AT" in page, "Munich" in page, '<option value="mobile" selected>' in page) == (
        True,
        False,
        False,
    )


def found(number: int, *, fix: str | None, severity: str = "warning") -> FindingDraft:
    title = f"Page {'abcdefghijkl'[number]} {HOSTILE}"
    evidence = [StoredEvidence(type="page", url=f"https://acme.example/{number}", excerpt=HOSTILE)]
    return FindingDraft(
        severity,
        "crawler",
        title,
        "It answers 404.",
        evidence,
        fix=fix,
        effort="small",
        check_id=f"c{number}",
    )


@asynccontextmanager
async def running(
    database: Database, person: Person, *agents: str
) -> AsyncGenerator[tuple[Workspace, Run, datetime]]:
    """A run of these agents that has begun, in one transaction, to be ended."""
    company = await database.operators.companies.find(person.company)
    assert company is not None
    run_id, now = new_id(), datetime.now(UTC)
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find(person.brand)
        assert brand is not None
        prices = tuple((agent, 1) for agent in agents)
        draft = RunDraft(run_id, brand.key, "ai_shop_checkup", "normal", None, {}, f"{now:%Y-%m}", prices)
        await workspace.runs.open(draft, now)
        await workspace.runs.begin(run_id, now)
        run = await workspace.runs.find(run_id)
        assert run is not None
        await workspace.run_agents.begin(run.key, agents[0], now)
        yield workspace, run, now


async def store_run(database: Database, person: Person, findings: Sequence[FindingDraft]) -> str:
    """Store a completed run of one agent that found something; return its id."""
    async with running(database, person, "checkup_reporter") as (workspace, run, now):
        await workspace.run_agents.end(run.key, "checkup_reporter", "completed", now, summary="It is done.")
        await workspace.findings.add(run.key, "checkup_reporter", findings)
        await workspace.runs.close(run.id, "completed", now, charged=True)
    return run.id


async def test_a_runs_page_puts_five_actions_first_and_folds_the_rest(
    measured: Person, database: Database
) -> None:
    earlier = [*(found(number, fix="Mend it.") for number in range(7)), found(7, fix=None)]
    await store_run(database, measured, earlier)
    grave = found(8, fix="Mend this at once.", severity="critical")
    run_id = await store_run(database, measured, [*earlier[:6], grave])
    page = (await measured.http.get(f"/automation/runs/{run_id}")).text
    first, done, findings = (page.index(f'<h2 id="{part}"') for part in ("first", "agents", "findings"))
    assert first < done < findings
    actions = re.findall(r"<li><p><strong>(.*?)</strong>", page[first:done])
    assert len(actions) == 5
    assert "Page i" in actions[0], "the gravest comes first"
    assert "Mend this at once." in page[first:done]
    assert "https://acme.example/8" in page[first:done]
    folded = re.sub(r"<details>.*</details>", "", page[findings:], flags=re.DOTALL)
    assert "Page a" not in folded, "what was found in all is folded"
    assert "Since the previous run: 1 new, 6 unchanged, 2 resolved." in " ".join(folded.split())
    gone = page[findings:].partition("<summary>Resolved (2)</summary>")[2].partition("</details>")[0]
    assert ("Page g" in gone, "Page h" in gone) == (True, True)
    assert ("<script>alert" in page, "\u202e" in page) == (False, False)


async def test_run_page_names_the_failed_step_and_why_later_steps_were_skipped(
    measured: Person, database: Database
) -> None:
    async with running(database, measured, "site_profiler", "readiness_scanner") as (workspace, run, now):
        await workspace.run_agents.end(run.key, "site_profiler", "failed", now, error_code="site_unreachable")
        await workspace.run_agents.end(run.key, "readiness_scanner", "skipped", now)
        await workspace.runs.close(run.id, "partial_complete", now, charged=False)
    page = (await measured.http.get(f"/automation/runs/{run.id}")).text
    assert "Read the site: The site did not answer with a page that can be read." in page
    assert "2 of 2 steps were not done: see below why." in page
    assert "Not done, since a step that it builds on was not." in page


async def test_a_workflow_says_in_good_english_what_it_lacks(ada: Person) -> None:
    page = await ada.text("/automation")
    assert "needs a answering" not in page
    assert "needs a writing engine" in " ".join(page.split())


async def test_a_site_without_a_name_in_dns_is_said_in_words(ada: Person) -> None:
    typed = {"name": "Acme", "category": "tea", "website": "acme.invalid", "place": ""}
    unread = (await ada.submit("/start", typed)).text
    assert "The site could not be read: the host name cannot be resolved." in unread
    assert "(dns)" not in unread
