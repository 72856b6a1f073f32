"""The demo's history in the pages: every number opens into as many as it says, and pages say what the tools say."""

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from html import unescape
from typing import Any

import pytest

from tests.web.conftest import Person, Running, run

COUNTED = re.compile(r'<a [^>]*href="([^"]+)"[^>]*data-total="(\d+)"')
VIEWS = ("", "?period=90&platform=synthetic-gemini&country=DE")
PAGES = (
    "",
    "/prompts",
    "/prompts?outcome=loss",
    "/answers",
    "/sources",
    "/sources?when=all",
    "/competitors",
    "/actions",
)
MOST_OPENED = 8
"""Numbers of one page that are opened."""


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Running, str]]:
    """A service over the demo's history, and the link by which its owner joins."""
    folder = tmp_path_factory.mktemp("market")
    start = "from server.cli.main import main; main()"
    command = [sys.executable, "-c", start, "demo", "--history", "--no-serve", "--json"]
    loaded = subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={**os.environ, "SEENBY_DATA_DIR": str(folder)},
        check=True,
    )
    service = run(folder, {})
    yield service, json.loads(loaded.stdout)["pages"].partition("/auth/")[2]
    service.stop()


@pytest.fixture
async def owner(market: tuple[Running, str]) -> AsyncGenerator[Person]:
    """The owner of the synthetic market, with its brand."""
    service, link = market
    person = Person(service.url)
    key = link.partition("key=")[2]
    if (await person.http.get(f"/auth/{link}")).status_code == 200:
        token = await person.token(f"/auth/{link}", "/auth/invitation")
        fields = {"token": token, "key": key, "name": "Ada", "password": "four unrelated words"}
        assert (await person.http.post("/auth/invitation", data=fields)).status_code == 303
    else:
        assert (await person.sign_in("synthetic@seenby.example")).status_code == 303
    person.brand = re.findall(r'href="/brands/([0-9a-f-]{36})"', (await person.http.get("/")).text)[0]
    yield person
    await person.http.aclose()


async def counts_on(person: Person, address: str) -> dict[str, int]:
    """The addresses behind the numbers of a page, with each number."""
    shown = await person.http.get(address)
    assert shown.status_code == 200, address
    return {unescape(target): int(number) for target, number in COUNTED.findall(shown.text)}


async def opens_into(person: Person, address: str) -> list[int]:
    """Every total that a page says it lists."""
    return [int(total) for total in re.findall(r'data-count="(\d+)"', (await person.http.get(address)).text)]


@pytest.mark.parametrize("view", VIEWS)
async def test_every_number_of_every_page_opens_into_as_many(owner: Person, view: str) -> None:
    base, seen, wrong = f"/brands/{owner.brand}", 0, list[str]()
    for page in PAGES:
        address = f"{base}{page}&{view[1:]}" if "?" in page and view else f"{base}{page}{view}"
        for target, number in list((await counts_on(owner, address)).items())[:MOST_OPENED]:
            seen += 1
            if await opens_into(owner, target) == [number]:
                continue
            # A monitor of the fresh service may have found something between the two pages.
            again = (await counts_on(owner, address)).get(target)
            if again is None or await opens_into(owner, target) != [again]:
                wrong.append(f"{address}: {number} opens {target}")
    assert wrong == []
    assert seen > 20


async def tool(key: str, person: Person, name: str, **arguments: object) -> dict[str, Any]:
    answer = await person.http.post(
        f"/api/mcp-app/rest/{name}", json=arguments, headers={"Authorization": f"Bearer {key}"}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


async def words(person: Person, address: str) -> str:
    return " ".join((await person.text(address)).split())


async def test_pages_say_what_the_tools_say(owner: Person) -> None:
    base, brand = f"/brands/{owner.brand}", {"brandId": owner.brand}
    key = await owner.make_key()
    month = {**brand, "days": 28}
    score, compared, prompts, cited, rankings, actions, answers = await asyncio.gather(
        tool(key, owner, "get_ai_visibility_score", **brand),
        tool(key, owner, "compare_periods", **month),
        tool(key, owner, "get_prompt_results", **month, limit=100),
        tool(key, owner, "get_citations", **month, limit=25),
        tool(key, owner, "get_competitor_rankings", **brand),
        tool(key, owner, "list_actions", **brand, state="open"),
        tool(key, owner, "list_answers", **brand),
    )
    overview = await words(owner, base)
    assert f"Visibility score {compared['after']['score']:.1f} " in overview
    assert compared["statement"].replace("visibilityScore", "Visibility score") in overview
    for rival in prompts["overall"]["rivals"]:
        assert f"named in {rival['named']} answers" in overview
    for row in rankings["rankings"]:
        assert f"{row['rankingScore']:.1f}" in overview
    assert f"all {actions['total']} " in overview
    assert f"{score['score']:.1f} of 100" in await words(owner, f"{base}/score")
    matrix = await words(owner, f"{base}/prompts")
    for outcome, label in (("win", "Win"), ("tie", "Tie"), ("loss", "Loss")):
        assert f"{label} {prompts['outcomes'].get(outcome, 0)}" in matrix
    sources = (await owner.http.get(f"{base}/sources?when=all")).text
    for source in cited["citations"][:10]:
        assert source["source"] in sources
        assert f'data-total="{source["answers"]}"' in sources
    assert f'data-count="{answers["total"]}"' in (await owner.http.get(f"{base}/answers")).text


async def test_synthetic_data_says_so_on_every_page_and_in_the_report(owner: Person) -> None:
    for page in (*PAGES, "/report", "/score"):
        assert "Synthetic sample data" in await owner.text(f"/brands/{owner.brand}{page}"), page
