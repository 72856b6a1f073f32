"""Drafts texts for the gaps that were found, with a configured engine."""

from workflows.agents.agent import Result, Work
from workflows.agents.content_writer import request
from workflows.agents.writing import ask, writing_engine
from workflows.definitions import MOST_WRITTEN
from workflows.errors import AgentFailed

WRITABLE = ("answer", "coverage", "citation")
LONGEST_TITLE = 200


async def run(work: Work) -> Result:
    """Draft at most three texts, for different prompts; fact_guard decides what is stored.

    Fails with `provider_not_configured` before any call, and with `no_input` when no gap asks for a text.
    """
    engine = await writing_engine(work)
    gaps = [gap for kind in WRITABLE for gap in work.outputs["gap_finder"]["gaps"] if gap["kind"] == kind]
    prompts = {gap["promptId"]: gap["text"] for gap in reversed(gaps)}
    chosen = list(reversed(prompts.values()))[:MOST_WRITTEN]
    if not chosen:
        raise AgentFailed("no_input")
    drafts: list[dict[str, str]] = []
    for ordinal, text in enumerate(chosen):
        written = await ask(work, engine, request(work, {"kind": "answer", "text": text}, None), ordinal)
        drafts.append({"title": text[:LONGEST_TITLE], "body": written.text})
        await work.report(ordinal + 1, len(chosen))
    return Result({"drafts": drafts}, f"{len(drafts)} drafts were written with {engine.platform}.")
