"""Indices that pages read instead of rows, and the digest of each laid out day, by which its results are kept."""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None

CELLS = "batch_cells"
WIDENED = {
    "ix_batch_cells_batch": (CELLS, ["batch_key", "revision_key", "day", "digest"]),
    "ix_answers_prompt": ("answers", ["prompt_key", "captured_at", "key"]),
}
"""Indices that begin with the column that they had alone."""


def upgrade() -> None:
    """Apply; what is laid out already gets its digests."""
    op.create_index("ix_simulations_platform", "simulations", ["company_id", "platform"])
    op.create_index("ix_simulations_country", "simulations", ["company_id", "country"])
    op.add_column(CELLS, sa.Column("digest", sa.Text(), nullable=False, server_default=""))
    fill_digests(op.get_bind())
    for name, (table, columns) in WIDENED.items():
        op.drop_index(name, table)
        op.create_index(name, table, columns)


def fill_digests(connection: sa.Connection) -> None:
    """Write the digest of each day, the days of one batch at a time."""
    cells = sa.table(
        CELLS,
        sa.column("revision_key", sa.BigInteger()),
        sa.column("batch_key", sa.BigInteger()),
        sa.column("day", sa.Date()),
        sa.column("cells", sa.LargeBinary()),
        sa.column("digest", sa.Text()),
    )
    column = cells.c
    same = (column.revision_key == sa.bindparam("of_revision", type_=sa.BigInteger())) & (
        column.batch_key == sa.bindparam("of_batch", type_=sa.BigInteger())
    )
    of_day = column.day == sa.bindparam("of_day", type_=sa.Date())
    stored = sa.select(column.day, column.cells).where(same)
    written = sa.update(cells).where(same, of_day).values(digest=sa.bindparam("found", type_=sa.Text()))
    batches = connection.execute(sa.select(column.revision_key, column.batch_key).distinct()).all()
    for revision, batch in batches:
        place = {"of_revision": revision, "of_batch": batch}
        connection.execute(
            written,
            [
                {**place, "of_day": day, "found": hashlib.sha256(packed).hexdigest()}
                for day, packed in connection.execute(stored, place)
            ],
        )
