"""Workflows that a company makes: from TOML to the ledger, with the real queue."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from measurement.errors import ChangeRefused
from storage.repositories.brands import BrandDraft
from tests.conftest import AssertError
from tests.workflows.conftest import PROFILE, House, now
from workflows.agents.agent import Agent, Result, Work
from workflows.configurations import shown_settings
from workflows.custom_workflows import (
    MOST_STEPS,
    MOST_WORKFLOWS,
    archive_workflow,
    change_workflow,
    create_workflow,
    editable_workflow,
    parse_workflow,
    write_workflow,
)
from workflows.definitions import AGENT_KINDS
from workflows.errors import AgentFailed
from workflows.workflow_definitions import WORKFLOWS
from workflows.workflow_plans import is_custom_id, needs_of, plans_with, refuse_disorder

DRAFTS = """
id = "monday-drafts"
name = "Monday drafts"
description = "Audits our texts and drafts what is missing."

[[steps]]
agent = "repository_auditor"

[[steps]]
agent = "coverage_mapper"

[[steps]]
agent = "refresh_planner"

[[steps]]
agent = "content_writer"
configuration = { itemLimit = 1, tone = "warm \\u00e9\\"" }
"""
ONE = '[[steps]]\nagent = "repository_auditor"\n'


async def save(house: House, text: str, company_id: str | None = None) -> None:
    """Make a workflow, or change the one that has its id."""
    given = parse_workflow(text)
    async with house.database.transaction(company_id or house.company_id) as writing:
        known = await writing.custom_workflows.find(given.id)
        if known is None:
            await create_workflow(writing, house.registry, given, now())
        else:
            await change_workflow(writing, house.registry, known, given, now())


async def offered(house: House) -> dict[str, dict[str, Any]]:
    listed = await house.call("list_workflows")
    assert listed["total"] == len(listed["workflows"])
    return {one["id"]: one for one in listed["workflows"] if one["id"] not in WORKFLOWS}


async def nothing(work: Work) -> Result:
    return Result(None, "It is done.")


async def test_a_workflow_from_toml_is_listed_priced_run_and_changed(
    house: House, assert_error: AssertError
) -> None:
    await save(house, DRAFTS)
    (own,) = (await offered(house)).values()
    assert own["agents"] == ["repository_auditor", "coverage_mapper", "refresh_planner", "content_writer"]
    # One credit an agent, and one more for the ten asks at most of five drafts and their judge.
    assert (own["title"], own["creditCost"], own["availableOnPlan"]) == ("Monday drafts", 5, True)
    assert (own["requiredPlan"], own["durationBasis"]) == ("growth", "estimate")
    seen: list[Mapping[str, Any]] = []

    async def writer(work: Work) -> Result:
        seen.append(shown_settings(work.configuration))
        return await nothing(work)

    first = await house.call("run_workflow", "once", workflowId="monday-drafts")
    assert first == await house.call("run_workflow", "once", workflowId="monday-drafts")
    assert (first["workflowId"], first["creditsReserved"]) == ("monday-drafts", 5)
    await save(house, DRAFTS.replace("itemLimit = 1", "itemLimit = 4"))
    second = await house.call("run_workflow", workflowId="monday-drafts")
    await save(house, f'id = "monday-drafts"\nname = "Less"\n{ONE}')
    async with house.database.transaction(house.company_id) as writing:
        await archive_workflow(writing, "monday-drafts", True, now())
    async with house.working({"content_writer": writer}):
        runs = [await house.ended(one["runId"]) for one in (first, second)]
    seen.sort(key=lambda settings: settings["itemLimit"])  # both ran at once
    assert seen == [{"itemLimit": 1, "tone": 'warm é"'}, {"itemLimit": 4, "tone": 'warm é"'}]
    assert [(run.status, run.workflow_version) for run in runs] == [("completed", 1), ("completed", 2)]
    status = await house.call("get_run_status", runId=first["runId"])
    assert (status["workflowId"], status["credits"]["charged"]) == ("monday-drafts", 5)
    assert [agent["agent"] for agent in status["agents"]] == own["agents"]
    listed = await house.call("list_workflow_runs", workflowId="monday-drafts")
    assert listed["total"] == 2

    assert await offered(house) == {}
    refused = await house.call("run_workflow", workflowId="monday-drafts")
    reason = "Tool 'run_workflow' failed: monday-drafts is archived and cannot be started"
    assert_error(refused, 400, "INVALID_PARAMS", reason)
    async with house.database.transaction(house.company_id) as writing:
        await archive_workflow(writing, "monday-drafts", False, now())
    assert (await offered(house))["monday-drafts"]["creditCost"] == 1


async def test_each_change_is_a_version_and_an_export_reads_the_same(house: House) -> None:
    await save(house, DRAFTS)
    await save(house, DRAFTS)
    workspace = house.database.workspace(house.company_id)
    known = await workspace.custom_workflows.find("monday-drafts")
    assert known is not None
    assert known.version == 1
    given = await editable_workflow(workspace, known)
    assert parse_workflow(write_workflow(given)) == given
    assert write_workflow(given).startswith('id = "monday-drafts"')
    for version, limit in ((2, 2), (3, 3)):
        await save(house, DRAFTS.replace("itemLimit = 1", f"itemLimit = {limit}"))
        changed = await workspace.custom_workflows.find("monday-drafts")
        assert changed is not None
        assert changed.version == version


async def test_a_reusable_agent_brings_its_configuration_at_run_start(
    house: House, assert_error: AssertError
) -> None:
    made = await house.call(
        "create_reusable_agent", name="Drafts", kind="content_writer", configuration={"itemLimit": 1}
    )
    await save(house, 'id = "again"\nname = "Again"\n[[steps]]\nreusableAgent = "drafts"\n')
    known = await house.database.workspace(house.company_id).custom_workflows.find("again")
    assert known is not None
    given = await editable_workflow(house.database.workspace(house.company_id), known)
    assert given.steps[0].reusableAgent == "Drafts"
    seen: list[Mapping[str, Any]] = []

    async def writer(work: Work) -> Result:
        seen.append(shown_settings(work.configuration))
        return await nothing(work)

    agent = {"agentInstanceId": made["agentInstanceId"]}
    first = await house.call("run_workflow", workflowId="again")
    await house.call("update_reusable_agent", **agent, configuration={"itemLimit": 3})
    second = await house.call("run_workflow", workflowId="again")
    await house.call("update_reusable_agent", **agent, archived=True)
    async with house.working({"content_writer": writer}):
        for run in (first, second):
            assert (await house.ended(run["runId"])).status == "completed"
    assert sorted(settings["itemLimit"] for settings in seen) == [1, 3]
    refused = await house.call("run_workflow", workflowId="again")
    reason = "again cannot be started: step 1: the reusable agent Drafts is archived"
    assert_error(refused, 400, "INVALID_PARAMS", f"Tool 'run_workflow' failed: {reason}")
    assert list(await offered(house)) == ["again"]


async def test_a_step_whose_forerunner_failed_is_skipped_and_the_others_go_on(house: House) -> None:
    await save(house, DRAFTS)

    async def fails(work: Work) -> Result:
        raise AgentFailed("no_input")

    begun = await house.call("run_workflow", workflowId="monday-drafts")
    async with house.working({"repository_auditor": fails}):
        run = await house.ended(begun["runId"])
    status = await house.call("get_run_status", runId=run.id)
    assert [agent["status"] for agent in status["agents"]] == ["failed", "completed", "skipped", "skipped"]
    assert (run.status, status["credits"]) == (
        "partial_complete",
        {"reserved": 5, "charged": 1, "refunded": 4},
    )


async def test_an_agent_reads_outputs_of_its_own_run_first(
    house: House,
) -> None:
    seen: dict[str, set[str]] = {}

    async def look(work: Work) -> Result:
        seen[work.agent] = set(work.outputs)
        return await nothing(work)

    agents: dict[str, Agent] = {"refresh_planner": look, "content_writer": look}
    await save(house, DRAFTS)
    await save(house, 'id = "writer"\nname = "Writer"\n[[steps]]\nagent = "content_writer"\n')
    async with house.working(agents):
        first = await house.call("run_workflow", workflowId="monday-drafts")
        await house.ended(first["runId"])
        assert seen["refresh_planner"] == {"repository_auditor", "coverage_mapper"}
        second = await house.call("run_workflow", workflowId="writer")
        await house.ended(second["runId"])
    assert seen["content_writer"] == {"repository_auditor", "coverage_mapper", "refresh_planner"}


async def test_a_workflow_of_another_company_does_not_exist(house: House, assert_error: AssertError) -> None:
    async with house.database.operation() as operators:
        theirs = await operators.companies.create("theirs", "theirs@example.com", "growth", now())
    async with house.database.transaction(theirs.id) as writing:
        await writing.brands.save(BrandDraft("Other"), [], PROFILE, now())
    await save(house, f'id = "secret-plan"\nname = "Secret"\n{ONE}', theirs.id)
    assert await offered(house) == {}
    for name in ("secret-plan", "secret-plam", "nowhere"):
        refused = await house.call("run_workflow", workflowId=name)
        assert_error(refused, 404, "NOT_FOUND", "Tool 'run_workflow' failed: workflow not found")
        assert "secret" not in refused.hint
    await save(house, f'id = "secret-plan"\nname = "Ours"\n{ONE}')
    assert (await offered(house))["secret-plan"]["title"] == "Ours"
    refused = await house.call("run_workflow", workflowId="secret-plam")
    assert refused.hint == "Did you mean 'secret-plan'? Call list_workflows first to obtain workflow ids."
    refused = await house.call("run_workflow", workflowId="ai-shop-checkup")
    assert refused.hint.startswith("Did you mean 'ai_shop_checkup'")


HEAD = 'id = "x"\nname = "X"\n'
REFUSED = {
    "a megabyte": ("# " + "x" * 1024 * 1024, "the file is larger than 64 KB"),
    "NUL": ('id = "a\0b"', "the file holds the character NUL, which no text has"),
    "no TOML": ("id = ", "the file is no TOML"),
    "depth": ("x = " + "[" * 20_000, "the file is no workflow: its values are nested too deep"),
    "dotted depth": (HEAD + ONE + "a." * 1_000 + "b = 1", "steps.1.a: Extra inputs are not permitted"),
    "dotted key that takes seconds": (
        HEAD + ONE + "a." * 20_000 + "b = 1",
        "the file has more keys than a workflow",
    ),
    "many keys": (
        HEAD + ONE + "\n".join(f"k{number}=1" for number in range(2_001)),
        "the file has more keys than",
    ),
    "500 steps": (HEAD + ONE * 500, "steps: List should have at most"),
    "no step": (HEAD + "steps = []", "steps: List should have at least 1"),
    "an unknown key": (HEAD + "price = 1\n" + ONE, "price: Extra inputs are not permitted"),
    "an unknown key of a step": (HEAD + ONE + "cost = 0", "steps.1.cost: Extra inputs are not permitted"),
    "a number for a name": ('id = "x"\nname = 7\n' + ONE, "name: Input should be a valid string"),
    "an id of ours": ('id = "full_service"\nname = "X"\n' + ONE, "id: it is not made of small letters"),
    "an id with a path": ('id = "../x"\nname = "X"\n' + ONE, "id: it is not made of small letters"),
    "a hidden name": ('id = "x"\nname = "a\u202eb"\n' + ONE, "name: it has characters that cannot be seen"),
    "an escaped NUL": ('id = "x"\nname = "a\\u0000b"\n' + ONE, "name: it has characters that cannot be seen"),
    "an unknown kind": (
        HEAD + '[[steps]]\nagent = "answer_probe"',
        "step 1: there is no agent 'answer_probe'",
    ),
    "neither": (HEAD + "[[steps]]\nconfiguration = {}", "step 1: it names neither agent and reusableAgent"),
    "twice": (HEAD + ONE + ONE, "step 2: repository_auditor is step 1 already"),
    "too early": (
        HEAD + '[[steps]]\nagent = "mention_extractor"\n[[steps]]\nagent = "answer_prober"',
        "step 1: mention_extractor works on what answer_prober gives, which stands after it",
    ),
    "alone": (
        HEAD + '[[steps]]\nagent = "refresh_planner"',
        "step 1: refresh_planner works on what repository_auditor gives, which no step before it is",
    ),
    "a setting of nothing": (
        HEAD + '[[steps]]\nagent = "site_profiler"\nconfiguration = { speed = 9 }',
        "step 1: site_profiler cannot be set",
    ),
    "an unknown setting": (
        HEAD + ONE + "configuration = { speed = 9 }",
        "step 1: configuration.speed: Extra",
    ),
    "a wrong setting": (
        HEAD + '[[steps]]\nagent = "answer_prober"\nconfiguration = { repeats = 21 }',
        "step 1: configuration.repeats: Input should be less than or equal to 20",
    ),
    "a date": (
        HEAD + '[[steps]]\nagent = "answer_prober"\nconfiguration = { promptSetId = 2026-01-01 }',
        "step 1: configuration.promptSetId: Input should be a valid string",
    ),
    "another company's prompt set": (
        HEAD + '[[steps]]\nagent = "answer_prober"\nconfiguration = { promptSetId = "01999999" }',
        "step 1: configuration.promptSetId: prompt set not found",
    ),
    "an unknown reusable agent": (
        HEAD + '[[steps]]\nreusableAgent = "Nobody"',
        "step 1: there is no reusable agent 'Nobody'",
    ),
}


async def test_what_is_wrong_with_a_file_is_said_and_nothing_of_it_is_stored(house: House) -> None:
    for what, (text, reason) in REFUSED.items():
        with pytest.raises(ChangeRefused) as refused:
            await save(house, text)
        assert refused.value.message.startswith(reason), (what, refused.value.message)
        assert len(refused.value.message) < 300, what
        assert refused.value.message.isprintable(), what
    assert await house.database.workspace(house.company_id).custom_workflows.all() == []


async def test_a_company_has_at_most_fifty_workflows(house: House) -> None:
    for number in range(MOST_WORKFLOWS - 1):
        await save(house, f'id = "w-{number}"\nname = "W"\n{ONE}')
    ended = await asyncio.gather(
        *(save(house, f'id = "last-{number}"\nname = "W"\n{ONE}') for number in range(4)),
        return_exceptions=True,
    )
    assert sum(isinstance(one, ChangeRefused) for one in ended) == 3
    assert len(await offered(house)) == MOST_WORKFLOWS
    async with house.database.transaction(house.company_id) as writing:
        await archive_workflow(writing, "w-0", True, now())
    await save(house, f'id = "another"\nname = "W"\n{ONE}')
    with pytest.raises(ChangeRefused):
        async with house.database.transaction(house.company_id) as writing:
            await archive_workflow(writing, "w-0", False, now())


def test_our_own_workflows_keep_the_rules_that_a_companys_has_to_keep() -> None:
    for workflow in WORKFLOWS.values():
        refuse_disorder(workflow.agents)
        assert not is_custom_id(workflow.id)
        assert set(workflow.plans) <= set(plans_with(workflow.agents))
        # What one of a company's needs of the steps before it, ours waits for as well.
        waited: dict[str, set[str]] = {}
        for stage in workflow.needed():
            for agent, needs in stage.items():
                waited[agent] = set(needs).union(*(waited[need] for need in needs))
        needed = needs_of(workflow.agents)
        assert all(set(needed[agent]) & set(waited) <= waited[agent] for agent in waited), workflow.id
    assert len(AGENT_KINDS) == MOST_STEPS
    assert plans_with(["tone_judge"]) == ("growth", "scale")
    assert plans_with(["tone_judge", "score_calculator", "answer_prober"]) == ("growth", "scale")


async def test_a_plan_without_one_of_the_agents_does_not_start_the_workflow(
    house: House, assert_error: AssertError
) -> None:
    await save(house, DRAFTS)
    async with house.database.operation() as operators:
        await operators.companies.set_plan(house.company_id, "free")
    listed = (await offered(house))["monday-drafts"]
    assert (listed["availableOnPlan"], listed["requiredPlan"]) == (False, "growth")
    refused = await house.call("run_workflow", workflowId="monday-drafts")
    reason = "monday-drafts is not part of the free plan; growth and scale have it"
    assert_error(refused, 400, "INVALID_PARAMS", f"Tool 'run_workflow' failed: {reason}")
