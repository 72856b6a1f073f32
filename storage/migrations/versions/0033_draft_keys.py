"""A draft of a run knows what it was written for and as what, so that the next one takes its place."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("repository_items", sa.Column("draft_key", sa.Text()))
    op.add_column("repository_items", sa.Column("written_sha256", sa.Text()))
