"""What a brand publishes, as its agents read it; drafts are left out."""

from storage.repositories.repository_items import RepositoryItem
from workflows import checking
from workflows.agents.agent import Work

DRAFT = checking.DRAFT


async def published(work: Work) -> list[RepositoryItem]:
    """Return the brand's items that are no drafts, last changed first; at most 2,000 are looked at."""
    return await checking.published(work.workspace, work.brand)
