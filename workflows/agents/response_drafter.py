"""Drafts replies to the worst risks, with a source for each sentence; nothing is sent or published."""

from measurement.planning.prompt_quoting import notes
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Result, Work
from workflows.agents.drafting import check_draft, facts_about, review_finding, write_draft
from workflows.agents.outputs.reputation import ReplyDrafts, Risk, RiskRanking
from workflows.agents.repository_auditor import DRAFT
from workflows.agents.writing import writing_engine
from workflows.definitions import MOST_REPLIES
from workflows.drafts.document import DraftReview

LONGEST_NOTES = 6000


async def run(work: Work) -> Result:
    """Draft at most three replies as proposals. Fails with `provider_not_configured` before any call."""
    engine = await writing_engine(work)
    risks = work.output(RiskRanking).risks[:MOST_REPLIES]
    kept: list[ItemDraft] = []
    findings: list[FindingDraft] = []
    undecided = 0
    for ordinal, risk in enumerate(risks):
        facts = await facts_about(work, f"{risk.title} {risk.fact or ''} {quotes_of(risk)}")
        sentences = await write_draft(work, engine, task_prompt(work, risk), facts, ordinal)
        review = await check_draft(work, facts, sentences, ordinal)
        title = f"Reply: {risk.title}"
        undecided += review.undecided
        findings += [review_finding(title, review), proposal(title, review, risk)]
        kept.append(ItemDraft(title, review.body, DRAFT, key=f"reply:{risk.title}", review=review.to_json()))
        await work.report(ordinal + 1, len(risks))
    output = ReplyDrafts(drafts=tuple(draft.title for draft in kept), undecided=undecided)
    summary = (
        f"{len(kept)} of {len(risks)} replies were drafted." if risks else "There is nothing to reply to."
    )
    return Result(output, summary, tuple(findings), tuple(kept))


def task_prompt(work: Work, risk: Risk) -> str:
    """Return what to write; the facts follow it."""
    parts = [
        f"Write a reply of at most 150 words on behalf of {work.brand.name} to the statements below. Be factual and "
        "polite.",
        notes("The statements", quotes_of(risk)[:LONGEST_NOTES]),
        notes("Notes of the person who asked", work.context[:LONGEST_NOTES]) if work.context else "",
    ]
    return "\n\n".join(part for part in parts if part)


def quotes_of(risk: Risk) -> str:
    """Return the statements of a risk, one per line."""
    return "\n".join(quote.quote or "" for quote in risk.quotes)


def proposal(title: str, review: DraftReview, risk: Risk) -> FindingDraft:
    """Show a reply, with its undecided sentences marked, and the statements that it answers."""
    evidence = [
        StoredEvidence(type="answer", id=quote.answer_id, excerpt=quote.quote or "") for quote in risk.quotes
    ]
    severity = "warning" if review.undecided else "info"
    return FindingDraft(severity, "proposal", title, review.marked_body, evidence, effort="small")
