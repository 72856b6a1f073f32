"""Brings one database to the newest revision, inside the caller's transaction."""

from functools import cache
from importlib.resources import files

from sqlalchemy import Connection, inspect, text

from storage.errors import SchemaTooNew

LOCK = 7_305_013
"""Key of the PostgreSQL advisory lock that migrations hold; SQLite's write lock serves there."""


@cache
def known_revisions() -> tuple[str, ...]:
    """Return this program's revisions, oldest first: the names of their files, `0001_schema` and so on."""
    names = (entry.name for entry in (files("storage.migrations") / "versions").iterdir())
    found = (name.removesuffix(".py") for name in names if name.endswith(".py") and name[0].isdigit())
    return tuple(sorted(found))


def newest_revision() -> str:
    """Return the newest revision of this program."""
    return known_revisions()[-1]


def reject_unknown(present: str | None) -> None:
    """Raise SchemaTooNew for a revision that this program does not know."""
    if present is None or present in known_revisions():
        return
    raise SchemaTooNew(
        f"the database has schema {present}, which this version of seenby does not know: its newest schema is "
        f"{newest_revision()}. A newer version of seenby wrote the database, or a development version from before the "
        "first release. Install the version that wrote it or a newer one, restore a backup that was made before the "
        "upgrade, or start with an empty database; a schema is never downgraded"
    )


def present_revision(connection: Connection) -> str | None:
    """Return the database's revision, None when it was never migrated."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()


def upgrade(connection: Connection) -> None:
    """Run the revisions that are missing; processes that start together wait for each other.

    Raises SchemaTooNew when the database has a revision that this program does not know.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOCK})
    present = present_revision(connection)
    if present == newest_revision():
        return
    reject_unknown(present)
    # Loading alembic costs a fifth of a second, which a start that has nothing to migrate does not pay.
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "storage:migrations")
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
