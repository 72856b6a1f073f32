"""What can be run and on which plan: workflows, their agents, the plans and the meaning of error codes, all data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal

from workflows.configurations import MOST_DRAFTS, Configuration, DrafterConfiguration


@dataclass(frozen=True, slots=True)
class Plan:
    """What a company may use; `credits` are per calendar month in UTC, `running` counts pending runs too."""

    name: str
    credits: int
    running: int
    brands: int
    prompts: int
    agents: int
    scans: int


PLANS: Mapping[str, Plan] = MappingProxyType(
    {
        plan.name: plan
        for plan in (
            Plan("free", credits=30, running=1, brands=1, prompts=25, agents=2, scans=5),
            Plan("growth", credits=400, running=3, brands=10, prompts=300, agents=20, scans=50),
            Plan("scale", credits=3000, running=8, brands=100, prompts=5000, agents=200, scans=500),
        )
    }
)
"""The plans, smallest first."""

EngineNeed = Literal["answering_engine", "writing_engine"]
CallUnit = Literal["drafts"]


@dataclass(frozen=True, slots=True)
class AgentKind:
    """One agent. `calls` is the most engine calls that it plans, 0 for a deterministic one.

    `configuration` says what it can be set to when it works alone, as a reusable agent; None for one that only
    works among others.
    """

    name: str
    title: str
    needs: EngineNeed | None = None
    calls: int = 0
    configuration: type[Configuration] | None = None


MOST_REFRESHED = MOST_DRAFTS

AGENT_KINDS: Mapping[str, AgentKind] = MappingProxyType(
    {
        kind.name: kind
        for kind in (
            AgentKind("repository_auditor", "Audit the repository", configuration=Configuration),
            AgentKind("coverage_mapper", "Map prompts to content", configuration=Configuration),
            AgentKind("refresh_planner", "Plan what to refresh"),
            AgentKind(
                "content_writer", "Write drafts", "writing_engine", MOST_REFRESHED, DrafterConfiguration
            ),
            AgentKind("fact_guard", "Check every fact of the drafts", configuration=Configuration),
        )
    }
)


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
        found: list[dict[str, list[str]]] = []
        for stage in self.stages:
            found.append({agent: list(self.needs.get(agent, before)) for agent in stage})
            before = stage
        return found


WORKFLOWS: Mapping[str, Workflow] = MappingProxyType(
    {
        workflow.id: workflow
        for workflow in (
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
        "rate_limited": Meaning("The engine refused for its rate limit.", True, RETRY),
        "provider_unavailable": Meaning("The engine could not be reached.", True, RETRY),
        "timeout": Meaning("The engine did not answer in time.", True, RETRY),
        "provider_error": Meaning("The engine failed.", True, RETRY),
        "invalid_response": Meaning("The engine answered in a form that cannot be read.", True, RETRY),
        "unsupported_mode": Meaning("The engine has no such mode.", False, "Choose another mode or engine."),
        "no_input": Meaning(
            "There was nothing to work on.", False, "Complete the brand's profile, prompts and repository."
        ),
        "facts_not_supported": Meaning(
            "Every draft held a fact that is in neither profile nor repository.",
            True,
            "Add the facts to the profile or the repository, or run again.",
        ),
        "agent_timeout": Meaning("The agent took longer than ten minutes.", True, RETRY),
        "internal_error": Meaning(
            "The agent failed for a defect of the service.", False, "Tell the operator."
        ),
        "engine_failure": Meaning("The execution of the run was lost.", True, RETRY),
        "run_timeout": Meaning("The run took too long.", True, RETRY),
    }
)
