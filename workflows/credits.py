"""Credits: what a run costs, in which month it falls, and what a company has left. `workflows.runs` reserves them."""

from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil

from storage.plans import PLANS, CompanyPlan
from storage.workspace import Workspace

CALLS_A_CREDIT = 10


@dataclass(frozen=True, slots=True)
class Balance:
    """A company's credits of one month; available + reserved + used = limit + granted."""

    plan: CompanyPlan
    available: int
    reserved: int
    used: int
    granted: int
    reset: datetime


def period_of(moment: datetime) -> str:
    """Return the month that credits of this moment belong to, `YYYY-MM` in UTC."""
    day = moment.astimezone(UTC)
    return f"{day.year}-{day.month:02}"


def reset_after(moment: datetime) -> datetime:
    """Return the start of the next month in UTC."""
    day = moment.astimezone(UTC)
    return datetime(day.year + day.month // 12, day.month % 12 + 1, 1, tzinfo=UTC)


def price(calls: int) -> int:
    """Return the credits of an agent that plans so many engine calls; `Pricing` knows how many."""
    return 1 + ceil(calls / CALLS_A_CREDIT)


async def balance(workspace: Workspace, now: datetime) -> Balance:
    """Return what the company has this month."""
    plan_name, sums = await workspace.credits.account(period_of(now))
    plan = PLANS[plan_name]
    available = plan.credits + sums.grant - sums.reserve + sums.refund
    return Balance(
        plan=plan,
        available=max(available, 0),
        reserved=sums.reserve - sums.settle - sums.refund,
        used=sums.settle,
        granted=sums.grant,
        reset=reset_after(now),
    )
