"""The request fields of the specification's tools: names, types, defaults and bounds as its tables give them."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.tools.conftest import Office
from tools.calls.dispatch import Refusal
from tools.catalog import tool_table

TABLE = tool_table()
BRAND: Mapping[str, Any] = {"type": "string"}

# The fields of each tool; what is not required has its default, or none at all.
REQUIRED: Mapping[str, tuple[str, set[str]]] = {
    "list_brand_profiles": ("TOOL-04", set()),
    "get_brand_profile": ("TOOL-05", {"brandId"}),
    "get_brand_snapshot": ("TOOL-06", {"brandId"}),
    "get_repository_items": ("TOOL-07", {"brandId"}),
    "search_repository_items": ("TOOL-08", {"brandId", "query"}),
    "get_competitors": ("TOOL-09", {"brandId"}),
    "get_platform_metrics": ("TOOL-10", {"brandId"}),
    "get_brand_mentions": ("TOOL-11", {"brandId"}),
    "get_agent_run_summary": ("TOOL-12", {"agentInstanceId"}),
    "get_monitoring_results": ("TOOL-13", {"brandId"}),
    "get_metric_trend": ("TOOL-14", {"brandId", "metricName"}),
    "get_ai_visibility_score": ("TOOL-15", {"brandId"}),
    "get_dashboard_overview": ("TOOL-16", set()),
    "list_simulations": ("TOOL-17", set()),
    "get_competitor_rankings": ("TOOL-18", set()),
    "list_notifications": ("TOOL-19", set()),
    "list_workflows": ("TOOL-20", set()),
    "get_credits": ("TOOL-21", set()),
    "get_run_status": ("TOOL-22", {"runId"}),
    "list_workflow_runs": ("TOOL-23", set()),
    "run_workflow": ("TOOL-24", {"workflowId"}),
    "cancel_workflow_run": ("TOOL-25", {"runId"}),
    "get_agentic_readiness_report": ("TOOL-01", {"url"}),
    "get_agentic_readiness_methodology": ("TOOL-02", set()),
    "get_agentic_readiness_developer_docs": ("TOOL-03", set()),
}
OPTIONAL: Mapping[str, Mapping[str, Mapping[str, Any]]] = {
    "get_brand_snapshot": {
        "repositoryCategory": {"type": "string"},
        "repositoryLimit": {"default": 8, "maximum": 20},
        "mentionsLimit": {"default": 8, "maximum": 20},
        "mentionsPlatform": {"type": "string"},
        "metricName": {"type": "string", "default": "visibilityScore"},
        "metricDays": {"default": 30, "maximum": 90},
    },
    "get_repository_items": {
        "category": {"type": "string"},
        "limit": {"default": 50},
        "offset": {"default": 0},
    },
    "search_repository_items": {"limit": {"default": 20}, "offset": {"default": 0}},
    "get_brand_mentions": {
        "limit": {"default": 50, "minimum": 1, "maximum": 100},
        "offset": {"default": 0, "minimum": 0},
        "platform": {"type": "string"},
    },
    "get_metric_trend": {"days": {"default": 30}},
    "list_simulations": {
        "brandId": BRAND,
        "limit": {"default": 20, "maximum": 100},
        "offset": {"default": 0},
    },
    "get_competitor_rankings": {
        "brandId": BRAND,
        "platform": {"type": "string"},
        "limit": {"default": 50, "maximum": 100},
    },
    "list_notifications": {
        "limit": {"default": 20, "maximum": 100},
        "offset": {"default": 0},
        "onlyUnread": {"type": "boolean", "default": False},
    },
    "list_workflow_runs": {
        "status": {"enum": ["pending", "running", "completed", "partial_complete", "failed", "cancelled"]},
        "workflowId": {"type": "string"},
        "limit": {"default": 20, "minimum": 1, "maximum": 100},
        "offset": {"default": 0, "minimum": 0, "maximum": 1_000_000},
    },
}


@pytest.mark.parametrize(
    ("tool", "required"),
    [
        pytest.param(tool, required, id=tool, marks=pytest.mark.requirement(rule))
        for tool, (rule, required) in REQUIRED.items()
    ],
)
def test_a_tool_takes_the_fields_of_the_specification(tool: str, required: set[str]) -> None:
    schema = TABLE[tool].input_schema
    fields: Mapping[str, Mapping[str, Any]] = schema["properties"]
    assert set(schema.get("required", ())) == required
    assert required <= fields.keys()
    assert all(fields[name]["type"] == "string" for name in required)
    for name, expected in OPTIONAL.get(tool, {}).items():
        published = fields[name]
        assert {key: published.get(key) for key in expected} == expected, name


BOUNDED = [
    (tool, name, bound, 1 if bound == "maximum" else -1)
    for tool, fields in OPTIONAL.items()
    for name, field in fields.items()
    for bound in ("minimum", "maximum")
    if bound in field
]


@pytest.mark.requirement("LIM-08", "LIM-09")
async def test_a_number_beyond_its_bound_is_refused_and_the_bound_is_taken(office: Office) -> None:
    arguments = {"brandId": "Acme", "metricName": "visibilityScore"}
    for tool, name, bound, beyond in BOUNDED:
        required = {field: arguments[field] for field in REQUIRED[tool][1]}
        limit = OPTIONAL[tool][name][bound]
        refused = await office.call(tool, **required, **{name: limit + beyond})
        assert isinstance(refused, Refusal), (tool, name)
        assert (refused.code, name in refused.message) == ("INVALID_PARAMS", True), (tool, name)
        taken = await office.call(tool, **required, **{name: limit})
        assert isinstance(taken, dict), (tool, name, taken)


@pytest.mark.requirement("LIM-08")
def test_no_page_of_a_tool_is_larger_than_a_hundred() -> None:
    for tool in TABLE.values():
        limit = tool.input_schema["properties"].get("limit")
        if limit is not None and "maximum" in limit:
            assert limit["maximum"] <= 100, tool.name
