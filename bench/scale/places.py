"""Empty databases that are there for one measurement alone, on SQLite and on PostgreSQL."""

import asyncio
import secrets
import shutil
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import make_url

from storage.database import Database

POSTGRES = "postgresql+asyncpg://postgres@127.0.0.1:5432/postgres"


@dataclass(frozen=True, slots=True)
class Place:
    """An empty database that is there for the measurement alone."""

    url: str
    path: Path | None


@asynccontextmanager
async def sqlite(folder: str | None, name: str, *, keep: bool = False) -> AsyncGenerator[Place]:
    """Lend a file, deleted at the end unless it is to be kept."""
    inner = Path(tempfile.mkdtemp(prefix="seenby-bench-", dir=folder))
    path = inner / f"{name}.db"
    try:
        yield Place(f"sqlite+aiosqlite:///{path}", path)
    finally:
        if keep:
            print(f"   {name} is left in {path}", flush=True)
        else:
            shutil.rmtree(inner)


@asynccontextmanager
async def postgresql(folder: str | None, name: str, *, keep: bool = False) -> AsyncGenerator[Place]:
    """Lend a database of the local server, dropped at the end unless it is to be kept."""
    unique = f"seenby_bench_{name}_{secrets.token_hex(4)}"
    server = await Database.open(POSTGRES)
    try:
        await outside(server, f"CREATE DATABASE {unique}")
        try:
            url = make_url(POSTGRES).set(database=unique)
            yield Place(url.render_as_string(hide_password=False), None)
        finally:
            if keep:
                print(f"   {name} is left in the database {unique}", flush=True)
            else:
                await outside(server, f"DROP DATABASE {unique} WITH (FORCE)")
    finally:
        await server.close()


async def outside(server: Database, statement: str) -> None:
    """Run a statement that no transaction may hold."""

    def run() -> None:
        engine = server.synchronous_engine.execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as connection:
            connection.execute(text(statement))

    await asyncio.to_thread(run)


PLACES = {"sqlite": sqlite, "postgresql": postgresql}
