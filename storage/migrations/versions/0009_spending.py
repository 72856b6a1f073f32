"""Budgets, spending, the cost of each ask, and the health of each channel."""

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
    op.create_table(
        "channel_health",
        sa.Column("batch_key", KEY, autoincrement=False, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        *(
            sa.Column(name, sa.Integer(), nullable=False)
            for name in (
                *("planned", "failed", "refused", "valid"),
                *("answered", "searched", "measurable", "citing"),
            )
        ),
        sa.Column("served_models", sa.Text(), nullable=False),
        sa.Column("median_latency_ms", sa.Integer(), nullable=True),
        sa.Column("no_credential", sa.Boolean(), nullable=False),
        sa.Column("alerts", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        company("channel_health"),
        sa.ForeignKeyConstraint(
            ["batch_key"],
            ["run_batches.key"],
            name=op.f("fk_channel_health_batch_key"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_channel_health_brand_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("batch_key", "platform", "mode", name=op.f("pk_channel_health")),
    )
    op.create_index(
        "ix_channel_health_latest", "channel_health", ["brand_key", "platform", "mode", "created_at"]
    )


def company(table: str) -> sa.ForeignKeyConstraint:
    """Return the rule that a row goes when its company does."""
    return sa.ForeignKeyConstraint(
        ["company_id"], ["companies.id"], name=op.f(f"fk_{table}_company_id"), ondelete="CASCADE"
    )
