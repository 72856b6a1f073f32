"""What runs are made of: the kinds of agents and what they can be set to, and the meaning of error codes, all data."""

from collections.abc import Mapping
from dataclasses import dataclass
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
    it works alone on what the brand's runs gave last. `follows` are agents whose work it builds on where they are,
    `uses` those whose work it includes when available.
    """

    name: str
    title: str
    needs: EngineNeed | None = None
    calls: int = 0
    configuration: type[AgentConfiguration] | None = None
    requires: tuple[tuple[str, ...], ...] = ()
    follows: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()


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
                "Check which bots may read the site",
                configuration=ScannerConfiguration,
                follows=("site_profiler",),
            ),
            AgentKind(
                "crawler_checker",
                "Find pages that crawlers cannot read",
                configuration=AgentConfiguration,
                follows=("site_profiler",),
            ),
            AgentKind("checkup_reporter", "Prioritize the findings", requires=(("site_profiler",),)),
            AgentKind(
                "competitor_site_scanner",
                "Scan competitors' sites",
                configuration=AgentConfiguration,
                follows=("competitor_resolver",),
            ),
            AgentKind("evidence_loader", "Gather what is known"),
            AgentKind(
                "gap_finder",
                "Find what is missing",
                follows=("evidence_loader",),
                uses=("readiness_scanner",),
            ),
            AgentKind(
                "technical_fix_generator",
                "Propose technical fixes",
                follows=("gap_finder", "readiness_scanner"),
            ),
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
                "Check every sentence of the drafts",
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
            AgentKind("alert_publisher", "Notify about new risks", requires=(("risk_ranker",),)),
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
        "provider_auth": Meaning("The engine rejected the credential.", False, ACCOUNT),
        "provider_quota": Meaning("The engine's account has no quota left.", False, ACCOUNT),
        "budget_refused": Meaning(
            "The budget does not allow the questions.",
            False,
            "Ask less, or let the operator raise the budget: seenby budget set.",
        ),
        "rate_limited": Meaning("The engine's rate limit was reached.", True, RETRY),
        "provider_unavailable": Meaning("The engine could not be reached.", True, RETRY),
        "timeout": Meaning("The engine did not answer in time.", True, RETRY),
        "provider_error": Meaning("The engine failed.", True, RETRY),
        "invalid_response": Meaning("The engine answered in a form that cannot be read.", True, RETRY),
        "unsupported_mode": Meaning(
            "No engine that is set up answers in the mode that the questions are asked in.",
            False,
            "Configure an engine with web search, or give the question set a mode that your engine has.",
        ),
        "no_input": Meaning(
            "There was no input.", False, "Complete the brand's profile, prompts and repository."
        ),
        "site_unreachable": Meaning(
            "The site did not answer with a page that can be read.",
            True,
            "Check that the site answers, then run again.",
        ),
        "site_refused_robots": Meaning(
            "The site's robots.txt blocks our bot.", False, "Allow SeenbyReadinessBot in robots.txt."
        ),
        "address_refused": Meaning(
            "The site's address is not allowed.",
            False,
            "Give a public address in the brand's profile.",
        ),
        "site_busy": Meaning("Other scans were running for five minutes.", True, RETRY),
        "database_busy": Meaning("The database was busy or unavailable for a minute.", True, RETRY),
        "agent_timeout": Meaning("The agent took longer than ten minutes.", True, RETRY),
        "internal_error": Meaning(
            "The agent failed because of a defect in seenby.", False, "Contact the operator."
        ),
        "engine_failure": Meaning("The execution of the run was lost.", True, RETRY),
        "run_timeout": Meaning("The run took too long.", True, RETRY),
    }
)
