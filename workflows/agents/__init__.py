"""The agents of the workflows, one file each, and the map from their names."""

from collections.abc import Mapping
from types import MappingProxyType

from workflows.agents import (
    bot_access_prober,
    checkup_reporter,
    competitor_site_scanner,
    content_drafter,
    content_writer,
    coverage_mapper,
    crawler_checker,
    evidence_loader,
    fact_guard,
    gap_finder,
    readiness_scanner,
    refresh_planner,
    repository_auditor,
    site_profiler,
    technical_fix_generator,
    verifier,
)
from workflows.agents.agent import Agent

AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
        "site_profiler": site_profiler.run,
        "readiness_scanner": readiness_scanner.run,
        "bot_access_prober": bot_access_prober.run,
        "crawler_checker": crawler_checker.run,
        "checkup_reporter": checkup_reporter.run,
        "competitor_site_scanner": competitor_site_scanner.run,
        "evidence_loader": evidence_loader.run,
        "gap_finder": gap_finder.run,
        "technical_fix_generator": technical_fix_generator.run,
        "content_drafter": content_drafter.run,
        "verifier": verifier.run,
        "repository_auditor": repository_auditor.run,
        "coverage_mapper": coverage_mapper.run,
        "refresh_planner": refresh_planner.run,
        "content_writer": content_writer.run,
        "fact_guard": fact_guard.run,
    }
)
