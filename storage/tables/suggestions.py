"""Names that answers put beside a brand: proposed to people, who track them or dismiss them."""

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, Text

from storage.tables.columns import (
    JsonText,
    UtcTime,
    company_column,
    id_column,
    key_column,
    metadata,
    reference,
)

competitor_suggestions = Table(
    "competitor_suggestions",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("name", Text, nullable=False),
    Column("name_folded", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("prompts", Integer, nullable=False),
    Column("beside", Integer, nullable=False),
    Column("platforms", JsonText, nullable=False),
    Column("evidence", JsonText, nullable=False),
    Column("method", Text, nullable=False),
    Column("first_seen", UtcTime, nullable=False),
    Column("last_seen", UtcTime, nullable=False),
    Column("decided_at", UtcTime),
    CheckConstraint("state IN ('suggested', 'confirmed', 'dismissed')", name="state"),
    Index("uq_competitor_suggestions_name", "brand_key", "name_folded", unique=True),
)

suggestion_looks = Table(
    "suggestion_looks",
    metadata,
    reference("brand_key", "brands.key", primary_key=True),
    company_column(),
    Column("fingerprint", Text, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("looked_at", UtcTime, nullable=False),
)
"""What the suggestions of a brand rest on; an equal fingerprint finds the same names again."""
