"""What works on a brand or a workspace that is deleted meanwhile ends with one clear sentence, and leaves nothing."""

import asyncio
import json
import os
import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from measurement.errors import WorkError
from measurement.extraction.reparse import Reparser
from measurement.imports.access_logs.log_import import LINES_AT_ONCE
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from storage.database import Database
from storage.errors import RowGone
from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, Command, Done, Peer
from tests.zygote import zygote
from workflows.brand_deletion import GRACE, BrandDeletions, plan_deletion
from workflows.company_deletion import CompanyDeletions, plan_company_deletion

ANSWERS = 1_100
"""More than go into two chunks of an import, or into a pipe that nobody reads."""
SHOP = ("--brand", "Acme", "--company", "Shop")


async def plan(database: Database, whole: str, at: datetime) -> None:
    """Plan the deletion of the brand, or of the workspace."""
    company = await database.operators.companies.find("Shop")
    assert company is not None
    async with database.transaction(company.id) as writing:
        if whole == "workspace":
            await plan_company_deletion(writing, "Shop", "Shop", at)
        else:
            brand = await writing.brands.find("Acme")
            assert brand is not None
            await plan_deletion(writing, brand, "Acme", at)


async def delete(url: str, whole: str) -> None:
    """Delete the brand, or the workspace, as the background does when the grace is over."""
    database = await Database.open(url)
    await plan(database, whole, utc_now() - GRACE)
    sweeper = CompanyDeletions if whole == "workspace" else BrandDeletions
    assert await sweeper(database, utc_now).sweep(utc_now()) == 1
    await database.close()


@pytest.fixture(params=["brand", "workspace"])
def whole(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def captured(number: int) -> str:
    """A captured answer, so long that few fill a pipe."""
    answer = {
        "platform": "chatgpt",
        "prompt": f"Which shoe number {number % 7} is good?",
        "text": f"Take Acme. {'It lasts and lasts. ' * 10}",
        "captured_at": f"2026-03-{1 + number % 28:02}T12:00:{number // 28:02}Z",
        "source_id": str(number),
    }
    return json.dumps(answer) + "\n"


LINES = "".join(captured(number) for number in range(ANSWERS))


def write_into(pipe: Path, command: Command, text: str) -> None:
    """Give a command what it reads from a pipe, and wait until it has read it to the end."""
    pipe.write_text(text)
    while has_open(command, pipe):
        pass


def has_open(command: Command, pipe: Path) -> bool:
    """Tell whether a command has a file open; one that closes a file at this moment is looked at again."""
    try:
        opened = list(Path(f"/proc/{command.process.pid}/fd").iterdir())
        return any(os.path.realpath(descriptor) == str(pipe) for descriptor in opened)
    except FileNotFoundError:
        return command.process.poll() is None


def is_told(done: Done) -> None:
    """A command says in one sentence what happened, and nothing of our insides."""
    assert (done.code, "was deleted meanwhile" in done.err, "Traceback" in done.err) == (1, True, False), done


def counts(rows: Callable[[str], int]) -> dict[str, int]:
    return {table: rows(table) for table in ("answers", "asks", "simulations", "run_batches", "mentions")}


@both_in_full
def test_an_import_whose_brand_goes_meanwhile_says_so_and_leaves_nothing(
    acme: Acme, url: str, whole: str, rows: Callable[[str], int], tmp_path: Path
) -> None:
    pipe = tmp_path / "answers.jsonl"
    os.mkfifo(pipe)
    command = acme.seenby.start("answers", "import", str(pipe), *SHOP)
    write_into(pipe, command, LINES)  # it looks through the file before it stores the first line
    with pipe.open("w") as file:
        half = LINES.splitlines(keepends=True)
        file.writelines(half[:700])
        file.flush()
        while not rows("answers"):
            pass
        asyncio.run(delete(url, whole))
        file.writelines(half[700:])
    is_told(command.end())
    assert set(counts(rows).values()) == {0}


@both_in_full
@pytest.mark.parametrize("what", ["everything", "answers"])
def test_an_export_whose_brand_goes_meanwhile_is_not_taken_for_whole(
    acme: Acme, url: str, whole: str, tmp_path: Path, what: str
) -> None:
    (tmp_path / "answers.jsonl").write_text(LINES)
    acme.seenby.json("answers", "import", str(tmp_path / "answers.jsonl"), *SHOP)
    folder = tmp_path / "export"
    folder.mkdir()
    os.mkfifo(folder / "stdout")
    files = folder / "stdout", folder / "stderr"
    process = zygote().fork(["export", what, *SHOP], acme.seenby.environment, *files)
    with (folder / "stdout").open() as pipe:
        assert pipe.readline()  # it has begun, and waits for its reader
        asyncio.run(delete(url, whole))
        got = len(pipe.readlines())
    code = process.wait(60)
    told = (folder / "stderr").read_text()
    assert (code, "was deleted meanwhile" in told, "Traceback" in told) == (1, True, False), (told, got)


@both_in_full
def test_logs_of_a_deleted_brand_are_rejected_without_a_trace(
    acme: Acme, url: str, whole: str, rows: Callable[[str], int], tmp_path: Path
) -> None:
    pipe = tmp_path / "access.log"
    os.mkfifo(pipe)
    visit = '192.0.2.1 - - [{:%d/%b/%Y:%H:%M:%S +0000}] "GET /{} HTTP/1.1" 200 1 "-" "GPTBot/1.2"\n'
    lines = [visit.format(utc_now(), number) for number in range(LINES_AT_ONCE + 10)]
    command = acme.seenby.start("logs", "import", str(pipe), *SHOP)
    with pipe.open("w") as file:
        file.writelines(lines)
        file.flush()
        while not rows("crawler_visits"):
            pass
        asyncio.run(delete(url, whole))
    is_told(command.end())
    assert (rows("crawler_visits"), rows("counted_log_lines")) == (0, 0)


@both_in_full
def test_a_probe_ends_at_once_when_its_brand_is_to_be_deleted(
    acme: Acme, url: str, whole: str, peer: Peer, rows: Callable[[str], int]
) -> None:
    async def plan_now() -> None:
        database = await Database.open(url)
        await plan(database, whole, utc_now())
        await database.close()

    peer.gate.clear()
    command = acme.seenby.start("probe", *SHOP, "--json")
    peer.wait_for(requests=1)
    asyncio.run(plan_now())
    done = command.end()  # while the engine still owes its answers
    assert (done.code, "Traceback" in done.err) == (1, False), done
    assert done.json["status"] == "cancelled"
    assert rows("score_calculations") == 0
    again = acme.probe()
    assert (again.code, "is archived" in again.err) == (1, True), again


@both_in_full
@pytest.mark.parametrize("reading", ["reread", "reparse"])
def test_a_history_that_is_read_anew_stops_when_its_brand_goes(
    acme: Acme, url: str, whole: str, rows: Callable[[str], int], tmp_path: Path, reading: str
) -> None:
    (tmp_path / "answers.jsonl").write_text(LINES)
    acme.seenby.json("answers", "import", str(tmp_path / "answers.jsonl"), *SHOP)
    assert acme.save(aliases=["Akme"]).code == 0

    async def read() -> None:
        database = await Database.open(url)
        company = await database.operators.companies.find("Shop")
        assert company is not None
        brand = await database.workspace(company.id).brands.find("Acme")
        assert brand is not None
        deletions: list[int] = []

        def meanwhile(*_: int) -> None:
            if not deletions:
                deletions.append(1)
                thread = threading.Thread(target=lambda: asyncio.run(delete(url, whole)))
                thread.start()
                thread.join()

        try:
            read_anew = {
                "reread": Publisher(database, (), utc_now).bring_up_to_date,
                "reparse": Reparser(database, utc_now).reparse,
            }[reading]
            with pytest.raises((RowGone, WorkError)):
                await read_anew(company.id, brand.id, meanwhile)
            assert deletions
        finally:
            await database.close()

    asyncio.run(read())
    assert set(counts(rows).values()) == {0}
    assert rows("analysis_revisions") == 0
