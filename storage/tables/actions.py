"""What people do about what is wrong: one row for each issue that was planned, done, dismissed or assigned."""

from sqlalchemy import CheckConstraint, Column, Date, Index, Table, Text

from storage.tables.accounts import user_column
from storage.tables.columns import (
    UtcTime,
    company_column,
    created_column,
    key_column,
    metadata,
    reference,
)

actions = Table(
    "actions",
    metadata,
    key_column(),
    company_column(),
    reference("issue_key", "issues.key"),
    Column("state", Text, nullable=False),
    Column("done_on", Date),
    Column("reason", Text),
    user_column("assignee_id", nullable=True, kept=True),
    created_column(),
    Column("updated_at", UtcTime, nullable=False),
    CheckConstraint("state IN ('open', 'planned', 'done', 'dismissed')", name="state"),
    Index("uq_actions_issue", "issue_key", unique=True),
    Index("ix_actions_assignee", "assignee_id"),
)
