"""Mistral's Conversations API: text in parts, references between them, and searches as entries."""

from typing import Any

import pytest

from engines.engine import Credential, Question
from engines.errors import EngineError, EngineErrorCode
from engines.mistral import adapter
from tests.engines.conftest import CANARY, Build, Peer

REFERENCE = {
    "type": "tool_reference", "tool": "web_search", "title": "Test", "url": "https://a.example/?x=1",
    "favicon": None, "description": "…",
}  # fmt: skip
SEARCH = {
    "object": "entry", "type": "tool.execution", "name": "web_search", "arguments": '{"query": "auto haltbar"}',
    "id": "t", "created_at": "2026-03-01T12:00:00Z", "completed_at": "2026-03-01T12:00:01Z",
}  # fmt: skip


def conversation(*outputs: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "object": "conversation.response", "conversation_id": "c", "outputs": list(outputs),
        "usage": {"prompt_tokens": 7, "completion_tokens": 8, "total_tokens": 15, "connectors": {"web_search": 1}},
    } | more  # fmt: skip


def said(content: object) -> dict[str, Any]:
    return {
        "object": "entry", "type": "message.output", "role": "assistant", "id": "m",
        "created_at": "2026-03-01T12:00:02Z", "completed_at": "2026-03-01T12:00:03Z",
        "model": "mistral-medium-2508", "content": content,
    }  # fmt: skip


async def test_references_are_cited_sources_and_no_part_of_the_text(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    parts = [{"type": "text", "text": "Škoda hält"}, REFERENCE, {"type": "text", "text": ". 👍"}]
    peer.reply(conversation(SEARCH, said(parts)))
    asked = engine(peer.base_url, adapter())
    answer = await asked.ask(searching, credential)
    assert (answer.status, answer.text) == ("answered", "Škoda hält. 👍")
    assert [(source.kind, source.url, source.title) for source in answer.citations] == [
        ("cited", "https://a.example/?x=1", "Test")
    ]
    assert (answer.retrieval.queries, answer.retrieval.searches) == (("auto haltbar",), 1)
    assert (answer.served_model, answer.usage.input_tokens) == ("mistral-medium-2508", 7)
    assert asked.parse(searching, answer.exchanges).citations == answer.citations


async def test_an_answer_without_a_search_is_not_grounded(
    peer: Peer, engine: Build, question: Question, searching: Question, credential: Credential
) -> None:
    peer.reply(conversation(said("Škoda.")))
    asked = engine(peer.base_url, adapter())
    assert (await asked.ask(searching, credential)).status == "not_grounded"
    assert (await asked.ask(question, credential)).status == "answered"


async def test_conversations_are_not_stored_and_only_grounded_asks_search(
    peer: Peer, engine: Build, question: Question, searching: Question, credential: Credential
) -> None:
    peer.reply(conversation(said("Škoda.")))
    asked = engine(peer.base_url, adapter("web_search_premium"), search_tool=None)
    await asked.ask(question, credential)
    await asked.ask(searching, credential)
    memory, search = (request.json for request in peer.asked)
    assert (memory["store"], memory["inputs"], memory.get("tools")) == (False, question.text, None)
    assert search["tools"] == [{"type": "web_search_premium"}]
    assert peer.asked[0].headers["authorization"] == f"Bearer {CANARY}"
    assert asked.locale_fields(searching.mode) == frozenset()


async def test_a_body_that_is_no_conversation_is_an_error(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply({"object": "error", "message": "oops", "type": "invalid_request_error"})
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, adapter()).ask(searching, credential)
    assert (caught.value.code, caught.value.detail) == (EngineErrorCode.PROVIDER_ERROR, "oops")
