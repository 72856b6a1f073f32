"""The reusable agent tools: instances of one kind of agent, their brands and schedules, and their runs."""

from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Literal, cast

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from measurement.errors import Missing
from storage.repositories.agents import AgentInstance, Assignment, LastRun
from storage.workspace import Workspace
from tools.calls.call import Call, NamedBrandIfAny, ThisCall
from tools.calls.errors import brand_not_found
from tools.calls.parameters import (
    UNSAID,
    AgentInstanceId,
    Archived,
    BrandId,
    CompanyWideBrandId,
    Context,
    Examples,
    IncludeArchived,
    Limit,
    Name,
    Offset,
    Omissible,
    Priority,
    PriorityField,
    RunStatus,
    Schedule,
)
from tools.calls.schemas import request_schema, required_with, when
from tools.calls.table import ToolFamily
from tools.calls.wire import ListWindow, Page, Wire, place_of, untrusted_fields
from workflows.configurations import AgentConfiguration, shown_settings
from workflows.definitions import configuration_of, offered
from workflows.reusable_agents import AgentInput, change, create, input_of, start
from workflows.runs import brand_of
from workflows.workflow_definitions import REUSABLE_AGENT

family = ToolFamily()

KINDS = offered()


def _offered(kind: str) -> str:
    if kind not in KINDS:
        raise PydanticCustomError("kind", "Input should be one of the kinds that are offered")
    return kind


def _settings_of_kinds() -> str:
    """Say in a sentence what each kind can be set to."""
    kinds_by_settings: dict[str, list[str]] = {}
    for name, kind in KINDS.items():
        if kind.configuration and kind.configuration.model_fields:
            kinds_by_settings.setdefault(", ".join(kind.configuration.model_fields), []).append(name)
    said = (f"{', '.join(names)}: {settings}" for settings, names in kinds_by_settings.items())
    return f"Settings of the kind. {'; '.join(said)}; others none."


Kind = Annotated[
    str, AfterValidator(_offered), Field(description="What it does.", json_schema_extra={"enum": list(KINDS)})
]


def _rules_of_kinds() -> list[dict[str, Any]]:
    """Say what a configuration holds where the kind is sent with it."""
    kinds_by_model: dict[type[AgentConfiguration], list[str]] = {}
    for name, kind in KINDS.items():
        if kind.configuration is not None:
            kinds_by_model.setdefault(kind.configuration, []).append(name)
    return [
        when("kind", {"enum": names}, {"properties": {"configuration": request_schema(model)}})
        for model, names in kinds_by_model.items()
    ]


FOR_BRANDS: dict[str, Any] = {"properties": {"brandIds": {"minItems": 1}}}
"""A schedule is for brands."""


def _whole_numbers(value: Any) -> Any:
    """JSON knows one kind of number, also where only the kind of an agent says what is one."""
    if isinstance(value, dict):
        members = cast(dict[str, Any], value)
        return {name: _whole_numbers(member) for name, member in members.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value


Configured = Annotated[
    dict[str, Any], AfterValidator(_whole_numbers), Field(description=_settings_of_kinds())
]
ChangedConfiguration = Annotated[
    dict[str, Any],
    AfterValidator(_whole_numbers),
    Field(description="All settings of the kind, as in create_reusable_agent."),
]
BrandIds = Annotated[
    list[BrandId],
    Field(
        max_length=100, description="Brands it works for; none means any brand.", examples=[[Examples.BRAND]]
    ),
]


class AssignmentView(Wire):
    """One brand that an agent works for."""

    brandId: str
    brandName: str
    schedule: str | None = Field(description="Cron, UTC.")
    nextRunAt: datetime | None


class LastRunView(Wire):
    """The newest run of an agent; get_run_status shows it whole."""

    runId: str
    status: RunStatus
    configurationVersion: int
    createdAt: datetime
    finishedAt: datetime | None


class ReusableAgentView(Wire):
    """One reusable agent."""

    agentInstanceId: str
    name: str
    kind: str
    configuration: dict[str, Any]
    configurationVersion: int = Field(description="A run keeps the version it started with.")
    status: Literal["active", "archived"]
    assignments: list[AssignmentView] = Field(description="None means any brand.")
    lastRun: LastRunView | None
    createdAt: datetime
    updatedAt: datetime


class ReusableAgent(ReusableAgentView):
    """One reusable agent."""

    untrusted: list[str] = untrusted_fields("name", "configuration", "assignments[].brandName")


class ReusableAgents(Page):
    """A page of reusable agents, by name."""

    window = ListWindow("agents")

    agents: list[ReusableAgentView]
    untrusted: list[str] = untrusted_fields(
        "agents[].name", "agents[].configuration", "agents[].assignments[].brandName"
    )


class AgentRunStarted(Wire):
    """A run of one agent that was admitted."""

    runId: str
    status: RunStatus
    workflowId: str
    agentInstanceId: str
    brandId: str
    priority: Priority
    creditsReserved: int


class AgentRunSummary(Wire):
    """How the runs of one agent went."""

    totalRuns: int = Field(description="Every run, live and cancelled ones too.")
    successfulRuns: int
    failedRuns: int
    averageDurationMs: int | None = Field(
        description="From start to end of the completed and failed ones; null without any."
    )
    lastRunAt: datetime | None


@family.read("List reusable agents")
async def list_reusable_agents(
    call: ThisCall,
    brand: NamedBrandIfAny,
    brandId: Omissible[CompanyWideBrandId] = None,
    includeArchived: IncludeArchived = False,
    limit: Limit = 20,
    offset: Offset = 0,
) -> ReusableAgents:
    """Return reusable agents with schedules and last runs. Ids feed run_reusable_agent and
    update_reusable_agent."""
    workspace = await call.workspace()
    brand_key = brand.key if brand else None
    instances, total = await workspace.agents.page(brand_key, includeArchived, limit, offset)
    assigned = await workspace.agents.assignments_of([instance for instance, _ in instances])
    return ReusableAgents(
        agents=[agent_view(instance, assigned[instance.key], last) for instance, last in instances],
        **place_of(total, limit, offset),
    )


@family.write(
    "Create reusable agent",
    destructive=False,
    idempotent=False,
    rules=lambda: [
        *_rules_of_kinds(),
        when("schedule", {"type": "string"}, FOR_BRANDS),
        required_with("brandIds", field="schedule", value={"type": "string"}),
    ],
)
async def create_reusable_agent(
    name: Name,
    kind: Kind,
    call: ThisCall,
    configuration: Omissible[Configured] = None,
    brandIds: Omissible[BrandIds] = None,
    schedule: Schedule = UNSAID,
) -> ReusableAgent:
    """Create an agent of one kind to run repeatedly, also on a schedule. To start it use run_reusable_agent."""
    writing = await call.workspace()
    agent = AgentInput(
        name=name,
        kind=kind,
        configuration=configuration or {},
        brand_keys=await _keys_of(writing, brandIds or []),
        schedule=None if schedule is UNSAID else schedule,
    )
    return await view_of(writing, await create(writing, call.desk.engines, agent, call.now()))


@family.write(
    "Update reusable agent",
    destructive=True,
    idempotent=True,
    rules=lambda: [*_rules_of_kinds(), when("schedule", {"type": "string"}, FOR_BRANDS)],
)
async def update_reusable_agent(
    agentInstanceId: AgentInstanceId,
    call: ThisCall,
    name: Omissible[Name] = None,
    kind: Omissible[Kind] = None,
    configuration: Omissible[ChangedConfiguration] = None,
    brandIds: Omissible[BrandIds] = None,
    schedule: Schedule = UNSAID,
    archived: Omissible[Archived] = None,
) -> ReusableAgent:
    """Change only the fields sent. For a new agent use create_reusable_agent."""
    writing = await call.workspace()
    await writing.credits.lock()  # locks agents until this call has ended
    known = await _require_agent(writing, agentInstanceId)
    fields: dict[str, Any] = {
        "name": name,
        "kind": kind,
        "configuration": configuration,
        "brand_keys": None if brandIds is None else await _keys_of(writing, brandIds),
        "archived": archived,
    }
    changes = {field: value for field, value in fields.items() if value is not None}
    if schedule is not UNSAID:
        changes["schedule"] = schedule
    elif brandIds == []:
        changes["schedule"] = None  # it went with the brands it was for
    agent = replace(await input_of(writing, known), **changes)
    await change(writing, call.desk.engines, known, agent, call.now())
    return await view_of(writing, known.id)


@family.write("Run reusable agent", destructive=True, idempotent=False, open_world=True)
async def run_reusable_agent(
    agentInstanceId: AgentInstanceId,
    call: ThisCall,
    brandId: Omissible[BrandId] = None,
    context: Omissible[Context] = None,
    priority: PriorityField = "normal",
) -> AgentRunStarted:
    """Start a reusable agent in the background; this spends credits. Poll get_run_status with the runId."""
    await call.desk.engine.open()  # not inside of the transaction that comes next
    arguments = {
        "agentInstanceId": agentInstanceId,
        "brandId": brandId,
        "context": context,
        "priority": priority,
    }
    begun = partial(begin, call, agentInstanceId, brandId, context, priority)
    return await call.answer_once(arguments, AgentRunStarted, begun)


@family.read("Get agent run summary")
async def get_agent_run_summary(agentInstanceId: AgentInstanceId, call: ThisCall) -> AgentRunSummary:
    """Return how often a reusable agent ran, succeeded and failed, and its average duration. For single runs use
    list_workflow_runs."""
    workspace = await call.workspace()
    known = await _require_agent(workspace, agentInstanceId)
    tally = await workspace.agents.tally(known.key)
    return AgentRunSummary(
        totalRuns=tally.total,
        successfulRuns=tally.completed,
        failedRuns=tally.failed,
        averageDurationMs=round(tally.microseconds / tally.timed / 1000) if tally.timed else None,
        lastRunAt=tally.last,
    )


async def begin(
    call: Call, instance_id: str, brand_name: str | None, context: str | None, priority: Priority
) -> AgentRunStarted:
    """Start a run and say what was admitted."""
    writing = await call.workspace()
    known = await _require_agent(writing, instance_id)
    brand = None if brand_name is None else await brand_of(writing, brand_name)
    chosen, draft = await start(
        writing, call.desk, known, brand, context=context, priority=priority, now=call.now()
    )
    return AgentRunStarted(
        runId=draft.id,
        status="pending",
        workflowId=REUSABLE_AGENT,
        agentInstanceId=known.id,
        brandId=chosen.id,
        priority=priority,
        creditsReserved=draft.cost,
    )


async def _require_agent(workspace: Workspace, instance_id: str) -> AgentInstance:
    """Return the agent. Raises Missing; another company's agent is missing too."""
    instance = await workspace.agents.find(instance_id)
    if instance is None:
        raise Missing("agent instance")
    return instance


async def _keys_of(workspace: Workspace, names: list[str]) -> tuple[int, ...]:
    """Return the brands that are named, each once. Raises NotFound."""
    brand_keys = [brand.key for brand in await workspace.brands.find_each(names) if brand]
    if len(brand_keys) < len(names):
        raise brand_not_found()
    return tuple(dict.fromkeys(brand_keys))


async def view_of(workspace: Workspace, instance_id: str) -> ReusableAgent:
    """Return one agent as it is shown."""
    listed = await workspace.agents.listed(instance_id)
    assert listed is not None
    instance, last = listed
    view = agent_view(instance, await workspace.agents.assignments(instance.key), last)
    return ReusableAgent(**dict(view))


def agent_view(
    instance: AgentInstance, assigned: list[Assignment], last: LastRun | None
) -> ReusableAgentView:
    """Return one agent as list and change show it."""
    return ReusableAgentView.model_validate(
        {
            "agentInstanceId": instance.id,
            "name": instance.name,
            "kind": instance.kind,
            "configuration": shown_settings(configuration_of(instance)),
            "configurationVersion": instance.version,
            "status": "archived" if instance.archived_at else "active",
            "assignments": [
                {
                    "brandId": assignment.brand_id,
                    "brandName": assignment.brand_name,
                    "schedule": assignment.schedule,
                    "nextRunAt": None if assignment.brand_archived_at else assignment.next_run_at,
                }
                for assignment in assigned
            ],
            "lastRun": last
            and {
                "runId": last.id,
                "status": last.status,
                "configurationVersion": last.version,
                "createdAt": last.created_at,
                "finishedAt": last.finished_at,
            },
            "createdAt": instance.created_at,
            "updatedAt": instance.updated_at,
        }
    )
