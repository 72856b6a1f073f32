"""Gemini through both of its APIs, read as the official SDK reads the same bytes."""

from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING, Any

import pytest

from engines.engine import Credential, Question
from engines.errors import EngineError, EngineErrorCode
from engines.gemini import adapter
from tests.engines.conftest import CANARY, Build, Peer

if TYPE_CHECKING:
    from google import genai

FIRST, SECOND = "Die Prüfer 👩‍🔧 loben Škoda. ", "東京では本田が人気です。"


def cites(text: str, segment: str, url: str | None, *, start: bool = True) -> dict[str, Any]:
    before = len(text[: text.index(segment)].encode())
    offsets = {"start_index": before} if start else {}
    return {
        "type": "url_citation",
        "url": url,
        "title": "Titel",
        "end_index": before + len(segment.encode()),
    } | offsets


def block(text: str, *annotations: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "text", "text": text, "annotations": list(annotations)}


def output(*blocks: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "model_output", "content": list(blocks)} | more


def interaction(*steps: Mapping[str, Any], status: str = "completed", **more: Any) -> dict[str, Any]:
    usage = {
        "total_input_tokens": 5,
        "total_output_tokens": 7,
        "total_thought_tokens": 11,
        "total_tokens": 23,
    }
    return {
        "id": "i", "object": "interaction", "model": "gemini-3.8-flash", "status": status,
        "created": "2026-03-01T00:00:00Z", "updated": "2026-03-01T00:00:01Z", "steps": list(steps), "usage": usage,
    } | more  # fmt: skip


CALL = {"type": "google_search_call", "id": "c", "arguments": {"queries": ["haltbares auto", "best car"]}}
RESULT = {"type": "google_search_result", "call_id": "c", "result": [{"search_suggestions": "<div>"}]}
THOUGHT = {"type": "thought", "signature": "c2ln"}
GROUNDED = interaction(
    THOUGHT,
    CALL,
    RESULT,
    output(
        block(FIRST, cites(FIRST, "Die Prüfer 👩‍🔧 loben", "https://a.example/", start=False)),
        block(
            SECOND, cites(SECOND, "本田", "https://b.example/"), cites(SECOND, "本田", "https://c.example/")
        ),
    ),
)


@pytest.fixture
async def sdk(peer: Peer) -> "AsyncGenerator[genai.Client]":
    from google import genai
    from google.genai import types

    options = types.HttpOptions(base_url=peer.base_url)
    client = genai.Client(api_key=CANARY, http_options=options)
    yield client
    await client.aio.aclose()
    client.close()


@pytest.mark.parametrize(
    ("body", "status", "truncated", "retrieval"),
    [
        (GROUNDED, "answered", False, "searched"),
        (interaction(CALL, RESULT, output(block("Ohne Beleg."))), "answered", False, "searched"),
        (interaction(output(block("Aus dem Gedächtnis."))), "not_grounded", False, "not_searched"),
        (interaction(CALL, RESULT | {"is_error": True}, output(block("x"))), "not_grounded", False, "failed"),
        (
            interaction(CALL, RESULT, output(block("Ein hal")), status="incomplete"),
            "answered",
            True,
            "searched",
        ),
        (interaction(CALL, RESULT), "empty", False, "searched"),
    ],
)
async def test_an_interaction_is_read_as_the_official_sdk_reads_it(
    peer: Peer, engine: Build, searching: Question, credential: Credential, sdk: "genai.Client",
    body: Mapping[str, Any], status: str, truncated: bool, retrieval: str,
) -> None:  # fmt: skip
    peer.reply(body)
    asked = engine(peer.base_url, adapter())
    answer = await asked.ask(searching, credential)
    sdk_answer = await sdk.aio.interactions.create(
        model="some-model", input=searching.text, tools=[{"type": "google_search"}], store=False
    )
    from google.genai.interactions import Interaction

    assert isinstance(sdk_answer, Interaction)
    assert peer.asked[0].json == peer.asked[1].json
    assert peer.asked[0].path == peer.asked[1].path
    assert peer.asked[0].headers["x-goog-api-key"] == peer.asked[1].headers["x-goog-api-key"]
    assert answer.text == (sdk_answer.output_text or "")
    assert answer.served_model == sdk_answer.model
    steps = [step for step in sdk_answer.steps or [] if step.type == "model_output"]
    blocks = [content for step in steps for content in step.content or [] if content.type == "text"]
    cited = [(a.url, a.title) for text in blocks for a in text.annotations or [] if a.type == "url_citation"]
    assert [(c.url, c.title) for c in answer.citations] == cited
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (5, 18)
    assert (answer.status, answer.truncated, answer.retrieval.status) == (status, truncated, retrieval)
    assert asked.parse(searching, answer.exchanges).citations == answer.citations


async def test_byte_offsets_of_a_block_become_code_points_of_the_whole_text(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    assert answer.text == FIRST + SECOND
    assert [(c.url, answer.text[c.start : c.end]) for c in answer.citations] == [
        ("https://a.example/", "Die Prüfer 👩‍🔧 loben"),
        ("https://b.example/", "本田"),
        ("https://c.example/", "本田"),
    ]
    assert answer.retrieval.queries == ("haltbares auto", "best car")


async def test_text_of_separate_steps_is_separated(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    answer_block = block("Škoda.", cites("Škoda.", "Škoda", "https://a.example/"))
    peer.reply(interaction(output(block("Ich suche.")), CALL, RESULT, output(answer_block)))
    answer = await engine(peer.base_url, adapter()).ask(searching, credential)
    (citation,) = answer.citations
    assert answer.text == "Ich suche.\nŠkoda."
    assert answer.text[citation.start : citation.end] == "Škoda"


async def test_an_organic_interaction_sends_no_tool(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    peer.reply(GROUNDED)
    answer = await engine(peer.base_url, adapter()).ask(question, credential)
    assert peer.asked[0].json == {"model": "some-model", "input": question.text, "store": False}
    assert (answer.status, answer.retrieval.status) == ("answered", "not_requested")


@pytest.mark.parametrize(
    ("body", "code", "detail"),
    [
        (
            interaction(status="failed", errors=[{"code": "x", "message": "oops"}]),
            EngineErrorCode.PROVIDER_ERROR,
            "oops",
        ),
        (interaction(status="cancelled"), EngineErrorCode.PROVIDER_ERROR, "status cancelled"),
        (interaction(status="budget_exceeded"), EngineErrorCode.PROVIDER_ERROR, "status budget_exceeded"),
        (interaction(output(error={"code": 3, "message": "oops"})), EngineErrorCode.PROVIDER_ERROR, "oops"),
        (
            interaction(output(error={"code": 14, "message": "oops"})),
            EngineErrorCode.PROVIDER_UNAVAILABLE,
            "oops",
        ),
        (interaction(output(error={"code": 8, "message": "oops"})), EngineErrorCode.RATE_LIMITED, "oops"),
    ],
)
async def test_a_failure_inside_a_200_is_an_error(
    peer: Peer, engine: Build, searching: Question, credential: Credential,
    body: Mapping[str, Any], code: EngineErrorCode, detail: str,
) -> None:  # fmt: skip
    peer.reply(body)
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, adapter()).ask(searching, credential)
    assert (caught.value.code, caught.value.detail) == (code, detail)


PARTS = [{"text": "Ich denke.", "thought": True}, {"text": FIRST}, {"text": SECOND}]
CHUNKS = [
    {
        "web": {
            "uri": f"https://vertexaisearch.cloud.google.com/grounding-api-redirect/{name}",
            "title": f"{name}.example",
        }
    }
    for name in "abc"
]


def segment(part: int, quoted: str, **more: Any) -> dict[str, Any]:
    text = PARTS[part]["text"]
    assert isinstance(text, str)
    start = len(text[: text.index(quoted)].encode())
    place = {"partIndex": part, "startIndex": start, "endIndex": start + len(quoted.encode()), "text": quoted}
    return {key: value for key, value in (place | more).items() if value}


def generated(finish: str = "STOP", grounded: bool = True, **more: Any) -> dict[str, Any]:
    supports = [
        {"segment": segment(1, "Die Prüfer 👩‍🔧"), "groundingChunkIndices": [0]},
        {"segment": segment(2, "本田"), "groundingChunkIndices": [1, 0]},
    ]
    grounding = {
        "webSearchQueries": ["haltbares auto"],
        "groundingChunks": CHUNKS,
        "groundingSupports": supports,
    }
    candidate = {"content": {"role": "model", "parts": PARTS}, "finishReason": finish, "index": 0}
    usage = {"promptTokenCount": 3, "candidatesTokenCount": 4, "thoughtsTokenCount": 5, "totalTokenCount": 12}
    return {
        "candidates": [candidate | ({"groundingMetadata": grounding} if grounded else {})],
        "usageMetadata": usage, "modelVersion": "gemini-3.8-flash-001",
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("body", "status", "truncated"),
    [
        (generated(), "answered", False),
        (generated(grounded=False), "not_grounded", False),
        (generated("MAX_TOKENS"), "answered", True),
        (generated("SAFETY"), "refused", False),
        ({"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "modelVersion": "m"}, "refused", False),
    ],
)
async def test_generated_content_is_read_as_the_official_sdk_reads_it(
    peer: Peer, engine: Build, searching: Question, credential: Credential, sdk: "genai.Client",
    body: Mapping[str, Any], status: str, truncated: bool,
) -> None:  # fmt: skip
    peer.reply(body)
    asked = engine(peer.base_url, adapter("generate_content"))
    answer = await asked.ask(searching, credential)
    from google.genai import types

    tool = types.Tool(google_search=types.GoogleSearch())
    sdk_answer = await sdk.aio.models.generate_content(  # pyright: ignore[reportUnknownMemberType]  # PIL is optional
        model="some-model", contents=searching.text, config=types.GenerateContentConfig(tools=[tool])
    )
    assert peer.asked[0].path == peer.asked[1].path == "/v1/models/some-model:generateContent"
    assert peer.asked[0].json["contents"] == [{"role": "user", "parts": [{"text": searching.text}]}]
    assert answer.text == (sdk_answer.text or "")
    assert (answer.served_model, answer.requested_model) == (sdk_answer.model_version, "some-model")
    grounding = sdk_answer.candidates[0].grounding_metadata if sdk_answer.candidates else None
    chunks = [chunk.web for chunk in (grounding.grounding_chunks or [] if grounding else [])]
    supports = grounding.grounding_supports or [] if grounding else []
    cited = [
        (web.uri, support.segment.text)
        for support in supports
        for index in support.grounding_chunk_indices or []
        if support.segment is not None and (web := chunks[index]) is not None
    ]
    assert [(c.url, answer.text[c.start : c.end]) for c in answer.citations if c.kind == "cited"] == cited
    assert (answer.status, answer.truncated) == (status, truncated)
    assert asked.parse(searching, answer.exchanges).citations == answer.citations


async def test_chunks_without_a_support_are_retrieved_with_raw_redirects(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(generated())
    answer = await engine(peer.base_url, adapter("generate_content")).ask(searching, credential)
    (unused,) = [c for c in answer.citations if c.kind == "retrieved"]
    assert (unused.url, unused.title) == (CHUNKS[2]["web"]["uri"], "c.example")
    assert (answer.usage.output_tokens, answer.retrieval.queries) == (9, ("haltbares auto",))


@pytest.mark.parametrize(
    "changes",
    [{"endIndex": 9_999}, {"text": "ein anderer Text"}, {"partIndex": 9}, {"endIndex": None}],
)
async def test_a_segment_that_its_text_does_not_confirm_has_no_place(
    peer: Peer, engine: Build, searching: Question, credential: Credential, changes: dict[str, Any]
) -> None:
    body = generated()
    support = {"segment": segment(1, "Die Prüfer 👩‍🔧", **changes), "groundingChunkIndices": [0]}
    body["candidates"][0]["groundingMetadata"]["groundingSupports"] = [support]
    peer.reply(body)
    answer = await engine(peer.base_url, adapter("generate_content")).ask(searching, credential)
    (cited,) = [c for c in answer.citations if c.kind == "cited"]
    assert (cited.start, cited.end, cited.span) == (None, None, None)


async def test_neither_candidates_nor_feedback_is_no_answer(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply({"modelVersion": "m"})
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url, adapter("generate_content")).ask(searching, credential)
    assert caught.value.code is EngineErrorCode.INVALID_RESPONSE
