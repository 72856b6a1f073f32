"""When a brand is deleted, indexes that its answers go by, and credits that stay when the run they paid for goes."""

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; no brand is to be deleted."""
    op.add_column("brands", sa.Column("delete_at", sa.BigInteger(), nullable=True))
    op.create_index("ix_mentions_answer", "mentions", ["answer_key"])
    op.create_index("ix_answer_readings_answer", "answer_readings", ["answer_key"])
    with op.batch_alter_table("credit_ledger") as table:
        table.drop_constraint(op.f("ck_credit_ledger_run"), type_="check")
        table.create_check_constraint(op.f("ck_credit_ledger_run"), "kind <> 'grant' OR run_key IS NULL")
