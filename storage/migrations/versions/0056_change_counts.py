"""Changes of each company's rows are counted, so that what was read of them is told again until there is one."""

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; nothing has been counted before, and nobody keeps anything of before."""
    op.create_table(
        "change_counts",
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("slot", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("changes", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("company_id", "slot", name=op.f("pk_change_counts")),
        sqlite_with_rowid=False,
    )
