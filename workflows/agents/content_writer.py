"""Drafts the planned texts with a configured engine."""

from collections.abc import Callable, Mapping

from analytics.text.stems import stems
from engines.engine import Engine
from measurement.planning.prompt_quoting import notes
from storage.repositories.repository_items import RepositoryItem
from workflows.agents.agent import Result, Work
from workflows.agents.briefs import MOST_WORDS, brief_findings, build_briefs, shown_pages
from workflows.agents.drafting import facts_about, write_draft
from workflows.agents.outputs.content import (
    ContentBrief,
    RefreshPlan,
    WritingTask,
    WrittenDraft,
    WrittenDrafts,
)
from workflows.agents.repository_auditor import published
from workflows.agents.writing import writing_engine
from workflows.configurations import DrafterConfiguration

LONGEST_NOTES = 6000
LONGEST_TITLE = 200
CITED_PAGES = (
    "What pages have that engines cite instead; cover the same, name none of them and take no fact from it"
)
MOST_RELATED = 3


async def run(work: Work) -> Result:
    """Write one draft for each planned task; fact_guard checks and stores them.

    Fails with `provider_not_configured` before any call.
    """
    engine = await writing_engine(work)
    items = {item.id: item for item in await published(work)}
    related = related_items(list(items.values()))
    tasks = work.output(RefreshPlan).tasks[: work.settings(DrafterConfiguration).itemLimit]
    drafts: list[WrittenDraft] = []
    titles = [title_of(task, items) for task in tasks]
    nearest = [related(task.text or title) for task, title in zip(tasks, titles, strict=True)]
    briefs = await build_briefs(work, list(zip(tasks, nearest, strict=True)))
    for ordinal, (task, title, brief) in enumerate(zip(tasks, titles, briefs, strict=True)):
        if title:
            prompt = task_prompt(work, task, items.get(task.item_id or ""))
            drafts.append(await draft_for(work, engine, task, title, prompt, brief, ordinal))
        await work.report(ordinal + 1, len(tasks))
    summary = f"{len(drafts)} drafts were written with {engine.platform}."
    return Result(WrittenDrafts(drafts=tuple(drafts)), summary, brief_findings(briefs))


def title_of(task: WritingTask, items: Mapping[str, RepositoryItem]) -> str:
    """Return the title of a text: that of the item which it refreshes, else the question; empty without either."""
    item = items.get(task.item_id or "")
    return item.title if item else (task.text or "")[:LONGEST_TITLE]


async def draft_for(
    work: Work,
    engine: Engine,
    task: WritingTask,
    title: str,
    prompt: str,
    brief: ContentBrief | None,
    ordinal: int,
) -> WrittenDraft:
    """Have a text written from the facts about it, and show the writer what cited pages cover.

    A page may change until an agent is repeated; a draft that was paid for is found without it.
    """
    facts = await facts_about(work, f"{title} {task.text or ''}")
    pages = shown_pages(brief) if brief else ""
    material = notes(CITED_PAGES, pages[:LONGEST_NOTES]) if pages else ""
    sentences = await write_draft(work, engine, prompt, facts, ordinal, material)
    return WrittenDraft(title=title, facts=facts, sentences=sentences, key=task.key, brief=brief)


def related_items(items: list[RepositoryItem]) -> Callable[[str], list[RepositoryItem]]:
    """Return what finds the items that share most longer words with a text, best first, at most three."""
    held = [(item, stems(f"{item.title} {item.body}")) for item in items]

    def find(text: str) -> list[RepositoryItem]:
        wanted = stems(text)
        ranked = sorted(held, key=lambda pair: (-len(wanted & pair[1]), pair[0].id))
        return [item for item, words in ranked[:MOST_RELATED] if wanted & words]

    return find


def task_prompt(work: Work, task: WritingTask, item: RepositoryItem | None) -> str:
    """Return what to write, against whose answers and in which voice; the facts follow it."""
    tone = work.settings(DrafterConfiguration).tone
    parts = [
        f"Write a draft of at most {MOST_WORDS} words for the website of {work.brand.name}.",
        notes("The question it must answer", task.text) if task.text is not None else "",
        notes("The present text", f"{item.title}\n\n{item.body[:LONGEST_NOTES]}") if item else "",
        notes(
            "What engines answer today, naming others; name none of them and take no fact from it",
            "\n".join([f"Named instead: {', '.join(task.rivals)}", *task.quotes])[:LONGEST_NOTES],
        )
        if task.rivals
        else "",
        "Begin with a sentence that answers the question, then give the facts that support it, in short paragraphs "
        "under headings."
        if task.kind == "answer"
        else "",
        notes("The brand's voice", work.brand.voice) if work.brand.voice else "",
        notes("The tone to write in", tone) if tone else "",
        notes("Notes of the person who asked", work.context[:LONGEST_NOTES]) if work.context else "",
    ]
    return "\n\n".join(part for part in parts if part)
