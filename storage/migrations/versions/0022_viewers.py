"""A third role: people who read and change nothing."""

from alembic import op
from sqlalchemy import text

revision = "0022"
down_revision = "0021"

BEFORE, NOW = "role IN ('owner', 'member')", "role IN ('owner', 'member', 'viewer')"


def upgrade() -> None:
    """Widen the check on the roles of people and invitations.

    SQLite cannot change a check in place, and making the table anew would take along what refers to people; its
    manual (Making Other Kinds Of Table Schema Changes) has the text of the schema edited for that.
    """
    if op.get_context().dialect.name == "postgresql":
        for table in ("users", "invitations"):
            op.drop_constraint("role", table, type_="check")
            op.create_check_constraint("role", table, NOW)
        return
    connection = op.get_bind()
    version = connection.execute(text("PRAGMA schema_version")).scalar_one()
    connection.execute(text("PRAGMA writable_schema=ON"))
    connection.execute(
        text(
            "UPDATE sqlite_schema SET sql = replace(sql, :before, :now)"
            " WHERE type = 'table' AND name IN ('users', 'invitations')"
        ),
        {"before": BEFORE, "now": NOW},
    )
    connection.execute(text(f"PRAGMA schema_version={version + 1}"))
    connection.execute(text("PRAGMA writable_schema=OFF"))
