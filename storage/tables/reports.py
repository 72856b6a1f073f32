"""Content that companies share by link: reports of brands, and pages of their sites."""

from sqlalchemy import Column, Index, Table, Text

from storage.tables.accounts import user_column
from storage.tables.columns import (
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
"""One report as it was when it was shared; only a keyed digest of the link's token is stored."""

site_pages = Table(
    "site_pages",
    metadata,
    Column("slug", Text, primary_key=True),
    company_column(),
    Column("heading", Text, nullable=False),
    created_column(),
    Index("uq_site_pages_company", "company_id", unique=True),
)
"""The public page of a company's sites; anyone with its URL can read it until the company removes it."""

site_page_brands = Table(
    "site_page_brands",
    metadata,
    reference("brand_key", "brands.key", primary_key=True),
    company_column(),
    Index("ix_site_page_brands_company", "company_id"),
)
"""The brands whose sites are on their company's page."""
