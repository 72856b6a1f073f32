"""Checks every sentence of the drafts, and stores the drafts with a state for each sentence."""

from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Result, Work, numbered
from workflows.agents.drafting import check_draft, review_finding
from workflows.agents.outputs.content import CheckedDrafts, WrittenDrafts
from workflows.agents.repository_auditor import DRAFT
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Check values, then have an engine quote its evidence; nothing is cut. Fails with `no_input` without drafts."""
    drafts = [draft for written in work.outputs_of(WrittenDrafts) for draft in written.drafts]
    if not drafts:
        raise AgentFailed("no_input")
    kept: list[ItemDraft] = []
    findings: list[FindingDraft] = []
    undecided = 0
    for ordinal, draft in enumerate(drafts):
        review = await check_draft(work, draft.facts, draft.sentences, ordinal)
        await work.report(ordinal + 1, len(drafts))
        undecided += review.undecided
        findings.append(review_finding(draft.title, review))
        key = draft.key or f"title:{draft.title}"
        brief = draft.brief.to_json() if draft.brief else None
        kept.append(ItemDraft(draft.title, review.body, DRAFT, key=key, brief=brief, review=review.to_json()))
    output = CheckedDrafts(drafts=tuple(draft.title for draft in kept), undecided=undecided)
    summary = f"{numbered(len(kept), 'draft')} stored; {numbered(undecided, 'sentence')} to review."
    return Result(output, summary, tuple(findings), tuple(kept))
