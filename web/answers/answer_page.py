"""The page of one answer: its text with every tracked name marked, what was counted, sources and claims."""

from collections.abc import Mapping, Sequence
from typing import Any

from starlette.responses import Response

from web.errors import PageNotFound
from web.layout.text_blocks import TextPart, lay_out
from web.request import PageRequest

OWN, RIVAL, NOT_COUNTED = "own", "rival", "not-counted"


def mark_text(text: str, offset: int, entities: Sequence[Mapping[str, Any]]) -> list[TextPart]:
    """Cut a text, which begins at code point `offset` of the answer, at the spans of the entities.

    Spans that overlap an earlier one are left out; the brand's own come first, then counted ones.
    """
    spans = sorted(
        (
            (span["start"] - offset, span["end"] - offset, _mark(entity, span), entity["name"])
            for entity in entities
            for span in entity["spans"]
        ),
        key=lambda span: (span[0], span[2] == NOT_COUNTED, span[2] == RIVAL),
    )
    parts: list[TextPart] = []
    at = 0
    for start, end, mark, name in spans:
        if start < at or end > len(text) or start >= end:
            continue
        if start > at:
            parts.append(TextPart(text[at:start]))
        parts.append(TextPart(text[start:end], mark, name))
        at = end
    if at < len(text):
        parts.append(TextPart(text[at:]))
    return parts


def _mark(entity: Mapping[str, Any], span: Mapping[str, Any]) -> str:
    if span["status"] != "counted":
        return NOT_COUNTED
    return OWN if entity["own"] else RIVAL


LARGEST_OFFSET = 10_000_000
MOST_NEIGHBOURS = 100
"""Answers of one engine to one question among which the earlier and the later one are searched."""


async def show_answer(request: PageRequest) -> Response:
    """Show an answer, or the part of a long one that begins at `offset`."""
    typed = request.http.query_params.get("offset", "")
    offset = min(int(typed), LARGEST_OFFSET) if typed.isdecimal() and len(typed) < 9 else 0
    answer = await request.call_tool(
        "get_answer", answerId=request.http.path_params["answer_id"], offset=offset
    )
    if answer is None:
        raise PageNotFound
    profile = await request.call_tool("get_brand_profile", brandId=answer["brandId"])
    if profile is None:
        raise PageNotFound
    request.brand_id = profile["id"]
    await request.load_navigation()
    parts = mark_text(answer["text"], answer["offset"], answer["entities"])
    earlier, later = await _load_neighbours(request, answer)
    return request.render(
        "answers/answer.html",
        answer=answer,
        brand=profile,
        parts=parts,
        blocks=lay_out(parts),
        raw=request.http.query_params.get("raw") == "1",
        earlier=earlier,
        later=later,
        contradicted=[claim for claim in answer["claims"] if claim["verdict"] == "contradicted"],
    )


async def _load_neighbours(request: PageRequest, answer: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return the ids of the answers just before and after this one, of the same engine asked the same way."""
    listed = await request.call_tool(
        "list_answers",
        brandId=answer["brandId"],
        promptId=answer["promptId"],
        platform=answer["platform"],
        mode=answer["mode"],
        **({"country": answer["country"]} if answer["country"] else {}),
        limit=MOST_NEIGHBOURS,
    )
    ids: list[str] = [other["answerId"] for other in listed["answers"]] if listed else []
    if answer["answerId"] not in ids:
        return None, None
    place = ids.index(answer["answerId"])
    return (ids[place + 1] if place + 1 < len(ids) else None), (ids[place - 1] if place else None)
