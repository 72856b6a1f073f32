"""Visits of AI crawlers and referrals from AI products, as counts by day; no row holds an address of a visitor."""

from sqlalchemy import BigInteger, CheckConstraint, Column, Date, Index, Integer, Table, Text

from storage.tables.columns import (
    OF_NOBODY,
    JsonText,
    UtcTime,
    company_column,
    key_column,
    metadata,
    reference,
)

crawler_visits = Table(
    "crawler_visits",
    metadata,
    key_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("day", Date, nullable=False),
    Column("site", Text, nullable=False),
    Column("bot", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("status_class", Integer, nullable=False),
    Column("verification", Text, nullable=False),
    Column("visits", BigInteger, nullable=False),
    CheckConstraint("verification IN ('verified', 'not_verified', 'not_this_bot')", name="verification"),
    Index(
        "uq_crawler_visits_count",
        *("brand_key", "day", "site", "bot", "path", "status_class", "verification"),
        unique=True,
    ),
    Index("ix_crawler_visits_company", "company_id"),
)
"""How often one user agent of an AI operator asked for one path of a site on a day (UTC)."""

ai_referrals = Table(
    "ai_referrals",
    metadata,
    key_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("day", Date, nullable=False),
    Column("site", Text, nullable=False),
    Column("product", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("visits", BigInteger, nullable=False),
    Index("uq_ai_referrals_count", "brand_key", "day", "site", "product", "path", unique=True),
    Index("ix_ai_referrals_company", "company_id"),
)
"""How often people came to one page from an AI product on a day (UTC)."""

log_intakes = Table(
    "log_intakes",
    metadata,
    key_column(),
    company_column(),
    reference("brand_key", "brands.key"),
    Column("day", Date, nullable=False),
    Column("source", Text, nullable=False),
    Column("lines", BigInteger, nullable=False),
    Column("counted", BigInteger, nullable=False),
    Column("duplicates", BigInteger, nullable=False),
    Column("skipped", BigInteger, nullable=False),
    Column("last_at", UtcTime, nullable=False),
    CheckConstraint("source IN ('file', 'endpoint')", name="source"),
    Index("uq_log_intakes_day", "brand_key", "day", "source", unique=True),
    Index("ix_log_intakes_company", "company_id"),
)
"""How many lines of logs came in on a day (UTC) by files or by the endpoint, and what became of them."""

counted_log_lines = Table(
    "counted_log_lines",
    metadata,
    reference("brand_key", "brands.key", primary_key=True),
    Column("day", Date, primary_key=True),
    Column("digest", BigInteger, primary_key=True, autoincrement=False),
    company_column(),
    Index("ix_counted_log_lines_company", "company_id"),
    Index("ix_counted_log_lines_day", "day"),
)
"""Keyed digests of the lines that were counted, so that the same line counts once."""

bot_address_lists = Table(
    "bot_address_lists",
    metadata,
    Column("bot", Text, primary_key=True),
    Column("source", Text, nullable=False),
    Column("prefixes", JsonText, nullable=False),
    Column("fetched_at", UtcTime, nullable=False),
    info=OF_NOBODY,
)
"""The addresses that an operator publishes for one of its bots, as they were fetched or given."""
