"""OAuth: clients, requests waiting for consent, grants, codes, tokens."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "oauth_clients",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("secret_digest", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger()),
        sa.CheckConstraint("source IN ('registration', 'document')", name=op.f("ck_oauth_clients_source")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_clients")),
    )
    op.create_index("ix_oauth_clients_created", "oauth_clients", ["created_at"])
    op.create_table(
        "oauth_requests",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("flow_digest", sa.Text(), nullable=False),
        sa.Column("document", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_oauth_requests")),
    )
    op.create_index("ix_oauth_requests_expires", "oauth_requests", ["expires_at"])
    op.create_table(
        "oauth_grants",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("client_id", sa.Text(), nullable=False),
        sa.Column("user_id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("redirect_uri", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("resource", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("last_used_at", sa.BigInteger()),
        sa.Column("revoked_at", sa.BigInteger()),
        sa.Column("reason", sa.Text()),
        _owner("oauth_grants", "client_id", "oauth_clients"),
        _owner("oauth_grants", "user_id", "users"),
        _owner("oauth_grants", "company_id", "companies"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_oauth_grants")),
    )
    op.create_index("ix_oauth_grants_company", "oauth_grants", ["company_id", "created_at"])
    op.create_index("ix_oauth_grants_user", "oauth_grants", ["user_id", "client_id"])
    op.create_index("ix_oauth_grants_client", "oauth_grants", ["client_id"])
    op.create_table(
        "oauth_codes",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("grant_id", sa.Text(), nullable=False),
        sa.Column("redirect_uri", sa.Text()),
        sa.Column("code_challenge", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        _owner("oauth_codes", "grant_id", "oauth_grants"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_oauth_codes")),
    )
    op.create_index("ix_oauth_codes_grant", "oauth_codes", ["grant_id"])
    op.create_index("ix_oauth_codes_expires", "oauth_codes", ["expires_at"])
    op.create_table(
        "oauth_tokens",
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("grant_id", sa.Text(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("used_at", sa.BigInteger()),
        sa.Column("retries", sa.Integer(), nullable=False),
        sa.CheckConstraint("kind IN ('access', 'refresh')", name=op.f("ck_oauth_tokens_kind")),
        _owner("oauth_tokens", "grant_id", "oauth_grants"),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_oauth_tokens")),
    )
    op.create_index("ix_oauth_tokens_grant", "oauth_tokens", ["grant_id"])
    op.create_index("ix_oauth_tokens_expires", "oauth_tokens", ["expires_at"])


def _owner(table: str, column: str, owner: str) -> sa.ForeignKeyConstraint:
    """The row goes when the one it belongs to does."""
    name = op.f(f"fk_{table}_{column}_{owner}")
    return sa.ForeignKeyConstraint([column], [f"{owner}.id"], name=name, ondelete="CASCADE")
