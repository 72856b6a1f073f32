"""The repository tools: browse and search what a brand publishes."""

from datetime import datetime

from pydantic import Field

from storage.repositories.repository_items import RepositoryItem
from tools.calls.call import NamedBrand, ThisCall
from tools.calls.parameters import BrandId, Category, Offset, Omissible, OpenLimit, SearchQuery
from tools.calls.table import ToolFamily
from tools.calls.wire import UNTRUSTED, CleanText, Page, Wire, place_of

family = ToolFamily()


class RepositoryItemView(Wire):
    """One repository item."""

    id: str = Field(description="Item UUID.")
    title: CleanText
    body: CleanText
    category: CleanText
    url: CleanText | None
    createdAt: datetime
    updatedAt: datetime


class RepositoryItems(Page):
    """A page of a brand's items."""

    brandId: str
    items: list[RepositoryItemView]
    untrusted: list[str] = Field(
        default=["items[].title", "items[].body", "items[].category", "items[].url"], description=UNTRUSTED
    )


@family.read("Get repository items")
async def get_repository_items(
    brandId: BrandId,
    brand: NamedBrand,
    call: ThisCall,
    category: Omissible[Category] = None,
    limit: OpenLimit = 50,
    offset: Offset = 0,
) -> RepositoryItems:
    """What does a brand publish, newest first? list_brand_profiles gives brand ids; with itemId, one body whole."""
    workspace = await call.workspace()
    found, total = await workspace.repository_items.page(brand.key, category, limit, offset)
    return page_of(brand.id, found, total, limit, offset)


@family.read("Search repository items")
async def search_repository_items(
    brandId: BrandId,
    query: SearchQuery,
    brand: NamedBrand,
    call: ThisCall,
    limit: OpenLimit = 20,
    offset: Offset = 0,
) -> RepositoryItems:
    """Which published items hold these words? list_brand_profiles gives brand ids."""
    workspace = await call.workspace()
    found, total = await workspace.repository_items.search(brand.key, query, limit, offset)
    return page_of(brand.id, found, total, limit, offset)


def page_of(
    brand_id: str, found: list[RepositoryItem], total: int, limit: int, offset: int
) -> RepositoryItems:
    """Return a page as both tools show it."""
    return RepositoryItems(
        brandId=brand_id,
        items=[item_view(one) for one in found],
        **place_of(total, limit, offset),
    )


def item_view(item: RepositoryItem) -> RepositoryItemView:
    """Return one item as it is shown."""
    return RepositoryItemView(
        id=item.id,
        title=item.title,
        body=item.body,
        category=item.category,
        url=item.url,
        createdAt=item.created_at,
        updatedAt=item.updated_at,
    )
