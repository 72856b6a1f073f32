"""What a person decides about a draft's sentences: confirm with a reason, edit, or delete."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate
from typing import Literal

from analytics.text.folding import is_dropped
from analytics.text.sentences import split_sentences
from measurement.planning.published_items import DRAFT, FOR_FILE
from storage.repositories.brands import Brand
from storage.repositories.repository_items import RepositoryItem
from storage.workspace import Workspace
from workflows.drafts.checks import MarketNames, PreparedFacts, check_values, language_of, prepare_facts
from workflows.drafts.document import DraftReview, DraftSentence, UnsupportedReason
from workflows.drafts.values import CLAIM_WORDS

LONGEST_NOTE = 500
MARKS = re.compile(r"\s*(?:(?:#{1,6}|[-*+>])[ \t]+)*")
"""Markdown in front of the words of a line."""
ONLY_MARKS = re.compile(r"[\s#*>_=+~`|:-]*")
BLANK = frozenset("\u115f\u1160\u2800")
"""Letters and signs that show nothing, besides those that folding drops."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; `text` is the reason for `confirm` and the new sentence for `edit`."""

    action: Literal["confirm", "edit", "delete"]
    text: str = ""


async def load_review(workspace: Workspace, brand: Brand, item: RepositoryItem) -> DraftReview | None:
    """Return the review of a run's draft; None for a published item, a person's own text, and a file of the site."""
    return (await load_reviews(workspace, brand, [item])).get(item.id)


async def load_reviews(
    workspace: Workspace, brand: Brand, items: Sequence[RepositoryItem]
) -> Mapping[str, DraftReview]:
    """Return the reviews of those items that are drafts of runs, by item id."""
    reviews = await _stored_reviews(workspace, brand.key, items)
    for item in items:
        review = reviews.get(item.id)
        if review is not None and review.body != item.body.strip():  # an import replaced the text
            reviews[item.id], _ = rewrite(review, item.body, await market_of(workspace, brand))
    return reviews


async def is_undecided(workspace: Workspace, item: RepositoryItem) -> bool:
    """Return whether an item is a draft that may not leave the service: a sentence of it still needs a decision."""
    located = await workspace.repository_items.locate(item.id)
    reviews = await _stored_reviews(workspace, located.brand_key, [item]) if located else {}
    return any(review.undecided > 0 or review.body != item.body.strip() for review in reviews.values())


async def _stored_reviews(
    workspace: Workspace, brand_key: int, items: Sequence[RepositoryItem]
) -> dict[str, DraftReview]:
    """Return the reviews of drafts as they are stored; every sentence is undecided where a run's draft has none."""
    bodies = {item.id: item.body for item in items if item.category == DRAFT}
    return {
        stored.item_id: DraftReview(sentences=_cut(bodies[stored.item_id], "no_judge"))
        if stored.review is None
        else DraftReview.load(stored.review)
        for stored in await workspace.repository_items.reviews(brand_key, list(bodies))
        if not stored.draft_key.startswith(FOR_FILE)
    }


async def market_of(workspace: Workspace, brand: Brand) -> MarketNames:
    """Return the names of a brand and its competitors."""
    return MarketNames.of(await workspace.brands.entities(brand))


async def changed_sources(workspace: Workspace, brand: Brand, review: DraftReview) -> frozenset[str]:
    """Return the keys of quoted facts whose repository item is gone or no longer contains that line."""
    texts: dict[str, str] = {}
    changed: set[str] = set()
    for fact in filter(None, map(review.source_of, review.sentences)):
        if fact.item_id is None:
            continue
        if fact.item_id not in texts:
            item = await workspace.repository_items.find(brand.key, fact.item_id)
            text = f"{item.title}\n{item.body}\n{item.url or ''}" if item else ""
            texts[fact.item_id] = " ".join(text.split())
        if fact.text not in texts[fact.item_id]:
            changed.add(fact.key)
    return frozenset(changed)


def decide(
    review: DraftReview, decisions: Mapping[int, Decision], market: MarketNames, person: str, now: datetime
) -> DraftReview:
    """Apply decisions by sentence number (from 1); a reason without words and an edit that shows no change are ignored.

    An edited sentence is checked at once: a value, name or claim word without a source leaves it unsupported.
    """
    language = language_of(review.sentences)
    facts = prepare_facts(review.facts, language)
    sentences: list[DraftSentence] = []
    start: str | None = None
    for number, sentence in enumerate(review.sentences, 1):
        if start is not None and "\n" not in sentence.before:  # the one before it in its block was deleted
            sentence = sentence.model_copy(update={"before": start})
        start = None
        decision = decisions.get(number)
        if decision is not None and decision.action == "delete":
            start = sentence.before
            continue
        shown = _shown(decision.text) if decision else ""
        if decision is not None and any(map(str.isalnum, shown)):
            text = " ".join(decision.text.split())
            if decision.action == "confirm":
                sentence = _decided(sentence, person, now, state="confirmed", note=text[:LONGEST_NOTE])
            elif shown != _shown(sentence.text):
                edited = DraftSentence(text=text, before=sentence.before, facts=sentence.facts)
                edited = _check(edited, facts, market, language)
                sentence = edited if edited.reason else _decided(edited, person, now, state="edited")
        sentences.append(sentence)
    return review.model_copy(update={"sentences": tuple(sentences)})


def rewrite(review: DraftReview, body: str, market: MarketNames) -> tuple[DraftReview, Mapping[int, int]]:
    """Return the review of a body that was changed as a whole, and new sentence numbers by old ones.

    A sentence with unchanged text keeps its state. Every other one is checked and needs a decision.
    """
    old, new = review.sentences, _cut(body.replace("\r\n", "\n").strip(), "changed")
    language = language_of(new)
    facts = prepare_facts(review.facts, language)
    known: dict[tuple[str, bool], list[list[int]]] = {}
    sizes: set[int] = set()
    # Equal sentences are matched from the end of this order: first those that need a decision, then as they stand.
    for group in sorted(_groups(old), key=lambda group: (any(old[at].undecided for at in group), -group[0])):
        text = _text_of([old[at] for at in group])
        known.setdefault((text, old[group[0]].is_heading), []).append(group)
        sizes.add(len(split_sentences(text)))
    longest_first = sorted(sizes, reverse=True)
    sentences: list[DraftSentence] = []
    numbers: dict[int, int] = {}
    at = 0
    while at < len(new):
        first = new[at]
        for size in longest_first:
            same = known.get((_text_of(new[at : at + size]), first.is_heading))
            if same:
                group = same.pop()
                numbers |= {place + 1: len(sentences) + count for count, place in enumerate(group, 1)}
                sentences.append(old[group[0]].model_copy(update={"before": first.before}))
                sentences += [old[place] for place in group[1:]]
                at += size
                break
        else:
            sentences.append(_check(first, facts, market, language) if first.undecided else first)
            at += 1
    return review.model_copy(update={"sentences": tuple(sentences)}), numbers


def _groups(sentences: Sequence[DraftSentence]) -> list[list[int]]:
    """Return the indexes of sentences; those that would be cut as one sentence are in one group."""
    cut = _cut("".join(f"{sentence.before}{sentence.text}" for sentence in sentences), "changed")
    starts = set(_starts(cut))
    groups: list[list[int]] = []
    for at, start in enumerate(_starts(sentences)):
        if start in starts or not groups:
            groups.append([])
        groups[-1].append(at)
    return groups


def _starts(sentences: Sequence[DraftSentence]) -> Iterable[int]:
    """Return where each sentence's words begin in the text of all."""
    ends = accumulate((len(sentence.before) + len(sentence.text) for sentence in sentences), initial=0)
    return (end + len(sentence.before) for end, sentence in zip(ends, sentences, strict=False))


def _text_of(sentences: Sequence[DraftSentence]) -> str:
    """Return sentences as they stand, without the Markdown in front of the first one."""
    text = "".join(f"{sentence.before}{sentence.text}" for sentence in sentences)
    return text[len(sentences[0].before) :]


def _cut(text: str, reason: UnsupportedReason) -> tuple[DraftSentence, ...]:
    """Cut Markdown into sentences that need a decision; marks without words, such as a rule, need none."""
    sentences: list[DraftSentence] = []
    before = ""
    for piece in split_sentences(text):
        line = piece.rstrip()
        marks = MARKS.match(line)
        words = line[marks.end() :] if marks else line
        if not words:
            before += piece
            continue
        before += line[: len(line) - len(words)]
        if ONLY_MARKS.fullmatch(words):
            sentences.append(DraftSentence(text=words, before=before, state="no_claim"))
        else:
            sentences.append(DraftSentence(text=words, before=before, reason=reason))
        before = piece[len(line) :]
    return tuple(sentences)


def _check(
    sentence: DraftSentence, facts: PreparedFacts, market: MarketNames, language: str
) -> DraftSentence:
    """Return a new sentence as unsupported if a value, name or claim word of it has no source, else as it is."""
    checked = check_values(sentence, facts, market, language, all_facts=True)
    if checked.state != "unsupported" and not sentence.facts and CLAIM_WORDS.search(_shown(sentence.text)):
        return sentence.model_copy(update={"state": "unsupported", "reason": "needs_citation"})
    return checked


def _shown(text: str) -> str:
    """Return a text as a reader sees it: without invisible characters and emphasis, and with single spaces."""
    normal = unicodedata.normalize("NFKC", text)
    return " ".join("".join(char for char in normal if not is_dropped(char) and char not in BLANK).split())


def _decided(sentence: DraftSentence, person: str, now: datetime, **update: object) -> DraftSentence:
    return sentence.model_copy(
        update={"reason": None, "missing": (), "decided_by": person, "decided_at": now, **update}
    )
