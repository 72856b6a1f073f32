"""The credit ledger: append-only entries that reserve, charge, refund and grant credits, and their sums by period."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select

from storage.errors import RowGone
from storage.queries import Query, plain
from storage.repositories.locks import company_lock
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.companies import companies
from storage.tables.runs import credit_ledger, workflow_runs


@dataclass(frozen=True, slots=True)
class CreditTotals:
    """What was entered in one period, by kind."""

    reserve: int = 0
    settle: int = 0
    refund: int = 0
    grant: int = 0


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One line of the ledger."""

    run_id: str | None
    kind: str
    amount: int
    created_at: datetime


OURS = (credit_ledger.c.company_id == bindparam("company_id")) & (
    credit_ledger.c.period == bindparam("period")
)
ACCOUNT = Query(
    select(companies.c.plan, credit_ledger.c.kind, func.sum(credit_ledger.c.amount))
    .select_from(companies.outerjoin(credit_ledger, OURS))
    .where(companies.c.id == bindparam("company_id"))
    .group_by(companies.c.plan, credit_ledger.c.kind),
    plain,
    brief=True,
)
"""Plan and sums in one statement, a row for each kind: asked apart, they were two round trips."""
ENTRIES = Query(
    select(*row_columns(LedgerEntry, credit_ledger, run_id=workflow_runs.c.id))
    .select_from(credit_ledger.outerjoin(workflow_runs, workflow_runs.c.key == credit_ledger.c.run_key))
    .where(OURS)
    .order_by(credit_ledger.c.key),
    LedgerEntry,
)
PLAN = Query(select(companies.c.plan).where(companies.c.id == bindparam("company_id")), str, brief=True)


class CreditRepository(Repository):
    """The credits of one company."""

    async def plan(self) -> str:
        """Return the name of the company's plan. Raises RowGone for a company that was deleted meanwhile."""
        plan_row = await self._first(PLAN)
        if plan_row is None:
            raise RowGone
        return plan_row

    async def lock(self) -> str:
        """Let one transaction at a time spend, until it ends; return the name of the company's plan.

        Raises RowGone for a company that was deleted meanwhile.
        """
        plan = (await self._write(company_lock(self.company_id))).scalar_one_or_none()
        if plan is None:
            raise RowGone
        return str(plan)

    async def account(self, period: str) -> tuple[str, CreditTotals]:
        """Return the name of the company's plan, and the sums of a period, `YYYY-MM` in UTC.

        Raises RowGone for a company that was deleted meanwhile.
        """
        rows = await self._all(ACCOUNT, period=period)
        if not rows:
            raise RowGone
        entered = {kind: int(amount) for _, kind, amount in rows if kind is not None}
        return rows[0][0], CreditTotals(**entered)

    async def entries(self, period: str) -> list[LedgerEntry]:
        """Return every line of a period in the order of entry."""
        return await self._all(ENTRIES, period=period)

    async def enter(self, period: str, run_key: int | None, kind: str, amount: int, now: datetime) -> None:
        """Add a line; a second one of the same run and kind violates the ledger's unique index."""
        own = {"company_id": self.company_id, "period": period, "created_at": now}
        await self._write(insert(credit_ledger), {**own, "run_key": run_key, "kind": kind, "amount": amount})

    async def settle(self, period: str, run_key: int, spent: int, left: int, now: datetime) -> None:
        """Add the two lines that close a run."""
        own = {"company_id": self.company_id, "period": period, "run_key": run_key, "created_at": now}
        lines = [{**own, "kind": "settle", "amount": spent}, {**own, "kind": "refund", "amount": left}]
        await self._write(insert(credit_ledger), lines)
