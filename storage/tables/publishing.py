"""The company's own site that texts are published to, and which post there each text became."""

from sqlalchemy import CheckConstraint, Column, ForeignKey, Index, Integer, PrimaryKeyConstraint, Table, Text

from storage.tables.accounts import user_column
from storage.tables.columns import UtcTime, company_column, created_column, metadata

wordpress_sites = Table(
    "wordpress_sites",
    metadata,
    Column("id", Text, primary_key=True),
    company_column(),
    Column("url", Text, nullable=False),
    Column("username", Text, nullable=False),
    Column("sealed", Text, nullable=False),
    Column("state", Text, nullable=False),
    user_column("added_by", nullable=True, kept=True),
    Column("tested_at", UtcTime),
    created_column(),
    CheckConstraint("state IN ('untested', 'ok', 'refused')", name="state"),
    Index("uq_wordpress_sites_company", "company_id", unique=True),
)
"""`sealed` holds address, name and application password, so that the password goes to no other address."""

wordpress_posts = Table(
    "wordpress_posts",
    metadata,
    company_column(),
    Column("site_id", Text, ForeignKey("wordpress_sites.id", ondelete="CASCADE"), nullable=False),
    Column("item_id", Text, nullable=False),
    Column("slug", Text, nullable=False),
    Column("post_id", Integer),
    Column("outcome", Text),
    Column("reply", Integer),
    Column("claimed_until", UtcTime, nullable=False),
    Column("sent_at", UtcTime),
    PrimaryKeyConstraint("site_id", "item_id"),
)
"""`slug` finds a post that was made although the reply was lost; `claimed_until` keeps two senders apart."""
