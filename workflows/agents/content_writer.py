"""Drafts the planned texts with a configured engine."""

from measurement.accuracy_checks import profile_lines
from measurement.prompt_quoting import notes
from storage.repositories.repository_items import RepositoryItem
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.content import RefreshPlan, WritingTask, WrittenDraft, WrittenDrafts
from workflows.agents.repository import published
from workflows.agents.writing import ask, writing_engine
from workflows.configurations import DrafterConfiguration

LONGEST_NOTES = 6000


async def run(work: Work) -> Result:
    """Write one draft for each planned task; what is drafted is only stored when fact_guard accepts it.

    Fails with `provider_not_configured` before any call.
    """
    engine = await writing_engine(work)
    items = {item.id: item for item in await published(work)}
    tasks = work.output(RefreshPlan).tasks[: work.settings(DrafterConfiguration).itemLimit]
    drafts: list[WrittenDraft] = []
    for ordinal, task in enumerate(tasks):
        item = items.get(task.item_id or "")
        title = item.title if item else (task.text or "")[:200]
        if title:
            written = await ask(work, engine, request(work, task, item), ordinal)
            drafts.append(WrittenDraft(title=title, body=written.text, key=task.key))
        await work.report(ordinal + 1, len(tasks))
    summary = f"{len(drafts)} drafts were written with {engine.platform}."
    return Result(WrittenDrafts(drafts=tuple(drafts)), summary)


def request(work: Work, task: WritingTask, item: RepositoryItem | None) -> str:
    """Return the whole question: what to write, from which facts, in which voice."""
    brand, tone = work.brand, work.settings(DrafterConfiguration).tone
    parts = [
        f"Write a draft of at most 400 words for the website of {brand.name}. Use only facts that stand in the "
        "material below. Give no number, price, telephone number, person or address that is not there. "
        "Return the text only.",
        notes("The question it must answer", task.text) if task.text is not None else "",
        notes("The present text", f"{item.title}\n\n{item.body[:LONGEST_NOTES]}") if item else "",
        notes("The brand", profile(work)),
        notes("The tone to write in", tone) if tone else "",
        notes("Notes of the person who asked", work.context[:LONGEST_NOTES]) if work.context else "",
    ]
    return "\n\n".join(part for part in parts if part)


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
