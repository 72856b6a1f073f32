"""Characters that hide or reorder words neither get in with an argument nor out with what was stored before."""

import json
from typing import Any

import pytest
from sqlalchemy import Connection, inspect, text

from oauth.principal import Caller, Principal, Scope
from storage.ids import new_id
from tests.tools.conftest import Office
from tools.calls.dispatch import Success

HIDDEN = "\u202e\u200b\u2066\U000e0041\x1b\x07\xad\ufeff\ue000"
WORDS = {
    "brands": ("name", "industry", "voice", "target_audience", "website"),
    "entities": ("name",),
    "prompt_sets": ("name", "description"),
    "prompts": ("text", "intent"),
    "repository_items": ("title", "body", "category", "url"),
    "notifications": ("title", "message"),
    "issues": ("title", "url"),
    "agent_instances": ("name",),
    "findings": ("title", "detail", "fix"),
    "run_agents": ("summary",),
    "answers": ("served_model",),
}
"""Columns with text of people, engines and sites, as far as tools show them."""


async def plant(office: Office) -> set[str]:
    """Write hidden characters into stored text past every check; return the columns that exist."""

    def columns(connection: Connection) -> set[tuple[str, str]]:
        known = inspect(connection)
        return {
            (table, column["name"])
            for table in set(WORDS) & set(known.get_table_names())
            for column in known.get_columns(table)
            if column["name"] in WORDS[table]
        }

    planted: set[str] = set()
    async with office.database.writing() as connection:
        for table, column in sorted(await connection.run_sync(columns)):
            change = text(f"UPDATE {table} SET {column} = {column} || :hidden WHERE {column} IS NOT NULL")
            await connection.execute(change, {"hidden": f"x{HIDDEN}y"})
            planted.add(f"{table}.{column}")
    return planted


def hidden_in(value: Any) -> bool:
    return any(char in json.dumps(value, ensure_ascii=False) for char in HIDDEN) or "\\u001b" in json.dumps(
        value
    )


async def test_no_tool_gives_hidden_characters_out_that_were_stored_before(measured: Office) -> None:
    office: Office = measured
    brand = (await office.workspace().brands.all())[0]
    assert len(await plant(office)) > 15
    reads = [
        row for row in office.dispatcher.table.values() if row.access == "read" and row.scope is not None
    ]
    asked = 0
    for row in reads:
        required = row.input_schema.get("required", [])
        if set(required) - {"brandId", "query", "metricName"}:
            continue
        known = {"brandId": brand.id, "query": "warranty", "metricName": "mentionCount"}
        principal = Principal(office.companies["ours"], f"key:{new_id()}", frozenset({Scope.WRITE}))
        arguments = {name: known[name] for name in required}
        outcome = await office.dispatcher.call(row.name, arguments, Caller(principal, "192.0.2.1"))
        assert isinstance(outcome, Success), outcome
        assert not hidden_in(json.loads(outcome.body)), row.name
        asked += 1
    assert asked > 15


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_hidden_characters_of_an_argument_are_not_kept(office: Office) -> None:
    made = await office.call("create_brand_profile", name=f"Zen{HIDDEN}trix", industry=f"car{HIDDEN} dealer")
    assert made["profile"]["name"] == "Zentrix"
    brand = next(one for one in await office.workspace().brands.all() if one.name.startswith("Zen"))
    assert (brand.name, brand.industry) == ("Zentrix", "car dealer")
    persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"
    await office.call("update_brand_profile", brandId=brand.id, industry=persian)
    changed = next(one for one in await office.workspace().brands.all() if one.id == brand.id)
    assert changed.industry == persian


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
async def test_a_text_of_hidden_characters_alone_is_refused(office: Office) -> None:
    prompt = {"text": "Which espresso machine is quiet?"}
    for unseen in ("\u200b", " \u202e\ufeff ", "\u200d\t", "\U000e0041"):
        for sent in ({"name": unseen, "prompts": [prompt]}, {"name": "Seen", "prompts": [{"text": unseen}]}):
            refused = await office.call("create_prompt_set", **sent)
            assert "a character that can be seen" in refused.message, unseen
    assert (await office.call("list_prompt_sets"))["total"] == 0


async def test_every_result_with_text_of_strangers_names_its_fields(office: Office) -> None:
    ours = {
        "get_dashboard_overview",
        "get_credits",
        "get_agent_run_summary",
    }
    ours |= {"run_workflow", "cancel_workflow_run", "run_prompt_set", "run_reusable_agent"}
    for row in office.dispatcher.table.values():
        if row.scope is not None and row.name not in ours:
            assert "untrusted" in row.output_schema["properties"], row.name
