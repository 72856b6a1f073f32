"""Says what score a measurement gave, how sure it is, and whether it differs from the one before."""

from typing import Any

from analytics.metrics import MetricName, shown
from storage.repositories.findings import FindingDraft
from storage.repositories.results import Calculation
from workflows.agents.agent import Result, Work
from workflows.agents.measured import measured
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Give the score of the batch. Fails with `no_input` when nothing was measured yet."""
    found = await measured(work)
    stored = await work.workspace.results.of_batch(found.revision.key, found.batch.key)
    if stored is None:
        raise AgentFailed("no_input")
    output: dict[str, Any] = {
        "receiptId": stored.receipt_id,
        "status": stored.status,
        "score": stored.score,
        "interval": stored.headline["interval"],
        "confidence": stored.headline["confidence"],
        "change": stored.headline["change"]["verdict"],
        "measurementVerdict": stored.headline["measurementVerdict"],
    }
    finding = finding_of(work.brand.name, stored)
    return Result(output, finding.title + ".", (finding,))


def finding_of(name: str, stored: Calculation) -> FindingDraft:
    """Tell the score, or what it lacks."""
    evidence = [{"type": "receipt", "id": stored.receipt_id}]
    headline = stored.headline
    if stored.score is None:
        lacking = f"It lacks {headline['missingAnswers']} answers and {headline['missingPrompts']} prompts."
        title = f"There are too few answers for a score of {name}"
        fix = "Add prompts that do not name the brand, or ask more often."
        return FindingDraft("info", "visibility", title, lacking, evidence, fix, "small")
    score = shown(MetricName.VISIBILITY_SCORE, stored.score)
    interval = headline["interval"]
    detail = (
        f"The 95 % interval is {interval['low']:.1f} to {interval['high']:.1f}, from {headline['answers']} answers "
        f"to {headline['prompts']} prompts. {change_of(headline['change'])}"
    )
    return FindingDraft("info", "visibility", f"The visibility of {name} is {score} of 100", detail, evidence)


def change_of(change: dict[str, Any]) -> str:
    """Tell a change only when the tests found one."""
    if change["verdict"] == "changed" and change["value"] is not None:
        return f"It {'rose' if change['value'] > 0 else 'fell'} by {abs(change['value']):.1f} points."
    if change["verdict"] == "no_detectable_change":
        return "There is no detectable change."
    return "There is no earlier measurement that it can be compared with."
