"""Audits of matching: samples of answers that a person labels."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def owned(table: str, column: str, target: str) -> sa.ForeignKeyConstraint:
    """Return the reference to a row with which this one goes."""
    name = f"fk_{table}_{column}_{target.split('.', 1)[0]}"
    return sa.ForeignKeyConstraint([column], [target], name=op.f(name), ondelete="CASCADE")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "mention_audits",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("revision_key", KEY, nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        owned("mention_audits", "company_id", "companies.id"),
        owned("mention_audits", "brand_key", "brands.key"),
        owned("mention_audits", "revision_key", "analysis_revisions.key"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_mention_audits")),
        sa.UniqueConstraint("id", name=op.f("uq_mention_audits_id")),
    )
    op.create_index("ix_mention_audits_brand", "mention_audits", ["brand_key"])
    op.create_table(
        "mention_labels",
        sa.Column("audit_key", KEY, autoincrement=False, nullable=False),
        sa.Column("answer_key", KEY, autoincrement=False, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("read_as_named", sa.Boolean(), nullable=False),
        sa.Column("read_tone", sa.Text(), nullable=True),
        sa.Column("named", sa.Boolean(), nullable=True),
        sa.Column("tone", sa.Text(), nullable=True),
        sa.Column("labeled_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "tone IS NULL OR tone IN ('positive', 'neutral', 'negative')", name=op.f("ck_mention_labels_tone")
        ),
        owned("mention_labels", "audit_key", "mention_audits.key"),
        owned("mention_labels", "answer_key", "answers.key"),
        owned("mention_labels", "company_id", "companies.id"),
        sa.PrimaryKeyConstraint("audit_key", "answer_key", name=op.f("pk_mention_labels")),
    )
