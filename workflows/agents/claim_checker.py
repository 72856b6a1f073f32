"""Tells which claims of the answers are right, wrong or cannot be checked."""

from collections import Counter, defaultdict

from analytics.accuracy.claims import VERSION, score
from measurement.accuracy_checks import check_batch, side_by_side
from storage.repositories.answers.judgements import StoredClaim
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.measured import measured

MOST_EVIDENCE = 3


async def run(work: Work) -> Result:
    """Give every claim of the batch with both texts. Fails with `no_input` when nothing was measured yet."""
    found = await measured(work)
    claims = await work.workspace.judgements.claims(found.batch.key)
    checked = await check_batch(work.workspace, found.identity, found.revision.key, found.batch.key)
    verdicts = Counter(one.claim.verdict for one in claims)
    wrong: dict[tuple[str, str], list[StoredClaim]] = defaultdict(list)
    for one in claims:
        if one.claim.verdict == "contradicted" and one.claim.source is not None:
            wrong[one.claim.kind, one.claim.source].append(one)
    output = {
        "method": VERSION,
        "facts": len(checked.facts.all),
        "omitted": checked.omitted,
        "supported": verdicts["supported"],
        "contradicted": verdicts["contradicted"],
        "unverifiable": verdicts["unverifiable"],
        "accuracyScore": score(one.claim.verdict for one in claims),
        "wrong": [risk(kind, told) for (kind, _), told in wrong.items()],
    }
    findings = tuple(contradiction(kind, told) for (kind, _), told in wrong.items())
    if not checked.facts.all:
        findings = (*findings, without_facts())
    summary = (
        f"{verdicts['supported']} claims are right, {verdicts['contradicted']} wrong, "
        f"{verdicts['unverifiable']} cannot be checked."
    )
    return Result(output, summary, findings)


def risk(kind: str, told: list[StoredClaim]) -> dict[str, object]:
    """Return one contradicted fact for those who weigh risks."""
    first = told[0]
    return {
        "kind": kind,
        "times": len(told),
        "channels": sorted({f"{one.platform}/{one.mode}" for one in told}),
        "answerId": first.answer_id,
        "claim": first.claim.claim,
        "fact": first.claim.fact,
        "source": first.claim.source,
    }


def contradiction(kind: str, told: list[StoredClaim]) -> FindingDraft:
    """Show claim and fact side by side."""
    what, _, thing = kind.partition(":")
    name = f"{what} of {thing}" if thing else what
    evidence = [shown for one in told[:MOST_EVIDENCE] for shown in side_by_side(one)]
    times = "One answer contradicts" if len(told) == 1 else f"{len(told)} answers contradict"
    return FindingDraft(
        "warning",
        "reputation",
        f"Engines tell a wrong {name}",
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
