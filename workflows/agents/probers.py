"""The agents that ask engines, `answer_prober` and `reputation_prober`, with their progress."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from measurement.asking.probe_progress import ProbeResult, Step
from measurement.errors import BudgetRefused
from measurement.planning.ask_plan import AskPlan
from storage.ids import derived_id
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.measurement import AskedBatch
from workflows.configurations import ProberConfiguration, ReputationConfiguration
from workflows.definitions import MEANINGS
from workflows.errors import AgentFailed
from workflows.prober_questions import REPUTATION_QUESTIONS, ask_settings_of, market_plans

TELL_SECONDS = 0.3
SPENT = {"budget_exhausted": "budget_refused"}


class ProgressWriter:
    """Writes an agent's progress beside its work; of steps that come close together only the newest is written."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._newest: Step | None = None
        self._changed = asyncio.Event()

    def __call__(self, step: Step) -> None:
        """Note a step."""
        self._newest = step
        self._changed.set()

    async def write(self) -> None:
        """Write the newest step whenever there is one, until cancelled."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._newest is not None:
                await self._work.report(self._newest.settled, self._newest.total)
            await asyncio.sleep(TELL_SECONDS)


async def ask(work: Work, agent: str, plans: Sequence[AskPlan]) -> Result:
    """Ask and publish; a repeated step finds its batch and asks only what has no answer.

    Fails with the engines' commonest code when nothing could be measured.
    """
    telling = ProgressWriter(work)
    writer = asyncio.create_task(telling.write())
    batch = (work.run_key, derived_id(work.run_id, agent))
    try:
        probed = await work.prober.probe_for_run(work.workspace.company_id, batch, plans, telling)
    except BudgetRefused as refused:
        raise AgentFailed("budget_refused") from refused
    finally:
        writer.cancel()
        await asyncio.gather(writer, return_exceptions=True)
    total = sum(progress.total for progress in probed.progress)
    await work.report(total, total)
    if probed.batch.status != "success":
        raise AgentFailed(most_common_error(probed))
    platforms = sorted({progress.platform for progress in probed.progress})
    output = AskedBatch(
        batch_id=probed.batch.id,
        platforms=tuple(platforms),
        planned=total,
        answers=probed.stored,
        failed=probed.failed,
        status=probed.status,
    )
    summary = f"{probed.stored} of {total} questions were answered by {', '.join(platforms)}."
    return Result(output, f"{summary} {probed.failed} failed." if probed.failed else summary)


def most_common_error(probed: ProbeResult) -> str:
    """Return the code that most asks failed with; answers that are none are an invalid response."""
    codes: Counter[str] = Counter()
    for _, code, _, count in probed.errors:
        codes[SPENT.get(code, code if code in MEANINGS else "provider_error")] += count
    return codes.most_common(1)[0][0] if codes else "invalid_response"


async def run_answer_prober(work: Work) -> Result:
    """Ask prompts x channels x repeats. Fails with `no_input` without prompts, or for the want of engines."""
    ready = await work.prober.keys.platforms(work.workspace.company_id)
    settings = work.settings(ProberConfiguration)
    plans = await market_plans(work.workspace, work.brand, ready, work.engines, settings)
    return await ask(work, "answer_prober", plans)


LANGUAGE = "en"


async def run_reputation_prober(work: Work) -> Result:
    """Ask ten questions about the brand, three times each. Fails with `provider_not_configured` without engines."""
    ready = await work.prober.keys.platforms(work.workspace.company_id)
    settings = ask_settings_of(ready, work.engines, work.settings(ReputationConfiguration))
    if not settings.platforms:
        raise AgentFailed("unsupported_mode" if ready else "provider_not_configured")
    texts = [question.format(brand=work.brand.name) for question in REPUTATION_QUESTIONS]
    prompts = await work.prober.add_questions(work.workspace.company_id, work.brand, texts, LANGUAGE)
    plan = AskPlan(work.brand, None, prompts, None, settings.platforms, settings.mode, settings.repeats)
    return await ask(work, "reputation_prober", [plan])
