# World, Sites and House are typed in files named conftest.py, which a test module cannot import.
"""The workflows that look at sites and ask engines at once, run whole: what lands where, and what it costs."""

import asyncio
import json
import re
from contextlib import AbstractAsyncContextManager
from typing import Any

import pytest

from storage.repositories.brands import BrandDraft
from tests.readiness.conftest import Handler, Sites, World
from tests.readiness.workflows.conftest import House, OpenHouse, Talker, ends_of
from tests.workflows.judging import draft_well, is_judging
from workflows.workflow_definitions import WORKFLOWS

pytestmark = pytest.mark.asyncio(loop_scope="session")
DEALER = "www.dealer.example.com"
RIVAL = "rival.example.com"
WON_BY_GLOBEX = (
    "Who repairs hybrid batteries in Springfield?",
    "Where can I have rusty bumpers painted?",
    "Who sells winter tires for vans?",
)
PROMPTS = (*WON_BY_GLOBEX, *(f"Which garage is the best one for model {letter}?" for letter in "ABCDEFG"))
KNOWN = "We answer on the same day. Call (202) 555-0143."
MADE_UP = "Ask for Jane Miller. She does it for $99."
LOST = "Globex is the best of all garages, that is what the people of the town say."
NAMED = "1. Globex is the best one of all.\n2. Synthetic Motors has a friendly staff, as people say of it."


def told(asked: str) -> str:
    """What an engine says of garages, how it judges what was said, and what it writes."""
    if asked.startswith("You judge"):
        judged: dict[str, Any] = {"label": "positive", "quote": "friendly staff", "statements": []}
        return json.dumps([{"text": number, **judged} for number in range(1, asked.count("\nText ") + 1)])
    if is_judging(asked) or asked.startswith("Write a draft"):
        return draft_well(asked, MADE_UP if WON_BY_GLOBEX[2] in asked else KNOWN)
    return LOST if asked in WON_BY_GLOBEX else NAMED


@pytest.fixture
def competing(
    opened: OpenHouse, world: World, talker: Talker, defective: Handler, sites: Sites
) -> AbstractAsyncContextManager[House]:
    """Opens a house on the scale plan: a site with defects, a rival with a site, ten prompts, an engine."""
    talker.script = told
    world.server.hosts[DEALER] = defective
    world.server.hosts[RIVAL] = sites.serving(sites.dealer(RIVAL, vehicles=2), RIVAL)
    return opened(engines=talker.configured, rivals=(BrandDraft("Globex", sites=(RIVAL,)),))


async def furnish(house: House) -> None:
    await house.plan("scale")
    await house.furnish(PROMPTS)


async def test_the_full_service_runs_every_agent_and_costs_their_sum(
    competing: AbstractAsyncContextManager[House], talker: Talker
) -> None:
    async with competing as house:
        await furnish(house)
        status = await house.run("full_service")
        agents = WORKFLOWS["full_service"].agents
        assert ends_of(status) == dict.fromkeys(agents, ("completed", None)), status["errors"]
        assert (status["status"], status["credits"]) == (
            "completed",
            {"reserved": 21, "charged": 21, "refunded": 0},
        )
        prober = next(agent for agent in status["agents"] if agent["agent"] == "answer_prober")
        assert (prober["credits"], prober["progress"]) == (4, {"done": 30, "total": 30})
        # Thirty questions, twenty-one mentions judged ten at a time, three drafts of which two have sentences to judge, and
        # nothing else was asked.
        judged = sum(ask.startswith("You judge") for ask in talker.asked)
        written = sum(ask.startswith("Write a draft") for ask in talker.asked)
        assert (judged, written, len(talker.asked)) == (3, 3, 38)
        briefs = [ask for ask in talker.asked if ask.startswith("Write a draft")]
        assert all("Named instead: Globex" in brief and LOST in brief for brief in briefs)
        await findings_tell_of_every_side(status)
        await drafts_are_proposals(house)
        await issues_and_notifications_agree(house, status)
        await credits_add_up(house, status)
        await the_report_opens_what_it_names(house, status)


async def the_report_opens_what_it_names(house: House, status: Any):
    """Each action stands once, says what it may gain, and names a draft and answers that can be opened."""
    first = status["report"].partition("## What was done")[0]
    actions = re.split(r"^\d\. ", first, flags=re.M)[1:]
    assert len(actions) == 5
    named = [prompt for prompt in PROMPTS for action in actions if prompt in action.splitlines()[0]]
    assert len(named) == len(set(named))
    items = house.database.workspace(house.company).repository_items
    for action in actions:
        title = action.splitlines()[0]
        is_question = "Likely gap" in title
        assert ("Expected gain: " in action) == is_question
        for draft in re.findall(r"A draft waits for your approval in Content: (\S+)\.", action):
            item = await items.find(house.brand.key, draft)
            assert item is not None
            assert item.title in (*WON_BY_GLOBEX, "Proposed robots.txt", "Proposed sitemap.xml")
        for answer in re.findall(r"Answer (\S+) \(get_answer\)", action):
            assert (await house.call("get_answer", answerId=answer))["text"] == LOST
    assert "worth 38 points of the readiness score" in actions[0]
    assert [action.count("A draft waits") for action in actions] == [1, 1, 1, 0, 1]


async def findings_tell_of_every_side(status: Any):
    findings = {finding["title"]: finding for finding in status["findings"]}
    senders = {
        "The site was taken for: dealer": "site_profiler",
        "AI search bots are allowed: fails": "checkup_reporter",
        "robots.txt keeps AI search bots out": "bot_access_prober",
        "Globex is ahead of Synthetic Motors": "ranking_calculator",
        f"Draft needs review: {WON_BY_GLOBEX[2]}": "fact_guard",
        "Proposed sitemap.xml": "technical_fix_generator",
    }
    assert {title: findings[title]["sourceAgent"] for title in senders} == senders
    gaps = [finding for finding in status["findings"] if finding["sourceAgent"] == "gap_finder"]
    won = [gap for gap in gaps if gap["checkId"] == "gap.answer"]
    assert {prompt for prompt in WON_BY_GLOBEX for one in won if prompt in one["title"]} == set(WON_BY_GLOBEX)
    assert all(any(evidence["excerpt"] in LOST for evidence in one["evidence"]) for one in won)
    assert any(
        title.startswith("Globex: readiness") and finding["sourceAgent"] == "competitor_site_scanner"
        for title, finding in findings.items()
    )
    review = findings[f"Draft needs review: {WON_BY_GLOBEX[2]}"]
    assert [evidence["excerpt"] for evidence in review["evidence"]] == [
        "Ask for Jane Miller.",
        "She does it for $99.",
    ]
    assert "Not found in the cited facts: Jane Miller" in review["detail"]
    assert "Not found in the cited facts: $99" in review["detail"]


async def drafts_are_proposals(house: House):
    drafts = await house.drafts()
    assert drafts.keys() == {
        "Draft by a person",
        "Proposed robots.txt",
        "Proposed sitemap.xml",
        "Proposed llms.txt",
        *WON_BY_GLOBEX,
    }
    assert drafts["Draft by a person"] == "Keep me as I am."
    assert {drafts[prompt] for prompt in WON_BY_GLOBEX[:2]} == {KNOWN}


async def issues_and_notifications_agree(house: House, status: Any):
    """Every finding of something bad names its issue; people are told of issues, not of a run that went well."""
    monitoring = await house.call("get_monitoring_results", brandId=house.brand.id)
    alerts = {alert["issueId"] for result in monitoring["results"] for alert in result["alerts"]}
    raised = {
        finding["issueId"]
        for finding in status["findings"]
        if finding["sourceAgent"] in ("bot_access_prober", "crawler_checker", "gap_finder")
    }
    assert raised - {None}
    assert raised - {None} <= alerts
    notifications = (await house.call("list_notifications", limit=100))["notifications"]
    # That an engine names the brand for the first time is news of the measurement, and of no issue; gaps are told
    # together, with the list of them.
    of_no_issue = {told["kind"]: told["path"] for told in notifications if told["issueId"] is None}
    assert list(of_no_issue) == ["content_gap", "ai_mention"]
    assert of_no_issue["content_gap"] == f"/issues?brand={house.brand.id}&kind=content_gap"
    of_issues = [notification for notification in notifications if notification["issueId"] is not None]
    assert {notification["runId"] for notification in of_issues} == {status["runId"]}
    told = [notification["issueId"] for notification in of_issues]
    assert len(told) == len(set(told))
    gaps = {finding["issueId"] for finding in status["findings"] if finding["sourceAgent"] == "gap_finder"}
    assert raised - gaps - {None} <= set(told)
    score = await house.call("get_ai_visibility_score", brandId=house.brand.id)
    assert (score["answers"], score["score"] > 0) == (30, True)
    # The rival's report stays inside the company.
    [public] = await house.database.operators.readiness.newest(10)
    assert public.url_key.startswith(DEALER)


async def credits_add_up(house: House, status: Any):
    have = await house.call("get_credits")
    assert (have["available"], have["reserved"], have["usedThisMonth"]) == (2979, 0, 21)
    created = status["createdAt"][:7]
    lines = await house.database.workspace(house.company).credits.entries(created)
    assert sorted((line.kind, line.amount) for line in lines if line.run_id == status["runId"]) == [
        ("refund", 0),
        ("reserve", 21),
        ("settle", 21),
    ]


async def test_a_competitive_scan_with_a_site_settles_all_its_credits(
    competing: AbstractAsyncContextManager[House], talker: Talker
) -> None:
    async with competing as house:
        await furnish(house)
        status = await house.run("competitive_scan")
        assert status["status"] == "completed", status["errors"]
        assert status["credits"] == {"reserved": 9, "charged": 9, "refunded": 0}
        assert {state for state, _ in ends_of(status).values()} == {"completed"}
        assert len(talker.asked) == 30
        scanned = [
            finding for finding in status["findings"] if finding["sourceAgent"] == "competitor_site_scanner"
        ]
        [report] = [evidence["id"] for one in scanned for evidence in one["evidence"]]
        assert await house.database.workspace(house.company).readiness.report(report) is not None
        assert await house.database.operators.readiness.newest(10) == []
        told = [finding for finding in status["findings"] if finding["sourceAgent"] == "gap_analyst"]
        won = [finding for finding in told if finding["checkId"]]
        assert len(won) == len(WON_BY_GLOBEX)
        assert [finding["title"].partition(":")[0] for finding in told if not finding["checkId"]] == ["Plan"]
        assert {one["issueId"] for one in won} != {None}


async def test_a_scan_gives_cited_pages_and_missing_markup_as_reasons(
    competing: AbstractAsyncContextManager[House], world: World, talker: Talker, sites: Sites
) -> None:
    cited = (f"https://{RIVAL}/batteries", "https://guide.example.org/garages", f"https://{DEALER}/about")
    talker.cites = lambda asked: cited if asked in WON_BY_GLOBEX else ()
    pages = sites.dealer(DEALER, vehicles=2)
    for path, answer in pages.items():
        if path == "/" or "vehicle" in path or "inventory" in path:
            answer.text = re.sub(
                r'<script type="application/ld\+json">.*?</script>', "", answer.text, flags=re.S
            )
    world.server.hosts[DEALER] = sites.serving(pages, DEALER)
    async with competing as house:
        await house.plan("scale")
        await house.furnish(WON_BY_GLOBEX)
        status = await house.run("ai_shop_checkup", "competitive_scan")
        found = [finding for finding in status["findings"] if finding["checkId"] == "gap.answer"]
        assert len(found) == len(WON_BY_GLOBEX)
        for finding in found:
            assert (
                f"Cited source: 3 of 3 answers cite pages of others: {RIVAL} (3, a competitor), "
                "guide.example.org (3)." in finding["detail"]
            )
            assert "Structured data: Globex has markup that the brand's site lacks: " in finding["detail"]
            shown = {item["url"]: item["excerpt"] for item in finding["evidence"] if item["type"] == "page"}
            assert (shown[cited[0]], shown[cited[1]]) == ("cited source", "cited source")
            assert cited[2] not in shown
            assert {url for url, kind in shown.items() if kind == "structured data"} == {
                f"https://{DEALER}/",
                f"https://{RIVAL}/",
            }
            answers = [item["id"] for item in finding["evidence"] if item["type"] == "answer"]
            opened = [await house.call("get_answer", answerId=answer) for answer in answers]
            assert opened
            assert {answer["text"] for answer in opened} == {LOST}
            assert "Add the markup that the competitors' sites have." in finding["fix"]


async def test_an_unreachable_site_does_not_hide_gaps_in_the_answers(
    competing: AbstractAsyncContextManager[House], world: World
) -> None:
    async def hang_up(writer: asyncio.StreamWriter) -> None:
        writer.close()

    async with competing as house:
        await furnish(house)
        world.server.hosts[DEALER] = lambda scheme, path, headers: hang_up
        status = await house.run("full_service")
        ends = ends_of(status)
        assert ends["site_profiler"] == ("failed", "site_unreachable")
        asked = ("answer_prober", "mention_extractor", "score_calculator", "gap_finder", "content_drafter")
        assert {agent: ends[agent] for agent in asked} == dict.fromkeys(asked, ("completed", None))
        on_site = ("readiness_scanner", "technical_fix_generator", "checkup_reporter")
        assert {agent: ends[agent] for agent in on_site} == dict.fromkeys(on_site, ("skipped", None))
        first, _, done = status["report"].partition("## What was done")
        assert all(prompt in first for prompt in WON_BY_GLOBEX)
        assert (
            "Read the site: The site did not answer with a page that can be read. Check that the site answers"
            in done
        )
        assert "Prioritize the findings: Not done, since a step that it builds on was not." in done
