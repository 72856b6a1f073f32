"""What a person decides about a draft's sentences: confirm with a reason, edit, or delete."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from analytics.text.sentences import split_sentences
from measurement.planning.published_items import DRAFT, FOR_FILE
from storage.repositories.brands import Brand
from storage.repositories.repository_items import RepositoryItem
from storage.workspace import Workspace
from workflows.drafts.checks import Market, check_values, language_of
from workflows.drafts.document import DraftReview, DraftSentence

LONGEST_NOTE = 500
IMPORT = "import"


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision; `text` is the reason for `confirm` and the new sentence for `edit`."""

    action: Literal["confirm", "edit", "delete"]
    text: str = ""


async def load_review(workspace: Workspace, brand: Brand, item: RepositoryItem) -> DraftReview | None:
    """Return the review of a run's draft; None for a published item, a person's own text, and a file of the site."""
    review = await _stored_review(workspace, brand.key, item)
    if review is None or review.body == item.body.strip():
        return review
    # An import replaced the text: what it changed is checked as an edit.
    return rewrite(review, item.body, await market_of(workspace, brand), IMPORT, item.updated_at)


async def is_undecided(workspace: Workspace, item: RepositoryItem) -> bool:
    """Return whether an item is a draft that may not leave the service: a sentence of it still needs a decision."""
    located = await workspace.repository_items.locate(item.id)
    review = await _stored_review(workspace, located.brand_key, item) if located else None
    return review is not None and (review.undecided > 0 or review.body != item.body.strip())


async def _stored_review(workspace: Workspace, brand_key: int, item: RepositoryItem) -> DraftReview | None:
    """Return a draft's review as it is stored; every sentence is undecided where a run's draft has none."""
    if item.category != DRAFT:
        return None
    key = await workspace.repository_items.draft_key(brand_key, item.id) or ""
    if not key or key.startswith(FOR_FILE):
        return None
    stored = await workspace.repository_items.review(brand_key, item.id)
    if stored is None:
        return DraftReview(sentences=_sentences_of(item.body, state="not_checked", reason="no_judge"))
    return DraftReview.load(stored)


async def market_of(workspace: Workspace, brand: Brand) -> Market:
    """Return the names of a brand and its competitors."""
    return Market.of(await workspace.brands.entities(brand))


def decide(
    review: DraftReview, decisions: Mapping[int, Decision], market: Market, person: str, now: datetime
) -> DraftReview:
    """Apply decisions by sentence number (from 1); a confirmation without a reason is left undecided."""
    language = language_of(review.sentences)
    sentences: list[DraftSentence] = []
    for number, sentence in enumerate(review.sentences, 1):
        decision = decisions.get(number)
        if decision is None or (decision.action == "confirm" and not decision.text.strip()):
            sentences.append(sentence)
        elif decision.action == "confirm":
            note = " ".join(decision.text.split())[:LONGEST_NOTE]
            sentences.append(_decided(sentence, person, now, state="confirmed", note=note))
        elif decision.action == "edit" and decision.text.strip():
            text = " ".join(decision.text.split())
            sentences.append(_edited(sentence, text, review, market, language, person, now))
    return review.model_copy(update={"sentences": tuple(sentences)})


def rewrite(review: DraftReview, body: str, market: Market, person: str, now: datetime) -> DraftReview:
    """Return the review of a body that a person has edited: unchanged sentences keep their state, others are edited."""
    language = language_of(review.sentences)
    sentences: list[DraftSentence] = []
    at = 0

    def add_new(text: str) -> None:
        sentences.extend(
            _edited(new, new.text, review, market, language, person, now) for new in _sentences_of(text)
        )

    for sentence in review.sentences:
        found = body.find(sentence.text, at)
        if found < 0:
            continue
        between = body[at:found]
        if between.strip(" \n#*-"):
            cut = max(between.rfind("\n"), len(between.rstrip(" #*-")) - 1) + 1
            add_new(between[:cut])
            between = between[cut:]
        sentences.append(sentence.model_copy(update={"before": between}))
        at = found + len(sentence.text)
    add_new(body[at:])
    return review.model_copy(update={"sentences": tuple(sentences)})


def _sentences_of(text: str, **update: object) -> tuple[DraftSentence, ...]:
    """Cut Markdown into sentences; the marks and blanks in front of each are its `before`."""
    cut: list[DraftSentence] = []
    before = ""
    for piece in split_sentences(text):
        words = piece.strip(" \n\t#*->")
        if not words:
            before += piece
            continue
        start, end = piece.index(words), len(piece.rstrip())
        cut.append(
            DraftSentence(text=piece[start:end], before=before + piece[:start]).model_copy(update=update)
        )
        before = piece[end:]
    return tuple(cut)


def _edited(
    sentence: DraftSentence,
    text: str,
    review: DraftReview,
    market: Market,
    language: str,
    person: str,
    now: datetime,
) -> DraftSentence:
    fresh = DraftSentence(text=text, before=sentence.before, facts=sentence.facts)
    checked = check_values(fresh, review.facts, market, language, all_facts=True)
    return checked if checked.undecided and checked.missing else _decided(fresh, person, now, state="edited")


def _decided(sentence: DraftSentence, person: str, now: datetime, **update: object) -> DraftSentence:
    return sentence.model_copy(
        update={"reason": None, "missing": (), "decided_by": person, "decided_at": now, **update}
    )
