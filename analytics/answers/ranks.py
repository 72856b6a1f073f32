"""Reads the place of an entity off a ranked list, numbered headings, a ranking table or an ordinal in prose."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from analytics.answers.instructions import are_steps, is_step
from analytics.answers.ordinals import PLACE_NOUN, are_tied, has_place_word, place_of, place_words
from analytics.answers.place_rows import CountedSpan, place_pairs
from analytics.answers.rank_structures import ItemHead, ranked_structures
from analytics.matching.mentions import Mention
from analytics.text.folding import fold
from analytics.text.scripts import Script, script_of

VERSION = "rank/5"

_WORD = re.compile(r"[^\W_]+")
_LEADING_TEXT = """
the a an der die das ein eine el la los las un una le les il lo gli i o a os as um uma de het een best top new our my
company dealer hotel restaurant شركه متجر مطعم فندق компания магазин фирма firma firmy sklep
"""
_LEADING = frozenset(_LEADING_TEXT.split())
_LABEL = re.compile(
    rf"(?:(?:{PLACE_NOUN})(?!\w)|best|top|winner|runner|overall|budget|premium|editor|pick|choice|most|cheapest|beste|bester|bestes|testsieger|sieger|gunstigste"
    r"|mejor|meilleur|migliore|melhor|najleps|en iyi|лучш|first|second|third|no\.? ?\d|great|gold|silver|bronze)"
)
_LABELED = re.compile(r"[*_]{0,3}\s?(?:[:：]|[-–—](?= ))[*_]{0,3}\s{0,2}[*_\[\"“]{0,4}")
_NEXT_CUT = re.compile(r"[*_]{2}| [-–—] |[:：(（。,\n]|\. ")
_DASHED_LABEL = re.compile(r"\s[-–—][ *_\"“(\[]{0,6}\Z")
"""Ends a label before a name in one head: `Best overall — Acme`."""
_LONGEST_LEAD, _LONGEST_LABEL = 3, 6


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
    ranks: dict[str, int] = {}
    for structure in ranked_structures(text):
        if are_steps([text[head.start : head.end] for head in structure.heads if head is not None]):
            continue
        for rank, head in zip(structure.ranks(), structure.heads, strict=True):
            for entity_id in _named_by(head, text, counted) if head else ():
                ranks.setdefault(entity_id, rank)
    listed = bool(ranks)
    places = place_words(text) if len(ranks) < len(mentions) else ()
    last: tuple[int, int] | None = None
    previous: CountedSpan | None = None
    for start, end, entity_id in counted if places else ():
        if entity_id not in ranks and has_place_word(places, start, end):
            place = place_of(text, start, end, last)
            if place is not None:
                ranks[entity_id] = place
                last = place, start
                if previous is not None and are_tied(text, previous[:2], (start, end)):
                    ranks.setdefault(previous[2], place)
        previous = start, end, entity_id
    return ranks | place_pairs(text, counted, ranks, listed=listed) if places else ranks


def ranked_heads(text: str) -> list[tuple[int, int]]:
    """Where the items of all ranked structures say what they are about, `[start, end)` in the text, in order."""
    return [
        (head.start, head.end)
        for structure in ranked_structures(text)
        for head in structure.heads
        if head is not None
    ]


def _named_by(head: ItemHead, text: str, counted: Sequence[CountedSpan]) -> list[str]:
    """The entities that an item ranks: those in its head if it opens with the first, else one after a label."""
    named = list(_within(head.start, head.end, counted))
    if named:
        return (
            [entity for _, _, entity in named]
            if _opens_with(text[head.start : named[0][0]], text, named[0])
            else []
        )
    label = fold(text[head.start : head.end]).text.strip(" *")
    rest = _LABELED.match(text, head.end)
    if rest is None or not _LABEL.match(label) or len(label.split()) > _LONGEST_LABEL:
        return []
    cut = _NEXT_CUT.search(text, rest.end())
    return [
        entity
        for start, _, entity in _within(rest.end(), cut.start() if cut else len(text), counted)
        if start == rest.end()
    ]


def _opens_with(lead: str, text: str, span: CountedSpan) -> bool:
    """Whether a head that begins with these characters before a name is about the name."""
    words = _WORD.findall(lead)
    if not words:
        return True
    if lead.rstrip(" *_").endswith((":", "：")) or _DASHED_LABEL.search(lead):
        return not is_step(lead) and len(words) <= _LONGEST_LABEL
    if is_step(lead + text[span[0] : span[1]]) or len(words) > _LONGEST_LEAD:
        return False
    return all(
        fold(word).text in _LEADING
        or word[0].isdigit()
        or (word[0].isupper() and script_of(word[0]) is Script.SPACED)
        for word in words
    )


def _within(start: int, end: int, counted: Sequence[CountedSpan]) -> Iterator[CountedSpan]:
    at = bisect_left(counted, start, key=_start)
    while at < len(counted) and counted[at][0] < end:
        if counted[at][1] <= end:
            yield counted[at]
        at += 1


def _start(span: CountedSpan) -> int:
    return span[0]
