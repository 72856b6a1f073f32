"""What was started and what it cost: runs, their agents and findings, the credit ledger, repeated requests."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Table, Text

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

workflow_runs = Table(
    "workflow_runs",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("workflow", Text, nullable=False),
    reference("instance_key", "agent_instances.key", nullable=True),
    Column("instance_version", Integer),
    Column("workflow_version", Integer),
    Column("status", Text, nullable=False),
    Column("priority", Text, nullable=False),
    Column("context", Text),
    Column("configuration", JsonText, nullable=False),
    Column("cost", Integer, nullable=False),
    Column("period", Text, nullable=False),
    Column("error_code", Text),
    created_column(),
    Column("started_at", UtcTime),
    Column("finished_at", UtcTime),
    CheckConstraint(
        "status IN ('pending', 'running', 'completed', 'partial_complete', 'failed', 'cancelled')",
        name="status",
    ),
    CheckConstraint("priority IN ('low', 'normal', 'high')", name="priority"),
    CheckConstraint("cost >= 0", name="cost"),
    Index("ix_workflow_runs_page", "company_id", "created_at", "key"),
    Index("ix_workflow_runs_status", "status", "finished_at"),
    Index("ix_workflow_runs_company_status", "company_id", "status", "workflow"),
    Index("ix_workflow_runs_instance", "instance_key", "created_at"),
    Index("ix_workflow_runs_brand", "brand_key", "key"),
)

run_agents = Table(
    "run_agents",
    metadata,
    reference("run_key", "workflow_runs.key", primary_key=True),
    Column("agent", Text, primary_key=True),
    company_column(),
    Column("position", Integer, nullable=False),
    Column("price", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("done", Integer),
    Column("total", Integer),
    Column("summary", Text),
    Column("output", JsonText),
    Column("error_code", Text),
    Column("started_at", UtcTime),
    Column("finished_at", UtcTime),
    CheckConstraint(
        "status IN ('pending', 'running', 'completed', 'failed', 'skipped', 'cancelled')", name="status"
    ),
    CheckConstraint("price >= 0", name="price"),
)
"""One row for each agent of a run; its output is written in the transaction that completes it."""

written_texts = Table(
    "written_texts",
    metadata,
    reference("run_key", "workflow_runs.key", primary_key=True),
    Column("agent", Text, primary_key=True),
    Column("ordinal", Integer, primary_key=True),
    company_column(),
    Column("question_sha256", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("model", Text, nullable=False),
)
"""What an engine wrote for an agent: stored at once, so that a repeated agent does not ask for it again."""

findings = Table(
    "findings",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("run_key", "workflow_runs.key"),
    Column("agent", Text, nullable=False),
    Column("ordinal", Integer, nullable=False),
    Column("severity", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("detail", Text, nullable=False),
    Column("evidence", JsonText, nullable=False),
    Column("fix", Text),
    Column("effort", Text),
    Column("check_id", Text),
    Column("issue_id", Text),
    CheckConstraint("severity IN ('critical', 'warning', 'info')", name="severity"),
    Index("uq_findings_ordinal", "run_key", "agent", "ordinal", unique=True),
)

credit_ledger = Table(
    "credit_ledger",
    metadata,
    key_column(),
    company_column(),
    Column("period", Text, nullable=False),
    reference("run_key", "workflow_runs.key", nullable=True),
    Column("kind", Text, nullable=False),
    Column("amount", Integer, nullable=False),
    created_column(),
    CheckConstraint("kind IN ('reserve', 'settle', 'refund', 'grant')", name="kind"),
    CheckConstraint("amount >= 0", name="amount"),
    CheckConstraint("kind <> 'grant' OR run_key IS NULL", name="run"),
    Index("uq_credit_ledger_run", "run_key", "kind", unique=True),
    Index("ix_credit_ledger_period", "company_id", "period", "kind"),
)
"""Append only. Each run has one reserve, and one settle and one refund when it is closed; they stay without their run
when its brand is deleted.
"""

idempotency_keys = Table(
    "idempotency_keys",
    metadata,
    Column("company_id", Text, ForeignKey("companies.id", ondelete="CASCADE"), primary_key=True),
    Column("key", Text, primary_key=True),
    Column("request_sha256", Text, nullable=False),
    Column("answer", JsonText, nullable=False),
    created_column(),
)
