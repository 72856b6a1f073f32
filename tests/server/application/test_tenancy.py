"""What belongs to another company does not exist, and what a viewer asks changes nothing: every tool is tried."""

import json
import shutil
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from measurement.alerts.issues import IssueObservation, record
from measurement.imports.captured_answers import Importer
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from oauth.principal import Caller, Principal, Scope
from server.service import Service, open_service
from server.settings import Settings
from storage.ids import new_id
from storage.repositories.brands import BrandDraft
from storage.repositories.repository_items import ItemDraft
from storage.workspace import CompanyRole
from tests.server.application.conftest import Workspace
from tools.calls.dispatch import Refusal, Success
from tools.calls.errors import Cause
from tools.catalog import tool_table

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
    (name, path)
    for name, row in TABLE.items()
    if row.access != "public"
    for path in identifier_paths(row.input_schema)
]
FILLED: Mapping[str, Any] = {
    "query": "hybrid",
    "metricName": "visibilityScore",
    "workflowId": "ai_shop_checkup",
    "name": "Another",
    "kind": "repository_auditor",
    "prompts": [{"text": "Which one is best?"}],
    "state": "planned",
}
"""What required parameters are filled with that name nothing of a company."""


@dataclass(frozen=True)
class Strangers:
    """Two companies over one database, and what the first of them owns."""

    service: Service
    owned: Mapping[str, str]
    """Identifiers of the first company's things."""
    stranger_id: str
    own: Mapping[str, str]
    """Identifiers of the other company's own things."""

    async def ask(self, tool: str, arguments: Mapping[str, Any]) -> Success | Refusal:
        """Call a tool as the other company."""
        return await self.service.dispatcher.call(tool, arguments, caller(self.stranger_id))


def caller(company_id: str) -> Caller:
    """A caller whom no limit on writes meets: each has an identity of its own."""
    return Caller(Principal(company_id, f"key:{new_id()}", frozenset({Scope.WRITE}), 600), "192.0.2.1")


async def made(service: Service, company_id: str, tool: str, **arguments: Any) -> Any:
    """Call a tool that must succeed."""
    outcome = await service.dispatcher.call(tool, arguments, caller(company_id))
    assert isinstance(outcome, Success), outcome
    return json.loads(outcome.body)


async def measure(service: Service, company_id: str, brand_id: str, folder: Path) -> None:
    """Import an answer about a brand, and find something wrong with the brand."""
    path = folder / f"{company_id}.jsonl"
    line = {
        "platform": "chatgpt",
        "prompt": "Which family car is best?",
        "text": "It depends on the family.",
        "captured_at": "2026-03-31T08:00:00Z",
    }
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    async with service.database.transaction(company_id) as writing:
        brand = await writing.brands.find(brand_id)
        assert brand is not None
        wrong = IssueObservation("bot_access", "bots.search", "search", "Search bots are kept out")
        await record(writing, brand, [wrong], utc_now())
        await writing.repository_items.save(brand.key, [ItemDraft("Seats", "Seven.", "faq")], utc_now())
    publisher = Publisher(service.database, (), utc_now)
    await Importer(service.database, publisher, utc_now).import_file(company_id, brand, path)


async def things_of(service: Service, company_id: str, folder: Path) -> dict[str, str]:
    """Make one of each thing that an identifier can name, for the first brand."""
    [brand, *_] = (await made(service, company_id, "list_brand_profiles"))["brands"]
    await measure(service, company_id, brand["id"], folder)
    [answer, *_] = (await made(service, company_id, "list_answers", brandId=brand["id"]))["answers"]
    [action, *_] = (await made(service, company_id, "list_actions", brandId=brand["id"]))["actions"]
    items = await made(service, company_id, "get_repository_items", brandId=brand["id"])
    configuration = {"brandId": brand["id"]}
    run = await made(
        service, company_id, "run_workflow", workflowId="content_refresh", configuration=configuration
    )
    questions = await made(
        service, company_id, "create_prompt_set", name="Tenancy", prompts=[{"text": "Which one is best?"}]
    )
    agent = await made(
        service,
        company_id,
        "create_reusable_agent",
        name="Tenancy",
        kind="repository_auditor",
        brandIds=[brand["id"]],
    )
    return {
        "brandId": brand["id"],
        "runId": run["runId"],
        "promptSetId": questions["promptSetId"],
        "agentInstanceId": agent["agentInstanceId"],
        "answerId": answer["answerId"],
        "promptId": answer["promptId"],
        "actionId": action["actionId"],
        "batchId": answer["batchId"],
        "itemId": items["items"][0]["id"],
    }


NO_PROFILE: dict[str, Any] = dict.fromkeys(("industry", "website", "voice", "target_audience"), None) | {
    "keywords": []
}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def strangers(
    prepared: Workspace, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Strangers]:
    folder = tmp_path_factory.mktemp("tenancy") / "own"
    shutil.copytree(prepared.folder, folder)
    environ = {**prepared.environ, "SEENBY_DATA_DIR": str(folder / "data")}
    async with open_service(Settings.from_environ(environ)) as service:
        [first] = await service.database.operators.companies.all()
        now = datetime.now(UTC)
        async with service.database.operation() as operators:
            other = await operators.companies.create("Other", "o@other.example", "scale", now)
        async with service.database.transaction(other.id) as writing:
            await writing.brands.save(BrandDraft("Somebody else"), [], NO_PROFILE, now)
        owned, own = [await things_of(service, company.id, folder) for company in (first, other)]
        yield Strangers(service, owned, other.id, own)


def request_with(tool: str, path: tuple[str, ...], identifier: str, own: Mapping[str, str]) -> dict[str, Any]:
    """A request that is right but for one identifier."""
    known = {**FILLED, **own}
    schema = TABLE[tool].input_schema
    # A prompt is one of a brand: where the brand may be left out, the prompt needs it.
    about = ("brandId",) if path == ("promptId",) and "brandId" in schema["properties"] else ()
    arguments: dict[str, Any] = {name: known[name] for name in (*schema.get("required", ()), *about)}
    inside = arguments
    for name in path[:-1]:
        inside = inside.setdefault(name, {})
    inside[path[-1]] = [identifier] if path[-1].endswith("Ids") else identifier
    return arguments


async def test_every_identifier_is_of_a_kind_that_is_tried_here() -> None:
    kinds = {path[-1].removesuffix("s") for _, path in CASES}
    assert kinds == KINDS


KINDS = {
    "brandId",
    "runId",
    "promptSetId",
    "agentInstanceId",
    "answerId",
    "promptId",
    "actionId",
    "batchId",
    "itemId",
}


@pytest.mark.parametrize(("tool", "path"), CASES, ids=[f"{tool}-{'.'.join(path)}" for tool, path in CASES])
@pytest.mark.requirement("SVC-01")
async def test_an_identifier_of_another_company_does_not_exist(
    strangers: Strangers, tool: str, path: tuple[str, ...]
) -> None:
    theirs = strangers.owned[path[-1].removesuffix("s")]
    refused = await strangers.ask(tool, request_with(tool, path, theirs, strangers.own))
    unknown = await strangers.ask(tool, request_with(tool, path, UNKNOWN, strangers.own))
    assert isinstance(refused, Refusal), refused
    assert isinstance(unknown, Refusal), unknown
    assert refused.code == "NOT_FOUND", refused
    refusals = [(refusal.code, refusal.message.replace(theirs, "?").replace(UNKNOWN, "?"), refusal.hint)
            for refusal in (refused, unknown)]  # fmt: skip
    assert refusals[0] == refusals[1]


@pytest.mark.parametrize(
    ("tool", "path"),
    [
        pytest.param(tool, path, id=f"{tool}-{'.'.join(path)}")
        for tool, path in CASES
        if path[-1] in {"answerId", "promptId", "actionId", "itemId", "batchIds"}
    ],
)
async def test_an_identifier_of_the_own_company_is_answered_with_a_result(
    strangers: Strangers, tool: str, path: tuple[str, ...]
) -> None:
    outcome = await strangers.ask(
        tool, request_with(tool, path, strangers.own[path[-1].removesuffix("s")], strangers.own)
    )
    assert isinstance(outcome, Success), outcome


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


WRITING = [name for name, row in TABLE.items() if row.access == "write"]


async def written(strangers: Strangers, tool: str, role: CompanyRole) -> Success | Refusal:
    """Call a tool that writes as a person of a role, whose credential has the scope for it whatever the role."""
    principal = Principal(strangers.stranger_id, f"user:{new_id()}", frozenset({Scope.WRITE}), 600, role)
    required = TABLE[tool].input_schema.get("required", ("name",))
    arguments = {name: {**FILLED, **strangers.own}[name] for name in required}
    return await strangers.service.dispatcher.call(tool, arguments, Caller(principal, "192.0.2.1"))


@pytest.mark.parametrize("tool", WRITING)
async def test_a_viewer_changes_nothing_even_with_a_credential_for_writing(
    strangers: Strangers, tool: str
) -> None:
    refused = await written(strangers, tool, CompanyRole.VIEWER)
    assert isinstance(refused, Refusal), refused
    assert (refused.cause, refused.code, refused.scope) == (Cause.UNDER_SCOPED, "UNAUTHORIZED", Scope.WRITE)
    assert refused.message == f"Tool '{tool}' failed: the credential lacks the scope service.write"


@pytest.mark.parametrize("role", [CompanyRole.OWNER, CompanyRole.MEMBER])
@pytest.mark.parametrize("tool", WRITING)
async def test_owners_and_members_are_let_in_by_every_tool_that_writes(
    strangers: Strangers, tool: str, role: CompanyRole
) -> None:
    outcome = await written(strangers, tool, role)
    # Some have nothing to do: a name that is taken, a run that is over.
    assert isinstance(outcome, Success) or outcome.cause is Cause.REFUSED, outcome
