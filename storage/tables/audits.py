"""Audits of matching: samples of answers that a person labels, and the labels."""

from sqlalchemy import BigInteger, Boolean, CheckConstraint, Column, Index, Table, Text

from storage.tables.columns import (
    UtcTime,
    company_column,
    created_column,
    id_column,
    key_column,
    metadata,
    reference,
)

mention_audits = Table(
    "mention_audits",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    reference("revision_key", "analysis_revisions.key"),
    Column("seed", BigInteger, nullable=False),
    created_column(),
    Index("ix_mention_audits_brand", "brand_key"),
)
"""One sample, drawn from what a revision read; the seed draws the same answers from the same ones again."""

mention_labels = Table(
    "mention_labels",
    metadata,
    reference("audit_key", "mention_audits.key", primary_key=True),
    reference("answer_key", "answers.key", primary_key=True),
    company_column(),
    Column("read_as_named", Boolean, nullable=False),
    Column("read_tone", Text),
    Column("named", Boolean),
    Column("tone", Text),
    Column("labeled_at", UtcTime),
    CheckConstraint("tone IS NULL OR tone IN ('positive', 'neutral', 'negative')", name="tone"),
)
"""What the matcher read in an answer of a sample, and what a person says of it; null until then."""
