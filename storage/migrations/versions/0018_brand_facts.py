"""Facts and category words of a brand's profile, as its owner states them."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; brands that are there state no facts."""
    op.add_column("brands", sa.Column("category_words", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("brands", sa.Column("facts", sa.Text(), nullable=False, server_default="{}"))
