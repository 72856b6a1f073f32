"""Custom workflows that companies build from the service's agents: validated, versioned, written by users."""

import json
import re
import tomllib
import unicodedata
from collections.abc import Container, Mapping, Sequence
from datetime import datetime
from itertools import chain, count
from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engines.registry import Registry
from measurement.errors import ChangeRefused, Missing, UnknownName
from storage.errors import DuplicateRow
from storage.repositories.agents import AgentInstance
from storage.repositories.custom_workflows import CustomWorkflow
from storage.workspace import Workspace
from workflows.configurations import ConfigurationDocument
from workflows.definitions import AGENT_KINDS
from workflows.pricing import Pricing
from workflows.reusable_agents import valid_configuration
from workflows.workflow_plans import (
    LONGEST_ID,
    LONGEST_WORD,
    WorkflowDocument,
    WorkflowPlan,
    WorkflowStep,
    find_custom,
    instances_of,
    is_custom_id,
    kinds_of,
    plan_of,
    refuse_archived_agent,
    refuse_disorder,
    visible,
)

MOST_STEPS = len(AGENT_KINDS)
"""Each agent appears once in a run, because its output is identified by its name."""
MOST_WORKFLOWS = 50
LONGEST_ENDING = 4
"""Characters reserved at the end of an id for a number."""
LONGEST_NAME = 120
LONGEST_DESCRIPTION = 600


class StepInput(BaseModel):
    """One step as a person writes it: a kind of agent with its configuration, or a reusable agent's name or id."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    agent: Annotated[str | None, Field(max_length=LONGEST_WORD)] = None
    reusableAgent: Annotated[str | None, Field(max_length=LONGEST_WORD)] = None
    configuration: dict[str, Any] = {}


class WorkflowInput(BaseModel):
    """A workflow as a person writes it; `steps` run in their order."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    id: Annotated[str, Field(max_length=LONGEST_ID)]
    name: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
    description: Annotated[str, Field(max_length=LONGEST_DESCRIPTION)] = ""
    steps: Annotated[list[StepInput], Field(min_length=1, max_length=MOST_STEPS)]


def validate_workflow(values: object) -> WorkflowInput:
    """Parse a workflow from the values of a file or a form. Raises ChangeRefused with the invalid field."""
    try:
        return WorkflowInput.model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        hint = "A workflow has id, name, description and steps; a step agent and configuration, or reusableAgent."
        # The user chose the name of an unknown field, so quote no more of it than a name needs.
        place = ".".join(
            str(part + 1) if isinstance(part, int) else visible(part)[:LONGEST_ID] for part in first["loc"]
        )
        words = "it is empty" if first["type"] == "string_too_short" else str(first["msg"])
        raise ChangeRefused(f"{place}: {words}" if place else words, hint) from error


def make_workflow_id(name: str, taken: Container[str]) -> str:
    """Return an id made from a workflow's name, with a number when the id is taken.

    Accents are removed. A name without Latin letters and digits becomes `workflow`.
    """
    plain = unicodedata.normalize("NFKD", name.casefold()).encode("ascii", "ignore").decode()
    words = "-".join(re.findall(r"[a-z0-9]+", plain))[: LONGEST_ID - LONGEST_ENDING].strip("-") or "workflow"
    candidates = chain([words], (f"{words}-{number}" for number in count(2)))
    return next(candidate for candidate in candidates if is_custom_id(candidate) and candidate not in taken)


async def create_workflow(
    writing: Workspace, engines: Registry, given: WorkflowInput, now: datetime
) -> CustomWorkflow:
    """Store a new workflow. Raises ChangeRefused and then stores nothing."""
    await writing.credits.lock()  # no other call can add one until this call has ended
    await _refuse_one_more(writing)
    document = await valid_document(writing, engines, given)
    try:
        await writing.custom_workflows.create(given.id, document.to_json(), now)
    except DuplicateRow as taken:
        raise ChangeRefused(
            f"id: the company has a workflow {given.id} already",
            "Choose another id, or change that workflow.",
        ) from taken
    return await _stored(writing, given.id)


async def change_workflow(
    writing: Workspace, engines: Registry, known: CustomWorkflow, given: WorkflowInput, now: datetime
) -> CustomWorkflow:
    """Store a new version of a workflow, unless nothing changed. Raises ChangeRefused."""
    await writing.credits.lock()
    known = await _stored(writing, known.workflow)
    if given.id != known.workflow:
        raise ChangeRefused(
            f"id: this workflow is {known.workflow}, and keeps its id",
            "Make another workflow for another id.",
        )
    document = await valid_document(writing, engines, given)
    await writing.custom_workflows.change(known, document.to_json(), now)
    return await _stored(writing, known.workflow)


async def save_workflow(
    writing: Workspace, engines: Registry, given: WorkflowInput, now: datetime
) -> CustomWorkflow:
    """Store a new workflow, or a new version of the one with this id. Raises ChangeRefused."""
    known = await writing.custom_workflows.find(given.id) if is_custom_id(given.id) else None
    if known is None:
        return await create_workflow(writing, engines, given, now)
    return await change_workflow(writing, engines, known, given, now)


async def archive_workflow(writing: Workspace, workflow_id: str, archived: bool, now: datetime) -> None:
    """Archive or restore a workflow. Its runs continue. Raises Missing or ChangeRefused."""
    await writing.credits.lock()
    known = await find_custom(writing, workflow_id)
    if archived == (known.archived_at is not None):
        return
    if not archived:
        await _refuse_one_more(writing)
    await writing.custom_workflows.archive(known, now if archived else None, now)


async def valid_document(workspace: Workspace, engines: Registry, given: WorkflowInput) -> WorkflowDocument:
    """Return the normalized document to store for an input. Raises ChangeRefused with the invalid step."""
    _refuse_id(given.id)
    for field in ("name", "description"):
        written: str = getattr(given, field)
        if written != visible(written) or (field == "name" and not written.strip()):
            raise ChangeRefused(
                f"{field}: it has characters that cannot be seen, or none that can",
                "Leave out line breaks and marks of direction.",
            )
    references = [step.reusableAgent for step in given.steps if step.reusableAgent is not None]
    instances = await workspace.agents.find_each(references) if references else []
    steps = [
        await _valid_step(workspace, engines, number, step, instances)
        for number, step in enumerate(given.steps, 1)
    ]
    document = WorkflowDocument(name=given.name.strip(), description=given.description, steps=tuple(steps))
    refuse_disorder(kinds_of(document, {instance.id: instance for instance in instances}))
    return document


def _refuse_id(workflow_id: str) -> None:
    if not is_custom_id(workflow_id):
        raise ChangeRefused(
            "id: it is not made of small letters and digits with single hyphens between",
            "An id is such as weekly-answers; those with an underscore are the service's own.",
        )


async def _valid_step(
    workspace: Workspace, engines: Registry, number: int, step: StepInput, instances: Sequence[AgentInstance]
) -> WorkflowStep:
    if (step.agent is None) == (step.reusableAgent is None):
        raise ChangeRefused(
            f"step {number}: it names {'both' if step.agent else 'neither'} agent and reusableAgent",
            "Give the kind of agent, or the reusable agent.",
        )
    if step.reusableAgent is not None:
        return _valid_reference(number, step, step.reusableAgent, instances)
    name = step.agent or ""
    kind = AGENT_KINDS.get(name)
    if kind is None:
        unknown = UnknownName("agent", name, AGENT_KINDS)
        raise ChangeRefused(f"step {number}: {unknown.message}", unknown.hint)
    if kind.configuration is None:
        if step.configuration:
            raise ChangeRefused(f"step {number}: {name} cannot be set", "Leave its configuration out.")
        return WorkflowStep(agent=name)
    try:
        stored = await valid_configuration(workspace, engines, name, step.configuration)
    except ChangeRefused as refused:
        raise ChangeRefused(f"step {number}: {visible(refused.message)}", refused.hint) from refused
    except Missing as missing:
        raise ChangeRefused(
            f"step {number}: configuration.promptSetId: {missing.message}",
            "Call list_prompt_sets for its id.",
        ) from missing
    return WorkflowStep(agent=name, settings=ConfigurationDocument.load(stored).settings)


def _valid_reference(
    number: int, step: StepInput, name: str, instances: Sequence[AgentInstance]
) -> WorkflowStep:
    if step.configuration:
        raise ChangeRefused(
            f"step {number}: a reusable agent brings its own configuration", "Leave configuration out."
        )
    folded = name.casefold()
    meant = next(
        (instance for instance in instances if folded in (instance.id, instance.name.casefold())), None
    )
    if meant is None:
        unknown = UnknownName("reusable agent", name, [])
        raise ChangeRefused(
            f"step {number}: {unknown.message}", "Call list_reusable_agents for those there are."
        )
    refuse_archived_agent(number, meant)
    return WorkflowStep(agent_instance_id=meant.id)


async def preview_workflow(workspace: Workspace, engines: Registry, given: WorkflowInput) -> WorkflowPlan:
    """Return the plan of a run of an input without storing anything. Raises ChangeRefused."""
    document = await valid_document(workspace, engines, given)
    return plan_of(given.id, 0, document, await instances_of(workspace, [document]))


async def editable_workflow(workspace: Workspace, known: CustomWorkflow) -> WorkflowInput:
    """Return a workflow in its editable form, with reusable agents by name."""
    document = WorkflowDocument.load(known.definition)
    instances = await instances_of(workspace, [document])
    steps = [
        StepInput(agent=step.agent, configuration=dict(step.settings))
        if step.agent_instance_id is None
        else StepInput(reusableAgent=name_of(instances, step.agent_instance_id))
        for step in document.steps
    ]
    return WorkflowInput(id=known.workflow, name=document.name, description=document.description, steps=steps)


async def price_of(pricing: Pricing, workspace: Workspace, plan: WorkflowPlan) -> int:
    """Return the credits of a run of a workflow, for the brand with the highest price."""
    brand_keys = await workspace.brands.active_keys()
    bundle = (plan.workflow.agents, plan.configurations)
    ready = await pricing.ready(workspace.company_id)
    return (await pricing.dearest(workspace, ready, brand_keys, {plan.workflow.id: bundle}))[plan.workflow.id]


def name_of(instances: Mapping[str, AgentInstance], instance_id: str) -> str:
    """Return the name of a reusable agent, or its id when it is unknown."""
    known = instances.get(instance_id)
    return known.name if known else instance_id


async def _refuse_one_more(writing: Workspace) -> None:
    if await writing.custom_workflows.count_active() >= MOST_WORKFLOWS:
        raise ChangeRefused(
            f"the company has {MOST_WORKFLOWS} workflows of its own, which is the most", "Archive one first."
        )


async def _stored(workspace: Workspace, workflow_id: str) -> CustomWorkflow:
    known = await workspace.custom_workflows.find(workflow_id)
    assert known is not None
    return known


LARGEST_FILE = 64 * 1024
MOST_PARTS = 2_000
"""Maximum number of keys, several times that of a workflow with every agent: parsing takes quadratic time."""
HINT = "See the guide's page on workflows of your own for a whole example."


def parse_workflow(text: str) -> WorkflowInput:
    """Parse a workflow from TOML. Raises ChangeRefused with the invalid line or field, never with its value."""
    if len(text) > LARGEST_FILE:
        raise ChangeRefused(f"the file is larger than {LARGEST_FILE // 1024} KB", HINT)
    if "\0" in text:
        raise ChangeRefused("the file holds the character NUL, which no text has", HINT)
    if max(text.count("."), text.count("=")) > MOST_PARTS:
        raise ChangeRefused("the file has more keys than a workflow of every agent", HINT)
    try:
        values = tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        place = str(error).rpartition("(")[2].rstrip(")")
        raise ChangeRefused(
            f"the file is no TOML {place if place.startswith('at ') else ''}".rstrip(), HINT
        ) from error
    except RecursionError as error:
        raise ChangeRefused("the file is no workflow: its values are nested too deep", HINT) from error
    return validate_workflow(values)


def write_workflow(given: WorkflowInput) -> str:
    """Return a workflow as TOML."""
    lines = [f"{field} = {_written(getattr(given, field))}" for field in ("id", "name", "description")]
    for step in given.steps:
        lines += ["", "[[steps]]", *_step_lines(step)]
    return "\n".join(lines) + "\n"


def _step_lines(step: StepInput) -> list[str]:
    if step.reusableAgent is not None:
        return [f"reusableAgent = {_written(step.reusableAgent)}"]
    lines = [f"agent = {_written(step.agent)}"]
    if step.configuration:
        settings = ", ".join(f"{name} = {_written(value)}" for name, value in step.configuration.items())
        lines.append(f"configuration = {{ {settings} }}")
    return lines


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(_written(item) for item in cast('list[object]', value))}]"
    # JSON strings, numbers and literals are also valid TOML, except for one character that TOML requires escaped.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
