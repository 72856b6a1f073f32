"""Asks what an agent planned as the one batch of its run, and tells how far it is while it asks."""

import asyncio
from collections import Counter
from collections.abc import Sequence

from measurement.asking.probe_progress import ProbeResult, Step
from measurement.errors import BudgetRefused
from measurement.planning.ask_plan import AskPlan
from storage.ids import derived_id
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.measurement import AskedBatch
from workflows.definitions import MEANINGS
from workflows.errors import AgentFailed

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
