"""The service's own table of tools, as every surface describes it."""

from rest_bridge.openapi import openapi_document
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
