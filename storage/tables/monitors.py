"""When each monitor checks a brand, and what it found each time."""

from sqlalchemy import CheckConstraint, Column, Index, Table, Text

from storage.tables.columns import (
    JsonText,
    UtcTime,
    company_column,
    created_column,
    id_column,
    key_column,
    metadata,
    reference,
)

monitor_schedules = Table(
    "monitor_schedules",
    metadata,
    reference("brand_key", "brands.key", primary_key=True),
    Column("script", Text, primary_key=True),
    company_column(),
    Column("next_run_at", UtcTime, nullable=False),
    Column("awaited_since", UtcTime),
    created_column(),
    Index("ix_monitor_schedules_next", "next_run_at"),
)
"""`awaited_since` is the first slot that was queued after the last result; NULL when nothing is under way."""

monitor_results = Table(
    "monitor_results",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("script", Text, nullable=False),
    Column("slot", UtcTime, nullable=False),
    Column("status", Text, nullable=False),
    Column("error_code", Text),
    Column("metrics", JsonText, nullable=False),
    Column("memory", JsonText, nullable=False),
    Column("started_at", UtcTime, nullable=False),
    Column("finished_at", UtcTime, nullable=False),
    CheckConstraint("status IN ('ok', 'issues', 'error', 'skipped')", name="status"),
    Index("uq_monitor_results_slot", "brand_key", "script", "slot", unique=True),
    Index("ix_monitor_results_latest", "brand_key", "script", "finished_at", "key"),
)
"""`memory` is what the next check compares with."""
