"""Bodies made with the vendors' own classes, from what an engine sends to what is counted of it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import pytest
from anthropic.types import Message
from anthropic.types import UserLocationParam as AnthropicLocation
from google.genai import types as google
from google.genai.interactions import Interaction
from mistralai.client.models import ConversationResponse, MessageOutputEntry
from openai.types.responses import Response, WebSearchTool
from openai.types.responses.web_search_tool import UserLocation
from perplexity.types.response_create_response import ResponseCreateResponse
from pydantic import BaseModel

from analytics.answers.answer_reading import Reader
from analytics.matching.aliases import Alias, Entity
from engines import anthropic, deepseek, gemini, mistral, openai, perplexity, xai
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
    "mistral": mistral.parse,
    "deepseek": deepseek.parse,
}
"""DeepSeek publishes no classes: its documentation tells to use Anthropic's for its form of the Messages API."""


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


Pages = Mapping[str, str | None]
"""The title of each page that an answer cites, by its address."""


def openai_body(text: str = TEXT, *parts: Pages, searched: bool = True, **more: Any) -> Response:
    """Each part of the message says the whole text with a mark for each page, placed from its own beginning."""
    content: list[Any] = []
    for pages in parts or ({},):
        piece, annotations = text, list[Any]()
        for url, title in pages.items():
            mark = f"([{title or ''}]({url}))"
            place = {"start_index": len(piece), "end_index": len(piece) + len(mark)}
            annotations.append({"type": "url_citation", "url": url, "title": title or "", **place})
            piece += mark
        content.append({"type": "output_text", "text": piece, "annotations": annotations})
    message = {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": content}
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


def anthropic_body(text: str = TEXT, *parts: Pages, searched: bool = True, **more: Any) -> Message:
    """Each part is a search of its own with its results, and a text block that cites them all."""
    content: list[Any] = []
    for number, pages in enumerate(parts or ({},)):
        results = [
            {"type": "web_search_result", "url": url, "title": title or "", "encrypted_content": "e"}
            for url, title in pages.items()
        ]
        cited = [
            {
                "type": "web_search_result_location",
                "url": url,
                "title": title,
                "cited_text": "t",
                "encrypted_index": "e",
            }
            for url, title in pages.items()
        ]
        call = {
            "type": "server_tool_use",
            "id": f"t{number}",
            "name": "web_search",
            "input": {"query": "tools"},
        }
        found = {"type": "web_search_tool_result", "tool_use_id": f"t{number}", "content": results}
        content += [call, found] if searched else []
        content.append({"type": "text", "text": text, "citations": cited or None})
    fields: dict[str, Any] = {
        "id": "m", "type": "message", "role": "assistant", "model": "served", "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 2}, "content": content,
    }  # fmt: skip
    return Message.model_validate(fields | more)


def interaction_body(text: str = TEXT, *parts: Pages, searched: bool = True, **more: Any) -> Interaction:
    """Each part is a block of text whose offsets count its own bytes."""
    content = [
        {"type": "text", "text": text, "annotations": [
            {"type": "url_citation", "url": url, "title": title, "start_index": 0, "end_index": len(text.encode())}
            for url, title in pages.items()
        ]}
        for pages in parts or ({},)
    ]  # fmt: skip
    search = [
        {"type": "google_search_call", "id": "c", "arguments": {"queries": ["tools"]}},
        {"type": "google_search_result", "call_id": "c", "result": [{"search_suggestions": "<div>"}]},
    ]
    fields: dict[str, Any] = {
        "id": "i", "object": "interaction", "model": "served", "status": "completed",
        "created": "2026-03-01T00:00:00Z", "updated": "2026-03-01T00:00:01Z",
        "steps": [*(search if searched else []), {"type": "model_output", "content": content}],
    }  # fmt: skip
    return Interaction.model_validate(fields | more)


def generated_body(
    text: str = TEXT,
    *parts: Pages,
    domain: str | None = None,
    searched: bool = True,
    finish: google.FinishReason = google.FinishReason.STOP,
) -> google.GenerateContentResponse:
    """Each part's segment counts its own bytes; the chunks of all of them are one list."""
    chunks: list[google.GroundingChunk] = []
    supports: list[google.GroundingSupport] = []
    for number, pages in enumerate(parts or ({},)):
        first = len(chunks)
        chunks += [
            google.GroundingChunk(web=google.GroundingChunkWeb(uri=url, title=title, domain=domain))
            for url, title in pages.items()
        ]
        segment = google.Segment(part_index=number, start_index=0, end_index=len(text.encode()), text=text)
        indices = list(range(first, len(chunks)))
        supports.append(google.GroundingSupport(grounding_chunk_indices=indices, segment=segment))
    grounding = google.GroundingMetadata(
        web_search_queries=["tools"], grounding_chunks=chunks, grounding_supports=supports
    )
    candidate = google.Candidate(
        content=google.Content(role="model", parts=[google.Part(text=text) for _ in parts or ({},)]),
        finish_reason=finish,
        grounding_metadata=grounding if searched else None,
    )
    return google.GenerateContentResponse(candidates=[candidate], model_version="served")


def perplexity_body(
    text: str, *searches: Mapping[int, str], titles: Pages | None = None, **more: Any
) -> ResponseCreateResponse:
    results = [
        {"type": "search_results", "queries": ["tools"], "results": [
            {"id": number, "url": url, "title": (titles or {}).get(url) or "T", "snippet": "s", "source": "web"}
            for number, url in pages.items()
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


def mistral_body(text: str = TEXT, *parts: Pages, searched: bool = True) -> ConversationResponse:
    """Each part is a search and a text with references after it, which have no numbers and no offsets."""
    search = {
        "object": "entry",
        "type": "tool.execution",
        "name": "web_search",
        "arguments": '{"query": "tools"}',
    }
    outputs = [search for _ in parts or ({},)] if searched else []
    content: list[Any] = []
    for pages in parts or ({},):
        content.append({"type": "text", "text": text})
        content += [
            {"type": "tool_reference", "tool": "web_search", "title": title or "", "url": url or None}
            for url, title in pages.items()
        ]
    said = {
        "object": "entry", "type": "message.output", "role": "assistant", "model": "served", "content": content,
    }  # fmt: skip
    return ConversationResponse.model_validate(
        {"conversation_id": "c", "outputs": [*outputs, said], "usage": {"prompt_tokens": 1}}
    )


def numbered_body(text: str = TEXT, *parts: Pages) -> ResponseCreateResponse:
    """Perplexity names a source by its number; each part is a search, and their numbers go on."""
    searches: list[dict[int, str]] = []
    for pages in parts:
        first = sum(map(len, searches)) + 1
        searches.append(dict(enumerate(pages, first)))
    marks = "".join(f"[{number}]" for pages in searches for number in pages)
    return perplexity_body(
        f"{text}{marks}", *searches, titles={url: t for pages in parts for url, t in pages.items()}
    )


BUILDERS: Mapping[str, Callable[..., BaseModel]] = {
    "openai": openai_body,
    "xai": openai_body,
    "anthropic": anthropic_body,
    "gemini": interaction_body,
    "generate": generated_body,
    "perplexity": numbered_body,
    "mistral": mistral_body,
    "deepseek": anthropic_body,
}


@pytest.mark.parametrize("vendor", BUILDERS)
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
    sources = {f"{REDIRECT}{number}": title for number, title in enumerate(titles)}
    reading = observed(parsed(vendor, BUILDERS[vendor](TEXT, sources)))
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


@pytest.mark.parametrize("vendor", BUILDERS)
def test_what_counts_from_its_beginning_again_in_each_part_is_cited_where_it_stands(vendor: str) -> None:
    """Offsets of parts, segments and blocks, and the searches of Claude, DeepSeek and Mistral, begin anew."""
    body = BUILDERS[vendor](TEXT, {"https://a.org/": "A"}, {"https://acme.example.com/": "B"})
    answer = parsed(vendor, body)
    reading, brand = observed(answer), of_brand(observed(answer))
    assert brand is not None
    assert (reading.measurable, brand.cites_own) == (True, True)
    assert reading.domains == {"a.org": "third_party", "example.com": "owned"}
    places = [(source.start, source.end) for source in answer.citations if source.kind == "cited"]
    length = len(TEXT)
    if vendor == "mistral":
        assert places == [(None, None), (None, None)]
    elif vendor in ("openai", "xai"):
        marks = [answer.text[start:end] for start, end in places]
        assert marks == ["([A](https://a.org/))", "([B](https://acme.example.com/))"]
    elif vendor == "perplexity":
        assert places == [(length, length + 3), (length + 3, length + 6)]
    else:
        assert places == [(0, length), (length, 2 * length)]


WITHOUT_ADDRESS: dict[str, BaseModel] = {
    "gemini": Interaction.model_validate(
        interaction_body(TEXT, {"https://a.org/": "A", "": "acme"}).model_dump(
            by_alias=True, exclude_none=True
        )
    ),
    "generate": generated_body(TEXT, {"https://a.org/": "A", "": "acme"}),
    "mistral": mistral_body(TEXT, {"https://a.org/": "A", "": "acme"}),
}
"""Of the vendors whose classes let a citation have no address."""


@pytest.mark.parametrize("vendor", WITHOUT_ADDRESS)
def test_a_citation_without_an_address_might_be_anybodys_so_the_answer_measures_none(vendor: str) -> None:
    answer = parsed(vendor, WITHOUT_ADDRESS[vendor])
    reading, brand = observed(answer), of_brand(observed(answer))
    assert brand is not None
    assert (answer.status, reading.measurable, brand.named, brand.cites_own) == (
        "answered",
        False,
        True,
        False,
    )


PLACED = replace(QUESTION, country="DE", city="Berlin", language="de")
CONFIG = HttpConfig("p", "https://p.example", "m", frozenset(Mode))


def sent(adapter: Adapter) -> Any:
    return json.loads(json.dumps(adapter.build(PLACED, CONFIG).body))


COUNTRY_IN: Mapping[str, tuple[Adapter, Any]] = {
    "openai": (openai.ADAPTER, {"type": "approximate", "country": "DE", "city": "Berlin"}),
    "xai": (xai.adapter(), None),
    "anthropic": (anthropic.adapter(), {"type": "approximate", "country": "DE", "city": "Berlin"}),
    "gemini": (gemini.adapter(), None),
    "generate": (gemini.adapter(gemini.GENERATE_CONTENT), None),
    "perplexity": (perplexity.adapter(), {"country": "DE", "city": "Berlin"}),
    "mistral": (mistral.adapter(), None),
    "deepseek": (deepseek.adapter(), None),
}
"""The place that a search is told; without a field for it the answer is stored as `not_supported`, never as German."""


@pytest.mark.parametrize("vendor", COUNTRY_IN)
def test_a_country_is_sent_in_its_field_or_the_field_is_said_to_be_missing(vendor: str) -> None:
    """DeepSeek's tool has no field for it; a message tells the place by its name."""
    adapter, place = COUNTRY_IN[vendor]
    body = sent(adapter)
    assert body["tools"][0].get("user_location") == place
    told = [
        message["content"] for message in body.get("messages", []) if message["role"] == "latest_reminder"
    ]
    assert [",Berlin,Germany,Web," in content for content in told] == [True] * (vendor == "deepseek")
    assert ("country" in adapter.locale.get(Mode.READINESS, frozenset())) == bool(place or told)
    assert ("DE" in json.dumps(body)) == (place is not None)


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
    "mistral": mistral_body(searched=False),
    "deepseek": anthropic_body(searched=False),
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
    "deepseek": anthropic_body(stop_reason="refusal"),
}


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
    "deepseek": anthropic_body(stop_reason="max_tokens"),
}


@pytest.mark.parametrize("vendor", TRUNCATED)
def test_half_an_answer_is_kept_and_counts_for_nothing(vendor: str) -> None:
    answer = parsed(vendor, TRUNCATED[vendor])
    assert (answer.status, answer.truncated, answer.text) == ("answered", True, TEXT)
    assert (observed(answer).measurable, observed(answer).mentions) == (False, ())


NO_FORM: Mapping[tuple[str, str], tuple[type[BaseModel], str]] = {
    ("refusal", "gemini"): (Interaction, "an interaction says completed, incomplete or failed"),
    ("refusal", "perplexity"): (ResponseCreateResponse, "a response says completed or failed"),
    ("refusal", "mistral"): (MessageOutputEntry, "an entry has its text alone"),
    ("truncation", "perplexity"): (ResponseCreateResponse, "a response says completed or failed"),
    ("truncation", "mistral"): (MessageOutputEntry, "an entry has its text alone"),
}
"""Scenarios that a vendor's classes cannot say: the class that would have to, and what it has instead."""
ENDINGS = frozenset({"stop_reason", "finish_reason", "incomplete_details", "refusal"})


def test_every_vendor_has_every_scenario_or_classes_that_cannot_say_it() -> None:
    built = {"search not used": NOT_SEARCHED, "refusal": REFUSED, "truncation": TRUNCATED}
    missing = {
        (scenario, vendor) for scenario, bodies in built.items() for vendor in PARSERS.keys() - bodies.keys()
    }
    assert missing == NO_FORM.keys()
    for vendor_class, _ in NO_FORM.values():
        assert ENDINGS.isdisjoint(vendor_class.model_fields)
    assert BUILDERS.keys() == PARSERS.keys() == COUNTRY_IN.keys()


def test_these_bodies_are_what_the_vendors_classes_write() -> None:
    body = json.loads(
        openai_body(TEXT, {"https://acme.example.com/": "T"}).model_dump_json(exclude_none=True)
    )
    assert body["output"][1]["content"][0]["annotations"][0]["url"] == "https://acme.example.com/"
    reading = observed(parsed("openai", openai_body(TEXT, {"https://acme.example.com/": "T"})))
    assert reading.domains == {"example.com": "owned"}
    assert observed(
        parsed("anthropic", anthropic_body(TEXT, {"https://acme.example.com/a": "T"}))
    ).domains == {"example.com": "owned"}
