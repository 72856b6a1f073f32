"""What was calculated: scores with their receipts, points of a trend, counts of a day."""

from sqlalchemy import CheckConstraint, Column, Date, Float, Index, Integer, Table, Text

from storage.tables.columns import (
    Key,
    PackedJson,
    UtcTime,
    company_column,
    id_column,
    key_column,
    metadata,
    reference,
)

score_calculations = Table(
    "score_calculations",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("revision_key", Key, nullable=False),
    reference("batch_key", "run_batches.key"),
    Column("receipt_id", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("score", Float),
    Column("headline", PackedJson, nullable=False),
    Column("platforms", PackedJson, nullable=False),
    Column("rankings", PackedJson, nullable=False),
    Column("receipt", PackedJson, nullable=False),
    Column("replay_of", Key),
    Column("calculated_at", UtcTime, nullable=False),
    Column("signature", Text, nullable=False),
    CheckConstraint("status IN ('measured', 'insufficient_data', 'not_measured')", name="status"),
    Index("uq_score_calculations_batch", "revision_key", "batch_key", unique=True),
    Index("ix_score_calculations_latest", "brand_key", "revision_key", "calculated_at", "key"),
    Index("ix_score_calculations_receipt", "company_id", "receipt_id"),
)

country_calculations = Table(
    "country_calculations",
    metadata,
    key_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("revision_key", Key, nullable=False),
    reference("batch_key", "run_batches.key"),
    Column("country", Text, nullable=False),
    Column("headline", PackedJson, nullable=False),
    Column("platforms", PackedJson, nullable=False),
    Column("rankings", PackedJson, nullable=False),
    Column("calculated_at", UtcTime, nullable=False),
    Index("uq_country_calculations_batch", "revision_key", "batch_key", "country", unique=True),
    Index("ix_country_calculations_latest", "brand_key", "revision_key", "country", "calculated_at", "key"),
    Index("ix_country_calculations_company", "company_id", "country"),
)
"""The same result over the channels of one country that the batch asked from; the receipt is the batch's."""

metric_points = Table(
    "metric_points",
    metadata,
    Column("revision_key", Key, primary_key=True, autoincrement=False),
    Column("metric", Text, primary_key=True),
    Column("channel_key", Key, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    reference("batch_key", "run_batches.key", primary_key=True),
    Column("value", Float, nullable=False),
    Column("samples", Integer, nullable=False),
    Column("low", Float),
    Column("high", Float),
    Column("prompts_low", Float),
    Column("prompts_high", Float),
    Column("noise_source", Text),
    sqlite_with_rowid=False,
)
"""One value of one metric of one batch; channel 0 is all channels together, one without a platform all of a country.

`low` and `high` are the interval of all such questions, `prompts_low` and `prompts_high` that of the same prompts.
"""

daily_rollups = Table(
    "daily_rollups",
    metadata,
    Column("revision_key", Key, primary_key=True, autoincrement=False),
    Column("entity_key", Key, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    Column("channel_key", Key, primary_key=True, autoincrement=False),
    Column("valid", Integer, nullable=False),
    Column("named", Integer, nullable=False),
    Column("scored_valid", Integer, nullable=False),
    Column("scored_named", Integer, nullable=False),
    Column("ranked", Integer, nullable=False),
    Column("rank_sum", Integer, nullable=False),
    Column("measurable", Integer, nullable=False),
    Column("cited_own", Integer, nullable=False),
    Index("ix_daily_rollups_day", "revision_key", "day"),
    Index("ix_daily_rollups_named", "revision_key", "entity_key", "day", "channel_key", "named"),
)
"""Counts of one day, channel and entity over successful batches, recounted when one of them changes."""

competitor_points = Table(
    "competitor_points",
    metadata,
    Column("revision_key", Key, primary_key=True, autoincrement=False),
    Column("day", Date, primary_key=True),
    reference("batch_key", "run_batches.key", primary_key=True),
    company_column(),
    Column("points", PackedJson, nullable=False),
    Index("ix_competitor_points_batch", "batch_key"),
    sqlite_with_rowid=False,
)
"""The metrics of all competitors in one batch on one day, by metric and country: a document, because they are many."""

batch_seals = Table(
    "batch_seals",
    metadata,
    reference("batch_key", "run_batches.key", primary_key=True),
    Column("subject", Text, primary_key=True),
    company_column(),
    Column("rows", Integer, nullable=False),
    Column("checksums", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("signature", Text, nullable=False),
)
"""What a batch stored beside its calculation, sealed when it was stored: a digest of all rows of a subject.

`checksums` are eight hexadecimal digits for each row in order, so that an altered one can be named.
"""
