"""The schema: made once however many start together, equal to the tables, refused when it is newer."""

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from alembic import command
from sqlalchemy import ColumnElement, Connection, create_engine, select, text
from sqlalchemy.exc import OperationalError

from storage.database import Database
from storage.errors import SchemaTooNew
from storage.migrations.newest import newest_revision
from storage.migrations.upgrade import configuration, present_revision
from storage.repositories.answers.citations import CitedPage
from storage.statements.tables import metadata
from storage.statements.tables.answers import answer_readings, citations, cited_urls, mentions
from storage.statements.tables.columns import EPOCH, USUAL_SPAN
from storage.statements.tables.results import country_calculations, score_calculations

MIGRATE = """
import asyncio, sys
from storage.database import Database
async def run():
    database = await Database.open(sys.argv[1])
    sys.stdin.readline()
    await database.migrate()
    await database.close()
asyncio.run(run())
"""


async def clear(url: str) -> None:
    """Take away the schema."""
    if url.startswith("sqlite"):
        Path(url.partition("///")[2]).unlink()
        return
    database = await Database.open(url)
    async with database.writing() as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))
    await database.close()


async def test_processes_that_start_together_make_the_schema_once(url: str) -> None:
    await clear(url)
    started = [
        subprocess.Popen(
            [sys.executable, "-c", MIGRATE, url],
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parents[2],
        )
        for _ in range(2)
    ]
    ends = await asyncio.gather(
        *(asyncio.to_thread(started_run.communicate, "go\n", 60) for started_run in started)
    )
    assert [(started_run.returncode, end[1]) for started_run, end in zip(started, ends, strict=True)] == [
        (0, "")
    ] * 2
    await expect_metadata(url)


async def test_migrating_twice_changes_nothing_and_leaves_what_the_tables_say(url: str) -> None:
    database = await Database.open(url)
    await database.migrate()
    await database.migrate()
    await database.close()
    await expect_metadata(url)


async def expect_metadata(url: str) -> None:
    """See that the schema bears the newest revision and is the declared one."""
    database = await Database.open(url)
    async with database.writing() as connection:
        assert await connection.run_sync(present_revision) == newest_revision()
    assert await database.schema_differences() == []
    await database.close()


async def test_a_schema_that_only_claims_to_be_the_newest_is_told_with_what_differs(url: str) -> None:
    changes = (
        ("ALTER TABLE score_calculations DROP COLUMN signature", SIGNATURE),
        ("DROP INDEX ix_readiness_reports_public", INDEX),
        ("DROP TABLE idempotency_keys", None),
        ("ALTER TABLE companies ADD COLUMN odd TEXT", "ALTER TABLE companies DROP COLUMN odd"),
    )
    database = await Database.open(url)
    await database.migrate()
    async with database.writing() as connection:
        for change, _ in changes:
            await connection.execute(text(change))
    try:
        await database.migrate()
        assert await database.schema_differences() == [
            "column companies.odd is not declared",
            "column score_calculations.signature is missing",
            "index ix_readiness_reports_public of readiness_reports is missing",
            "table idempotency_keys is missing",
        ]
    finally:
        # The PostgreSQL database is shared with the tests that follow.
        async with database.writing() as connection:
            for _, repair in changes:
                if repair:
                    await connection.execute(text(repair))
            await connection.run_sync(metadata.tables["idempotency_keys"].create)
        await database.close()
    await expect_metadata(url)


SIGNATURE = "ALTER TABLE score_calculations ADD COLUMN signature TEXT NOT NULL DEFAULT ''"
INDEX = "CREATE INDEX ix_readiness_reports_public ON readiness_reports (public, scanned_at)"


async def test_a_schema_of_a_newer_program_is_refused(url: str) -> None:
    database = await Database.open(url)
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    try:
        with pytest.raises(SchemaTooNew, match="newer version"):
            await database.migrate()
    finally:
        # The PostgreSQL database is shared with the tests that follow.
        async with database.writing() as connection:
            statement = text("UPDATE alembic_version SET version_num = :newest")
            await connection.execute(statement, {"newest": newest_revision()})
        await database.close()


async def test_the_newest_revision_is_the_head_of_the_only_branch(url: str) -> None:
    from alembic.script import ScriptDirectory

    def heads(connection: Connection) -> list[str]:
        return ScriptDirectory.from_config(configuration(connection)).get_heads()

    database = await Database.open(url)
    async with database.writing() as connection:
        assert await connection.run_sync(heads) == [newest_revision()]
    await database.close()


async def test_the_points_of_a_trend_are_kept_when_they_are_put_beside_each_other(tmp_path: Path) -> None:
    days = (9, 2, 5)
    engine = create_engine(f"sqlite:///{tmp_path}/seenby.db")
    with engine.begin() as connection:
        command.upgrade(configuration(connection), "0015")
        connection.execute(BATCH, [{"key": day, "id": f"{day}"} for day in days])
        connection.execute(POINT, [{"day": f"2026-11-{day:02}", "batch": day} for day in days])
    engine.dispose()
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/seenby.db")
    await database.migrate()
    async with database.writing() as connection:
        kept = await connection.execute(text("SELECT day, batch_key, value, low FROM metric_points"))
        assert [tuple(one) for one in kept] == [(f"2026-11-{day:02}", day, 0.25, None) for day in (2, 5, 9)]
        with pytest.raises(OperationalError, match="rowid"):
            await connection.execute(text("SELECT rowid FROM metric_points"))
    await database.close()


BATCH = text(
    "INSERT INTO run_batches (key, id, company_id, brand_key, source, status, plan_sha256, created_at) "
    "VALUES (:key, :id, 'none', 1, 'api', 'success', :id, 0)"
)
POINT = text(
    "INSERT INTO metric_points (revision_key, metric, channel_key, day, batch_key, value, samples) "
    "VALUES (1, 'mentionCount', 0, :day, :batch, 0.25, 3)"
)


async def test_mails_that_were_queued_about_sign_ups_become_a_kind_of_their_own(url: str) -> None:
    await clear(url)
    queued = {
        "link": ("password_reset", '{"occasion":"sign_up","company":"Acme"}'),
        "known": ("password_reset", '{"occasion": "known_address"}'),
        "forgotten": ("password_reset", "{}"),
        "invited": ("invitation", '{"company": "Acme"}'),
    }
    database = await Database.open(url)
    async with database.writing() as connection:
        await connection.run_sync(lambda synchronous: command.upgrade(configuration(synchronous), "0038"))
        await connection.execute(
            text(
                "INSERT INTO companies (id, name, name_folded, plan, created_at) VALUES ('c', 'c', 'c', 'scale', 0)"
            )
        )
        await connection.execute(
            MAIL, [{"id": name, "kind": kind, "content": said} for name, (kind, said) in queued.items()]
        )
    await database.migrate()
    async with database.writing() as connection:
        kept = await connection.execute(text("SELECT id, kind, content FROM mails"))
        expected = {**queued, **{name: ("sign_up", queued[name][1]) for name in ("link", "known")}}
        assert {row[0]: (row[1], row[2]) for row in kept} == expected
    await database.close()
    await expect_metadata(url)


MAIL = text(
    "INSERT INTO mails (id, company_id, kind, recipient, content, dedup_key, state, attempts, due_at, created_at) "
    "VALUES (:id, 'c', :kind, 'ada@a.test', :content, :id, 'queued', 0, 0, 0)"
)


async def test_rows_are_kept_in_fewer_bytes(url: str) -> None:
    """What release after release stored says the same when calculations are packed and titles are shared."""
    await clear(url)
    database = await Database.open(url)
    if url.startswith("sqlite"):
        engine = create_engine(url.replace("+aiosqlite", ""))
        with engine.begin() as connection:
            fill_before_0058(connection)
        engine.dispose()
    else:
        async with database.writing() as connection:
            await connection.run_sync(fill_before_0058)
    await database.migrate()
    async with database.writing() as connection:

        async def rows(*columns: ColumnElement[Any]) -> list[tuple[Any, ...]]:
            return [tuple(row) for row in await connection.execute(select(*columns).order_by(*columns[:2]))]

        documents = ({"a": "ü"}, {"b": [1]}, [2.5])
        C, N = score_calculations.c, country_calculations.c
        assert await rows(C.key, C.score, C.headline, C.platforms, C.rankings, C.receipt) == [
            (key, 0.5, *documents, {"n": key}) for key in range(1, 1202)
        ]
        assert await rows(N.key, N.country, N.headline, N.platforms, N.rankings) == [(1, "DE", *documents)]
        cited = select(
            *(
                citations.c[name]
                for name in ("answer_key", "ordinal", "kind", "start", "end", "span", "site")
            ),
            cited_urls.c.url,
            cited_urls.c.title,
        ).join(cited_urls, cited_urls.c.key == citations.c.url_key)
        found = (await connection.execute(cited.order_by(citations.c.ordinal))).all()
        assert [tuple(row) for row in found] == [
            (1, 0, "cited", 3, 5, "abc", "a.test", "https://a.test/", "One"),
            (1, 1, "retrieved", None, None, None, None, "https://a.test/", None),
            (1, 2, "cited", None, None, None, None, "https://a.test/", "Two"),
            (1, 3, "cited", None, None, None, None, "https://b.test/", "One"),
            (1, 4, "cited", None, None, None, None, "https://a.test/", "One"),
        ]
        pages = await rows(cited_urls.c.url, cited_urls.c.title, cited_urls.c.digest)
        assert all(CitedPage(page_url, title).digest == digest for page_url, title, digest in pages)
        assert len(pages) == 4, "a page that nothing cites is not kept"
        R, M = answer_readings.c, mentions.c
        owners = {"a.test": "third_party", 'b":"owned': "competitor", "c.test": "owned"}
        assert await rows(*R) == [(1, 7, True, False, [2], owners)]
        assert await rows(M.answer_key, M.entity_key, M.captured_at, M.rank, M.tone, M.spans, M.quote) == [
            (1, entity, EPOCH, 3, "positive", [{**USUAL_SPAN, "start": 1, "end": 2}], "Acme")
            for entity in (0, 9)
        ]
        assert await rows(M.entity_key, M.named, M.cites_own, M.position, M.tone_value, M.uncertain) == [
            (entity, True, False, 0.25, 0.75, 6) for entity in (0, 9)
        ]
    async with database.transaction("c") as writing:
        assert set((await writing.citations.page_keys({CitedPage("https://c.test/", None)})).values()) == {5}
    await database.close()
    await expect_metadata(url)
    await clear(url)  # other tests share the database
    database = await Database.open(url)
    await database.migrate()
    await database.close()


def fill_before_0058(connection: Connection) -> None:
    """Store rows of every table that a later revision rewrites; what they hang on beside an answer is left out."""
    command.upgrade(configuration(connection), "0057")
    if connection.dialect.name == "postgresql":
        connection.execute(text("SET LOCAL session_replication_role = replica"))
    for statement in (
        "INSERT INTO companies (id, name, name_folded, plan, created_at) VALUES ('c', 'c', 'c', 'scale', 0)",
        "INSERT INTO brands (key, id, company_id, name, name_folded, keywords, created_at, updated_at) "
        "VALUES (1, 'b', 'c', 'b', 'b', '[]', 0, 0)",
        "INSERT INTO answers (key, id, company_id, brand_key, batch_key, ask_key, prompt_key, channel_key, status, "
        "retrieval, valid, citations_known, truncated, requested_model, latency_ms, attempts, usage, parser, "
        "raw_sha256, text_sha256, captured_at) VALUES (1, 'a', 'c', 1, 1, 1, 1, 1, 'answered', 'searched', true, "
        "true, false, 'm', 0, 0, '{}', 'p', '', '', 0)",
        "INSERT INTO cited_urls (key, url_sha256, url) VALUES (1, '1', 'https://a.test/'), "
        "(2, '2', 'https://b.test/'), (3, '3', 'https://nobody.test/')",
        'INSERT INTO citations (answer_key, ordinal, kind, url_key, title, start, "end", span, site) VALUES '
        "(1, 0, 'cited', 1, 'One', 3, 5, 'abc', 'a.test'), (1, 1, 'retrieved', 1, NULL, NULL, NULL, NULL, NULL), "
        "(1, 2, 'cited', 1, 'Two', NULL, NULL, NULL, NULL), (1, 3, 'cited', 2, 'One', NULL, NULL, NULL, NULL), "
        "(1, 4, 'cited', 1, 'One', NULL, NULL, NULL, NULL)",
    ):
        connection.exec_driver_sql(statement)
    connection.execute(BATCH, [{"key": key, "id": f"{key}"} for key in range(1, 1202)])
    domains = '{"a.test":"third_party","b\\":\\"owned":"competitor","c.test":"owned"}'
    connection.execute(
        text(
            "INSERT INTO answer_readings (revision_key, answer_key, measurable, branded, named_in_prompt, domains) "
            "VALUES (7, 1, true, false, '[2]', :domains)"
        ),
        {"domains": domains},
    )
    connection.execute(
        text(
            "INSERT INTO mentions (revision_key, answer_key, entity_key, channel_key, captured_at, named, rank, "
            "cites_own, tone, tone_value, occurrences, absences, uncertain, spans, quote, position) VALUES "
            "(7, 1, :entity, 1, 0, true, 3, false, 'positive', 0.75, 4, 5, 6, '[[1,2]]', 'Acme', 0.25)"
        ),
        [{"entity": 0}, {"entity": 9}],
    )
    written = {"headline": '{"a":"ü"}', "platforms": '{"b":[1]}', "rankings": "[2.5]"}
    connection.execute(
        text(
            "INSERT INTO score_calculations (key, id, company_id, brand_key, revision_key, batch_key, receipt_id, "
            "status, score, headline, platforms, rankings, receipt, calculated_at, signature) VALUES (:key, :id, 'c', "
            "1, 7, :key, 'r', 'measured', 0.5, :headline, :platforms, :rankings, :receipt, 0, 's')"
        ),
        [{"key": key, "id": f"{key}", "receipt": f'{{"n":{key}}}', **written} for key in range(1, 1202)],
    )
    connection.execute(
        text(
            "INSERT INTO country_calculations (key, company_id, brand_key, revision_key, batch_key, country, headline, "
            "platforms, rankings, calculated_at) VALUES (1, 'c', 1, 7, 1, 'DE', :headline, :platforms, :rankings, 0)"
        ),
        written,
    )


def test_every_revision_has_a_number_of_its_own() -> None:
    versions = Path(__file__).parents[2] / "storage" / "migrations" / "versions"
    names = sorted(file.name for file in versions.glob("[0-9]*.py"))
    numbers = [name.partition("_")[0] for name in names]
    assert len(numbers) == len(set(numbers)), names
