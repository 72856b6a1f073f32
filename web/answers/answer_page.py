"""The page of one answer: its text with every tracked name marked, what was counted, sources and claims."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from web.answers.answers_page import load_list
from web.errors import PageNotFound
from web.layout.text_blocks import TextBlock, TextPart, lay_out
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


OWN_FIELDS = ("offset", "raw", "with")
"""Fields of the URL that are of the answer; all others are of the list beside it."""
LARGEST_OFFSET = 10_000_000
MOST_NEIGHBORS = 100
"""Answers of one engine to one prompt among which the earlier and the later one are searched."""
MOST_OTHERS = 100
"""Answers to the same prompt that can be compared with this one."""


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """An answer with its text as blocks of marked names."""

    answer: dict[str, Any]
    parts: list[TextPart]
    blocks: list[TextBlock]

    @classmethod
    def of(cls, answer: dict[str, Any]) -> "OpenAnswer":
        """Mark the names in an answer."""
        parts = mark_text(answer["text"], answer["offset"], answer["entities"])
        return cls(answer, parts, lay_out(parts))


async def show_answer(request: PageRequest) -> Response:
    """Show an answer, or the part of a long one that begins at `offset`, beside the list that it was opened from.

    `with` names another answer to the same prompt, which is shown beside it.
    """
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
    query = {name: value for name, value in request.http.query_params.items() if name not in OWN_FIELDS}
    listed = await load_list(request, profile["id"], query or {"promptId": answer["promptId"]})
    others = await _load_others(request, answer)
    earlier, later = await _load_neighbors(request, answer)
    return request.render(
        "answers/answer.html",
        answer=answer,
        brand=profile,
        opened=OpenAnswer.of(answer),
        compared=await _load_compared(request, others),
        others=others,
        listed=listed,
        raw=request.http.query_params.get("raw") == "1",
        earlier=earlier,
        later=later,
        contradicted=[claim for claim in answer["claims"] if claim["verdict"] == "contradicted"],
    )


async def _load_others(request: PageRequest, answer: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the other answers to the same prompt, newest first."""
    listed = await request.call_tool(
        "list_answers", brandId=answer["brandId"], promptId=answer["promptId"], limit=MOST_OTHERS
    )
    return [other for other in listed["answers"] if other["answerId"] != answer["answerId"]] if listed else []


async def _load_compared(request: PageRequest, others: Sequence[Mapping[str, Any]]) -> OpenAnswer | None:
    """Return the answer to compare with; None unless the URL names another one to the same prompt."""
    wanted = request.http.query_params.get("with", "")
    if wanted not in [other["answerId"] for other in others]:
        return None
    compared = await request.call_tool("get_answer", answerId=wanted)
    return OpenAnswer.of(compared) if compared else None


async def _load_neighbors(request: PageRequest, answer: dict[str, Any]) -> tuple[str | None, str | None]:
    """Return the ids of the answers just before and after this one, from the same engine and mode."""
    listed = await request.call_tool(
        "list_answers",
        brandId=answer["brandId"],
        promptId=answer["promptId"],
        platform=answer["platform"],
        mode=answer["mode"],
        **({"country": answer["country"]} if answer["country"] else {}),
        limit=MOST_NEIGHBORS,
    )
    ids: list[str] = [other["answerId"] for other in listed["answers"]] if listed else []
    if answer["answerId"] not in ids:
        return None, None
    place = ids.index(answer["answerId"])
    return (ids[place + 1] if place + 1 < len(ids) else None), (ids[place - 1] if place else None)
