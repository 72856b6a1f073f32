"""Competitors that answers suggest, and what was looked at to find them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "competitor_suggestions",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("name_folded", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("prompts", sa.Integer(), nullable=False),
        sa.Column("beside", sa.Integer(), nullable=False),
        sa.Column("platforms", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("first_seen", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.Column("decided_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state IN ('suggested', 'confirmed', 'dismissed')", name=op.f("ck_competitor_suggestions_state")
        ),
        *owners("competitor_suggestions"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_competitor_suggestions")),
        sa.UniqueConstraint("id", name=op.f("uq_competitor_suggestions_id")),
    )
    op.create_index(
        "uq_competitor_suggestions_name", "competitor_suggestions", ["brand_key", "name_folded"], unique=True
    )
    op.create_table(
        "suggestion_looks",
        sa.Column("brand_key", KEY, autoincrement=False, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("answers", sa.Integer(), nullable=False),
        sa.Column("looked_at", sa.BigInteger(), nullable=False),
        *owners("suggestion_looks"),
        sa.PrimaryKeyConstraint("brand_key", name=op.f("pk_suggestion_looks")),
    )


def owners(table: str) -> tuple[sa.ForeignKeyConstraint, ...]:
    """Return whose the rows are; they go with their company and with their brand."""
    rules = (("company_id", "companies", "id"), ("brand_key", "brands", "key"))
    return tuple(
        sa.ForeignKeyConstraint(
            [column], [f"{target}.{field}"], name=op.f(f"fk_{table}_{column}_{target}"), ondelete="CASCADE"
        )
        for column, target, field in rules
    )
