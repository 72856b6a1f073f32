"""Makes, changes and runs reusable agents within the rules of plan, kinds and schedules."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import ValidationError

from engines.registry import Registry
from measurement.errors import ChangeRefused, Missing, first_fault
from measurement.planning.prompt_sets import known_platforms, name_taken
from measurement.planning.schedules import next_tick, normal_form
from storage.errors import DuplicateRow
from storage.plans import PLANS
from storage.repositories.agents import AgentDraft, AgentInstance, Assignment
from storage.repositories.brands import Brand
from storage.repositories.runs.runs import RunDraft
from storage.workspace import Workspace
from workflows.configurations import shown_settings, stored_configuration
from workflows.definitions import configuration_of, offered
from workflows.errors import RunRefused
from workflows.runs import RunService, SingleAgentRun, brand_of
from workflows.workflow_definitions import REUSABLE_AGENT


async def valid_configuration(
    workspace: Workspace, engines: Registry, kind_name: str, given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return a configuration as it is stored, in its normal form. Raises ChangeRefused with the field, or Missing."""
    kind = offered().get(kind_name)
    if kind is None or kind.configuration is None:
        raise ChangeRefused(f"kind: {kind_name} is not offered any more", "Send another kind.")
    model = kind.configuration
    try:
        settings = shown_settings(model.model_validate(given, strict=True))
    except ValidationError as error:
        names = ", ".join(model.model_fields)
        hint = f"{kind_name} can be set: {names}." if names else f"{kind_name} cannot be set: send {{}}."
        raise ChangeRefused(f"configuration.{first_fault(error)}", hint) from error
    if "platforms" in settings:
        settings["platforms"] = list(known_platforms(settings["platforms"], engines))
    if "promptSetId" in settings:
        prompt_set = await workspace.prompt_sets.listed(settings["promptSetId"])
        if prompt_set is None:
            raise Missing("prompt set")
        settings["promptSetId"] = prompt_set.set.id
    return stored_configuration(model.model_validate(settings))


@dataclass(frozen=True, slots=True)
class AgentInput:
    """How a reusable agent shall be; without brands it works for any."""

    name: str
    kind: str
    configuration: Mapping[str, Any]
    brand_keys: tuple[int, ...] = ()
    schedule: str | None = None
    archived: bool = False


async def input_of(workspace: Workspace, known: AgentInstance) -> AgentInput:
    """Return how an agent is now, to be changed from there."""
    assigned = await workspace.agents.assignments(known.key)
    return AgentInput(
        name=known.name,
        kind=known.kind,
        configuration=shown_settings(configuration_of(known)),
        brand_keys=tuple(assignment.brand_key for assignment in assigned),
        schedule=assigned[0].schedule if assigned else None,
        archived=known.archived_at is not None,
    )


async def create(writing: Workspace, engines: Registry, agent: AgentInput, now: datetime) -> str:
    """Make an agent and return its id. Raises ChangeRefused or Missing, and then nothing is kept."""
    await refuse_one_more(writing)
    draft = await draft_of(writing, engines, agent, [], None, now)
    try:
        return await writing.agents.create(draft, now)
    except DuplicateRow as taken:
        raise name_taken("agent", "list_reusable_agents") from taken


async def change(
    writing: Workspace, engines: Registry, known: AgentInstance, agent: AgentInput, now: datetime
) -> None:
    """Bring an agent to what is wished. Raises ChangeRefused or Missing, and then nothing is kept."""
    if known.archived_at and not agent.archived:
        await refuse_one_more(writing)
    assigned = await writing.agents.assignments(known.key)
    draft = await draft_of(writing, engines, agent, assigned, known.archived_at, now)
    try:
        await writing.agents.change(known, draft, now)
    except DuplicateRow as taken:
        raise name_taken("agent", "list_reusable_agents") from taken


async def refuse_one_more(writing: Workspace) -> None:
    """Hold the company to its plan's agents, one change at a time."""
    plan = PLANS[await writing.credits.lock()]
    active = await writing.agents.active()
    if active >= plan.agents:
        raise ChangeRefused(
            f"the {plan.name} plan has {plan.agents} reusable agents, and {active} are active",
            "Archive one with update_reusable_agent.",
        )


async def draft_of(
    workspace: Workspace,
    engines: Registry,
    agent: AgentInput,
    assigned: list[Assignment],
    archived_at: datetime | None,
    now: datetime,
) -> AgentDraft:
    """Return the input as it is stored: validated by its kind, each brand with its next tick."""
    schedule = normal_form(agent.schedule) if agent.schedule else None
    if schedule and not agent.brand_keys:
        raise ChangeRefused(
            "schedule: an agent without brands cannot have one", "Send brandIds too, or no schedule."
        )
    due_times = {
        assignment.brand_key: assignment.next_run_at
        for assignment in assigned
        if assignment.schedule == schedule
    }
    due: dict[int, datetime | None] = {}
    for brand_key in agent.brand_keys:
        due[brand_key] = None
        if schedule and not agent.archived:
            due[brand_key] = due_times.get(brand_key) or next_tick(schedule, now)
    return AgentDraft(
        name=agent.name,
        kind=agent.kind,
        configuration=await valid_configuration(workspace, engines, agent.kind, agent.configuration),
        schedule=schedule,
        due=due,
        archived_at=(archived_at or now) if agent.archived else None,
    )


async def start(
    writing: Workspace,
    desk: RunService,
    known: AgentInstance,
    brand: Brand | None,
    *,
    context: str | None = None,
    priority: str = "normal",
    now: datetime,
) -> tuple[Brand, RunDraft]:
    """Queue a run of an agent; return its brand and the run. Raises RunRefused, and then nothing is kept.

    Without a brand it is for the agent's only one, or the company's only one.
    """
    if known.archived_at is not None:
        raise RunRefused(
            "the agent is archived and keeps only its history",
            "Call update_reusable_agent with archived false to bring it back.",
        )
    chosen = await brand_for(writing, known, brand)
    task = SingleAgentRun(
        agent=known.kind,
        workflow=REUSABLE_AGENT,
        brand=chosen,
        configuration=configuration_of(known),
        context=context,
        priority=priority,
        instance=(known.key, known.version),
    )
    return chosen, await desk.start_alone(writing, task, now)


async def brand_for(writing: Workspace, known: AgentInstance, brand: Brand | None) -> Brand:
    """Return the brand that is meant and that the agent works for. Raises RunRefused."""
    assigned = await writing.agents.assignments(known.key)
    if brand is not None:
        if assigned and assignment_of(assigned, brand.key) is None:
            raise RunRefused(
                "the agent does not work for this brand",
                "Call list_reusable_agents for its brands, or update_reusable_agent to change them.",
            )
        return brand
    if len(assigned) > 1:
        raise RunRefused(
            "the agent works for several brands: brandId must name one",
            "Call list_reusable_agents for its brands.",
        )
    return await brand_of(writing, assigned[0].brand_id if assigned else None)


def assignment_of(assigned: Sequence[Assignment], brand_key: int) -> Assignment | None:
    """Return the assignment of one brand."""
    return next((assignment for assignment in assigned if assignment.brand_key == brand_key), None)
