"""Builds a database of a size: real imports through the pipeline first, then their copies over four hundred days."""

import random
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path

import anyio.to_thread
from sqlalchemy import Connection, func, select, text

from bench.scale.growth import KEYED, Copier, Source, newest_keys, prepare, settle
from bench.scale.market import DAYS, Panel, Size, Watched, captured, market, write
from measurement.imports.captured_answers import Importer
from measurement.planning.brand_files import BrandFile, save_brands
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.repositories.brands import Brand
from storage.tables import metadata
from storage.tables.brands import analysis_revisions

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Built:
    """A database that is ready: whose it is, its brands, and how long it took.

    The large brand comes first; the first `followed` are asked about again and again.
    """

    company_id: str
    brands: tuple[Brand, ...]
    followed: int
    watched: tuple[Watched, ...]
    last_day: date
    seconds: float


def silent(message: str) -> None:
    """Say nothing."""


class Builder:
    """Fills one empty database."""

    def __init__(self, database: Database, size: Size, seed: int, today: date, days: int = DAYS) -> None:
        self._database = database
        self._size = size
        self._seed = seed
        self._first = today - days * DAY
        self._days = days
        self._watched = tuple(market(seed, size.brands))

    async def build(self, say: Callable[[str], None] = silent) -> Built:
        """Import the sources of every brand, copy them day by day, and leave the database as it would be served."""
        began = time.perf_counter()
        now = start_of(self._first)
        async with self._database.operation() as operators:
            company = await operators.companies.create("Synthetic company", "bench@example.com", "scale", now)
        files = [BrandFile.model_validate(watched_brand.file()) for watched_brand in self._watched]
        brands = await save_brands(self._database, company.id, files, "synthetic", now)
        large, small, followed = self._size.large, self._size.small, 1 + self._size.followed
        with tempfile.TemporaryDirectory(prefix="seenby-bench-") as folder:
            path = Path(folder) / "answers.jsonl"
            importing = Importing(self._database, company.id, path, self._seed)
            # The first batch gives the second one something to be compared with.
            await importing.run(brands[:1], self._watched[:1], large, self._day(large, 0))
            of_large = await importing.run(brands[:1], self._watched[:1], large, self._day(large, 1))
            of_small = await importing.run(
                brands[1:followed], self._watched[1:followed], small, self._day(small, 0)
            )
            if once := brands[followed:]:
                await importing.run(
                    once, self._watched[followed:], small, self._day(small, small.batches - 1)
                )
        say(f"imported the sources in {time.perf_counter() - began:.0f} s")
        await anyio.to_thread.run_sync(self._copy, of_large, of_small)
        seconds = time.perf_counter() - began
        say(f"built {self._size.name} in {seconds:.0f} s")
        return Built(company.id, tuple(brands), followed, self._watched, self._last, seconds)

    @property
    def _last(self) -> date:
        return self._first + (self._days - 1) * DAY

    def _day(self, panel: Panel, number: int) -> date:
        """Return the day of a batch; the last one of each panel is on the last day."""
        return self._last - (panel.batches - 1 - number) * panel.every * DAY

    def _copy(self, of_large: Source, of_small: Source) -> None:
        engine = self._database.synchronous_engine
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            prepare(connection)
            large, small = self._size.large, self._size.small
            copies = {self._day(large, number): [of_large] for number in range(2, large.batches)}
            for number in range(1, small.batches):
                copies.setdefault(self._day(small, number), []).append(of_small)
            copier = Copier(connection)
            for day, sources in sorted(copies.items()):
                connection.execute(text("BEGIN"))
                for source in sources:
                    copier.copy(source, day)
                connection.execute(text("COMMIT"))
            settle(connection)
        engine.dispose()


class Importing:
    """Imports batches through the pipeline as of some day."""

    def __init__(self, database: Database, company_id: str, path: Path, seed: int) -> None:
        self._database = database
        self._company_id = company_id
        self._path = path
        self._seed = seed

    async def run(self, brands: list[Brand], watched: tuple[Watched, ...], panel: Panel, day: date) -> Source:
        """Import one batch for each brand; say which rows it made."""
        before = await self._keys()
        end = start_of(day) + DAY - timedelta(seconds=1)
        importer = Importer(self._database, Publisher(self._database, [], lambda: end), lambda: end)
        for brand, one in zip(brands, watched, strict=True):
            rng = random.Random(f"{self._seed}:{one.name}:{day}")
            write(captured(rng, one, panel, start_of(day)), self._path)
            await importer.import_file(self._company_id, brand, self._path)
        after = await self._keys()
        keys = {table.name: (before[table.name] + 1, after[table.name]) for table in KEYED}
        return Source(day, keys, await self._revisions([brand.key for brand in brands]))

    async def _keys(self) -> dict[str, int]:
        async with self._database.writing() as connection:
            return await connection.run_sync(newest_keys)

    async def _revisions(self, brand_keys: list[int]) -> tuple[int, int]:
        V = analysis_revisions.c
        async with self._database.writing() as connection:
            chosen = select(func.min(V.key), func.max(V.key)).where(
                V.brand_key.between(min(brand_keys), max(brand_keys))
            )
            first, last = (await connection.execute(chosen)).one()
        return int(first), int(last)


def start_of(day: date) -> datetime:
    """Return the first instant of a day."""
    return datetime.combine(day, time_of_day(), UTC)


def counted(connection: Connection, *names: str) -> dict[str, int]:
    """Return how many rows these tables hold."""
    return {
        name: connection.execute(select(func.count()).select_from(metadata.tables[name])).scalar_one()
        for name in names
    }
