"""What a brand publishes, read whole; drafts are left out."""

from storage.repositories.brands import Brand
from storage.repositories.repository_items import RepositoryItem
from storage.workspace import Workspace

PAGE = 100
MOST_ITEMS = 2000
DRAFT = "draft"


async def published(workspace: Workspace, brand: Brand) -> list[RepositoryItem]:
    """Return the brand's items that are no drafts, last changed first; at most 2,000 are looked at."""
    items: list[RepositoryItem] = []
    for offset in range(0, MOST_ITEMS, PAGE):
        page, _ = await workspace.repository_items.page(brand.key, None, PAGE, offset)
        items += [item for item in page if item.category != DRAFT]
        if len(page) < PAGE:
            break
    return items
