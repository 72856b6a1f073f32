"""What later parsers read in stored raw exchanges, and on which parsing of it an analysis stands."""

import sqlalchemy as sa
from alembic import op

from storage.statements.tables.columns import Key, UtcTime

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "reparsed_answers",
        sa.Column("answer_key", Key, autoincrement=False, nullable=False),
        sa.Column("parsing", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("retrieval", sa.Text(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.Column("truncated", sa.Boolean(), nullable=False),
        sa.Column("parser", sa.Text(), nullable=False),
        sa.Column("text_sha256", sa.Text(), nullable=False),
        sa.Column("text", sa.LargeBinary(), nullable=False),
        sa.Column("citations", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", UtcTime, nullable=False),
        sa.CheckConstraint(
            "status IN ('answered', 'refused', 'empty', 'not_grounded')",
            name=op.f("ck_reparsed_answers_status"),
        ),
        sa.ForeignKeyConstraint(
            ["answer_key"], ["answers.key"], name=op.f("fk_reparsed_answers_answer_key"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("answer_key", "parsing", name=op.f("pk_reparsed_answers")),
    )
    for table in ("brands", "analysis_revisions"):
        op.add_column(table, sa.Column("parsing", sa.Integer(), nullable=False, server_default="0"))
