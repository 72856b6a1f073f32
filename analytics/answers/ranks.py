"""Reads the place of an entity off a ranked list, numbered headings, a ranking table or an ordinal in prose."""

from collections.abc import Sequence

from analytics.answers.free_order import is_beside_the_ranking, is_in_free_order
from analytics.answers.instructions import are_steps
from analytics.answers.item_names import CountedSpan, names_of_items
from analytics.answers.ordinals import are_tied, place_of
from analytics.answers.place_hints import has_place_word, place_words
from analytics.answers.place_rows import implied_first, place_pairs
from analytics.answers.rank_structures import ranked_structures
from analytics.matching.mentions import Mention
from analytics.text.markup import without_references

VERSION = "rank/9"


def list_ranks(text: str, mentions: Sequence[Mention]) -> dict[str, int]:
    """The rank, from 1, of each entity that the answer ranks; an entity that it does not rank is left out.

    Ranked structures are top-level ordered lists, numbered headings, paragraphs that open with a bold number, tables
    whose first column is headed as a rank (CommonMark with tables), and lines or enumerations with marks such as 🥇,
    1️⃣, #1 and 1、. The first that ranks an entity wins; prose ("the second is") ranks whom none of them does. A list
    of steps ranks nobody, nor does an item whose head does not open with the name.
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
    if len(ranks) < len(mentions):
        places = place_words(text)
        if places:
            _rank_by_prose(text, counted, ranks, places)
    return ranks


def _rank_by_prose(
    text: str, counted: Sequence[CountedSpan], ranks: dict[str, int], places: Sequence[int]
) -> None:
    """Rank whom sentences give a place, first by their names and places together, then by the words around a name."""
    listed = bool(ranks)
    ranks |= place_pairs(text, counted, ranks, listed=listed)
    paired = len(ranks)
    last: tuple[int, int] | None = None
    previous: CountedSpan | None = None
    alone: list[str] = []
    for start, end, entity_id in counted:
        if entity_id not in ranks and has_place_word(places, start, end):
            place = place_of(text, start, end, last, previous[1] if previous is not None else 0)
            if place is not None:
                ranks[entity_id] = place.number
                last = place.number, start
                if not place.stated:
                    alone.append(entity_id)
                if previous is not None and are_tied(text, previous[:2], (start, end)):
                    ranks.setdefault(previous[2], place.number)
        previous = start, end, entity_id
    if len(ranks) > paired:
        ranks |= place_pairs(text, counted, ranks, listed=listed)
    first = None if listed else implied_first(text, counted, ranks)
    if first is not None:
        ranks[first] = 1
    # An ordinal alone counts anything: "In the second quarter Acme grew, in the third Bravo".
    for entity_id in alone:
        if ranks[entity_id] > 1 and ranks[entity_id] - 1 not in ranks.values():
            del ranks[entity_id]


def ranked_heads(text: str) -> list[tuple[int, int]]:
    """Where the items of all ranked structures say what they are about, `[start, end)` in the text, in order."""
    return [
        (item.head.start, item.head.end)
        for structure in ranked_structures(text)
        for item in structure.items
        if item.head is not None
    ]
