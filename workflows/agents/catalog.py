"""Every agent by the name that workflows, runs and reusable agents use."""

from collections.abc import Mapping
from types import MappingProxyType

from workflows.agents import (
    alert_publisher,
    bot_access_prober,
    checkup_reporter,
    claim_checker,
    content_drafter,
    content_writer,
    coverage_mapper,
    evidence_loader,
    fact_guard,
    gap_analyst,
    gap_finder,
    mention_extractor,
    ranking_calculator,
    refresh_planner,
    repository_auditor,
    response_drafter,
    risk_ranker,
    score_calculator,
    site_profiler,
    technical_fix_generator,
    tone_judge,
    verifier,
)
from workflows.agents.agent import Agent
from workflows.agents.competitors import run_competitor_resolver, run_competitor_site_scanner
from workflows.agents.probers import run_answer_prober, run_reputation_prober
from workflows.agents.site import run_crawler_checker, run_readiness_scanner

AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
        "site_profiler": site_profiler.run,
        "readiness_scanner": run_readiness_scanner,
        "bot_access_prober": bot_access_prober.run,
        "crawler_checker": run_crawler_checker,
        "checkup_reporter": checkup_reporter.run,
        "competitor_site_scanner": run_competitor_site_scanner,
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
        "competitor_resolver": run_competitor_resolver,
        "answer_prober": run_answer_prober,
        "reputation_prober": run_reputation_prober,
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
