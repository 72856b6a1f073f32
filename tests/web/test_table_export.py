"""Tables as files: as filtered as their page, complete, and with cells that no spreadsheet computes."""

import codecs
import csv
import io
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from starlette.responses import StreamingResponse

from storage.database import Database
from storage.repositories.notifications import NotificationDraft
from storage.repositories.repository_items import ItemDraft
from tests.web.conftest import Meet, Person
from tests.web.test_actions import issue
from tests.web.test_automation import found, store_run
from tests.web.test_roles import colleague
from web.automation.prompt_set_form import read_file
from web.errors import Throttled
from web.table_export import BrokenFile, list_response, table_response


async def rows_of(person: Person, address: str) -> list[dict[str, str]]:
    """The rows of a file by their columns."""
    response = await person.http.get(address)
    assert (response.status_code, response.headers["content-type"]) == (200, "text/csv; charset=utf-8")
    assert response.content.startswith(codecs.BOM_UTF8), "Excel reads UTF-8 by its byte-order mark alone"
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


async def test_a_table_is_given_as_filtered_and_whole(measured: Person) -> None:
    base = f"/brands/{measured.brand}"
    prompts = await rows_of(measured, f"{base}/prompts.csv")
    assert len(prompts) == 8
    assert {row["outcome"] for row in await rows_of(measured, f"{base}/prompts.csv?outcome=win")} == {"win"}
    named = await rows_of(measured, f"{base}/answers.csv?outcome=names_us")
    text = " ".join((await measured.text(f"{base}/answers?outcome=names_us")).split())
    assert f"{len(named)} about Acme" in text
    assert all("Acme" in row["names"] for row in named)
    await rows_of(measured, f"{base}/sources.csv?when=all")


@pytest.mark.parametrize("table", ["prompts", "sources", "answers"])
@pytest.mark.parametrize("view", ["", "?platform=chatgpt&period=7"])
async def test_both_formats_have_the_same_rows(measured: Person, table: str, view: str) -> None:
    address = f"/brands/{measured.brand}/{table}"
    as_csv = await rows_of(measured, f"{address}.csv{view}")
    as_json = await measured.http.get(f"{address}.json{view}")
    assert as_json.headers["content-type"] == "application/json"
    assert [list(row) for row in as_json.json()] == [list(row) for row in as_csv]
    assert [["" if value is None else str(value) for value in row.values()] for row in as_json.json()] == [
        list(row.values()) for row in as_csv
    ]


async def test_another_companys_tables_are_not_found(measured: Person, meet: Meet) -> None:
    stranger = meet()
    await stranger.sign_up()
    for name in ("prompts", "sources", "answers", "actions", "competitors", "ranking", "content"):
        for ending in ("csv", "json"):
            table = f"/brands/{measured.brand}/{name}.{ending}"
            assert (await stranger.http.get(table)).status_code == 404


def test_a_cell_that_would_be_computed_stays_text() -> None:
    response = table_response(
        "/x.csv", "x", ("a", "b"), [('=HYPERLINK("http://x.example")', -1.5), ("@now", None)]
    )
    assert bytes(response.body).decode("utf-8-sig").splitlines() == [
        "a,b",
        '"\'=HYPERLINK(""http://x.example"")",-1.5',
        "'@now,",
    ]


def test_exported_prompts_are_read_again_as_they_were() -> None:
    prompts = [
        ("=Müller or Acme?", "-choose"),
        ("'quoted' vans?", None),
        ("Which van\nlasts?", "@now"),
        ("It's -5?", None),
    ]
    body = bytes(table_response("/p.csv", "p", ("question", "intent"), prompts).body).decode()
    assert [(row["text"], row.get("intent")) for row in read_file(body)] == [
        ("=Müller or Acme?", "-choose"),
        ("'quoted' vans?", None),
        ("Which van lasts?", "@now"),
        ("It's -5?", None),
    ]


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_line_break_in_quotes_parts_words(line_end: str) -> None:
    table = line_end.join(["prompt;tags", '"Which van', 'lasts?";a', "Which is safe?;b"])
    assert [row["text"] for row in read_file(table)] == ["Which van lasts?", "Which is safe?"]


@pytest.fixture
async def working(measured: Person, database: Database) -> Person:
    """An owner with an action, texts, notifications and runs, some of which a spreadsheet would compute."""
    await issue(measured, database)
    company = await database.operators.companies.find(measured.company)
    assert company is not None
    now = datetime.now(UTC)
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        texts = [
            ItemDraft(f"=Text {number}", "Vans last.", "faq" if number % 2 else "blog")
            for number in range(30)
        ]
        await workspace.repository_items.save(brand.key, texts, now)
        for number in range(3):
            told = NotificationDraft(
                "ai_mention", "info", "@told", "-what", f"told:{number}", path=f"/answers?day={number}"
            )
            await workspace.notifications.add(told, now)
    for number in range(2):
        await store_run(database, measured, [found(number, fix=None)])
    return measured


def links_of(html: str) -> list[str]:
    """The addresses of a page's CSV files."""
    return [
        address.replace("&amp;", "&") for address in re.findall(r'href="([^"]+\.csv[^"]*)" download', html)
    ]


async def test_every_list_leads_to_files_of_all_that_it_lists(working: Person) -> None:
    brand = f"/brands/{working.brand}"
    for page, count in (
        (f"{brand}/content?category=faq", 15),
        (f"{brand}/content?q=vans", 30),
        (f"{brand}/actions?state=open", None),
        ("/notifications", None),
        ("/automation", None),
    ):
        html = (await working.http.get(page)).text
        [*_, address] = links_of(html)
        rows = await rows_of(working, address)
        shown = re.findall(r'data-count="(\d+)"', html)
        if page == "/notifications":
            assert sum(row["title"] == "'@told" for row in rows) == 3
            assert rows[0]["page"].startswith("http")
            continue
        assert len(rows) == int(shown[-1]), page
        assert count in (None, len(rows))
        as_json = (await working.http.get(address.replace(".csv", ".json"))).json()
        assert [list(row) for row in as_json] == [list(row) for row in rows]
    texts = await rows_of(working, f"{brand}/content.csv")
    assert {row["title"] for row in texts} == {f"'=Text {number}" for number in range(30)}
    opened = await working.http.get(texts[0]["page"])
    assert texts[0]["title"].removeprefix("'") in opened.text


async def test_a_file_of_actions_has_the_state_kind_and_person_of_its_page(working: Person) -> None:
    page = f"/brands/{working.brand}/actions"
    [one] = await rows_of(working, f"{page}.csv?state=open&kind=accuracy")
    assert (one["action"], one["state"], one["severity"]) == ("The warranty is wrong", "open", "warning")
    assert await rows_of(working, f"{page}.csv?state=done") == []
    assert await rows_of(working, f"{page}.csv?kind=readiness") == []


async def test_files_of_competitors_have_the_numbers_of_the_page(working: Person) -> None:
    brand = f"/brands/{working.brand}"
    html = (await working.http.get(f"{brand}/competitors?period=90")).text
    shares, pairs, ranking = [await rows_of(working, address) for address in links_of(html)]
    table = html[html.index('id="pairs"') : html.index('id="ranking"')]
    assert [row["brand"] for row in shares] == ["Acme", "Rival", "Third"]
    assert all(f'data-total="{row["named"]}">{row["named"]}</a> of' in html for row in shares)
    shown = re.findall(r'<th scope="row">([^<]+)</th>(.*?)</tr>', table, re.DOTALL)
    assert [
        [row["competitor"], *(value for name, value in row.items() if name != "competitor")] for row in pairs
    ] == [[name, *re.findall(r'data-total="(\d+)"', cells)] for name, cells in shown]
    assert pairs[0]["competitor"] == "Rival"
    ranked = html[html.index('id="ranking"') :]
    assert [row["brand"] for row in ranking] == re.findall(r'<th scope="row">([^<]+)</th>', ranked)
    assert all(f">{float(row['score']):.1f}</a>" in ranked for row in ranking)


async def test_a_viewer_takes_files_along_and_a_stranger_gets_their_own_alone(
    working: Person, meet: Meet
) -> None:
    viewer, stranger = await colleague(working, meet, "viewer"), meet()
    await stranger.sign_up()
    for address in ("/notifications.csv", "/automation/runs.csv"):
        assert len(await rows_of(viewer, address)) > 1
        assert await rows_of(stranger, address) == []
    assert len(await rows_of(viewer, f"/brands/{working.brand}/content.csv")) == 30


async def test_competitors_that_fill_more_than_a_page_are_all_reached(
    measured: Person, database: Database
) -> None:
    key = await measured.make_key()
    names = [f"Rival {number:02}" for number in range(14)]
    changed = await measured.http.post(
        "/api/mcp-app/rest/update_brand_profile",
        json={"brandId": measured.brand, "competitors": [{"name": name} for name in names]},
        headers={"Authorization": f"Bearer {key}"},
    )
    assert changed.status_code == 200, changed.text
    page = f"/brands/{measured.brand}/competitors"
    first, second = [await rows_of(measured, f"{page}.csv?page={number}") for number in (1, 2)]
    assert (len(first), [row["competitor"] for row in first + second]) == (12, names)
    assert "Rival 13" in await measured.text(f"{page}?page=2")
    assert "Rival 13" in await measured.text(f"{page}?page=9"), "what is behind the last page is the last one"
    assert "page=2" in (await measured.http.get(page)).text


async def test_a_list_of_thousands_is_given_whole_and_never_held_at_once(
    ada: Person, database: Database
) -> None:
    company = await database.operators.companies.find(ada.company)
    assert company is not None
    told = 5_230
    async with database.transaction(company.id) as workspace:
        for number in range(told):
            draft = NotificationDraft("ai_mention", "info", f"Told {number}", "Words.", f"told:{number}")
            await workspace.notifications.add(draft, datetime.now(UTC))
    parts: list[int] = []
    async with ada.http.stream("GET", "/notifications.csv") as answer:
        text = ""
        async for part in answer.aiter_raw():
            parts.append(len(part))
            text += part.decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["title"] for row in rows} == {f"Told {number}" for number in range(told)}
    assert len(rows) == told
    assert max(parts) < len(text) / 10, "it comes page by page"
    assert len((await ada.http.get("/notifications.json")).json()) == told


async def test_a_file_that_asks_for_much_waits_for_its_turn_and_goes_on() -> None:
    refused = iter((False, True, True, False))

    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        if next(refused):
            raise Throttled(0)
        return {"rows": [{"at": offset}], "nextOffset": offset + 1 if offset == 0 else None}

    sent = await list_response("/x.csv", "x", ("at",), load, "rows", lambda row: (row["at"],))
    assert isinstance(sent, StreamingResponse)
    parts = [bytes(part) async for part in sent.body_iterator]  # pyright: ignore[reportArgumentType] # bytes alone
    assert b"".join(parts) == codecs.BOM_UTF8 + b"at\r\n0\r\n1\r\n"


async def test_a_file_whose_page_is_gone_does_not_end_as_if_it_were_whole() -> None:
    async def load(limit: int, offset: int) -> dict[str, Any] | None:
        return {"rows": [], "nextOffset": 1} if offset == 0 else None

    sent = await list_response("/x.json", "x", ("at",), load, "rows", lambda row: (row["at"],))
    assert isinstance(sent, StreamingResponse)
    with pytest.raises(BrokenFile):
        _ = [part async for part in sent.body_iterator]


async def test_questions_workflows_agents_and_statement_are_taken_along(working: Person) -> None:
    form = {
        "name": "Buyers",
        "prompts": "Which van lasts? | choose | city, price\nWhich van is safe?",
        "repeats": "2",
        "brand": working.brand,
        "engine-local": "1",
    }
    assert (await working.submit("/automation/sets/new", form, "/automation/sets")).status_code == 303
    key = await working.make_key()
    agent = await working.http.post(
        "/api/mcp-app/rest/create_reusable_agent",
        json={"name": "Drafts", "kind": "content_writer", "brandIds": [working.brand]},
        headers={"Authorization": f"Bearer {key}"},
    )
    assert agent.status_code == 200, agent.text
    page = (await working.http.get("/automation")).text
    sets, workflows, agents, runs = [await rows_of(working, address) for address in links_of(page)]
    assert [(row["set"], row["brand"], row["questions"]) for row in sets] == [("Buyers", "Acme", "2")]
    assert {"AI shop checkup", "Content refresh"} <= {row["workflow"] for row in workflows}
    assert [(row["agent"], row["brands"]) for row in agents] == [("Drafts", "Acme")]
    assert len(runs) == 2
    of_set = sets[0]["page"].removeprefix(str(working.http.base_url).rstrip("/"))
    [address] = links_of((await working.http.get(of_set)).text)
    questions = (await working.http.get(address)).text
    read = read_file(questions)
    assert [(row["text"], row.get("intent"), row.get("tags")) for row in read] == [
        ("Which van lasts?", "choose", ["city", "price"]),
        ("Which van is safe?", None, None),
    ]
    started = await working.submit(
        "/automation",
        {"brand": working.brand, "once": "statement"},
        "/automation/workflows/ai_shop_checkup",
    )
    assert started.status_code == 303, started.text
    html = (await working.http.get("/settings/budget?kind=reserve")).text
    [address] = links_of(html)
    lines = await rows_of(working, address)
    [total] = re.findall(r'data-count="(-?\d+)"', html)
    assert lines
    assert {row["kind"] for row in lines} == {"reserve"}
    assert sum(int(row["credits"]) for row in lines) == int(total)


async def test_the_question_sets_and_statement_of_another_company_are_not_given(
    working: Person, meet: Meet
) -> None:
    form = {"name": "Buyers", "prompts": "Which van lasts?", "repeats": "2", "brand": working.brand}
    made = await working.submit("/automation/sets/new", form, "/automation/sets")
    stranger = meet()
    await stranger.sign_up()
    location = made.headers["location"].partition("?")[0]
    for ending in ("csv", "json"):
        assert (await stranger.http.get(f"{location}.{ending}")).status_code == 404
        assert (await working.http.get(f"{location}.{ending}")).status_code == 200
    assert await rows_of(stranger, "/automation/sets.csv") == []
