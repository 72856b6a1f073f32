"""The platforms and countries of a company's sessions are found in indices, however many sessions have the same."""

from alembic import op

revision = "0057"
down_revision = "0056"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply; no row changes."""
    op.create_index("ix_simulations_platform", "simulations", ["company_id", "platform"])
    op.create_index("ix_simulations_country", "simulations", ["company_id", "country"])
