"""Public pages of companies' sites: an address that nobody guesses, and the brands whose sites it shows."""

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply; no company has a page until it publishes one."""
    op.create_table(
        "site_pages",
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("heading", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_site_pages_company_id_companies"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("slug", name=op.f("pk_site_pages")),
    )
    op.create_index("uq_site_pages_company", "site_pages", ["company_id"], unique=True)
    op.create_table(
        "site_page_brands",
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_site_page_brands_company_id_companies"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["brand_key"],
            ["brands.key"],
            name=op.f("fk_site_page_brands_brand_key_brands"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("brand_key", name=op.f("pk_site_page_brands")),
    )
    op.create_index("ix_site_page_brands_company", "site_page_brands", ["company_id"])
