"""What is wrong with a brand's presence: findings that open once, by fingerprint, and resolve by themselves."""

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

issues = Table(
    "issues",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("fingerprint", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("check_id", Text, nullable=False),
    Column("subject", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("url", Text),
    Column("evidence", JsonText, nullable=False),
    Column("state", Text, nullable=False),
    Column("occurrences", Integer, nullable=False),
    Column("clean", Integer, nullable=False),
    Column("reopened", Integer, nullable=False),
    Column("first_seen", UtcTime, nullable=False),
    Column("last_seen", UtcTime, nullable=False),
    CheckConstraint(
        "kind IN ('bot_access', 'crawler_error', 'content_gap', 'readiness', 'accuracy', 'reputation')",
        name="kind",
    ),
    CheckConstraint("severity IN ('critical', 'warning', 'info')", name="severity"),
    CheckConstraint("state IN ('candidate', 'open', 'resolved', 'dismissed')", name="state"),
    Index("uq_issues_fingerprint", "company_id", "fingerprint", unique=True),
    Index("ix_issues_kind", "brand_key", "kind"),
    Index("ix_issues_open", "brand_key", "state", "severity"),
)
