"""The public documents that come with every composition of the server."""

from collections.abc import Sequence

from server.mcp.chart_views import ChartViews
from server.mcp.measurement_method import measurement_method
from server.mcp.resources import ResourceLibrary, ResourceProvider, tools_guide
from tools.calls.table import ToolTable


def library(table: ToolTable, resources: Sequence[ResourceProvider]) -> ResourceLibrary:
    """Return the measurement method and the guide to the tools, then what other parts declare."""
    return ResourceLibrary([measurement_method(), tools_guide(table), ChartViews(), *resources])
