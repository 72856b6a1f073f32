"""Visits of AI crawlers and referrals from AI products out of access logs, as counts by day."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0039"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def owned(table: str) -> list[sa.ForeignKeyConstraint]:
    """Return the rules by which rows go with their company and their brand."""
    return [
        sa.ForeignKeyConstraint(
            [column], [target], name=op.f(f"fk_{table}_{column}_{target.split('.')[0]}"), ondelete="CASCADE"
        )
        for column, target in (("company_id", "companies.id"), ("brand_key", "brands.key"))
    ]


def upgrade() -> None:
    """Apply; nothing is counted until a log comes in."""
    op.create_table(
        "crawler_visits",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("bot", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("status_class", sa.Integer(), nullable=False),
        sa.Column("verification", sa.Text(), nullable=False),
        sa.Column("visits", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "verification IN ('verified', 'not_verified', 'not_this_bot')",
            name=op.f("ck_crawler_visits_verification"),
        ),
        *owned("crawler_visits"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_crawler_visits")),
    )
    op.create_index(
        "uq_crawler_visits_count",
        "crawler_visits",
        ["brand_key", "day", "site", "bot", "path", "status_class", "verification"],
        unique=True,
    )
    op.create_index("ix_crawler_visits_company", "crawler_visits", ["company_id"])
    op.create_table(
        "ai_referrals",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("site", sa.Text(), nullable=False),
        sa.Column("product", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("visits", sa.BigInteger(), nullable=False),
        *owned("ai_referrals"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_ai_referrals")),
    )
    op.create_index(
        "uq_ai_referrals_count", "ai_referrals", ["brand_key", "day", "site", "product", "path"], unique=True
    )
    op.create_index("ix_ai_referrals_company", "ai_referrals", ["company_id"])
    op.create_table(
        "log_intakes",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("lines", sa.BigInteger(), nullable=False),
        sa.Column("counted", sa.BigInteger(), nullable=False),
        sa.Column("duplicates", sa.BigInteger(), nullable=False),
        sa.Column("skipped", sa.BigInteger(), nullable=False),
        sa.Column("last_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("source IN ('file', 'endpoint')", name=op.f("ck_log_intakes_source")),
        *owned("log_intakes"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_log_intakes")),
    )
    op.create_index("uq_log_intakes_day", "log_intakes", ["brand_key", "day", "source"], unique=True)
    op.create_index("ix_log_intakes_company", "log_intakes", ["company_id"])
    op.create_table(
        "counted_log_lines",
        sa.Column("brand_key", KEY, autoincrement=False, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("digest", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        *owned("counted_log_lines"),
        sa.PrimaryKeyConstraint("brand_key", "day", "digest", name=op.f("pk_counted_log_lines")),
    )
    op.create_index("ix_counted_log_lines_company", "counted_log_lines", ["company_id"])
    op.create_index("ix_counted_log_lines_day", "counted_log_lines", ["day"])
    op.create_table(
        "bot_address_lists",
        sa.Column("bot", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("prefixes", sa.Text(), nullable=False),
        sa.Column("fetched_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("bot", name=op.f("pk_bot_address_lists")),
    )
