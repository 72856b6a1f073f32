"""Scans that wait for their turn: the site that each visits, whether it does so now, and how it looks at the site."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

VISITING = sa.text("visiting")
scans = sa.table("readiness_scans", sa.column("host", sa.Text), sa.column("site", sa.Text))


def upgrade() -> None:
    """Apply; for the little while that it matters, an old scan's site is its host."""
    op.add_column("readiness_scans", sa.Column("site", sa.Text(), nullable=False, server_default=""))
    op.add_column("readiness_scans", sa.Column("declared", sa.Text(), nullable=False, server_default=""))
    for name in ("probed", "visiting"):
        flag = sa.Column(name, sa.Boolean(), nullable=False, server_default=sa.text("false"))
        op.add_column("readiness_scans", flag)
    op.get_bind().execute(sa.update(scans).values(site=scans.c.host))
    op.drop_index("uq_readiness_scans_host", "readiness_scans")
    op.drop_index("ix_readiness_scans_visited", "readiness_scans")
    op.create_index(
        "uq_readiness_scans_site",
        "readiness_scans",
        ["site"],
        unique=True,
        sqlite_where=VISITING,
        postgresql_where=VISITING,
    )
    op.create_index("ix_readiness_scans_visited", "readiness_scans", ["site", "created_at"])
