"""Answers that were seen on a screen, and asks that wait at a supplier for what was seen."""

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

WIDENED = {
    "answers": ("status", ("answered", "refused", "empty", "not_grounded"), "not_shown"),
    "reparsed_answers": ("status", ("answered", "refused", "empty", "not_grounded"), "not_shown"),
    "asks": ("state", ("planned", "sent", "stored", "failed"), "submitted"),
}


def upgrade() -> None:
    """Apply; no stored row changes."""
    op.add_column("answers", sa.Column("absent_reason", sa.Text(), nullable=True))
    op.add_column("answers", sa.Column("seen", sa.Text(), nullable=True))
    op.add_column("asks", sa.Column("task", sa.Text(), nullable=True))
    op.add_column("asks", sa.Column("poll_after", sa.BigInteger(), nullable=True))
    for table, (column, words, further) in WIDENED.items():
        if op.get_bind().dialect.name == "sqlite":
            widen_in_place(table, rule(column, words), rule(column, (*words, further)))
        else:
            op.drop_constraint(op.f(f"ck_{table}_{column}"), table, type_="check")
            op.create_check_constraint(op.f(f"ck_{table}_{column}"), table, rule(column, (*words, further)))


def rule(column: str, words: tuple[str, ...]) -> str:
    """Return what a column may hold, as the schema spells it."""
    listed = ", ".join(f"'{word}'" for word in words)
    return f"{column} IN ({listed})"


def widen_in_place(table: str, narrow: str, wide: str) -> None:
    """Let a column hold one word more, without copying the table and all that refers to it.

    SQLite cannot change a CHECK. Its documentation names this way for changes that no stored row can contradict.
    """
    connection = op.get_bind()
    version = connection.execute(sa.text("PRAGMA schema_version")).scalar_one()
    connection.execute(sa.text("PRAGMA writable_schema = ON"))
    changed = connection.execute(
        sa.text(
            "UPDATE sqlite_schema SET sql = replace(sql, :narrow, :wide)"
            " WHERE type = 'table' AND name = :name AND instr(sql, :narrow) > 0"
        ),
        {"narrow": narrow, "wide": wide, "name": table},
    )
    assert changed.rowcount == 1, f"the schema of {table} is not the one that was made"
    connection.execute(sa.text(f"PRAGMA schema_version = {int(version) + 1}"))
    connection.execute(sa.text("PRAGMA writable_schema = OFF"))
