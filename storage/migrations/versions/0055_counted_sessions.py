"""What filters of a company's sessions look at stands in the index of their page, so that a count reads no row."""

from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

PAGE = "ix_simulations_company"


def upgrade() -> None:
    """Apply; no row changes."""
    op.drop_index(PAGE, "simulations")
    op.create_index(PAGE, "simulations", ["company_id", "created_at", "key", "platform", "mode", "country"])
