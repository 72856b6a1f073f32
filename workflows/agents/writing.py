"""Asks a configured engine to write; the built-in engine may be measured, but is not trusted to write."""

import hashlib
from dataclasses import dataclass

from engines.engine import Engine, Mode, Question
from engines.errors import EngineError
from engines.settings import LOCAL
from measurement.planning.costs import WritingAllowance
from storage.repositories.runs.run_agents import WritingAsk, WrittenText
from storage.workspace import Workspace
from workflows.agents.agent import Work
from workflows.errors import AgentFailed

LONGEST_DRAFT = 1200
"""Tokens of one draft."""
LONGEST_TOKEN = 16
"""Characters; an engine that sends more for each token that it may write did not do what it was asked."""


@dataclass(frozen=True, slots=True)
class Spending:
    """What requests may cost, and the batch on whose account they are."""

    allowance: WritingAllowance
    batch_key: int


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
    spending: Spending | None = None,
) -> WrittenText:
    """Ask for one text, once: what came is stored before anything else, and a repeated agent finds it there.

    It is found by the question, or by `known_as` where the question shows what may have changed since.
    Fails with the engine's code, `invalid_response` when nothing usable came, or `budget_refused` before it asks.
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
    await _reserve(work, spending)
    try:
        credential = await work.prober.keys.find(work.workspace.company_id, engine.platform)
        answer = await engine.ask(question, credential)
    except EngineError as error:
        if spending is not None and work.store is not None and not error.possibly_billed:
            released, account = spending.allowance, spending.batch_key
            await work.store(lambda writing: released.give_back(writing, account, work.now.date()))
        raise AgentFailed(str(error.code)) from error
    written = WrittenText(answer.text, answer.requested_model)
    longest = max_output_tokens * LONGEST_TOKEN
    usable = answer.status == "answered" and answer.text.strip() and len(answer.text) <= longest

    async def settle(writing: Workspace) -> None:
        if usable:
            await writing.written_texts.keep(asked, written)
        if spending is not None:
            await spending.allowance.spend(
                writing, spending.batch_key, work.now.date(), engine.platform, answer
            )

    if work.store is not None:
        await work.store(settle)
    if not usable:
        raise AgentFailed("invalid_response")
    return written


async def _reserve(work: Work, spending: Spending | None) -> None:
    """Set aside what a request may cost."""
    if spending is None or work.store is None:
        return
    allowed = True

    async def set_aside(writing: Workspace) -> None:
        nonlocal allowed
        allowed = await spending.allowance.reserve(writing, spending.batch_key, work.now.date())

    await work.store(set_aside)
    if not allowed:
        raise AgentFailed("budget_refused")
