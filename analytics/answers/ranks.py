"""Reads the rank of an entity from ranked lists, numbered headings, ranking tables and other explicit numbering."""

from collections.abc import Sequence

from analytics.answers.item_names import names_of_items
from analytics.answers.rank_structures import ranked_structures
from analytics.answers.unranked_lists import are_steps, is_beside_the_ranking, is_in_free_order
from analytics.matching.mentions import Mention
from analytics.text.markup import without_references

VERSION = "rank/11"


def list_ranks(text: str, mentions: Sequence[Mention]) -> dict[str, int]:
    """The rank, from 1, of each entity that the answer ranks; an entity that it does not rank is left out.

    Ranked structures are top-level ordered lists, numbered headings, paragraphs that open with a bold number, tables
    whose first column is headed as a rank (CommonMark with tables), and lines or enumerations with marks such as 🥇,
    1️⃣, #1 and 1、. The first that ranks an entity wins. Running prose ("the second is") has no rank. A list
    of steps ranks no one, nor does an item whose head does not open with the name.
    """
    counted = [(span.start, span.end, mention.entity_id) for mention in mentions for span in mention.counted]
    if not counted:
        return {}
    counted.sort()
    text = without_references(text)
    ranks: dict[str, int] = {}
    before = 0
    for structure in ranked_structures(text):
        heads = [item.head for item in structure.items if item.head is not None]
        first, last = structure.items[0].start, structure.items[-1].end
        restarts = bool(ranks) and structure.items[0].number == 1
        free = is_in_free_order(text, before, first, last) or (
            restarts and is_beside_the_ranking(text, first)
        )
        before = max(before, last)
        if free or are_steps([text[head.start : head.end] for head in heads]):
            continue
        named = names_of_items(structure.items, text, counted)
        for rank, entity_ids in zip(structure.ranks(), named, strict=True):
            for entity_id in entity_ids:
                ranks.setdefault(entity_id, rank)
    return ranks


def ranked_heads(text: str) -> list[tuple[int, int]]:
    """Where the items of all ranked structures say what they are about, `[start, end)` in the text, in order."""
    return [
        (item.head.start, item.head.end)
        for structure in ranked_structures(text)
        for item in structure.items
        if item.head is not None
    ]
