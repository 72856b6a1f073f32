"""Readiness scans in any state, and the reports of completed ones, which never change."""

from sqlalchemy import Boolean, CheckConstraint, Column, Index, Integer, Table, Text, text

from storage.tables.columns import (
    UtcTime,
    company_column,
    created_column,
    id_column,
    key_column,
    metadata,
    reference,
)

VISITING = text("visiting")

readiness_scans = Table(
    "readiness_scans",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    Column("url", Text, nullable=False),
    Column("url_key", Text, nullable=False),
    Column("host", Text, nullable=False),
    # The registrable domain, so that subdomains belong to the same site; the host itself if it has none.
    Column("site", Text, nullable=False, server_default=""),
    # Settings for fetching the site: scans with equal settings may share a report.
    Column("declared", Text, nullable=False, server_default=""),
    Column("probed", Boolean, nullable=False, server_default=text("false")),
    # Whether it has its turn; until then, a running scan waits.
    Column("visiting", Boolean, nullable=False, server_default=text("false")),
    Column("state", Text, nullable=False),
    Column("reason", Text),
    Column("executor", Text, nullable=False),
    # Whether it counts against the daily scans of the company's plan: a user started it on the page.
    Column("counted", Boolean, nullable=False, server_default=text("false")),
    Column("stage", Text),
    Column("requests", Integer, nullable=False, server_default=text("0")),
    created_column(),
    Column("ended_at", UtcTime),
    CheckConstraint("state IN ('running', 'completed', 'failed')", name="state"),
    # A site is visited by one scan at a time, regardless of process and company.
    Index("uq_readiness_scans_site", "site", unique=True, sqlite_where=VISITING, postgresql_where=VISITING),
    Index("ix_readiness_scans_company", "company_id", "created_at"),
    Index("ix_readiness_scans_visited", "site", "created_at"),
)

readiness_reports = Table(
    "readiness_reports",
    metadata,
    key_column(),
    id_column(),
    company_column(),
    reference("scan_key", "readiness_scans.key"),
    Column("url_key", Text, nullable=False),
    Column("final_url_key", Text, nullable=False),
    Column("public", Boolean, nullable=False),
    Column("model_version", Text, nullable=False),
    Column("catalogue_sha256", Text, nullable=False),
    Column("scanned_at", UtcTime, nullable=False),
    # Whether it has no data about the site's pages; such a report never replaces one that does.
    Column("site_unseen", Boolean, nullable=False, server_default=text("false")),
    Column("score", Integer),
    Column("report", Text, nullable=False),
    Index("uq_readiness_reports_scan", "scan_key", unique=True),
    Index("ix_readiness_reports_url", "url_key", "public", "scanned_at"),
    Index("ix_readiness_reports_final_url", "final_url_key", "public", "scanned_at"),
    Index("ix_readiness_reports_public", "public", "scanned_at"),
    Index("ix_readiness_reports_company", "company_id", "scanned_at"),
)
