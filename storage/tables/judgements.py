"""What was concluded from single answers: claims held against facts, and judgments by an engine."""

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, Text

from storage.tables.columns import company_column, created_column, metadata, reference

answer_claims = Table(
    "answer_claims",
    metadata,
    reference("answer_key", "answers.key", primary_key=True),
    Column("ordinal", Integer, primary_key=True, autoincrement=False),
    company_column(),
    Column("kind", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("method", Text, nullable=False),
    Column("claim", Text, nullable=False),
    Column("fact", Text),
    Column("source", Text),
    CheckConstraint("verdict IN ('supported', 'contradicted', 'unverifiable')", name="verdict"),
)
"""One row for each claim about the brand; `claim` and `fact` are the two texts side by side."""

tone_judgements = Table(
    "tone_judgements",
    metadata,
    reference("answer_key", "answers.key", primary_key=True),
    Column("method", Text, primary_key=True),
    company_column(),
    Column("label", Text, nullable=False),
    Column("recommendation", Text),
    Column("quote", Text),
    created_column(),
    CheckConstraint("label IN ('positive', 'neutral', 'negative', 'unknown')", name="label"),
    CheckConstraint(
        "recommendation IN ('recommended', 'mentioned', 'warned_against')", name="recommendation"
    ),
    Index("ix_tone_judgements_company", "company_id"),
)
"""How an engine judges what an answer says of the brand: its tone, and whether it recommends it; no part of a score."""
