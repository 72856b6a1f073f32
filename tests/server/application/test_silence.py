"""Silence never means zero: what a filter names is there, or the call is refused, or the result says that nothing fits."""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from server.service import Service
from tests.server.application.conftest import Workspace
from tests.server.application.test_examples import TABLE, answer, company_of, opened
from tools.calls.dispatch import Refusal
from tools.calls.errors import Cause
from tools.calls.parameters import Examples
from tools.calls.wire import SYNTHETIC_NOTICE

NOBODY = "00000000-0000-7000-8000-000000000000"
ASKED = {"text": "Which is away?", "tags": ["away"], "intent": "away"}
FREE: Mapping[str, Sequence[Any]] = {
    "platform": ("nope", "synthetic-chatgtp", "chatgpt", ""),
    "mentionsPlatform": ("nope", "synthetic-chatgtp", ""),
    "country": ("ZZ", "FR", "xx", ""),
    "mode": ("nope", "visiblity", ""),
    "tag": ("nope", "reliabilty", "foreign", "", "away"),
    "intent": ("nope", "chose", "foreign", "", "away"),
    "from": ("2099-01-01", "yesterday", "", "2026-13-01"),
    "to": ("2001-01-01", "soon", ""),
    "compareFrom": ("soon", ""),
    "compareTo": ("soon", ""),
    "comparePlatform": ("nope", "synthetic-chatgtp", ""),
    "compareMode": ("nope", ""),
    "compareCountry": ("ZZ", "FR", "xx", ""),
    "competitor": ("Nope", "Morvany", "Foe", ""),
    "contains": ("nothing of the kind", ""),
    "source": ("nope.invalid", "kitchenjournal", ""),
    "category": ("nope", "fqa", ""),
    "repositoryCategory": ("nope", "fqa", ""),
    "workflowId": ("nope", "fix_visiblity", ""),
    "metricName": ("visibility", ""),
    "answerId": (NOBODY, "x", ""),
    "runId": (NOBODY, "x", ""),
    "agentInstanceId": (NOBODY, "x", ""),
    "batchId": (NOBODY, "x", ""),
    "itemId": (NOBODY, "x", ""),
    "batchIds": ([NOBODY], ["x"], []),
    "assignee": ("nobody@example.com", "x", ""),
}
CLOSED = (
    "outcome",
    "status",
    "state",
    "kind",
    "owner",
    "when",
    "groupBy",
    "metric",
    "sort",
    "tone",
    "detail",
)
"""Fields of a closed set: what is not in it is refused by the schema."""
UNFILTERED = frozenset(("query", "brandId", "promptSetId", "promptId"))
"""What is searched for is what is found; the others are of the workspaces that the test makes."""


@dataclass(frozen=True)
class Offices:
    """Our workspace with what was put away in it, and the ids of another company's."""

    service: Service
    company: str
    ids: Mapping[str, Sequence[str]]

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any] | Refusal:
        return await answer(self.service.dispatcher, self.company, tool, arguments)


async def made(service: Service, company: str, name: str, label: str) -> tuple[str, str, str]:
    """Make a brand with a rival and a question; return the ids of brand, set and question."""

    async def call(tool: str, **arguments: Any) -> dict[str, Any]:
        said = await answer(service.dispatcher, company, tool, arguments)
        assert isinstance(said, dict), said
        return said

    rivals = [{"name": "Foe"}] if label == "foreign" else []
    brand = (await call("create_brand_profile", name=name, competitors=rivals))["profile"]["id"]
    question = ASKED | {"tags": [label], "intent": label}
    await call("create_prompt_set", name=name, brandId=brand, prompts=[question])
    listed = await call("list_prompt_sets", brandId=brand, includePrompts=True)
    of_brand = next(one for one in listed["promptSets"] if one["name"] == name)
    return brand, of_brand["promptSetId"], of_brand["prompts"][0]["promptId"]


@pytest.fixture
async def offices(own_history: Workspace) -> AsyncGenerator[Offices]:
    async with opened(own_history) as service:
        ours = await company_of(service)
        async with service.database.operation() as operators:
            theirs = await operators.companies.create(
                "Elsewhere", "e@example.com", "scale", datetime.now(UTC)
            )
        away = await made(service, ours, "Putaway", "away")
        foreign = await made(service, theirs.id, "Theirs", "foreign")
        for tool, field, key in (
            ("update_prompt_set", "promptSetId", away[1]),
            ("update_brand_profile", "brandId", away[0]),
        ):
            put = await answer(service.dispatcher, ours, tool, {field: key, "archived": True})
            assert isinstance(put, dict), put
        named = zip(("brandId", "promptSetId", "promptId"), away, foreign, strict=True)
        ids = {field: (NOBODY, theirs_, "x", "", ours_) for field, ours_, theirs_ in named}
        yield Offices(service, ours, ids)


def is_told(tool: str, said: dict[str, Any] | Refusal) -> bool:
    """Whether a reader learns that nothing is behind the result."""
    if isinstance(said, Refusal):
        return said.cause is not Cause.CRASH and bool(said.hint)
    notice = (said.get("notice") or "").replace(SYNTHETIC_NOTICE, "").strip()
    parts = [cast(dict[str, Any], part) for part in said.values() if isinstance(part, dict)]
    engines = cast(list[dict[str, Any]], said.get("platforms") or [{}])
    return bool(
        notice
        or said.get("status") == "not_measured"
        or said.get("verdict") == "not_comparable"
        or all(engine.get("status") == "not_measured" for engine in engines)
        or (tool == "get_brand_snapshot" and any(part.get("notice") for part in parts))
    )


OWN_ROWS = frozenset(
    (
        "get_brand_profile", "get_competitors", "list_actions", "list_prompt_sets", "list_reusable_agents",
        "get_repository_items", "search_repository_items", "get_monitoring_results",
    )
)  # fmt: skip
"""What these list of a brand is what a person, a monitor or a run put there: none of it is none."""


async def test_no_filter_of_any_reading_tool_is_answered_with_silence(offices: Offices) -> None:
    silent: list[tuple[str, str, str]] = []
    tried = set[str]()
    for row in offices.service.dispatcher.table.values():
        if row.access != "read" or row.scope is None:
            continue
        fields = row.input_schema["properties"]
        required = {name: fields[name]["examples"][0] for name in row.input_schema.get("required", ())}
        base = required | ({"brandId": Examples.BRAND} if "brandId" in fields else {})
        for name, schema in fields.items():
            if name in CLOSED:
                said = await offices.call(row.name, **{**base, name: "nope"})
                assert isinstance(said, Refusal), (row.name, name)
            elif schema.get("type") not in ("number", "boolean"):
                assert name in {*FREE, *UNFILTERED}, f"what may {name} of {row.name} name that is not there?"
            shown = 4 if name == "brandId" and row.name in OWN_ROWS else 5
            for value in (*FREE.get(name, ()), *offices.ids.get(name, ())[:shown]):
                tried.add(name)
                said = await offices.call(row.name, **{**base, name: value})
                if not is_told(row.name, said):
                    silent.append((row.name, name, json.dumps(value)))
    assert silent == [], silent
    assert tried >= {*FREE, "brandId", "promptSetId", "promptId"} - {"batchId"}


@pytest.mark.parametrize(
    ("field", "sent", "nearest"),
    [
        ("platform", "synthetic-chatgtp", "synthetic-chatgpt"),
        ("tag", "reliabilty", "reliability"),
        ("intent", "chose", "choose"),
        ("competitor", "Morvany", "Morvani"),
    ],
)
async def test_a_misspelt_name_is_refused_with_the_nearest(
    offices: Offices, field: str, sent: str, nearest: str
) -> None:
    tools = [
        name for name, row in TABLE.items() if {"brandId", field} <= row.input_schema["properties"].keys()
    ]
    assert tools
    for tool in tools:
        needed = {"metricName": "visibilityScore"} if tool == "get_metric_trend" else {}
        said = await offices.call(tool, brandId=Examples.BRAND, **needed, **{field: sent})
        assert isinstance(said, Refusal), (tool, said)
        assert nearest in said.hint, (tool, said.hint)
