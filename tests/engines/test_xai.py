"""xAI Responses: OpenAI's format with marks in the text and a list of everything seen."""

from typing import Any

import pytest

from engines.engine import Credential, Question
from engines.errors import EngineError, EngineErrorCode
from engines.xai import adapter
from tests.engines.conftest import CANARY, Build, Peer

ADAPTER = adapter()

MARK_ONE = "[[1]](https://skoda.example/wiki/Octavia_(2020))"
MARK_TWO = "[[2]](https://honda.example/b)"
TEXT = f"Der Škoda 👍 hält. {MARK_ONE} Der Honda auch. {MARK_TWO}{MARK_ONE}"


def body(**more: Any) -> dict[str, Any]:
    start = TEXT.index(MARK_TWO)
    annotation = {
        "type": "url_citation", "url": "https://honda.example/b", "title": "2",
        "start_index": start, "end_index": start + len(MARK_TWO),
    }  # fmt: skip
    part = {"type": "output_text", "text": TEXT, "annotations": [annotation]}
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    return {
        "id": "r", "object": "response", "created_at": 1, "status": "completed", "model": "grok-4.5",
        "output": [message], "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
        "usage": {"input_tokens": 5, "output_tokens": 6, "total_tokens": 11, "num_sources_used": 3},
        "citations": ["https://skoda.example/wiki/Octavia_(2020)", "https://honda.example/b", "https://seen.example/"],
    } | more  # fmt: skip


async def test_text_is_that_of_the_official_sdk_and_each_mark_is_one_citation(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(body())
    asked = engine(peer.base_url, ADAPTER)
    answer = await asked.ask(searching, credential)
    import openai

    async with openai.AsyncOpenAI(api_key=CANARY, base_url=peer.base_url, max_retries=0) as sdk:
        sdk_answer = await sdk.responses.create(model="some-model", input=searching.text)
    assert answer.text == sdk_answer.output_text == TEXT
    assert [answer.text[c.start : c.end] for c in answer.citations if c.kind == "cited"] == [
        MARK_ONE,
        MARK_TWO,
        MARK_ONE,
    ]
    assert [c.title for c in answer.citations if c.kind == "cited"] == [None, "2", None]
    assert asked.parse(searching, answer.exchanges).citations == answer.citations


async def test_the_list_of_sources_is_what_was_seen_and_not_what_was_cited(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(body())
    answer = await engine(peer.base_url, ADAPTER).ask(searching, credential)
    assert "https://seen.example/" in [c.url for c in answer.citations if c.kind == "retrieved"]
    assert "https://seen.example/" not in [c.url for c in answer.citations if c.kind == "cited"]
    assert (answer.status, answer.retrieval.status) == ("answered", "searched")


async def test_without_any_sign_of_a_search_the_answer_is_not_grounded(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(body(citations=[], usage={"num_sources_used": 0}))
    answer = await engine(peer.base_url, ADAPTER).ask(searching, credential)
    assert (answer.status, answer.retrieval.status) == ("not_grounded", "not_searched")


@pytest.mark.parametrize("mode", ["visibility", "readiness"])
async def test_the_response_is_not_left_at_the_provider_and_a_search_is_forced(
    peer: Peer, engine: Build, question: Question, searching: Question, credential: Credential, mode: str
) -> None:
    peer.reply(body())
    asking = question if mode == "visibility" else searching
    await engine(peer.base_url, ADAPTER).ask(asking, credential)
    sent = peer.asked[0].json
    assert sent["store"] is False
    assert sent.get("tools") == (None if mode == "visibility" else [{"type": "web_search"}])
    assert sent.get("tool_choice") == (None if mode == "visibility" else "required")


def said(**part: str) -> list[dict[str, Any]]:
    full: dict[str, Any] = {"annotations": [], **part}
    return [{"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [full]}]


@pytest.mark.parametrize(
    ("changes", "status", "truncated"),
    [
        ({"output": said(type="output_text", text="Ein Škoda.")}, "answered", False),
        ({"output": said(type="refusal", refusal="No.")}, "refused", False),
        ({"status": "incomplete", "incomplete_details": {"reason": "content_filter"}}, "refused", False),
        ({"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}, "answered", True),
        ({"output": []}, "empty", False),
    ],
)
async def test_refusals_and_cut_answers_match_the_official_sdk(
    peer: Peer, engine: Build, searching: Question, credential: Credential,
    changes: dict[str, Any], status: str, truncated: bool,
) -> None:  # fmt: skip
    peer.reply(body(**changes))
    answer = await engine(peer.base_url, ADAPTER).ask(searching, credential)
    import openai

    async with openai.AsyncOpenAI(api_key=CANARY, base_url=peer.base_url, max_retries=0) as sdk:
        sdk_answer = await sdk.responses.create(model="some-model", input=searching.text)
    assert (answer.status, answer.truncated, answer.text) == (status, truncated, sdk_answer.output_text)


async def test_a_failure_inside_a_200_is_an_error(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(body(status="failed", error={"code": "invalid_prompt", "message": "oops"}))
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, ADAPTER).ask(searching, credential)
    assert (caught.value.code, caught.value.detail) == (EngineErrorCode.PROVIDER_ERROR, "oops")


async def test_a_place_is_sent_only_where_the_operator_says_how_it_is_spelled(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(body())
    silent, telling = (
        engine(peer.base_url, ADAPTER, search_tool=None),
        engine(peer.base_url, adapter("user_location"), search_tool=None),
    )
    await silent.ask(searching, credential)
    await telling.ask(searching, credential)
    assert [request.json["tools"] for request in peer.asked] == [
        [{"type": "web_search"}],
        [{"type": "web_search", "user_location": {"country": "DE"}}],
    ]
    assert (silent.locale_fields(searching.mode), "country" in telling.locale_fields(searching.mode)) == (
        frozenset(),
        True,
    )
