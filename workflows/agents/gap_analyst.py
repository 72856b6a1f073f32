"""Explain why competitors win prompts, by being named without the brand or cited alone, and plan actions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta

from analytics.gaps import GapKind
from analytics.intervention import ExpectedGain
from measurement.statistics.expected_gains import expected_gains
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.gap_finder import FIXES, prompt_gap
from workflows.agents.lost_questions import (
    LostAnswer,
    action_for,
    loss_reasons,
    read_lost_answers,
    site_reason,
)
from workflows.agents.measured import measured
from workflows.agents.outputs.gaps import CompetitorGaps, LossReason, LostQuestion, PlannedAction
from workflows.agents.repository_auditor import published
from workflows.agents.site import report_observations
from workflows.errors import AgentFailed
from workflows.monitors.content_gap import ContentGap, GapAssessment, check_of, judge, load, observations
from workflows.monitors.figures import Skipped
from workflows.run_reports import GAIN_UNKNOWN, gain_text

AGAINST_RIVALS = ("gap.answer", "gap.citation")
MOST_PLANNED = 5


async def run(work: Work) -> Result:
    """Assess every prompt by gaps/1, explain why it is lost, and plan at most five actions, highest gain first.

    Fails with `no_input` when nothing was measured yet.
    """
    try:
        material = await load(work.workspace, work.brand, work.now)
    except Skipped as skipped:
        raise AgentFailed("no_input") from skipped
    judged = await judge(work.workspace, work.brand, material, work.now)
    known = await work.workspace.issues.open_of(work.brand.key)
    seen = [
        observation
        for observation in observations(judged, material.prompts, known)
        if observation.check_id in AGAINST_RIVALS
    ]
    shared = report_observations(seen, FIXES)
    lost_gaps = [gap for gap in judged.gaps if check_of(gap.gap.kind) in AGAINST_RIVALS]
    questions = await lost_questions(work, judged, lost_gaps)
    plan = plan_actions(questions)
    by_prompt = {question.prompt_id: question for question in questions}
    findings = tuple(
        explained(finding, by_prompt[gap.prompt_id])
        for finding, gap in zip(shared.findings, lost_gaps, strict=True)
    )
    gaps = tuple(prompt_gap(gap, material.names) for gap in lost_gaps)
    summary = f"Competitors win {len(questions)} of {len(material.prompts)} prompts."
    output = CompetitorGaps(gaps=gaps, lost=questions, plan=plan)
    return Result(output, summary, (*findings, *plan_finding(plan, by_prompt)), raised=shared.raised)


async def lost_questions(
    work: Work, judged: GapAssessment, lost_gaps: Sequence[ContentGap]
) -> tuple[LostQuestion, ...]:
    """Return each prompt that competitors win, with the likely reasons and its expected gain."""
    kinds: dict[str, set[GapKind]] = defaultdict(set)
    for gap in judged.gaps:
        kinds[gap.prompt_id].add(gap.gap.kind)
    texts = {gap.prompt_id: gap.prompt for gap in lost_gaps}
    entities = await work.workspace.brands.entities(work.brand)
    answers: Mapping[str, list[LostAnswer]] = await read_lost_answers(work, await measured(work))
    markup = await site_reason(work, entities)
    items = await published(work)
    own_text = "\n".join(f"{item.title}\n{item.body}" for item in items)
    gains = await expected_gains(work.workspace, work.brand, texts.keys(), work.now + timedelta(days=1))
    questions: list[LostQuestion] = []
    for prompt_id, text in texts.items():
        reasons = loss_reasons(answers.get(prompt_id, []), frozenset(kinds[prompt_id]), entities, own_text)
        # Markup helps a page to be read for any question, so it only adds to other reasons and is never the sole one.
        if markup is not None and reasons:
            reasons.append(markup)
        gain = gains.get(prompt_id)
        questions.append(
            LostQuestion(
                prompt_id=prompt_id,
                text=text,
                reasons=tuple(reasons),
                gain=None if gain is None else gain.points,
                low=None if gain is None else gain.interval[0],
                high=None if gain is None else gain.interval[1],
            )
        )
    return tuple(questions)


def plan_actions(questions: Sequence[LostQuestion]) -> tuple[PlannedAction, ...]:
    """Return at most five actions for different prompts, highest gain first and unknown gains last."""
    ranked = sorted(
        questions, key=lambda question: (question.gain is None, -(question.gain or 0), -len(question.reasons))
    )
    planned: list[PlannedAction] = []
    for question in ranked[:MOST_PLANNED]:
        action, effort = action_for(question.reasons)
        planned.append(
            PlannedAction.model_validate(
                {**question.model_dump(include={"prompt_id", "gain", "low", "high"}), "action": action}
                | {"effort": effort}
            )
        )
    return tuple(planned)


def explained(finding: FindingDraft, question: LostQuestion) -> FindingDraft:
    """Return a finding with the reasons, their evidence, the action and its expected gain."""
    action, effort = action_for(question.reasons)
    detail = " ".join([*likely(question.reasons), gain_of(question)]).strip()
    evidence = [
        *finding.evidence,
        *(item for reason in question.reasons for item in evidence_of(reason)),
    ]
    unique = {(item.type, item.id, item.url): item for item in reversed(evidence)}
    return replace(
        finding,
        detail=f"{detail} {finding.detail}".strip(),
        evidence=list(reversed(unique.values())),
        fix=action,
        effort=effort,
        reasons=reason_sentences(question.reasons),
    )


def likely(reasons: Sequence[LossReason]) -> list[str]:
    """Return the reasons as sentences."""
    if not reasons:
        return ["The stored answers, citations and scans show no reason."]
    return ["Likely reasons.", *reason_sentences(reasons)]


def reason_sentences(reasons: Sequence[LossReason]) -> list[str]:
    """Return each reason as a sentence that begins with its kind."""
    return [f"{reason.kind.capitalize()}: {reason.says}" for reason in reasons]


def gain_of(question: LostQuestion | PlannedAction) -> str:
    """Describe the expected gain of a prompt, which is unknown when too few comparable prompts were measured."""
    if question.gain is None or question.low is None or question.high is None:
        return GAIN_UNKNOWN
    return gain_text(ExpectedGain(question.gain, (question.low, question.high), 0))


def evidence_of(reason: LossReason) -> list[StoredEvidence]:
    """Return the answers and pages that support a reason."""
    return [
        *(
            StoredEvidence(type="answer", id=answer, excerpt=reason.says[:300])
            for answer in reason.answer_ids
        ),
        *(StoredEvidence(type="page", url=url, excerpt=reason.kind) for url in reason.urls),
    ]


def plan_finding(
    plan: Sequence[PlannedAction], questions: Mapping[str, LostQuestion]
) -> tuple[FindingDraft, ...]:
    """Return the plan as one finding, or nothing when no prompt is lost."""
    if not plan:
        return ()
    lines = [
        f"{number}. “{questions[step.prompt_id].text[:120]}”: {step.action} {gain_of(step)} Effort: {step.effort}."
        for number, step in enumerate(plan, 1)
    ]
    evidence = [
        StoredEvidence(type="prompt", id=step.prompt_id, excerpt=questions[step.prompt_id].text[:300])
        for step in plan
    ]
    title = f"Plan: {len(plan)} action{'s' if len(plan) > 1 else ''}, those that gain most first"
    return (FindingDraft("info", "proposal", title, "\n".join(lines), evidence),)
