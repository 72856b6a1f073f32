"""Runs, their agents and findings, the credit ledger, reusable agents, and requests that may be repeated."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "agent_instances",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_folded", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_agent_instances_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_agent_instances")),
        sa.UniqueConstraint("id", name=op.f("uq_agent_instances_id")),
    )
    op.create_index("uq_agent_instances_name", "agent_instances", ["company_id", "name_folded"], unique=True)
    op.create_table(
        "idempotency_keys",
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("request_sha256", sa.Text(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_idempotency_keys_company_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("company_id", "key", name=op.f("pk_idempotency_keys")),
    )
    op.create_table(
        "agent_assignments",
        sa.Column("instance_key", KEY, autoincrement=False, nullable=False),
        sa.Column("brand_key", KEY, autoincrement=False, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("schedule", sa.Text(), nullable=True),
        sa.Column("next_run_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_agent_assignments_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_agent_assignments_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["instance_key"],
            ["agent_instances.key"],
            name=op.f("fk_agent_assignments_instance_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("instance_key", "brand_key", name=op.f("pk_agent_assignments")),
    )
    op.create_index("ix_agent_assignments_next", "agent_assignments", ["next_run_at"], unique=False)
    op.create_table(
        "agent_versions",
        sa.Column("instance_key", KEY, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("configuration", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_agent_versions_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["instance_key"],
            ["agent_instances.key"],
            name=op.f("fk_agent_versions_instance_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("instance_key", "version", name=op.f("pk_agent_versions")),
    )
    op.create_table(
        "workflow_runs",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("workflow", sa.Text(), nullable=False),
        sa.Column("instance_key", KEY, nullable=True),
        sa.Column("instance_version", sa.Integer(), nullable=True),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("priority", sa.Text(), nullable=False),
        sa.Column("context", sa.Text(), nullable=True),
        sa.Column("configuration", sa.Text(), nullable=False),
        sa.Column("cost", sa.Integer(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("priority IN ('low', 'normal', 'high')", name=op.f("ck_workflow_runs_priority")),
        sa.CheckConstraint(
            "status IN ('pending', 'running', 'completed', 'partial_complete', 'failed', 'cancelled')",
            name=op.f("ck_workflow_runs_status"),
        ),
        sa.CheckConstraint("cost >= 0", name=op.f("ck_workflow_runs_cost")),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_workflow_runs_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_workflow_runs_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["instance_key"],
            ["agent_instances.key"],
            name=op.f("fk_workflow_runs_instance_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_workflow_runs")),
        sa.UniqueConstraint("id", name=op.f("uq_workflow_runs_id")),
    )
    op.create_index(
        "ix_workflow_runs_company_status", "workflow_runs", ["company_id", "status", "workflow"], unique=False
    )
    op.create_index(
        "ix_workflow_runs_instance", "workflow_runs", ["instance_key", "created_at"], unique=False
    )
    op.create_index(
        "ix_workflow_runs_page", "workflow_runs", ["company_id", "created_at", "key"], unique=False
    )
    op.create_index("ix_workflow_runs_status", "workflow_runs", ["status", "finished_at"], unique=False)
    op.create_table(
        "credit_ledger",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("run_key", KEY, nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("amount", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("(kind = 'grant') = (run_key IS NULL)", name=op.f("ck_credit_ledger_run")),
        sa.CheckConstraint(
            "kind IN ('reserve', 'settle', 'refund', 'grant')", name=op.f("ck_credit_ledger_kind")
        ),
        sa.CheckConstraint("amount >= 0", name=op.f("ck_credit_ledger_amount")),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_credit_ledger_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["run_key"], ["workflow_runs.key"], name=op.f("fk_credit_ledger_run_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_credit_ledger")),
    )
    op.create_index(
        "ix_credit_ledger_period", "credit_ledger", ["company_id", "period", "kind"], unique=False
    )
    op.create_index("uq_credit_ledger_run", "credit_ledger", ["run_key", "kind"], unique=True)
    op.create_table(
        "findings",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("run_key", KEY, nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("fix", sa.Text(), nullable=True),
        sa.Column("effort", sa.Text(), nullable=True),
        sa.Column("check_id", sa.Text(), nullable=True),
        sa.Column("issue_id", sa.Text(), nullable=True),
        sa.CheckConstraint("severity IN ('critical', 'warning', 'info')", name=op.f("ck_findings_severity")),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_findings_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["run_key"], ["workflow_runs.key"], name=op.f("fk_findings_run_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_findings")),
        sa.UniqueConstraint("id", name=op.f("uq_findings_id")),
    )
    op.create_index("uq_findings_ordinal", "findings", ["run_key", "agent", "ordinal"], unique=True)
    op.create_table(
        "run_agents",
        sa.Column("run_key", KEY, autoincrement=False, nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("price", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("done", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("summary", sa.Text(), nullable=True),
        sa.Column("output", sa.Text(), nullable=True),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("started_at", sa.BigInteger(), nullable=True),
        sa.Column("finished_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "status IN ('pending', 'running', 'completed', 'failed', 'skipped', 'cancelled')",
            name=op.f("ck_run_agents_status"),
        ),
        sa.CheckConstraint("price >= 0", name=op.f("ck_run_agents_price")),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f("fk_run_agents_company_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["run_key"], ["workflow_runs.key"], name=op.f("fk_run_agents_run_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("run_key", "agent", name=op.f("pk_run_agents")),
    )


def downgrade() -> None:
    """Migrations go forward only; a backup is the way back."""
    raise RuntimeError("restore a backup instead")
