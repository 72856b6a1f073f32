"""Results of each country that a batch asked from."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def owned(column: str, target: str) -> sa.ForeignKeyConstraint:
    """Return the reference to a row with which this one goes."""
    name = f"fk_country_calculations_{column}_{target.split('.', 1)[0]}"
    return sa.ForeignKeyConstraint([column], [target], name=op.f(name), ondelete="CASCADE")


def upgrade() -> None:
    """Apply; batches from before have results by country once their brand is read anew."""
    op.create_table(
        "country_calculations",
        sa.Column("key", KEY, autoincrement=True, nullable=False),
        sa.Column("company_id", sa.Text(), nullable=False),
        sa.Column("brand_key", KEY, nullable=False),
        sa.Column("revision_key", KEY, nullable=False),
        sa.Column("batch_key", KEY, nullable=False),
        sa.Column("country", sa.Text(), nullable=False),
        sa.Column("headline", sa.Text(), nullable=False),
        sa.Column("platforms", sa.Text(), nullable=False),
        sa.Column("rankings", sa.Text(), nullable=False),
        sa.Column("calculated_at", sa.BigInteger(), nullable=False),
        owned("company_id", "companies.id"),
        owned("brand_key", "brands.key"),
        owned("batch_key", "run_batches.key"),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_country_calculations")),
    )
    batch = ["revision_key", "batch_key", "country"]
    op.create_index("uq_country_calculations_batch", "country_calculations", batch, unique=True)
    latest = ["brand_key", "revision_key", "country", "calculated_at", "key"]
    op.create_index("ix_country_calculations_latest", "country_calculations", latest)
    op.create_index("ix_country_calculations_company", "country_calculations", ["company_id", "country"])
