"""Workflows that companies made themselves: one row each, and every version that it had."""

from sqlalchemy import Column, Index, Integer, Table, Text

from storage.tables.columns import (
    JsonText,
    UtcTime,
    company_column,
    created_column,
    key_column,
    metadata,
    reference,
)

custom_workflows = Table(
    "custom_workflows",
    metadata,
    key_column(),
    company_column(),
    Column("workflow", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("archived_at", UtcTime),
    created_column(),
    Column("updated_at", UtcTime, nullable=False),
    Index("uq_custom_workflows_workflow", "company_id", "workflow", unique=True),
)
"""`workflow` is the id that runs bear too."""

custom_workflow_versions = Table(
    "custom_workflow_versions",
    metadata,
    reference("workflow_key", "custom_workflows.key", primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    company_column(),
    Column("definition", JsonText, nullable=False),
    created_column(),
    Index("ix_custom_workflow_versions_company", "company_id"),
)
"""Append only."""
