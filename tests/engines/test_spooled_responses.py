"""What a process had got when it died is on disk, and is taken by the next one instead of asking again."""

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from engines.compatible import ADAPTER
from engines.engine import Credential, Exchange, Question
from engines.errors import EngineError
from engines.transport.http import Request
from engines.transport.response_spool import ResponseSpool
from tests.engines.conftest import CANARY, Build, Peer, RawPeer
from tests.engines.test_http import GOOD


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "ask"


async def test_a_whole_response_is_taken_instead_of_asking_again(
    peer: Peer, engine: Build, question: Question, credential: Credential, place: Path
) -> None:
    peer.reply(GOOD, x_request_id="r-1")
    first = await engine(peer.base_url).ask(question, credential, ResponseSpool(place))
    again = await engine(peer.base_url).ask(question, credential, ResponseSpool(place))
    assert len(peer.asked) == 1
    assert (again.text, again.usage, again.attempts) == (first.text, first.usage, 1)
    [kept], [sent] = again.exchanges, first.exchanges
    assert (kept.body, kept.headers, kept.sent_at) == (sent.body, sent.headers, sent.sent_at)


@pytest.mark.parametrize("damage", ["cut", "empty", "no file"])
async def test_half_a_response_is_asked_for_again(
    peer: Peer, engine: Build, question: Question, credential: Credential, place: Path, damage: str
) -> None:
    peer.reply(GOOD)
    await engine(peer.base_url).ask(question, credential, ResponseSpool(place))
    [file] = place.parent.iterdir()
    if damage == "no file":
        file.unlink()
    else:
        os.truncate(file, file.stat().st_size - 1 if damage == "cut" else 0)
    answer = await engine(peer.base_url).ask(question, credential, ResponseSpool(place))
    assert (answer.text, len(peer.asked)) == ("A Toyota.", 2)


async def test_the_response_to_another_request_is_not_taken(
    peer: Peer, engine: Build, question: Question, credential: Credential, place: Path
) -> None:
    peer.reply(GOOD)
    await engine(peer.base_url).ask(question, credential, ResponseSpool(place))
    await engine(peer.base_url, model="another-model").ask(question, credential, ResponseSpool(place))
    assert len(peer.asked) == 2


async def test_a_conversation_that_was_cut_goes_on_with_its_next_turn(
    peer: Peer, engine: Build, question: Question, credential: Credential, place: Path
) -> None:
    def second_turn(_question: Question, exchanges: Sequence[Exchange]) -> Request | None:
        return Request("/second", {"turn": 2}) if len(exchanges) == 1 else None

    peer.reply(GOOD)
    peer.reply({"error": {"message": "no"}}, 400)
    peer.reply(GOOD)
    in_turns = replace(ADAPTER, follow_up=second_turn)
    with pytest.raises(EngineError):
        await engine(peer.base_url, in_turns).ask(question, credential, ResponseSpool(place))
    answer = await engine(peer.base_url, in_turns).ask(question, credential, ResponseSpool(place))
    assert [asked.path for asked in peer.asked] == ["/chat/completions", "/second", "/second"]
    assert (len(answer.exchanges), answer.attempts) == (2, 2)


async def test_a_response_that_repeats_the_key_or_holds_no_answer_leaves_nothing_on_disk(
    peer: Peer, engine: Build, question: Question, credential: Credential, place: Path
) -> None:
    peer.reply({**GOOD, "debug": f"Bearer {CANARY}"})
    await engine(peer.base_url).ask(question, credential, ResponseSpool(place))
    assert list(place.parent.iterdir()) == []
    peer.reply({"error": {"message": "no"}}, 400)
    with pytest.raises(EngineError):
        await engine(peer.base_url).ask(question, credential, ResponseSpool(place))
    assert list(place.parent.iterdir()) == []


async def test_an_ask_whose_receiving_process_ends_is_sent_again_by_another_one(
    raw_peer: RawPeer, engine: Build, question: Question, credential: Credential, place: Path
) -> None:
    body = b'{"model": "m", "choices": [{"message": {"content": "A Toyota."}}]}'
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body)

    async def script(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if raw_peer.requests == 1:
            for process in receiving_processes():
                os.kill(process, signal.SIGKILL)
            return
        writer.write(head + body)
        await writer.drain()

    raw_peer.script = script
    answer = await engine(raw_peer.base_url).ask(question, credential, ResponseSpool(place))
    assert (answer.text, answer.attempts, raw_peer.requests) == ("A Toyota.", 2, 2)


@pytest.mark.parametrize(("module", "name", "value"), [(os, "name", "nt"), (sys, "executable", "/nowhere")])
async def test_without_a_process_of_its_own_a_response_is_on_disk_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
    peer: Peer,
    engine: Build,
    question: Question,
    credential: Credential,
    place: Path,
    module: ModuleType,
    name: str,
    value: str,
) -> None:
    peer.reply(GOOD)
    asked = engine(peer.base_url)
    with monkeypatch.context() as machine:
        machine.setattr(module, name, value)
        await asked.ask(question, credential, ResponseSpool(place))
    assert receiving_processes() == []
    again = await engine(peer.base_url).ask(question, credential, ResponseSpool(place))
    assert (again.text, len(peer.asked)) == ("A Toyota.", 1)


def receiving_processes() -> list[int]:
    """Children of this process that receive responses."""
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    return [
        pid for pid in map(int, children) if b"receiver_process" in Path(f"/proc/{pid}/cmdline").read_bytes()
    ]
