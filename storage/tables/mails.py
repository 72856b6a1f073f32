"""E-mails that wait, were delivered or rejected, who wants which, links for new passwords, announcements of change."""

from sqlalchemy import CheckConstraint, Column, Date, Index, Integer, PrimaryKeyConstraint, Table, Text

from storage.tables.accounts import user_column
from storage.tables.columns import (
    JsonText,
    UtcTime,
    company_column,
    created_column,
    id_column,
    key_column,
    metadata,
)

notification_choices = Table(
    "notification_choices",
    metadata,
    company_column(),
    user_column("user_id"),
    Column("kind", Text, nullable=False),
    Column("means", Text, nullable=False),
    PrimaryKeyConstraint("user_id", "kind", "means"),
    CheckConstraint(
        "kind IN ('bot_access', 'crawler_error', 'content_gap', 'ai_mention', 'system_alert', 'weekly_report',"
        " 'monthly_report')",
        name="kind",
    ),
    Index("ix_notification_choices_kind", "company_id", "kind"),
)
"""A row says that a person wants a kind of notification by a means; without one they do not."""

mails = Table(
    "mails",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    user_column("user_id", nullable=True, kept=True),
    Column("kind", Text, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("content", JsonText, nullable=False),
    Column("sealed", Text),
    Column("dedup_key", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("reply", Integer),
    Column("due_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    created_column(),
    CheckConstraint(
        "kind IN ('invitation', 'sign_up', 'password_reset', 'alert', 'weekly_report',"
        " 'monthly_report', 'announcement')",
        name="kind",
    ),
    CheckConstraint("state IN ('queued', 'delivered', 'refused', 'given_up')", name="state"),
    Index("uq_mails_dedup", "company_id", "dedup_key", unique=True),
    Index("ix_mails_due", "state", "due_at"),
    Index("ix_mails_page", "company_id", "created_at"),
)
"""`sealed` is a link that signs a person in, until the mail has ended; `reply` the server's last SMTP code."""

password_resets = Table(
    "password_resets",
    metadata,
    Column("digest", Text, primary_key=True),
    company_column(),
    user_column("user_id"),
    Column("expires_at", UtcTime, nullable=False),
    created_column(),
    Index("ix_password_resets_user", "user_id"),
)

announcements = Table(
    "announcements",
    metadata,
    Column("id", Text, primary_key=True),
    Column("title", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("effective_on", Date, nullable=False),
    Column("tools", JsonText, nullable=False),
    created_column(),
)
"""`tools` are the names of those that go away on the day."""
