"""E-mails in a durable queue, who wants which notification, links for new passwords, announcements of change."""

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def company() -> sa.Column[str]:
    """Return the owner of a row."""
    return sa.Column(
        "company_id", sa.Text(), sa.ForeignKey("companies.id", ondelete="CASCADE"), nullable=False
    )


def user(rule: str, *, nullable: bool) -> sa.Column[str]:
    """Return a reference to a person."""
    return sa.Column("user_id", sa.Text(), sa.ForeignKey("users.id", ondelete=rule), nullable=nullable)


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "notification_choices",
        company(),
        user("CASCADE", nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("means", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "kind", "means"),
        sa.CheckConstraint(
            "kind IN ('bot_access', 'crawler_error', 'content_gap', 'ai_mention', 'system_alert', 'weekly_report')",
            name="ck_notification_choices_kind",
        ),
    )
    op.create_index("ix_notification_choices_kind", "notification_choices", ["company_id", "kind"])
    op.create_table(
        "mails",
        sa.Column("key", KEY, primary_key=True, autoincrement=True),
        sa.Column("id", sa.Text(), nullable=False, unique=True),
        company(),
        user("SET NULL", nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text()),
        sa.Column("dedup_key", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("reply", sa.Integer()),
        sa.Column("due_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('invitation', 'password_reset', 'alert', 'weekly_report', 'announcement')",
            name="ck_mails_kind",
        ),
        sa.CheckConstraint("state IN ('queued', 'delivered', 'refused', 'given_up')", name="ck_mails_state"),
    )
    op.create_index("uq_mails_dedup", "mails", ["company_id", "dedup_key"], unique=True)
    op.create_index("ix_mails_due", "mails", ["state", "due_at"])
    op.create_index("ix_mails_page", "mails", ["company_id", "created_at"])
    op.create_table(
        "password_resets",
        sa.Column("digest", sa.Text(), primary_key=True),
        company(),
        user("CASCADE", nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_password_resets_user", "password_resets", ["user_id"])
    op.create_table(
        "announcements",
        sa.Column("id", sa.Text(), primary_key=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("effective_on", sa.Date(), nullable=False),
        sa.Column("tools", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
    )
