"""How people get in: their sessions, invitations to colleagues, and the engine keys they bring along."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Table, Text

from storage.tables.columns import UtcTime, company_column, created_column, metadata


def user_column(name: str, *, nullable: bool = False, kept: bool = False) -> Column[str]:
    """Return a reference to a person; the row goes with them unless it is kept."""
    rule = ForeignKey("users.id", ondelete="SET NULL" if kept else "CASCADE")
    return Column(name, Text, rule, nullable=nullable)


sessions = Table(
    "sessions",
    metadata,
    Column("digest", Text, primary_key=True),
    company_column(),
    user_column("user_id"),
    Column("seen_at", UtcTime, nullable=False),
    created_column(),
    Index("ix_sessions_user", "user_id"),
    Index("ix_sessions_created", "created_at"),
)

invitations = Table(
    "invitations",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    Column("digest", Text, nullable=False, unique=True),
    Column("email", Text, nullable=False),
    Column("role", Text, nullable=False),
    user_column("invited_by", nullable=True),
    Column("expires_at", UtcTime, nullable=False),
    created_column(),
    CheckConstraint("role IN ('owner', 'member', 'viewer')", name="role"),
    Index("ix_invitations_company", "company_id", "created_at"),
)

provider_credentials = Table(
    "provider_credentials",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    Column("platform", Text, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("last4", Text, nullable=False),
    Column("state", Text, nullable=False),
    user_column("added_by", nullable=True, kept=True),
    Column("tested_at", UtcTime),
    Column("last_used_at", UtcTime),
    created_column(),
    CheckConstraint("state IN ('untested', 'ok', 'rejected')", name="state"),
    Index("uq_provider_credentials_platform", "company_id", "platform", unique=True),
)
