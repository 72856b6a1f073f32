"""Since when a brand is put away: it keeps its history, and nothing asks about it by a schedule."""

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; no brand is put away."""
    op.add_column("brands", sa.Column("archived_at", sa.BigInteger(), nullable=True))
