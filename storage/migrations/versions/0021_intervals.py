"""Trend points hold both intervals; a mention holds where in the text its first span starts."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; positions are filled when the answers are read anew, which another version of the reader causes."""
    op.add_column("metric_points", sa.Column("prompts_low", sa.Float(), nullable=True))
    op.add_column("metric_points", sa.Column("prompts_high", sa.Float(), nullable=True))
    op.add_column("metric_points", sa.Column("noise_source", sa.Text(), nullable=True))
    op.add_column("mentions", sa.Column("position", sa.Float(), nullable=False, server_default=sa.text("0")))
    op.drop_column("mentions", "early")
