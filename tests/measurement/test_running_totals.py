"""Running totals equal a count of the answers one by one, however the answers came in."""

import json
import random
import shutil
from collections.abc import AsyncGenerator, Callable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from analytics.cell_sums import CellSums
from analytics.market_sums import added
from measurement.imports.archives import archive_records, take_in
from measurement.imports.captured_answers import Importer
from measurement.planning.ask_plan import ProbeRequest, make_plan
from measurement.planning.brand_identity import identify
from measurement.planning.clock import utc_now
from measurement.publication.channel_days import channel_day_drafts, publish_totals, read_batch
from measurement.publication.publish import Publisher
from measurement.receipts.brand_verification import verify_brand
from measurement.statistics.period_sums import load_period
from server.service import Service, open_service
from server.settings import Settings
from storage.database import Database
from storage.repositories.answers.answer_filters import UNFILTERED, AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.day_numbers import number_of
from storage.repositories.running_totals import RunningTotalRepository
from storage.workspace import Workspace
from tests.measurement.conftest import Acme, Asked, Peer, Reply
from tests.measurement.counted_answers import (
    SeenAnswer,
    differing,
    keyed,
    seen_answers,
    some_filters,
    sums_of,
)

BOTH = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
FIRST, LAST = date(2026, 3, 1), date(2026, 3, 12)
ENTITIES = ("Acme", "Globex", "Initech")
GREAT = " is a great choice for most people in this town and they love it."
SAYINGS = (
    GREAT,
    " is a terrible and awful choice for most people in this town and they hate it.",
    " sells shoes and other goods in this town, and it has a shop at the market.",
    " lasts.",
)
DENIALS = ("Nothing else.", "I could not find any information about Acme.")


@pytest.fixture
async def service(acme: Acme) -> AsyncGenerator[Service]:
    async with open_service(Settings.from_environ(acme.seenby.environment)) as service:
        yield service


class Shop:
    """The company Shop with its brand Acme, into which answers are imported and for which engines are asked."""

    def __init__(self, service: Service, company_id: str, folder: Path, seed: int = 5) -> None:
        self.service, self.company_id, self.folder = service, company_id, folder
        self.chance = random.Random(seed)
        self.files = 0

    @property
    def workspace(self) -> Workspace:
        return self.service.database.workspace(self.company_id)

    async def brand(self) -> Brand:
        brand = await self.workspace.brands.find("Acme")
        assert brand is not None
        return brand

    def line(self, day: date, **fields: Any) -> dict[str, Any]:
        """An answer of a day, of any kind."""
        chance = self.chance
        shown = chance.random() < 0.85
        said = [name + chance.choice(SAYINGS) for name in chance.sample(ENTITIES, chance.randint(0, 3))]
        listed = chance.random() < 0.5
        text = "\n".join(f"{at}. {one}" for at, one in enumerate(said, 1)) if listed else " ".join(said)
        named = chance.random() < 0.1
        about = chance.choice(["Is Acme better than", "Is Globex worth it, or"]) if named else "Which is"
        line: dict[str, Any] = {
            "platform": chance.choice(["copilot", "one", "google@looker"]),
            "prompt": f"{about} product number {chance.randrange(4)}?",
            "text": f"{text} {chance.choice(DENIALS)}" if shown else "",
            "captured_at": f"{day}T{chance.randrange(24):02}:00:{chance.randrange(60):02}Z",
            "truncated": chance.random() < 0.05,
            "source_id": str(chance.random()),
        }
        if not shown:
            line |= chance.choice(
                [
                    {"status": "not_shown", "absent_reason": "none"},
                    {"status": "not_shown", "absent_reason": "no_results"},
                    {"status": "refused"},
                ]
            )
        if chance.random() < 0.6:
            hosts = chance.sample(["acme.example", "globex.example", "other.example"], 2)
            line["citations"] = [f"https://{host}/{chance.randrange(9)}" for host in hosts]
        return line | fields

    def lines(self, days: Sequence[date], count: int, **fields: Any) -> list[dict[str, Any]]:
        return [self.line(self.chance.choice(days), **fields) for _ in range(count)]

    async def take(self, lines: Sequence[dict[str, Any]]) -> None:
        """Import some answers as one batch."""
        self.files += 1
        path = self.folder / f"{self.files}.jsonl"
        path.write_text("\n".join(map(json.dumps, lines)))
        importer = Importer(self.service.database, self.service.publisher, utc_now)
        await importer.import_file(self.company_id, await self.brand(), path)

    async def ask(self, *platforms: str, **request: Any) -> None:
        """Ask the engines."""
        service = self.service
        asked = ProbeRequest("Acme", platforms, **request)
        plan = await make_plan(
            service.database, self.company_id, asked, service.engines, service.engine_keys, utc_now()
        )
        await service.prober().probe(self.company_id, plan)

    async def entity_keys(self) -> list[int]:
        return [entity.key for entity in await self.workspace.brands.entities(await self.brand())]

    async def check(self) -> None:
        """Compare all ways of reading with a count of single answers."""
        workspace, brand, entities = self.workspace, await self.brand(), await self.entity_keys()
        totals, brand_key, revision_key = workspace.running_totals, brand.key, revision_of(brand)
        seen = await seen_answers(workspace, brand)
        assert seen
        for first, last in ((None, None), (days_from(2), days_from(5)), (days_from(4), None)):
            counted = sums_of(seen, entities, lambda one: is_within(one, first, last))  # noqa: B023 # called at once
            of_days = await totals.of_days(revision_key, first, last, UNFILTERED, entities)
            assert differing(keyed(of_days), counted) == []
            within = AnswerFilter(
                since=None if first is None else midnight(first),
                until=None if last is None else midnight(last) + timedelta(1),
            )
            one_by_one = await totals.of_answers(brand_key, revision_key, within, entities)
            assert differing(keyed(one_by_one), counted) == []
        by_day = await totals.by_day(revision_key, FIRST, LAST, UNFILTERED, entities)
        for day in map(days_from, range((LAST - FIRST).days + 1)):
            counted = sums_of(seen, entities, lambda one: one.day == day)  # noqa: B023 # called at once
            assert differing(keyed(one for its_day, one in by_day if its_day == day), counted) == []

    async def stored(self) -> list[tuple[Any, ...]]:
        """Every row of totals, by what it is of."""
        brand = await self.brand()
        names = {
            key: cell.place
            for key, _, cell in await self.workspace.totals_verification.cells(revision_of(brand))
        }
        prompts = {
            cell.prompt_key
            for _, _, cell in await self.workspace.totals_verification.cells(revision_of(brand))
        }
        rows = await self.workspace.totals_verification.rows(revision_of(brand), sorted(prompts))
        return sorted((names[cell_key], *row) for cell_key, *row in rows)

    @property
    def totals(self) -> RunningTotalRepository:
        return self.workspace.running_totals

    async def rebuild(self) -> None:
        brand = await self.brand()
        async with self.service.database.transaction(self.company_id) as writing:
            await writing.running_totals.rebuild(brand.key, revision_of(brand))

    async def wrong(self) -> list[str]:
        """What a verification of the brand finds."""
        found = await verify_brand(
            self.service.database, self.service.publisher, self.company_id, "Acme", utc_now
        )
        return [name for one in found for name in one.wrong]

    async def run(self, statement: str, **values: Any) -> None:
        """Change the database past everybody."""
        async with self.service.database.writing() as connection:
            assert (await connection.execute(text(statement), values)).rowcount


def revision_of(brand: Brand) -> int:
    assert brand.revision_key is not None
    return brand.revision_key


def days_from(number: int) -> date:
    return FIRST + timedelta(number)


def midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def is_within(seen: SeenAnswer, first: date | None, last: date | None) -> bool:
    return (first is None or first <= seen.day) and (last is None or seen.day <= last)


@pytest.fixture
async def shop(service: Service, tmp_path: Path) -> Shop:
    (company,) = await service.database.operators.companies.all()
    return Shop(service, company.id, tmp_path)


@BOTH
async def test_totals_of_several_batches_and_late_answers_equal_a_count(shop: Shop) -> None:
    await shop.take(shop.lines([days_from(2), days_from(3)], 40))
    await shop.take(shop.lines([days_from(3)], 30))
    await shop.take(shop.lines([days_from(5)], 30))
    await shop.take(shop.lines([days_from(number) for number in range(5)], 60))
    await shop.check()
    seen = await seen_answers(shop.workspace, await shop.brand())
    added_up = CellSums().plus
    for sums in sums_of(seen, await shop.entity_keys()).values():
        added_up = added_up(sums).plus
    silent = {name for name, value in added_up(CellSums())._asdict().items() if not value}
    assert silent == {"uncertain"}, "no answer here has a name that may mean something else"
    added = await shop.stored()
    await shop.rebuild()
    assert await shop.stored() == added
    assert await shop.wrong() == []


@BOTH
async def test_an_import_of_many_days_gives_what_its_days_give_one_by_one(shop: Shop) -> None:
    days = [days_from(number) for number in range(12)]
    # A batch of one day with many cut answers would be degraded, while that of all days is not.
    lines = shop.lines(days, 120, truncated=False)
    await shop.take(lines)
    await shop.check()
    at_once, brand = await shop.stored(), await shop.brand()
    (batch,) = await shop.workspace.batches.successful(brand.key, utc_now(), 9)
    assert (
        len({one.day for one in await shop.workspace.channel_days.of_period(revision_of(brand), None, None)})
        == 12
    )
    await shop.run("DELETE FROM run_batches")
    await shop.run("DELETE FROM cells")
    for day in shop.chance.sample(days, len(days)):
        await shop.take([line for line in lines if line["captured_at"].startswith(str(day))])
    assert await shop.workspace.batches.successful(brand.key, utc_now(), 99) != [batch]
    assert await shop.stored() == at_once
    await shop.check()


@BOTH
async def test_degraded_channels_count_for_no_rate(
    shop: Shop, peer: Peer, saying: Callable[..., Reply], broken: Callable[..., Reply]
) -> None:
    said = saying(f"Acme{GREAT} Globex lasts.")

    lost_prompts = {"number 1 "}

    def script(asked: Asked) -> Reply:
        is_lost = asked.platform == "two" and any(lost in asked.prompt for lost in lost_prompts)
        return broken(b"{}", 500) if is_lost else said

    peer.script = script
    await shop.ask("one", "two", repeats=1)
    for count in (2, 6):
        lost_prompts = {f"number {number} " for number in range(1, 1 + count)}
        await shop.ask("one", "two", repeats=1)
    await shop.check()
    brand = await shop.brand()
    days = await shop.workspace.channel_days.of_period(revision_of(brand), None, None)
    assert [(day.platform, day.planned, day.failed, day.degraded, day.answers) for day in days] == [
        *(("one", 6, 0, False, 6), ("two", 6, 1, False, 5)),
        *(("one", 6, 0, False, 6), ("two", 6, 2, True, 4)),
        *(("one", 6, 0, False, 6), ("two", 6, 6, True, 0)),
    ]
    read = await shop.totals.of_days(revision_of(brand), None, None, UNFILTERED, [0])
    of_two = [CellSums(*one.sums) for one in read if one.platform == "two"]
    names = ("answers", "named", "valid", "named_in_all", "stored")
    assert [sum(getattr(one, name) for one in of_two) for name in names] == [5, 5, 9, 9, 9]


@BOTH
async def test_prompts_outside_a_set_or_with_the_brand_in_them_count_for_no_rate(
    shop: Shop, peer: Peer, saying: Callable[..., Reply]
) -> None:
    peer.script = lambda asked: saying("Globex is great. Acme is bad.")
    for query in ("Who is Acme?", "Is Globex any good?", "Which one is best?"):
        await shop.ask("one", query=query, repeats=2)
    await shop.check()
    brand, (own, globex, _) = await shop.brand(), await shop.entity_keys()
    read = await shop.totals.of_days(revision_of(brand), None, None, UNFILTERED, [own, globex])
    sums = [CellSums(*one.sums) for one in read]
    assert {one.from_set for one in read} == {False}
    assert [sum(getattr(one, name) for one in sums) for name in ("answers", "named", "prominence")] == [0] * 3
    assert sum(one.named_in_all for one in sums) == 12
    assert sorted(one.named_in_prompt for one in read if one.entity_key == own) == [(), (own,), (globex,)]
    says: dict[str, Any] = {"platform": "one", "text": "Globex lasts. Acme fails.", "citations": []}
    plain = {"status": None, "absent_reason": None, "truncated": False}
    asked = ("Who is Acme?", "Is Globex any good?", "Which one is best?")
    await shop.take([shop.line(FIRST, **says, **plain, prompt=prompt) for prompt in asked])
    await shop.check()
    read = await shop.totals.of_days(revision_of(brand), FIRST, FIRST, UNFILTERED, [own, globex])
    named = {(one.named_in_prompt, one.entity_key): CellSums(*one.sums).named for one in read if one.from_set}
    assert named == {
        **{((own,), own): 0, ((own,), globex): 0},
        **{((globex,), own): 1, ((globex,), globex): 1},  # left out where rates of Globex are made
        **{((), own): 1, ((), globex): 1},
    }


async def test_a_prompt_whose_set_is_gone_counts_for_no_rate_and_its_totals_hold(
    shop: Shop, peer: Peer, saying: Callable[..., Reply]
) -> None:
    peer.script = lambda asked: saying("Acme is great.")
    await shop.ask("one", repeats=1)
    await shop.run("UPDATE prompts SET prompt_set_key = NULL WHERE text LIKE '%number 1 %'")
    await shop.check()
    brand = await shop.brand()
    read = await shop.totals.of_days(revision_of(brand), None, None, UNFILTERED, [0])
    assert sorted(CellSums(*one.sums).answers for one in read) == [0, 1, 1, 1, 1, 1]
    assert [name for name in await shop.wrong() if "totals" in name] == []


@BOTH
async def test_a_competitor_has_totals_only_of_days_that_say_something_of_it(shop: Shop) -> None:
    brand, (own, globex, initech) = await shop.brand(), await shop.entity_keys()
    silent: dict[str, Any] = {
        "prompt": "Which one?",
        "platform": "one",
        "status": None,
        "absent_reason": None,
        "truncated": False,
    }
    says: dict[str, Any] = {**silent, "text": "Globex lasts.", "citations": []}
    await shop.take(
        [shop.line(days_from(0), **says), shop.line(days_from(1), **{**says, "text": "None lasts."})]
    )
    cites = {**says, "text": "None does.", "citations": ["https://globex.example/a"]}
    await shop.take([shop.line(days_from(2), **cites)])
    brand = await shop.brand()
    rows = [(row[1], row[2] - number_of(FIRST)) for row in await shop.stored()]
    assert sorted(rows) == [(own, 0), (own, 1), (own, 2), (globex, 0), (globex, 2)]
    read = await shop.totals.of_days(
        revision_of(brand), days_from(1), days_from(1), UNFILTERED, [own, globex, initech]
    )
    assert [one.entity_key for one in read] == [own]
    await shop.check()


@BOTH
async def test_periods_equal_single_answers_under_any_filter(
    shop: Shop, peer: Peer, saying: Callable[..., Reply]
) -> None:
    await shop.take(shop.lines([days_from(number) for number in range(12)], 150))
    peer.script = lambda asked: saying("1. Globex\n2. Acme is great.")
    await shop.ask("one", repeats=1)
    brand, entities, chance = await shop.brand(), await shop.entity_keys(), random.Random(3)
    key, revision_key = brand.key, revision_of(brand)
    everything = await shop.totals.of_days(revision_key, None, None, UNFILTERED, entities)
    (prompt_set,) = await shop.workspace.prompt_sets.active()
    values: dict[str, Any] = {
        "platform": {one.platform for one in everything},
        "mode": {one.mode for one in everything},
        "prompt_id": {one.prompt_id for one in everything},
        "prompt_set_id": [prompt_set.id],
    }
    found = 0
    for chosen in some_filters(chance, values, midnight(FIRST), midnight(LAST), 25):
        first = chosen.since and chosen.since.date()
        last = chosen.until and chosen.until.date() - timedelta(1)
        of_days = keyed(await shop.totals.of_days(revision_key, first, last, chosen, entities))
        one_by_one = keyed(await shop.totals.of_answers(key, revision_key, chosen, entities))
        assert differing(of_days, one_by_one) == []
        some = chance.sample(entities, 1)
        only = keyed(await shop.totals.of_days(revision_key, first, last, chosen, some))
        assert only == {place: sums for place, sums in of_days.items() if place[-1] in some}
        found += len(of_days)
    assert found > 50


@BOTH
async def test_single_batches_and_instants_are_counted_answer_by_answer(shop: Shop) -> None:
    for _ in range(3):
        await shop.take(shop.lines([days_from(1), days_from(2)], 25))
    brand, entities = await shop.brand(), await shop.entity_keys()
    seen = await seen_answers(shop.workspace, brand)
    noon = midnight(days_from(1)) + timedelta(hours=12)
    batches = sorted({one.answer.batch_key for one in seen})[:2]
    ways: list[tuple[AnswerFilter, list[int] | None, Callable[[SeenAnswer], bool]]] = [
        (AnswerFilter(since=noon), None, lambda one: one.answer.captured_at >= noon),
        (AnswerFilter(until=noon), None, lambda one: one.answer.captured_at < noon),
        (UNFILTERED, batches, lambda one: one.answer.batch_key in batches),
        (UNFILTERED, [], lambda one: False),
    ]
    for chosen, batch_keys, is_chosen in ways:
        read = await shop.totals.of_answers(brand.key, revision_of(brand), chosen, entities, batch_keys)
        assert differing(keyed(read), sums_of(seen, entities, is_chosen)) == []
    days = await shop.workspace.channel_days.of_batches(revision_of(brand), batches)
    assert {day.batch_key for day in days} == set(batches)
    assert sum(day.answers for day in days) == sum(one.answer.batch_key in batches for one in seen)


@BOTH
async def test_a_period_that_cuts_days_counts_each_of_its_answers_once(shop: Shop) -> None:
    for number in range(1, 5):
        await shop.take(shop.lines([days_from(number)], 20))
    brand, entities = await shop.brand(), await shop.workspace.brands.entities(await shop.brand())
    seen = await seen_answers(shop.workspace, brand)
    early, late = (timedelta(hours=hours) for hours in (7, 16))
    first, second, last = (midnight(days_from(number)) for number in (1, 2, 4))
    periods: list[tuple[datetime | None, datetime | None]] = [
        *[(first + late, last + early), (first + early, second + early), (first, last + late)],
        *[(first + early, first + late), (first + late, second), (None, second + late), (first + late, None)],
    ]
    for since, until in periods:
        within = [
            one
            for one in seen
            if (since is None or since <= one.answer.captured_at)
            and (until is None or one.answer.captured_at < until)
        ]
        period = await load_period(shop.workspace, brand, AnswerFilter(since=since, until=until), entities)
        counted = sums_of(within, [0])
        own = period.market.entities[brand.id].cells.values()
        assert added(own) == added(counted.values()), (since, until)
        assert {day.batch_key for day in period.days} == {one.answer.batch_key for one in within}


@BOTH
async def test_a_batch_that_is_published_again_counts_once(shop: Shop) -> None:
    await shop.take(shop.lines([days_from(1), days_from(2)], 30))
    await shop.take(shop.lines([days_from(2), days_from(3)], 30))
    before, brand = await shop.stored(), await shop.brand()
    identity = await identify(shop.workspace, brand)
    for batch in await shop.workspace.batches.successful(brand.key, utc_now(), 1):
        read = await read_batch(shop.workspace, identity, revision_of(brand), batch)
        async with shop.service.database.transaction(shop.company_id) as writing:
            days = await channel_day_drafts(writing, read)
            await publish_totals(writing, brand.key, revision_of(brand), batch.key, days)
    assert await shop.stored() == before
    await shop.check()


@BOTH
async def test_a_crash_before_the_commit_leaves_the_old_totals(shop: Shop) -> None:
    await shop.take(shop.lines([days_from(1), days_from(4)], 30))
    before, brand = await shop.stored(), await shop.brand()
    days = await shop.workspace.channel_days.of_period(revision_of(brand), None, None)

    class Killed(BaseException):
        """The end of the process."""

    async def publish() -> None:
        async with shop.service.database.transaction(shop.company_id) as writing:
            await writing.running_totals.rebuild(brand.key, revision_of(brand))
            await publish_totals(writing, brand.key, revision_of(brand), days[0].batch_key, [])
            assert await writing.channel_days.of_period(revision_of(brand), None, None) == []
            raise Killed

    with pytest.raises(Killed):
        await publish()
    assert await shop.stored() == before
    assert await shop.workspace.channel_days.of_period(revision_of(brand), None, None) == days


@BOTH
async def test_an_altered_row_is_named_by_its_prompt_channel_entity_and_day(shop: Shop) -> None:
    says: dict[str, Any] = {
        "prompt": "Which one?",
        "platform": "one",
        "text": "Globex lasts.",
        "citations": [],
        "country": "DE",
    }
    plain = {"status": None, "absent_reason": None, "truncated": False}
    await shop.take([shop.line(days_from(number), **says, **plain) for number in range(2)])
    ((_, _, cell),) = await shop.workspace.totals_verification.cells(revision_of(await shop.brand()))
    _, globex, _ = await shop.entity_keys()
    values = {"day": number_of(days_from(1)), "entity": globex}
    of_row = "WHERE entity_key = :entity AND day = :day"
    await shop.run(f"UPDATE running_totals SET named = named + 1 {of_row}", **values)
    place = f"running_totals {cell.prompt_id} one/readiness/import/DE {globex} 2026-03-02"
    assert await shop.wrong() == [f"{place}: named"]
    await shop.run(f"DELETE FROM running_totals {of_row}", **values)
    assert await shop.wrong() == [f"{place}: missing"]
    await shop.run("UPDATE channel_days SET planned = planned + 1 WHERE day = :day", day=values["day"])
    named = [name for name in await shop.wrong() if name.startswith("channel_days")]
    (batch,) = await shop.workspace.batches.successful((await shop.brand()).key, utc_now(), 9)
    assert named == [f"channel_days {batch.id} one/readiness/DE@import 2026-03-02: planned"]
    await shop.run("DELETE FROM cells")
    assert f"cells {cell.prompt_id} one/readiness/import/DE: missing" in await shop.wrong()


@BOTH
async def test_an_archive_gives_the_same_totals_elsewhere(shop: Shop, migrated: Path, tmp_path: Path) -> None:
    await shop.take(shop.lines([days_from(number) for number in range(10)], 60, platform="one"))
    await shop.take(shop.lines([days_from(3)], 20, platform="one"))
    path = tmp_path / "archive.jsonl"
    with path.open("w", encoding="utf-8") as file:
        async for record in archive_records(shop.workspace, "Shop", None, utc_now):
            file.write(f"{json.dumps(record)}\n")
    assert not {"cells", "running_totals", "channel_days"} & {
        json.loads(line).get("table") for line in path.read_text().splitlines()
    }
    shutil.copy(migrated, tmp_path / "other.db")
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/other.db")
    try:
        async with database.operation() as operators:
            company = await operators.companies.create("Else", "else@shop.example", "scale", utc_now())
        publisher = Publisher(database, [], utc_now)
        await take_in(database, publisher, company.id, path)
        workspace = database.workspace(company.id)
        there, here = await sums_by_name(workspace), await sums_by_name(shop.workspace)
    finally:
        await database.close()
    assert there == here
    assert len(here) > 200


async def sums_by_name(workspace: Workspace) -> dict[tuple[str, ...], CellSums]:
    """The sums of each day up to the tenth by the names of what they are of, which are the same everywhere."""
    brand = await workspace.brands.find("Acme")
    assert brand is not None
    names = {one.key: one.name for one in await workspace.brands.entities(brand)}
    found: dict[tuple[str, ...], CellSums] = {}
    for day in map(days_from, range(10)):
        of_days = await workspace.running_totals.of_days(
            revision_of(brand), None, day, UNFILTERED, list(names)
        )
        for (*place, entity), sums in keyed(of_days).items():
            found[str(day), *map(str, place), names[entity]] = sums
    return found
