"""What a text for a lost question is written from: who is named instead, what engines say and cite, our facts."""

from collections.abc import Sequence
from dataclasses import dataclass

from analytics.answers.citations import OwnerClass
from analytics.gaps import WINDOW
from measurement.statistics.cited_sources import cited_sources
from storage.documents import StoredEvidence
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import RepositoryItem
from workflows.agents.agent import Work, numbered
from workflows.agents.outputs.content import BriefFact, BriefPage, ContentBrief, WritingTask
from workflows.brand_sites import is_own_domain
from workflows.cited_pages.outline import PageOutline, compare_outlines
from workflows.cited_pages.reader import PageUnread, PageVisits
from workflows.publishing.documents import html_document

MOST_PAGES = 5
MOST_READ = 2
"""Cited pages that are read for one question: with the robots.txt of each, and an own page, five requests."""
MOST_WORDS = 400
LONGEST_TITLE = 200
NOT_VISITED = "pages are not visited here"
LEFT_ALONE = "only the pages that are cited most are read"


@dataclass(frozen=True, slots=True)
class OwnText:
    """The brand's text that is nearest to a question; `markup_known` when its page was read."""

    title: str
    outline: PageOutline
    markup_known: bool


async def build_briefs(
    work: Work, tasks: Sequence[tuple[WritingTask, Sequence[RepositoryItem]]]
) -> list[ContentBrief | None]:
    """Return the brief of each task with the items that are nearest to it; None for one that refreshes an item.

    Uses the pages cited by answers that name a competitor but not the brand, most cited first, without the brand's
    own. The first ones are read within a budget shared by all tasks; an unread page has its reason.
    """
    if work.site_access is None:
        return [await _build_brief(work, task, related, None) for task, related in tasks]
    async with work.site_access.cited_pages.open() as visits:
        return [await _build_brief(work, task, related, visits) for task, related in tasks]


async def _build_brief(
    work: Work, task: WritingTask, related: Sequence[RepositoryItem], visits: PageVisits | None
) -> ContentBrief | None:
    if task.prompt_id is None or task.text is None:
        return None
    period = AnswerFilter(prompt_id=task.prompt_id, since=work.now - WINDOW)
    cited = await cited_sources(work.workspace, work.brand, period, "url", "rival_named_instead", None, None)
    sources = [page for page in cited.sources if page.owner is not OwnerClass.OWNED][:MOST_PAGES]
    own = await _own_text(work, task.text, related, visits) if sources and visits else None
    pages: list[BriefPage] = []
    for place, source in enumerate(sources):
        page = BriefPage(
            url=source.source, title=(source.title or "")[:LONGEST_TITLE], answers=source.answers
        )
        if visits is None or place >= MOST_READ:
            page = page.model_copy(update={"unread": LEFT_ALONE if visits else NOT_VISITED})
        else:
            page = await _read_page(page, source.addresses[0], task.text, own, visits)
        pages.append(page)
    return ContentBrief(
        question=task.text,
        rivals=task.rivals,
        quotes=task.quotes,
        pages=tuple(pages),
        facts=tuple(BriefFact(item_id=item.id, title=item.title) for item in related),
        most_words=MOST_WORDS,
        compared_with=own.title if own else None,
    )


async def _read_page(
    page: BriefPage, address: str, question: str, own: OwnText | None, visits: PageVisits
) -> BriefPage:
    """Return a page with what is on it and what ours lacks, or with why it was not read."""
    try:
        outline = await visits.outline(address, question)
    except PageUnread as unread:
        return page.model_copy(update={"unread": str(unread)})
    lacking = compare_outlines(
        outline, own.outline if own else None, markup_known=own is not None and own.markup_known
    )
    return page.model_copy(update={"outline": outline, "lacking": lacking})


async def _own_text(
    work: Work, question: str, related: Sequence[RepositoryItem], visits: PageVisits
) -> OwnText | None:
    """Return the nearest item as its page on the brand's own site has it, else as the repository has it."""
    if not related:
        return None
    item = related[0]
    entity = (await work.workspace.brands.entities(work.brand))[0]
    if item.url and is_own_domain(item.url, entity):
        try:
            return OwnText(item.title, await visits.outline(item.url, question), markup_known=True)
        except PageUnread:
            pass  # the text in the repository is compared instead
    outline = await visits.outline_text(html_document(item), item.url or "https://example.com/", question)
    return OwnText(item.title, outline, markup_known=False) if outline else None


def shown_pages(brief: ContentBrief) -> str:
    """Return the pages that were read as a writer is shown them: what they have, in our words, and their headings."""
    blocks = (
        "\n".join([f"Page {number}:", *page.lacking, *(f"Heading: {line}" for line in page.outline.headings)])
        for number, page in enumerate(brief.pages, 1)
        if page.outline is not None
    )
    return "\n\n".join(blocks)


def brief_findings(briefs: Sequence[ContentBrief | None]) -> tuple[FindingDraft, ...]:
    """Return what the cited pages have that ours lack, one finding for each question with cited pages."""
    return tuple(_brief_finding(brief) for brief in briefs if brief is not None and brief.pages)


def _brief_finding(brief: ContentBrief) -> FindingDraft:
    read = [page for page in brief.pages if page.outline is not None]
    beside = (
        f"your text “{brief.compared_with}”"
        if brief.compared_with
        else "none of your content covers this question"
    )
    lines = [f"Held beside {beside}."] if read else []
    for number, page in enumerate(brief.pages[:MOST_READ], 1):
        has = " ".join(page.lacking) or "No difference was found."
        lines.append(f"Page {number}: {has if page.outline else f'not read, since {page.unread}.'}")
    return FindingDraft(
        "info",
        "content_gap",
        f"What cited pages have: {brief.question[:150]}",
        " ".join(lines),
        [
            StoredEvidence(type="page", url=page.url, excerpt=f"cited in {numbered(page.answers, 'answer')}")
            for page in brief.pages
        ],
    )
