"""The agents of the workflows, one file each, and the map from their names."""

from collections.abc import Mapping
from types import MappingProxyType

from workflows.agents import content_writer, coverage_mapper, fact_guard, refresh_planner, repository_auditor
from workflows.agents.agent import Agent

AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
        "repository_auditor": repository_auditor.run,
        "coverage_mapper": coverage_mapper.run,
        "refresh_planner": refresh_planner.run,
        "content_writer": content_writer.run,
        "fact_guard": fact_guard.run,
    }
)
