"""Classifies the claims in answers as right, wrong or not checkable."""

from collections import Counter, defaultdict

from analytics.accuracy.claims import VERSION, score
from measurement.publication.accuracy_checks import check_batch, side_by_side
from storage.repositories.answers.judgements import StoredClaim
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.measured import measured
from workflows.agents.outputs.reputation import ClaimChecks, WrongClaim

MOST_EVIDENCE = 3


async def run(work: Work) -> Result:
    """Give every claim of the batch with both texts. Fails with `no_input` when nothing was measured yet."""
    measured_batch = await measured(work)
    claims = await work.workspace.judgements.claims(measured_batch.batch.key)
    checked = await check_batch(
        work.workspace, measured_batch.identity, measured_batch.revision.key, measured_batch.batch.key
    )
    verdicts = Counter(claim.claim.verdict for claim in claims)
    wrong: dict[tuple[str, str], list[StoredClaim]] = defaultdict(list)
    for claim in claims:
        if claim.claim.verdict == "contradicted" and claim.claim.source is not None:
            wrong[claim.claim.kind, claim.claim.source].append(claim)
    output = ClaimChecks(
        method=VERSION,
        facts=len(checked.facts.all),
        omitted=checked.omitted,
        supported=verdicts["supported"],
        contradicted=verdicts["contradicted"],
        unverifiable=verdicts["unverifiable"],
        accuracy_score=score(claim.claim.verdict for claim in claims),
        wrong=tuple(wrong_claim(kind, kind_claims) for (kind, _), kind_claims in wrong.items()),
    )
    findings = tuple(contradiction(kind, kind_claims) for (kind, _), kind_claims in wrong.items())
    if not checked.facts.all:
        findings = (*findings, without_facts())
    summary = (
        f"{verdicts['supported']} claims are right, {verdicts['contradicted']} wrong, "
        f"{verdicts['unverifiable']} cannot be checked."
    )
    return Result(output, summary, findings)


def wrong_claim(kind: str, claims: list[StoredClaim]) -> WrongClaim:
    """Return one contradicted fact for those who weigh risks."""
    first = claims[0]
    return WrongClaim(
        kind=kind,
        times=len(claims),
        channels=tuple(sorted({f"{claim.platform}/{claim.mode}" for claim in claims})),
        answer_id=first.answer_id,
        claim=first.claim.claim,
        fact=first.claim.fact,
        source=first.claim.source,
    )


def contradiction(kind: str, claims: list[StoredClaim]) -> FindingDraft:
    """Show claim and fact side by side."""
    measure, _, subject = kind.partition(":")
    name = f"{measure} of {subject}" if subject else measure
    evidence = [shown for claim in claims[:MOST_EVIDENCE] for shown in side_by_side(claim)]
    times = "One answer contradicts" if len(claims) == 1 else f"{len(claims)} answers contradict"
    return FindingDraft(
        "warning",
        "reputation",
        f"Engines state a wrong {name}",
        f"{times} what the brand says.",
        evidence,
        "State the fact in plain words on a page that engines read, or correct the brand's own entry.",
        "small",
    )


def without_facts() -> FindingDraft:
    """Say that nothing could be held against anything."""
    return FindingDraft(
        "info",
        "reputation",
        "There is no fact to hold claims against",
        "Neither profile nor repository holds a telephone number, an address, opening hours, a price or the like.",
        fix="Add an item with lines such as `Phone: ...` and `Hours: ...`.",
        effort="small",
    )
