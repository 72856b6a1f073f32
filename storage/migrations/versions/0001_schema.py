"""The whole schema: `0001_schema.sqlite.sql` or `0001_schema.postgresql.sql` beside this file."""

from alembic import op

from storage.migrations.ddl import frozen_statements

revision = "0001_schema"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create every table, index and trigger."""
    connection = op.get_bind()
    for statement in frozen_statements(connection.dialect.name):
        connection.exec_driver_sql(statement)


def downgrade() -> None:
    """Migrations go forward only; a backup is the way back."""
    raise RuntimeError("restore a backup instead")
