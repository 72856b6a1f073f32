"""Alembic's entry point: it runs the revisions on the connection that the upgrade passes in."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
