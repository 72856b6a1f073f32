"""A better parser reads what engines sent once more: durably, in one step, and what was read before stays provable."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text

from engines import compatible, parsers
from engines.citations import CitedSource, numbered
from measurement.extraction import reparse as reparsing
from measurement.extraction.reparse import ReparseOutcome, Reparser
from measurement.planning.clock import utc_now
from measurement.publication.publish import Publisher
from measurement.publication.receipt_seal import ReceiptSigner
from measurement.receipts.brand_verification import verify
from server.retention import RawAnswerSweep
from server.settings import Settings
from storage.database import Database
from storage.encoding import packed, unpacked, unpacked_exchanges
from tests.in_full import both_in_full
from tests.measurement.conftest import Acme, Asked, CallTool, Peer, Reply

BETTER = "openai-chat/3"


class Killed(BaseException):
    """The end of the process, in the middle of its work."""


@pytest.fixture
def better_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that reads an escaped name which today's leaves as it is, and a source it overlooks."""

    def parse(question: Any, exchanges: Any) -> Any:
        answer = compatible.parse(question, exchanges)
        if "A%63me" not in answer.text:
            return replace(answer, parser=BETTER)
        [cited] = numbered([CitedSource("https://acme.example/read")], [])
        text = answer.text.replace("A%63me", "Acme")
        return replace(answer, text=text, citations=(cited,), parser=BETTER)

    monkeypatch.setattr(parsers, "PARSERS", {**parsers.PARSERS, "openai-chat": parse})
    monkeypatch.setattr(reparsing, "CHUNK", 3)  # so that few answers are many chunks


@pytest.fixture
def measured(acme: Acme, peer: Peer, saying: Callable[..., Reply]) -> Acme:
    """Twelve answers by an engine: a third names Acme, a third writes it in a way that nobody reads."""
    words = ("Acme lasts.", "A%63me lasts.", "Globex lasts.")

    def script(asked: Asked) -> Any:
        return saying(words[int(asked.prompt.split()[3]) % 3])

    peer.script = script
    acme.measured("--platform", "one", "--repeats", "2")
    return acme


async def only_brand(database: Database) -> tuple[str, str]:
    """The company and the brand that the database has."""
    (company,) = await database.operators.companies.all()
    (brand,) = await database.workspace(company.id).brands.all()
    return company.id, brand.id


async def stored(database: Database) -> list[tuple[Any, ...]]:
    """What was stored first, to the byte."""
    async with database.writing() as connection:
        rows = await connection.execute(
            text(
                "SELECT a.key, a.status, a.parser, a.text_sha256, t.text FROM answers a"
                " JOIN answer_texts t ON t.answer_key = a.key ORDER BY a.key"
            )
        )
        return [tuple(row) for row in rows]


@both_in_full
@pytest.mark.usefixtures("better_parser")
def test_a_killed_raw_replay_changes_nothing(measured: Acme, url: str, call: CallTool) -> None:
    # The commands verify with this key what is published here.
    signer = ReceiptSigner(Settings.from_environ(measured.seenby.environment).receipt_keys)
    assert signer.keys

    def mentions() -> tuple[int, set[str]]:
        mentions = call("get_brand_mentions", brandId="Acme")
        return mentions["total"], {mention["quote"] for mention in mentions["mentions"]}

    async def interrupted() -> list[tuple[Any, ...]]:
        def die(done: int, total: int) -> None:
            if done >= 9:
                raise Killed

        database = await Database.open(url)
        company, brand = await only_brand(database)
        with pytest.raises(Killed):
            await Reparser(database, utc_now).reparse(company, brand, die)
        await Publisher(database, [], utc_now, signer).bring_up_to_date(company, brand)
        first = await stored(database)
        await database.close()
        return first

    async def whole() -> tuple[Any, Any, bool, list[tuple[Any, ...]]]:
        database = await Database.open(url)
        company, brand = await only_brand(database)
        publisher = Publisher(database, ["one"], utc_now, signer)
        done = await Reparser(database, utc_now).reparse(company, brand)
        between = await asyncio.to_thread(mentions)
        await publisher.bring_up_to_date(company, brand)
        again = await Reparser(database, utc_now).reparse(company, brand)
        old = await verify(database, publisher, company, receipt, utc_now)
        first = await stored(database)
        await database.close()
        assert between[0] == 4, "numbers changed before all of it was analysed"
        return done.ends, again.ends, old.holds, first

    before = mentions()
    receipt = call("get_ai_visibility_score", brandId="Acme")["receipt"]["receiptId"]
    first = asyncio.run(interrupted())
    assert mentions() == before == (4, {"Acme lasts."})
    done, again, holds, last = asyncio.run(whole())
    assert (done, again) == (
        {ReparseOutcome.UNCHANGED: 8, ReparseOutcome.CHANGED: 4},
        {ReparseOutcome.UNCHANGED: 12},
    )
    assert mentions() == (8, {"Acme lasts."})
    assert call("get_ai_visibility_score", brandId="Acme")["receipt"]["receiptId"] != receipt
    assert holds, "the receipt of the earlier parsing does not hold any more"
    assert last == first, "what was stored first was changed"
    checked = measured.seenby.json("replay", "--verify")
    assert [claim["holds"] for claim in checked] == [True]
    lines = measured.seenby("export", "answers", "--brand", "Acme").out.splitlines()
    out = [json.loads(line) for line in lines]
    reread = [line for line in out if line["record"]["parser"] == BETTER]
    assert [(answer["text"], [cited["url"] for cited in answer["citations"]]) for answer in reread] == [
        ("Acme lasts.", ["https://acme.example/read"])
    ] * 4


@both_in_full
def test_a_raw_replay_with_the_same_parser_changes_nothing(
    measured: Acme, url: str, rows: Callable[[str], int]
) -> None:
    async def sweep() -> None:
        database = await Database.open(url)
        later = utc_now() + timedelta(days=90)
        await RawAnswerSweep(database, 30).sweep(later)
        await database.close()

    line = {
        "platform": "copilot",
        "prompt": "Which shoe lasts?",
        "text": "Acme lasts.",
        "captured_at": "2026-03-11T10:00:00Z",
        "citations": ["https://acme.example/a"],
    }
    path = measured.path.with_name("captured.jsonl")
    path.write_text(json.dumps(line))
    measured.seenby.json("answers", "import", str(path), "--brand", "Acme")
    [done] = measured.seenby.json("replay", "--raw", "--company", "Shop", "--brand", "Acme")
    counts = {name: done[name] for name in ("answers", "unchanged", "changed", "swept", "unreadable")}
    assert counts == {"answers": 13, "unchanged": 13, "changed": 0, "swept": 0, "unreadable": 0}
    asyncio.run(sweep())
    assert rows("answer_exchanges") == 0
    [left] = measured.seenby.json("replay", "--raw")
    assert (left["answers"], left["swept"], left["changed"]) == (13, 13, 0)
    assert rows("analysis_revisions") == 1
    assert measured.seenby("replay", "--verify").code == 0
    refused = measured.seenby("replay", "--raw", "--verify")
    assert (refused.code, "give one of them" in refused.err) == (2, True)


@both_in_full
def test_raw_exchanges_are_stored_without_the_words_of_the_answer(
    acme: Acme, peer: Peer, saying: Callable[..., Reply], url: str
) -> None:
    words = " ".join(f"Acme{number} lasts {number * 7919 % 1009} days." for number in range(120))
    peer.script = lambda asked: saying(words)
    acme.measured("--platform", "one")

    async def exchanges(database: Database) -> dict[int, tuple[bytes, bytes]]:
        async with database.writing() as connection:
            rows = await connection.execute(
                text(
                    "SELECT e.answer_key, e.exchanges, t.text FROM answer_exchanges e"
                    " JOIN answer_texts t ON t.answer_key = e.answer_key"
                )
            )
            return {row[0]: (row[1], row[2]) for row in rows}

    async def store_as_before() -> tuple[int, int, int]:
        """Store each exchange by itself.

        Returns the bytes of all of them so far, by themselves, and of all words.
        """
        database = await Database.open(url)
        found = await exchanges(database)
        alone: dict[int, bytes] = {}
        stored: dict[int, bytes] = {}
        for key, (exchange, packed_words) in found.items():
            said = unpacked(packed_words)
            written = unpacked_exchanges(exchange, said)
            alone[key] = packed(written)
            stored[key] = alone[key]
        async with database.writing() as connection:
            for key, exchange in stored.items():
                await connection.execute(
                    text("UPDATE answer_exchanges SET exchanges = :exchange WHERE answer_key = :key"),
                    {"exchange": exchange, "key": key},
                )
        await database.close()
        return (
            sum(len(exchange) for exchange, _ in found.values()),
            sum(map(len, alone.values())),
            sum(len(packed_words) for _, packed_words in found.values()),
        )

    assert acme.seenby("replay", "--verify").code == 0
    small, large, of_words = asyncio.run(store_as_before())
    assert small < large - of_words / 2, "the words of an answer are stored a second time"
    [done] = acme.seenby.json("replay", "--raw", "--company", "Shop", "--brand", "Acme")
    assert done["unchanged"] == done["answers"] > 0
    assert acme.seenby("replay", "--verify").code == 0
