"""The items that a brand publishes, read in full, and the drafts beside them."""

from collections.abc import Sequence

from storage.repositories.brands import Brand
from storage.repositories.repository_items import RepositoryItem
from storage.workspace import Workspace

PAGE = 100
MOST_ITEMS = 2000
DRAFT = "draft"
FOR_PROMPT, FOR_ITEM, FOR_FILE = "answer:", "item:", "file:"
"""Prefixes that state what a draft was written for; the prompt ID, item ID or file name of the site follows."""


async def published(workspace: Workspace, brand: Brand) -> list[RepositoryItem]:
    """Return the brand's items other than drafts, last changed first; at most 2,000 are read."""
    items: list[RepositoryItem] = []
    for offset in range(0, MOST_ITEMS, PAGE):
        page, _ = await workspace.repository_items.page(brand.key, None, PAGE, offset)
        items += [item for item in page if item.category != DRAFT]
        if len(page) < PAGE:
            break
    return items


async def drafts_for_prompts(
    workspace: Workspace, brand_id: str, prompt_ids: Sequence[str]
) -> dict[str, str]:
    """Return the IDs of the drafts that answer these prompts, by prompt."""
    brand = await workspace.brands.find(brand_id)
    if brand is None:
        return {}
    keys = [f"{FOR_PROMPT}{prompt_id}" for prompt_id in prompt_ids]
    drafts = await workspace.repository_items.drafts_for(brand.key, DRAFT, keys)
    return {key.removeprefix(FOR_PROMPT): item_id for key, item_id in drafts.items()}
