"""Results and refusals of every tool, reading and writing, fit a model on a workspace in which everything is long."""

import json
import secrets
import sqlite3
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from server.service import Service
from tests.server.application.conftest import Workspace
from tests.server.application.test_examples import CASES, TABLE, answer, company_of, opened
from tools.calls.dispatch import Refusal
from tools.calls.errors import Cause
from tools.calls.parameters import Examples
from tools.calls.result_size import LARGEST_RESULT

LONG = "é" * 1000
"""Two kilobytes."""
RIVALS, ALIASES, PROMPTS, FINDINGS = 200, 500, 2000, 1000
MOST_SAID = 4_200
"""Bytes of a refusal: message and hint, of a thousand characters each, and the name of the tool."""
LENGTHENED = {
    "agent_instances": ("name",),
    "answers": ("served_model",),
    "brands": ("industry", "voice", "target_audience"),
    "company_notifications": ("title", "message"),
    "competitors": ("name",),
    "findings": ("title", "detail", "fix"),
    "issues": ("title",),
    "mentions": ("quote",),
    "prompt_sets": ("description",),
    "prompts": ("text",),
    "repository_items": ("title", "body"),
    "run_agents": ("summary",),
}


def copies(connection: sqlite3.Connection, table: str, times: int, where: str = "TRUE", **own: str) -> None:
    """Copy the first row of a table so often; `own` is SQL for columns whose values differ, by the number n."""
    columns = [str(row[1]) for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != "key"]
    values = ", ".join(str(own.get(column, column)) for column in columns)
    connection.execute(
        f"WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < {times}) "
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} FROM "
        f"(SELECT * FROM {table} WHERE {where} ORDER BY key LIMIT 1), numbers"
    )


def lengthen(folder: Path) -> None:
    """Make every name and text long, and every list."""
    [file] = folder.glob("*.db")
    made = "lower(hex(randomblob(16)))"
    with sqlite3.connect(file) as connection:
        for table, columns in LENGTHENED.items():
            for column in columns:
                connection.execute(
                    f"UPDATE {table} SET {column} = {column} || ? WHERE {column} IS NOT NULL", (LONG,)
                )
        copies(connection, "competitors", RIVALS, id=made, name="name || n", name_folded="name_folded || n")
        copies(connection, "brand_aliases", ALIASES, "competitor_key IS NULL", text=f"'{LONG}' || n")
        copies(connection, "brand_aliases", ALIASES, "competitor_key IS NOT NULL", text=f"'r{LONG}' || n")
        copies(connection, "findings", FINDINGS, id=made, ordinal="n")
        tags = "json_array(" + ", ".join(f"n || ' {tag} {LONG[:40]}'" for tag in range(20)) + ")"
        text = {"text": "n || text", "text_sha256": made, "intent": "'intent ' || n"}
        copies(connection, "prompts", PROMPTS, id=made, position="n + 100", tags=tags, **text)
    connection.close()


@pytest.fixture
async def service(own_history: Workspace) -> AsyncGenerator[Service]:
    lengthen(Path(own_history.environ["SEENBY_DATA_DIR"]))
    async with opened(own_history) as service:
        yield service


def size_of(said: dict[str, Any] | Refusal) -> tuple[int, int]:
    """Bytes of an answer, and how many it may have."""
    if isinstance(said, Refusal):
        return len(f"{said.message}{said.hint}".encode()), MOST_SAID
    return len(json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()), LARGEST_RESULT


def fields_of(tool: str) -> Iterator[tuple[str, Any]]:
    """A value that nothing has for each text that a tool takes: as long as it may be, or as a body may be."""
    for name, schema in TABLE[tool].input_schema["properties"].items():
        if schema.get("type") == "string" and "enum" not in schema:
            yield name, secrets.token_hex(2) + "n" * (int(schema.get("maxLength", 900_000)) - 4)
        elif schema.get("type") == "array" and schema["items"].get("type") == "string":
            yield name, ["n" * 2_000] * 100


async def test_every_request_of_every_tool_is_answered_in_what_a_model_takes(service: Service) -> None:
    company, sizes, told = await company_of(service), dict[str, int](), set[str]()
    profile = {"brandId": Examples.BRAND}
    wide = [
        ("list_prompt_sets", {"includePrompts": True}),
        ("get_brand_snapshot", profile | {"detail": "full", "repositoryLimit": 20, "mentionsLimit": 20}),
        ("update_brand_profile", profile | {"aliases": [f"{LONG[:190]}{number}" for number in range(50)]}),
        ("update_prompt_set", {"promptSetId": Examples.PROMPT_SET_ID, "description": "x" * 2000}),
        ("run_prompt_set", {"promptSetId": Examples.PROMPT_SET_ID, "platforms": ["peer"], "preview": True}),
    ]
    first = dict(reversed([(tool, request) for tool, request in CASES if "proposeFrom" not in request]))
    early = [(tool, first.pop(tool)) for tool in ("run_workflow", "run_prompt_set")]
    actions = await answer(service.dispatcher, company, "list_actions", {"limit": 1})
    assert isinstance(actions, dict)
    decided = {"actionId": actions["actions"][0]["actionId"], "state": "dismissed", "reason": LONG[:500]}
    for tool, request in [*early, *wide, *first.items(), ("update_action", decided)]:
        said = await answer(service.dispatcher, company, tool, request)
        found, most = size_of(said)
        assert found <= most, (tool, str(request)[:200], found)
        assert not isinstance(said, Refusal) or said.cause is not Cause.CRASH, (tool, said)
        if isinstance(said, dict):
            sizes[tool] = max(sizes.get(tool, 0), found)
            told |= {tool} if "fit" in str(said.get("notice")) or said.get("nextOffset") else set()
    assert sizes["get_brand_profile"] > 30_000, "the profile is as wide as a result may be"
    assert sizes["update_brand_profile"] > 30_000
    assert {"get_brand_profile", "get_competitors", "update_brand_profile"} <= told
    assert sizes.keys() >= TABLE.keys() - {"cancel_workflow_run", "get_agentic_readiness_report"}


async def test_a_refusal_does_not_give_back_what_was_sent_or_all_there_is(service: Service) -> None:
    company, refused = await company_of(service), set[str]()
    first = dict(reversed([(tool, request) for tool, request in CASES if "proposeFrom" not in request]))
    for tool, request in first.items():
        for name, value in fields_of(tool):
            said = await answer(service.dispatcher, company, tool, {**request, name: value})
            found, most = size_of(said)
            assert found <= most, (tool, name, found)
            refused |= {f"{tool}.{name}"} if isinstance(said, Refusal) else set()
    assert {
        f"list_answers.{name}" for name in ("brandId", "platform", "tag", "intent", "competitor")
    } <= refused
