"""When a company is deleted with everything that is its own."""

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0049"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; no company is to be deleted."""
    op.add_column("companies", sa.Column("delete_at", sa.BigInteger(), nullable=True))
