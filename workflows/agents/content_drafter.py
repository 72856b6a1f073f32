"""Drafts texts for the gaps that were found, with a configured engine."""

from analytics.gaps import GapKind
from workflows.agents.agent import Result, Work
from workflows.agents.briefs import brief_findings, build_briefs
from workflows.agents.content_writer import draft_for, related_items, task_prompt, title_of
from workflows.agents.outputs.content import WritingTask, WrittenDraft, WrittenDrafts
from workflows.agents.outputs.gaps import GapFindings
from workflows.agents.repository_auditor import published
from workflows.agents.writing import writing_engine
from workflows.definitions import MOST_WRITTEN
from workflows.errors import AgentFailed

WRITABLE = (GapKind.ANSWER, GapKind.COVERAGE, GapKind.CITATION)


async def run(work: Work) -> Result:
    """Draft at most three texts, for different prompts; fact_guard checks and stores them.

    Fails with `provider_not_configured` before any call, and with `no_input` when no gap asks for a text.
    """
    engine = await writing_engine(work)
    all_gaps = work.output(GapFindings).gaps
    gaps = [gap for kind in WRITABLE for gap in all_gaps if gap.kind is kind]
    prompts = {gap.prompt_id: gap for gap in reversed(gaps)}
    chosen = list(reversed(prompts.items()))[:MOST_WRITTEN]
    if not chosen:
        raise AgentFailed("no_input")
    drafts: list[WrittenDraft] = []
    related = related_items(await published(work))
    tasks = [
        (
            WritingTask(
                kind="answer", prompt_id=prompt_id, text=gap.text, rivals=gap.rivals, quotes=gap.quotes
            ),
            related(gap.text),
        )
        for prompt_id, gap in chosen
    ]
    briefs = await build_briefs(work, tasks)
    for ordinal, ((task, _), brief) in enumerate(zip(tasks, briefs, strict=True)):
        prompt = task_prompt(work, task, None)
        drafts.append(await draft_for(work, engine, task, title_of(task, {}), prompt, brief, ordinal))
        await work.report(ordinal + 1, len(tasks))
    summary = f"{len(drafts)} drafts were written with {engine.platform}."
    return Result(WrittenDrafts(drafts=tuple(drafts)), summary, brief_findings(briefs))
