"""What a brand publishes, as agents read it."""

from storage.repositories.repository_items import RepositoryItem
from workflows.agents.agent import Work
from workflows.published import DRAFT
from workflows.published import published as published_by

__all__ = ["DRAFT", "published"]


async def published(work: Work) -> list[RepositoryItem]:
    """Return the brand's items that are no drafts, last changed first."""
    return await published_by(work.workspace, work.brand)
