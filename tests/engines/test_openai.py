"""OpenAI Responses, read as the official SDK reads the same bytes."""

from collections.abc import Mapping
from typing import Any

import pytest

from engines.engine import Credential, Question
from engines.errors import EngineError, EngineErrorCode
from engines.openai import ADAPTER
from tests.engines.conftest import CANARY, Build, Peer

FIRST = "Die Prüfer 👩‍🔧 loben den Škoda. ([skoda.example](https://skoda.example/a?utm_source=openai))"
SECOND = " 東京では Honda が人気です。 ([honda.example](https://www.honda.example/b))"


def annotation(text: str, url: str, title: str) -> dict[str, Any]:
    start = text.index("([")
    return {"type": "url_citation", "url": url, "title": title, "start_index": start, "end_index": len(text)}


def output_text(text: str, *annotations: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": list(annotations), "logprobs": []}


def message(*parts: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": list(parts)}


def search(action: Mapping[str, Any], status: str = "completed") -> dict[str, Any]:
    return {"id": "ws", "type": "web_search_call", "status": status, "action": dict(action)}


def response(*output: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    details = {"cached_tokens": 0, "cache_write_tokens": 0}
    usage = {
        "input_tokens": 20, "input_tokens_details": details,
        "output_tokens": 30, "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 50,
    }  # fmt: skip
    return {
        "id": "r", "object": "response", "created_at": 1, "status": "completed", "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {}, "model": "gpt-5.5-2026-04-23",
        "output": list(output), "parallel_tool_calls": True, "temperature": 1.0, "tool_choice": "auto",
        "tools": [], "top_p": 1.0, "usage": usage,
    } | more  # fmt: skip


SOURCES = [{"type": "url", "url": f"https://{name}.example/"} for name in ("skoda", "honda", "unread")]
GROUNDED = response(
    {"id": "rs", "type": "reasoning", "summary": [], "encrypted_content": "c2VjcmV0" * 9},
    search({"type": "search", "query": "old", "queries": ["bestes auto", "best car"], "sources": SOURCES}),
    search({"type": "search", "query": "haltbarkeit", "sources": SOURCES[:1]}),
    search({"type": "open_page", "url": "https://skoda.example/a"}),
    message(
        output_text(FIRST, annotation(FIRST, "https://skoda.example/a?utm_source=openai", "Škoda")),
        output_text(SECOND, annotation(SECOND, "https://www.honda.example/b", "Honda")),
    ),
)


@pytest.mark.parametrize(
    ("body", "status", "truncated"),
    [
        (GROUNDED, "answered", False),
        (response(search({"type": "search", "query": "q"}), message(output_text("Nur Text."))), "answered", False),
        (response(message(output_text("Aus dem Gedächtnis."))), "not_grounded", False),
        (response(search({"type": "search", "query": "q"}, "failed"), message(output_text("x"))), "not_grounded", False),
        (response(message({"type": "refusal", "refusal": "No."})), "refused", False),
        (
            response(
                search({"type": "search", "query": "q"}), message(output_text("Ein hal")),
                status="incomplete", incomplete_details={"reason": "max_output_tokens"},
            ),
            "answered", True,
        ),
        (response(status="incomplete", incomplete_details={"reason": "max_output_tokens"}), "empty", True),
        (response(status="incomplete", incomplete_details={"reason": "content_filter"}), "refused", False),
    ],
)  # fmt: skip
async def test_text_citations_model_and_usage_are_those_the_official_sdk_reads(
    peer: Peer, engine: Build, searching: Question, credential: Credential,
    body: Mapping[str, Any], status: str, truncated: bool,
) -> None:  # fmt: skip
    peer.reply(body)
    asked = engine(peer.base_url, ADAPTER, search_tool=None)
    answer = await asked.ask(searching, credential)
    import openai
    from openai.types.responses import ResponseOutputText

    async with openai.AsyncOpenAI(api_key=CANARY, base_url=peer.base_url, max_retries=0) as sdk:
        sdk_answer = await sdk.responses.create(
            model="some-model",
            input=[{"role": "user", "content": searching.text}],
            max_output_tokens=8192,
            store=False,
            tools=[{"type": "web_search", "user_location": {"type": "approximate", "country": "DE"}}],
            tool_choice="required",
            include=["web_search_call.action.sources"],
        )
    assert peer.asked[0].json == peer.asked[1].json
    assert peer.asked[0].path == peer.asked[1].path
    assert peer.asked[0].headers["authorization"] == peer.asked[1].headers["authorization"]
    assert (answer.status, answer.truncated) == (status, truncated)
    assert (answer.text, answer.served_model) == (sdk_answer.output_text, sdk_answer.model)
    assert sdk_answer.usage is not None
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (
        sdk_answer.usage.input_tokens,
        sdk_answer.usage.output_tokens,
    )
    parts = [part for item in sdk_answer.output if item.type == "message" for part in item.content]
    texts = [part for part in parts if isinstance(part, ResponseOutputText)]
    cited = [(a.url, a.title) for part in texts for a in part.annotations if a.type == "url_citation"]
    assert [(c.url, c.title) for c in answer.citations if c.kind == "cited"] == cited
    assert asked.parse(searching, answer.exchanges).citations == answer.citations


async def test_offsets_of_later_parts_move_with_the_text_and_stand_on_their_marks(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    answer = await engine(peer.base_url, ADAPTER).ask(searching, credential)
    marks = [answer.text[c.start : c.end] for c in answer.citations if c.kind == "cited"]
    assert marks == [FIRST[FIRST.index("([") :], SECOND[SECOND.index("([") :]]


async def test_sources_that_were_only_found_are_retrieved_and_only_searches_count(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    answer = await engine(peer.base_url, ADAPTER).ask(searching, credential)
    retrieved = [c.url for c in answer.citations if c.kind == "retrieved"]
    assert retrieved == ["https://skoda.example/", "https://honda.example/", "https://unread.example/"]
    assert answer.retrieval.queries == ("bestes auto", "best car", "haltbarkeit")
    assert (answer.retrieval.status, answer.retrieval.searches, answer.usage.searches) == ("searched", 2, 2)


async def test_without_a_country_the_location_is_sent_empty(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    anywhere = Question(searching.text, searching.mode, searching.ask_key)
    await engine(peer.base_url, ADAPTER, search_tool=None).ask(anywhere, credential)
    (tool,) = peer.asked[0].json["tools"]
    assert tool["user_location"] == {"type": "approximate"}


async def test_an_organic_ask_sends_no_tool_at_all(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    peer.reply(response(message(output_text("Ein Toyota."))))
    answer = await engine(peer.base_url, ADAPTER).ask(question, credential)
    assert set(peer.asked[0].json) == {"model", "input", "max_output_tokens", "store"}
    assert (answer.status, answer.retrieval.status) == ("answered", "not_requested")


async def test_ciphertext_is_not_kept_and_the_hash_is_of_what_was_received(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    (exchange,) = (await engine(peer.base_url, ADAPTER).ask(searching, credential)).exchanges
    assert exchange.stripped
    assert b"c2VjcmV0" not in exchange.body
    assert "…<72 bytes>".encode("ascii", "backslashreplace") in exchange.body


@pytest.mark.parametrize(
    ("error", "code", "requests"),
    [
        ({"code": "server_error", "message": "oops"}, EngineErrorCode.PROVIDER_UNAVAILABLE, 3),
        ({"code": "rate_limit_exceeded", "message": "oops"}, EngineErrorCode.RATE_LIMITED, 3),
        ({"code": "invalid_prompt", "message": "oops"}, EngineErrorCode.PROVIDER_ERROR, 1),
    ],
)
async def test_a_failure_inside_a_200_is_an_error(
    peer: Peer, engine: Build, searching: Question, credential: Credential,
    error: Mapping[str, Any], code: EngineErrorCode, requests: int,
) -> None:  # fmt: skip
    peer.reply(response(status="failed", error=error))
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, ADAPTER).ask(searching, credential)
    assert (caught.value.code, caught.value.detail, len(peer.asked)) == (code, "oops", requests)


@pytest.mark.parametrize("status", ["in_progress", "queued", "cancelled"])
async def test_a_response_that_is_not_finished_is_no_answer(
    peer: Peer, engine: Build, searching: Question, credential: Credential, status: str
) -> None:
    peer.reply(response(message(output_text("Ein hal")), status=status))
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, ADAPTER).ask(searching, credential)
    assert caught.value.code is EngineErrorCode.PROVIDER_ERROR


@pytest.mark.parametrize(
    "output",
    [
        None,
        {},
        ["text"],
        [message(output_text("x") | {"text": None})],
        [message(output_text("x") | {"annotations": "none"})],
        [search({"type": "search", "queries": "q"})],
    ],
)
async def test_an_unknown_shape_is_an_invalid_response(
    peer: Peer, engine: Build, searching: Question, credential: Credential, output: Any
) -> None:
    peer.reply(response() | {"output": output})
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, ADAPTER).ask(searching, credential)
    assert caught.value.code is EngineErrorCode.INVALID_RESPONSE
