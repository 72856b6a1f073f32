"""Workflows that companies made themselves with every version, and the version that a run was started with."""

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply; no company has a workflow of its own, and runs before it were of ours."""
    op.create_table(
        "custom_workflows",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("workflow", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("archived_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_custom_workflows_company_id_companies"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_custom_workflows")),
    )
    op.create_index(
        "uq_custom_workflows_workflow", "custom_workflows", ["company_id", "workflow"], unique=True
    )
    op.create_table(
        "custom_workflow_versions",
        sa.Column("workflow_key", KEY, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("definition", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["workflow_key"],
            ["custom_workflows.key"],
            name=op.f("fk_custom_workflow_versions_workflow_key_custom_workflows"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_custom_workflow_versions_company_id_companies"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("workflow_key", "version", name=op.f("pk_custom_workflow_versions")),
    )
    op.create_index("ix_custom_workflow_versions_company", "custom_workflow_versions", ["company_id"])
    op.add_column("workflow_runs", sa.Column("workflow_version", sa.Integer(), nullable=True))
