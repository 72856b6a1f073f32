"""A parser is called proven when a real answer that it reads is committed, and such a file says nothing of who asked."""

import json
from typing import Any

from engines.engine import Mode, Question
from engines.parsers import parser_of
from engines.recordings import FOLDER, facts_of, proof_of, read_recording, recorded_platforms, recording_of
from engines.registry import Registry
from engines.settings import EngineSettings
from tests.engines import supplier_bodies as bodies
from tests.engines.conftest import Peer

QUESTION = Question("Welche Laufschuhe sind gut?", Mode.READINESS, "ab" * 32, country="DE", language="de")


def test_only_channels_with_a_committed_answer_are_called_recorded() -> None:
    assert {path.stem for path in FOLDER.glob("*.json")} == recorded_platforms()
    unproven = {"chatgpt", "google_ai_overview@dataforseo", "copilot@cloro"} - recorded_platforms()
    assert {proof_of(platform) for platform in unproven} <= {"documented"}
    assert {proof_of(platform) for platform in recorded_platforms()} <= {"recorded"}


def test_every_committed_answer_is_read_as_it_was_when_it_was_recorded() -> None:
    for platform in recorded_platforms():
        recording: dict[str, Any] = json.loads((FOLDER / f"{platform}.json").read_text(encoding="utf-8"))
        parse = parser_of(recording["parser"])
        assert parse is not None
        assert facts_of(parse(*read_recording(recording))) == recording["facts"]


async def test_a_recorded_answer_reads_the_same_without_who_asked(peer: Peer) -> None:
    key = "key-of-an-account-0123456789"
    answered = bodies.cloro("CHATGPT", bodies.CLORO_ANSWER)["body"]
    answered["task"] |= {
        "email": "owner@shop.example",
        "organization": "Shop of Jane",
        "webhook": {"url": key},
    }
    peer.reply({"task": {"id": "t-1", "status": "QUEUED"}})
    peer.reply(answered)
    environ = {
        "SEENBY_SURFACES": "chatgpt_app=cloro",
        "SEENBY_SUPPLIER_CLORO_API_KEY": key,
        "SEENBY_SUPPLIER_CLORO_BASE_URL": peer.base_url,
    }
    async with Registry(EngineSettings.from_environ(environ)) as registry:
        platform = "chatgpt_app@cloro"
        answer = await registry.get(platform).ask(QUESTION, registry.credential(platform))
    recording = recording_of(platform, QUESTION, answer)
    written = json.dumps(recording)
    assert not [word for word in (key, "owner@shop.example", "Jane") if word in written]
    parse = parser_of("cloro/1")
    assert parse is not None
    assert facts_of(parse(*read_recording(recording))) == recording["facts"] == facts_of(answer)
