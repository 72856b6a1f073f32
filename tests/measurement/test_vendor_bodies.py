"""Bodies made with the vendors' own classes, from what an engine sends to what is counted of it."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest
from anthropic.types import Message
from anthropic.types import UserLocationParam as AnthropicLocation
from google.genai import types as google
from google.genai.interactions import Interaction
from openai.types.responses import Response, WebSearchTool
from openai.types.responses.web_search_tool import UserLocation
from perplexity.types.response_create_response import ResponseCreateResponse
from pydantic import BaseModel

from analytics.answers.answer_reading import Reader
from analytics.matching.aliases import Alias, Entity
from engines import anthropic, gemini, openai, perplexity, xai
from engines.engine import EngineAnswer, Exchange, Mode, Question
from engines.transport.http import Adapter, HttpConfig
from measurement.asking.ask_outcomes import draft_of
from measurement.brand_identity import BrandIdentity
from measurement.extraction.extract import read_answer
from storage.repositories.answers.answers import AnswerText
from storage.repositories.answers.readings import ExtractedAnswerRow, ExtractedMentionRow
from storage.repositories.brands import Brand

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
QUESTION = Question("Which tools last?", Mode.READINESS, "00c0ffee")
REDIRECT = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
TEXT = "Acme lasts. Bravo rusts."
ACME = Entity("acme", (Alias("Acme"),), ("acme.example.com",))
BRAVO = Entity("bravo", (Alias("Bravo"),), ("bravo.co.uk",))
PARSERS = {
    "openai": openai.parse,
    "xai": xai.parse,
    "anthropic": anthropic.parse,
    "gemini": gemini.parse_interaction,
    "generate": gemini.parse_generated,
    "perplexity": perplexity.parse,
}


class ReportingEngine:
    """As much of an engine as storing an answer asks for."""

    cites = frozenset({Mode.READINESS})


def parsed(vendor: str, body: BaseModel) -> EngineAnswer:
    raw = body.model_dump_json(by_alias=True, exclude_none=True).encode()
    url = f"https://{vendor}.example/v1/models/m:generateContent"
    exchange = Exchange(NOW, url, b'{"model":"m"}', 200, {}, raw, NOW, sha256(raw).hexdigest())
    return PARSERS[vendor](QUESTION, [exchange])


def observed(answer: EngineAnswer) -> ExtractedAnswerRow:
    """What is counted of an answer, as the brand acme with its rival bravo."""
    draft = draft_of(answer, ReportingEngine(), QUESTION, NOW)  # pyright: ignore[reportArgumentType] # as much as it needs
    brand = Brand.__new__(Brand)
    object.__setattr__(brand, "id", "acme")
    identity = BrandIdentity(
        "company", brand, (), Reader((ACME, BRAVO), "acme"), {"acme": 0, "bravo": 1}, 0, ""
    )
    text = AnswerText(1, draft.text, QUESTION.text, False, "en", draft.citations_known, draft.valid, 1, NOW)
    return read_answer(identity, text, draft.citations, frozenset())


def of_brand(reading: ExtractedAnswerRow) -> ExtractedMentionRow | None:
    return next((mention for mention in reading.mentions if mention.entity_key == 0), None)


def openai_body(
    text: str = TEXT, urls: Sequence[str] = (), *, searched: bool = True, **more: Any
) -> Response:
    annotations = [
        {"type": "url_citation", "url": url, "title": "T", "start_index": 0, "end_index": len(text)}
        for url in urls
    ]
    part = {"type": "output_text", "text": text, "annotations": annotations}
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    search = {
        "id": "s", "type": "web_search_call", "status": "completed",
        "action": {"type": "search", "query": "tools", "queries": ["tools"], "sources": []},
    }  # fmt: skip
    fields: dict[str, Any] = {
        "id": "r", "object": "response", "created_at": 1, "model": "served", "status": "completed",
        "parallel_tool_calls": True, "tool_choice": "required", "tools": [],
        "output": [*([search] if searched else []), message],
    }  # fmt: skip
    return Response.model_validate(fields | more)


def anthropic_body(
    text: str = TEXT, urls: Sequence[str] = (), *, searched: bool = True, **more: Any
) -> Message:
    cited = [
        {
            "type": "web_search_result_location",
            "url": url,
            "title": "T",
            "cited_text": "t",
            "encrypted_index": "e",
        }
        for url in urls
    ]
    search = [
        {"type": "server_tool_use", "id": "t", "name": "web_search", "input": {"query": "tools"}},
        {"type": "web_search_tool_result", "tool_use_id": "t", "content": [
            {"type": "web_search_result", "url": url, "title": "T", "encrypted_content": "e", "page_age": None}
            for url in urls
        ]},
    ]  # fmt: skip
    fields: dict[str, Any] = {
        "id": "m", "type": "message", "role": "assistant", "model": "served", "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 2},
        "content": [*(search if searched else []), {"type": "text", "text": text, "citations": cited or None}],
    }  # fmt: skip
    return Message.model_validate(fields | more)


def interaction_body(
    text: str = TEXT, sources: Mapping[str, str | None] | None = None, *, searched: bool = True, **more: Any
) -> Interaction:
    annotations = [
        {
            "type": "url_citation",
            "url": url,
            "title": title,
            "start_index": 0,
            "end_index": len(text.encode()),
        }
        for url, title in (sources or {}).items()
    ]
    search = [
        {"type": "google_search_call", "id": "c", "arguments": {"queries": ["tools"]}},
        {"type": "google_search_result", "call_id": "c", "result": [{"search_suggestions": "<div>"}]},
    ]
    output = {"type": "model_output", "content": [{"type": "text", "text": text, "annotations": annotations}]}
    fields: dict[str, Any] = {
        "id": "i", "object": "interaction", "model": "served", "status": "completed",
        "created": "2026-03-01T00:00:00Z", "updated": "2026-03-01T00:00:01Z",
        "steps": [*(search if searched else []), output],
    }  # fmt: skip
    return Interaction.model_validate(fields | more)


def generated_body(
    text: str = TEXT,
    sources: Mapping[str, str | None] | None = None,
    *,
    domain: str | None = None,
    searched: bool = True,
    finish: google.FinishReason = google.FinishReason.STOP,
) -> google.GenerateContentResponse:
    pages = list((sources or {}).items())
    grounding = google.GroundingMetadata(
        web_search_queries=["tools"],
        grounding_chunks=[
            google.GroundingChunk(web=google.GroundingChunkWeb(uri=url, title=title, domain=domain))
            for url, title in pages
        ],
        grounding_supports=[
            google.GroundingSupport(
                grounding_chunk_indices=list(range(len(pages))),
                segment=google.Segment(start_index=0, end_index=len(text.encode()), text=text),
            )
        ],
    )
    candidate = google.Candidate(
        content=google.Content(role="model", parts=[google.Part(text=text)]),
        finish_reason=finish,
        grounding_metadata=grounding if searched else None,
    )
    return google.GenerateContentResponse(candidates=[candidate], model_version="served")


def perplexity_body(text: str, *searches: Mapping[int, str], **more: Any) -> ResponseCreateResponse:
    results = [
        {"type": "search_results", "queries": ["tools"], "results": [
            {"id": number, "url": url, "title": "T", "snippet": "s", "source": "web"} for number, url in pages.items()
        ]}
        for pages in searches
    ]  # fmt: skip
    part = {"type": "output_text", "text": text, "annotations": list[Any]()}
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [part]}
    fields: dict[str, Any] = {
        "id": "r", "object": "response", "created_at": 1, "model": "served", "status": "completed",
        "output": [*results, message],
    }  # fmt: skip
    return ResponseCreateResponse.model_validate(fields | more)


@pytest.mark.parametrize("vendor", ["gemini", "generate"])
@pytest.mark.parametrize(
    ("titles", "measurable", "cites_own"),
    [
        pytest.param(["acme.example.com"], True, True, id="title is the brand's site"),
        pytest.param(["news.example.org"], True, False, id="title is another site"),
        pytest.param(["Ten tools that last"], False, False, id="title is a headline"),
        pytest.param([None], False, False, id="no title"),
        pytest.param(["example.com"], False, False, id="title is above the brand's host"),
        pytest.param(["acme.example.com", "Ten tools"], False, True, id="one of two is unknown"),
    ],
)
def test_citations_by_redirect_belong_to_the_site_of_their_title_or_to_nobody(
    vendor: str, titles: list[str | None], measurable: bool, cites_own: bool
) -> None:
    build = interaction_body if vendor == "gemini" else generated_body
    sources = {f"{REDIRECT}{number}": title for number, title in enumerate(titles)}
    reading = observed(parsed(vendor, build(TEXT, sources)))
    brand = of_brand(reading)
    assert brand is not None
    assert (reading.measurable, brand.named, brand.cites_own) == (measurable, True, cites_own)


def test_the_domain_that_generate_content_names_resolves_a_redirect() -> None:
    body = generated_body(TEXT, {f"{REDIRECT}1": "Ten tools"}, domain="acme.example.com")
    reading = observed(parsed("generate", body))
    assert reading.measurable
    assert reading.domains == {"example.com": "owned"}


@pytest.mark.parametrize(
    ("text", "searches", "measurable", "cites_own"),
    [
        ("Acme lasts[1].", [{1: "https://acme.example.com/"}], True, True),
        ("Acme lasts[9].", [{7: "https://a.org/", 9: "https://acme.example.com/"}], True, True),
        ("Acme lasts[1].", [{1: "https://a.org/"}, {1: "https://acme.example.com/"}], False, False),
        (
            "Acme lasts[2].",
            [{1: "https://a.org/"}, {1: "https://b.org/", 2: "https://acme.example.com/"}],
            True,
            True,
        ),
        ("Acme lasts[4].", [{1: "https://a.org/"}], False, False),
        ("Acme lasts.", [{1: "https://a.org/"}, {1: "https://b.org/"}], True, False),
    ],
)
def test_marks_of_perplexity_are_resolved_or_the_answer_measures_no_citation(
    text: str, searches: list[dict[int, str]], measurable: bool, cites_own: bool
) -> None:
    reading = observed(parsed("perplexity", perplexity_body(text, *searches)))
    brand = of_brand(reading)
    assert brand is not None
    assert (reading.measurable, brand.cites_own) == (measurable, cites_own)


PLACED = replace(QUESTION, country="DE", city="Berlin", language="de")
CONFIG = HttpConfig("p", "https://p.example", "m", frozenset(Mode))


def sent(adapter: Adapter) -> Any:
    return json.loads(json.dumps(adapter.build(PLACED, CONFIG).body))


def test_a_place_is_sent_in_the_form_that_the_vendors_classes_take() -> None:
    assert WebSearchTool.model_validate(sent(openai.ADAPTER)["tools"][0]).user_location == UserLocation(
        type="approximate", country="DE", city="Berlin"
    )
    place = {"type": "approximate", "country": "DE", "city": "Berlin"}
    assert sent(anthropic.adapter())["tools"][0]["user_location"] == place
    assert place.keys() <= AnthropicLocation.__annotations__.keys()
    body = sent(perplexity.adapter())
    assert (body["tools"][0]["user_location"], body["language_preference"]) == (
        {"country": "DE", "city": "Berlin"}, "de",
    )  # fmt: skip
    config = google.ToolConfig.model_validate(sent(gemini.adapter(gemini.GENERATE_CONTENT))["toolConfig"])
    assert config.retrieval_config is not None
    assert config.retrieval_config.language_code == "de"
    assert "DE" not in json.dumps(sent(gemini.adapter())["tools"]) + json.dumps(sent(xai.adapter())["tools"])


NOT_SEARCHED: dict[str, BaseModel] = {
    "openai": openai_body(searched=False),
    "xai": openai_body(searched=False),
    "anthropic": anthropic_body(searched=False),
    "gemini": interaction_body(searched=False),
    "generate": generated_body(searched=False),
    "perplexity": perplexity_body(TEXT),
}


@pytest.mark.parametrize("vendor", NOT_SEARCHED)
def test_an_answer_without_the_search_that_was_asked_for_counts_for_nothing(vendor: str) -> None:
    answer = parsed(vendor, NOT_SEARCHED[vendor])
    reading = observed(answer)
    assert (answer.status, answer.retrieval.status) == ("not_grounded", "not_searched")
    assert (reading.measurable, reading.mentions) == (False, ())


REFUSAL = {
    "id": "m", "type": "message", "role": "assistant", "status": "completed",
    "content": [{"type": "refusal", "refusal": "No."}],
}  # fmt: skip
REFUSED: dict[str, BaseModel] = {
    "openai": openai_body(output=[REFUSAL]),
    "xai": openai_body(output=[REFUSAL]),
    "anthropic": anthropic_body(stop_reason="refusal"),
    "generate": generated_body(finish=google.FinishReason.SAFETY),
}
"""Neither the Interactions API nor Perplexity has a form for a refusal in its classes."""


@pytest.mark.parametrize("vendor", REFUSED)
def test_a_refusal_counts_for_nothing(vendor: str) -> None:
    answer = parsed(vendor, REFUSED[vendor])
    assert answer.status == "refused"
    assert (observed(answer).measurable, observed(answer).mentions) == (False, ())


TRUNCATED: dict[str, BaseModel] = {
    "openai": openai_body(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
    "xai": openai_body(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
    "anthropic": anthropic_body(stop_reason="max_tokens"),
    "gemini": interaction_body(status="incomplete"),
    "generate": generated_body(finish=google.FinishReason.MAX_TOKENS),
}
"""Perplexity's classes have no status for an answer that ends before its end."""


@pytest.mark.parametrize("vendor", TRUNCATED)
def test_half_an_answer_is_kept_and_counts_for_nothing(vendor: str) -> None:
    answer = parsed(vendor, TRUNCATED[vendor])
    assert (answer.status, answer.truncated, answer.text) == ("answered", True, TEXT)
    assert (observed(answer).measurable, observed(answer).mentions) == (False, ())


def test_these_bodies_are_what_the_vendors_classes_write() -> None:
    body = json.loads(openai_body(urls=["https://acme.example.com/"]).model_dump_json(exclude_none=True))
    assert body["output"][1]["content"][0]["annotations"][0]["url"] == "https://acme.example.com/"
    reading = observed(parsed("openai", openai_body(urls=["https://acme.example.com/"])))
    assert reading.domains == {"example.com": "owned"}
    assert observed(parsed("anthropic", anthropic_body(urls=["https://acme.example.com/a"]))).domains == {
        "example.com": "owned"
    }
