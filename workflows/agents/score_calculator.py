"""Says what score a measurement gave, how sure it is, and whether it differs from the one before."""

from analytics.metric_names import MetricName
from analytics.metrics import shown
from measurement.publication.result_documents import ChangeDocument, IntervalPairDocument, ScoreDocument
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.measured import measured
from workflows.agents.outputs.measurement import ScoreSummary
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Give the score of the batch. Fails with `no_input` when nothing was measured yet."""
    measured_batch = await measured(work)
    stored = await work.workspace.results.of_batch(measured_batch.revision.key, measured_batch.batch.key)
    if stored is None:
        raise AgentFailed("no_input")
    document = ScoreDocument.model_validate(stored.headline)
    output = ScoreSummary(
        receipt_id=stored.receipt_id,
        status=document.status,
        score=document.score,
        intervals=document.intervals,
        confidence=document.confidence,
        change=document.change.verdict,
        measurement_verdict=document.measurement_verdict,
    )
    finding = finding_of(work.brand.name, stored.receipt_id, document)
    return Result(output, finding.title + ".", (finding,))


def finding_of(name: str, receipt_id: str, document: ScoreDocument) -> FindingDraft:
    """Report the score, or what is missing for one."""
    evidence = [StoredEvidence(type="receipt", id=receipt_id)]
    if document.score is None or document.intervals is None:
        answers, prompts = (
            numbered(document.missing_answers, "answer"),
            numbered(document.missing_prompts, "prompt"),
        )
        lacking = f"Missing: {answers} and {prompts}."
        title = f"There are too few answers for a score of {name}"
        fix = "Add prompts that do not name the brand, or ask more often."
        return FindingDraft("info", "visibility", title, lacking, evidence, fix, "small")
    score = shown(MetricName.VISIBILITY_SCORE, document.score)
    detail = (
        f"The 95% interval is {describe_intervals(document.intervals)}, "
        f"from {numbered(document.answers, 'answer')} to "
        f"{numbered(document.prompts, 'prompt')}. {describe_change(document.change)}"
    )
    return FindingDraft("info", "visibility", f"The visibility of {name} is {score} of 100", detail, evidence)


def describe_intervals(intervals: IntervalPairDocument) -> str:
    """Name both confidence intervals."""
    these_prompts, others = intervals.these_prompts, intervals.all_questions
    interval_text = f"{these_prompts.low:.1f} to {these_prompts.high:.1f} for these prompts"
    return (
        interval_text
        if others is None
        else f"{interval_text}, {others.low:.1f} to {others.high:.1f} for all such questions"
    )


def describe_change(change: ChangeDocument) -> str:
    """Report a change only when it is statistically significant."""
    delta = change.primary.delta if change.primary else None
    direction = "rose" if delta and delta > 0 else "fell"
    if change.verdict == "changed" and change.value is not None:
        return f"It {direction} by {abs(change.value):.1f} points."
    if change.verdict == "changed_if_missing_are_alike" and change.primary:
        return (
            f"It {direction} among the answers received; {change.primary.missing} are missing, and "
            f"{change.primary.tipping} of them against it would undo this."
        )
    if change.verdict == "changed":
        return f"The share of answers that name it {direction}."
    if change.verdict == "no_detectable_change":
        return "There is no detectable change."
    return "There is no earlier measurement that it can be compared with."
