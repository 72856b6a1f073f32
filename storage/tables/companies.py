"""The users of the service: companies, their people, keys and notifications."""

from sqlalchemy import CheckConstraint, Column, Index, Integer, Table, Text

from storage.tables.columns import (
    JsonText,
    UtcTime,
    company_column,
    created_column,
    id_column,
    key_column,
    metadata,
    reference,
)

companies = Table(
    "companies",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("name_folded", Text, nullable=False, unique=True),
    Column("plan", Text, nullable=False),
    created_column(),
    Column("delete_at", UtcTime),
)

users = Table(
    "users",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    Column("email", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("role", Text, nullable=False),
    Column("password_hash", Text),
    created_column(),
    CheckConstraint("role IN ('owner', 'member', 'viewer')", name="role"),
)

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    Column("digest", Text, nullable=False, unique=True),
    Column("prefix", Text, nullable=False),
    Column("last4", Text, nullable=False),
    Column("description", Text),
    Column("status", Text, nullable=False),
    Column("scopes", JsonText, nullable=False),
    Column("expires_at", UtcTime),
    Column("last_used_at", UtcTime),
    created_column(),
    CheckConstraint("status IN ('active', 'revoked')", name="status"),
    Index("ix_api_keys_company", "company_id", "created_at"),
)

company_notifications = Table(
    "company_notifications",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("brand_key", "brands.key", nullable=True),
    Column("kind", Text, nullable=False),
    Column("severity", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("dedup_key", Text, nullable=False),
    Column("issue_id", Text),
    Column("run_id", Text),
    Column("path", Text),
    Column("folded", Integer),
    Column("read_at", UtcTime),
    created_column(),
    CheckConstraint(
        "kind IN ('bot_access', 'crawler_error', 'content_gap', 'ai_mention', 'system_alert')", name="kind"
    ),
    Index("uq_company_notifications_dedup", "company_id", "dedup_key", unique=True),
    Index("ix_company_notifications_page", "company_id", "created_at", "key"),
    Index("ix_company_notifications_brand", "brand_key", "created_at"),
)
"""`folded` is only set on a digest: the number of notifications that it summarizes."""
