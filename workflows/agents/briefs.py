"""What a text for a lost question is written from: who is named instead, what engines say and cite, our facts."""

from collections.abc import Sequence

from analytics.answers.citations import OwnerClass
from analytics.gaps import WINDOW
from measurement.cited_sources import cited_sources
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.repository_items import RepositoryItem
from workflows.agents.agent import Work
from workflows.agents.outputs.content import BriefFact, BriefPage, ContentBrief, WritingTask

MOST_PAGES = 5
MOST_WORDS = 400
LONGEST_TITLE = 200


async def build_brief(
    work: Work, task: WritingTask, related: Sequence[RepositoryItem]
) -> ContentBrief | None:
    """Return the brief of a text that answers a question; None for one that refreshes an item.

    The pages are those that answers cite which name a rival and not the brand, most cited first, without our own. What
    stands on them is a stranger's: the writer is not shown it, and no fact is taken from it.
    """
    if task.prompt_id is None or task.text is None:
        return None
    period = AnswerFilter(prompt_id=task.prompt_id, since=work.now - WINDOW)
    cited = await cited_sources(work.workspace, work.brand, period, "url", "rival_named_instead", None, None)
    pages = [page for page in cited.sources if page.owner is not OwnerClass.OWNED]
    return ContentBrief(
        question=task.text,
        rivals=task.rivals,
        quotes=task.quotes,
        pages=tuple(
            BriefPage(url=page.source, title=(page.title or "")[:LONGEST_TITLE], answers=page.answers)
            for page in pages[:MOST_PAGES]
        ),
        facts=tuple(BriefFact(item_id=item.id, title=item.title) for item in related),
        most_words=MOST_WORDS,
    )
