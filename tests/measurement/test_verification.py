"""Stored results that somebody altered: each number and each field is found and named."""

import asyncio
import json
import zlib
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import BigInteger, Boolean, Column, Date, Float, Integer, LargeBinary, text
from sqlalchemy.exc import IntegrityError

from analytics.matching import mentions
from measurement.extraction.reextract import HistoryReextractor
from measurement.publication.publish import Publisher
from measurement.publication.receipt_seal import ReceiptSigner
from measurement.receipts.brand_verification import BrandVerifier, Verification, verify_brand
from measurement.receipts.nightly import NightlyVerification
from server.service import utc_now
from server.settings import Settings
from storage.database import Database
from storage.encoding import packed, unpacked
from storage.errors import RowGone
from storage.queries import Query
from storage.readers import SqliteReaders
from storage.repositories.daily_counts import DAY_ANSWERS, DAY_MENTIONS
from storage.tables import metadata
from storage.tables.columns import JsonText, PackedJson, UtcTime
from tests.in_full import IN_FULL
from tests.measurement.conftest import Acme, CallTool, Peer, Reply

both = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
RESULTS = (
    *("score_calculations", "metric_points", "daily_rollups", "mentions", "answer_readings"),
    *("competitor_points", "cells", "running_totals", "channel_days"),
    *(
        "country_calculations",
        "simulations",
        "channel_health",
        "answer_claims",
        "answers",
        "citations",
        "run_batches",
        "batch_seals",
    ),
)
"""Tables whose values some tool shows of a measurement, or that prove them."""
OF_READING = frozenset({"mentions", "answer_readings", "competitor_points", "channel_days"})
UNSHOWN = frozenset({"company_id", "revision_key", "score_calculations.id"})
"""Whose row it is and of which reading, which every read asks for; and an identifier that nobody is told."""


@pytest.fixture
def measured(acme: Acme, tmp_path: Path) -> Acme:
    """Two imports of 20 answers: named, ranked, cited, unnamed, denied."""
    texts = (
        "1. Globex\n2. Acme is a great choice for most people in this town and they love it",
        "Acme is a terrible and awful choice for most people in this town and they hate it",
        "Globex. I could not find any information about Acme.",
    )
    for batch in (1, 2):
        rows = [
            {
                "platform": ("chatgpt", "gemini")[number % 2],
                "prompt": f"Which shoes number {number % 11} should people in this town buy?",
                "text": texts[number % 3],
                "captured_at": f"2026-03-{batch:02}T12:{number:02}:00Z",
                "country": ("DE", "AT")[number % 2],
                "citations": [
                    {"url": f"https://{('acme', 'globex')[number % 2]}.example/{number}", "title": "Shoes"}
                ],
                "source_id": f"{batch}-{number}",
            }
            for number in range(20)
        ]
        path = tmp_path / f"{batch}.jsonl"
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
        acme.seenby.json("answers", "import", str(path), "--brand", "Acme", "--company", "Shop")
    return acme


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all simple values in a JSON document."""
    if isinstance(value, dict):
        for name, inner in cast(dict[str, Any], value).items():
            yield from leaves(inner, (*path, name))
    elif isinstance(value, list):
        for number, inner in enumerate(cast(list[Any], value)[:1]):
            yield from leaves(inner, (*path, number))
    else:
        yield path


def altered(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value + 1
    return 7 if value is None else f"{value}x"


def with_leaf(document: Any, path: tuple[Any, ...]) -> str:
    copy = json.loads(json.dumps(document))
    inner = copy
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = altered(inner[path[-1]])
    return json.dumps(copy, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def containers(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all objects and lists in a JSON document, the document itself first."""
    inside: Iterable[tuple[Any, Any]] = ()
    if isinstance(value, dict):
        inside = cast(dict[str, Any], value).items()
    elif isinstance(value, list):
        inside = enumerate(cast(list[Any], value)[:1])
    else:
        return
    yield path
    for step, inner in inside:
        yield from containers(inner, (*path, step))


TYPES: tuple[Any, ...] = ([], {}, None, "x", 7)


def with_other_types(document: Any) -> Iterator[tuple[tuple[Any, ...], str]]:
    """The document as a value of each other type, and with each inner object or list as one of another type."""
    for other in TYPES:
        if type(other) is not type(document):
            yield (), json.dumps(other)
    for no_json in ("{", "", '{"a":NaN}', "[1e999]", r'["\ud800"]'):
        yield (), no_json
    for number, path in enumerate(containers(document)):
        if path:
            copy = json.loads(json.dumps(document))
            inner = copy
            for step in path[:-1]:
                inner = inner[step]
            others = [other for other in TYPES if type(other) is not type(inner[path[-1]])]
            inner[path[-1]] = others[number % len(others)]
            yield path, json.dumps(copy, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@asynccontextmanager
async def opened(
    acme: Acme, keys: tuple[bytes, ...] | None = None
) -> AsyncGenerator[tuple[Database, str, Publisher]]:
    """The database of a company, and who publishes there with its own keys or others."""
    settings = Settings.from_environ(acme.seenby.environment)
    database = await Database.open(settings.database_url)
    try:
        (company,) = await database.operators.companies.all()
        signer = ReceiptSigner(settings.receipt_keys if keys is None else keys)
        yield database, company.id, Publisher(database, [], utc_now, signer)
    finally:
        await database.close()


async def verified(
    database: Database, publisher: Publisher, company_id: str, **how: Any
) -> list[Verification]:
    return await verify_brand(database, publisher, company_id, "Acme", utc_now, **how)


async def some_row(database: Database, table: str, revision: int) -> dict[str, Any]:
    """A row of a table with as few empty columns as there is."""
    where = f"WHERE revision_key = {revision}" if "revision_key" in metadata.tables[table].c else ""
    async with database.writing() as connection:
        found = await connection.execute(text(f"SELECT * FROM {table} {where}"))
        rows = [dict(row) for row in found.mappings()]
    return min(rows, key=lambda row: sum(value is None for value in row.values()))


async def overwrite(database: Database, table: str, row: dict[str, Any], column: str, value: Any) -> bool:
    """Write a value past everybody; False when the database itself refuses it."""
    keys = [key.name for key in metadata.tables[table].primary_key]
    where = " AND ".join(f'"{key}" = :k_{key}' for key in keys)
    given = {f"k_{key}": row[key] for key in keys}
    try:
        async with database.writing() as connection:
            changed = await connection.execute(
                text(f'UPDATE {table} SET "{column}" = :value WHERE {where}'), {**given, "value": value}
            )
            assert changed.rowcount == 1, (table, column)
    except (IntegrityError, RowGone):
        return False
    return True


def another(column: Column[Any], value: Any) -> Any:
    """Another value that the column can hold."""
    kind = column.type
    if isinstance(kind, Boolean):
        return not value if isinstance(value, bool) else 1 - value
    if isinstance(kind, Date):
        return "2020-01-01" if isinstance(value, str) else value.replace(year=2020)
    if isinstance(kind, LargeBinary):
        return b"x"
    if column.name == "status":
        return {"insufficient_data": "measured", "completed": "degraded", "answered": "refused"}.get(
            value, "failed" if value == "success" else "insufficient_data"
        )
    if column.name == "verdict":
        return "unverifiable"
    if isinstance(kind, (Integer, BigInteger, Float, UtcTime)):
        return 7 if value is None else value + 1
    return "x" if value is None else f"{value}x"


def names_row(found: set[str], table: str) -> bool:
    """Whether something that was found is a row of the table.

    Of a calculation the receipt is the name, of a cited page each row that cites it.
    """
    of_receipt = table == "score_calculations" and bool(found)
    named = "citations" if table == "cited_urls" else table
    return of_receipt or any(name.split(" ")[0] == named for name in found)


def opened_document(column: Column[Any], stored: Any) -> Any:
    """The document that a column holds."""
    return json.loads(unpacked(stored) if isinstance(column.type, PackedJson) else stored)


def stored_document(column: Column[Any], written: str) -> str | bytes:
    """A text as the column would hold it if it were a document."""
    return packed(written) if isinstance(column.type, PackedJson) else written


@dataclass
class Walk:
    """Alters stored values one by one, and remembers those that a verification did not find."""

    database: Database
    company_id: str
    publisher: Publisher
    revision: int
    every: int
    missed: list[str] = field(default_factory=list[str])

    async def wrong(self, *, quick: bool = False, only: str | None = None) -> set[str]:
        workspace = self.database.workspace(self.company_id)
        brand = (await workspace.brands.all())[0]
        verifier = await BrandVerifier.of(workspace, self.publisher, brand.id, self.revision)
        return {name for one in await verifier.verify(quick=quick, only=only) for name in one.wrong}

    async def receipt_of(self, row: dict[str, Any]) -> str | None:
        """The receipt of a row's batch, which alone needs to be verified where a document of it is altered."""
        workspace = self.database.workspace(self.company_id)
        found = await workspace.results.of_batch(self.revision, row["batch_key"])
        return found.receipt_id if found else None

    async def alter(
        self, table: str, row: dict[str, Any], column: str, value: Any, place: str, *, anew: bool = False
    ) -> None:
        quick = not anew and table not in OF_READING and place != "simulations.accuracy_score"
        in_document = isinstance(metadata.tables[table].c[column].type, JsonText)
        only = await self.receipt_of(row) if in_document and "batch_key" in row else None
        if not await overwrite(self.database, table, row, column, value):
            return
        found = await self.wrong(quick=quick, only=only)
        if not names_row(found, table):
            self.missed.append(f"{place}: {sorted(found)[:3]}")
        assert await overwrite(self.database, table, {**row, column: value}, column, row[column])

    async def alter_all(self, table: str) -> None:
        """Alter every column of a row, and every simple value of its documents."""
        row = await some_row(self.database, table, self.revision)
        for column in metadata.tables[table].c:
            place = f"{table}.{column.name}"
            if UNSHOWN & {column.name, place}:
                continue
            if not isinstance(column.type, JsonText):
                await self.alter(table, row, column.name, another(column, row[column.name]), place)
                continue
            if row[column.name] is None:
                await self.alter(table, row, column.name, '{"x":"x"}', place)
                continue
            document = opened_document(column, row[column.name])
            for path in list(leaves(document))[:: self.every]:
                value = stored_document(column, with_leaf(document, path))
                await self.alter(table, row, column.name, value, f"{place}.{path}")
            # What reads a document to calculate anew meets whatever lies there, too.
            for path, written in list(with_other_types(document))[:: self.every]:
                value = stored_document(column, written)
                await self.alter(
                    table, row, column.name, value, f"{place}.{path} as {written[:9]}", anew=True
                )
            if isinstance(column.type, PackedJson):
                cut = row[column.name][:-1]
                for value in (b"", b"x", cut, zlib.compress(b"\xff")):
                    await self.alter(table, row, column.name, value, f"{place} as {value[:9]}", anew=True)
            if not document:
                value = stored_document(column, '["x"]' if isinstance(document, list) else '{"x":"x"}')
                await self.alter(table, row, column.name, value, place)


async def walk(acme: Acme) -> list[str]:
    """Alter every value of a row of each table; return what was missed."""
    async with opened(acme) as (database, company_id, publisher):
        brand = (await database.workspace(company_id).brands.all())[0]
        # A document is one text in both databases, and its values are compared by one reader: some of them will do.
        every = (
            1
            if IN_FULL
            else 20
            if acme.seenby.environment["SEENBY_DATABASE_URL"].startswith("postgresql")
            else 4
        )
        walk = Walk(database, company_id, publisher, brand.revision_key or 0, every)
        wrong = [await walk.wrong()]
        for table in RESULTS:
            await walk.alter_all(table)
        row = await some_row(database, "brands", walk.revision)
        await walk.alter("brands", row, "simulations", row["simulations"] + 1, "brands.simulations")
        row = await some_row(database, "cited_urls", walk.revision)
        for name in ("url", "title"):
            await walk.alter("cited_urls", row, name, f"{row[name]}x", f"cited_urls.{name}")
        wrong.append(await walk.wrong())
    assert wrong == [set(), set()]
    return walk.missed


@both
@pytest.mark.timeout(900)
def test_each_altered_value_of_a_result_is_found_and_its_row_named(
    measured: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    measured.save(
        repositoryItems=[
            {"title": "Contact", "category": "faq", "body": "Founded: 1974\nPhone: +1 555 010 0199"}
        ]
    )
    peer.script = lambda asked: saying("Acme was founded in 1980, as https://acme.example/about says.")
    measured.measured("--query", "Who is Acme?", "--platform", "one", "--repeats", "2")
    assert asyncio.run(walk(measured)) == []


@both
def test_api_answers_keep_the_seal_from_before_ai_surfaces(measured: Acme) -> None:
    """What was sealed by an earlier version must go on to prove itself after an upgrade."""

    async def sealed() -> set[int]:
        async with opened(measured) as (database, company_id, _):
            workspace = database.workspace(company_id)
            brand = (await workspace.brands.all())[0]
            [batch, *_] = await workspace.seals.ended(brand.key)
            rows, _ = await workspace.seals.rows(batch, "answers", 0)
            return {len(json.loads(row.content)) for row in rows}

    known_then = [
        column for column in metadata.tables["answers"].c if column.name not in ("absent_reason", "seen")
    ]
    assert asyncio.run(sealed()) == {len(known_then)}


@pytest.mark.parametrize("url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    ("alter", "restore"),
    [
        (
            "UPDATE prompts SET text = text || ' x' WHERE key = (SELECT min(prompt_key) FROM answers)",
            "UPDATE prompts SET text = substr(text, 1, length(text) - 2) WHERE key = (SELECT min(prompt_key) FROM answers)",
        ),
        (
            "UPDATE channels SET platform = 'grok' WHERE platform = 'gemini'",
            "UPDATE channels SET platform = 'gemini' WHERE platform = 'grok'",
        ),
        (
            "UPDATE channels SET country = 'FR' WHERE platform = 'gemini'",
            "UPDATE channels SET country = 'AT' WHERE platform = 'gemini'",
        ),
    ],
)
def test_an_altered_question_or_channel_is_found_by_its_digest(
    measured: Acme, alter: str, restore: str
) -> None:
    async def altered_by(statement: str) -> set[str]:
        async with opened(measured) as (database, company_id, publisher):
            async with database.writing() as connection:
                await connection.execute(text(statement))
            found = await verified(database, publisher, company_id, quick=True)
        return {name for verification in found for name in verification.wrong}

    assert "questions" in asyncio.run(altered_by(alter))
    assert asyncio.run(altered_by(restore)) == set()


@both
def test_a_removed_or_exchanged_result_breaks_the_chain(measured: Acme) -> None:
    async def run() -> None:
        async with opened(measured, (b"x" * 32,)) as (database, company_id, stranger):
            foreign = await verified(database, stranger, company_id, quick=True)
        assert {name for one in foreign for name in one.wrong if "batch_seals" not in name} == {"signature"}
        async with opened(measured, ()) as (database, company_id, keyless):
            unsigned = await verified(database, keyless, company_id, quick=True)
        assert {name for one in unsigned for name in one.wrong if "batch_seals" not in name} == {"signature"}
        async with opened(measured) as (database, company_id, publisher):
            brand = (await database.workspace(company_id).brands.all())[0]
            async with database.writing() as connection:
                await connection.execute(
                    text(
                        "DELETE FROM score_calculations WHERE key = (SELECT min(key) FROM score_calculations"
                        f" WHERE revision_key = {brand.revision_key})"
                    )
                )
            [left] = await verified(database, publisher, company_id, quick=True)
        assert "receipt.previous" in left.wrong
        assert any(name.startswith("score_calculations of batch") for name in left.wrong)

    asyncio.run(run())


def test_an_older_version_is_told_from_an_altered_result_and_read_anew(
    measured: Acme, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        async with opened(measured) as (database, company_id, publisher):
            brand = (await database.workspace(company_id).brands.all())[0]
            with monkeypatch.context() as older:
                older.setattr(mentions, "VERSION", "matcher/0")
                await publisher.bring_up_to_date(company_id, brand.id)
            verifications = await verified(database, publisher, company_id)
            assert [(one.holds, one.read_by) for one in verifications] == [(True, ("matcher/0",))] * 2
            for step in (1, -1):
                async with database.writing() as connection:
                    await connection.execute(text(f"UPDATE mentions SET occurrences = occurrences + {step}"))
                holds = {one.holds for one in await verified(database, publisher, company_id)}
                assert holds == {step < 0}
            assert await HistoryReextractor(database, publisher, utc_now).look() == 1
            verifications = await verified(database, publisher, company_id)
            assert [(one.holds, one.read_by) for one in verifications] == [(True, ())] * 2

    asyncio.run(run())


def test_daily_counts_of_a_year_are_checked_by_the_month(
    measured: Acme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One statement a day and table made the nightly check of a brand cost by its age, not by its answers."""
    path = tmp_path / "earlier.jsonl"
    row = {"platform": "chatgpt", "prompt": "Which shoes?", "text": "Acme", "source_id": "early"}
    path.write_text(json.dumps({**row, "captured_at": "2025-03-01T12:00:00Z"}))
    measured.seenby.json("answers", "import", str(path), "--brand", "Acme", "--company", "Shop")
    counted: list[str] = []
    fetch = SqliteReaders.fetch

    async def noted(self: SqliteReaders, query: Query[Any], values: Any) -> Any:
        if query is DAY_ANSWERS or query is DAY_MENTIONS:
            counted.append(query.compiled(self.dialect).sql)
        return await fetch(self, query, values)

    monkeypatch.setattr(SqliteReaders, "fetch", noted)

    async def wrong_after(change: str) -> set[str]:
        async with opened(measured) as (database, company_id, publisher):
            async with database.writing() as connection:
                await connection.execute(text(change))
            counted.clear()
            found = await verified(database, publisher, company_id, quick=True)
        return {name for one in found for name in one.wrong}

    assert asyncio.run(wrong_after("SELECT 1")) == set()
    assert len(counted) == 2 * 12
    moved = "UPDATE daily_rollups SET day = '0001-01-01' WHERE day = '2025-03-01' AND entity_key = 0"
    named = {name.rpartition(":")[0] for name in asyncio.run(wrong_after(moved)) if "daily" in name}
    assert len(named) == 2
    assert {name.split()[1] for name in named} == {"0001-01-01", "2025-03-01"}
    assert len(counted) == 2 * 12


def test_the_nightly_check_tells_the_company_once(measured: Acme, call: CallTool) -> None:
    async def night(change: str) -> int:
        async with opened(measured) as (database, _, publisher):
            async with database.writing() as connection:
                await connection.execute(text(change))
            return await NightlyVerification(database, publisher, utc_now).verify_all()

    def alarms() -> list[str]:
        told = call("list_notifications")["notifications"]
        return [one["title"] for one in told if "do not hold" in one["title"]]

    assert asyncio.run(night("SELECT 1")) == 0
    assert alarms() == []
    change = "UPDATE daily_rollups SET named = named + 1"
    assert [asyncio.run(night(change)), asyncio.run(night("SELECT 1"))] == [1, 1]
    assert alarms() == ["Stored results of Acme do not hold"]


DAMAGES = {
    "a text that cannot be unpacked": "UPDATE answer_texts SET text = {no_text} WHERE answer_key = {answer}",
    "a text row that is missing": "DELETE FROM answer_texts WHERE answer_key = {answer}",
    "an answer row that is missing": "DELETE FROM answers WHERE key = {answer}",
    "extraction results that are missing": "DELETE FROM answer_readings WHERE answer_key = {answer}",
    "another text": "UPDATE answer_texts SET text = (SELECT text FROM answer_texts WHERE answer_key = {answer} + 1)"
    " WHERE answer_key = {answer}",
}


@both
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_missing_answer_is_named_and_reported(
    measured: Acme, call: CallTool, damage: str
) -> None:
    async def night() -> tuple[int, str]:
        async with opened(measured) as (database, _, publisher):
            async with database.writing() as connection:
                postgresql = connection.dialect.name == "postgresql"
                no_text = "'\\x78ff'::bytea" if postgresql else "x'78ff'"
                found = await connection.execute(text("SELECT min(key) FROM answers"))
                answer = found.scalar_one()
                await connection.execute(text(DAMAGES[damage].format(answer=answer, no_text=no_text)))
            return await NightlyVerification(database, publisher, utc_now).verify_all(), str(answer)

    failed, answer = asyncio.run(night())
    assert failed == 1
    titles = [one["title"] for one in call("list_notifications")["notifications"]]
    assert "Stored results of Acme do not hold" in titles
    done = measured.seenby("replay", "--verify", "--company", "Shop", "--json")
    assert (done.code, "Traceback" in done.err) == (1, False)
    wrong = [name for one in done.json for name in one["wrong"]]
    of_batch = damage == "an answer row that is missing"
    assert any(
        name.startswith("answers of batch") if of_batch else answer in name.replace(":", " ").split()
        for name in wrong
    ), wrong


def test_without_keys_only_what_is_unsigned_is_accepted() -> None:
    signed = ReceiptSigner((b"k" * 32,)).sign("a number")
    assert ReceiptSigner((b"n" * 32, b"k" * 32)).accepts("a number", signed)
    assert not ReceiptSigner((b"k" * 32,)).accepts("a number", "")
    assert not ReceiptSigner().accepts("a number", signed)
    assert ReceiptSigner().accepts("a number", ReceiptSigner().sign("a number"))
