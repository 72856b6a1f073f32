"""Annotations: what people say happened on a day, shown on the charts of a brand."""

from sqlalchemy import Column, Date, Index, Table, Text

from storage.tables.accounts import user_column
from storage.tables.columns import company_column, created_column, metadata, reference

annotations = Table(
    "annotations",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("day", Date, nullable=False),
    Column("text", Text, nullable=False),
    user_column("created_by", nullable=True, kept=True),
    created_column(),
    Index("ix_annotations_brand", "brand_key", "day"),
    Index("ix_annotations_company", "company_id"),
)
