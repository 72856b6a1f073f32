"""Actions: what was found as a list to work through, and what people decide about it."""

from typing import Any

import pytest

from measurement.alerts.issues import IssueObservation, record
from storage.documents import StoredEvidence
from tests.tools.conftest import Office

pytestmark = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
EVIDENCE = [StoredEvidence(type="answer", id="a-1", excerpt="Acme opens\u202e at 9.")]


@pytest.fixture
async def found(office: Office) -> Office:
    """Our company with two open issues of Acme: one critical, one a warning."""
    async with office.database.transaction(office.companies["ours"]) as workspace:
        brand = await workspace.brands.find("Acme")
        assert brand is not None
        observations = [
            IssueObservation(
                "accuracy", "accuracy.hours", "chatgpt", "Wrong hours", "warning", None, EVIDENCE
            ),
            IssueObservation("bot_access", "bots.search", "search", "Search bots are kept out", "critical"),
        ]
        await record(workspace, brand, observations, office.now())
    return office


async def titles(office: Office, company: str = "ours", **arguments: Any) -> list[str]:
    """Titles of the listed actions in their order."""
    listed = await office.call("list_actions", company, **arguments)
    assert listed["total"] == len(listed["actions"])
    return [action["title"] for action in listed["actions"]]


async def action_id(office: Office, kind: str) -> str:
    """The only action of a kind."""
    [action] = (await office.call("list_actions", kind=kind))["actions"]
    return action["actionId"]


async def test_actions_are_listed_worst_first_with_evidence(found: Office) -> None:
    assert await titles(found) == ["Search bots are kept out", "Wrong hours"]
    assert await titles(found, brandId="Bolt") == []
    assert await titles(found, "theirs") == []
    [action] = (await found.call("list_actions", kind="accuracy"))["actions"]
    [evidence] = action["evidence"]
    assert (evidence["answerId"], evidence["quote"]) == ("a-1", "Acme opens at 9.")
    assert (action["state"], action["expectedGain"]) == ("open", None)


async def test_decisions_are_kept_and_choose_the_list(found: Office) -> None:
    bots, hours = await action_id(found, "bot_access"), await action_id(found, "accuracy")
    assert (await found.call("update_action", actionId=bots, state="planned"))["state"] == "planned"
    done = await found.call("update_action", actionId=bots, state="done")
    assert done["doneOn"] == found.now().date().isoformat()
    await found.call("update_action", actionId=hours, state="dismissed", reason="It is a holiday")
    assert await titles(found, state="done") == ["Search bots are kept out"]
    assert await titles(found, state="dismissed") == ["Wrong hours"]
    assert await titles(found, state="open") == []
    assert (await found.call("get_dashboard_overview"))["openIssues"] == {"total": 1, "critical": 1}


async def test_taking_a_dismissal_back_opens_the_issue_again(found: Office) -> None:
    hours = await action_id(found, "accuracy")
    await found.call("update_action", actionId=hours, state="dismissed", reason="It is a holiday")
    reopened = await found.call("update_action", actionId=hours, state="open")
    assert (reopened["state"], reopened["reason"]) == ("open", None)
    assert (await found.call("get_dashboard_overview"))["openIssues"]["total"] == 2


@pytest.mark.parametrize(
    "arguments",
    [
        {"state": "dismissed"},
        {"state": "planned", "reason": "why not"},
        {"state": "planned", "doneOn": "2020-01-01"},
        {"state": "done", "doneOn": "2999-01-01"},
        {"state": "finished"},
        {"state": "done", "doneOn": "yesterday"},
    ],
)
async def test_a_decision_that_does_not_fit_is_refused_and_changes_nothing(
    found: Office, arguments: dict[str, str]
) -> None:
    hours = await action_id(found, "accuracy")
    refused = await found.call("update_action", actionId=hours, **arguments)
    assert refused.code == "INVALID_PARAMS"
    assert await titles(found, state="open") == ["Search bots are kept out", "Wrong hours"]


async def test_another_companys_action_is_not_found(found: Office) -> None:
    hours = await action_id(found, "accuracy")
    assert (await found.call("update_action", "theirs", actionId=hours, state="planned")).code == "NOT_FOUND"
    assert await titles(found, state="planned") == []


async def test_each_action_says_what_its_kind_takes_and_whose_work_it_is(found: Office) -> None:
    rows = (await found.call("list_actions", brandId="Acme"))["actions"]
    work = {row["kind"]: (row["effort"], row["owner"]) for row in rows}
    assert work == {"bot_access": ("hours", "website"), "accuracy": ("days", "content")}
    assert await titles(found, brandId="Acme", state="open", kind="accuracy") == ["Wrong hours"]
    pages = [
        (await found.call("list_actions", brandId="Acme", limit=1, offset=at))["actions"] for at in (0, 1)
    ]
    assert [row["title"] for page in pages for row in page] == ["Search bots are kept out", "Wrong hours"]


async def colleague(office: Office, email: str, company: str = "ours") -> str:
    """Let somebody join a company; return their id."""
    async with office.database.operation() as operators:
        return await operators.users.add(
            office.companies[company], email, "Bo", "member", "hash", office.now()
        )


async def assignees(office: Office, **arguments: Any) -> dict[str, str | None]:
    """Who does each listed action, by its kind."""
    listed = await office.call("list_actions", **arguments)
    return {action["kind"]: action["assignee"] for action in listed["actions"]}


async def test_an_action_is_given_to_a_colleague_kept_and_taken_back(found: Office) -> None:
    await colleague(found, "bo@acme.example")
    bots = await action_id(found, "bot_access")
    given = await found.call("update_action", actionId=bots, state="open", assignee=" BO@acme.example ")
    assert (given["state"], given["assignee"]) == ("open", "bo@acme.example")
    assert (await found.call("update_action", actionId=bots, state="planned"))[
        "assignee"
    ] == "bo@acme.example"
    for choice in ({}, {"brandId": "Acme"}, {"brandId": "Acme", "state": "planned", "kind": "bot_access"}):
        assert await titles(found, assignee="bo@acme.example", **choice) == ["Search bots are kept out"]
    assert await assignees(found) == {"bot_access": "bo@acme.example", "accuracy": None}
    await found.call("update_action", actionId=bots, state="planned", assignee=None)
    assert await assignees(found) == {"bot_access": None, "accuracy": None}
    assert await titles(found, assignee="bo@acme.example") == []


async def test_nobody_outside_of_the_company_is_given_an_action(found: Office) -> None:
    await colleague(found, "eve@other.example", "theirs")
    bots = await action_id(found, "bot_access")
    for address in ("eve@other.example", "nobody@acme.example"):
        arguments = {"actionId": bots, "state": "planned", "assignee": address}
        assert (await found.call("update_action", **arguments)).code == "INVALID_PARAMS"
        assert (await found.call("list_actions", assignee=address)).code == "INVALID_PARAMS"
    assert await titles(found, state="planned") == []


async def test_the_actions_of_who_leaves_are_nobodys_and_keep_their_state(found: Office) -> None:
    gone = await colleague(found, "bo@acme.example")
    await colleague(found, "ada@acme.example")
    for kind in ("bot_access", "accuracy"):
        one = await action_id(found, kind)
        await found.call("update_action", actionId=one, state="planned", assignee="bo@acme.example")
    async with found.database.transaction(found.companies["theirs"]) as workspace:
        assert not await workspace.colleagues.remove(gone), "a stranger removes nobody"
    async with found.database.transaction(found.companies["ours"]) as workspace:
        assert await workspace.colleagues.remove(gone)
    assert await assignees(found, state="planned") == {"bot_access": None, "accuracy": None}
