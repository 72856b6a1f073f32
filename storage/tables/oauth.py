"""OAuth: who may ask for tokens, what was asked and granted, and digests of what was handed out."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, Table, Text

from storage.tables.columns import (
    JsonText,
    UtcTime,
    company_column,
    created_column,
    metadata,
)

oauth_clients = Table(
    "oauth_clients",
    metadata,
    Column("id", Text, primary_key=True),
    Column("source", Text, nullable=False),
    Column("document", JsonText, nullable=False),
    Column("secret_digest", Text),
    created_column(),
    Column("last_used_at", UtcTime),
    CheckConstraint("source IN ('registration', 'document')", name="source"),
    Index("ix_oauth_clients_created", "created_at"),
)

oauth_pinned_clients = Table(
    "oauth_pinned_clients",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("redirect_uris", JsonText, nullable=False),
    created_column(),
)

oauth_requests = Table(
    "oauth_requests",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("flow_digest", Text, nullable=False),
    Column("document", JsonText, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Index("ix_oauth_requests_expires", "expires_at"),
)

oauth_grants = Table(
    "oauth_grants",
    metadata,
    Column("id", Text, primary_key=True),
    Column("client_id", Text, ForeignKey("oauth_clients.id", ondelete="CASCADE"), nullable=False),
    Column("user_id", Text, ForeignKey("users.id", ondelete="CASCADE"), nullable=False),
    company_column(),
    Column("redirect_uri", Text, nullable=False),
    Column("scopes", Text, nullable=False),
    Column("resource", Text, nullable=False),
    created_column(),
    Column("expires_at", UtcTime, nullable=False),
    Column("last_used_at", UtcTime),
    Column("revoked_at", UtcTime),
    Column("reason", Text),
    Index("ix_oauth_grants_company", "company_id", "created_at"),
    Index("ix_oauth_grants_user", "user_id", "client_id"),
    Index("ix_oauth_grants_client", "client_id"),
)

oauth_codes = Table(
    "oauth_codes",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("grant_id", Text, ForeignKey("oauth_grants.id", ondelete="CASCADE"), nullable=False),
    Column("redirect_uri", Text),
    Column("code_challenge", Text, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("used_at", UtcTime),
    Index("ix_oauth_codes_grant", "grant_id"),
    Index("ix_oauth_codes_expires", "expires_at"),
)

oauth_tokens = Table(
    "oauth_tokens",
    metadata,
    Column("digest", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("grant_id", Text, ForeignKey("oauth_grants.id", ondelete="CASCADE"), nullable=False),
    Column("scopes", Text, nullable=False),
    Column("expires_at", UtcTime, nullable=False),
    Column("used_at", UtcTime),
    Column("retries", Integer, nullable=False),
    CheckConstraint("kind IN ('access', 'refresh')", name="kind"),
    Index("ix_oauth_tokens_grant", "grant_id"),
    Index("ix_oauth_tokens_expires", "expires_at"),
)
