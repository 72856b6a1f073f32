"""Asking for a run, and calling it off."""

from functools import partial
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tools.call import Call, ThisCall
from tools.idempotency import once
from tools.parameters import Context, Omissible, Priority, PriorityField, RunId, RunStatus, WorkflowId
from tools.runs import found_run
from tools.table import ToolFamily
from tools.wire import ExpectedDuration, Wire
from workflows.runs import cancel

family = ToolFamily()


class Configuration(BaseModel):
    """How a run is started."""

    model_config = ConfigDict(extra="forbid")

    context: Omissible[Context] = None
    priority: PriorityField = "normal"
    brandId: Omissible[
        Annotated[
            str,
            Field(
                min_length=1,
                max_length=200,
                description="Brand UUID, or the exact name. May be left out when the company has one brand.",
            ),
        ]
    ] = None


class RunStarted(Wire):
    """A run that was admitted."""

    runId: str
    status: RunStatus
    workflowId: str
    brandId: str
    priority: Priority
    creditsReserved: int
    estimatedDurationSeconds: ExpectedDuration


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
) -> RunStarted:
    """Start a workflow in the background and return its runId at once. Call list_workflows for workflow ids and
    get_run_status with the runId until the status is completed, partial_complete or failed."""
    given = configuration or Configuration()
    await call.desk.engine.open()  # not inside of the transaction that comes next
    arguments = {"workflowId": workflowId, "configuration": given.model_dump()}
    return await once(call, arguments, RunStarted, partial(start, call, workflowId, given))


@family.write("Cancel workflow run", destructive=True, idempotent=False)
async def cancel_workflow_run(runId: RunId, call: ThisCall) -> RunCancelled:
    """Cancel a pending or running run; it consumes no credits. Call list_workflow_runs for run ids."""
    workspace = await call.workspace()
    await cancel(workspace, runId, call.now())
    run = await found_run(workspace, runId)
    call.afterwards(partial(call.desk.engine.stop, [run.id]))
    return RunCancelled(runId=run.id, status="cancelled", creditsRefunded=run.cost)


async def start(call: Call, workflow_id: str, given: Configuration) -> RunStarted:
    """Start a run and say what was admitted."""
    started = await call.desk.start(
        await call.workspace(),
        workflow_id,
        given.brandId,
        context=given.context,
        priority=given.priority,
        now=call.now(),
    )
    low, high = started.duration
    return RunStarted(
        runId=started.run_id,
        status="pending",
        workflowId=started.workflow.id,
        brandId=started.brand.id,
        priority=given.priority,
        creditsReserved=started.reserved,
        estimatedDurationSeconds=ExpectedDuration(low=low, high=high),
    )
