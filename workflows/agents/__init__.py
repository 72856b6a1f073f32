"""The agents of the workflows, one file each, and the map from their names."""

from collections.abc import Mapping
from types import MappingProxyType

from workflows.agents import (
    bot_access_prober,
    checkup_reporter,
    content_writer,
    coverage_mapper,
    crawler_checker,
    fact_guard,
    readiness_scanner,
    refresh_planner,
    repository_auditor,
    site_profiler,
)
from workflows.agents.agent import Agent

AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
        "site_profiler": site_profiler.run,
        "readiness_scanner": readiness_scanner.run,
        "bot_access_prober": bot_access_prober.run,
        "crawler_checker": crawler_checker.run,
        "checkup_reporter": checkup_reporter.run,
        "repository_auditor": repository_auditor.run,
        "coverage_mapper": coverage_mapper.run,
        "refresh_planner": refresh_planner.run,
        "content_writer": content_writer.run,
        "fact_guard": fact_guard.run,
    }
)
