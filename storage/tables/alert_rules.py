"""Alert rules: the limits that people set for a metric of a brand."""

from sqlalchemy import Boolean, CheckConstraint, Column, Float, Index, Table, Text

from storage.tables.accounts import user_column
from storage.tables.columns import company_column, created_column, metadata, reference

alert_rules = Table(
    "alert_rules",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("metric", Text, nullable=False),
    Column("direction", Text, nullable=False),
    Column("threshold", Float, nullable=False),
    Column("email", Boolean, nullable=False),
    Column("crossed", Boolean, nullable=False),
    user_column("created_by", nullable=True, kept=True),
    created_column(),
    CheckConstraint("direction IN ('below', 'above')", name="direction"),
    Index("ix_alert_rules_brand", "brand_key"),
    Index("ix_alert_rules_company", "company_id"),
)
"""`crossed` is whether the newest value was beyond the threshold: an alert is sent only when that begins."""
