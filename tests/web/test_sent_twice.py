"""A form that starts measured work and is sent twice, by a nervous hand or a browser that tries again, starts it once."""

import asyncio
import json
import re
from typing import Any

import pytest

from tests.web.conftest import Person, Run, Running

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
