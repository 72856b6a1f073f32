"""The workflow tools: what a company can run, the start of a run, and its cancellation."""

from functools import partial
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tools.calls.call import Call, ThisCall
from tools.calls.parameters import Context, Omissible, Priority, PriorityField, RunId, RunStatus, WorkflowId
from tools.calls.table import ToolFamily
from tools.calls.wire import ExpectedDuration, Wire, untrusted_fields
from tools.prompt_set_runs import ExpectedCost, PreviewOnly, expected_costs
from tools.runs import require_run
from workflows.run_previews import RunPreview, preview_run
from workflows.runs import Offer, cancel

family = ToolFamily()


class WorkflowView(Wire):
    """One workflow as this company would get it now."""

    id: str
    title: str
    description: str
    agentCount: int
    agents: list[str]
    creditCost: int = Field(description="Credits that a run reserves.")
    estimatedDurationSeconds: ExpectedDuration
    durationBasis: Literal["estimate", "median_of_runs"]
    availableOnPlan: bool
    requiredPlan: str = Field(description="The smallest plan that has it.")
    engineReady: bool = Field(description="Whether every agent finds an engine that it may use.")
    missing: list[str] = Field(description="Kinds of engine that are not configured.")


class Workflows(Wire):
    """Every workflow: the service's, then those that the company made."""

    workflows: list[WorkflowView]
    total: int
    untrusted: list[str] = untrusted_fields("workflows[].title", "workflows[].description")


@family.read("List workflows")
async def list_workflows(call: ThisCall) -> Workflows:
    """Return the workflows with cost in credits, duration and plan availability. Use it before run_workflow."""
    workflows = [_workflow_view(offer) for offer in await call.desk.offers(await call.workspace())]
    return Workflows(workflows=workflows, total=len(workflows))


def _workflow_view(offer: Offer) -> WorkflowView:
    workflow = offer.workflow
    low, high = offer.duration
    return WorkflowView(
        id=workflow.id,
        title=workflow.title,
        description=workflow.description,
        agentCount=len(workflow.agents),
        agents=list(workflow.agents),
        creditCost=offer.cost,
        estimatedDurationSeconds=ExpectedDuration(low=low, high=high),
        durationBasis="median_of_runs" if offer.measured else "estimate",
        availableOnPlan=offer.available,
        requiredPlan=workflow.plans[0],
        engineReady=not offer.missing,
        missing=list(offer.missing),
    )


class Configuration(BaseModel):
    """How a run is started."""

    model_config = ConfigDict(extra="forbid")

    context: Omissible[Context] = None
    priority: PriorityField = "normal"
    brandId: Omissible[
        Annotated[
            str,
            Field(
                min_length=1, max_length=200, description="Brand id or name; a single brand may be left out."
            ),
        ]
    ] = None


class RunPreviewView(Wire):
    """What a run would ask and cost, beside its credits."""

    creditsAvailable: int
    asks: int = Field(description="Questions to engines in all.")
    expectedCosts: list[ExpectedCost] = Field(
        description="Of these questions and, at most, of judging answers, by currency, where prices are known; "
        "drafts are not included."
    )
    unpricedPlatforms: list[str] = Field(description="Engines without a known price.")
    unavailablePlatforms: list[str] = Field(description="Engines without a key, planned as if they had one.")
    missing: list[str] = Field(description="Kinds of engine that agents need and that are not configured.")


class RunStarted(Wire):
    """A run that was admitted, or the preview of one."""

    runId: str | None = Field(description="Null for a preview.")
    status: RunStatus | None
    workflowId: str
    brandId: str
    priority: Priority
    creditsReserved: int
    estimatedDurationSeconds: ExpectedDuration
    notice: str | None = Field(
        default=None, description="Names an equal run that is pending or running already; null without one."
    )
    preview: RunPreviewView | None = Field(
        default=None,
        exclude_if=lambda preview: preview is None,
        description="Only with preview: nothing was started, and creditsReserved is what a run would reserve.",
    )


class RunCancelled(Wire):
    """A run that was cancelled."""

    runId: str
    status: RunStatus
    creditsRefunded: int


@family.write("Run workflow", destructive=True, idempotent=False, open_world=True)
async def run_workflow(
    workflowId: WorkflowId,
    call: ThisCall,
    configuration: Omissible[Annotated[Configuration, Field(description="How to start.")]] = None,
    preview: PreviewOnly = False,
) -> RunStarted:
    """Start a workflow in the background; this spends credits. list_workflows gives ids and costs. Poll
    get_run_status with the runId."""
    sent_configuration = configuration or Configuration()
    if preview:
        assert call.principal is not None
        async with call.open_workspace(call.principal, False) as reading:
            planned = await preview_run(
                reading, call.desk, workflowId, sent_configuration.brandId, call.now()
            )
        return _preview_view(planned, sent_configuration.priority)
    await call.desk.engine.open()  # not inside of the transaction that comes next
    arguments = {"workflowId": workflowId, "configuration": sent_configuration.model_dump()}
    return await call.answer_once(arguments, RunStarted, partial(start, call, workflowId, sent_configuration))


@family.write("Cancel workflow run", destructive=True, idempotent=False)
async def cancel_workflow_run(runId: RunId, call: ThisCall) -> RunCancelled:
    """Cancel a pending or running run; it then consumes no credits. list_workflow_runs gives ids."""
    workspace = await call.workspace()
    await cancel(workspace, runId, call.now())
    run = await require_run(workspace, runId)
    call.afterwards(partial(call.desk.engine.stop, [run.id]))
    return RunCancelled(runId=run.id, status="cancelled", creditsRefunded=run.cost)


def _preview_view(planned: RunPreview, priority: Priority) -> RunStarted:
    """Return a preview as it is shown."""
    low, high = planned.duration
    return RunStarted(
        runId=None,
        status=None,
        workflowId=planned.workflow.id,
        brandId=planned.brand.id,
        priority=priority,
        creditsReserved=planned.credits,
        estimatedDurationSeconds=ExpectedDuration(low=low, high=high),
        preview=RunPreviewView(
            creditsAvailable=planned.credits_available,
            asks=planned.asks,
            expectedCosts=expected_costs(planned.money),
            unpricedPlatforms=list(planned.unpriced),
            unavailablePlatforms=list(planned.unavailable),
            missing=list(planned.missing),
        ),
    )


async def start(call: Call, workflow_id: str, configuration: Configuration) -> RunStarted:
    """Start a run and say what was admitted."""
    started = await call.desk.start(
        await call.workspace(),
        workflow_id,
        configuration.brandId,
        context=configuration.context,
        priority=configuration.priority,
        now=call.now(),
    )
    low, high = started.duration
    return RunStarted(
        runId=started.run_id,
        status="pending",
        workflowId=started.workflow.id,
        brandId=started.brand.id,
        priority=configuration.priority,
        creditsReserved=started.reserved,
        estimatedDurationSeconds=ExpectedDuration(low=low, high=high),
        notice=notice_of(started.equal_run),
    )


def notice_of(equal_run: str | None) -> str | None:
    """Say that the same work is under way, so that a start that was sent twice is seen at once."""
    if equal_run is None:
        return None
    return (
        f"The run {equal_run} of the same workflow and brand is not over. "
        "Cancel one of them with cancel_workflow_run if you meant to start it once."
    )
