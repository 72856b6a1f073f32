"""Where questions are asked from: country, language and city of prompts, channels and answers; and clipped answers."""

import sqlalchemy as sa
from alembic import op

from storage.statements.tables.columns import Key, UtcTime

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

HEALTH_COUNTS = (
    *("planned", "failed", "refused", "valid", "answered", "searched"),
    *("measurable", "citing"),
)
OWNERS = {"batch_key": "run_batches.key", "company_id": "companies.id", "brand_key": "brands.key"}


def upgrade() -> None:
    """Apply."""
    op.add_column("prompt_sets", sa.Column("countries", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("prompt_sets", sa.Column("language", sa.Text(), nullable=True))
    op.add_column("prompt_sets", sa.Column("city", sa.Text(), nullable=True))
    op.add_column("prompts", sa.Column("country", sa.Text(), nullable=True))
    op.add_column("prompts", sa.Column("city", sa.Text(), nullable=True))
    op.add_column("simulations", sa.Column("country", sa.Text(), nullable=False, server_default=""))
    op.add_column("simulations", sa.Column("not_supported", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("answers", sa.Column("language", sa.Text(), nullable=True))
    op.add_column("answers", sa.Column("city", sa.Text(), nullable=True))
    op.add_column("answers", sa.Column("not_supported", sa.Text(), nullable=False, server_default="[]"))
    op.add_column("answers", sa.Column("clipped", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("channels", sa.Column("country", sa.Text(), nullable=False, server_default=""))
    op.drop_index("uq_channels", "channels")
    op.create_index("uq_channels", "channels", ["platform", "mode", "source", "country"], unique=True)
    rebuild_channel_health()


def rebuild_channel_health() -> None:
    """Make the country a part of the key of channel_health and keep its rows."""
    op.execute("CREATE TABLE kept_channel_health AS SELECT * FROM channel_health")
    op.drop_table("channel_health")
    op.create_table(
        "channel_health",
        sa.Column("batch_key", Key, autoincrement=False, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("mode", sa.Text(), nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", Key, nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in HEALTH_COUNTS),
        sa.Column("truncated", sa.Integer(), nullable=False),
        sa.Column("served_models", sa.Text(), nullable=False),
        sa.Column("median_latency_ms", sa.Integer(), nullable=True),
        sa.Column("no_credential", sa.Boolean(), nullable=False),
        sa.Column("alerts", sa.Text(), nullable=False),
        sa.Column("created_at", UtcTime, nullable=False),
        *(
            sa.ForeignKeyConstraint(
                [column], [target], name=op.f(f"fk_channel_health_{column}"), ondelete="CASCADE"
            )
            for column, target in OWNERS.items()
        ),
        sa.PrimaryKeyConstraint("batch_key", "platform", "mode", "country", name=op.f("pk_channel_health")),
    )
    kept = ", ".join(
        (
            *("batch_key", "platform", "mode", "company_id", "brand_key", *HEALTH_COUNTS),
            *("served_models", "median_latency_ms", "no_credential", "alerts", "created_at"),
        )
    )
    op.execute(
        f"INSERT INTO channel_health ({kept}, country, truncated) SELECT {kept}, '', 0 FROM kept_channel_health"
    )
    op.drop_table("kept_channel_health")
    op.create_index(
        "ix_channel_health_latest",
        "channel_health",
        ["brand_key", "platform", "mode", "country", "created_at"],
    )
