"""What was concluded from single answers: claims held against facts, tones an engine judged, names nobody tracks."""

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, Text

from storage.tables.columns import UtcTime, company_column, created_column, metadata, reference

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
    Column("quote", Text),
    created_column(),
    CheckConstraint("label IN ('positive', 'neutral', 'negative', 'unknown')", name="label"),
)
"""How an engine reads an answer's tone towards the brand; it stands beside the lexicon's and enters no score."""

unknown_names = Table(
    "unknown_names",
    metadata,
    reference("brand_key", "brands.key", primary_key=True),
    Column("name_folded", Text, primary_key=True),
    reference("prompt_key", "prompts.key", primary_key=True),
    company_column(),
    Column("name", Text, nullable=False),
    reference("answer_key", "answers.key"),
    Column("seen_at", UtcTime, nullable=False),
    Index("ix_unknown_names_answer", "answer_key"),
)
"""A name that heads a ranked list beside the brand or a competitor, once for each prompt, with its newest answer."""

name_decisions = Table(
    "name_decisions",
    metadata,
    reference("brand_key", "brands.key", primary_key=True),
    Column("name_folded", Text, primary_key=True),
    company_column(),
    Column("decision", Text, nullable=False),
    Column("decided_at", UtcTime, nullable=False),
    CheckConstraint("decision IN ('confirmed', 'dismissed')", name="decision"),
)
"""What a person said of a suggested competitor."""
