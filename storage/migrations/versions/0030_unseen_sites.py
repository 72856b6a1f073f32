"""A readiness report tells whether its scan saw nothing of the site, so that it replaces none that did."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    op.add_column(
        "readiness_reports",
        sa.Column("site_unseen", sa.Boolean, nullable=False, server_default=sa.text("false")),
    )
    # A quotation mark inside a text of the site is escaped in JSON, so that no page can write this sentence there.
    op.execute(
        'UPDATE readiness_reports SET site_unseen = TRUE WHERE report LIKE \'%"notices": ["The site is down: its%\''
    )
