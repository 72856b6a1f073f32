"""How each channel of a batch behaved, which separates a fault of the instrument from a change of the brand."""

from sqlalchemy import Boolean, Column, Index, Integer, Table, Text

from storage.tables.columns import JsonText, company_column, created_column, metadata, reference

channel_health = Table(
    "channel_health",
    metadata,
    reference("batch_key", "run_batches.key", primary_key=True),
    Column("platform", Text, primary_key=True),
    Column("mode", Text, primary_key=True),
    Column("country", Text, primary_key=True),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("planned", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("valid", Integer, nullable=False),
    Column("answered", Integer, nullable=False),
    Column("searched", Integer, nullable=False),
    Column("measurable", Integer, nullable=False),
    Column("citing", Integer, nullable=False),
    Column("truncated", Integer, nullable=False),
    Column("served_models", JsonText, nullable=False),
    Column("median_latency_ms", Integer),
    Column("no_credential", Boolean, nullable=False),
    Column("alerts", JsonText, nullable=False),
    created_column(),
    Index("ix_channel_health_latest", "brand_key", "platform", "mode", "country", "created_at"),
)
