"""The page of actions: what to do, decided by members, read by viewers."""

import re
from datetime import UTC, datetime

from measurement.alerts.issues import IssueObservation, record
from measurement.planning.published_items import DRAFT, FOR_PROMPT
from storage.database import Database
from storage.documents import StoredEvidence
from storage.repositories.actions import ActionChoice
from storage.repositories.repository_items import ItemDraft
from tests.web.conftest import Meet, Person
from tests.web.test_numbers import ask_tool
from tests.web.test_roles import colleague


async def issue(person: Person, database: Database) -> str:
    """Give the brand one open action; return its id."""
    company = await database.operators.companies.find(person.company)
    assert company is not None
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        quote = [StoredEvidence(type="answer", id="", excerpt="<script>alert(1)</script>")]
        wrong = IssueObservation("accuracy", "warranty", "warranty", "The warranty is wrong", evidence=quote)
        await record(workspace, brand, [wrong], datetime.now(UTC))
        listed, _ = await workspace.actions.page(brand.key, ActionChoice(), 10, 0)
    return listed[0].id


def columns_of(html: str) -> list[str]:
    """The columns of the board: to do, doing, done and dismissed."""
    return html.split('<section class="column"')[1:]


async def test_a_member_plans_finishes_and_dismisses_with_a_reason(
    measured: Person, database: Database
) -> None:
    action = await issue(measured, database)
    page, send = f"/brands/{measured.brand}/actions", f"/actions/{action}"
    shown = (await measured.http.get(page)).text
    assert "The warranty is wrong" in shown
    assert "<script>alert" not in shown
    fields = {"brand": measured.brand, "state": "dismissed", "reason": ""}
    refused = await measured.submit(page, fields, send)
    assert (refused.status_code, "Say why it is dismissed." in refused.text) == (422, True)
    assert f'<li id="{action}"><details class="action" open>' in refused.text, "the rejected form is open"
    decided = await measured.submit(page, {**fields, "reason": "It is right."}, send)
    assert "moved=dismissed" in decided.headers["location"]
    assert "Dismissed: It is right." in await measured.text(f"{page}?state=dismissed")
    await measured.submit(f"{page}?state=dismissed", {"brand": measured.brand, "state": "done"}, send)
    assert "The warranty is wrong" in await measured.text(f"{page}?state=done")
    columns = columns_of((await measured.http.get(page)).text)
    assert ["The warranty is wrong" in column for column in columns] == [False, False, True, False]


async def test_a_viewer_reads_actions_and_decides_none(
    measured: Person, database: Database, meet: Meet
) -> None:
    action = await issue(measured, database)
    invited = await measured.submit("/settings/people", {"email": "eve@example.org", "role": "viewer"})
    link = "/auth/invitation?key=" + invited.text.split("/auth/invitation?key=")[1].split("<")[0]
    viewer = meet()
    fields = {"key": link.partition("key=")[2], "name": "Eve", "password": "four unrelated words"}
    await viewer.submit(link, fields, "/auth/invitation")
    page = (await viewer.http.get(f"/brands/{measured.brand}/actions")).text
    assert ("The warranty is wrong" in page, f'action="/actions/{action}"' in page) == (True, False)
    sent = await viewer.http.post(f"/actions/{action}", data={"brand": measured.brand, "state": "done"})
    assert sent.status_code == 403


async def test_actions_that_say_the_same_are_one_and_are_decided_together(
    measured: Person, database: Database
) -> None:
    company = await database.operators.companies.find(measured.company)
    assert company is not None
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        pages = [
            IssueObservation(
                "crawler_error",
                "status",
                f"https://acme.example.com/{name}",
                "A key page answers 404",
                evidence=[StoredEvidence(type="page", id="", excerpt=f"Nothing is at /{name}.")],
            )
            for name in ("prices", "service", "contact")
        ]
        await record(workspace, brand, pages, datetime.now(UTC))
    page = f"/brands/{measured.brand}/actions"
    html = (await measured.http.get(page)).text
    assert (html.count('class="action-title">A key page answers 404'), ">3×<" in html) == (1, True)
    assert all(f"Nothing is at /{name}." in html for name in ("prices", "service", "contact"))
    [first] = re.findall(r'action="(/actions/[0-9a-f-]+)"', html)
    [others] = re.findall(r'name="others" value="([^"]+)"', html)
    await measured.submit(page, {"brand": measured.brand, "state": "done", "others": others}, first)
    assert "A key page answers 404" not in await measured.text(f"{page}?state=open")
    assert 'data-count="3"' in (await measured.http.get(f"{page}?state=done")).text


async def test_actions_of_one_kind_are_chosen_in_the_address(measured: Person, database: Database) -> None:
    await issue(measured, database)
    page = f"/brands/{measured.brand}/actions"
    text = await measured.text(f"{page}?kind=accuracy")
    assert "The warranty is wrong" in text
    assert "Days · Content team" in text
    assert "The warranty is wrong" not in await measured.text(f"{page}?kind=readiness")


async def test_an_action_is_given_to_a_colleague_whose_list_it_stands_in(
    measured: Person, database: Database, meet: Meet
) -> None:
    action = await issue(measured, database)
    bob = await colleague(measured, meet, "member")
    page, send = f"/brands/{measured.brand}/actions", f"/actions/{action}"
    choices = re.search(r'<select id="who".*?</select>', (await measured.http.get(page)).text, re.DOTALL)
    assert choices is not None
    [bobs] = re.findall(r'<option value="([^"]+)">Bob</option>', choices[0])
    fields = {"brand": measured.brand, "state": "open", "assignee": bobs, "who": bobs}
    stored = await measured.submit(page, fields, send)
    mine = f"{page}?who={bobs}"
    assert stored.headers["location"].startswith(f"{page}?who={bobs}")
    text = await bob.text(mine)
    assert ("The warranty is wrong" in text, "Bob" in text) == (True, True)
    assert "The warranty is wrong" not in await bob.text(f"{mine}&state=planned")
    assert "Bob" in await measured.text(f"/brands/{measured.brand}"), "the overview says so too"
    planned = {"brand": measured.brand, "state": "planned", "assignee": bobs}
    await bob.submit(mine, planned, send)
    assert "<span>Bob</span>" in (await bob.http.get(f"{page}?state=planned")).text
    nobody = {"brand": measured.brand, "state": "planned", "assignee": ""}
    await bob.submit(f"{page}?state=planned", nobody, send)
    assert "The warranty is wrong" not in await bob.text(f"{mine}&state=planned")


async def test_whoever_is_removed_is_signed_out_and_their_actions_are_nobodys(
    measured: Person, database: Database, meet: Meet
) -> None:
    action = await issue(measured, database)
    bob = await colleague(measured, meet, "member")
    people = (await measured.http.get("/settings/people")).text
    [remove] = re.findall(r'action="(/settings/people/[0-9a-f-]+/remove)"', people)
    given = {"brand": measured.brand, "state": "planned", "assignee": remove.split("/")[3]}
    page = f"/brands/{measured.brand}/actions"
    await measured.submit(page, given, f"/actions/{action}")
    assert (await measured.submit("/settings/people", {}, remove)).status_code == 303
    assert bob.email not in await measured.text("/settings/people")
    gone = await bob.http.get(page)
    assert (gone.status_code, gone.headers["location"][:11]) == (303, "/auth/login")
    text = await measured.text(f"{page}?state=planned")
    assert ("The warranty is wrong" in text, "Bob" in text) == (True, False)


def groups_of(column: str) -> list[tuple[str, int]]:
    """The groups of a column: title, and how many actions each holds."""
    groups = column.split('<article class="card action-group">')[1:]
    return [
        (re.findall(r"<h3>([^<]+?) ?<", group)[0], group.count('<details class="action"')) for group in groups
    ]


async def test_gaps_are_one_group_from_which_a_draft_is_started(measured: Person, database: Database) -> None:
    company = await database.operators.companies.find(measured.company)
    assert company is not None
    prompts = (await ask_tool(measured, "get_prompt_results", brandId=measured.brand))["prompts"][:5]
    gaps = [
        IssueObservation(
            "content_gap",
            "gap",
            prompt["promptId"],
            f"Likely gap: nothing that is published covers “{prompt['prompt']}”",
            evidence=[
                StoredEvidence(type="prompt", id=prompt["promptId"], excerpt=f"**{prompt['prompt']}**")
            ],
        )
        for prompt in prompts
    ]
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        await record(workspace, brand, gaps, datetime.now(UTC))
        draft = ItemDraft("A text", "Buses last.", DRAFT, key=f"{FOR_PROMPT}{prompts[0]['promptId']}")
        await workspace.repository_items.save(brand.key, [draft], datetime.now(UTC))
    page = f"/brands/{measured.brand}/actions"
    html = (await measured.http.get(page)).text
    assert [groups_of(column) for column in columns_of(html)] == [[("Fill content gaps", 5)], [], [], []]
    assert all(f'action-title">{prompt["prompt"]}<' in html for prompt in prompts), "without markup"
    [drafted] = re.findall(r'<a href="([^"]+)">Review draft</a>', html)
    assert "Buses last." in await measured.text(drafted)
    [explained] = re.findall(r'popovertarget="([^"]+)">Draft it<', html)
    _, _, why = html.partition(f'<div id="{explained}" popover')
    assert "Add an engine<" in why[: why.index("</div>")], "no engine writes yet"
    await measured.submit("/settings/engines", {"platform": "chatgpt", "secret": "a-key-of-a-provider-1234"})
    ready = (await measured.http.get(page)).text
    [start] = re.findall(r'<form method="post" action="(/automation/workflows/\w+)">', ready)
    fields = dict(re.findall(r'name="(brand|once)" value="([^"]+)"><', ready[ready.index(start) :])[:2])
    started = await measured.submit(page, fields, start)
    assert started.headers["location"].startswith("/automation/runs/"), started.text
    again = await measured.submit(page, fields, start)
    assert again.headers["location"] == started.headers["location"], "a second click starts nothing else"
