"""Mails about a sign-up are a kind of their own, and no new passwords that nobody asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"
branch_labels = None
depends_on = None

BEFORE = "kind IN ('invitation', 'password_reset', 'alert', 'weekly_report', 'announcement')"
NOW = "kind IN ('invitation', 'sign_up', 'password_reset', 'alert', 'weekly_report', 'announcement')"


def upgrade() -> None:
    """Apply; what was queued about sign-ups and has not left yet says the same as before."""
    if op.get_context().dialect.name == "postgresql":
        op.drop_constraint(op.f("ck_mails_ck_mails_kind"), "mails", type_="check")  # as 0031 named it there
        op.create_check_constraint(op.f("ck_mails_kind"), "mails", NOW)
    else:
        widen_in_place()
    # Only mails about a sign-up said on what occasion they were sent.
    op.execute(
        "UPDATE mails SET kind = 'sign_up' WHERE kind = 'password_reset' AND content LIKE '%\"occasion\"%'"
    )


def widen_in_place() -> None:
    """Let a mail be of the new kind without making the table anew, as SQLite's documentation allows."""
    connection = op.get_bind()
    version = connection.execute(sa.text("PRAGMA schema_version")).scalar_one()
    connection.execute(sa.text("PRAGMA writable_schema = ON"))
    changed = connection.execute(
        sa.text(
            "UPDATE sqlite_schema SET sql = replace(sql, :before, :now)"
            " WHERE type = 'table' AND name = 'mails' AND instr(sql, :before) > 0"
        ),
        {"before": BEFORE, "now": NOW},
    )
    assert changed.rowcount == 1, "the schema of mails is not the one that was made"
    connection.execute(sa.text(f"PRAGMA schema_version = {int(version) + 1}"))
    connection.execute(sa.text("PRAGMA writable_schema = OFF"))
