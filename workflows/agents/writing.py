"""Asks a configured engine to write; the built-in engine may be measured, but is not trusted to write."""

import hashlib

from engines.engine import Engine, EngineAnswer, Mode, Question
from engines.errors import EngineError
from engines.settings import LOCAL
from workflows.agents.agent import Work
from workflows.errors import AgentFailed

LONGEST_DRAFT = 1200
"""Tokens of one draft."""


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
) -> EngineAnswer:
    """Ask for one text. Fails with the engine's code, or `invalid_response` when nothing usable came."""
    key = hashlib.sha256(f"{work.run_id}|{ordinal}".encode()).hexdigest()
    question = Question(
        text, Mode.VISIBILITY, key, max_output_tokens=max_output_tokens, temperature=temperature
    )
    try:
        credential = await work.prober.keys.find(work.workspace.company_id, engine.platform)
        answer = await engine.ask(question, credential)
    except EngineError as error:
        raise AgentFailed(str(error.code)) from error
    if answer.status != "answered" or not answer.text.strip():
        raise AgentFailed("invalid_response")
    return answer
