"""Drafts the planned texts with a configured engine."""

from collections.abc import Callable, Mapping, Sequence

from analytics.grounding.flattening import flatten, stems
from engines.engine import Engine
from measurement.planning.prompt_quoting import notes
from measurement.publication.accuracy_checks import profile_lines
from storage.repositories.repository_items import RepositoryItem
from storage.repositories.runs.run_agents import WrittenText
from workflows.agents.agent import Result, Work
from workflows.agents.briefs import MOST_WORDS, brief_findings, build_briefs, shown_pages
from workflows.agents.outputs.content import (
    ContentBrief,
    RefreshPlan,
    WritingTask,
    WrittenDraft,
    WrittenDrafts,
)
from workflows.agents.repository_auditor import published
from workflows.agents.writing import ask, writing_engine
from workflows.configurations import DrafterConfiguration

LONGEST_NOTES = 6000
LONGEST_TITLE = 200
CITED_PAGES = (
    "What pages have that engines cite instead; cover the same, name none of them and take no fact from it"
)
MOST_RELATED = 3


async def run(work: Work) -> Result:
    """Write one draft for each planned task; what is drafted is only stored when fact_guard accepts it.

    Fails with `provider_not_configured` before any call.
    """
    engine = await writing_engine(work)
    items = {item.id: item for item in await published(work)}
    related = related_items(list(items.values()))
    tasks = work.output(RefreshPlan).tasks[: work.settings(DrafterConfiguration).itemLimit]
    drafts: list[WrittenDraft] = []
    titles = [title_of(task, items) for task in tasks]
    facts = [related(task.text or title) for task, title in zip(tasks, titles, strict=True)]
    briefs = await build_briefs(work, list(zip(tasks, facts, strict=True)))
    for ordinal, task in enumerate(tasks):
        if titles[ordinal]:
            question = request(work, task, items.get(task.item_id or ""), facts[ordinal])
            written = await ask_with_brief(work, engine, question, briefs[ordinal], ordinal)
            drafts.append(
                WrittenDraft(title=titles[ordinal], body=written.text, key=task.key, brief=briefs[ordinal])
            )
        await work.report(ordinal + 1, len(tasks))
    summary = f"{len(drafts)} drafts were written with {engine.platform}."
    return Result(WrittenDrafts(drafts=tuple(drafts)), summary, brief_findings(briefs))


def title_of(task: WritingTask, items: Mapping[str, RepositoryItem]) -> str:
    """Return the title of a text: that of the item which it refreshes, else the question; empty without either."""
    item = items.get(task.item_id or "")
    return item.title if item else (task.text or "")[:LONGEST_TITLE]


async def ask_with_brief(
    work: Work, engine: Engine, question: str, brief: ContentBrief | None, ordinal: int
) -> WrittenText:
    """Ask for a text and show what cited pages have; what was written for the question without them counts as it.

    A page may have changed when an agent is repeated, and what is paid for is not asked again for that.
    """
    pages = shown_pages(brief) if brief else ""
    shown = notes(CITED_PAGES, pages[:LONGEST_NOTES]) if pages else ""
    return await ask(work, engine, f"{question}\n\n{shown}".strip(), ordinal, known_as=question)


def related_items(items: list[RepositoryItem]) -> Callable[[str], list[RepositoryItem]]:
    """Return what finds the items that share most longer words with a text, best first, at most three."""
    held = [(item, stems(flatten(f"{item.title} {item.body}"))) for item in items]

    def find(text: str) -> list[RepositoryItem]:
        wanted = stems(flatten(text))
        ranked = sorted(held, key=lambda pair: (-len(wanted & pair[1]), pair[0].id))
        return [item for item, words in ranked[:MOST_RELATED] if wanted & words]

    return find


def request(
    work: Work, task: WritingTask, item: RepositoryItem | None, related: Sequence[RepositoryItem] = ()
) -> str:
    """Return the whole question: what to write, against whose answers, from which facts, in which voice."""
    brand, tone = work.brand, work.settings(DrafterConfiguration).tone
    parts = [
        f"Write a draft of at most {MOST_WORDS} words for the website of {brand.name}. Use only facts from "
        "the material below. Give no number, price, telephone number, person or address that is not there. "
        "Return the text only.",
        notes("The question it must answer", task.text) if task.text is not None else "",
        notes("The present text", f"{item.title}\n\n{item.body[:LONGEST_NOTES]}") if item else "",
        notes("The brand", profile(work)),
        notes("What the brand publishes about it", shown_items(related)) if related else "",
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
        notes("The tone to write in", tone) if tone else "",
        notes("Notes of the person who asked", work.context[:LONGEST_NOTES]) if work.context else "",
    ]
    return "\n\n".join(part for part in parts if part)


def shown_items(items: Sequence[RepositoryItem]) -> str:
    """Format items for an engine's prompt; each gets an equal share of the length limit."""
    share = LONGEST_NOTES // max(1, len(items))
    return "\n\n".join(f"{item.title}\n{item.body}"[:share] for item in items)


def profile(work: Work) -> str:
    """Return what the profile says, one line a fact."""
    brand = work.brand
    facts = {
        "Name": brand.name,
        "Industry": brand.industry,
        "Website": brand.website,
        "Voice": brand.voice,
        "Audience": brand.target_audience,
        "Keywords": ", ".join(brand.keywords),
    }
    lines = [f"{name}: {value}" for name, value in facts.items() if value]
    return "\n".join([*lines, *([profile_lines(brand.facts)] if brand.facts else [])])
