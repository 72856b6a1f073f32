"""Marks in the text of an answer: which part of it names whom, and which of that counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from web.layout.text_blocks import TextPart

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
