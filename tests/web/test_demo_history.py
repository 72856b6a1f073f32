"""The demo's history in the pages: every number opens into as many as it says, and pages say what the tools say."""

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.async_api import Page

from server.demo.history import EMAIL
from tests.server.application.conftest import load_history
from tests.web.conftest import Person, Running, join, run
from tests.web.every_page import is_page, pattern_of
from tests.web.page_checks import NARROW_AND_WIDE, overflow, print_faults
from tests.web.page_numbers import PageNumbers, read_numbers
from tools.catalog import tool_table
from web.routes import FOR_PEOPLE

VIEWS = ("", "?period=90&platform=synthetic-gemini&country=DE")
OF_BRAND = (
    "",
    "/score",
    "/profile",
    "/prompts",
    "/prompts?outcome=loss",
    "/prompts?group=tag",
    "/monitors",
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
    "/crawlers",
    "/content/new",
    "/content/import",
)
OF_COMPANY = (
    "/",
    "/find?q=espresso",
    "/start",
    "/automation/sets/new",
    "/automation/agents/new",
    "/automation/workflows/new",
    "/readiness/sites",
    "/settings/webhooks",
    "/settings/wordpress",
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
WORK = ("sets", "agents", "runs", "workflows")
"""Things with pages of their own that the page of automation lists."""
BALANCE = "/settings/budget"
"""What is left of the credits is no list: its page counts the lines of the statement."""
COLLEAGUES = 7
MOST_OPENED = 8
"""Numbers of one page that are opened; each of a kind stands in many rows."""


@pytest.fixture(scope="module")
def market(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Generator[tuple[Running, str]]:
    """A service over the demo's history, and the link by which its owner joins."""
    history = load_history(tmp_path_factory)
    service = run(history.folder / "data", {}, migrated)
    told = json.loads((history.folder / "told.json").read_text(encoding="utf-8"))
    yield service, told["pages"].partition("/auth/")[2]
    service.stop()


@pytest.fixture
async def owner(market: tuple[Running, str]) -> AsyncGenerator[Person]:
    """The owner of the synthetic market, with its brand."""
    service, link = market
    person = Person(service.url)
    person.email = EMAIL
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

    @property
    def rested(self) -> Person:
        """The colleague whose turn comes last."""
        return self._people[-2]


@pytest.fixture
async def readers(owner: Person, market: tuple[Running, str], password_hash: str) -> AsyncGenerator[Readers]:
    """People enough to read every page."""
    people = [Person(str(owner.http.base_url)) for _ in range(COLLEAGUES)]
    for person in people:
        await join(person, owner, market[0].settings, password_hash)
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
    singles = [f"/start/{brand_id}/{step}" for step in ("questions", "engines", "measure")]
    for listing, pattern in FIRST_OF.items():
        match = re.search(pattern, (await readers.get(f"{base}{listing}")).text)
        singles += [unescape(match[1])] if match else []
    automation = (await readers.get("/automation")).text
    worked = [re.search(rf'href="(/automation/{kind}/(?!new")[0-9a-z_-]+)"', automation) for kind in WORK]
    assert len(singles) == 3 + len(FIRST_OF)
    assert all(worked)
    return [*pages, *singles, *(match[1] for match in worked if match), *OF_COMPANY]


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
        numbers = await numbers_on(readers, address)
        totals = numbers.totals
        untotaled = {target: told for target, told in numbers.told.items() if target not in totals}
        for target, told in list(untotaled.items())[:MOST_OPENED]:
            opened = set(await opens_into(readers, target)) if target.startswith("/") else set[int]()
            if opened and not opened & told and not target.startswith(BALANCE):
                wrong.append(f"{address}: {sorted(told)} opens {target} with {opened}")
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


@pytest.mark.browser
async def test_no_page_of_the_brand_is_wider_than_its_window_or_its_paper(
    readers: Readers, owner: Person, browse: Callable[..., Awaitable[Page]]
) -> None:
    page = await browse(readers.rested)
    faults: dict[str, list[str]] = {}
    for address in await addresses(readers, owner.brand, ""):
        if not address.startswith("/brands/"):
            continue  # what the demo has more of than the walk over all pages is in its brand
        await page.goto(address)
        for width in NARROW_AND_WIDE:
            await page.set_viewport_size({"width": width, "height": 800})
            faults[f"{address} {width}"] = await overflow(page)
        faults[address] = await print_faults(page)
        await page.emulate_media(media="screen", color_scheme="light")
    assert {address: found for address, found in faults.items() if found} == {}
    assert len(faults) > 20 * len(NARROW_AND_WIDE)


NOT_CRAWLED = {
    "/brands/{brand_id}/suggestions/{suggestion_id}": "the market has no name to decide on",
    "/measurements/{run_id}": "its numbers are those of one run while it asks: tests/web/test_live_progress.py",
    "/readiness/scans/{scan_id}": "no site of the market can be scanned: tests/readiness/scans",
    "/brands/{brand_id}/content/{item_id}/draft": "the market has no draft: tests/web/test_content.py",
}
"""Pages that the market of the demo has nothing for, with the reason; test_pictures.py asks their numbers too."""


async def test_every_page_of_the_application_is_crawled(readers: Readers, owner: Person) -> None:
    crawled = [address.partition("?")[0] for address in await addresses(readers, owner.brand, "")]
    missed = {
        path
        for method, path, _ in FOR_PEOPLE
        if method == "GET" and is_page(path) and not any(pattern_of(path).fullmatch(seen) for seen in crawled)
    }
    assert missed - NOT_CRAWLED.keys() == set()
    assert NOT_CRAWLED.keys() - missed == set()


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
        assert f"{rival['named']} answers" in overview
    for row in rankings["rankings"]:
        assert f"{row['rankingScore']:.1f}" in overview
    # A monitor of the fresh service may add actions between the tool's answer and the page.
    later = await tool(key, owner, "list_actions", **brand, state="open")
    between = range(actions["total"], later["total"] + 1)
    assert any(f"All {total} " in overview for total in between)
    assert f"{score['score']:.1f} of 100" in await words(owner, f"{base}/score")
    matrix = await words(owner, f"{base}/prompts")
    for outcome, label in (("win", "Win"), ("tie", "Tie"), ("loss", "Loss")):
        assert f"{label} {prompts['outcomes'].get(outcome, 0)}" in matrix
    sources = (await owner.http.get(f"{base}/sources?when=all")).text
    for source in cited["citations"][:10]:
        assert source["source"] in sources
        assert f'data-total="{source["answers"]}"' in sources
    assert f'data-count="{answers["total"]}"' in (await owner.http.get(f"{base}/answers")).text


async def test_a_contradiction_opens_into_the_answers_that_hold_it(owner: Person) -> None:
    key = await owner.make_key()
    brand = {"brandId": owner.brand}
    answers = await tool(key, owner, "list_answers", **brand, outcome="contradicts", limit=50)
    actions = await tool(key, owner, "list_actions", **brand, state="open")
    held = {answer["answerId"] for answer in answers["answers"]}
    [contradiction] = [action for action in actions["actions"] if "founding year" in action["title"]]
    named = {proof["answerId"] for proof in contradiction["evidence"] if proof["source"] == "answer"}
    assert named
    assert named <= held
    for answer in named:
        assert "founded in 1987" in (await tool(key, owner, "get_answer", answerId=answer))["text"]


def score_of(value: float | None) -> str:
    return "–" if value is None else f"{value:.1f}"


def percent_of(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.0f}%"


def own_and_rivals(result: dict[str, Any]) -> list[str]:
    """What the page of a question says of everybody on it."""
    rows = [result["own"], *result["rivals"]]
    counts = [f"{row['named']} of {result['answers']} {percent_of(row['rate'])}" for row in rows]
    cells = [percent_of(cell["rate"]) for cell in result["platforms"]]
    ways = [f"{way['named']} of {way['answers']} {percent_of(way['rate'])}" for way in result["ways"]]
    return [*counts, *cells, *ways]


def engines_of(metrics: dict[str, Any]) -> list[str]:
    """What the page of the score says of each engine."""
    return [
        f"{score_of(engine['visibilityScore']['value'])} {percent_of(engine['presence']['value'])} "
        f"{percent_of(engine['shareOfVoice']['value'])}"
        for engine in metrics["platforms"]
        if engine["status"] != "not_measured"
    ]


def factors_of(score: dict[str, Any]) -> list[str]:
    """What the page of the score says of its parts."""
    return [f"{percent_of(factor['value'])} " for factor in score["factors"] if factor["value"] is not None]


async def test_every_page_with_a_tool_says_what_it_says(owner: Person) -> None:
    base, brand = f"/brands/{owner.brand}", {"brandId": owner.brand}
    key = await owner.make_key()
    month = {**brand, "days": 28}

    async def call(name: str, **arguments: object) -> dict[str, Any]:
        return await tool(key, owner, name, **arguments)

    prompts = await call("get_prompt_results", **month, byPlatform=True, limit=1)
    prompt = prompts["prompts"][0]
    cited = await call("get_citations", **month, promptId=prompt["promptId"], limit=5)
    answer = await call("get_answer", answerId=prompt["answerIds"][0])
    score = await call("get_ai_visibility_score", **brand)
    rankings = await call("get_competitor_rankings", **brand)
    sets = await call("list_prompt_sets", includePrompts=True)
    runs = await call("list_workflow_runs", limit=1)
    run = await call("get_run_status", runId=runs["runs"][0]["runId"])
    items = await call("get_repository_items", **brand)
    agents = (await call("list_reusable_agents"))["agents"]
    tally = await call("get_agent_run_summary", agentInstanceId=agents[0]["agentInstanceId"])
    credits = await call("get_credits")
    compared = await call("compare_periods", **month)
    rival = rankings["rankings"][0 if not rankings["rankings"][0]["isBrand"] else 1]["name"]
    against = await call("get_prompt_results", **month, competitor=rival, limit=1)
    tag = next(tag for row in prompts["prompts"] for tag in row["tags"])
    tagged = (await call("get_prompt_results", **month, tag=tag, limit=1))["overall"]["own"]
    low, high = (percent_of(tagged["interval"][end]) for end in ("low", "high"))
    since, until = (datetime.fromisoformat(compared["after"][end]) for end in ("since", "until"))
    days = {"from": since.date().isoformat(), "to": (until - timedelta(seconds=1)).date().isoformat()}
    instead = await call(
        "list_answers", **brand, **days, competitor=rival, counted=True, outcome="rival_instead", limit=1
    )
    expected: dict[str, list[str]] = {
        f"{base}/prompts/{prompt['promptId']}": [
            prompt["prompt"],
            *own_and_rivals(prompt),
            *(f"{source['answers']} {percent_of(source['share'])}" for source in cited["citations"]),
        ],
        f"{base}/prompts?group=tag": [f"{percent_of(tagged['rate'])} {low}–{high}"],
        f"/answers/{answer['answerId']}": [
            answer["prompt"],
            f"number {answer['repeat'] + 1}",
            *(entity["name"] for entity in answer["entities"]),
            *(source["title"] or source["url"] for source in answer["citations"]),
        ],
        f"{base}/score": [
            f"{score_of(score['score'])} of 100",
            f"{score['answers']} answers to {score['prompts']} prompts",
            *factors_of(score),
            *engines_of(await call("get_platform_metrics", **brand)),
            *(
                mention["prompt"]
                for mention in (await call("get_brand_mentions", **brand, limit=3))["mentions"]
            ),
            *(
                f"{session['answered']} of {session['planned']}"
                for session in (await call("list_simulations", **brand, limit=3))["simulations"]
            ),
        ],
        f"{base}/competitors": [
            f"{row['name']} {row['rank']}{' (tied)' if row['tiedWithAbove'] else ''} {score_of(row['rankingScore'])}"
            for row in rankings["rankings"]
        ]
        + [f"{rival} " + " ".join(str(against["outcomes"].get(name, 0)) for name in ("win", "tie", "loss"))]
        + [f" {instead['total']} "],
        f"{base}/report": [
            score_of(compared["after"]["score"]),
            compared["statement"],
            f"{prompts['overall']['own']['named']} of {prompts['overall']['answers']} answers",
            *(f"{engine['answers']}" for engine in compared["platforms"]),
        ],
        f"{base}/content": [
            f"{item['title']} {item['category']} {item['bodyLength']}" for item in items["items"]
        ],
        f"{base}/content/{items['items'][0]['id']}": [items["items"][0]["title"], items["items"][0]["body"]],
        f"{base}/monitors": [
            alert["title"]
            for monitor in (await call("get_monitoring_results", **brand))["results"]
            for alert in monitor["alerts"]
        ],
        "/": [score_of(compared["after"]["score"])],
        "/automation": [
            f"{credits['available']} credits",
            *(f"{found['name']} {found['brandName']} {found['promptCount']}" for found in sets["promptSets"]),
            *(workflow["title"] for workflow in (await call("list_workflows"))["workflows"]),
            *(agent["name"] for agent in agents),
        ],
        f"/automation/agents/{agents[0]['agentInstanceId']}": [
            agents[0]["name"],
            f"{tally['totalRuns']} , of which {tally['successfulRuns']} succeeded and {tally['failedRuns']} failed",
        ],
        f"/automation/sets/{sets['promptSets'][0]['promptSetId']}": [
            sets["promptSets"][0]["name"],
            f"Prompts {sets['promptSets'][0]['promptCount']}",
        ],
        f"/automation/runs/{run['runId']}": [
            *(agent["title"] for agent in run["agents"]),
            f"Findings {run['findingsTotal']}",
        ],
        "/settings/budget": [f"{credits['available']} until", f"{credits['usedThisMonth']}"],
        "/notifications": [
            found["title"].split("“")[0].strip()
            for found in (await call("list_notifications", limit=1))["notifications"]
        ],
    }
    missing = {
        page: [text for text in texts if " ".join(text.split()) not in shown]
        for page, texts in expected.items()
        for shown in [await words(owner, page)]
    }
    assert {page: texts for page, texts in missing.items() if texts} == {}


async def test_synthetic_data_says_so_on_every_page_and_in_the_report(owner: Person) -> None:
    for page in OF_BRAND:
        assert "Synthetic sample data" in await owner.text(f"/brands/{owner.brand}{page}"), page


async def gaps_told(owner: Person, key: str) -> list[dict[str, Any]]:
    """The notifications of gaps, once the monitor of the fresh service has looked, which it does at its own time."""
    while True:
        listed = await tool(key, owner, "list_notifications", limit=100)
        if told := [found for found in listed["notifications"] if found["kind"] == "content_gap"]:
            return told
        await asyncio.sleep(0.1)


async def test_actions_are_one_list_by_what_they_gain_after_what_is_critical(owner: Person) -> None:
    key = await owner.make_key()
    await gaps_told(owner, key)
    listed = await tool(key, owner, "list_actions", brandId=owner.brand, state="open", limit=100)
    rows = listed["actions"]
    assert rows[0]["severity"] == "critical"
    others = [row for row in rows if row["severity"] != "critical"]
    gains = [row["expectedGain"] or 0.0 for row in others]
    assert sum(gain > 0 for gain in gains) > 3
    assert gains == sorted(gains, reverse=True)
    assert len({row["kind"] for row in others}) > 1
    page = await words(owner, f"/brands/{owner.brand}/actions")
    said = [float(gain) for gain in re.findall(r"([+-]\d+\.\d) points expected", page)]
    assert said == [row["expectedGain"] for row in rows if row["expectedGain"] is not None]
    parts = [
        await tool(key, owner, "list_actions", brandId=owner.brand, state="open", limit=5, offset=at)
        for at in range(0, listed["total"], 5)
    ]
    assert [row["actionId"] for part in parts for row in part["actions"]] == [row["actionId"] for row in rows]


@pytest.mark.parametrize("view", VIEWS)
async def test_every_figure_of_the_overview_says_how_many_it_opens(owner: Person, view: str) -> None:
    page = (await owner.http.get(f"/brands/{owner.brand}{view}")).text
    figures = re.findall(r'class="value(?: score)?"><a href="([^"]+)"( data-total="\d+")?>', page)
    assert len(figures) == 6
    assert [unescape(address) for address, total in figures if not total] == []


async def test_the_share_of_voice_opens_into_the_mentions_that_it_is_of(owner: Person) -> None:
    page = (await owner.http.get(f"/brands/{owner.brand}")).text
    found = re.search(r'href="([^"]+outcome=anybody[^"]*)" data-total="(\d+)">(\d+)%', page)
    assert found is not None
    address, total, share = unescape(found[1]), int(found[2]), int(found[3])
    shown = (await owner.http.get(address.replace("/answers?", "/answers.json?"))).json()
    names = [name for answer in shown for name in answer["names"].split("; ")]
    assert len(names) == total
    assert round(100 * sum(name.startswith("Zentrix") for name in names) / total) == share
    assert str(total) in re.findall(r'data-count="(\d+)"', (await owner.http.get(address)).text)


async def test_content_gaps_of_a_measurement_make_one_notification(
    owner: Person,
) -> None:
    key = await owner.make_key()
    [told_once] = await gaps_told(owner, key)
    count = int(re.findall(r"^(\d+) likely gaps", told_once["title"])[0])
    assert count >= 12
    assert told_once["message"].endswith(f"; and {count - 5} more.")
    assert told_once["message"].count("covers") == 1, "what all begin with is said once"
    assert told_once["message"].count("“") == 5, "questions stay whole"
    page = (await owner.http.get("/notifications")).text
    assert f'<a href="{told_once["path"]}">'.replace("&", "&amp;") in page
    assert re.findall(r'data-count="(\d+)"', (await owner.http.get(told_once["path"])).text) == [str(count)]
    actions = await tool(key, owner, "list_actions", brandId=owner.brand, limit=100)
    assert sum("“" in action["title"] for action in actions["actions"]) >= count, "each stays an action"


async def test_every_page_speaks_in_words_for_people(readers: Readers, owner: Person) -> None:
    tools = set(tool_table())
    said: dict[str, list[str]] = {}
    for address in await addresses(readers, owner.brand, ""):
        text = unescape(re.sub(r"<[^>]+>", " ", (await readers.get(address)).text))
        machine = [name for name in tools if re.search(rf"\b{name}\b", text)]
        machine += re.findall(r"\S+/(?:visibility|readiness)(?=\s)", text)
        machine += re.findall(
            r"\bseenby (?:[a-z]+ )?(?:import|create|invite|probe|serve|replay|demo)\b", text
        )
        machine += re.findall(r"\bsynthetic-(?:gemini|chatgpt|perplexity)(?=\s)", text)
        if machine:
            said[address] = machine
    assert said == {}


async def test_overview_shows_intervals_verdicts_and_a_row_per_engine(
    owner: Person,
) -> None:
    key, brand = await owner.make_key(), {"brandId": owner.brand}
    compared = await tool(key, owner, "compare_periods", **brand, days=28)
    trend = await tool(
        key, owner, "get_metric_trend", **brand, metricName="visibilityScore", days=28, context=True
    )
    html = (await owner.http.get(f"/brands/{owner.brand}")).text
    tiles = re.findall(r'class="card (?:stat|headline)".*?</svg>\s*</(?:div|section)>', html, re.DOTALL)
    assert len(tiles) == 5, "the sample's mentions are not judged"
    for tile in tiles:
        assert 'class="delta' in tile, tile
        assert 'class="interval"' in tile
        assert 'class="spark"' in tile
    share, rank = (row["after"] for row in compared["ratios"])
    assert f">{share['value']:.0f}%</a>" in " ".join(tiles[2].split())
    assert f">{rank['value']:.1f}</a>" in tiles[3]
    engines = html[html.index('id="engines"') :]
    scores = {row["name"]: f"{row['score']:.1f}" for row in compared["platforms"]}
    rows = re.findall(r'platform=([\w-]+)">[^<]+</a></th>.*?">([\d.]+)</a>', engines, re.DOTALL)
    assert dict(rows) == scores
    rows = (await owner.http.get(f"/brands/{owner.brand}/trend.json")).json()
    of_engines = {(row["engine"], row["mode"], row["country"]) for row in rows if row["engine"]}
    assert of_engines == {(line["platform"], line["mode"], line["country"]) for line in trend["engines"]}


async def test_score_changes_are_in_points_and_parts_in_shares(owner: Person) -> None:
    key = await owner.make_key()
    score = await tool(key, owner, "get_ai_visibility_score", brandId=owner.brand)
    html = (await owner.http.get(f"/brands/{owner.brand}/score")).text
    change = html[html.index('id="change"') : html.index('id="ranking"')]
    rows = dict(re.findall(r'<th scope="row">([^<]+)</th>(.*?)</tr>', change, re.DOTALL))
    primary = score["change"]["primary"]
    assert re.findall(r">([\d.]+)</a>", rows["Score, all engines"])[:2] == [
        f"{100 * primary[side]:.1f}" for side in ("before", "after")
    ]
    low, high = (100 * primary["interval"][bound] for bound in ("low", "high"))
    assert f"{low:+.1f} to {high:+.1f}" in rows["Score, all engines"]
    assert re.search(r">\d+%</a>", rows["Presence, all engines"])


async def test_a_done_action_opens_into_what_it_changed(owner: Person) -> None:
    key = await owner.make_key()
    await gaps_told(owner, key)
    page = f"/brands/{owner.brand}/actions"
    [gap, *_] = [
        action
        for action in (await tool(key, owner, "list_actions", brandId=owner.brand, limit=100))["actions"]
        if action["kind"] == "content_gap" and action["state"] == "open"
    ]
    today = datetime.now(UTC).date()
    decide = {"brand": owner.brand, "state": "done"}
    for days, stage in ((28, "Verdict:"), (10, "Early result:"), (0, "Too early")):
        done = {**decide, "doneOn": (today - timedelta(days=days)).isoformat()}
        await owner.submit(page, done, f"/actions/{gap['actionId']}")
        text = await words(owner, page)
        assert stage in text, text
        assert ("untreated ones by" in text) == (days > 0), "the others are the control"
        assert ("Control prompts (" in text) == (days > 0), "both groups are drawn"
        await owner.submit(f"{page}?state=done", {**decide, "state": "open"}, f"/actions/{gap['actionId']}")
    assert gap["actionId"] in (await owner.http.get(f"{page}?state=open")).text


async def test_what_changed_is_told_by_engine_too(owner: Person) -> None:
    key = await owner.make_key()
    compared = await tool(key, owner, "compare_periods", brandId=owner.brand, days=28)
    engines = [engine for engine in compared["engines"] if engine["contribution"]]
    html = (await owner.http.get(f"/brands/{owner.brand}")).text
    changes = html[html.index('id="changes"') : html.index('id="health"')]
    [table] = re.findall(r">Engine</th>(.*?)</table>", changes, re.DOTALL)
    assert re.findall(r">([+-][\d.]+)</a>", table) == [f"{engine['contribution']:+.1f}" for engine in engines]
    assert abs(sum(engine["contribution"] for engine in engines) - compared["difference"]) < 0.3
