"""Claims and judged tones; and which run a batch was asked for."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Apply."""
    rule = sa.ForeignKey("workflow_runs.key", name=op.f("fk_run_batches_run_key_workflow_runs"))
    if op.get_bind().dialect.name == "sqlite":
        # SQLite adds a column with its reference in one statement, and cannot add a reference alone.
        op.execute("ALTER TABLE run_batches ADD COLUMN run_key INTEGER REFERENCES workflow_runs (key)")
    else:
        op.add_column("run_batches", sa.Column("run_key", sa.BigInteger(), rule, nullable=True))
    op.create_index("ix_run_batches_run", "run_batches", ["run_key"])
    op.create_table(
        "answer_claims",
        key("answer_claims", "answer_key", "answers"),
        sa.Column("ordinal", sa.Integer(), autoincrement=False, nullable=False),
        company("answer_claims"),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("verdict", sa.Text(), nullable=False),
        sa.Column("method", sa.Text(), nullable=False),
        sa.Column("claim", sa.Text(), nullable=False),
        sa.Column("fact", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "verdict IN ('supported', 'contradicted', 'unverifiable')", name=op.f("ck_answer_claims_verdict")
        ),
        sa.PrimaryKeyConstraint("answer_key", "ordinal", name=op.f("pk_answer_claims")),
    )
    op.create_table(
        "tone_judgements",
        key("tone_judgements", "answer_key", "answers"),
        sa.Column("method", sa.Text(), nullable=False),
        company("tone_judgements"),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint(
            "label IN ('positive', 'neutral', 'negative', 'unknown')", name=op.f("ck_tone_judgements_label")
        ),
        sa.PrimaryKeyConstraint("answer_key", "method", name=op.f("pk_tone_judgements")),
    )


def company(table: str) -> sa.Column[str]:
    """Return the owner of a row."""
    name = op.f(f"fk_{table}_company_id_companies")
    rule = sa.ForeignKey("companies.id", name=name, ondelete="CASCADE")
    return sa.Column("company_id", sa.Text(), rule, nullable=False)


def key(table: str, column: str, target: str) -> sa.Column[int]:
    """Return a column that holds another row's key; the row goes when that one does."""
    rule = sa.ForeignKey(f"{target}.key", name=op.f(f"fk_{table}_{column}_{target}"), ondelete="CASCADE")
    integer = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column(column, integer, rule, autoincrement=False, nullable=False)
