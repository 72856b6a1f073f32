"""Lets a draft pass only as far as each of its statements follows from profile, repository or site."""

from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Result, Work
from workflows.agents.fact_judge import check_and_judge
from workflows.agents.known_facts import grounding_of, lacking_finding
from workflows.agents.outputs.content import CheckedDrafts, WrittenDrafts
from workflows.agents.repository_auditor import DRAFT
from workflows.agents.writing import writing_engine
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Check every draft by the rules, then by an engine; store what passes both as new items of category `draft`.

    Fails with `no_input` when nothing was drafted, with `provider_not_configured` before any call, as asking does,
    and with `facts_not_supported` when no draft passes; then too what each draft lacks is told.
    """
    drafted = work.outputs_of(WrittenDrafts)
    if not drafted:
        raise AgentFailed("no_input")
    engine = await writing_engine(work)
    grounding = await grounding_of(work)
    drafts = [draft for written in drafted for draft in written.drafts]
    kept: list[ItemDraft] = []
    findings: list[FindingDraft] = []
    for ordinal, draft in enumerate(drafts):
        # The title is the company's own question or the name of its own item: it may name whom it likes.
        checked = await check_and_judge(work, engine, grounding, draft.body, draft.title, ordinal)
        await work.report(ordinal + 1, len(drafts))
        if checked.lacking:
            findings.append(lacking_finding(draft.title, checked))
        if checked.text is not None:
            key = draft.key or f"title:{draft.title}"
            brief = draft.brief.to_json() if draft.brief else None
            kept.append(ItemDraft(draft.title, checked.text, DRAFT, key=key, brief=brief))
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
