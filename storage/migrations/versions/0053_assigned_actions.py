"""Who of the company does an action; nobody once that person is gone from it."""

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; actions that were decided before belong to nobody."""
    name = op.f("fk_actions_assignee_id_users")
    with op.batch_alter_table("actions") as table:
        table.add_column(sa.Column("assignee_id", sa.Text(), nullable=True))
        table.create_foreign_key(name, "users", ["assignee_id"], ["id"], ondelete="SET NULL")
    op.create_index("ix_actions_assignee", "actions", ["assignee_id"])
