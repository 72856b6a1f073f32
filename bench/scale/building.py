"""Builds a database of a size: some days are imported through the pipeline, the others are written beside them."""

import gc
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day
from pathlib import Path

import anyio.to_thread
from sqlalchemy import Connection, func, select, text

from bench.scale.answering import Answers, line, write
from bench.scale.bulk import Bulk, prepare, settle
from bench.scale.history import Followed, History
from bench.scale.market import CHANNELS, COUNTRIES, DAYS, Panel, Size, Watched, market
from bench.scale.pages import store_pages
from bench.scale.results import Calculated, Results, calculated
from bench.scale.texts import TextPool
from measurement.imports.captured_answers import Importer, known_prompts
from measurement.planning.brand_files import BrandFile, save_brands
from measurement.planning.brand_identity import identify
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.ids import fixed_ids
from storage.repositories.brands import Brand
from storage.repositories.simulations import EVERY_CHANNEL
from storage.tables import metadata
from storage.tables.prompts import run_batches

DAY = timedelta(days=1)
FEWEST_TEXTS, MOST_TEXTS, ANSWERS_OF_A_TEXT = 40, 8_000, 45
"""Texts of a brand: one for so many answers, within bounds."""
LARGE_PAGES, SMALL_PAGES = 40, 6
"""Pages of each entity that answers cite."""


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
    """Fills one empty database. The same seed gives the same rows, identifiers included."""

    def __init__(self, database: Database, size: Size, seed: int, today: date, days: int = DAYS) -> None:
        self._database = database
        self._size = size
        self._seed = seed
        self._first = today - days * DAY
        self._days = days
        self._watched = tuple(market(seed, size.brands))

    async def build(self, say: Callable[[str], None] = silent) -> Built:
        """Import days of every brand, write the others, and leave the database as it would be served."""
        with fixed_ids(f"scale {self._size.name} {self._seed}"):
            return await self._build(say)

    async def _build(self, say: Callable[[str], None]) -> Built:
        began = time.perf_counter()
        now = start_of(self._first)
        async with self._database.operation() as operators:
            company = await operators.companies.create("Synthetic company", "bench@example.com", "scale", now)
        files = [BrandFile.model_validate(watched_brand.file()) for watched_brand in self._watched]
        brands = await save_brands(self._database, company.id, files, "synthetic", now)
        asked = [
            await answers_about(
                self._database, company.id, brand, watched, self._seed, self._first, self._texts(number)
            )
            for number, (brand, watched) in enumerate(zip(brands, self._watched, strict=True))
        ]
        say(f"wrote the texts in {time.perf_counter() - began:.0f} s")
        with tempfile.TemporaryDirectory(prefix="seenby-bench-") as folder:
            importing = Importing(self._database, company.id, Path(folder) / "answers.jsonl")
            for number, (brand, answers) in enumerate(zip(brands, asked, strict=True)):
                panel = self._size.panel(number)
                # The first batch of the large brand gives the second one something to be compared with.
                for batch in range(min(panel.batches, 1 if number else 2)):
                    await importing.run(brand, answers, panel, self._day(panel, batch))
            say(f"imported the first days in {time.perf_counter() - began:.0f} s")
            followed = [
                await self._followed(company.id, brand, answers, number)
                for number, (brand, answers) in enumerate(zip(brands, asked, strict=True))
                if number <= self._size.followed
            ]
            channel_keys = await self._channel_keys(company.id)
            await anyio.to_thread.run_sync(self._write, company.id, followed, channel_keys)
            say(f"wrote the other days in {time.perf_counter() - began:.0f} s")
            await self._know_sizes()  # without, what is added up would be joined row by row
            await self._add_up(company.id, followed)
            await self._know_sizes()
            say(f"added up the totals in {time.perf_counter() - began:.0f} s")
            large = self._size.large
            if large.batches > 2:
                await importing.run(brands[0], asked[0], large, self._last)
        seconds = time.perf_counter() - began
        say(f"built {self._size.name} in {seconds:.0f} s")
        return Built(company.id, tuple(brands), 1 + self._size.followed, self._watched, self._last, seconds)

    @property
    def _last(self) -> date:
        return self._first + (self._days - 1) * DAY

    def _day(self, panel: Panel, number: int) -> date:
        """Return the day of a batch; the last one of each panel is on the last day."""
        return self._last - (panel.batches - 1 - number) * panel.every * DAY

    def _texts(self, number: int) -> int:
        panel = self._size.panel(number)
        answers = panel.answers * panel.batches * panel.times
        return min(MOST_TEXTS, max(FEWEST_TEXTS, answers // ANSWERS_OF_A_TEXT))

    async def _channel_keys(self, company_id: str) -> dict[tuple[str, str, str], int]:
        async with self._database.transaction(company_id) as writing:
            return {
                (platform, mode, country): await writing.channels.key(platform, mode, "import", country)
                for platform, mode, country in CHANNELS
            }

    async def _followed(self, company_id: str, brand: Brand, answers: Answers, number: int) -> Followed:
        """Return what the rows of a brand refer to; its newest import gives its calculations their form."""
        panel = self._size.panel(number)
        workspace = self._database.workspace(company_id)
        found = await workspace.brands.find(brand.id)
        if found is None or found.revision_key is None:
            raise RuntimeError(f"{brand.name} was not imported")
        identity = await identify(workspace, found)
        prompts = await known_prompts(workspace, found)
        imported = self._day(panel, min(panel.batches, 1 if number else 2) - 1)
        async with self._database.transaction(company_id) as writing:
            url_keys = await store_pages(writing, answers.pages)
            countries = {
                country: await writing.channels.key(*EVERY_CHANNEL, country) for country in COUNTRIES
            }
        async with self._database.writing() as connection:
            form = await connection.run_sync(newest_calculation, brand.key, imported)
        return Followed(
            identity,
            found.revision_key,
            answers,
            panel,
            [prompts[text].key for text in answers.brand.prompts],
            url_keys,
            Results(company_id, brand.key, found.revision_key, answers.pool.keys, countries, form),
        )

    def _write(
        self, company_id: str, followed: Sequence[Followed], channel_keys: Mapping[tuple[str, str, str], int]
    ) -> None:
        """Write the days that are not imported, oldest first, all brands of a day together."""
        days: dict[date, list[Followed]] = {}
        for number, brand in enumerate(followed):
            panel = brand.panel
            left = range(2, panel.batches - 1) if number == 0 else range(1, panel.batches)
            for batch in left:
                days.setdefault(self._day(panel, batch), []).append(brand)
        engine = self._database.synchronous_engine
        with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            prepare(connection)
            bulk = Bulk(connection)
            history = History(bulk, company_id, channel_keys, self._last)
            gc.freeze()
            gc.disable()  # rows are tuples in lists, and looking through them takes a fifth of the time
            try:
                for day, asked in sorted(days.items()):
                    for brand in asked:
                        history.write(brand, day)
                    bulk.flush()
            finally:
                gc.enable()
                gc.unfreeze()
            settle(connection)
        engine.dispose()

    async def _know_sizes(self) -> None:
        """Update the planner's statistics, as a server of either kind would have done during so many days."""
        await self._database.refresh_statistics()
        if self._database.synchronous_engine.dialect.name == "postgresql":
            async with self._database.writing() as connection:
                await connection.execute(text("ANALYZE"))

    async def _add_up(self, company_id: str, followed: Sequence[Followed]) -> None:
        """Rebuild the running totals of the brands."""
        for brand in followed:
            async with self._database.transaction(company_id) as writing:
                await writing.running_totals.rebuild(brand.identity.brand.key, brand.revision_key)


async def answers_about(
    database: Database,
    company_id: str,
    brand: Brand,
    watched: Watched,
    seed: int,
    first: date,
    texts: int,
) -> Answers:
    """Return what draws the answers about a brand."""
    identity = await identify(database.workspace(company_id), brand)
    pool = await anyio.to_thread.run_sync(TextPool, identity, seed, texts)
    pages = LARGE_PAGES if texts > 2 * FEWEST_TEXTS else SMALL_PAGES
    return Answers(seed, watched, pool, pages, first)


def newest_calculation(connection: Connection, brand_key: int, day: date) -> Calculated | None:
    """Return the calculation of the newest batch of a brand, which was imported on this day."""
    newest = select(func.max(run_batches.c.key)).where(run_batches.c.brand_key == brand_key)
    return calculated(connection, connection.execute(newest).scalar_one(), day)


class Importing:
    """Imports batches through the pipeline as of some day."""

    def __init__(self, database: Database, company_id: str, path: Path) -> None:
        self._database = database
        self._company_id = company_id
        self._path = path

    async def run(self, brand: Brand, answers: Answers, panel: Panel, day: date) -> None:
        """Import all batches of a day."""
        for part in range(panel.times):
            end = start_of(day) + DAY * (part + 1) / panel.times - timedelta(seconds=1)
            drawn = answers.batch(panel, day, part, fails=False)
            write((line(answers, one) for one in drawn), self._path)
            importer = Importer(
                self._database, Publisher(self._database, [], lambda end=end: end), lambda end=end: end
            )
            await importer.import_file(self._company_id, brand, self._path)


def start_of(day: date) -> datetime:
    """Return the first instant of a day."""
    return datetime.combine(day, time_of_day(), UTC)


def counted(connection: Connection, *names: str) -> dict[str, int]:
    """Return how many rows these tables hold."""
    return {
        name: connection.execute(select(func.count()).select_from(metadata.tables[name])).scalar_one()
        for name in names
    }
