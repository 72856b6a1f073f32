"""The public documents that come with every composition of the server."""

from collections.abc import Sequence

from server.measurement_method import measurement_method
from server.resources import Library, ResourceProvider, tools_guide
from tools.table import ToolTable


def library(table: ToolTable, resources: Sequence[ResourceProvider]) -> Library:
    """Return the measurement method and the guide to the tools, then what other parts declare."""
    return Library([measurement_method(), tools_guide(table), *resources])
