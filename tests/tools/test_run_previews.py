"""A previewed workflow: what a run would ask and cost, with nothing asked, reserved or stored."""

from typing import Any

import pytest

from oauth.sealing import Seal
from tests.tools.conftest import Office
from workflows.workflow_definitions import WORKFLOWS

pytestmark = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
QUESTIONS = [{"text": f"Which car is best for use {number}?"} for number in range(10)]


async def previewed(office: Office, workflow: str, **configuration: Any) -> dict[str, Any]:
    return await office.call(
        "run_workflow", workflowId=workflow, configuration={"brandId": "Acme", **configuration}, preview=True
    )


async def has_key(office: Office, platform: str) -> None:
    ours = office.companies["ours"]
    sealed = Seal(b"0123456789abcdefghijklmnopqrstuvwxyz").seal("sk-of-ours", ours, platform, "key")
    async with office.database.transaction(ours) as writing:
        await writing.provider_credentials.put("key", platform, sealed, "ours", None, office.now())


async def test_every_workflow_has_a_preview_that_starts_nothing(office: Office) -> None:
    offered = {each["id"]: each for each in (await office.call("list_workflows"))["workflows"]}
    for workflow in WORKFLOWS:
        seen = await previewed(office, workflow, priority="high")
        assert (seen["runId"], seen["status"], seen["workflowId"]) == (None, None, workflow)
        assert seen["priority"] == "high"
        assert seen["estimatedDurationSeconds"] == offered[workflow]["estimatedDurationSeconds"]
        assert seen["preview"]["creditsAvailable"] == 400
        assert seen["preview"]["missing"] == offered[workflow]["missing"]
    assert (await office.call("list_workflow_runs"))["total"] == 0
    assert (await office.call("get_credits"))["available"] == 400


async def test_a_start_reserves_what_its_preview_said_and_shows_no_preview(office: Office) -> None:
    await has_key(office, "chatgpt")
    await office.call("create_prompt_set", name="Buyers", brandId="Acme", prompts=QUESTIONS, repeats=2)
    seen = await previewed(office, "competitive_scan")
    assert (seen["preview"]["asks"], seen["preview"]["unavailablePlatforms"]) == (20, [])
    assert (seen["preview"]["expectedCosts"], seen["preview"]["unpricedPlatforms"]) == ([], ["chatgpt"])
    started = await office.call(
        "run_workflow", workflowId="competitive_scan", configuration={"brandId": "Acme"}
    )
    assert started["creditsReserved"] == seen["creditsReserved"] > 0
    assert set(started) == set(seen) - {"preview"}


async def test_a_workflow_without_a_ready_engine_is_previewed_with_all(office: Office) -> None:
    await office.call(
        "create_prompt_set", name="Buyers", brandId="Acme", prompts=QUESTIONS, mode="readiness", repeats=1
    )
    seen = await previewed(office, "competitive_scan")
    engines = seen["preview"]["unavailablePlatforms"]
    assert {"chatgpt", "claude", "perplexity"} <= set(engines)
    assert seen["preview"]["asks"] == 10 * len(engines)
    await has_key(office, "chatgpt")
    alone = await previewed(office, "competitive_scan")
    assert (alone["preview"]["asks"], alone["preview"]["unavailablePlatforms"]) == (10, [])
    assert alone["creditsReserved"] < seen["creditsReserved"]


async def test_a_preview_names_what_is_unknown_like_a_start(office: Office) -> None:
    for arguments, words in (
        ({"workflowId": "fix_visibilty"}, "fix_visibility"),
        ({"workflowId": "fix_visibility", "configuration": {"brandId": "Nobody"}}, "list_brand_profiles"),
        ({"workflowId": "fix_visibility"}, "list_brand_profiles"),
    ):
        refused = [
            await office.call("run_workflow", **arguments, **preview) for preview in ({}, {"preview": True})
        ]
        assert refused[0].message == refused[1].message
        assert words in refused[1].hint
