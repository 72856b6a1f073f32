"""The page of one draft: its sentences with their sources, and what a person decides about them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal, TypeAlias

from starlette.responses import Response

from measurement.planning.published_items import DRAFT, FOR_FILE, FOR_ITEM, FOR_PROMPT
from storage.repositories.brands import Brand
from storage.repositories.repository_items import ItemDraft, RepositoryItem, digest
from storage.workspace import Workspace
from web.content.content_page import find_faults
from web.content.wordpress import load_sending
from web.errors import InvalidForm, PageNotFound
from web.request import PageRequest
from workflows.agents.outputs.content import ContentBrief
from workflows.drafts.decisions import Decision, changed_sources, decide, load_review, market_of, rewrite
from workflows.drafts.document import DraftReview
from workflows.webhooks.bodies import queue_approval

MOST_LINES = 1000
"""Lines of a text that are compared: comparing takes the square of them."""
Change: TypeAlias = Literal["kept", "added", "removed"]


@dataclass(frozen=True, slots=True)
class DraftLine:
    """One line of either text."""

    change: Change
    text: str


def _compare_texts(before: str, after: str) -> list[DraftLine]:
    """Return the lines of both texts in order; of texts that are too long to compare, all of both."""
    old, new = read_lines(before), read_lines(after)
    if max(len(old), len(new)) > MOST_LINES:
        return [*_lines_as("removed", old), *_lines_as("added", new)]
    lines: list[DraftLine] = []
    matcher = SequenceMatcher(a=old, b=new, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            lines += _lines_as("kept", old[old_start:old_end])
        else:
            lines += _lines_as("removed", old[old_start:old_end])
            lines += _lines_as("added", new[new_start:new_end])
    return lines


def read_lines(text: str) -> list[str]:
    """Return the lines of a text that hold anything."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _lines_as(change: Change, lines: Sequence[str]) -> list[DraftLine]:
    return [DraftLine(change, line) for line in lines]


NEW_CATEGORY = "article"
CHANGED = "This draft changed since you opened it. Review it again; your input is still here."
UNDECIDED = (
    "Decide every marked sentence before you approve: edit it, confirm it with a reason, or delete it."
)
EMPTY = "The draft has no text left to publish. Write a text, or discard the draft."
CONFLICT = (
    "You confirmed or edited a sentence that you also changed in the whole text. Undo one of the two changes."
)
GONE = "This draft was approved or discarded in the meantime. Copy your text if you still need it."
SAME_NAME = "Another text of this category has this title."


@dataclass(frozen=True, slots=True)
class OpenedDraft:
    """A draft with what it was written for: a prompt, or the text that is there now.

    `proposes_file` marks a file of the site. `review` has the state of each sentence of a draft that a run wrote, and
    `changed_sources` the keys of its facts whose item has changed since.
    """

    item: RepositoryItem
    prompt_id: str | None
    present: RepositoryItem | None
    proposes_file: bool
    brief: ContentBrief | None = None
    review: DraftReview | None = None
    changed_sources: frozenset[str] = frozenset()

    @property
    def body(self) -> str:
        """The text, as its sentences have it."""
        return self.review.body if self.review else self.item.body

    @property
    def undecided(self) -> int:
        """How many sentences need a decision before the draft can be approved."""
        return self.review.undecided if self.review else 0

    @property
    def seen(self) -> str:
        """Digest of everything that a person decides about."""
        review = self.review.model_dump_json() if self.review else ""
        return digest(f"{digest(self.item.body)}{digest(self.present.body) if self.present else ''}{review}")


async def show_draft(request: PageRequest) -> Response:
    """Show a draft beside the text that it would replace."""
    profile = await request.load_brand()
    _, draft = await _find_draft(request, request.workspace, profile)
    return await _render_draft(request, profile, draft)


async def decide_draft(request: PageRequest) -> Response:
    """Publish a draft, keep what was edited in it, or discard it; unseen text is never changed."""
    profile = await request.load_brand()
    typed = await request.read_form(holds_texts=True)
    decision = typed.get("decision", "")
    if decision not in ("approve", "keep", "discard"):
        raise InvalidForm
    contents = f"/brands/{profile['id']}/content"
    async with request.transaction() as workspace:
        brand, draft = await _find_draft(request, workspace, profile)
        if typed.get("seen") != draft.seen:
            return await _render_draft(request, profile, draft, typed, {"": CHANGED})
        if decision == "discard":
            await workspace.repository_items.remove(brand.key, draft.item.id)
            return request.redirect(f"{contents}?category={DRAFT}&decided=discarded")
        faults = find_faults(typed)
        if faults:
            return await _render_draft(request, profile, draft, typed, faults)
        body = typed["body"].replace("\r\n", "\n")
        review = await _decided_review(request, workspace, brand, draft, typed, body)
        fault = None
        if draft.review is not None and review is None:
            fault = CONFLICT
        elif decision == "approve" and review is not None and not review.can_be_approved:
            fault = UNDECIDED if review.undecided else EMPTY
        if fault is not None:
            return await _render_draft(request, profile, draft, typed, {"": fault})
        text = ItemDraft(
            title=typed["title"].strip(),
            body=review.body if review else body,
            category=DRAFT if decision == "keep" else typed["category"].strip(),
            url=typed.get("url", "").strip() or None,
            review=review.to_json() if review else None,
        )
        target = draft.present if decision == "approve" and draft.present else draft.item
        items, now = workspace.repository_items, request.services.now()
        if not await items.change(brand.key, target.id, text, now):
            gone = await items.find(brand.key, target.id) is None
            return await _render_draft(
                request, profile, draft, typed, {"": GONE} if gone else {"title": SAME_NAME}
            )
        if decision == "keep":
            return request.redirect(f"{contents}/{draft.item.id}/draft?kept=1")
        if target is not draft.item:
            await items.remove(brand.key, draft.item.id)
        await queue_approval(workspace, brand, target.id, text, now)
    return request.redirect(f"{contents}/{target.id}?decided=approved")


async def _decided_review(
    request: PageRequest,
    workspace: Workspace,
    brand: Brand,
    draft: OpenedDraft,
    typed: Mapping[str, str],
    body: str,
) -> DraftReview | None:
    """Return a review with the changes of a form to the whole text and its decisions about unchanged sentences.

    Returns None if a sentence was confirmed or edited that the whole text no longer has.
    """
    review = draft.review
    if review is None:
        return None
    decisions: dict[int, Decision] = {}
    for number in range(1, len(review.sentences) + 1):
        action = typed.get(f"do-{number}", "")
        if action == "confirm":
            decisions[number] = Decision(action, typed.get(f"reason-{number}", ""))
        elif action == "edit":
            decisions[number] = Decision(action, typed.get(f"text-{number}", ""))
        elif action == "delete":
            decisions[number] = Decision(action)
    market = await market_of(workspace, brand)
    if body.strip() != review.body:
        review, numbers = rewrite(review, body, market)
        if any(
            decision.action != "delete" for number, decision in decisions.items() if number not in numbers
        ):
            return None
        decisions = {numbers[number]: decision for number, decision in decisions.items() if number in numbers}
    if not decisions:
        return review
    return decide(review, decisions, market, request.signed_in.email, request.services.now())


async def _find_draft(
    request: PageRequest, workspace: Workspace, profile: Mapping[str, Any]
) -> tuple[Brand, OpenedDraft]:
    """Return the draft of the address. Raises PageNotFound for what is none."""
    brand = await workspace.brands.find(profile["id"])
    items = workspace.repository_items
    item = await items.find(brand.key, request.http.path_params["item_id"]) if brand else None
    if brand is None or item is None or item.category != DRAFT:
        raise PageNotFound
    key = await items.draft_key(brand.key, item.id) or ""
    present = await items.find(brand.key, key.removeprefix(FOR_ITEM)) if key.startswith(FOR_ITEM) else None
    if present is not None and present.category == DRAFT:
        present = None
    prompt_id = key.removeprefix(FOR_PROMPT) if key.startswith(FOR_PROMPT) else None
    stored = await items.brief(brand.key, item.id) if prompt_id else None
    brief = ContentBrief.load(stored) if stored is not None else None
    review = await load_review(workspace, brand, item)
    changed = await changed_sources(workspace, brand, review) if review else frozenset[str]()
    return brand, OpenedDraft(item, prompt_id, present, key.startswith(FOR_FILE), brief, review, changed)


async def _render_draft(
    request: PageRequest,
    profile: Mapping[str, Any],
    draft: OpenedDraft,
    typed: Mapping[str, str] | None = None,
    faults: Mapping[str, str] | None = None,
) -> Response:
    """Show both texts and the form, with what was typed."""
    item, present = draft.item, draft.present
    stored = {
        "title": present.title if present else item.title,
        "category": present.category if present else NEW_CATEGORY,
        "url": (present.url if present else item.url) or "",
        "body": draft.body,
    }
    return request.render(
        "content/draft.html",
        422 if faults else 200,
        brand=profile,
        draft=draft,
        lines=_compare_texts(present.body, draft.body) if present else (),
        typed={**stored, **{name: typed[name] for name in stored if typed and name in typed}},
        faults=faults or {},
        choices=typed if typed and typed.get("seen") == draft.seen else {},
        kept=request.http.query_params.get("kept") == "1",
        **await load_sending(request, item.id),
    )
