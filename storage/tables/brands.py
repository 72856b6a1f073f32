"""What is watched: brands, how they may be written, what they own, against whom, what they publish."""

from sqlalchemy import Boolean, CheckConstraint, Column, Index, Integer, Table, Text

from storage.tables.columns import (
    JsonText,
    Key,
    UtcTime,
    company_column,
    created_column,
    id_column,
    key_column,
    metadata,
    reference,
)

brands = Table(
    "brands",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    Column("name", Text, nullable=False),
    Column("name_folded", Text, nullable=False),
    Column("industry", Text),
    Column("website", Text),
    Column("voice", Text),
    Column("keywords", JsonText, nullable=False),
    Column("target_audience", Text),
    Column("category_words", JsonText, nullable=False, server_default="[]"),
    Column("facts", JsonText, nullable=False, server_default="{}"),
    Column("revision_key", Key),
    Column("simulations", Integer, nullable=False, server_default="0"),
    Column("parsing", Integer, nullable=False, server_default="0"),
    Column("archived_at", UtcTime),
    Column("delete_at", UtcTime),
    created_column(),
    Column("updated_at", UtcTime, nullable=False),
    Index("uq_brands_name", "company_id", "name_folded", unique=True),
)

competitors = Table(
    "competitors",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("name", Text, nullable=False),
    Column("name_folded", Text, nullable=False),
    created_column(),
    Column("dropped_at", UtcTime),
    Index("uq_competitors_name", "brand_key", "name_folded", unique=True),
)

brand_aliases = Table(
    "brand_aliases",
    metadata,
    key_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    reference("competitor_key", "competitors.key", nullable=True),
    Column("text", Text, nullable=False),
    Column("exact_case", Boolean, nullable=False),
    Column("ambiguous", Boolean, nullable=True),
    Column("negative", Boolean, nullable=False),
    Index("ix_brand_aliases_brand", "brand_key"),
)

brand_domains = Table(
    "brand_domains",
    metadata,
    key_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    reference("competitor_key", "competitors.key", nullable=True),
    Column("value", Text, nullable=False),
    Index("ix_brand_domains_brand", "brand_key"),
)

repository_items = Table(
    "repository_items",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("category", Text, nullable=False),
    Column("url", Text),
    Column("title_words", Text, nullable=False),
    Column("body_words", Text, nullable=False),
    # What a run drafted for: the next draft for the same takes its place while it is unchanged.
    Column("draft_key", Text),
    Column("written_sha256", Text),
    # What it was written from: the lost question, what engines say and cite, and the facts that answer it.
    Column("brief", JsonText),
    # The facts that its writer saw, and its sentences with their states.
    Column("review", JsonText),
    created_column(),
    Column("updated_at", UtcTime, nullable=False),
    Index("ix_repository_items_page", "brand_key", "updated_at", "key"),
    Index("ix_repository_items_category", "brand_key", "category", "updated_at", "key"),
)

analysis_revisions = Table(
    "analysis_revisions",
    metadata,
    key_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("versions", JsonText, nullable=False),
    Column("fingerprint", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("parsing", Integer, nullable=False, server_default="0"),
    created_column(),
    Column("replaced_at", UtcTime),
    CheckConstraint("state IN ('building', 'current', 'retired')", name="state"),
    Index("ix_analysis_revisions_brand", "brand_key", "fingerprint"),
)
