"""Webhooks of companies, their pending deliveries, and whether the work of an installation is paused."""

from sqlalchemy import CheckConstraint, Column, Date, ForeignKey, Index, Integer, Table, Text

from storage.tables.columns import (
    JsonText,
    UtcTime,
    company_column,
    created_column,
    id_column,
    key_column,
    metadata,
)

webhooks = Table(
    "webhooks",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    Column("host", Text, nullable=False),
    Column("last4", Text, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("format", Text, nullable=False),
    Column("kinds", JsonText, nullable=False),
    Column("state", Text, nullable=False),
    Column("disabled_reason", Text),
    Column("disabled_at", UtcTime),
    Column("delivered_at", UtcTime),
    created_column(),
    CheckConstraint("format IN ('standard', 'text', 'teams')", name="format"),
    CheckConstraint("state IN ('active', 'disabled')", name="state"),
    Index("ix_webhooks_company", "company_id", "created_at"),
)
"""`sealed` holds the URL, which may itself be a secret, and the signing secret; `delivered_at` the last success."""

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    Column("webhook_id", Text, ForeignKey("webhooks.id", ondelete="CASCADE"), nullable=False),
    Column("kind", Text, nullable=False),
    Column("content", JsonText, nullable=False),
    Column("dedup_key", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("outcome", Text),
    Column("reply", Integer),
    Column("due_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    created_column(),
    CheckConstraint("state IN ('queued', 'delivered', 'refused', 'given_up')", name="state"),
    Index("uq_webhook_deliveries_dedup", "webhook_id", "dedup_key", unique=True),
    Index("ix_webhook_deliveries_due", "state", "due_at"),
    Index("ix_webhook_deliveries_page", "company_id", "created_at"),
)
"""`reply` is the HTTP status of the last attempt, and `outcome` its result as one of our codes."""

work_pauses = Table(
    "work_pauses",
    metadata,
    Column("key", Integer, primary_key=True, autoincrement=False),
    Column("reason", Text, nullable=False),
    created_column(),
    CheckConstraint("key = 1", name="one"),
)
"""One row while the installation's automatic work is paused: it queries no engine and sends no email or webhook."""

nightly_work = Table(
    "nightly_work",
    metadata,
    Column("name", Text, primary_key=True),
    Column("night", Date, nullable=False),
)
"""The last night for which each kind of nightly work was done, by whichever process did it."""
