"""Reports of brands that are shared by a link."""

from sqlalchemy import Column, Index, Table, Text

from storage.statements.tables.accounts import user_column
from storage.statements.tables.columns import (
    JsonText,
    UtcTime,
    company_column,
    created_column,
    metadata,
    reference,
)

shared_reports = Table(
    "shared_reports",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("digest", Text, nullable=False, unique=True),
    Column("report", JsonText, nullable=False),
    user_column("shared_by", nullable=True, kept=True),
    Column("expires_at", UtcTime, nullable=False),
    created_column(),
    Index("ix_shared_reports_company", "company_id", "created_at"),
    Index("ix_shared_reports_brand", "brand_key"),
)
"""One report as it was when it was shared; of the link's token only a keyed digest is kept."""
