"""Budgets and spending: what may be spent, what a day and a batch have spent, what each ask cost."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from sqlalchemy import Table, bindparam, case, delete, func, insert, select, update

from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables.prompts import asks, simulations
from storage.tables.spending import ask_costs, batch_spending, budgets, daily_spending

NANOS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class SpendingBudget:
    """What a company allows to be spent on one run and on one UTC day; None is no limit."""

    currency: str
    per_run: Decimal | None
    per_day: Decimal | None


@dataclass(frozen=True, slots=True)
class BatchCost:
    """The known cost of a batch in one currency, and how many answers it covers; those without an answer cost too."""

    currency: str
    amount: Decimal
    answers: int


@dataclass(frozen=True, slots=True)
class AskCost:
    """What one ask cost, and who says so."""

    ask_key: int
    amount: Decimal
    currency: str
    stated_by: str


def nanos(amount: Decimal) -> int:
    """Return an amount in whole billionths, rounded up."""
    return -int((-amount * NANOS).to_integral_value(rounding="ROUND_FLOOR"))


def amount(stored: int | None) -> Decimal | None:
    """Return an amount from billionths."""
    return None if stored is None else Decimal(stored) / NANOS


def budget(currency: str, per_run: int | None, per_day: int | None) -> SpendingBudget:
    """Build a budget."""
    return SpendingBudget(currency, amount(per_run), amount(per_day))


def batch_cost(currency: str, total: int, answers: int) -> BatchCost:
    """Build the cost of a batch."""
    return BatchCost(currency, Decimal(int(total)) / NANOS, int(answers))


COMPANY = bindparam("company_id", type_=budgets.c.company_id.type)
BUDGET = Query(
    select(budgets.c.currency, budgets.c.per_run, budgets.c.per_day).where(budgets.c.company_id == COMPANY),
    budget,
    brief=True,
)
TODAY = Query(
    select(daily_spending.c.currency, daily_spending.c.spent).where(
        daily_spending.c.company_id == COMPANY,
        daily_spending.c.day == bindparam("day", type_=daily_spending.c.day.type),
    ),
    plain,
    brief=True,
)
ANSWERED = func.sum(case((asks.c.state == "stored", 1), else_=0))
"""Of the asks that cost something those that were answered."""
OF_BATCH = Query(
    select(ask_costs.c.currency, func.sum(ask_costs.c.cost), ANSWERED)
    .join(asks, asks.c.key == ask_costs.c.ask_key)
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .where(ask_costs.c.company_id == COMPANY, simulations.c.batch_key == bindparam("batch_key"))
    .group_by(ask_costs.c.currency)
    .order_by(ask_costs.c.currency),
    batch_cost,
)
NEWEST_SIMULATIONS = (
    select(simulations.c.key)
    .where(
        simulations.c.company_id == COMPANY,
        simulations.c.brand_key == bindparam("brand_key"),
        simulations.c.platform == bindparam("platform"),
        simulations.c.mode == bindparam("mode"),
        simulations.c.source == "probe",
    )
    .order_by(simulations.c.created_at.desc(), simulations.c.key.desc())
    .limit(5)
    .scalar_subquery()
)
RECENT = Query(
    select(ask_costs.c.currency, ask_costs.c.cost)
    .join(asks, asks.c.key == ask_costs.c.ask_key)
    .where(ask_costs.c.company_id == COMPANY, asks.c.simulation_key.in_(NEWEST_SIMULATIONS))
    .order_by(ask_costs.c.ask_key.desc())
    .limit(bindparam("limit")),
    plain,
)


class SpendingRepository(Repository):
    """What one company may spend and has spent."""

    async def budget(self) -> SpendingBudget | None:
        """Return the budget, or None when none is set."""
        return await self._first(BUDGET)

    async def set_budget(self, wanted: SpendingBudget | None, now: datetime) -> None:
        """Put a budget in place of the one before; None takes it away."""
        await self._write(delete(budgets).where(budgets.c.company_id == self.company_id))
        if wanted is None:
            return
        limits = {
            "per_run": None if wanted.per_run is None else nanos(wanted.per_run),
            "per_day": None if wanted.per_day is None else nanos(wanted.per_day),
        }
        own = {"company_id": self.company_id, "currency": wanted.currency, "updated_at": now}
        await self._write(insert(budgets), {**own, **limits})

    async def spent_on(self, day: date, currency: str) -> Decimal:
        """Return what a day has spent, asks that are on their way included."""
        return Decimal(dict(await self._all(TODAY, day=day)).get(currency, 0)) / NANOS

    async def reserve(self, batch_key: int, day: date, estimate: Decimal, limits: SpendingBudget) -> bool:
        """Set an ask's estimate aside; False, and nothing is set aside, when a limit would be passed.

        Processes that ask at once wait for each other here, so the limits hold for all of them together.
        """
        wanted = nanos(estimate)
        if not await self._spend(batch_spending, batch_key, day, wanted, limits.currency, limits.per_run):
            return False
        if await self._spend(daily_spending, batch_key, day, wanted, limits.currency, limits.per_day):
            return True
        await self._spend(batch_spending, batch_key, day, -wanted, limits.currency, None)
        return False

    async def correct(self, batch_key: int, day: date, difference: Decimal, currency: str) -> None:
        """Add the difference between what was set aside and what an ask cost."""
        for table in (batch_spending, daily_spending):
            await self._spend(table, batch_key, day, nanos(difference), currency, None)

    async def _spend(
        self, table: Table, batch_key: int, day: date, wanted: int, currency: str, limit: Decimal | None
    ) -> bool:
        own = {"company_id": self.company_id, "currency": currency}
        place = {"day": day} if table is daily_spending else {"batch_key": batch_key}
        await self._write(self._insert_or_ignore(table), {**own, **place, "spent": 0})
        same = [table.c[name] == value for name, value in {**own, **place}.items()]
        if limit is not None:
            same.append(table.c.spent + wanted <= nanos(limit))
        done = await self._write(update(table).where(*same).values(spent=table.c.spent + wanted))
        return done.rowcount == 1

    async def record(self, costs: Sequence[AskCost]) -> None:
        """Store what asks cost, and who says so; at least one."""
        rows = [
            {
                "ask_key": cost.ask_key,
                "company_id": self.company_id,
                "currency": cost.currency,
                "cost": nanos(cost.amount),
                "stated_by": cost.stated_by,
            }
            for cost in costs
        ]
        await self._write(insert(ask_costs), rows)

    async def recent(self, brand_key: int, platform: str, mode: str, limit: int) -> list[tuple[str, Decimal]]:
        """Return the known costs of the brand's newest asks on a channel, as (currency, amount)."""
        costs = await self._all(RECENT, brand_key=brand_key, platform=platform, mode=mode, limit=limit)
        return [(currency, Decimal(cost) / NANOS) for currency, cost in costs]

    async def of_batch(self, batch_key: int) -> list[BatchCost]:
        """Return the known costs of a batch by currency; answers of unknown cost are in none of them."""
        return await self._all(OF_BATCH, batch_key=batch_key)
