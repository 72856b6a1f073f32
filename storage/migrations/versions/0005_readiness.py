"""Readiness scans and their reports."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
RUNNING = sa.text("state = 'running'")


def upgrade() -> None:
    """Apply."""
    op.create_table(
        "readiness_scans",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("url_key", sa.Text(), nullable=False),
        sa.Column("host", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("executor", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "state IN ('running', 'completed', 'failed')", name=op.f("ck_readiness_scans_state")
        ),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_readiness_scans_company_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_readiness_scans")),
        sa.UniqueConstraint("id", name=op.f("uq_readiness_scans_id")),
    )
    op.create_index(
        "uq_readiness_scans_host",
        "readiness_scans",
        ["host"],
        unique=True,
        sqlite_where=RUNNING,
        postgresql_where=RUNNING,
    )
    op.create_index("ix_readiness_scans_company", "readiness_scans", ["company_id", "created_at"])
    op.create_table(
        "readiness_reports",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("scan_key", KEY, nullable=False),
        sa.Column("url_key", sa.Text(), nullable=False),
        sa.Column("final_url_key", sa.Text(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        sa.Column("model_version", sa.Text(), nullable=False),
        sa.Column("catalogue_sha256", sa.Text(), nullable=False),
        sa.Column("scanned_at", sa.BigInteger(), nullable=False),
        sa.Column("report", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(
            ["company_id"],
            ["companies.id"],
            name=op.f("fk_readiness_reports_company_id"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["scan_key"],
            ["readiness_scans.key"],
            name=op.f("fk_readiness_reports_scan_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_readiness_reports")),
        sa.UniqueConstraint("id", name=op.f("uq_readiness_reports_id")),
    )
    for name, columns, unique in (
        ("uq_readiness_reports_scan", ["scan_key"], True),
        ("ix_readiness_reports_url", ["url_key", "public", "scanned_at"], False),
        ("ix_readiness_reports_final_url", ["final_url_key", "public", "scanned_at"], False),
        ("ix_readiness_reports_public", ["public", "scanned_at"], False),
        ("ix_readiness_reports_company", ["company_id", "scanned_at"], False),
    ):
        op.create_index(name, "readiness_reports", columns, unique=unique)
