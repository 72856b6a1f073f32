"""The agents of the workflows, one file each, and the map from their names."""

from collections.abc import Mapping
from types import MappingProxyType

from workflows.agents import (
    alert_publisher,
    answer_prober,
    claim_checker,
    competitor_resolver,
    content_writer,
    coverage_mapper,
    fact_guard,
    mention_extractor,
    ranking_calculator,
    refresh_planner,
    repository_auditor,
    reputation_prober,
    response_drafter,
    risk_ranker,
    score_calculator,
    tone_judge,
)
from workflows.agents.agent import Agent

AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
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
        "ranking_calculator": ranking_calculator.run,
        "tone_judge": tone_judge.run,
        "claim_checker": claim_checker.run,
        "risk_ranker": risk_ranker.run,
        "response_drafter": response_drafter.run,
        "alert_publisher": alert_publisher.run,
    }
)
