"""Finds what is missing: prompts that others win or nothing covers, and checks that the site fails."""

from collections.abc import Mapping

from storage.repositories.findings import FindingDraft
from storage.repositories.issues import Issue
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.outputs.gaps import FailedCheck, GapFindings, PromptGap
from workflows.agents.site import failing_checks, report_observations, report_of
from workflows.monitors.content_gap import ContentGap, judge, load, observations
from workflows.monitors.figures import Skipped

FIXES = {
    "gap.answer": "Publish a text that answers the question, with the facts that the named competitors give.",
    "gap.citation": "Publish a page that can be cited for the question, and link it from the pages that matter.",
    "gap.coverage": "Publish a text that answers the question.",
    "gap.stale": "Read the item again and bring it up to date.",
    "gap.missing_fact": "Add the fact that is asked for to the item.",
}


async def run(work: Work) -> Result:
    """Judge every prompt by gaps/1 and list the checks that fail.

    Fails with nothing: without prompts, answers or a report there are no gaps to speak of, and it says so.
    """
    report = await report_of(work)
    checks = failing_checks(report) if report else []
    failed = tuple(FailedCheck(check_id=check.id, title=check.title) for check in checks)
    try:
        material = await load(work.workspace, work.brand, work.now)
    except Skipped:
        unmeasured = f"Nothing was measured yet; {numbered(len(failed), 'check')} of the site not passed."
        return Result(GapFindings(gaps=(), failed=failed), unmeasured)
    judged = await judge(work.workspace, work.brand, material, work.now)
    known: list[Issue] = await work.workspace.issues.open_of(work.brand.key)
    shared = report_observations(observations(judged, material.prompts, known), FIXES)
    gaps = tuple(prompt_gap(gap, material.names) for gap in judged.gaps)
    findings: tuple[FindingDraft, ...] = shared.findings
    prompts = numbered(len(material.prompts), "prompt")
    found = f"{numbered(len(gaps), 'likely gap')} in {prompts}"
    summary = f"{found}; {numbered(len(failed), 'check')} of the site not passed."
    return Result(GapFindings(gaps=gaps, failed=failed), summary, findings, raised=shared.raised)


def prompt_gap(found_gap: ContentGap, names: Mapping[str, str]) -> PromptGap:
    """Return a gap for the result; competitors that are no longer tracked are left out."""
    return PromptGap(
        kind=found_gap.gap.kind,
        severity=found_gap.gap.severity,
        prompt_id=found_gap.prompt_id,
        text=found_gap.prompt,
        rivals=tuple(names[key] for key in found_gap.gap.rivals if key in names),
        quotes=tuple(item.excerpt for item in found_gap.evidence if item.type == "answer" and item.excerpt),
    )
