"""Seals of what a batch stored beside its calculation, so that an altered row is found and named."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def owned(column: str, target: str) -> sa.ForeignKeyConstraint:
    """Return the reference to a row with which this one goes."""
    name = f"fk_batch_seals_{column}_{target.split('.', 1)[0]}"
    return sa.ForeignKeyConstraint([column], [target], name=op.f(name), ondelete="CASCADE")


def upgrade() -> None:
    """Apply; what was stored before has no seal until its brand is read anew."""
    op.create_table(
        "batch_seals",
        sa.Column("batch_key", KEY, autoincrement=False, nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("rows", sa.Integer(), nullable=False),
        sa.Column("checksums", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("signature", sa.Text(), nullable=False),
        owned("batch_key", "run_batches.key"),
        owned("company_id", "companies.id"),
        sa.PrimaryKeyConstraint("batch_key", "subject", name=op.f("pk_batch_seals")),
    )
