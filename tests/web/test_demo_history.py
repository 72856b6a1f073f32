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

import httpx2
import pytest

from tests.web.conftest import Person, Running, run
from tests.web.page_numbers import PageNumbers, read_numbers

VIEWS = ("", "?period=90&platform=synthetic-gemini&country=DE")
OF_BRAND = (
    "",
    "/score",
    "/prompts",
    "/prompts?outcome=loss",
    "/answers",
    "/answers?outcome=rival_instead",
    "/sources",
    "/sources?when=all",
    "/competitors",
    "/suggestions",
    "/actions",
    "/content",
    "/audit",
    "/report",
    "/readiness",
)
OF_COMPANY = (
    "/",
    "/automation",
    "/notifications",
    "/issues",
    "/readiness",
    "/settings/keys",
    "/settings/apps",
    "/settings/engines",
    "/settings/budget",
    "/settings/budget?kind=settle",
    "/settings/data",
    "/settings/shared",
    "/settings/notifications",
    "/settings/people",
    "/settings/profile",
)
FIRST_OF = {
    "/prompts": r'href="(/brands/[^"]+/prompts/[0-9a-f-]{36}[^"]*)"',
    "/answers": r'href="(/answers/[0-9a-f-]{36})"',
    "/content": r'href="(/brands/[^"]+/content/[0-9a-f-]{36})"',
}
"""Pages of single things, by the list whose first row leads to one."""
OWNERS_COOKIES: dict[str, dict[str, str]] = {}
"""The session of the owner of each market, by address."""
COLLEAGUES = 7
MOST_OPENED = 8
"""Numbers of one page that are opened; each of a kind stands in many rows."""


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
    if service.url in OWNERS_COOKIES:  # who signs in for every test is asked to wait
        person.http.cookies.update(OWNERS_COOKIES[service.url])
    else:
        token = await person.token(f"/auth/{link}", "/auth/invitation")
        key = link.partition("key=")[2]
        fields = {"token": token, "key": key, "name": "Ada", "password": "four unrelated words"}
        assert (await person.http.post("/auth/invitation", data=fields)).status_code == 303
        OWNERS_COOKIES[service.url] = dict(person.http.cookies)
    person.brand = re.findall(r'href="/brands/([0-9a-f-]{36})"', (await person.http.get("/")).text)[0]
    yield person
    await person.http.aclose()


class Readers:
    """The owner and colleagues, who take turns: no person may load all pages within a minute."""

    def __init__(self, people: list[Person]) -> None:
        self._people = people

    async def get(self, address: str) -> httpx2.Response:
        """Open a page as whoever may open one more."""
        for _ in self._people:
            shown = await self._people[0].http.get(address)
            if shown.status_code != 429:
                return shown
            self._people.append(self._people.pop(0))
        raise AssertionError("nobody may open one more page")


@pytest.fixture
async def readers(owner: Person) -> AsyncGenerator[Readers]:
    """People enough to read every page."""
    people = [Person(str(owner.http.base_url)) for _ in range(COLLEAGUES)]
    for person in people:
        page = await owner.submit("/settings/people", {"email": person.email, "role": "member"})
        key = page.text.split("/auth/invitation?key=")[1].split("<")[0]
        token = await person.token(f"/auth/invitation?key={key}", "/auth/invitation")
        fields = {"token": token, "key": key, "name": "Bob", "password": "four unrelated words"}
        assert (await person.http.post("/auth/invitation", data=fields)).status_code == 303
    yield Readers([*people, owner])
    for person in people:
        await person.http.aclose()


async def numbers_on(readers: Readers, address: str) -> PageNumbers:
    """The numbers of a page."""
    shown = await readers.get(address)
    assert shown.status_code == 200, address
    return read_numbers(shown.text)


async def opens_into(readers: Readers, address: str) -> list[int]:
    """Every total that a page says it lists."""
    return [int(total) for total in re.findall(r'data-count="(\d+)"', (await readers.get(address)).text)]


async def addresses(readers: Readers, brand_id: str, view: str) -> list[str]:
    """Every page of the brand under a view; without one, pages of single things and of the company too."""
    base = f"/brands/{brand_id}"
    pages = [
        f"{base}{page}&{view[1:]}" if "?" in page and view else f"{base}{page}{view}" for page in OF_BRAND
    ]
    if view:
        return pages
    singles: list[str] = []
    for listing, pattern in FIRST_OF.items():
        match = re.search(pattern, (await readers.get(f"{base}{listing}")).text)
        singles += [unescape(match[1])] if match else []
    sets = re.search(r'href="(/automation/sets/[0-9a-f-]{36})"', (await readers.get("/automation")).text)
    assert len(singles) >= 2
    assert sets
    return [*pages, *singles, sets[1], *OF_COMPANY]


@pytest.mark.parametrize("view", VIEWS)
async def test_every_number_of_every_page_opens(readers: Readers, owner: Person, view: str) -> None:
    closed = {
        address: numbers.closed
        for address in await addresses(readers, owner.brand, view)
        if (numbers := await numbers_on(readers, address)).closed
    }
    assert closed == {}


@pytest.mark.parametrize("view", VIEWS)
async def test_every_count_of_every_page_opens_into_as_many(
    readers: Readers, owner: Person, view: str
) -> None:
    seen, wrong = 0, list[str]()
    for address in await addresses(readers, owner.brand, view):
        totals = (await numbers_on(readers, address)).totals
        step = max(1, len(totals) // MOST_OPENED)
        for target, number in list(totals.items())[::step]:
            seen += 1
            if number in await opens_into(readers, target):
                continue
            # A monitor of the fresh service may have found something between the two pages.
            again = (await numbers_on(readers, address)).totals.get(target)
            if again is None or again not in await opens_into(readers, target):
                wrong.append(f"{address}: {number} opens {target}")
    assert wrong == []
    assert seen > 40


@pytest.mark.parametrize("view", VIEWS)
async def test_every_link_of_every_page_leads_somewhere(readers: Readers, owner: Person, view: str) -> None:
    targets: dict[str, str] = {}
    for address in await addresses(readers, owner.brand, view):
        for target in (await numbers_on(readers, address)).targets:
            if target.startswith("/") and not target.startswith(("/static", "/settings/data/everything")):
                # One of a kind: the same page with other values is the same page.
                kind = re.sub(r"=[^&#]*|[0-9a-f-]{36}", "", target.partition("#")[0])
                targets.setdefault(kind, target)
    broken = [target for target in targets.values() if (await readers.get(target)).status_code >= 400]
    assert broken == []


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
    assert compared["statement"] in overview
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
    for page in OF_BRAND:
        assert "Synthetic sample data" in await owner.text(f"/brands/{owner.brand}{page}"), page
