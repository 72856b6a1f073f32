"""Documents that agents give to each other."""

import importlib
import pkgutil
from collections import Counter
from typing import Literal

import pytest

from storage.documents import StoredDocument
from tests.workflows.conftest import House
from workflows.agents import fact_guard, outputs
from workflows.agents.agent import Result, Work
from workflows.agents.catalog import AGENTS
from workflows.agents.outputs.output import AgentOutput


class NewerDrafts(StoredDocument):
    """Drafts as a later program might store them."""

    schema_version: Literal[2] = 2
    texts: tuple[str, ...] = ()


def test_each_agent_gives_one_document_with_a_schema_version() -> None:
    for module in pkgutil.iter_modules(outputs.__path__):
        importlib.import_module(f"{outputs.__name__}.{module.name}")
    kinds = AgentOutput.__subclasses__()
    given = Counter(agent for kind in kinds for agent in kind.agents)
    # These two give the figures of their monitors.
    assert given.keys() == AGENTS.keys() - {"bot_access_prober", "crawler_checker"}
    assert set(given.values()) == {1}
    assert {kind.__name__ for kind in kinds if "schema_version" not in kind.model_fields} == set()


async def test_output_of_another_schema_version_fails_the_agent(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    async def write(work: Work) -> Result:
        return Result(NewerDrafts(), "Written.")

    async with house.working({"content_writer": write, "fact_guard": fact_guard.run}):
        for kind in ("content_writer", "fact_guard"):
            made = await house.call("create_reusable_agent", name=kind, kind=kind)
            run = await house.call("run_reusable_agent", agentInstanceId=made["agentInstanceId"])
            await house.ended(run["runId"])
    status = await house.call("get_run_status", runId=run["runId"])
    assert (status["status"], status["errors"][0]["code"]) == ("failed", "internal_error")
    words = "WrittenDrafts was stored with schema version 2, and this program reads version 1"
    assert any(record.exc_info and words in str(record.exc_info[1]) for record in caplog.records)
