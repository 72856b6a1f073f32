"""Counts of days and running totals equal a recount from the raw answers, whatever was imported, asked, read again, dropped or killed."""

import json
import random
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import text

from measurement.asking.probe_progress import Step
from measurement.imports.captured_answers import Importer
from measurement.planning.ask_plan import ProbeRequest, make_plan
from measurement.planning.clock import utc_now
from server.service import Service, open_service
from server.settings import Settings
from storage.repositories.answers.answer_filters import UNFILTERED, AnswerFilter
from storage.repositories.brands import AliasRow, Brand, BrandDraft
from tests.measurement.conftest import Acme, Asked, Peer, Reply
from tests.measurement.counted_answers import differing, keyed, seen_answers, sums_of

STEPS = 14
NAMES = ("Acme", "Apex", "Globex", "Initech")


class Killed(BaseException):
    """The end of the process, in the middle of its work."""


class History:
    """One brand's life in one process, and what it must add up to."""

    def __init__(
        self,
        service: Service,
        company: str,
        peer: Peer,
        saying: Callable[..., Reply],
        folder: Path,
        seed: int,
    ) -> None:
        self.service, self.company, self.folder = service, company, folder
        self.chance = random.Random(seed)
        self.own = {"Acme"}
        replies = [saying(f"{name} lasts, they say.") for name in NAMES]
        refusal = saying("", refusal="no")

        def script(_: Asked) -> Any:
            return self.chance.choice([*replies, *replies, refusal])

        peer.script = script

    async def brand(self) -> Any:
        found = await self.service.database.workspace(self.company).brands.find("Acme")
        assert found is not None
        return found

    def killer(self) -> Callable[..., None]:
        """A progress callback that ends the process at some moment, or never."""
        left = self.chance.choice([1, 2, 5, 9, 1000])

        def told(*_: int | Step) -> None:
            nonlocal left
            left -= 1
            if left == 0:
                raise Killed

        return told

    async def import_some(self) -> None:
        lines = [self.imported_line() for _ in range(self.chance.randint(1, 25))]
        path = self.folder / "some.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)))
        importer = Importer(self.service.database, self.service.publisher, utc_now)
        await importer.import_file(self.company, await self.brand(), path, progress=self.killer())

    def imported_line(self) -> dict[str, Any]:
        """An answer that was captured somewhere: asked of an engine, seen on a screen or missing there, cut, cited."""
        shown = self.chance.random() < 0.8
        line: dict[str, Any] = {
            "platform": self.chance.choice(["copilot", "one", "google@looker"]),
            "prompt": f"Which shoe number {self.chance.randrange(5)} lasts?",
            "text": " ".join(f"{name} lasts." for name in self.chance.sample(NAMES, 2)) if shown else "",
            "captured_at": f"2026-03-{self.chance.randint(1, 6):02}T10:00:{self.chance.randrange(60):02}Z",
            "truncated": self.chance.random() < 0.1,
            "source_id": str(self.chance.randrange(60)),
        }
        if not shown:
            line |= {"status": "not_shown", "absent_reason": self.chance.choice(["none", "no_results"])}
        if self.chance.random() < 0.5:
            line["citations"] = [
                f"https://{self.chance.choice(['acme', 'other'])}.example/{self.chance.randrange(9)}"
            ]
        return line

    async def probe(self) -> None:
        service = self.service
        request = ProbeRequest("Acme", (self.chance.choice(["one", "two"]),), repeats=1)
        plan = await make_plan(
            service.database, self.company, request, service.engines, service.engine_keys, utc_now()
        )
        await service.prober().probe(self.company, plan, self.killer())

    async def rename(self) -> None:
        """Give the brand other names and drop or add rivals; history may be read again before the next number."""
        self.own = {"Acme", *self.chance.sample(["Apex"], self.chance.randint(0, 1))}
        rivals = [
            BrandDraft(name, (AliasRow(name),))
            for name in self.chance.sample(NAMES[2:], self.chance.randint(0, 2))
        ]
        profile = dict.fromkeys(("industry", "website", "voice", "target_audience"))
        draft = BrandDraft("Acme", tuple(map(AliasRow, sorted(self.own))), ("acme.example",))
        async with self.service.database.transaction(self.company) as writing:
            await writing.brands.save(draft, rivals, {**profile, "keywords": []}, utc_now())

    async def reread(self) -> None:
        if (await self.brand()).revision_key is not None:
            await self.service.publisher.bring_up_to_date(
                self.company, (await self.brand()).id, self.killer()
            )

    async def cancel(self) -> None:
        for batch in await self.service.database.workspace(self.company).batches.unfinished():
            async with self.service.database.transaction(self.company) as writing:
                await writing.batches.cancel(batch.id, utc_now())

    async def step(self) -> None:
        """Do one thing, or die while doing it."""
        todo = self.chance.choice(
            [self.import_some, self.import_some, self.probe, self.rename, self.reread, self.cancel]
        )
        try:
            await todo()
        except BaseException as end:
            if not died(end):
                raise

    async def check(self) -> None:
        """Compare every stored count with a recount, and the names with a naive search of the raw texts."""
        brand = await self.brand()
        if brand.revision_key is None:
            return
        workspace = self.service.database.workspace(self.company)
        async with self.service.database.writing() as connection:
            rows = await connection.execute(
                text("SELECT * FROM daily_rollups WHERE revision_key = :key"), {"key": brand.revision_key}
            )
            stored = [dict(row) for row in rows.mappings()]
        days = {as_date(row["day"]) for row in stored} | {
            notification for notification, _ in await self.told()
        }
        recounted: list[dict[str, Any]] = []
        for day in days:
            recounted += await workspace.daily_counts.of_day(brand.key, brand.revision_key, day)
        assert keyed_rows(stored) == keyed_rows(recounted)
        await self.check_totals(brand)

    async def check_totals(self, brand: Brand) -> None:
        """Compare running totals with the answers themselves, as they are read now, under some filters."""
        workspace = self.service.database.workspace(self.company)
        assert brand.revision_key is not None
        entities = [entity.key for entity in await workspace.brands.entities(brand)]
        totals, revision_key = workspace.running_totals, brand.revision_key
        seen = await seen_answers(workspace, brand)
        whole = await totals.of_days(revision_key, None, None, UNFILTERED, entities)
        assert differing(keyed(whole), sums_of(seen, entities)) == []
        for _ in range(4):
            since = datetime(2026, 3, self.chance.randint(1, 4), tzinfo=UTC)
            chosen = AnswerFilter(
                platform=self.chance.choice([None, "one", "copilot"]),
                mode=self.chance.choice([None, "visibility", "readiness"]),
                prompt_id=self.chance.choice([None, *sorted({one.answer.prompt_id for one in seen})]),
                since=since,
                until=since + timedelta(days=self.chance.randint(1, 3)),
            )
            assert chosen.until is not None
            days = since.date(), (chosen.until - timedelta(days=1)).date()
            by_days = await totals.of_days(revision_key, *days, chosen, entities)
            one_by_one = await totals.of_answers(brand.key, revision_key, chosen, entities)
            assert keyed(by_days) == keyed(one_by_one), chosen

    async def told(self) -> Counter[tuple[date, bool]]:
        """Valid answers of successful batches by UTC day and whether they name the brand, from the raw texts."""
        counts: Counter[tuple[date, bool]] = Counter()
        workspace, brand = self.service.database.workspace(self.company), await self.brand()
        good = {batch.id for batch in await workspace.batches.successful(brand.key, utc_now(), 10_000)}
        for record in await workspace.answers.records(brand.key, 0, 0, 100_000):
            if record.valid and record.batch_id in good:
                counts[record.captured_at.date(), any(name in record.text for name in self.own)] += 1
        return counts

    async def settle(self) -> None:
        """Read what is not read yet, so that numbers stand on today's names; then compare with the raw texts."""
        brand = await self.brand()
        if brand.revision_key is None:
            return
        await self.service.publisher.bring_up_to_date(self.company, brand.id)
        await self.check()
        workspace, brand = self.service.database.workspace(self.company), await self.brand()
        notifications = await self.told()
        counts = await workspace.listed_mentions.days(brand.revision_key)
        named: Counter[date] = Counter()
        for one in counts:
            named[one.day] += one.named
        assert named == Counter({day: count for (day, yes), count in notifications.items() if yes})


def died(end: BaseException) -> bool:
    """Tell whether our killing ended it, alone or in a group of tasks."""
    if isinstance(end, BaseExceptionGroup):
        return all(map(died, cast("BaseExceptionGroup[BaseException]", end).exceptions))
    return isinstance(end, Killed)


def as_date(value: Any) -> date:
    """A day, whichever way the driver gives it."""
    return value if isinstance(value, date) else date.fromisoformat(value)


def keyed_rows(rows: list[dict[str, Any]]) -> dict[tuple[Any, ...], dict[str, Any]]:
    """Rows of counts by what they count."""
    places = ("entity_key", "day", "channel_key")
    return {
        (row["entity_key"], as_date(row["day"]), row["channel_key"]): {
            name: value for name, value in row.items() if name not in places
        }
        for row in rows
    }


@pytest.fixture
async def service(acme: Acme) -> AsyncGenerator[Service]:
    async with open_service(Settings.from_environ(acme.seenby.environment)) as service:
        yield service


@pytest.mark.parametrize(("url", "seed"), [("sqlite", 2), ("sqlite", 3), ("postgresql", 4)], indirect=["url"])
async def test_day_counts_equal_a_recount_after_any_change_of_a_brand(
    service: Service, peer: Peer, saying: Callable[..., Reply], tmp_path: Path, seed: int
) -> None:
    (company,) = await service.database.operators.companies.all()
    history = History(service, company.id, peer, saying, tmp_path, seed)
    for _ in range(STEPS):
        await history.step()
        await history.check()
    await history.settle()
    assert sum((await history.told()).values()) > 20
