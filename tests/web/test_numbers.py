"""Numbers of pages: each count opens into as many answers, prompts or actions, and filters stay in the address."""

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from storage.database import Database
from storage.encoding import packed
from storage.ids import new_id
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from tests.web.conftest import PROMPTS, Meet, Person, Running, measure
from tests.web.test_shared_reports import shared_link

LINK = re.compile(r'<a [^>]*href="([^"]+)"[^>]*data-total="(\d+)"')
VERDICT = r">(rose|fell|[Nn]o detectable change|[Nn]ot comparable)\b"
PAGES = ("", "/prompts", "/sources?when=all", "/competitors", "/prompts?rival=Rival")


async def counts_on(person: Person, path: str) -> dict[str, int]:
    """The addresses that numbers on a page lead to, with the number."""
    response = await person.http.get(path)
    assert response.status_code == 200, path
    return {unescape(address): int(number) for address, number in LINK.findall(response.text)}


@pytest.mark.parametrize("page", PAGES)
async def test_every_count_opens_into_as_many_as_it_says(measured: Person, page: str) -> None:
    counts = await counts_on(measured, f"/brands/{measured.brand}{page}")
    assert counts, "a page without a number that opens proves nothing"
    if page == "/prompts":
        prompt = next(address for address in counts if "promptId=" in address)
        prompt_id = re.findall(r"promptId=([^&]+)", prompt)[0]
        counts |= await counts_on(measured, f"/brands/{measured.brand}/prompts/{prompt_id}")
    for address, number in list(counts.items())[:40]:
        opened = (await measured.http.get(address)).text
        assert str(number) in re.findall(r'data-count="(\d+)"', opened), address


async def test_filters_of_the_address_show_what_the_tools_count(measured: Person) -> None:
    key = await measured.make_key()
    results: dict[str, Any] = (
        await measured.http.post(
            "/api/mcp-app/rest/get_prompt_results",
            json={"brandId": measured.brand, "platform": "chatgpt", "days": 7, "limit": 100},
            headers={"Authorization": f"Bearer {key}"},
        )
    ).json()
    text = " ".join(
        (await measured.text(f"/brands/{measured.brand}/prompts?period=7&platform=chatgpt")).split()
    )
    for outcome, words in (("win", "Win"), ("tie", "Tie"), ("loss", "Loss")):
        assert f"{words} {results['outcomes'].get(outcome, 0)}" in text
    page = (await measured.http.get(f"/brands/{measured.brand}/prompts?period=7&platform=chatgpt")).text
    assert f'href="/brands/{measured.brand}/sources?period=7&amp;platform=chatgpt"' in page


async def ask_tool(person: Person, tool: str, **arguments: object) -> dict[str, Any]:
    """Return what an app of the person is told by a tool."""
    headers = {"Authorization": f"Bearer {await person.make_key()}"}
    answer = await person.http.post(f"/api/mcp-app/rest/{tool}", json=arguments, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_figures_of_the_overview_follow_the_filter_bar(measured: Person) -> None:
    today = datetime.now(UTC).date()
    week = {
        "from": (today - timedelta(days=6)).isoformat(),
        "to": today.isoformat(),
        "brandId": measured.brand,
    }
    week["platform"] = "chatgpt"
    compared = await ask_tool(measured, "compare_periods", **week)
    overall = (await ask_tool(measured, "get_prompt_results", **week))["overall"]
    text = " ".join((await measured.text(f"/brands/{measured.brand}?period=7&platform=chatgpt")).split())
    assert f"Visibility score {compared['after']['score']:.1f} " in text
    assert f"{overall['own']['named']} of {overall['answers']} answers" in text
    assert f"Before {compared['before']['score']:.1f}, {compared['before']['answers']} answers" in text
    assert [engine["name"] for engine in compared["platforms"]] == ["chatgpt"]


@pytest.mark.parametrize("metric", ["visibilityScore", "shareOfVoice", "mentionCount"])
async def test_the_trend_follows_every_filter_and_shows_rivals(measured: Person, metric: str) -> None:
    for name, value in (("platform", "chatgpt"), ("mode", "visibility")):
        trend = await ask_tool(
            measured,
            "get_metric_trend",
            brandId=measured.brand,
            metricName=metric,
            days=28,
            competitors=True,
            **{name: value},
        )
        address = f"/brands/{measured.brand}/trend.json?{name}={value}&metric={metric}"
        rows = (await measured.http.get(address)).json()
        own = {row["day"]: row["value"] for row in rows if row["brand"] == "Acme"}
        assert own == {point["day"]: point["value"] for point in trend["points"]}
        assert own
        lines = {line["name"] for line in trend["competitors"]}
        assert {row["brand"] for row in rows} == {"Acme", *lines}
        page = await measured.http.get(f"/brands/{measured.brand}?{name}={value}&metric={metric}")
        assert all(f"<title>{line}</title>" in page.text for line in lines)
        assert "Hide competitors" in page.text
    alone = await measured.http.get(f"/brands/{measured.brand}?metric={metric}&rivals=no")
    assert "<title>Rival</title>" not in alone.text
    assert "Show competitors" in alone.text


async def test_the_competitors_lead_to_their_share_of_voice_over_time(measured: Person) -> None:
    page = (await measured.http.get(f"/brands/{measured.brand}/competitors")).text
    [address] = re.findall(r'href="([^"]+metric=shareOfVoice[^"]*)"', page)
    shown = (await measured.http.get(unescape(address))).text
    assert (
        'Trend<span class="visually-hidden">: Share of voice' in shown,
        "<title>Rival</title>" in shown,
    ) == (True, True)


async def test_the_comparison_is_chosen_in_the_address(measured: Person) -> None:
    alone = await measured.text(f"/brands/{measured.brand}?compare=none")
    assert "No comparison is selected" in alone
    assert "rose" not in alone
    year = " ".join((await measured.text(f"/brands/{measured.brand}?compare=year")).split())
    assert "There is no comparison with the same period last year:" in year


async def test_every_page_that_says_what_changed_lets_one_choose_against_what(
    ada: Person, service: Running, tmp_path: Path
) -> None:
    year = ((369, 1), (368, 1), (367, 1), (3, 6), (2, 6), (1, 6))
    person = await measure(ada, service, tmp_path, year)
    base = f"/brands/{person.brand}"
    rows = (await ask_tool(person, "get_prompt_results", brandId=person.brand))["prompts"]
    for page in ("", "/report", "/prompts", f"/prompts/{rows[0]['promptId']}"):
        shown = {
            choice: (await person.http.get(f"{base}{page}?period=7&compare={choice}")).text
            for choice in ("before", "year", "none")
        }
        assert all('<select name="compare">' in html for html in shown.values())
        said = {
            choice: {word.lower().strip() for word in re.findall(VERDICT, html)}
            | set(re.findall(r"There is no comparison", html))
            for choice, html in shown.items()
        }
        assert said["before"] <= {"not comparable", "There is no comparison"}, page
        assert said["before"], page
        assert said["year"] & {"rose", "no detectable change"}, page
        assert said["none"] == set(), page
    assert '<select name="compare">' in (await person.http.get(f"{base}/sources")).text
    files = {
        choice: {
            row["change"]
            for row in (await person.http.get(f"{base}/prompts.json?period=7&compare={choice}")).json()
        }
        for choice in ("before", "year", "none")
    }
    assert files == {
        "before": {"not_comparable"},
        "year": {"rose", "no_detectable_change"},
        "none": {None},
    }


async def test_the_competitors_page_matches_the_tool(ada: Person, service: Running, tmp_path: Path) -> None:
    person = await measure(ada, service, tmp_path, ((12, 3), (11, 3), (3, 3), (2, 3)))
    asked: dict[str, Any] = {"brandId": person.brand, "limit": 1}
    today = datetime.now(UTC).date()
    week = {"from": (today - timedelta(days=6)).isoformat(), "to": today.isoformat()}
    overall = (await ask_tool(person, "get_prompt_results", **asked, **week))["overall"]
    assert [rival["change"]["verdict"] for rival in overall["rivals"]] == ["no_detectable_change"] * 2
    base = f"/brands/{person.brand}/competitors"
    text = " ".join((await person.text(f"{base}?period=7")).split())
    for row in overall["rivals"]:
        low, high = (f"{100 * row['interval'][end]:.0f}" for end in ("low", "high"))
        assert (
            f"{row['name']} {row['named']} of {overall['answers']} {100 * row['rate']:.0f}% "
            f"95% CI {low}%–{high}% ≈ No detectable change"
        ) in text
    long_ago = " ".join((await person.text(f"{base}?period=7&compare=year")).split())
    assert "Not comparable" in long_ago
    alone = " ".join((await person.text(f"{base}?period=7&compare=none")).split())
    assert "Not comparable" not in alone
    assert "No detectable change" not in alone


async def test_pages_say_where_a_comparison_crosses_a_change_of_the_questions(
    measured: Person, database: Database
) -> None:
    company = await database.operators.companies.find(measured.company)
    assert company is not None
    now = datetime.now(UTC)
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find(measured.brand)
        assert brand is not None
        draft = PromptSetDraft("Buyers", (PromptDraft("Which car lasts?"),))
        for ago, text in ((12, "Which car lasts?"), (5, "Which car is safe?")):
            draft = replace(draft, prompts=(PromptDraft(text),))
            asked = await workspace.prompt_sets.save(brand.key, draft, now)
            batch = await workspace.batches.open(
                new_id(),
                brand.key,
                [],
                source="api",
                plan_sha256="0" * 64,
                prompt_set=(asked.key, asked.version),
                now=now - timedelta(days=ago),
            )
            await workspace.batches.close(batch.key, "success", [], now)
    words = "prompts of “Buyers” changed"
    base = f"/brands/{measured.brand}"
    overview = await measured.text(f"{base}?period=7")
    assert overview.count(words) == 4, "on both forms of the chart, below it, and beside the comparison"
    assert f"{words}</title>" in (await measured.http.get(f"{base}?period=7")).text, "on the chart"
    for page in (f"{base}/report?period=7", f"{base}/sources?period=7"):
        assert words in await measured.text(page), page
    link = await shared_link(measured)
    assert words in await measured.text(link), "a shared report says it too"
    alone = await measured.text(f"{base}/sources?period=7&compare=none")
    assert words not in alone


async def test_filters_that_a_page_does_not_look_at_go_on_to_the_next_one(measured: Person) -> None:
    state = "period=90&compare=year&mode=visibility&tag=city"
    base = f"/brands/{measured.brand}"
    listed = (await measured.http.get(f"{base}/prompts?{state}")).text
    [prompt, *_] = re.findall(rf'href="({base}/prompts/[0-9a-f-]{{36}})', listed) or [""]
    rows = await ask_tool(measured, "get_prompt_results", brandId=measured.brand)
    prompt = prompt or f"{base}/prompts/{rows['prompts'][0]['promptId']}"
    for page in (prompt, f"{base}/crawlers"):
        shown = (await measured.http.get(f"{page}?{state}")).text
        [address] = re.findall(rf'href="({base}/sources\?[^"]+)"[^>]*>Sources<', shown)
        for part in state.split("&"):
            assert part in unescape(address)
        assert '<input type="hidden" name="tag" value="city">' in shown


async def test_the_page_of_a_question_shows_its_answers_day_by_day(measured: Person) -> None:
    rows = (await ask_tool(measured, "get_prompt_results", brandId=measured.brand))["prompts"]
    prompt = next(row for row in rows if row["prompt"].startswith("Which bus"))
    trend = await ask_tool(
        measured,
        "get_metric_trend",
        brandId=measured.brand,
        metricName="mentionCount",
        promptId=prompt["promptId"],
        days=28,
    )
    page = f"/brands/{measured.brand}/prompts/{prompt['promptId']}"
    html = (await measured.http.get(page)).text
    assert html.count('class="time') == 2
    table = html[html.index('aria-label="Answers by day"') : html.index('id="sources"')]
    told = re.findall(r"<td>([^<]+)</td><td class=\"number\"><a [^>]*>(\d+)</a> of <a [^>]*>(\d+)</a>", table)
    said = [(f"{point['value']:.0f}", str(point["answers"])) for point in reversed(trend["points"])]
    assert [(named, answers) for _, named, answers in told] == said
    assert [named for named, _ in said] == ["2", "2", "2", "0"], "named in all but the first measurement"
    assert ">Rival</th>" in table
    assert (
        len([address for address in re.findall(r'href="([^"]+)"', table) if "outcome=names_us" in address])
        == 4
    )
    one = (await measured.http.get(f"{page}?period=7&from={trend['points'][-1]['day']}")).text
    assert "Measured once in this period" in one


async def test_the_ranking_is_of_the_engine_that_is_chosen(measured: Person) -> None:
    ranked = await ask_tool(measured, "get_competitor_rankings", brandId=measured.brand, platform="chatgpt")
    rows = (await measured.http.get(f"/brands/{measured.brand}/ranking.json?platform=chatgpt")).json()
    assert [(row["brand"], row["score"]) for row in rows] == [
        (row["name"], row["rankingScore"]) for row in ranked["rankings"]
    ]
    text = " ".join((await measured.text(f"/brands/{measured.brand}/competitors?platform=chatgpt")).split())
    assert "of the newest measurement, of ChatGPT" in text


async def test_a_filter_that_nothing_has_is_said_and_left_out(measured: Person) -> None:
    text = await measured.text(f"/brands/{measured.brand}/prompts?platform=nobody&period=soon&from=never")
    assert "No data has engine “nobody”. It was removed from the filters." in text
    assert "28 days" in text


async def test_answers_behind_a_recalculated_score_say_so(
    measured: Person,
) -> None:
    text = await measured.text(f"/brands/{measured.brand}/answers?calculation=former&counted=1")
    assert "has been recalculated since" in text


async def test_an_import_leaves_counts_for_the_planner_of_reads(measured: Person, service: Running) -> None:
    with closing(sqlite3.connect(service.database_file)) as reader:
        counted = {table for (table,) in reader.execute("SELECT tbl FROM sqlite_stat1")}
    assert {"answers", "answer_readings", "mentions"} <= counted


def break_scores(service: Running, brand_id: str) -> None:
    """Leave a stored score that its tool cannot read."""
    with closing(sqlite3.connect(service.database_file)) as writer:
        broken = "UPDATE score_calculations SET headline = ? WHERE brand_key = (SELECT key FROM brands WHERE id = ?)"
        writer.execute(broken, (packed("{}"), brand_id))
        writer.commit()


async def test_a_page_shows_what_it_has_when_one_tool_crashes(measured: Person, service: Running) -> None:
    break_scores(service, measured.brand)
    broken = await measured.http.get(f"/brands/{measured.brand}")
    assert broken.status_code == 200
    assert "The visibility score is not available. This is a defect of the service." in broken.text
    assert ">Ranking</summary>" in broken.text
    assert "Mention rate" in broken.text


async def test_a_page_whose_own_tool_crashes_says_so_and_is_no_missing_page(
    measured: Person, service: Running
) -> None:
    break_scores(service, measured.brand)
    broken = await measured.http.get(f"/brands/{measured.brand}/score")
    assert (broken.status_code, "Report it with the reference" in broken.text) == (503, True)


async def test_another_companys_pages_are_not_found(measured: Person, meet: Meet) -> None:
    stranger = meet()
    await stranger.sign_up()
    for page in ("", "/score", "/prompts", "/sources", "/competitors", "/actions"):
        assert (await stranger.http.get(f"/brands/{measured.brand}{page}")).status_code == 404


async def test_groups_of_questions_add_what_the_tool_says_of_each(measured: Person) -> None:
    lines = "\n".join(
        f"{text} | {'choose' if number % 2 else 'compare'} | {'city' if number < 4 else 'price'}"
        for number, text in enumerate(PROMPTS)
    )
    form = {"name": "Buyers", "prompts": lines, "repeats": "2", "brand": measured.brand}
    assert (await measured.submit("/automation/sets/new", form, "/automation/sets")).status_code == 303
    for grouping, values in (("tag", ("city", "price")), ("intent", ("choose", "compare"))):
        page = f"/brands/{measured.brand}/prompts?group={grouping}&period=90"
        counts = await counts_on(measured, page)
        assert {address for address in counts if f"{grouping}={values[0]}" in address}
        for address, number in counts.items():
            opened = (await measured.http.get(address)).text
            assert re.findall(r'data-count="(\d+)"', opened) == [str(number)], address
        text = await measured.text(page)
        assert all(value in text for value in values)


async def test_a_first_measurement_is_not_shown_as_an_empty_line(
    ada: Person, service: Running, tmp_path: Path
) -> None:
    person = await measure(ada, service, tmp_path, ((3, 4),))
    page = (await person.http.get(f"/brands/{person.brand}")).text
    score = await ask_tool(person, "get_metric_trend", brandId=person.brand, metricName="visibilityScore")
    [point] = score["points"]
    text = " ".join((await person.text(f"/brands/{person.brand}")).split())
    assert ("The trend starts with the second measurement" in text, 'class="time' in page) == (True, False)
    low, high = point["intervals"]["thesePrompts"].values()
    assert f"{point['value']:.1f} of 100" in text
    assert f"95% CI {low:.1f} \N{EN DASH} {high:.1f}" in text
    assert re.search(r"Engines named us in \d+ of \d+ answers", text)


async def test_a_missing_comparison_is_said_once_with_its_reason(
    measured: Person,
) -> None:
    page = (await measured.http.get(f"/brands/{measured.brand}")).text
    assert page.count("There is no comparison with the previous period:") == 1
    assert page.count('class="card stat"') == 5
    assert 'class="delta' not in page


async def test_sources_show_at_a_glance_whose_they_are(measured: Person) -> None:
    page = f"/brands/{measured.brand}/sources"
    for when in ("rival_named_instead", "all"):
        html = (await measured.http.get(f"{page}?when={when}")).text
        chosen = {"when": when} if when != "all" else {}
        cards = html[html.index('<nav class="owners"') :].partition("</nav>")[0]
        shown = [int(number) for number in re.findall(r"<strong>(\d+)</strong>", cards)]
        counted = [
            await ask_tool(measured, "get_citations", brandId=measured.brand, owner=owner, days=28, **chosen)
            for owner in ("own", "competitor", "third_party")
        ]
        assert shown == [listed["total"] for listed in counted]
        [total] = re.findall(r'<span data-count="(\d+)">', html)
        assert sum(shown) == int(total)
        assert ("Next step" in html) is (when == "rival_named_instead" and sum(shown) > 0)


async def test_the_own_change_beside_competitors_is_that_of_the_comparison(
    ada: Person, service: Running, tmp_path: Path
) -> None:
    person = await measure(ada, service, tmp_path, ((40, 1), (33, 1), (12, 8), (5, 7)))
    rows = (await person.http.get(f"/brands/{person.brand}/shares.json")).json()
    compared = await ask_tool(person, "compare_periods", brandId=person.brand, metric="presence", days=28)
    assert (rows[0]["brand"], rows[0]["change"]) == ("Acme", "rose")
    assert 100 * rows[0]["difference"] == pytest.approx(compared["difference"])
    table = (await person.text(f"/brands/{person.brand}/competitors")).partition("Change vs.")[2]
    assert "rose" in table[: table.index("Rival")]
