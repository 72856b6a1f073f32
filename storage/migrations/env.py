"""Alembic's entry: it runs the revisions on the connection that the upgrade hands over."""

from alembic import context

from storage.statements.tables import metadata


def ours(name: str | None, kind: str, parents: object) -> bool:
    """Compare only tables that are declared here: the full-text index and other owners' tables stay out."""
    return kind != "table" or name in metadata.tables


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    include_name=ours,
    transactional_ddl=False,
)
context.run_migrations()
