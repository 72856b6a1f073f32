"""Anthropic Messages, read as the official SDK reads the same bytes."""

from collections.abc import Mapping
from typing import Any

import pytest

from engines.anthropic import adapter
from engines.engine import Credential, Question
from engines.errors import EngineError, EngineErrorCode
from tests.engines.conftest import CANARY, Build, Peer


def text(words: str, *urls: str) -> dict[str, Any]:
    citations = [
        {
            "type": "web_search_result_location", "url": url, "title": f"Titel {url[8:9]}",
            "cited_text": "…", "encrypted_index": "aW5kZXg=" * 5,
        }
        for url in urls
    ]  # fmt: skip
    return {"type": "text", "text": words, "citations": citations or None}


def search(query: str) -> dict[str, Any]:
    return {
        "type": "server_tool_use",
        "id": f"srvtoolu_{query}",
        "name": "web_search",
        "input": {"query": query},
    }


def found(*urls: str) -> dict[str, Any]:
    pages = [
        {
            "type": "web_search_result",
            "url": url,
            "title": f"Titel {url[8:9]}",
            "page_age": None,
            "encrypted_content": "Z2VoZWlt" * 20,
        }
        for url in urls
    ]
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": pages}


def failed(code: str = "unavailable") -> dict[str, Any]:
    error = {"type": "web_search_tool_result_error", "error_code": code}
    return {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": error}


def message(*content: Mapping[str, Any], stop: str = "end_turn", searches: int = 1) -> dict[str, Any]:
    return {
        "id": "msg", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5-20260901",
        "content": list(content), "stop_reason": stop, "stop_sequence": None,
        "usage": {"input_tokens": 12, "output_tokens": 34, "server_tool_use": {"web_search_requests": searches, "web_fetch_requests": 0}},
    }  # fmt: skip


A, B, C = "https://a.example/", "https://b.example/", "https://c.example/"
GROUNDED = message(
    search("haltbares auto"),
    found(A, B, C),
    text("Die Prüfer 👍 sagen: "),
    text("Škoda hält am längsten.", A, B),
    text(" 本田も.", B),
)


@pytest.mark.parametrize(
    ("body", "status", "truncated", "retrieval"),
    [
        (GROUNDED, "answered", False, "searched"),
        (message(search("q"), found(A), text("Ohne Beleg.")), "answered", False, "searched"),
        (message(text("Aus dem Gedächtnis.")), "not_grounded", False, "not_searched"),
        (message(search("q"), failed(), text("Leider.")), "not_grounded", False, "failed"),
        (message(search("q"), failed(), search("r"), found(A), text("Doch.")), "answered", False, "searched"),
        (message(stop="refusal"), "refused", False, "not_searched"),
        (message(search("q"), found(A), text("Ein hal"), stop="max_tokens"), "answered", True, "searched"),
        (message(search("q"), found(A)), "empty", False, "searched"),
    ],
)
async def test_text_citations_model_and_usage_are_those_the_official_sdk_reads(
    peer: Peer, engine: Build, searching: Question, credential: Credential,
    body: Mapping[str, Any], status: str, truncated: bool, retrieval: str,
) -> None:  # fmt: skip
    peer.reply(body)
    asked = engine(peer.base_url, adapter())
    answer = await asked.ask(searching, credential)
    import anthropic
    from anthropic.types import TextBlock

    async with anthropic.AsyncAnthropic(api_key=CANARY, base_url=peer.base_url, max_retries=0) as sdk:
        sdk_answer = await sdk.messages.create(
            model="some-model",
            max_tokens=8192,
            messages=[{"role": "user", "content": searching.text}],
            tools=[
                {
                    "type": "web_search_20250305",
                    "name": "web_search",
                    "max_uses": 5,
                    "user_location": {"type": "approximate", "country": "DE"},
                }
            ],
            tool_choice={"type": "tool", "name": "web_search"},
        )
    assert peer.asked[0].json == peer.asked[1].json
    assert peer.asked[0].path == peer.asked[1].path
    assert peer.asked[0].headers["anthropic-version"] == peer.asked[1].headers["anthropic-version"]
    assert peer.asked[0].headers["x-api-key"] == CANARY
    assert "authorization" not in peer.asked[0].headers
    blocks = [block for block in sdk_answer.content if isinstance(block, TextBlock)]
    assert answer.text == "".join(block.text for block in blocks)
    assert answer.served_model == sdk_answer.model
    cited = [
        (location.url, location.title, block.text)
        for block in blocks
        for location in block.citations or []
        if location.type == "web_search_result_location"
    ]
    assert [
        (c.url, c.title, answer.text[c.start : c.end]) for c in answer.citations if c.kind == "cited"
    ] == cited
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (
        sdk_answer.usage.input_tokens,
        sdk_answer.usage.output_tokens,
    )
    assert (answer.status, answer.truncated, answer.retrieval.status) == (status, truncated, retrieval)
    assert asked.parse(searching, answer.exchanges).citations == answer.citations


async def test_pages_found_and_not_cited_are_only_retrieved(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    assert [c.url for c in answer.citations if c.kind == "retrieved"] == [A, B, C]
    assert C not in [c.url for c in answer.citations if c.kind == "cited"]
    assert {c.span for c in answer.citations if c.kind == "cited"} == {"segment"}
    assert (answer.retrieval.queries, answer.usage.searches) == (("haltbares auto",), 1)


async def test_a_paused_turn_is_sent_back_as_received_and_the_turns_add_up(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    first = message(search("eins"), found(A), text("Erstens ", A), stop="pause_turn")
    second = message(search("zwei"), found(B), text("zweitens.", B), searches=2)
    peer.reply(first)
    peer.reply(second)
    asked = engine(peer.base_url, adapter())
    answer = await asked.ask(searching, credential)
    assert answer.text == "Erstens zweitens."
    assert [answer.text[c.start : c.end] for c in answer.citations if c.kind == "cited"] == [
        "Erstens ",
        "zweitens.",
    ]
    assert [c.url for c in answer.citations if c.kind == "retrieved"] == [A, B]
    assert (answer.usage.input_tokens, answer.usage.output_tokens, answer.usage.searches) == (24, 68, 3)
    assert (answer.attempts, len(answer.exchanges)) == (2, 2)
    spoken = {"role": "assistant", "content": first["content"]}
    assert peer.asked[1].json["messages"] == [{"role": "user", "content": searching.text}, spoken]
    assert "tool_choice" not in peer.asked[1].json
    assert peer.asked[1].json["tools"] == peer.asked[0].json["tools"]
    again = asked.parse(searching, answer.exchanges)
    assert (again.text, again.citations, again.usage) == (answer.text, answer.citations, answer.usage)


async def test_ciphertext_of_answers_and_resent_turns_is_not_kept(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(message(search("eins"), found(A), text("Erstens ", A), stop="pause_turn"))
    peer.reply(message(text("zweitens.")))
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    kept = b"".join(exchange.body + exchange.request_body for exchange in answer.exchanges)
    assert b"Z2VoZWlt" in peer.asked[1].body
    assert b"Z2VoZWlt" not in kept
    assert b"aW5kZXg=" not in kept
    assert all(exchange.stripped for exchange in answer.exchanges)


async def test_a_turn_that_stays_paused_is_given_up_after_three(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(message(search("eins"), stop="pause_turn"))
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, adapter()).ask(searching, credential)
    assert (caught.value.code, len(peer.asked)) == (EngineErrorCode.PROVIDER_ERROR, 3)
    assert (len(caught.value.exchanges), caught.value.possibly_billed) == (3, True)


async def test_a_failed_later_turn_may_be_billed_and_keeps_earlier_turns(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(message(search("eins"), stop="pause_turn"))
    peer.reply({"type": "error", "error": {"type": "authentication_error", "message": "gone"}}, 401)
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, adapter()).ask(searching, credential)
    assert (caught.value.code, caught.value.possibly_billed) == (EngineErrorCode.PROVIDER_AUTH, True)
    assert [exchange.status for exchange in caught.value.exchanges] == [200, 401]


async def test_a_later_search_tool_is_told_to_answer_directly(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    await engine(peer.base_url, adapter("web_search_20260209")).ask(searching, credential)
    (tool,) = peer.asked[0].json["tools"]
    assert (tool["type"], tool["allowed_callers"]) == ("web_search_20260209", ["direct"])


@pytest.mark.parametrize(
    ("kind", "code", "requests"),
    [
        ("overloaded_error", EngineErrorCode.PROVIDER_UNAVAILABLE, 3),
        ("rate_limit_error", EngineErrorCode.RATE_LIMITED, 3),
        ("invalid_request_error", EngineErrorCode.PROVIDER_ERROR, 1),
    ],
)
async def test_an_error_inside_a_200_is_an_error(
    peer: Peer, engine: Build, question: Question, credential: Credential,
    kind: str, code: EngineErrorCode, requests: int,
) -> None:  # fmt: skip
    peer.reply({"type": "error", "error": {"type": kind, "message": "oops"}})
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, adapter()).ask(question, credential)
    assert (caught.value.code, caught.value.detail, len(peer.asked)) == (code, "oops", requests)
