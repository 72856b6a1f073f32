"""Bodies of the vendors' answers, made with the vendors' own classes.

Tests import this when they run: the classes take five seconds to load, which no other process of tests need spend.
"""

from collections.abc import Callable, Mapping
from typing import Any

from anthropic.types import Message
from google.genai import types as google
from google.genai.interactions import Interaction
from mistralai.client.models import ConversationResponse, MessageOutputEntry
from openai.types.responses import Response
from perplexity.types.response_create_response import ResponseCreateResponse
from pydantic import BaseModel

TEXT = "Acme lasts. Bravo rusts."
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
TRUNCATED: dict[str, BaseModel] = {
    "openai": openai_body(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
    "xai": openai_body(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
    "anthropic": anthropic_body(stop_reason="max_tokens"),
    "gemini": interaction_body(status="incomplete"),
    "generate": generated_body(finish=google.FinishReason.MAX_TOKENS),
    "deepseek": anthropic_body(stop_reason="max_tokens"),
}
NO_FORM: Mapping[tuple[str, str], tuple[type[BaseModel], str]] = {
    ("refusal", "gemini"): (Interaction, "an interaction says completed, incomplete or failed"),
    ("refusal", "perplexity"): (ResponseCreateResponse, "a response says completed or failed"),
    ("refusal", "mistral"): (MessageOutputEntry, "an entry has its text alone"),
    ("truncation", "perplexity"): (ResponseCreateResponse, "a response says completed or failed"),
    ("truncation", "mistral"): (MessageOutputEntry, "an entry has its text alone"),
}
"""Scenarios that a vendor's classes cannot say: the class that would have to, and what it has instead."""
ENDINGS = frozenset({"stop_reason", "finish_reason", "incomplete_details", "refusal"})
