"""What was read in the answers of a batch also tells of competitors, in documents that say their version."""

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply; what stood in the old form goes, and is laid out anew when a batch of its brand is published."""
    op.drop_table("batch_cells")
    op.create_table(
        "batch_cells",
        sa.Column("revision_key", KEY, autoincrement=False, nullable=False),
        sa.Column("batch_key", KEY, autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("cells", sa.LargeBinary(), nullable=False),
        sa.Column("rivals", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["batch_key"],
            ["run_batches.key"],
            name=op.f("fk_batch_cells_batch_key_run_batches"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_batch_cells_company_id_companies"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("revision_key", "batch_key", "day", name=op.f("pk_batch_cells")),
    )
    op.create_index("ix_batch_cells_batch", "batch_cells", ["batch_key"])
