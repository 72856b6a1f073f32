"""Everything of a company or a brand goes out as lines of JSON and comes in elsewhere to the same numbers."""

import json
import random
import shutil
import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from sqlalchemy import text

from measurement.imports.archives import take_in
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.tables.columns import parse_packed
from tests.measurement.conftest import Acme, Asked, CallToolAt, Peer, Reply, RunToEnd, Seenby

METRICS = ("visibilityScore", "mentionCount", "shareOfVoice", "averagePosition", "citationRate", "sentiment")
SAID = (
    "1. **Acme**: the best of all shoes\n2. Globex, see https://acme.example/shoes",
    "Globex leads, and Acme is terrible.",
    "Everybody buys Initech.",
    "I could not find any information about Acme.",
)
NOW = {"calculatedAt", "lastMeasured", "receiptId"}


@pytest.fixture
def measured(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], broken: Callable[..., Reply], tmp_path: Path
) -> Acme:
    """Acme after two probes of two engines, some of it failed, and an import of older answers."""
    chance = random.Random(5)
    replies = [*map(saying, SAID), saying("", refusal="no"), broken(b"{}", 500)]

    def script(_: Asked) -> Any:
        return chance.choices(replies, [9, 6, 6, 2, 1, 1])[0]

    peer.script = script
    lines = [
        {
            "platform": ("copilot", "google@looker")[number % 2],
            "prompt": f"Which shoe number {number} lasts?",
            "text": SAID[number % 3],
            "captured_at": f"2026-0{1 + number % 9}-11T10:00:00Z",
            "citations": [
                {"url": "https://acme.example/a", "title": f"Shoes {number % 2}"},
                {"url": "https://news.example/b", "kind": "retrieved"},
            ],
        }
        for number in range(20)
    ]
    path = tmp_path / "captured.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    options = ("--platform", "one", "--platform", "two", "--repeats", "3")
    acme.measured(*options)
    acme.seenby.json("answers", "import", str(path), "--brand", "Acme")
    acme.measured(*options)
    acme.measured("--platform", "one", "--query", "Who is Acme?", "--repeats", "6")
    return acme


@pytest.fixture
def elsewhere(
    seenby: Seenby, url: str, migrated: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> Callable[[], Seenby]:
    """Turns the commands and tools of the test to a fresh database of the other kind, with a company of another name."""

    def move() -> Seenby:
        other = f"sqlite+aiosqlite:///{tmp_path}/other.db"
        if url.startswith("sqlite"):
            other = request.getfixturevalue("empty_postgres")
        else:
            shutil.copy(migrated, tmp_path / "other.db")
        seenby.environment["SEENBY_DATABASE_URL"] = other
        seenby.json("company", "create", "Elsewhere", "--email", "else@shop.example")
        return seenby

    return move


def numbers(seenby: Seenby, call_at: CallToolAt, company: str) -> dict[str, Any]:
    """Every number that the tools show of Acme."""
    url = seenby.environment["SEENBY_DATABASE_URL"]

    def call(name: str, **arguments: Any) -> Any:
        return call_at(url, name, company, brandId="Acme", **arguments)

    trends = {name: call("get_metric_trend", metricName=name, days=365)["points"] for name in METRICS}
    return {
        "score": call("get_ai_visibility_score"),
        "platforms": call("get_platform_metrics"),
        "rankings": call("get_competitor_rankings"),
        "mentions": call("get_brand_mentions"),
        "trends": trends,
    }


def differences(one: Any, other: Any, where: str = "") -> list[str]:
    """Where two results differ: numbers by more than 1e-9, anything else at all, times of calculation not."""
    if isinstance(one, dict) and isinstance(other, dict):
        first, second = cast("dict[str, Any]", one), cast("dict[str, Any]", other)
        names = sorted({*first, *second} - NOW)
        pairs = [(first.get(name), second.get(name), f"{where}.{name}") for name in names]
        return [difference for pair in pairs for difference in differences(*pair)]
    if isinstance(one, list) and isinstance(other, list):
        left, right = cast("list[Any]", one), cast("list[Any]", other)
        if len(left) == len(right):
            items = [(left[at], right[at], f"{where}[{at}]") for at in range(len(left))]
            return [difference for item in items for difference in differences(*item)]
    if isinstance(one, float) and isinstance(other, float):
        return [] if abs(one - other) <= 1e-9 else [f"{where}: {one} and {other}"]
    return [] if one == other else [f"{where}: {one} and {other}"]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_everything_of_a_company_goes_out_and_comes_in_to_the_same_numbers(
    measured: Acme, elsewhere: Callable[[], Seenby], call_at: CallToolAt, tmp_path: Path
) -> None:
    seenby = measured.seenby
    before = numbers(seenby, call_at, "Shop")
    own = tmp_path / "own.toml"
    for name in ("Texts", "Our texts"):
        own.write_text(
            f'id = "texts"\nname = "{name}"\n[[steps]]\nagent = "coverage_mapper"\n', encoding="utf-8"
        )
        seenby.json("workflow", "import", str(own))
    workflow = seenby("workflow", "export", "texts").out
    out = seenby("export", "everything")
    path = tmp_path / "everything.jsonl"
    path.write_text(out.out)
    assert (out.code, "sk_live_" in out.out, "owner@shop.example" in out.out) == (0, False, False)
    elsewhere()
    taken = seenby.json("import", str(path))
    assert taken["brands"][0]["name"] == "Acme"
    assert seenby("workflow", "export", "texts").out == workflow
    assert seenby.json("workflow", "import", str(own))["version"] == 2
    after = numbers(seenby, call_at, "Elsewhere")
    assert before["score"]["score"] is not None
    assert len(before["trends"]["mentionCount"]) > 5
    assert differences(before, after) == []
    assert cited_pages(seenby("export", "everything").out) == cited_pages(out.out)
    assert seenby("replay", "--verify").code == 0
    again = seenby("import", str(path))
    assert (again.code, "it was taken in before" in again.err) == (1, True)
    assert differences(after, numbers(seenby, call_at, "Elsewhere")) == []
    second = seenby("export", "everything", "--brand", "Acme")
    assert records(second.out) == records(out.out)


def cited_pages(archive: str) -> list[Any]:
    """Every page that an archive says is cited, with its title."""
    records = map(json.loads, archive.splitlines())
    pages = [record["values"]["url_key"] for record in records if record.get("table") == "citations"]
    assert ["https://acme.example/a", "Shoes 1"] in pages
    return pages


@pytest.mark.parametrize("kept", [False, True])
def test_what_is_taken_in_asks_by_the_clock_only_when_that_is_said(
    acme: Acme,
    call_at: CallToolAt,
    migrated: Path,
    tmp_path: Path,
    kept: bool,
) -> None:
    seenby = acme.seenby
    cron = "0 6 * * *"
    due = {"schedule": cron, "next_run_at": "2026-01-01T06:00:00+00:00"}
    now = {"created_at": "2026-01-01T00:00:00+00:00"}
    lines = [json.loads(line) for line in seenby("export", "everything").out.splitlines()]
    [brand] = [line["key"] for line in lines[1:] if line["table"] == "brands"]
    [buyers] = [line for line in lines[1:] if line["table"] == "prompt_sets"]
    buyers["values"] |= due
    names = {"id": "watcher", "name": "Watcher", "name_folded": "watcher", "kind": "fact_guard", "version": 1}
    lines += [
        {"table": "agent_instances", "key": 7, "values": {**names, **now, "updated_at": now["created_at"]}},
        {
            "table": "agent_versions",
            "values": {
                "instance_key": 7,
                "version": 1,
                "configuration": {"schemaVersion": 1, "settings": {}},
                **now,
            },
        },
        {"table": "agent_assignments", "values": {"instance_key": 7, "brand_key": brand, **due, **now}},
    ]
    path = tmp_path / "archive.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    shutil.copy(migrated, tmp_path / "copy.db")
    seenby.environment["SEENBY_DATABASE_URL"] = f"sqlite+aiosqlite:///{tmp_path}/copy.db"
    seenby.json("company", "create", "Copy", "--email", "copy@shop.example")
    done = seenby("import", str(path), "--json", *(["--keep-schedules"] if kept else []))
    off = [{"kind": "prompt set", "name": "Buyers", "schedule": cron}]
    off.append({"kind": "agent", "name": "Watcher", "schedule": cron})
    assert sorted(done.json["schedulesSwitchedOff"], key=str) == ([] if kept else sorted(off, key=str))
    assert ("switched off the schedule" in done.err, "--keep-schedules" in done.err) == (not kept, not kept)
    here = partial(call_at, seenby.environment["SEENBY_DATABASE_URL"], company="Copy")
    [questions] = here("list_prompt_sets")["promptSets"]
    [agent] = here("list_reusable_agents")["agents"]
    for scheduled in (questions, *agent["assignments"]):
        assert (scheduled["schedule"], scheduled["nextRunAt"] is not None) == (cron if kept else None, kept)


def records(text: str) -> dict[str, int]:
    """How many records of each table an archive holds."""
    counts: dict[str, int] = {}
    for line in text.splitlines()[1:]:
        table = json.loads(line)["table"]
        counts[table] = counts.get(table, 0) + 1
    return counts


HEAD = '{"seenby": "archive/1"}'
BRAND: dict[str, Any] = {
    "name": "Acme",
    "id": "one",
    "name_folded": "acme",
    "keywords": [],
    "created_at": "2026-01-01T00:00:00+00:00",
    "updated_at": "2026-01-01T00:00:00+00:00",
}


def brand_with(**changes: Any) -> str:
    return json.dumps({"table": "brands", "key": 1, "values": {**BRAND, **changes}})


def rival_of(brand_key: Any, key: int) -> str:
    values = {"brand_key": brand_key, "id": str(key), "name": f"R{key}", "name_folded": f"r{key}"}
    return json.dumps(
        {"table": "competitors", "key": key, "values": {**values, "created_at": BRAND["created_at"]}}
    )


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (['{"seenby": "archive/2"}'], "line 1: it does not begin as an archive of archive/1 does"),
        ([HEAD, "x"], "line 2: it is no JSON"),
        ([HEAD, '{"table": "users", "values": {}}'], "line 2: it is no record of a table"),
        ([HEAD, brand_with(secret="x")], "line 2: brands has no column 'secret' here"),
        ([HEAD, brand_with(name=7)], "line 2: brands.name is not what it should be"),
        ([HEAD, brand_with(created_at="2026-01-01T00:00:00")], "line 2: brands.created_at is not"),
        (
            [HEAD, brand_with(), '{"table": "competitors", "key": 1, "values": {"brand_key": 9}}'],
            "line 3: competitors.brand_key refers to nothing before it",
        ),
        (
            [HEAD, brand_with(), rival_of(9, key=1), rival_of(1, key=2)],
            "line 3: competitors.brand_key refers to nothing before it",
        ),
        ([HEAD, brand_with(), rival_of([1], key=1)], "line 3: competitors.brand_key refers to nothing"),
        ([HEAD, brand_with(), rival_of(2**70, key=1)], "line 3: competitors.brand_key refers to nothing"),
        ([HEAD, brand_with(), brand_with(id="two", name_folded="b")], "two rows of brands have the same key"),
    ],
)
def test_what_is_no_archive_is_named_by_line_and_nothing_of_it_is_stored(
    seenby: Seenby, rows: Callable[[str], int], tmp_path: Path, lines: list[str], said: str
) -> None:
    path = tmp_path / "archive.jsonl"
    path.write_text("\n".join(lines))
    done = seenby("import", str(path))
    assert done.code == 1
    assert said in done.err
    assert rows("brands") == 0


def archive_of(asked: int) -> Iterator[str]:
    """The lines of an archive with one brand, so many prompts, and one ask of each."""
    created: dict[str, Any] = {"created_at": BRAND["created_at"]}
    batch = {"brand_key": 1, "source": "probe", "status": "failed", "plan_sha256": "x", **created}
    session = {"brand_key": 1, "batch_key": 1, "platform": "one", "mode": "visibility", "source": "probe"}
    counts = {"status": "failed", "planned": asked, "answered": 0, "failed": asked}
    prompt: dict[str, Any] = {
        "text": "Which?",
        "text_sha256": "x",
        "position": 0,
        "tags": [],
        "active": True,
        **created,
    }
    ask = {"simulation_key": 1, "repeat": 1, "state": "failed", "resent": 0, "possibly_billed": False}
    yield HEAD
    yield brand_with(
        id=f"00000000-0000-7000-8000-{asked:012}", name=f"Acme {asked}", name_folded=f"acme {asked}"
    )
    for key in range(asked):
        yield json.dumps({"table": "prompts", "key": key, "values": {**prompt, "id": f"{asked}-{key}"}})
    yield json.dumps({"table": "run_batches", "key": 1, "values": {**batch, "id": f"batch {asked}"}})
    session |= {**counts, **created, "id": f"session {asked}"}
    yield json.dumps({"table": "simulations", "key": 1, "values": session})
    for key in range(asked):
        values = {**ask, "ask_key": f"{asked}-{key}", "prompt_key": asked - 1 - key}
        yield json.dumps({"table": "asks", "key": key, "values": values})


async def test_the_memory_of_taking_in_does_not_grow_with_the_archive(url: str, tmp_path: Path) -> None:
    database = await Database.open(url)
    peaks: list[int] = []
    try:
        async with database.operation() as operators:
            company = await operators.companies.create("Shop", "owner@shop.example", "scale", utc_now())
        publisher = Publisher(database, [], utc_now)
        for asked in (600, 601, 3600):  # more than a chunk each; the first warms up
            path = tmp_path / f"{asked}.jsonl"
            path.write_text("\n".join(archive_of(asked)))
            tracemalloc.start()
            taken = await take_in(database, publisher, company.id, path)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
            assert taken.counts["asks"] == asked
        async with database.writing() as connection:
            crossed = "FROM asks JOIN prompts ON prompts.key = asks.prompt_key WHERE ask_key = '3600-1'"
            assert await connection.scalar(text(f"SELECT prompts.id {crossed}")) == "3600-3598"
    finally:
        tracemalloc.stop()
        await database.close()
    # A map of all keys would have grown by 660,000 bytes.
    assert peaks[2] - peaks[1] < 400_000, peaks


async def stored_figures(url: str) -> list[tuple[float, dict[str, Any], dict[str, Any]]]:
    """Score, headline and rankings of every batch in force as they are stored, unrounded, oldest first."""
    database = await Database.open(url)
    async with database.writing() as connection:
        found = await connection.execute(
            text(
                "SELECT c.score, c.headline, c.rankings FROM score_calculations c"
                " JOIN brands b ON b.key = c.brand_key AND b.revision_key = c.revision_key ORDER BY c.key"
            )
        )
        rows = [tuple(row) for row in found]
    await database.close()
    return [(score, parse_packed(headline), parse_packed(rankings)) for score, headline, rankings in rows]


@pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
def test_an_archive_gives_the_same_score_in_another_database(
    measured: Acme, elsewhere: Callable[[], Seenby], url: str, tmp_path: Path, run: RunToEnd
) -> None:
    seenby = measured.seenby
    first = run(stored_figures(url))
    assert len(first) > 2
    assert all(score is not None for score, _, _ in first)

    measured.save(aliases=["Initech"], competitors=[{"name": "Globex", "domains": ["globex.example"]}])
    seenby.json("replay", "--brand", "Acme")
    other_names = run(stored_figures(url))
    assert [figure[0] for figure in other_names] != [figure[0] for figure in first]
    measured.save()
    seenby.json("replay", "--brand", "Acme")
    again = run(stored_figures(url))
    assert [figure[:2] for figure in again] == [figure[:2] for figure in first]

    path = tmp_path / "everything.jsonl"
    path.write_text(seenby("export", "everything").out)
    elsewhere()
    seenby.json("import", str(path))
    assert run(stored_figures(seenby.environment["SEENBY_DATABASE_URL"])) == again
