"""What a company can run: the workflows as it would get them now, and the credits to pay with."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from tools.call import ThisCall
from tools.table import ToolFamily
from tools.wire import ExpectedDuration, Wire
from workflows.credits import balance
from workflows.runs import Offer

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
    """Every workflow."""

    workflows: list[WorkflowView]
    total: int


class CreditBalance(Wire):
    """The credits of the current month, in UTC."""

    available: int
    reserved: int = Field(description="Held for runs in flight.")
    usedThisMonth: int
    monthlyLimit: int
    granted: int = Field(description="Given by the operator for this month.")
    plan: str
    resetDate: datetime


@family.read("List workflows")
async def list_workflows(call: ThisCall) -> Workflows:
    """List the workflows with agents, credit costs, durations and plan availability. The ids feed run_workflow."""
    found = [workflow_view(one) for one in await call.desk.offers(await call.workspace())]
    return Workflows(workflows=found, total=len(found))


@family.read("Get credits")
async def get_credits(call: ThisCall) -> CreditBalance:
    """Get the credit balance of the current month. Call list_workflows for what a run costs."""
    found = await balance(await call.workspace(), call.now())
    return CreditBalance(
        available=found.available,
        reserved=found.reserved,
        usedThisMonth=found.used,
        monthlyLimit=found.plan.credits,
        granted=found.granted,
        plan=found.plan.name,
        resetDate=found.reset,
    )


def workflow_view(offer: Offer) -> WorkflowView:
    """Return a workflow as it is shown."""
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
