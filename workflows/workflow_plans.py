"""What a company's own workflow is made of as it is stored, and what a run of it consists of."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from measurement.errors import ChangeRefused, Missing, UnknownName
from storage.documents import StoredDocument
from storage.plans import PLANS
from storage.repositories.agents import AgentInstance
from storage.repositories.custom_workflows import CustomWorkflow
from storage.workspace import Workspace
from workflows.configurations import AgentConfiguration, ConfigurationDocument, load_configuration
from workflows.definitions import AGENT_KINDS, configuration_kind, configuration_of, offered
from workflows.errors import RunRefused
from workflows.workflow_definitions import WORKFLOWS, Workflow

LONGEST_ID = 60
LONGEST_WORD = 200
NEW = "new"
"""The page of a workflow that is not there yet has this name in its address."""
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
HIDING = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
CALL_FIRST = "Call list_workflows first to obtain workflow ids."


class WorkflowStep(StoredDocument):
    """One step as it is stored: what a kind of agent is set to, or the id of a reusable agent."""

    agent: str | None = None
    agent_instance_id: str | None = None
    settings: Mapping[str, Any] = Field(default_factory=dict[str, Any])


class WorkflowDocument(StoredDocument):
    """One version of a workflow as it is stored."""

    schema_version: Literal[1] = 1
    name: str
    description: str
    steps: tuple[WorkflowStep, ...]


@dataclass(frozen=True, slots=True)
class WorkflowPlan:
    """A workflow of a company with what its agents are set to and the version that this is of."""

    workflow: Workflow
    configurations: Mapping[str, AgentConfiguration]
    version: int


def visible(text: str) -> str:
    """Return a text without characters that hide or reorder words."""
    return "".join(char for char in text if unicodedata.category(char) not in HIDING)


def is_custom_id(workflow_id: str) -> bool:
    """Check whether a custom workflow may have this id.

    The service's own have an underscore, so that none of a company's meets one, now or later.
    """
    return workflow_id != NEW and len(workflow_id) <= LONGEST_ID and _ID.fullmatch(workflow_id) is not None


async def find_custom(workspace: Workspace, workflow_id: str) -> CustomWorkflow:
    """Return a workflow that the company made. Raises Missing, which offers the nearest id."""
    known = await workspace.custom_workflows.find(workflow_id) if is_custom_id(workflow_id) else None
    if known is None:
        raise await unknown_workflow(workspace, workflow_id)
    return known


async def unknown_workflow(workspace: Workspace, workflow_id: str) -> Missing:
    """Return the error for an unknown workflow id, with the nearest known one."""
    known = [*WORKFLOWS, *(own.workflow for own in await workspace.custom_workflows.active())]
    nearest = UnknownName("workflow", workflow_id[:LONGEST_WORD], known).hint
    return Missing("workflow", f"{nearest} {CALL_FIRST}" if nearest.startswith("Did") else CALL_FIRST)


async def plan_workflow(workspace: Workspace, known: CustomWorkflow) -> WorkflowPlan:
    """Return what a run of a workflow consists of now. Raises RunRefused when it cannot be started."""
    if known.archived_at is not None:
        raise RunRefused(
            f"{known.workflow} is archived and cannot be started",
            "Bring it back on its page or with `seenby workflow archive --undo`. "
            "Call list_workflows for those that can be started.",
        )
    document = WorkflowDocument.load(known.definition)
    instances = await instances_of(workspace, [document])
    try:
        for number, step in enumerate(document.steps, 1):
            if step.agent_instance_id is not None:
                refuse_archived_agent(number, instances.get(step.agent_instance_id))
        refuse_disorder(kinds_of(document, instances))
    except ChangeRefused as refused:
        raise RunRefused(f"{known.workflow} cannot be started: {refused.message}", refused.hint) from refused
    return _plan(known, document, instances)


async def active_plans(workspace: Workspace) -> list[WorkflowPlan]:
    """Return what the company's workflows consist of, by their ids: two reads at most."""
    known = await workspace.custom_workflows.active()
    documents = [WorkflowDocument.load(own.definition) for own in known]
    instances = await instances_of(workspace, documents)
    return [
        _plan(own, document, instances)
        for own, document in zip(known, documents, strict=True)
        if all(step.agent_instance_id in {None, *instances} for step in document.steps)
    ]


def refuse_archived_agent(number: int, instance: AgentInstance | None) -> None:
    """Raise ChangeRefused for a reusable agent that is archived or missing."""
    if instance is None or instance.archived_at is not None:
        raise ChangeRefused(
            f"step {number}: the reusable agent {visible(instance.name) if instance else 'is not here or'} is archived",
            "Bring it back with update_reusable_agent, or change the workflow.",
        )


def refuse_disorder(kinds: Sequence[str]) -> None:
    """Hold the order of agents to what they read of each other. Raises ChangeRefused with the step at fault."""
    alone = offered()
    for number, name in enumerate(kinds, 1):
        before = kinds[: number - 1]
        if name in before:
            raise ChangeRefused(
                f"step {number}: {name} is step {before.index(name) + 1} already",
                "An agent has one place in a workflow; another configuration of it needs another workflow.",
            )
        kind = AGENT_KINDS[name]
        after = {*kind.follows, *kind.uses}.union(*kind.requires)
        later = next((behind for behind in kinds[number:] if behind in after), None)
        if later is not None:
            raise ChangeRefused(
                f"step {number}: {name} works on what {later} gives, which stands after it",
                "Put it behind that step.",
            )
        lacking = next((group for group in kind.requires if not set(group) & set(before)), None)
        if lacking is not None and name not in alone:
            raise ChangeRefused(
                f"step {number}: {name} works on what {' or '.join(lacking)} gives, which no step before it is",
                "Add that step before it.",
            )


def _plan(
    known: CustomWorkflow, document: WorkflowDocument, instances: Mapping[str, AgentInstance]
) -> WorkflowPlan:
    return plan_of(known.workflow, known.version, document, instances)


def plan_of(
    workflow_id: str, version: int, document: WorkflowDocument, instances: Mapping[str, AgentInstance]
) -> WorkflowPlan:
    """Return what a run of one version of a workflow consists of."""
    kinds = kinds_of(document, instances)
    workflow = Workflow(
        workflow_id,
        document.name,
        document.description,
        tuple((kind,) for kind in dict.fromkeys(kinds)),
        usual_duration(len(kinds)),
        plans_with(kinds),
        needs_of(kinds),
    )
    configurations = {
        kind: _configuration(step, instances) for kind, step in zip(kinds, document.steps, strict=True)
    }
    return WorkflowPlan(workflow, configurations, version)


def _configuration(step: WorkflowStep, instances: Mapping[str, AgentInstance]) -> AgentConfiguration:
    if step.agent_instance_id is not None:
        return configuration_of(instances[step.agent_instance_id])
    stored = ConfigurationDocument(settings=step.settings).to_json()
    return load_configuration(configuration_kind(step.agent or ""), stored)


def needs_of(kinds: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return each agent with those before it that must have completed; of several that give the same none must."""
    needs: dict[str, tuple[str, ...]] = {}
    for number, name in enumerate(kinds):
        before = kinds[:number]
        groups = [[kind for kind in group if kind in before] for group in AGENT_KINDS[name].requires]
        single = [group[0] for group in groups if len(group) == 1]
        needs[name] = tuple(
            dict.fromkeys((*single, *(kind for kind in AGENT_KINDS[name].follows if kind in before)))
        )
    return needs


def plans_with(kinds: Iterable[str]) -> tuple[str, ...]:
    """Return the plans that have every one of these agents: alone, or in a workflow of the service."""
    alone = offered()
    having = set(PLANS)
    for kind in kinds:
        if kind not in alone:
            having &= {plan for own in WORKFLOWS.values() if kind in own.agents for plan in own.plans}
    return tuple(plan for plan in PLANS if plan in having)


def usual_duration(agents: int) -> tuple[int, int]:
    """Return (low, high) seconds of so many agents, as long as those of the service's workflows take on average."""
    own = WORKFLOWS.values()
    known = sum(len(workflow.agents) for workflow in own)
    low, high = (sum(workflow.duration[end] for workflow in own) for end in (0, 1))
    return max(1, low * agents // known), max(1, high * agents // known)


def kinds_of(document: WorkflowDocument, instances: Mapping[str, AgentInstance]) -> list[str]:
    """Return the kind of each step; of a reusable agent the one it has now."""
    return [
        step.agent or "" if step.agent_instance_id is None else instances[step.agent_instance_id].kind
        for step in document.steps
    ]


async def instances_of(
    workspace: Workspace, documents: Sequence[WorkflowDocument]
) -> dict[str, AgentInstance]:
    """Return the reusable agents that workflows refer to, archived ones included, in one read."""
    ids = {
        step.agent_instance_id for document in documents for step in document.steps if step.agent_instance_id
    }
    known = await workspace.agents.find_each(sorted(ids)) if ids else []
    return {instance.id: instance for instance in known}
