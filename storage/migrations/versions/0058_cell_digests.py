"""Each laid out day says the digest of its answers, so that who read it before need not read it again."""

import hashlib

import sqlalchemy as sa
from alembic import op

revision = "0058"
down_revision = "0057"
branch_labels = None
depends_on = None

INDEX, CELLS = "ix_batch_cells_batch", "batch_cells"


def upgrade() -> None:
    """Apply; what is laid out already gets its digests."""
    op.add_column(CELLS, sa.Column("digest", sa.Text(), nullable=False, server_default=""))
    fill_digests(op.get_bind())
    op.drop_index(INDEX, CELLS)
    op.create_index(INDEX, CELLS, ["batch_key", "revision_key", "day", "digest"])


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
