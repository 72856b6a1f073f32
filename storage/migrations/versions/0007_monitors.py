"""Monitors with their results, and issues and notifications as they are raised."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Apply. No version before this one wrote an issue, so that table is made anew."""
    op.drop_table("issues")
    make_issues()
    make_monitors()
    for name, kind in (
        ("issue_id", sa.Text()),
        ("run_id", sa.Text()),
        ("path", sa.Text()),
        ("folded", sa.Integer()),
    ):
        op.add_column("company_notifications", sa.Column(name, kind, nullable=True))
    op.create_index("ix_company_notifications_brand", "company_notifications", ["brand_key", "created_at"])


def make_issues() -> None:
    """Create the table of issues."""
    op.create_table(
        "issues",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("fingerprint", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("check_id", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("severity", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("url", sa.Text(), nullable=True),
        sa.Column("evidence", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("occurrences", sa.Integer(), nullable=False),
        sa.Column("clean", sa.Integer(), nullable=False),
        sa.Column("reopened", sa.Integer(), nullable=False),
        sa.Column("first_seen", sa.BigInteger(), nullable=False),
        sa.Column("last_seen", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "kind IN ('bot_access', 'crawler_error', 'content_gap', 'readiness')", name=op.f("ck_issues_kind")
        ),
        sa.CheckConstraint("severity IN ('critical', 'warning', 'info')", name=op.f("ck_issues_severity")),
        sa.CheckConstraint(
            "state IN ('candidate', 'open', 'resolved', 'dismissed')", name=op.f("ck_issues_state")
        ),
        *owned_by_brand("issues"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_issues")),
        sa.UniqueConstraint("id", name=op.f("uq_issues_id")),
    )
    op.create_index("uq_issues_fingerprint", "issues", ["company_id", "fingerprint"], unique=True)
    op.create_index("ix_issues_kind", "issues", ["brand_key", "kind"])
    op.create_index("ix_issues_open", "issues", ["brand_key", "state", "severity"])


def make_monitors() -> None:
    """Create the tables of schedules and results."""
    op.create_table(
        "monitor_schedules",
        sa.Column("brand_key", KEY, autoincrement=False, nullable=False),
        sa.Column("script", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("next_run_at", sa.BigInteger(), nullable=False),
        sa.Column("awaited_since", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        *owned_by_brand("monitor_schedules"),
        sa.PrimaryKeyConstraint("brand_key", "script", name=op.f("pk_monitor_schedules")),
    )
    op.create_index("ix_monitor_schedules_next", "monitor_schedules", ["next_run_at"])
    op.create_table(
        "monitor_results",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("script", sa.Text(), nullable=False),
        sa.Column("slot", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("error_code", sa.Text(), nullable=True),
        sa.Column("metrics", sa.Text(), nullable=False),
        sa.Column("memory", sa.Text(), nullable=False),
        sa.Column("started_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "status IN ('ok', 'issues', 'error', 'skipped')", name=op.f("ck_monitor_results_status")
        ),
        *owned_by_brand("monitor_results"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_monitor_results")),
        sa.UniqueConstraint("id", name=op.f("uq_monitor_results_id")),
    )
    op.create_index(
        "uq_monitor_results_slot", "monitor_results", ["brand_key", "script", "slot"], unique=True
    )
    op.create_index(
        "ix_monitor_results_latest", "monitor_results", ["brand_key", "script", "finished_at", "key"]
    )


def owned_by_brand(table: str) -> list[sa.ForeignKeyConstraint]:
    """Return the references of a row that goes with its brand and its company."""
    return [
        sa.ForeignKeyConstraint(
            ["brand_key"], ["brands.key"], name=op.f(f"fk_{table}_brand_key"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["company_id"], ["companies.id"], name=op.f(f"fk_{table}_company_id"), ondelete="CASCADE"
        ),
    ]
