"""How far a scan is, whether it counts against the plan, and a report's overall score beside its text."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0007"
branch_labels = None
depends_on = None

reports = sa.table(
    "readiness_reports",
    sa.column("key", sa.BigInteger),
    sa.column("report", sa.Text),
    sa.column("score", sa.Integer),
)


def upgrade() -> None:
    """Apply."""
    counted = sa.Column("counted", sa.Boolean(), nullable=False, server_default=sa.text("false"))
    op.add_column("readiness_scans", counted)
    op.add_column("readiness_scans", sa.Column("stage", sa.Text(), nullable=True))
    requests = sa.Column("requests", sa.Integer(), nullable=False, server_default=sa.text("0"))
    op.add_column("readiness_scans", requests)
    op.create_index("ix_readiness_scans_visited", "readiness_scans", ["host", "created_at"])
    op.add_column("readiness_reports", sa.Column("score", sa.Integer(), nullable=True))
    connection = op.get_bind()
    for key, report in connection.execute(sa.select(reports.c.key, reports.c.report)).fetchall():
        score = json.loads(report)["overall"]["score"]
        connection.execute(sa.update(reports).where(reports.c.key == key).values(score=score))
