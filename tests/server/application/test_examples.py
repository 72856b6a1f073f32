"""Every example that a schema or the OpenAPI document gives, called on the synthetic history that it speaks of."""

import json
import shutil
from collections.abc import AsyncGenerator, Generator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from bench.sites import POLICY, Place, dealer, served
from oauth.principal import Caller, Principal, Scope
from readiness.scans.scanner import Scanner, ScanRequest
from rest_bridge.examples import example_request
from server.service import Service, open_service
from server.settings import Settings
from tests.server.application.conftest import Workspace, environment
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Refusal, Success
from tools.calls.parameters import Examples
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolRow
from tools.catalog import tool_table
from workflows.brand_sites import Sites

TABLE = tool_table()
SEARCHING = {"platform": "peer", "baseUrl": "http://127.0.0.1:9", "model": "m", "searchTool": "search"}
"""An engine that a run can be planned for; nobody asks it."""
ENDED = {"cancel_workflow_run": "only pending or running runs can be cancelled"}
"""The history holds no run that goes on by itself, so its example names one that has ended."""
OF_ONE_BRAND = ("promptSetId", "promptId", "tag", "intent", "from", "to")
NEEDS = {
    "schedule": ("brandId", "brandIds"),
    "comparePlatform": ("platform",),
    "compareCountry": ("country",),
    **dict.fromkeys(OF_ONE_BRAND, ("brandId",)),
}
"""What a field needs beside it: a schedule says so, a ranking of every brand refuses these filters with that hint."""
CALLERS = count()


def requests(row: ToolRow) -> Iterator[dict[str, Any]]:
    """The request that the OpenAPI document shows, and each example beside what is required."""
    schema = row.input_schema
    fields: dict[str, Any] = schema["properties"]
    yield example_request(schema, schema.get("$defs", {}))
    required = {name: example(fields[name]) for name in schema.get("required", ())}
    for name, field in fields.items():
        for value in field.get("examples", ()):
            needed = [other for other in NEEDS.get(name, ()) if "examples" in fields.get(other, ())]
            yield {**required, **{other: example(fields[other]) for other in needed}, name: value}


def example(field: dict[str, Any]) -> Any:
    """The first example of a required field."""
    return field["examples"][0] if "examples" in field else field["enum"][0]


CASES = [(name, request) for name, row in TABLE.items() for request in requests(row)]
READS = [(name, request) for name, request in CASES if TABLE[name].access == "read"]
WRITES = [(name, request) for name, request in CASES if TABLE[name].access == "write"]


@asynccontextmanager
async def opened(workspace: Workspace) -> AsyncGenerator[Service]:
    settings = {**workspace.environ, "SEENBY_ENGINE_COMPATIBLE": json.dumps([SEARCHING])}
    async with open_service(Settings.from_environ(settings)) as service:
        yield service


async def company_of(service: Service) -> str:
    (company,) = await service.database.operators.companies.all()
    return company.id


async def answer(
    dispatcher: Dispatcher, company: str, tool: str, request: dict[str, Any]
) -> dict[str, Any] | Refusal:
    """What a tool answers, each call counted for itself."""
    principal = Principal(company, f"key:{next(CALLERS)}", frozenset({Scope.WRITE}))
    caller = Caller(
        None if TABLE[tool].access == "public" else principal, f"198.51.100.{next(CALLERS) % 250}"
    )
    outcome = await dispatcher.call(tool, request, caller)
    return json.loads(outcome.body) if isinstance(outcome, Success) else outcome


def assert_says_something(tool: str, request: dict[str, Any], said: dict[str, Any] | Refusal) -> None:
    assert isinstance(said, dict), (tool, request, said)
    if tool == "compare_periods" and "from" in request:  # nothing lies before the whole history
        assert said["after"]["answers"], (request, said)
        return
    if tool == "get_competitor_rankings" and not said["rankings"]:  # fewer than ten prompts rank nobody
        assert {"promptId", "tag", "intent"} & request.keys()
        assert "too few to rank" in said["notice"]
        return
    window = getattr(TABLE[tool].result_model, "window", None)
    if window is not None:
        assert said[window.field], (tool, request, said)
    assert said.get("status") != "not_measured", (tool, request)
    assert any(value for name, value in said.items() if name not in ("untrusted", "notice"))


@pytest.mark.parametrize("name", TABLE)
def test_what_a_tool_requires_has_an_example_or_a_closed_set(name: str) -> None:
    schema = TABLE[name].input_schema
    for field in schema.get("required", ()):
        assert {"examples", "enum"} & schema["properties"][field].keys(), field


async def test_every_example_of_a_reading_tool_says_something(history: Workspace) -> None:
    async with opened(history) as service:
        company = await company_of(service)
        for tool, request in READS:
            assert_says_something(tool, request, await answer(service.dispatcher, company, tool, request))


@pytest.fixture(scope="module")
def site() -> Generator[Place]:
    """The site that the examples name, on loopback."""
    with served({str(urlsplit(Examples.SITE).hostname): dealer()}) as place:
        yield place


def on_site(service: Service, site: Place) -> Dispatcher:
    """The service's tools, with the site of the examples in the place of the internet."""
    return Dispatcher(
        tool_table(),
        RateLimits(MemoryWindows()),
        WorkspaceOpener(service.database),
        site_reader=Sites(replace(POLICY, interval=0), lambda: datetime.now(UTC), site.network()),
        public_reports=service.database.operators.readiness,
    )


@pytest.mark.parametrize(
    ("tool", "request_sent"), WRITES, ids=[f"{tool}-{place}" for place, (tool, _) in enumerate(WRITES)]
)
async def test_every_example_of_a_writing_tool_is_taken(
    history: Workspace, tmp_path: Path, site: Place, tool: str, request_sent: dict[str, Any]
) -> None:
    shutil.copytree(history.folder, tmp_path / "own")
    own = Workspace(environment(tmp_path / "own" / "data"), tmp_path / "own", ())
    async with opened(own) as service:
        dispatcher = on_site(service, site) if "proposeFrom" in request_sent else service.dispatcher
        said = await answer(dispatcher, await company_of(service), tool, request_sent)
        if tool in ENDED:
            assert isinstance(said, Refusal)
            assert ENDED[tool] in said.message
        else:
            assert_says_something(tool, request_sent, said)


async def test_the_report_of_the_examples_site_is_found_once_it_was_scanned(
    own_history: Workspace, site: Place
) -> None:
    async with opened(own_history) as service:
        company = await company_of(service)
        policy = replace(POLICY, interval=0)
        scanner = Scanner(
            service.database, policy, "https://s.example.com", lambda: datetime.now(UTC), site.network()
        )
        await scanner.scan(company, ScanRequest(Examples.SITE))
        for tool in TABLE.names("public"):
            for request in requests(TABLE[tool]):
                said = await answer(on_site(service, site), company, tool, request)
                assert_says_something(tool, request, said)


async def test_the_examples_name_what_the_history_holds(history: Workspace) -> None:
    async with opened(history) as service:
        workspace = service.database.workspace(await company_of(service))
        (prompt_set,) = await workspace.prompt_sets.active()
        prompts = await workspace.prompts.of_set(prompt_set.key)
        dear = [
            prompt
            for prompt in prompts
            if ([*prompt.tags], prompt.intent) == ([Examples.TAG], Examples.INTENT)
        ]
        (instance, run), *_ = (await workspace.agents.page(None, False, 1, 0))[0]
        assert run is not None
        ask = {"brandId": Examples.BRAND, "promptId": dear[0].id, "outcome": "names_us", "limit": 1}
        listed = await answer(service.dispatcher, workspace.company_id, "list_answers", ask)
        actions = await answer(service.dispatcher, workspace.company_id, "list_actions", {})
        assert isinstance(listed, dict)
        assert isinstance(actions, dict)
        assert {
            "PROMPT_SET_ID": prompt_set.id,
            "PROMPT_ID": dear[0].id,
            "ANSWER_ID": listed["answers"][0]["answerId"],
            "BATCH_ID": listed["answers"][0]["batchId"],
            "RUN_ID": run.id,
            "AGENT_INSTANCE_ID": instance.id,
            "ACTION_ID": actions["actions"][0]["actionId"],
        } == {
            "PROMPT_SET_ID": Examples.PROMPT_SET_ID,
            "PROMPT_ID": Examples.PROMPT_ID,
            "ANSWER_ID": Examples.ANSWER_ID,
            "BATCH_ID": Examples.BATCH_ID,
            "RUN_ID": Examples.RUN_ID,
            "AGENT_INSTANCE_ID": Examples.AGENT_INSTANCE_ID,
            "ACTION_ID": Examples.ACTION_ID,
        }
