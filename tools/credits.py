"""The credit tool: what a company has left this month."""

from datetime import datetime

from pydantic import Field

from tools.calls.call import ThisCall
from tools.calls.table import ToolFamily
from tools.calls.wire import Wire
from workflows.credits import balance

family = ToolFamily()


class CreditBalance(Wire):
    """The credits of the current month, in UTC."""

    available: int
    reserved: int = Field(description="Held for runs in flight.")
    usedThisMonth: int
    monthlyLimit: int
    granted: int = Field(description="Given by the operator for this month.")
    plan: str
    resetDate: datetime


@family.read("Get credits")
async def get_credits(call: ThisCall) -> CreditBalance:
    """How many credits are left this month? list_workflows says what a run costs."""
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
