"""The WordPress site of a company, the posts that its texts became, and what a draft was written from."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def company() -> sa.Column[str]:
    """Return the owner of a row."""
    owner = sa.ForeignKey("companies.id", ondelete="CASCADE")
    return sa.Column("company_id", sa.Text(), owner, nullable=False)


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "wordpress_sites",
        sa.Column("id", sa.Text(), primary_key=True),
        company(),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("username", sa.Text(), nullable=False),
        sa.Column("sealed", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("added_by", sa.Text(), sa.ForeignKey("users.id", ondelete="SET NULL")),
        sa.Column("tested_at", sa.BigInteger()),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("state IN ('untested', 'ok', 'refused')", name="ck_wordpress_sites_state"),
    )
    op.create_index("uq_wordpress_sites_company", "wordpress_sites", ["company_id"], unique=True)
    op.create_table(
        "wordpress_posts",
        company(),
        sa.Column(
            "site_id", sa.Text(), sa.ForeignKey("wordpress_sites.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("item_id", sa.Text(), nullable=False),
        sa.Column("slug", sa.Text(), nullable=False),
        sa.Column("post_id", sa.Integer()),
        sa.Column("outcome", sa.Text()),
        sa.Column("reply", sa.Integer()),
        sa.Column("claimed_until", sa.BigInteger(), nullable=False),
        sa.Column("sent_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("site_id", "item_id"),
    )
    op.add_column("repository_items", sa.Column("brief", sa.Text()))
