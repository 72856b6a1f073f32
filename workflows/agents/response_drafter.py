"""Drafts replies to the worst risks; a reply with an unconfirmed fact is rejected."""

from measurement.planning.prompt_quoting import notes
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from storage.repositories.repository_items import ItemDraft
from workflows.agents.agent import Result, Work
from workflows.agents.content_writer import profile
from workflows.agents.fact_judge import check_and_judge
from workflows.agents.known_facts import grounding_of, lacking_finding
from workflows.agents.outputs.reputation import ReplyDrafts, Risk, RiskRanking
from workflows.agents.repository_auditor import DRAFT, published
from workflows.agents.writing import ask, writing_engine
from workflows.definitions import MOST_REPLIES
from workflows.errors import AgentFailed

LONGEST_NOTES = 6000


async def run(work: Work) -> Result:
    """Draft at most three replies as proposals; nothing is sent or published anywhere.

    Fails with `provider_not_configured` before any call, and with `facts_not_supported` when no draft holds.
    """
    engine = await writing_engine(work)
    risks = work.output(RiskRanking).risks[:MOST_REPLIES]
    items = await published(work)
    material = "\n".join([profile(work), *(f"{item.title}\n{item.body}\n{item.url or ''}" for item in items)])
    grounding = await grounding_of(work)
    kept: list[ItemDraft] = []
    findings: list[FindingDraft] = []
    for ordinal, risk in enumerate(risks):
        written = (await ask(work, engine, request(work, risk, material), ordinal)).text
        title = f"Reply: {risk.title}"
        checked = await check_and_judge(work, engine, grounding, written, "", ordinal)
        if checked.lacking:
            findings.append(lacking_finding(title, checked))
        if checked.text is not None:
            kept.append(ItemDraft(title, checked.text, DRAFT, key=f"reply:{risk.title}"))
            findings.append(proposal(title, checked.text, risk))
        await work.report(ordinal + 1, len(risks))
    if risks and not kept:
        raise AgentFailed("facts_not_supported", findings)
    output = ReplyDrafts(drafts=tuple(draft.title for draft in kept), refused=len(risks) - len(kept))
    summary = (
        f"{len(kept)} of {len(risks)} replies were drafted." if risks else "There is nothing to reply to."
    )
    return Result(output, summary, tuple(findings), tuple(kept))


def request(work: Work, risk: Risk, material: str) -> str:
    """Return the prompt: the claim, the facts and the brand voice."""
    quotes = "\n".join(quote.quote or "" for quote in risk.quotes)
    parts = [
        f"Write a reply of at most 150 words on behalf of {work.brand.name} to the claims below. Be factual and "
        "polite. Use only facts from the material; give no number, price, person or address that is not "
        "there. Return the text only.",
        notes("Claims", quotes[:LONGEST_NOTES]),
        notes("What is so", risk.fact) if risk.fact else "",
        notes("The brand and what it publishes", material[:LONGEST_NOTES]),
        notes("Notes of the person who asked", work.context[:LONGEST_NOTES]) if work.context else "",
    ]
    return "\n\n".join(part for part in parts if part)


def proposal(title: str, written: str, risk: Risk) -> FindingDraft:
    """Show a reply beside what it replies to."""
    evidence = [
        StoredEvidence(type="answer", id=quote.answer_id, excerpt=quote.quote or "") for quote in risk.quotes
    ]
    return FindingDraft("info", "proposal", title, written, evidence, effort="small")
