"""Whether a name is ambiguous is a person's decision or open, and then the lists of homonyms decide."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    with op.batch_alter_table("brand_aliases") as table:
        table.alter_column("ambiguous", existing_type=sa.Boolean(), nullable=True)
    op.execute("UPDATE brand_aliases SET ambiguous = NULL WHERE ambiguous = FALSE")
