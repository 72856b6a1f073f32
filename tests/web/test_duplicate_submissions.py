"""A form that starts measured work and is sent twice, by a nervous hand or a browser that tries again, starts it once."""

import asyncio
import inspect
import json
import re
import sqlite3
import sys
from contextlib import closing
from typing import Any

import pytest

from tests.web.conftest import Person, Run, Running
from web.request import REPEATABLE
from web.routes import FOR_PEOPLE, OPEN

ENGINE = json.dumps([{"platform": "tester", "baseUrl": "http://127.0.0.1:1/v1", "model": "tester-1"}])


@pytest.fixture(scope="module")
def service(run_service: Run) -> Running:
    """A service with an engine that a company can bring a key for; nothing answers there."""
    return run_service(ENGINE_COMPATIBLE=ENGINE)


async def prepared(person: Person) -> str:
    """Bring a key and make a question set; return its address."""
    await person.submit("/settings/engines", {"platform": "tester", "secret": "a-key-of-a-provider-1234"})
    fields = {"name": "Buyers", "prompts": "Which boat?\nWhich tram?", "mode": "visibility", "repeats": "1"}
    fields |= {"brand": person.brand, "engine-tester": "1"}
    made = await person.submit("/automation/sets/new", fields, "/automation/sets")
    assert made.status_code == 303, made.text
    return str(made.headers["location"])


async def sent_twice(person: Person, page: str, action: str) -> list[str]:
    """Open a page once and send one form of it twice at the same time; return where each led."""
    html = (await person.http.get(page)).text
    start = html.index(f'method="post" action="{action}"')
    form = html[start : html.index("</form>", start)]
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    answers = await asyncio.gather(*(person.http.post(action, data=hidden) for _ in range(2)))
    assert [answer.status_code for answer in answers] == [303, 303], [answer.text for answer in answers]
    return [str(answer.headers["location"]) for answer in answers]


async def runs_of(person: Person) -> list[dict[str, Any]]:
    """Every run of the person's company, as an app is told."""
    headers = {"Authorization": f"Bearer {await person.make_key()}"}
    answer = await person.http.post("/api/mcp-app/rest/list_workflow_runs", json={}, headers=headers)
    return answer.json()["runs"]


@pytest.mark.parametrize("form", ["question set", "first measurement", "workflow"])
async def test_one_form_sent_twice_starts_one_run(measured: Person, form: str) -> None:
    address, brand = await prepared(measured), measured.brand
    page, action = {
        "question set": (address, f"{address}/run"),
        "first measurement": (f"/start/{brand}/measure", f"/start/{brand}/measure"),
        "workflow": (f"/automation?brand={brand}", "/automation/workflows/competitive_scan"),
    }[form]
    first, second = await sent_twice(measured, page, action)
    assert first == second
    assert [first.endswith(run["runId"]) for run in await runs_of(measured)] == [True]


SENDABLE: dict[str, tuple[str, str, dict[str, str]]] = {
    "question set": (
        "/automation/sets/new",
        "/automation/sets",
        {"name": "Twice", "prompts": "Which cab?", "repeats": "1"},
    ),
    "api key": ("/settings/keys", "/settings/keys", {"description": "Twice"}),
    "invitation": ("/settings/people", "/settings/people", {"email": "twice@example.com", "role": "member"}),
    "shared report": ("/brands/{brand}/report", "/brands/{brand}/report", {"days": "7"}),
    "audit": ("/brands/{brand}/audit", "/brands/{brand}/audit", {}),
    "engine key": (
        "/settings/engines",
        "/settings/engines",
        {"platform": "tester", "secret": "a-key-of-a-provider-1234"},
    ),
}
ROWS = {
    "question set": "SELECT count(*) FROM prompt_sets WHERE name = 'Twice'",
    "api key": "SELECT count(*) FROM api_keys WHERE description = 'Twice'",
    "invitation": "SELECT count(*) FROM invitations WHERE email = 'twice@example.com'",
    "shared report": "SELECT count(*) FROM shared_reports",
    "audit": "SELECT count(*) FROM mention_audits",
    "engine key": "SELECT count(*) FROM provider_credentials WHERE platform = 'tester'",
}


@pytest.mark.parametrize("form", SENDABLE)
async def test_a_form_sent_twice_takes_effect_once(measured: Person, service: Running, form: str) -> None:
    page, action, fields = SENDABLE[form]
    page, action = page.format(brand=measured.brand), action.format(brand=measured.brand)

    def count() -> int:
        with closing(sqlite3.connect(service.database_file)) as reader:
            return int(reader.execute(ROWS[form]).fetchone()[0])

    earlier, token = count(), await measured.token(page, action)
    sent = {
        "token": token,
        **fields,
        **(
            {"brand": measured.brand, "engine-tester": "1", "mode": "visibility"}
            if form == "question set"
            else {}
        ),
    }
    answers = await asyncio.gather(*(measured.http.post(action, data=sent) for _ in range(3)))
    statuses = sorted(answer.status_code for answer in answers)
    assert statuses in ([303, 303, 303], [200, 409, 409]), [answer.text for answer in answers]
    assert len({answer.headers.get("location") for answer in answers if answer.status_code == 303}) <= 1
    assert count() == earlier + 1


async def test_a_form_that_was_refused_can_be_sent_again(measured: Person) -> None:
    token = await measured.token("/settings/people", "/settings/people")
    wrong = {"token": token, "email": "nobody", "role": "member"}
    assert (await measured.http.post("/settings/people", data=wrong)).status_code == 422
    right = {**wrong, "email": "someone@example.com"}
    assert (await measured.http.post("/settings/people", data=right)).status_code == 200


READS_NO_FORM_OF_A_PERSON = {
    "/auth/login",
    "/auth/signup",
    "/auth/invitation",
    "/auth/logout",
    "/auth/forgotten",
    "/auth/reset",
    "/settings/password",
    "/settings/leave",
}
"""Forms of strangers, and those whose answer sets a cookie: none of them makes a second of anything."""


def test_every_form_of_a_person_is_read_by_the_one_that_knows_repetitions() -> None:
    posted = {path: handler for method, path, handler in (*OPEN, *FOR_PEOPLE) if method == "POST"}
    for path, handler in posted.items():
        source = inspect.getsource(sys.modules[handler.__module__])
        assert ".read_form(" in source, path
        assert "forms.read(" not in source, path
    strangers = {path for method, path, _ in OPEN if method == "POST"}
    assert strangers <= READS_NO_FORM_OF_A_PERSON
    assert REPEATABLE <= READS_NO_FORM_OF_A_PERSON
