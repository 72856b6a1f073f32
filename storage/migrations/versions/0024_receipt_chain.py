"""Signatures of receipts, so that a stored result cannot be replaced by who has only the database."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; what was calculated before has no signature."""
    op.add_column("score_calculations", sa.Column("signature", sa.Text(), nullable=False, server_default=""))
