"""Reports of brands that a link shows to anybody who has it, until it expires or is revoked."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "shared_reports",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("digest", sa.Text(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.Column("shared_by", sa.Text(), nullable=True),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_shared_reports_company_id_companies"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f("fk_shared_reports_brand_key_brands"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["shared_by"], ["users.id"], name=op.f("fk_shared_reports_shared_by_users"), ondelete="SET NULL"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_shared_reports")),
        sa.UniqueConstraint("digest", name=op.f("uq_shared_reports_digest")),
    )
    op.create_index("ix_shared_reports_company", "shared_reports", ["company_id", "created_at"])
    op.create_index("ix_shared_reports_brand", "shared_reports", ["brand_key"])
