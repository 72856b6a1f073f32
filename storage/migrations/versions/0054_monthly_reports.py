"""People may want a monthly report by e-mail, beside or instead of the weekly one."""

import sqlalchemy as sa
from alembic import op

revision = "0054"
down_revision = "0053"
branch_labels = None
depends_on = None

CHOICES = (
    "kind IN ('bot_access', 'crawler_error', 'content_gap', 'ai_mention', 'system_alert', 'weekly_report')"
)
MAILS = "kind IN ('invitation', 'sign_up', 'password_reset', 'alert', 'weekly_report', 'announcement')"
BEFORE = {"notification_choices": CHOICES, "mails": MAILS}
FORMER_NAMES = {
    "notification_choices": "ck_notification_choices_ck_notification_choices_kind",  # as 0031 named it
    "mails": "ck_mails_kind",
}


def upgrade() -> None:
    """Apply; what was chosen stays chosen."""
    for table, before in BEFORE.items():
        now = before.replace("'weekly_report'", "'weekly_report', 'monthly_report'")
        if op.get_context().dialect.name == "postgresql":
            op.drop_constraint(op.f(FORMER_NAMES[table]), table, type_="check")
            op.create_check_constraint(op.f(f"ck_{table}_kind"), table, now)
        else:
            widen_in_place(table, before, now)


def widen_in_place(table: str, before: str, now: str) -> None:
    """Let rows be of the new kind without making the table anew, as SQLite's documentation allows."""
    connection = op.get_bind()
    version = connection.execute(sa.text("PRAGMA schema_version")).scalar_one()
    connection.execute(sa.text("PRAGMA writable_schema = ON"))
    changed = connection.execute(
        sa.text(
            "UPDATE sqlite_schema SET sql = replace(sql, :before, :now)"
            " WHERE type = 'table' AND name = :table AND instr(sql, :before) > 0"
        ),
        {"before": before, "now": now, "table": table},
    )
    assert changed.rowcount == 1, f"the schema of {table} is not the one that was made"
    connection.execute(sa.text(f"PRAGMA schema_version = {int(version) + 1}"))
    connection.execute(sa.text("PRAGMA writable_schema = OFF"))
