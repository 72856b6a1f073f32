"""The database that the settings name, opened with its schema up to date."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from server.settings import Settings
from storage.database import Database
from storage.engines import SERVICE_CACHE, CacheMegabytes


@asynccontextmanager
async def open_database(
    settings: Settings, *, migrate: bool = True, cache: CacheMegabytes = SERVICE_CACHE
) -> AsyncGenerator[Database]:
    """Lend the database and close it at the end; the schema is brought up to date unless said otherwise."""
    pooled = settings.direct_database_url != settings.database_url
    database = await Database.open(
        settings.database_url,
        cache,
        settings.database_connections,
        settings.direct_database_url if pooled else None,
    )
    try:
        if migrate:
            await database.migrate()
        yield database
    finally:
        await database.close()
