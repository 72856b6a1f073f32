"""What a brand publishes, as agents read it."""

from measurement.published_items import DRAFT
from measurement.published_items import published as published_by
from storage.repositories.repository_items import RepositoryItem
from workflows.agents.agent import Work

__all__ = ["DRAFT", "published"]


async def published(work: Work) -> list[RepositoryItem]:
    """Return the brand's items that are no drafts, last changed first."""
    return await published_by(work.workspace, work.brand)
