"""Chat completions as different servers write them, read as the official SDK reads them."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import pytest

from engines.engine import Credential, Question
from engines.errors import EngineError, EngineErrorCode
from tests.engines.conftest import CANARY, Build, Peer


def completion(message: Mapping[str, Any], finish: str = "stop", **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant"} | dict(message)}
    return {
        "id": "c-1", "object": "chat.completion", "created": 1, "model": "served-model", "choices": [choice],
    } | more  # fmt: skip


TEXT = "Die Prüfer 👍 empfehlen Škoda [skoda.example](https://skoda.example/a) und Honda [honda.example](https://honda.example/b)."
FIRST, SECOND = "[skoda.example](https://skoda.example/a)", "[honda.example](https://honda.example/b)"


def annotation(url: str, mark: str) -> dict[str, Any]:
    start = TEXT.index(mark)
    inner = {"url": url, "title": f"Title of {url}", "start_index": start, "end_index": start + len(mark)}
    return {"type": "url_citation", "url_citation": inner}


CITED = completion(
    {
        "content": TEXT,
        "annotations": [
            annotation("https://skoda.example/a", FIRST),
            annotation("https://honda.example/b", SECOND),
        ],
    },
    usage={"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18, "cost": 0.00125},
    system_fingerprint="fp-1",
)


@pytest.mark.parametrize(
    ("body", "status", "truncated"),
    [
        (completion({"content": "A Toyota."}), "answered", False),
        (completion({"content": "A Toy"}, "length"), "answered", True),
        (completion({"content": ""}), "empty", False),
        (completion({"content": None, "refusal": "I cannot help."}), "refused", False),
        (completion({"content": "Partly"}, "content_filter"), "refused", False),
        (CITED, "answered", False),
    ],
)
async def test_text_model_and_usage_are_those_the_official_sdk_reads(
    peer: Peer, engine: Build, question: Question, credential: Credential,
    body: Mapping[str, Any], status: str, truncated: bool,
) -> None:  # fmt: skip
    peer.reply(body)
    answer = await engine(peer.base_url).ask(question, credential)
    import openai

    async with openai.AsyncOpenAI(api_key=CANARY, base_url=peer.base_url, max_retries=0) as sdk:
        sdk_answer = await sdk.chat.completions.create(
            model="some-model", messages=[{"role": "user", "content": question.text}], max_tokens=8192
        )
    message = sdk_answer.choices[0].message
    assert answer.text == (message.content or "")
    assert (answer.status, answer.truncated, answer.served_model) == (status, truncated, sdk_answer.model)
    cited = [(citation.url, citation.title) for citation in answer.citations]
    assert cited == [(a.url_citation.url, a.url_citation.title) for a in message.annotations or []]
    assert answer.usage.input_tokens == (sdk_answer.usage.prompt_tokens if sdk_answer.usage else None)
    assert answer.usage.output_tokens == (sdk_answer.usage.completion_tokens if sdk_answer.usage else None)
    assert peer.asked[0].json == peer.asked[1].json
    assert peer.asked[0].path == peer.asked[1].path


async def test_annotations_become_markers_at_their_place(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(CITED)
    answer = await engine(peer.base_url).ask(searching, credential)
    spans = [answer.text[citation.start : citation.end] for citation in answer.citations]
    assert spans == [FIRST, SECOND]
    assert [(citation.kind, citation.ordinal, citation.span) for citation in answer.citations] == [
        ("cited", 0, "marker"),
        ("cited", 1, "marker"),
    ]
    assert (answer.status, answer.retrieval.status) == ("answered", "searched")
    assert answer.usage.provider_cost_usd == Decimal("0.00125")
    assert peer.asked[0].json["tools"] == [{"type": "web_search"}]


@pytest.mark.parametrize(
    "listed",
    [
        {"citations": ["https://a.example/", "https://b.example/", "https://c.example/"]},
        {"search_results": [{"url": f"https://{name}.example/", "title": None} for name in "abc"]},
    ],
)
async def test_listed_sources_are_retrieved_and_only_marked_ones_are_cited(
    peer: Peer, engine: Build, searching: Question, credential: Credential, listed: Mapping[str, Any]
) -> None:
    peer.reply(completion({"content": "Ja [3], nein [1][3], nie [9]."}, **listed))
    answer = await engine(peer.base_url).ask(searching, credential)
    cited = [(c.url, answer.text[c.start : c.end]) for c in answer.citations if c.kind == "cited"]
    assert cited == [
        ("https://c.example/", "[3]"),
        ("https://a.example/", "[1]"),
        ("https://c.example/", "[3]"),
    ]
    retrieved = [c.url for c in answer.citations if c.kind == "retrieved"]
    assert retrieved == ["https://a.example/", "https://b.example/", "https://c.example/"]


async def test_a_grounded_ask_without_any_source_is_not_grounded(
    peer: Peer, engine: Build, searching: Question, credential: Credential
) -> None:
    peer.reply(completion({"content": "From memory."}))
    answer = await engine(peer.base_url).ask(searching, credential)
    assert (answer.status, answer.retrieval.status) == ("not_grounded", "unknown")


async def test_content_parts_are_joined_without_anything_between(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    parts = [{"type": "text", "text": "A "}, {"type": "image"}, {"type": "text", "text": "Toyota."}]
    peer.reply(completion({"content": parts}))
    assert (await engine(peer.base_url).ask(question, credential)).text == "A Toyota."


async def test_what_no_database_can_hold_is_replaced_one_for_one(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    raw = rb'{"choices": [{"message": {"content": "a\u0000b\ud83dc\ud83d\udc4d"}}]}'
    peer.reply(raw)
    assert (await engine(peer.base_url).ask(question, credential)).text == "a\ufffdb\ufffdc👍"


@pytest.mark.parametrize(
    ("body", "code", "requests"),
    [
        ({"error": {"message": "broken"}}, EngineErrorCode.PROVIDER_ERROR, 1),
        ({"error": "broken"}, EngineErrorCode.PROVIDER_ERROR, 1),
        ({"error": {"code": 401, "message": "broken"}}, EngineErrorCode.PROVIDER_AUTH, 1),
        ({"error": {"code": 402, "message": "broken"}}, EngineErrorCode.PROVIDER_QUOTA, 1),
        ({"error": {"code": 429, "message": "broken"}}, EngineErrorCode.RATE_LIMITED, 3),
        ({"error": {"code": 502, "message": "broken"}}, EngineErrorCode.PROVIDER_UNAVAILABLE, 3),
        (
            {"choices": [{"error": {"code": 502, "message": "broken"}, "message": {"content": "Half an"}}]},
            EngineErrorCode.PROVIDER_UNAVAILABLE,
            3,
        ),
    ],
)
async def test_an_error_inside_a_200_is_an_error(
    peer: Peer, engine: Build, question: Question, credential: Credential,
    body: Mapping[str, Any], code: EngineErrorCode, requests: int,
) -> None:  # fmt: skip
    peer.reply(body)
    with pytest.raises(EngineError) as caught:
        await engine(peer.base_url).ask(question, credential)
    assert (caught.value.code, caught.value.detail, len(peer.asked)) == (code, "broken", requests)
    assert caught.value.possibly_billed


async def test_fields_of_the_endpoints_own_stand_beside_ours_and_replace_none(
    peer: Peer, engine: Build, question: Question, credential: Credential
) -> None:
    peer.reply(completion({"content": "A Toyota."}))
    await engine(peer.base_url, extra_body={"enable_search": True}).ask(question, credential)
    sent = peer.asked[0].json
    assert (sent["enable_search"], sent["messages"][0]["content"]) == (True, question.text)
