"""What asking costs: a company's budget, what a day and a batch have spent, the cost of each ask."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Date, ForeignKey, Table, Text

from storage.tables.columns import UtcTime, company_column, metadata, reference

budgets = Table(
    "budgets",
    metadata,
    Column("company_id", Text, ForeignKey("companies.id", ondelete="CASCADE"), primary_key=True),
    Column("currency", Text, nullable=False),
    Column("per_run", BigInteger),
    Column("per_day", BigInteger),
    Column("updated_at", UtcTime, nullable=False),
    CheckConstraint("per_run >= 0 AND per_day >= 0", name="limits"),
)
"""Amounts of this module are whole billionths of the currency: sums are exact on every database."""

daily_spending = Table(
    "daily_spending",
    metadata,
    Column("company_id", Text, ForeignKey("companies.id", ondelete="CASCADE"), primary_key=True),
    Column("day", Date, primary_key=True),
    Column("currency", Text, primary_key=True),
    Column("spent", BigInteger, nullable=False),
)
"""Known costs, and the reservations of asks whose cost is not known yet or never will be."""

batch_spending = Table(
    "batch_spending",
    metadata,
    reference("batch_key", "run_batches.key", primary_key=True),
    Column("currency", Text, primary_key=True),
    company_column(),
    Column("spent", BigInteger, nullable=False),
)

ask_costs = Table(
    "ask_costs",
    metadata,
    reference("ask_key", "asks.key", primary_key=True),
    company_column(),
    Column("currency", Text, nullable=False),
    Column("cost", BigInteger, nullable=False),
    Column("stated_by", Text, nullable=False),
    CheckConstraint("stated_by IN ('provider', 'table')", name="stated_by"),
)
"""The known costs of stored answers; an ask without a row has an unknown cost, which is not zero."""
