"""Budgets, spending and the cost of each ask."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "budgets",
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("per_run", sa.BigInteger(), nullable=True),
        sa.Column("per_day", sa.BigInteger(), nullable=True),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("per_run >= 0 AND per_day >= 0", name=op.f("ck_budgets_limits")),
        company("budgets"),
        sa.PrimaryKeyConstraint("company_id", name=op.f("pk_budgets")),
    )
    op.create_table(
        "daily_spending",
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        company("daily_spending"),
        sa.PrimaryKeyConstraint("company_id", "day", "currency", name=op.f("pk_daily_spending")),
    )
    op.create_table(
        "batch_spending",
        sa.Column("batch_key", KEY, autoincrement=False, nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("spent", sa.BigInteger(), nullable=False),
        company("batch_spending"),
        sa.ForeignKeyConstraint(
            ["batch_key"],
            ["run_batches.key"],
            name=op.f("fk_batch_spending_batch_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("batch_key", "currency", name=op.f("pk_batch_spending")),
    )
    op.create_table(
        "ask_costs",
        sa.Column("ask_key", KEY, autoincrement=False, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("cost", sa.BigInteger(), nullable=False),
        sa.Column("stated_by", sa.Text(), nullable=False),
        sa.CheckConstraint("stated_by IN ('provider', 'table')", name=op.f("ck_ask_costs_stated_by")),
        company("ask_costs"),
        sa.ForeignKeyConstraint(
            ["ask_key"], ["asks.key"], name=op.f("fk_ask_costs_ask_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("ask_key", name=op.f("pk_ask_costs")),
    )


def company(table: str) -> sa.ForeignKeyConstraint:
    """Return the rule that a row goes when its company does."""
    return sa.ForeignKeyConstraint(
        ["company_id"], ["companies.id"], name=op.f(f"fk_{table}_company_id"), ondelete="CASCADE"
    )
