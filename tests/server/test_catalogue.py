"""The service's own table of tools, as every surface describes it."""

from importlib import import_module

from rest_bridge.openapi import openapi_document
from server.cli.tool_caller import FAMILIES
from server.mcp.discovery import mcp_json
from tools.catalog import tool_table


def test_every_surface_can_describe_the_services_own_tools() -> None:
    table = tool_table()
    described = openapi_document(table, "https://seenby.example", oauth=False)
    operations = {
        operation["operationId"] for path in described["paths"].values() for operation in path.values()
    }
    assert operations == set(table)
    assert mcp_json(table, "https://seenby.example", oauth=False)
    assert {"run_workflow", "cancel_workflow_run"} <= set(table.names("write"))


def test_every_tool_that_a_command_calls_alone_stands_in_the_module_that_the_command_loads() -> None:
    loaded = {module: import_module(f"tools.{module}").family.rows for module in FAMILIES.values()}
    strangers = {
        tool for tool, module in FAMILIES.items() if tool not in {row.name for row in loaded[module]}
    }
    assert strangers == set()
