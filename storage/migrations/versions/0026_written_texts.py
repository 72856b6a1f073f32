"""Texts that engines wrote for agents of runs, kept so that a repeated agent does not ask again."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "written_texts",
        sa.Column(
            "run_key",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.ForeignKey("workflow_runs.key", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("agent", sa.Text(), primary_key=True),
        sa.Column("ordinal", sa.Integer(), primary_key=True),
        sa.Column("company_id", sa.Text(), sa.ForeignKey("companies.id", ondelete="CASCADE"), nullable=False),
        sa.Column("question_sha256", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
    )
