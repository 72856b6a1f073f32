"""Asks a configured engine to write; the built-in engine may be measured, but is not trusted to write."""

import hashlib

from engines.engine import Engine, Mode, Question
from engines.errors import EngineError
from engines.settings import LOCAL
from storage.repositories.runs.run_agents import WritingAsk, WrittenText
from workflows.agents.agent import Work
from workflows.errors import AgentFailed

LONGEST_DRAFT = 1200
"""Tokens of one draft."""
LONGEST_TOKEN = 16
"""Characters; an engine that sends more for each token that it may write did not do what it was asked."""


async def writing_engine(work: Work) -> Engine:
    """Return the first configured engine that may write. Fails with `provider_not_configured`."""
    for platform in await work.prober.keys.platforms(work.workspace.company_id):
        if platform != LOCAL:
            engine = work.engines.get(platform)
            if Mode.VISIBILITY in engine.modes:
                return engine
    raise AgentFailed("provider_not_configured")


async def ask(
    work: Work,
    engine: Engine,
    text: str,
    ordinal: int,
    max_output_tokens: int = LONGEST_DRAFT,
    temperature: float | None = None,
    known_as: str | None = None,
) -> WrittenText:
    """Ask for one text, once: what came is stored before anything else, and a repeated agent finds it there.

    It is found by the question, or by `known_as` where the question shows what may have changed since.
    Fails with the engine's code, or `invalid_response` when nothing usable came.
    """
    wanted = f"{engine.platform}|{max_output_tokens}|{temperature}|{known_as or text}"
    question_sha256 = hashlib.sha256(wanted.encode()).hexdigest()
    asked = WritingAsk(work.run_key, work.agent, ordinal, question_sha256)
    present = await work.workspace.written_texts.find(asked)
    if present is not None:
        return present
    key = hashlib.sha256(f"{work.run_id}|{work.agent}|{ordinal}|{question_sha256}".encode()).hexdigest()
    question = Question(
        text, Mode.VISIBILITY, key, max_output_tokens=max_output_tokens, temperature=temperature
    )
    try:
        credential = await work.prober.keys.find(work.workspace.company_id, engine.platform)
        answer = await engine.ask(question, credential)
    except EngineError as error:
        raise AgentFailed(str(error.code)) from error
    longest = max_output_tokens * LONGEST_TOKEN
    if answer.status != "answered" or not answer.text.strip() or len(answer.text) > longest:
        raise AgentFailed("invalid_response")
    written = WrittenText(answer.text, answer.requested_model)
    if work.store is not None:
        await work.store(lambda writing: writing.written_texts.keep(asked, written))
    return written
