"""DeepSeek's form of the Messages API: its web tool, and what counts as a search."""

from typing import Any

import pytest

from engines.deepseek import adapter
from engines.engine import Credential, Question
from tests.engines.conftest import CANARY, Build, Peer

RESULT = {"type": "web_search_result", "url": "https://a.example/", "title": "A", "page_age": "2026-02-02"}


def message(*content: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "id": "m", "type": "message", "role": "assistant", "model": "deepseek-flash", "content": list(content),
        "stop_reason": "end_turn", "usage": {"input_tokens": 4, "output_tokens": 5},
    } | more  # fmt: skip


def searched(kind: str = "web_search_tool_result") -> dict[str, Any]:
    cited = {
        "type": "web_search_result_location",
        "url": "https://a.example/",
        "title": "A",
        "cited_text": "…",
    }
    return message(
        {"type": "server_tool_use", "id": "s", "name": "deepseek_web_search", "input": {"query": "auto"}},
        {"type": kind, "tool_use_id": "s", "content": [RESULT]},
        {"type": "text", "text": "Škoda hält.", "citations": [cited]},
    )


@pytest.mark.parametrize("kind", ["web_search_tool_result", "deepseek_web_search_tool_result"])
async def test_an_answer_after_a_search_is_grounded_with_its_sources(
    peer: Peer, engine: Build, searching: Question, credential: Credential, kind: str
) -> None:
    peer.reply(searched(kind))
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    assert (answer.status, answer.text, answer.retrieval.queries) == ("answered", "Škoda hält.", ("auto",))
    assert [(source.kind, source.url) for source in answer.citations] == [
        ("cited", "https://a.example/"),
        ("retrieved", "https://a.example/"),
    ]
    assert (answer.parser, answer.served_model) == ("deepseek-messages/1", "deepseek-flash")


async def test_an_answer_whose_search_cannot_be_recognised_counts_for_nothing(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(searched("a_block_nobody_documented"))
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    assert (answer.status, answer.is_valid(searching.mode)) == ("not_grounded", False)


async def test_the_chat_web_tool_is_sent_with_key_and_place(
    peer: Peer, engine: Build, question: Question, searching: Question, credential: Credential
) -> None:
    peer.reply(searched())
    asked = engine(peer.base_url, adapter(), search_tool=None)
    await asked.ask(question, credential)
    await asked.ask(searching, credential)
    memory, search = (request.json for request in peer.asked)
    assert "tools" not in memory
    assert search["tools"] == [{"type": "deepseek_web_search", "name": "deepseek_web_search"}]
    assert search["thinking"] == {"type": "disabled"}
    assert peer.asked[1].headers["x-api-key"] == CANARY
    assert asked.locale_fields(searching.mode) == {"country", "city", "region", "language"}
    [told, said] = search["messages"]
    assert (told["role"], ",Germany,Web," in told["content"], said["role"]) == (
        "latest_reminder",
        True,
        "user",
    )
    assert [message["role"] for message in memory["messages"]] == ["user"]
