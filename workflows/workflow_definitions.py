"""The workflows that everybody has: their agents in order, how long they take and on which plans, all data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

REUSABLE_AGENT = "reusable_agent"
"""What a run of one reusable agent is called where others name their workflow."""
PROMPT_SET = "prompt_set"
"""What a run is called that a prompt set's schedule starts."""
ALONE = frozenset({REUSABLE_AGENT, PROMPT_SET})
"""Runs of a single agent; what other agents gave is read from the brand's latest runs."""


@dataclass(frozen=True, slots=True)
class Workflow:
    """One workflow: stages run in order, the agents of a stage in parallel; durations are in seconds.

    An agent needs every agent of the stage before it, unless `needs` says otherwise.
    """

    id: str
    title: str
    description: str
    stages: tuple[tuple[str, ...], ...]
    duration: tuple[int, int]
    plans: tuple[str, ...]
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents in their order."""
        return tuple(agent for stage in self.stages for agent in stage)

    def needed(self) -> list[dict[str, list[str]]]:
        """Return each stage as agent -> agents that must have completed."""
        before: tuple[str, ...] = ()
        stages: list[dict[str, list[str]]] = []
        for stage in self.stages:
            stages.append({agent: list(self.needs.get(agent, before)) for agent in stage})
            before = stage
        return stages


WORKFLOWS: Mapping[str, Workflow] = MappingProxyType(
    {
        workflow.id: workflow
        for workflow in (
            Workflow(
                "ai_shop_checkup",
                "AI shop checkup",
                "Scans the brand's own site: readiness, who may read it, which pages fail, and what to fix first.",
                (
                    ("site_profiler",),
                    ("readiness_scanner", "bot_access_prober", "crawler_checker"),
                    ("checkup_reporter",),
                ),
                (60, 180),
                ("free", "growth", "scale"),
                {"checkup_reporter": ("site_profiler",)},
            ),
            Workflow(
                "fix_visibility",
                "Fix visibility",
                "Finds what keeps engines from naming the brand, proposes files and drafts, and checks the site again.",
                (
                    ("evidence_loader",),
                    ("gap_finder",),
                    ("technical_fix_generator", "content_drafter"),
                    ("fact_guard",),
                    ("verifier",),
                ),
                (120, 360),
                ("free", "growth", "scale"),
                {"fact_guard": ("content_drafter",), "verifier": ("evidence_loader",)},
            ),
            Workflow(
                "content_refresh",
                "Content refresh",
                "Finds old, thin and duplicate texts and prompts without content, and drafts what is missing.",
                (
                    ("repository_auditor", "coverage_mapper"),
                    ("refresh_planner",),
                    ("content_writer",),
                    ("fact_guard",),
                ),
                (120, 360),
                ("growth", "scale"),
            ),
            Workflow(
                "reputation_shield",
                "Reputation shield",
                "Asks engines what they say of the brand, checks tone and claims, and drafts replies to the worst.",
                (
                    ("reputation_prober",),
                    ("mention_extractor",),
                    ("tone_judge", "claim_checker"),
                    ("risk_ranker",),
                    ("response_drafter", "alert_publisher"),
                ),
                (180, 480),
                ("growth", "scale"),
                {"risk_ranker": ("claim_checker",)},
            ),
            Workflow(
                "competitive_scan",
                "Competitive scan",
                "Asks engines the brand's prompts, ranks it among its competitors, and finds the prompts they win.",
                (
                    ("competitor_resolver",),
                    ("competitor_site_scanner", "answer_prober"),
                    ("mention_extractor",),
                    ("ranking_calculator",),
                    ("gap_analyst",),
                ),
                (180, 480),
                ("free", "growth", "scale"),
                {"mention_extractor": ("answer_prober",)},
            ),
            Workflow(
                "full_service",
                "Full service",
                "Site, competitors, answers, score, tone, gaps, fixes and drafts in one run.",
                (
                    ("site_profiler", "competitor_resolver"),
                    (
                        "readiness_scanner",
                        "bot_access_prober",
                        "crawler_checker",
                        "competitor_site_scanner",
                        "answer_prober",
                    ),
                    ("mention_extractor",),
                    ("score_calculator", "ranking_calculator", "tone_judge"),
                    ("gap_finder",),
                    ("technical_fix_generator", "content_drafter"),
                    ("fact_guard",),
                    ("checkup_reporter",),
                ),
                (480, 1200),
                ("scale",),
                {
                    "readiness_scanner": ("site_profiler",),
                    "bot_access_prober": ("site_profiler",),
                    "crawler_checker": ("site_profiler",),
                    "competitor_site_scanner": ("competitor_resolver",),
                    "answer_prober": ("competitor_resolver",),
                    "mention_extractor": ("answer_prober",),
                    # What answers lack is known from the answers, whether or not the site could be read.
                    "gap_finder": ("competitor_resolver",),
                    "technical_fix_generator": ("gap_finder", "readiness_scanner"),
                    "fact_guard": ("content_drafter",),
                    "checkup_reporter": ("site_profiler",),
                },
            ),
        )
    }
)
"""The workflows whose every agent does its work."""
