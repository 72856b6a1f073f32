"""Where a redirect address leads, and whether a later parser could tell what an answer cites."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column("citations", sa.Column("site", sa.Text(), nullable=True))
    op.add_column(
        "reparsed_answers",
        sa.Column("citations_known", sa.Boolean(), nullable=False, server_default=sa.true()),
    )
