"""Lets a draft pass only as far as each of its statements follows from profile, repository or site."""

from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Result, Work
from workflows.agents.known_facts import check_draft, grounding_of, lacking_finding
from workflows.agents.outputs.content import CheckedDrafts, WrittenDrafts
from workflows.agents.repository import DRAFT
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Check every draft; store what passes as new items of category `draft`.

    Fails with `no_input` when nothing was drafted, and with `facts_not_supported` when none passes; what each draft
    lacks is told in both cases.
    """
    drafted = work.outputs_of(WrittenDrafts)
    if not drafted:
        raise AgentFailed("no_input")
    grounding = await grounding_of(work)
    drafts = [draft for written in drafted for draft in written.drafts]
    kept: list[ItemDraft] = []
    findings: list[FindingDraft] = []
    for draft in drafts:
        # The title is the company's own question or the name of its own item: it may name whom it likes.
        checked = check_draft(grounding, draft.body, draft.title)
        if checked.lacking:
            findings.append(lacking_finding(draft.title, checked))
        if checked.text is not None:
            key = draft.key or f"title:{draft.title}"
            kept.append(ItemDraft(draft.title, checked.text, DRAFT, key=key))
    if not kept:
        raise AgentFailed("facts_not_supported", findings)
    proposals = [
        FindingDraft("info", "proposal", draft.title, "A draft is stored in the repository.", effort="small")
        for draft in kept
    ]
    refused = len(drafts) - len(kept)
    output = CheckedDrafts(accepted=tuple(draft.title for draft in kept), refused=refused)
    summary = f"{len(kept)} of {len(drafts)} drafts hold only facts that are known."
    return Result(output, summary, (*proposals, *findings), tuple(kept))
