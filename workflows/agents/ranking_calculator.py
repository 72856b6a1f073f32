"""Ranks competitors on the same answers, and tests whether a lead is statistically significant."""

from collections.abc import Sequence

from analytics.metric_names import MetricName
from analytics.metrics import shown
from measurement.publication.result_documents import EVERY_PLATFORM, RankedRowDocument, RankingsDocument
from storage.documents import StoredEvidence
from storage.repositories.findings import FindingDraft
from workflows.agents.agent import Result, Work
from workflows.agents.measured import measured
from workflows.agents.outputs.measurement import RankingSummary
from workflows.errors import AgentFailed


async def run(work: Work) -> Result:
    """Give the ranking in force, every row with its score. Fails with `no_input` when nothing was measured yet."""
    await measured(work)
    calculations = await work.workspace.results.rankings(work.brand.key, 1)
    if not calculations:
        raise AgentFailed("no_input")
    ranking = RankingsDocument.model_validate(calculations[0].rankings).rankings[EVERY_PLATFORM]
    findings = tuple(leader(work.brand.name, row, ranking.rows) for row in ahead(ranking.rows))
    output = RankingSummary(
        status=ranking.status, basis=ranking.basis, answers=ranking.answers, rows=ranking.rows
    )
    own = next((row for row in ranking.rows if row.is_brand), None)
    place = (
        f"{work.brand.name} is number {own.rank} of {len(ranking.rows)}."
        if own
        else "No competitor could be ranked."
    )
    return Result(output, place, findings)


def ahead(rows: Sequence[RankedRowDocument]) -> list[RankedRowDocument]:
    """Return the rows above the brand whose lead is no tie; rows are sorted, best first."""
    above: list[RankedRowDocument] = []
    for row in rows:
        if row.is_brand:
            return above if not row.tied_with_above else above[: first_tied(above)]
        above.append(row)
    return []


def first_tied(above: Sequence[RankedRowDocument]) -> int:
    """Return where the chain of ties that ends at the brand begins."""
    at = len(above) - 1
    while at > 0 and above[at].tied_with_above:
        at -= 1
    return at


def leader(brand: str, row: RankedRowDocument, rows: Sequence[RankedRowDocument]) -> FindingDraft:
    """Report a competitor that is named more often."""
    own = next(row for row in rows if row.is_brand)
    detail = (
        f"On the same answers {row.name} scores {shown(MetricName.VISIBILITY_SCORE, row.ranking_score)} and "
        f"{brand} {shown(MetricName.VISIBILITY_SCORE, own.ranking_score)} of 100."
    )
    evidence = [StoredEvidence(type="competitor", id=row.entity_id, excerpt=row.name)]
    return FindingDraft("warning", "visibility", f"{row.name} is ahead of {brand}", detail, evidence)
