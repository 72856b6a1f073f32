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
    """Return the credit balance: available, reserved by runs, used this month, monthly limit and reset date. For
    costs use list_workflows."""
    credit_balance = await balance(await call.workspace(), call.today)
    return CreditBalance(
        available=credit_balance.available,
        reserved=credit_balance.reserved,
        usedThisMonth=credit_balance.used,
        monthlyLimit=credit_balance.plan.credits,
        granted=credit_balance.granted,
        plan=credit_balance.plan.name,
        resetDate=credit_balance.reset,
    )
