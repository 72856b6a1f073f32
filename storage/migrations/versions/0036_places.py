"""More of where a prompt set is asked from: region, time zone, and on what it would be read."""

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; no stored row changes."""
    for name in ("region", "timezone", "device"):
        op.add_column("prompt_sets", sa.Column(name, sa.Text(), nullable=True))
