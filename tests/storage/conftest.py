"""Storage is held to the same rules on SQLite and on PostgreSQL."""

from collections.abc import AsyncGenerator

import pytest

from storage.database import Database


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test of this folder that needs a database on both kinds."""
    if "url" in metafunc.fixturenames:
        metafunc.parametrize("url", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
async def database(url: str) -> AsyncGenerator[Database]:
    """An empty database of this test alone."""
    opened = await Database.open(url)
    yield opened
    await opened.close()


@pytest.fixture
def either(database: Database) -> Database:
    """The database of a test that must hold on both kinds."""
    return database
