"""Text of people, engines and sites: wherever it comes out of a reading tool, it is clean, and `untrusted` names it.

A mark with hidden characters is written into the stored text of a whole workspace, past every check.
"""

import json
import sqlite3
from collections.abc import AsyncGenerator, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pytest

from oauth.principal import Caller, Principal, Scope
from server.service import Service, open_service
from server.settings import Settings
from tests.server.application.conftest import Workspace
from tools.calls.dispatch import Success
from tools.calls.table import ToolRow

MARK = "Plantedword"
HIDDEN = "\u202e\u200b\u2066\U000e0041\x1b\x07"
TEXTS = {
    "agent_instances": ("name",),
    "answer_claims": ("claim", "fact"),
    "answers": ("served_model", "requested_model"),
    "brand_aliases": ("text",),
    "brands": ("name", "industry", "voice", "target_audience", "website"),
    "cited_urls": ("url",),
    "company_notifications": ("title", "message"),
    "competitors": ("name",),
    "findings": ("title", "detail", "fix"),
    "issues": ("title", "url"),
    "mentions": ("quote",),
    "prompt_sets": ("name", "description"),
    "prompts": ("text", "intent"),
    "repository_items": ("title", "body", "category"),
    "run_agents": ("summary",),
    "simulations": ("custom_query",),
}
LISTS = {"brands": ("keywords", "category_words"), "prompts": ("tags",), "issues": ("evidence",)}
"""Columns of JSON; the members `type` and `id` of an object are ours."""
OURS = frozenset(("type", "id"))
WIDE: Sequence[dict[str, Any]] = (
    {}, {"includePrompts": True}, {"detail": "full"}, {"groupBy": "url"}, {"limit": 50},
)  # fmt: skip


def marked(value: Any) -> Any:
    if isinstance(value, list):
        return [marked(item) for item in cast(list[Any], value)]
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return {name: item if name in OURS else marked(item) for name, item in members.items()}
    return f"{value} {MARK}{HIDDEN}" if isinstance(value, str) else value


def plant(folder: Path) -> None:
    """Write the mark into every text of the database in a folder."""
    [file] = folder.glob("*.db")
    with sqlite3.connect(file) as connection:
        for table, columns in TEXTS.items():
            for column in columns:
                connection.execute(
                    f"UPDATE {table} SET {column} = {column} || ? WHERE {column} IS NOT NULL",
                    (f" {MARK}{HIDDEN}",),
                )
        for table, columns in LISTS.items():
            for column in columns:
                for key, stored in connection.execute(f"SELECT key, {column} FROM {table}").fetchall():
                    changed = json.dumps(marked(json.loads(stored)))
                    connection.execute(f"UPDATE {table} SET {column} = ? WHERE key = ?", (changed, key))
    connection.close()


def found_at(value: Any, at: str = "") -> Iterator[str]:
    """Every path at which a result has the mark, without those that an object around it names."""
    if isinstance(value, list):
        for item in cast(list[Any], value):
            yield from found_at(item, f"{at}[]")
    elif isinstance(value, dict):
        members = cast(dict[str, Any], value)
        named = members.get("untrusted")
        # Of a mention it says true: each has a text of its own.
        paths = ["quote"] if named is True else cast(list[str], named or [])
        inside = {f"{at}.{path}".lstrip(".") for path in paths}
        for name, item in members.items():
            yield from (path for path in found_at(item, f"{at}.{name}".lstrip(".")) if path not in inside)
    elif isinstance(value, str) and MARK in value:
        yield at


class Reader:
    """Somebody who reads everything."""

    def __init__(self, service: Service, company_id: str) -> None:
        self.service = service
        self._company_id = company_id
        self._calls = 0

    async def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self._calls += 1
        principal = Principal(self._company_id, f"key:{self._calls}", frozenset({Scope.WRITE}))
        outcome = await self.service.dispatcher.call(tool, arguments, Caller(principal, "192.0.2.1"))
        assert isinstance(outcome, Success), outcome
        return json.loads(outcome.body)

    async def identifiers(self) -> dict[str, Any]:
        """What tools require, of this workspace."""
        brand = (await self.call("list_brand_profiles", {}))["brands"][0]["id"]
        told = {"brandId": brand, "outcome": "contradicts"}
        return {
            "brandId": brand,
            "query": "machine",
            "metricName": "mentionCount",
            "answerId": (await self.call("list_answers", told))["answers"][0]["answerId"],
            "agentInstanceId": (await self.call("list_reusable_agents", {}))["agents"][0]["agentInstanceId"],
            "runId": (await self.call("list_workflow_runs", {}))["runs"][0]["runId"],
        }


@pytest.fixture
async def reader(own_history: Workspace) -> AsyncGenerator[Reader]:
    plant(Path(own_history.environ["SEENBY_DATA_DIR"]))
    async with open_service(Settings.from_environ(own_history.environ)) as service:
        [company] = await service.database.operators.companies.all()
        yield Reader(service, company.id)


def asked(row: ToolRow, known: dict[str, Any]) -> list[dict[str, Any]]:
    """The arguments that a tool is called with: what it requires, and each way to see more."""
    fields = row.input_schema["properties"]
    wanted = {*row.input_schema.get("required", ()), *(fields.keys() & {"brandId"})}
    return [
        {**{name: known[name] for name in wanted}, **more} for more in WIDE if fields.keys() >= more.keys()
    ]


async def test_every_text_that_is_not_ours_is_named_and_clean(reader: Reader) -> None:
    known, missing, marked_tools = await reader.identifiers(), dict[str, set[str]](), set[str]()
    for row in reader.service.dispatcher.table.values():
        if row.access == "read" and row.scope is not None:
            for arguments in asked(row, known):
                result = await reader.call(row.name, arguments)
                written = json.dumps(result, ensure_ascii=False)
                assert not any(sign in written for sign in HIDDEN), (row.name, arguments)
                assert "\\u001b" not in written, (row.name, arguments)
                marked_tools |= {row.name} if MARK in written else set()
                if paths := set(found_at(result)):
                    missing.setdefault(row.name, set()).update(paths)
    assert missing == {}, missing
    assert len(marked_tools) >= 20, "the mark reaches nearly every tool"
