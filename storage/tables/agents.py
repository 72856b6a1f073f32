"""Reusable agents: an instance, every configuration it had, and the brands it works for."""

from sqlalchemy import Column, Index, Integer, Table, Text

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

agent_instances = Table(
    "agent_instances",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    Column("name", Text, nullable=False),
    Column("name_folded", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("archived_at", UtcTime),
    created_column(),
    Column("updated_at", UtcTime, nullable=False),
    Index("uq_agent_instances_name", "company_id", "name_folded", unique=True),
)

agent_versions = Table(
    "agent_versions",
    metadata,
    reference("instance_key", "agent_instances.key", primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    company_column(),
    Column("configuration", JsonText, nullable=False),
    created_column(),
)
"""A run keeps the version it started with."""

agent_assignments = Table(
    "agent_assignments",
    metadata,
    reference("instance_key", "agent_instances.key", primary_key=True),
    reference("brand_key", "brands.key", primary_key=True),
    company_column(),
    Column("schedule", Text),
    Column("next_run_at", UtcTime),
    created_column(),
    Index("ix_agent_assignments_next", "next_run_at"),
)
