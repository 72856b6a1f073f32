"""Reusable agents as they are made, listed and changed, on both databases."""

from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.conftest import AssertError
from tests.tools.conftest import Office
from tools.catalog import tool_table
from workflows.agents.catalog import AGENTS
from workflows.definitions import AGENT_KINDS

pytestmark = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


async def test_an_agent_is_made_listed_and_changed_in_versions(office: Office) -> None:
    made = await office.call(
        "create_reusable_agent",
        name=" Weekly drafts ",
        kind="content_writer",
        configuration={"itemLimit": 2},
        brandIds=["bolt", "ACME", "Acme"],
        schedule="0 6 * * 1",
    )
    assert (made["name"], made["status"], made["configurationVersion"]) == ("Weekly drafts", "active", 1)
    assert (made["configuration"], made["lastRun"]) == ({"itemLimit": 2}, None)
    assert [
        (assignment["brandName"], assignment["schedule"], assignment["nextRunAt"])
        for assignment in made["assignments"]
    ] == [
        ("Acme", "0 6 * * 1", "2026-04-06T06:00:00Z"),
        ("Bolt", "0 6 * * 1", "2026-04-06T06:00:00Z"),
    ]
    page = await office.call("list_reusable_agents")
    assert made.pop("untrusted")
    assert (page["agents"], page["total"], page["nextOffset"]) == ([made], 1, None)

    office.later(days=1)
    own = {"agentInstanceId": made["agentInstanceId"]}
    renamed = await office.call("update_reusable_agent", **own, name="Drafts", brandIds=["Acme"])
    assert (renamed["name"], renamed["configurationVersion"]) == ("Drafts", 1)
    assert renamed["assignments"] == made["assignments"][:1]
    changed = await office.call("update_reusable_agent", **own, configuration={"tone": "dry"}, schedule=None)
    assert (changed["configuration"], changed["configurationVersion"]) == ({"tone": "dry"}, 2)
    assert [(assignment["schedule"], assignment["nextRunAt"]) for assignment in changed["assignments"]] == [
        (None, None)
    ]


async def test_a_configuration_is_what_the_schema_says_of_its_kind(office: Office) -> None:
    schema = tool_table()["create_reusable_agent"].input_schema
    validator: Any = Draft202012Validator(schema)  # its methods take what they do not name
    for number, (kind, configuration) in enumerate(
        [
            ("answer_prober", {"repeats": 3.0, "mode": "readiness"}),
            ("answer_prober", {"repeats": 2.5}),
            ("answer_prober", {"itemLimit": 2}),
            ("readiness_scanner", {"probeBots": True, "siteType": None}),
            ("readiness_scanner", {"repeats": 3}),
            ("fact_guard", {}),
            ("fact_guard", {"tone": "dry"}),
            ("content_writer", {"itemLimit": 6}),
        ]
    ):
        sent = {"name": f"agent {number}", "kind": kind, "configuration": configuration}
        made = await office.call("create_reusable_agent", **sent)
        assert isinstance(made, dict) is validator.is_valid(sent), sent


async def test_an_archived_agent_frees_its_slot_and_returns_with_its_schedule(
    office: Office,
) -> None:
    agents = [
        await office.call(
            "create_reusable_agent",
            name=f"a{number}",
            kind="fact_guard",
            brandIds=["Acme"],
            schedule="0 6 * * *",
        )
        for number in range(20)
    ]
    full = await office.call("create_reusable_agent", name="one more", kind="fact_guard")
    assert "the growth plan has 20 reusable agents" in full.message
    own = {"agentInstanceId": agents[0]["agentInstanceId"]}
    archived = await office.call("update_reusable_agent", **own, archived=True)
    assert (archived["status"], archived["assignments"][0]["nextRunAt"]) == ("archived", None)
    assert (await office.call("list_reusable_agents"))["total"] == 19
    assert (await office.call("list_reusable_agents", includeArchived=True))["total"] == 20
    await office.call("create_reusable_agent", name="one more", kind="fact_guard")
    refused = await office.call("update_reusable_agent", **own, archived=False)
    assert "the growth plan has 20 reusable agents" in refused.message
    await office.call("update_reusable_agent", agentInstanceId=agents[1]["agentInstanceId"], archived=True)
    back = await office.call("update_reusable_agent", **own, archived=False)
    assert (back["status"], back["assignments"]) == ("active", agents[0]["assignments"])


async def test_agents_are_listed_by_name_for_their_brand(office: Office) -> None:
    for name, brands in (("Cc", ["Acme"]), ("aa", ["Bolt"]), ("Bb", [])):
        await office.call("create_reusable_agent", name=name, kind="fact_guard", brandIds=brands)
    page = await office.call("list_reusable_agents", limit=2)
    assert ([agent["name"] for agent in page["agents"]], page["total"], page["nextOffset"]) == (
        ["aa", "Bb"],
        3,
        2,
    )
    assert [agent["name"] for agent in (await office.call("list_reusable_agents", offset=2))["agents"]] == [
        "Cc"
    ]
    acme = await office.call("list_reusable_agents", brandId="acme")
    assert [agent["name"] for agent in acme["agents"]] == ["Bb", "Cc"]


RULES: tuple[tuple[dict[str, Any], str], ...] = (
    ({"name": "FIRST"}, "name: another agent has this name"),
    (
        {"configuration": {"itemLimit": 6}},
        "configuration.itemLimit: Input should be less than or equal to 5",
    ),
    ({"configuration": {"itemLimit": "2"}}, "configuration.itemLimit: Input should be a valid integer"),
    ({"configuration": {"items": 2}}, "configuration.items: Extra inputs are not permitted"),
    ({"schedule": "never"}, "schedule: the cron expression cannot be read, or is never due"),
    ({"schedule": "0 6 * * *"}, "schedule: an agent without brands cannot have one"),
)


async def test_what_breaks_a_rule_is_refused_with_the_field_and_changes_nothing(
    office: Office, assert_error: AssertError
) -> None:
    await office.call("create_reusable_agent", name="First", kind="fact_guard")
    second = await office.call("create_reusable_agent", name="Second", kind="content_writer")
    before = await office.call("list_reusable_agents")
    for change, reason in RULES:
        update = await office.call(
            "update_reusable_agent", agentInstanceId=second["agentInstanceId"], **change
        )
        assert_error(update, 400, "INVALID_PARAMS", f"Tool 'update_reusable_agent' failed: {reason}")
        third = {"name": "Third", "kind": "content_writer", **change}
        created = await office.call("create_reusable_agent", **third)
        assert_error(created, 400, "INVALID_PARAMS", f"Tool 'create_reusable_agent' failed: {reason}")
    none = await office.call(
        "create_reusable_agent", name="Third", kind="fact_guard", configuration={"tone": "dry"}
    )
    assert none.hint == "fact_guard cannot be set: send {}."
    unknown = await office.call("create_reusable_agent", name="Third", kind="refresh_planner")
    assert unknown.message == (
        "Tool 'create_reusable_agent' failed: kind: Input should be one of the kinds that are offered"
    )
    assert "content_writer" in unknown.hint
    assert await office.call("list_reusable_agents") == before


async def test_another_companys_agent_brand_and_prompt_set_are_not_there(
    office: Office, assert_error: AssertError
) -> None:
    theirs = await office.call("create_reusable_agent", "theirs", name="First", kind="fact_guard")
    hint = "Call list_reusable_agents first to obtain agent instance ids."
    for tool in ("update_reusable_agent", "get_agent_run_summary"):
        refused = await office.call(tool, agentInstanceId=theirs["agentInstanceId"])
        unknown = await office.call(tool, agentInstanceId="nothing")
        # The window may have moved on by a second between the two calls.
        assert replace(refused, rate_limit=None) == replace(unknown, rate_limit=None)
        reason = f"Tool '{tool}' failed: agent instance not found"
        assert_error(refused, 404, "NOT_FOUND", reason, hint)
    created = await office.call("create_reusable_agent", name="Mine", kind="fact_guard", brandIds=["Other"])
    assert_error(created, 404, "NOT_FOUND", "Tool 'create_reusable_agent' failed: brand not found")
    assert (await office.call("list_reusable_agents"))["total"] == 0


async def test_what_is_offered_is_what_the_catalogue_says_can_work_alone(office: Office) -> None:
    for number, kind in enumerate(AGENT_KINDS):
        made = await office.call("create_reusable_agent", name=f"a{number}", kind=kind)
        assert isinstance(made, dict) is (AGENT_KINDS[kind].configuration is not None and kind in AGENTS)


async def test_agent_lists_need_no_query_per_brand(office: Office, statements: list[str]) -> None:
    async def asked(tool: str, **arguments: Any) -> tuple[Any, int]:
        statements.clear()
        return await office.call(tool, **arguments), len(statements)

    alone, single = await asked(
        "create_reusable_agent", name="one", kind="fact_guard", brandIds=["Acme"], schedule="0 6 * * *"
    )
    brand_names = [alone["assignments"][0]["brandId"].upper(), "BOLT", "acme"]
    made, several = await asked(
        "create_reusable_agent", name="two", kind="fact_guard", brandIds=brand_names, schedule="0 6 * * *"
    )
    assert [assignment["brandName"] for assignment in made["assignments"]] == ["Acme", "Bolt"]
    assert several == single > 0
    own = {"agentInstanceId": made["agentInstanceId"]}
    _, single = await asked("update_reusable_agent", **own, brandIds=["Acme"], schedule="0 7 * * *")
    changed, several = await asked("update_reusable_agent", **own, brandIds=brand_names, schedule="0 8 * * *")
    assert [assignment["schedule"] for assignment in changed["assignments"]] == ["0 8 * * *"] * 2
    assert several == single > 0
