"""What people decided to do about issues."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "actions",
        sa.Column("key", KEY, primary_key=True, autoincrement=True),
        sa.Column("company_id", sa.Text(), sa.ForeignKey("companies.id", ondelete="CASCADE"), nullable=False),
        sa.Column("issue_key", KEY, sa.ForeignKey("issues.key", ondelete="CASCADE"), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("done_on", sa.Date()),
        sa.Column("reason", sa.Text()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("updated_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('open', 'planned', 'done', 'dismissed')", name="ck_actions_state"),
    )
    op.create_index("uq_actions_issue", "actions", ["issue_key"], unique=True)
