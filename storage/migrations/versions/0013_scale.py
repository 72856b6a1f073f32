"""What keeps reads as quick at millions of answers: a counter and three indices."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

RANKED = sa.text("entity_key = 0 AND rank IS NOT NULL")


def upgrade() -> None:
    """Apply."""
    op.add_column("brands", sa.Column("simulations", sa.Integer(), nullable=False, server_default="0"))
    op.execute(
        "UPDATE brands SET simulations = (SELECT count(*) FROM simulations WHERE brand_key = brands.key)"
    )
    op.create_index("ix_daily_rollups_day", "daily_rollups", ["revision_key", "day"])
    op.create_index(
        "ix_daily_rollups_named",
        "daily_rollups",
        ["revision_key", "entity_key", "day", "channel_key", "named"],
    )
    op.create_index(
        "ix_mentions_rank",
        "mentions",
        ["revision_key", "channel_key", "rank"],
        sqlite_where=RANKED,
        postgresql_where=RANKED,
    )
