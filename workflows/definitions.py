"""What can be run and on which plan: workflows, their agents, the plans and the meaning of error codes, all data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from storage.repositories.agents import AgentInstance
from workflows.configurations import (
    MOST_DRAFTS,
    AgentConfiguration,
    DrafterConfiguration,
    ProberConfiguration,
    ReputationConfiguration,
    ScannerConfiguration,
    load_configuration,
)

EngineNeed = Literal["answering_engine", "writing_engine"]
CallUnit = Literal["drafts"]


@dataclass(frozen=True, slots=True)
class AgentKind:
    """One agent. `calls` is the most engine calls that it plans, 0 for one that calls none or counts them itself.

    `configuration` says what it can be set to when it works alone, as a reusable agent; None for one that only
    works among others. `requires` are groups of agents: without what one of each group gave it cannot work, unless
    it works alone on what the brand's runs gave last. `follows` are agents whose work it builds on where they are.
    """

    name: str
    title: str
    needs: EngineNeed | None = None
    calls: int = 0
    configuration: type[AgentConfiguration] | None = None
    requires: tuple[tuple[str, ...], ...] = ()
    follows: tuple[str, ...] = ()


MOST_REFRESHED = MOST_DRAFTS
MOST_WRITTEN = 3
MOST_REPLIES = 3
MOST_JUDGINGS = 10
PROBERS = ("answer_prober", "reputation_prober")
JUDGED = 2
"""Calls a draft: one that writes it, one that judges its sentences; the writer's price holds both."""

AGENT_KINDS: Mapping[str, AgentKind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            AgentKind("site_profiler", "Read the site"),
            AgentKind(
                "readiness_scanner",
                "Scan the site's readiness",
                configuration=ScannerConfiguration,
                follows=("site_profiler",),
            ),
            AgentKind(
                "bot_access_prober",
                "Look at who may read the site",
                configuration=ScannerConfiguration,
                follows=("site_profiler",),
            ),
            AgentKind(
                "crawler_checker",
                "Look for pages that crawlers cannot read",
                configuration=AgentConfiguration,
                follows=("site_profiler",),
            ),
            AgentKind("checkup_reporter", "Put the findings in order", requires=(("site_profiler",),)),
            AgentKind(
                "competitor_site_scanner",
                "Scan competitors' sites",
                configuration=AgentConfiguration,
                follows=("competitor_resolver",),
            ),
            AgentKind("evidence_loader", "Gather what is known"),
            AgentKind("gap_finder", "Find what is missing", follows=("evidence_loader", "readiness_scanner")),
            AgentKind("technical_fix_generator", "Propose technical fixes", follows=("gap_finder",)),
            AgentKind(
                "content_drafter",
                "Draft what is missing",
                "writing_engine",
                JUDGED * MOST_WRITTEN,
                requires=(("gap_finder",),),
            ),
            AgentKind("verifier", "Run the failed checks again", requires=(("evidence_loader",),)),
            AgentKind("repository_auditor", "Audit the repository", configuration=AgentConfiguration),
            AgentKind("coverage_mapper", "Map prompts to content", configuration=AgentConfiguration),
            AgentKind(
                "refresh_planner",
                "Plan what to refresh",
                requires=(("repository_auditor",), ("coverage_mapper",)),
            ),
            AgentKind(
                "content_writer",
                "Write drafts",
                "writing_engine",
                JUDGED * MOST_REFRESHED,
                DrafterConfiguration,
                requires=(("refresh_planner",),),
            ),
            AgentKind(
                "fact_guard",
                "Check every fact of the drafts",
                "writing_engine",
                configuration=AgentConfiguration,
                requires=(("content_drafter", "content_writer"),),
            ),
            AgentKind("competitor_resolver", "Resolve the competitors"),
            AgentKind(
                "answer_prober",
                "Ask the engines",
                "answering_engine",
                configuration=ProberConfiguration,
                follows=("competitor_resolver",),
            ),
            AgentKind(
                "reputation_prober",
                "Ask about the reputation",
                "answering_engine",
                configuration=ReputationConfiguration,
            ),
            AgentKind(
                "mention_extractor", "Read the answers", configuration=AgentConfiguration, follows=PROBERS
            ),
            AgentKind(
                "score_calculator", "Calculate the score", configuration=AgentConfiguration, follows=PROBERS
            ),
            AgentKind("ranking_calculator", "Rank the competitors", follows=PROBERS),
            AgentKind("gap_analyst", "Find what competitors win", follows=PROBERS),
            AgentKind("tone_judge", "Judge the tone", "writing_engine", MOST_JUDGINGS, follows=PROBERS),
            AgentKind("claim_checker", "Check the claims", configuration=AgentConfiguration, follows=PROBERS),
            AgentKind("risk_ranker", "Rank the risks", follows=(*PROBERS, "claim_checker")),
            AgentKind(
                "response_drafter",
                "Draft replies",
                "writing_engine",
                JUDGED * MOST_REPLIES,
                requires=(("risk_ranker",),),
            ),
            AgentKind("alert_publisher", "Tell of what is new", requires=(("risk_ranker",),)),
        )
    }
)


def configuration_kind(agent: str) -> type[AgentConfiguration]:
    """Return what an agent of this name can be set to; nothing for one that only works among others."""
    kind = AGENT_KINDS.get(agent)
    return (kind.configuration if kind else None) or AgentConfiguration


def offered() -> dict[str, AgentKind]:
    """Return the kinds that work alone: those whose entry in the catalogue says what they can be set to."""
    return {name: kind for name, kind in AGENT_KINDS.items() if kind.configuration is not None}


def configuration_of(known: AgentInstance) -> AgentConfiguration:
    """Return what an agent is set to. Raises DamagedData when what is stored cannot be read."""
    return load_configuration(configuration_kind(known.kind), known.configuration)


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
                "Scans the brand's own site: readiness, who may read it, which pages fail, and what to mend first.",
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
                    "gap_finder": ("readiness_scanner",),
                    "fact_guard": ("content_drafter",),
                    "checkup_reporter": ("site_profiler",),
                },
            ),
        )
    }
)
"""The workflows whose every agent does its work."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What an error code says: a sentence, whether trying again may help, and what to do."""

    message: str
    retryable: bool
    hint: str


RETRY = "Run the workflow again."
ACCOUNT = "Check the engine's account and its credential."
MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {
        "provider_not_configured": Meaning(
            "No engine that this agent may use is configured.",
            False,
            "Configure an engine other than the built-in one for agents that write, any for agents that ask.",
        ),
        "provider_auth": Meaning("The engine refused the credential.", False, ACCOUNT),
        "provider_quota": Meaning("The engine's account has no quota left.", False, ACCOUNT),
        "budget_refused": Meaning(
            "The budget does not allow the questions.",
            False,
            "Ask less, or let the operator raise the budget: seenby budget set.",
        ),
        "rate_limited": Meaning("The engine refused for its rate limit.", True, RETRY),
        "provider_unavailable": Meaning("The engine could not be reached.", True, RETRY),
        "timeout": Meaning("The engine did not answer in time.", True, RETRY),
        "provider_error": Meaning("The engine failed.", True, RETRY),
        "invalid_response": Meaning("The engine answered in a form that cannot be read.", True, RETRY),
        "unsupported_mode": Meaning("The engine has no such mode.", False, "Choose another mode or engine."),
        "no_input": Meaning(
            "There was nothing to work on.", False, "Complete the brand's profile, prompts and repository."
        ),
        "site_unreachable": Meaning(
            "The site did not answer with a page that can be read.",
            True,
            "Check that the site answers, then run again.",
        ),
        "site_refused_robots": Meaning(
            "The site's robots.txt keeps our bot away.", False, "Allow SeenbyReadinessBot in robots.txt."
        ),
        "address_refused": Meaning(
            "The site's address is not one that is visited.",
            False,
            "Give a public address in the brand's profile.",
        ),
        "site_busy": Meaning("Other scans had all turns for five minutes.", True, RETRY),
        "facts_not_supported": Meaning(
            "Every draft held a fact that is in neither profile, repository nor site.",
            True,
            "Add the facts to the profile or the repository, or run again.",
        ),
        "database_busy": Meaning(
            "The database had no room for the agent's work, or was away for a minute.", True, RETRY
        ),
        "agent_timeout": Meaning("The agent took longer than ten minutes.", True, RETRY),
        "internal_error": Meaning(
            "The agent failed for a defect of the service.", False, "Tell the operator."
        ),
        "engine_failure": Meaning("The execution of the run was lost.", True, RETRY),
        "run_timeout": Meaning("The run took too long.", True, RETRY),
    }
)
