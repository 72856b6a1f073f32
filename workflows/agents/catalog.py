"""The agents by name; who executes runs loads all of them with it."""

from collections.abc import Mapping
from types import MappingProxyType

from workflows.agents import (
    alert_publisher,
    answer_prober,
    bot_access_prober,
    checkup_reporter,
    claim_checker,
    competitor_resolver,
    competitor_site_scanner,
    content_drafter,
    content_writer,
    coverage_mapper,
    crawler_checker,
    evidence_loader,
    fact_guard,
    gap_analyst,
    gap_finder,
    mention_extractor,
    ranking_calculator,
    readiness_scanner,
    refresh_planner,
    repository_auditor,
    reputation_prober,
    response_drafter,
    risk_ranker,
    score_calculator,
    site_profiler,
    technical_fix_generator,
    tone_judge,
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
        "competitor_resolver": competitor_resolver.run,
        "answer_prober": answer_prober.run,
        "reputation_prober": reputation_prober.run,
        "mention_extractor": mention_extractor.run,
        "score_calculator": score_calculator.run,
        "gap_analyst": gap_analyst.run,
        "ranking_calculator": ranking_calculator.run,
        "tone_judge": tone_judge.run,
        "claim_checker": claim_checker.run,
        "risk_ranker": risk_ranker.run,
        "response_drafter": response_drafter.run,
        "alert_publisher": alert_publisher.run,
    }
)
