"""What belongs to another company does not exist: every tool with every kind of identifier, and every listing."""

import json
import shutil
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest
import pytest_asyncio

from oauth.principal import Caller, Principal, Scope
from server.service import Service, open_service
from server.settings import Settings
from tools.catalog import tool_table
from tools.dispatch import Refusal, Success

pytestmark = pytest.mark.asyncio(loop_scope="module")

TABLE = tool_table()
UNKNOWN = "01999999-9999-7999-8999-999999999999"
NAMED_BY_US = frozenset({"workflowId"})
"""Identifiers of what the program defines, which every company shares."""


def identifier_paths(schema: Mapping[str, Any], at: tuple[str, ...] = ()) -> list[tuple[str, ...]]:
    """The paths of all identifiers in a request, also those in an object of it."""
    paths: list[tuple[str, ...]] = []
    definitions = schema.get("$defs", {})
    for name, value in schema.get("properties", {}).items():
        inner = definitions.get(str(value.get("$ref", "")).rpartition("/")[2], value)
        if name.endswith(("Id", "Ids")) and name not in NAMED_BY_US:
            paths.append((*at, name))
        paths += (
            identifier_paths({**inner, "$defs": definitions}, (*at, name)) if "properties" in inner else []
        )
    return paths


CASES = [
    pytest.param(name, path, id=f"{name}-{'.'.join(path)}")
    for name, row in TABLE.items()
    if row.access != "public"
    for path in identifier_paths(row.input_schema)
]
FILLED: Mapping[str, Any] = {
    "query": "hybrid",
    "metricName": "visibilityScore",
    "workflowId": "ai_shop_checkup",
    "name": "Mine",
    "kind": "repository_auditor",
    "prompts": [{"text": "Which one is best?"}],
}
"""What required parameters are filled with that name nothing of a company."""


@dataclass(frozen=True)
class Strangers:
    """Two companies over one database, and what the first of them owns."""

    service: Service
    owned: Mapping[str, str]
    stranger: Caller

    async def ask(self, tool: str, arguments: Mapping[str, Any]) -> Success | Refusal:
        """Call a tool as the other company."""
        return await self.service.dispatcher.call(tool, arguments, self.stranger)


def caller(company_id: str) -> Caller:
    return Caller(Principal(company_id, f"key:{company_id}", frozenset({Scope.WRITE}), 100_000), "192.0.2.1")


async def made(service: Service, owner: Caller, tool: str, **arguments: Any) -> Any:
    """Call a tool that must succeed."""
    outcome = await service.dispatcher.call(tool, arguments, owner)
    assert isinstance(outcome, Success), outcome
    return json.loads(outcome.body)


async def things_of(service: Service, owner: Caller) -> dict[str, str]:
    """Make one of each thing that an identifier can name."""
    [brand, *_] = (await made(service, owner, "list_brand_profiles"))["brands"]
    configuration = {"brandId": brand["id"]}
    run = await made(
        service, owner, "run_workflow", workflowId="content_refresh", configuration=configuration
    )
    return {"brandId": brand["id"], "runId": run["runId"]}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def strangers(prepared: Any, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Strangers]:
    folder = tmp_path_factory.mktemp("tenancy") / "own"
    shutil.copytree(prepared.folder, folder)
    environ = {**prepared.environ, "SEENBY_DATA_DIR": str(folder / "data")}
    async with open_service(Settings.from_environ(environ)) as service:
        [first] = await service.database.operators.companies.all()
        async with service.database.operation() as operators:
            other = await operators.companies.create("Other", "o@other.example", "scale", datetime.now(UTC))
        owned = await things_of(service, caller(first.id))
        yield Strangers(service, owned, caller(other.id))


def request_with(tool: str, path: tuple[str, ...], identifier: str) -> dict[str, Any]:
    """A request that is right but for one identifier, of the named thing."""
    required = TABLE[tool].input_schema.get("required", ())
    arguments: dict[str, Any] = {name: FILLED[name] for name in required if name in FILLED}
    inside = arguments
    for name in path[:-1]:
        inside = inside.setdefault(name, {})
    inside[path[-1]] = [identifier] if path[-1].endswith("Ids") else identifier
    return arguments


async def test_every_identifier_is_of_a_kind_that_is_tried_here() -> None:
    kinds = {path[-1].removesuffix("s") for _, path in (case.values for case in CASES)}
    assert kinds == KINDS


KINDS = {"brandId", "runId"}


@pytest.mark.parametrize(("tool", "path"), CASES)
async def test_an_identifier_of_another_company_is_answered_as_one_that_does_not_exist(
    strangers: Strangers, tool: str, path: tuple[str, ...]
) -> None:
    theirs = strangers.owned[path[-1].removesuffix("s")]
    refused = await strangers.ask(tool, request_with(tool, path, theirs))
    unknown = await strangers.ask(tool, request_with(tool, path, UNKNOWN))
    assert isinstance(refused, Refusal), refused
    assert isinstance(unknown, Refusal), unknown
    assert refused.code == "NOT_FOUND", refused
    told = [(one.code, one.message.replace(theirs, "?").replace(UNKNOWN, "?"), one.hint)
            for one in (refused, unknown)]  # fmt: skip
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "tool",
    [name for name, row in TABLE.items() if row.access == "read" and not row.input_schema.get("required")],
)
async def test_a_listing_names_nothing_of_another_company(strangers: Strangers, tool: str) -> None:
    outcome = await strangers.ask(tool, {})
    assert isinstance(outcome, Success), outcome
    for owned in strangers.owned.values():
        assert owned not in outcome.body.decode()
    assert "Toyota" not in outcome.body.decode()
