"""On SQLite, the points of a trend lie beside each other: reading a month costs a page or two, not one for each day."""

import sqlalchemy as sa
from alembic import op

from storage.statements.tables.columns import Key

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; PostgreSQL keeps its table as it is."""
    if op.get_bind().dialect.name != "sqlite":
        return
    op.create_table(
        "metric_points_clustered",
        sa.Column("revision_key", Key, autoincrement=False, nullable=False),
        sa.Column("metric", sa.Text(), nullable=False),
        sa.Column("channel_key", Key, autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("batch_key", Key, nullable=False),
        sa.Column("value", sa.Float(), nullable=False),
        sa.Column("samples", sa.Integer(), nullable=False),
        sa.Column("low", sa.Float(), nullable=True),
        sa.Column("high", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(
            ["batch_key"], ["run_batches.key"], name=op.f("fk_metric_points_batch_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint(
            "revision_key", "metric", "channel_key", "day", "batch_key", name=op.f("pk_metric_points")
        ),
        sqlite_with_rowid=False,
    )
    columns = "revision_key, metric, channel_key, day, batch_key, value, samples, low, high"
    op.execute(
        f"INSERT INTO metric_points_clustered ({columns}) SELECT {columns} FROM metric_points ORDER BY 1, 2, 3, 4, 5"
    )
    op.drop_table("metric_points")
    op.rename_table("metric_points_clustered", "metric_points")
