"""Brings one database to the newest revision, inside the caller's transaction."""

from importlib.resources import files
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text

from storage.errors import SchemaTooNew

if TYPE_CHECKING:
    from alembic.config import (
        Config,
    )  # loading it costs a start that has nothing to migrate a fifth of a second

LOCK = 7_305_013
"""Key of the PostgreSQL advisory lock that migrations hold; SQLite's write lock serves there."""


def configuration(connection: Connection) -> "Config":
    """Return alembic's configuration for an open connection."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "storage:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def upgrade(connection: Connection) -> None:
    """Run what is missing; processes that start together wait for each other.

    Raises SchemaTooNew when the database was written by a newer program.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    present = present_revision(connection)
    revisions = known_revisions()
    if present is not None and present not in revisions:
        raise SchemaTooNew(
            f"the database was written by a newer version of seenby: it has schema {present}, and this program knows "
            f"schemas up to {revisions[-1]}. Install the version that wrote it or a newer one, or restore a backup "
            "that was made before the upgrade; a schema is never taken back"
        )
    if present == revisions[-1]:
        return
    from alembic import command

    command.upgrade(configuration(connection), "head")


def known_revisions() -> list[str]:
    """The program's revisions, oldest first: the numbers that their files are named with."""
    names = (entry.name for entry in (files("storage.migrations") / "versions").iterdir())
    return sorted(name.partition("_")[0] for name in names if name.endswith(".py") and name[0].isdigit())


def present_revision(connection: Connection) -> str | None:
    """The database's revision, None for one that never had any."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
