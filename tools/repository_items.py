"""The repository tools: browse and search a brand's content."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated

from pydantic import Field

from storage.repositories.repository_items import RepositoryItem
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.errors import NotFound
from tools.calls.parameters import WHOLE, BrandId, Category, Offset, Omissible, OpenLimit, SearchQuery
from tools.calls.table import ToolFamily
from tools.calls.wire import UNTRUSTED, CleanText, ListWindow, Page, Wire, place_of
from workflows.drafts.decisions import load_review, load_reviews
from workflows.drafts.document import DraftReview, DraftSentence

family = ToolFamily()


BODY_START = 2000
"""Characters of each body in a list."""
NO_SUCH_CATEGORY = "No item of the brand has this category; leave it out to see every item."
BODY_PAGE = 10_000
"""Characters per page of a body that is read alone."""
ItemId = Annotated[str, Field(description="Read this item alone.")]
BodyOffset = Annotated[int, Field(ge=0, description="See bodyNextOffset."), WHOLE]


class SentenceView(Wire):
    """One sentence of a draft, with its source or why it needs a decision."""

    text: CleanText
    state: str = Field(
        description="supported, no_claim, unsupported, not_checked, confirmed or edited. A draft with unsupported or "
        "not_checked sentences cannot be published."
    )
    reason: str | None = Field(default=None, description="Why the sentence is unsupported or not checked.")
    missing: list[CleanText] | None = Field(
        default=None, description="Values and names that no cited fact contains."
    )
    quote: CleanText | None = Field(default=None, description="The words of the source that support it.")
    source: CleanText | None = Field(
        default=None, description="profile.<field>, item:<id>#<line> or page:<url>#<line>."
    )


class RepositoryItemView(Wire):
    """One repository item."""

    id: str = Field(description="Item UUID.")
    title: CleanText
    body: CleanText = Field(description="In lists the first 2,000 characters.")
    bodyLength: int = Field(description="Characters of the whole body.")
    bodyOffset: int = Field(default=0, description="Where the shown part of the body begins.")
    bodyNextOffset: int | None = Field(
        default=None, description="bodyOffset of the next part; null at the end."
    )
    category: CleanText
    url: CleanText | None
    sentences: list[SentenceView] | None = Field(
        default=None,
        description="Of a draft that a run wrote: the state of each sentence in the shown part of the body.",
    )
    createdAt: datetime
    updatedAt: datetime


class RepositoryItems(Page):
    """A page of a brand's items."""

    window = ListWindow("items")

    brandId: str
    items: list[RepositoryItemView]
    untrusted: list[str] = Field(
        default=[
            *(f"items[].{field}" for field in ("title", "body", "category", "url")),
            *(f"items[].sentences[].{field}" for field in ("text", "missing", "quote", "source")),
        ],
        description=UNTRUSTED,
    )
    notice: str | None = Field(default=None, description="Said where a category has no item.")


@family.read("Get repository items")
async def get_repository_items(
    brandId: BrandId,
    brand: NamedBrand,
    call: ThisCall,
    category: Omissible[Category] = None,
    limit: OpenLimit = 50,
    offset: Offset = 0,
    itemId: Omissible[ItemId] = None,
    bodyOffset: BodyOffset = 0,
) -> RepositoryItems:
    """Return a brand's published content, newest first; with itemId, one whole body. To find words use
    search_repository_items."""
    workspace = await call.workspace()
    if itemId is not None:
        item = await workspace.repository_items.find(brand.key, itemId)
        if item is None:
            raise NotFound("item", "Call get_repository_items without itemId for the ids of items.")
        opened = _item_view(item, BODY_PAGE, await load_review(workspace, brand, item), bodyOffset)
        return RepositoryItems(brandId=brand.id, items=[opened], **place_of(1, 1, 0))
    items, total = await workspace.repository_items.page(brand.key, category, limit, offset)
    reviews = await load_reviews(workspace, brand, items)
    return page_of(brand.id, items, reviews, total, limit, offset, category=category)


@family.read("Search repository items")
async def search_repository_items(
    brandId: BrandId,
    query: SearchQuery,
    brand: NamedBrand,
    call: ThisCall,
    limit: OpenLimit = 20,
    offset: Offset = 0,
) -> RepositoryItems:
    """Return a brand's content items whose title or body contains the query. To browse all use
    get_repository_items."""
    workspace = await call.workspace()
    items, total = await workspace.repository_items.search(brand.key, query, limit, offset)
    reviews = await load_reviews(workspace, brand, items)
    return page_of(brand.id, items, reviews, total, limit, offset)


def _sentence_view(review: DraftReview, sentence: DraftSentence) -> SentenceView:
    """Return one sentence with the key of its source."""
    source = review.source_of(sentence)
    return SentenceView(
        text=sentence.text,
        state=sentence.state,
        reason=sentence.reason,
        missing=list(sentence.missing) or None,
        quote=sentence.quote,
        source=source.key if source else None,
    )


def page_of(
    brand_id: str,
    items: list[RepositoryItem],
    reviews: Mapping[str, DraftReview],
    total: int,
    limit: int,
    offset: int,
    longest_body: int = BODY_START,
    category: str | None = None,
) -> RepositoryItems:
    """Return a page as all tools show it, each body cut to its beginning."""
    return RepositoryItems(
        brandId=brand_id,
        items=[_item_view(item, longest_body, reviews.get(item.id)) for item in items],
        **place_of(total, limit, offset),
        notice=None if total or category is None else NO_SUCH_CATEGORY,
    )


def _item_view(
    item: RepositoryItem, longest_body: int, review: DraftReview | None, start: int = 0
) -> RepositoryItemView:
    """Return one item with so many characters of its body from a start on, and the sentences of that part."""
    end = start + longest_body
    return RepositoryItemView(
        id=item.id,
        title=item.title,
        body=item.body[start:end],
        bodyLength=len(item.body),
        bodyOffset=start,
        bodyNextOffset=end if end < len(item.body) else None,
        category=item.category,
        url=item.url,
        sentences=[_sentence_view(review, sentence) for sentence in review.within(start, end)]
        if review
        else None,
        createdAt=item.created_at,
        updatedAt=item.updated_at,
    )
