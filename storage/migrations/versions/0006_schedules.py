"""Schedules of prompt sets, competitors that may come back, and indexes for what came last."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("prompt_sets", sa.Column("description", sa.Text(), nullable=True))
    op.add_column("prompt_sets", sa.Column("next_run_at", sa.BigInteger(), nullable=True))
    op.add_column("competitors", sa.Column("dropped_at", sa.BigInteger(), nullable=True))
    op.create_index("ix_prompt_sets_next", "prompt_sets", ["next_run_at"])
    op.create_index("ix_run_batches_prompt_set", "run_batches", ["prompt_set_key", "key"])
    op.create_index("ix_workflow_runs_brand", "workflow_runs", ["brand_key", "key"])
