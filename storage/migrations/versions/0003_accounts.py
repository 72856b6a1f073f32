"""How people get in: sessions, invitations, and the engine keys of workspaces."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "sessions",
        sa.Column("digest", sa.Text(), nullable=False),
        company("sessions"),
        sa.Column(
            "user_id",
            sa.Text(),
            sa.ForeignKey("users.id", name=op.f("fk_sessions_user_id_users"), ondelete="CASCADE"),
            nullable=False,
        ),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_sessions")),
    )
    op.create_index("ix_sessions_user", "sessions", ["user_id"])
    op.create_index("ix_sessions_created", "sessions", ["created_at"])
    op.create_table(
        "invitations",
        sa.Column("id", sa.Text(), nullable=False),
        company("invitations"),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        person("invitations", "invited_by", "CASCADE"),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("role IN ('owner', 'member')", name=op.f("ck_invitations_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invitations")),
        sa.UniqueConstraint("digest", name=op.f("uq_invitations_digest")),
    )
    op.create_index("ix_invitations_company", "invitations", ["company_id", "created_at"])
    op.create_table(
        "provider_credentials",
        sa.Column("id", sa.Text(), nullable=False),
        company("provider_credentials"),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("last4", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        person("provider_credentials", "added_by", "SET NULL"),
        sa.Column("tested_at", sa.BigInteger(), nullable=True),
        sa.Column("last_used_at", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "state IN ('untested', 'ok', 'rejected')", name=op.f("ck_provider_credentials_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_provider_credentials")),
    )
    op.create_index(
        "uq_provider_credentials_platform", "provider_credentials", ["company_id", "platform"], unique=True
    )


def company(table: str) -> sa.Column[str]:
    """Return the owner of a row."""
    name = op.f(f"fk_{table}_company_id_companies")
    rule = sa.ForeignKey("companies.id", name=name, ondelete="CASCADE")
    return sa.Column("company_id", sa.Text(), rule, nullable=False)


def person(table: str, column: str, on_delete: str) -> sa.Column[str]:
    """Return somebody that a row may name, and what becomes of it when they are gone."""
    rule = sa.ForeignKey("users.id", name=op.f(f"fk_{table}_{column}_users"), ondelete=on_delete)
    return sa.Column(column, sa.Text(), rule, nullable=True)
