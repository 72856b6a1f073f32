"""Webhooks with a durable queue of deliveries, and the mark of an installation whose work is paused."""

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def company() -> sa.Column[str]:
    """Return the owner of a row."""
    return sa.Column(
        "company_id", sa.Text(), sa.ForeignKey("companies.id", ondelete="CASCADE"), nullable=False
    )


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "webhooks",
        sa.Column("id", sa.Text(), primary_key=True),
        company(),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("last4", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("format", sa.Text(), nullable=False),
        sa.Column("kinds", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("disabled_reason", sa.Text()),
        sa.Column("disabled_at", sa.BigInteger()),
        sa.Column("delivered_at", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("format IN ('standard', 'text')", name="ck_webhooks_format"),
        sa.CheckConstraint("state IN ('active', 'disabled')", name="ck_webhooks_state"),
    )
    op.create_index("ix_webhooks_company", "webhooks", ["company_id", "created_at"])
    op.create_table(
        "webhook_deliveries",
        sa.Column("key", KEY, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text(), nullable=False, unique=True),
        company(),
        sa.Column("webhook_id", sa.Text(), sa.ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("dedup_key", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.Text()),
        sa.Column("reply", sa.Integer()),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "state IN ('queued', 'delivered', 'refused', 'given_up')", name="ck_webhook_deliveries_state"
        ),
    )
    op.create_index(
        "uq_webhook_deliveries_dedup", "webhook_deliveries", ["webhook_id", "dedup_key"], unique=True
    )
    op.create_index("ix_webhook_deliveries_due", "webhook_deliveries", ["state", "due_at"])
    op.create_index("ix_webhook_deliveries_page", "webhook_deliveries", ["company_id", "created_at"])
    op.create_table(
        "work_pauses",
        sa.Column("key", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("key = 1", name="ck_work_pauses_one"),
    )
