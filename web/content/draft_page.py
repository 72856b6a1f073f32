"""The page of one draft: beside what is there now, to be approved, edited or discarded by a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any, Literal, TypeAlias

from starlette.responses import Response

from measurement.planning.published_items import DRAFT, FOR_FILE, FOR_ITEM, FOR_PROMPT
from measurement.statistics.sentence_sources import SourcedSentence, link_sentences
from storage.repositories.brands import Brand
from storage.repositories.repository_items import ItemDraft, RepositoryItem, digest
from storage.workspace import Workspace
from web.content.content_page import find_faults
from web.content.wordpress import load_sending
from web.errors import InvalidForm, PageNotFound
from web.request import PageRequest
from workflows.agents.outputs.content import ContentBrief
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
CHANGED = "The draft was changed since you opened it: review it again. What you typed is still here."
PRESENT_CHANGED = (
    "The published text was changed since you opened this: review it again. What you typed is still here."
)
SAME_NAME = "Another text of this category has this title."


@dataclass(frozen=True, slots=True)
class OpenedDraft:
    """A draft with what it was written for: a prompt, or the text that is there now.

    `proposes_file` says that it is to be a file of the site; `checked`, that a run has cut what no known fact supports;
    `sentences` are those of the draft with the lines that say the same.
    """

    item: RepositoryItem
    prompt_id: str | None
    present: RepositoryItem | None
    proposes_file: bool
    checked: bool
    brief: ContentBrief | None = None
    sentences: tuple[SourcedSentence, ...] = ()

    @property
    def seen(self) -> str:
        """What a person has seen who decides: both texts as they are."""
        return digest(f"{digest(self.item.body)}{digest(self.present.body) if self.present else ''}")


async def show_draft(request: PageRequest) -> Response:
    """Show a draft beside the text that it would replace."""
    profile = await request.load_brand()
    workspace = request.workspace
    brand, draft = await _find_draft(request, workspace, profile)
    if not draft.proposes_file:
        linked = await link_sentences(workspace, brand, draft.item.body, draft.item.id)
        draft = replace(draft, sentences=linked)
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
        text = ItemDraft(
            title=typed["title"].strip(),
            body=typed["body"].replace("\r\n", "\n"),
            category=DRAFT if decision == "keep" else typed["category"].strip(),
            url=typed.get("url", "").strip() or None,
        )
        stored = await _store(workspace, brand, draft, text, publish=decision == "approve", request=request)
    if stored is None:
        return await _render_draft(request, profile, draft, typed, {"title": SAME_NAME})
    if decision == "keep":
        return request.redirect(f"{contents}/{draft.item.id}/draft?kept=1")
    return request.redirect(f"{contents}/{stored}?decided=approved")


async def _store(
    workspace: Workspace,
    brand: Brand,
    draft: OpenedDraft,
    text: ItemDraft,
    *,
    publish: bool,
    request: PageRequest,
) -> str | None:
    """Store an approved or edited text; return the id of what holds it, None where its name is taken."""
    items, now = workspace.repository_items, request.services.now()
    target = draft.present if publish and draft.present is not None else draft.item
    if not await items.change(brand.key, target.id, text, now):
        return None
    if target is not draft.item:
        await items.remove(brand.key, draft.item.id)
    if publish:
        await queue_approval(workspace, brand, target.id, text, now)
    return target.id


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
    proposes_file = key.startswith(FOR_FILE)
    stored = await items.brief(brand.key, item.id) if prompt_id else None
    brief = ContentBrief.load(stored) if stored is not None else None
    return brand, OpenedDraft(item, prompt_id, present, proposes_file, bool(key) and not proposes_file, brief)


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
        "body": item.body,
    }
    return request.render(
        "content/draft.html",
        422 if faults else 200,
        brand=profile,
        draft=draft,
        lines=_compare_texts(present.body if present else "", item.body),
        typed={**stored, **{name: typed[name] for name in stored if typed and name in typed}},
        faults=faults or {},
        kept=request.http.query_params.get("kept") == "1",
        **await load_sending(request, item.id),
    )
