"""The ranking tool: brands against their competitors on the same answers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from analytics.metric_names import MetricName as Metric
from analytics.metrics import shown
from measurement.publication.receipt_document import ReceiptDocument
from measurement.publication.result_documents import (
    EVERY_PLATFORM,
    RankedRowDocument,
    RankingDocument,
    RankingsDocument,
)
from measurement.statistics.filtered_results import filtered_results
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.results import BrandRankings
from storage.workspace import Workspace
from tools.calls.call import NamedBrandIfAny, ThisCall
from tools.calls.errors import ToolRefusal
from tools.calls.filters import (
    FILTERED_NOTICE,
    ChosenAnswers,
    is_stored,
    nothing_chosen,
    nothing_from,
    nothing_of,
)
from tools.calls.parameters import NEXT_CALL, CompanyWideBrandId, Limit, Omissible
from tools.calls.schemas import required_with
from tools.calls.table import ToolFamily
from tools.calls.wire import (
    Intervals,
    ListWindow,
    Measurement,
    Wire,
    company_measurement,
    intervals_view,
    measurement_of,
    notice,
    untrusted_fields,
)

family = ToolFamily()

TOO_FEW = "The chosen answers are too few to rank by; get_prompt_results shows who is named in them."


class RankedEntity(Wire):
    """One row of a ranking; the brand and its competitors are scored on the same answers."""

    brandId: str = Field(description="The brand whose ranking this is.")
    brandName: str
    entityId: str = Field(description="The ranked brand or competitor.")
    name: str
    isBrand: bool
    rank: int = Field(description="From 1; equal scores share a rank.")
    rankingScore: float = Field(description="0 to 100, over the parts that are measured for all of them.")
    intervals: Intervals | None
    presence: float = Field(description="Share of answers that name it.")
    tiedWithAbove: bool = Field(description="The interval of the difference to the row above includes 0.")
    previousRank: int | None
    rankChange: int | None = Field(description="previousRank - rank; positive is better.")
    direction: str = Field(description="up, down, same or new.")
    platform: str | None = Field(description="The platform it is restricted to, or null.")
    basis: list[str] = Field(description="Parts of the score that are compared.")
    confidence: str | None
    answers: int = Field(description="Answers that all of them are scored on.")
    calculatedAt: datetime


class CompetitorRankings(Wire):
    """Rankings of one brand or of every brand, last measured first, each by rank."""

    window = ListWindow("rankings", following=None)

    country: str | None = Field(description="The country they are restricted to, or null.")
    rankings: list[RankedEntity]
    total: int
    limit: int
    measurement: Measurement = Field(
        description="Of the rankings shown; company-wide the sample is of all brands together, without interval."
    )
    notice: str | None
    untrusted: list[str] = untrusted_fields("rankings[].brandName", "rankings[].name")


OF_ONE_BRAND = ("mode", "promptSetId", "promptId", "tag", "intent", "from", "to")
"""Filters by which nothing is stored, so that one brand's ranking is made of the answers when it is asked for."""


@family.read(
    "Get competitor rankings",
    charted=True,
    rules=lambda: [required_with("brandId", field=name, value={}) for name in OF_ONE_BRAND],
)
async def get_competitor_rankings(
    brand: NamedBrandIfAny,
    call: ThisCall,
    chosen: ChosenAnswers,
    brandId: Omissible[CompanyWideBrandId] = None,
    limit: Limit = 50,
) -> CompetitorRankings:
    """Return how a brand ranks against its competitors on the same answers. For single prompts use
    get_prompt_results."""
    workspace = await call.workspace()
    country, platform = chosen.country, chosen.platform
    if not is_stored(chosen, ("platform",)):
        return await _filtered_rankings(workspace, brand, chosen, limit, call.now())
    key = brand.key if brand else None
    if country:
        stored = await workspace.country_results.rankings(key, country, limit)
    else:
        stored = await workspace.results.rankings(key, limit)
    rows = [row for ranked in stored for row in ranking_rows(ranked, platform)]
    nothing = await _no_competitors(workspace, brand, rows)
    if not rows:
        nothing = nothing or _nothing_ranked(brand, country, platform)
    return CompetitorRankings(
        country=country,
        rankings=rows[:limit],
        total=len(rows),
        limit=limit,
        measurement=await _ranking_measurement(workspace, brand, rows[:limit], stored),
        notice=nothing or notice(_platforms_ranked(stored, platform)),
    )


async def _no_competitors(
    workspace: Workspace, brand: Brand | None, rows: Sequence[RankedEntity]
) -> str | None:
    """Return the notice for a brand that is ranked with no one because it has no competitor."""
    if brand is None or len(rows) > 1 or len(await workspace.brands.entities(brand)) > 1:
        return None
    return f"{brand.name} has no competitors to rank it against. Add some with update_brand_profile."


def _nothing_ranked(brand: Brand | None, country: str | None, platform: str | None) -> str:
    if platform is not None:
        return f"No ranking on {platform}: too little was measured there, which is not zero."
    if brand is None:
        return "No brand has a ranking yet: not measured, which is not zero."
    return nothing_from(country, brand.name) or nothing_of(brand.name)


async def _filtered_rankings(
    workspace: Workspace, brand: Brand | None, chosen: AnswerFilter, limit: int, now: datetime
) -> CompetitorRankings:
    """Return one brand's ranking over chosen answers. Raises ToolRefusal without a brand."""
    if brand is None:
        names = f"{', '.join(OF_ONE_BRAND[:-1])} and {OF_ONE_BRAND[-1]}"
        raise ToolRefusal("brandId: it is missing", f"Send a brandId with {names}; {NEXT_CALL['brandId']}")
    results = await filtered_results(workspace, brand, chosen, now, "rankings")
    rows: list[RankedEntity] = []
    if results is not None:
        ranking = RankingsDocument.model_validate(results.document).rankings[EVERY_PLATFORM]
        ranked = BrandRankings(brand.id, brand.name, None, "", results.calculated_at, results.document, {})
        rows = [_ranked_entity(row, ranking, ranked, chosen.platform) for row in ranking.rows]
    own = next((row for row in rows if row.isBrand), None)
    nothing = await _no_competitors(workspace, brand, rows)
    return CompetitorRankings(
        country=chosen.country,
        rankings=rows[:limit],
        total=len(rows),
        limit=limit,
        measurement=await measurement_of(
            workspace,
            brand,
            own.answers if own else 0,
            own.intervals if own else None,
            batch_ids=results.batch_ids if results else (),
        ),
        notice=nothing or (FILTERED_NOTICE if rows else TOO_FEW if results else nothing_chosen(brand.name)),
    )


def _platforms_ranked(stored: Sequence[BrandRankings], platform: str | None) -> list[str]:
    """Return the platforms that the rankings shown rest on."""
    return [
        name
        for ranked in stored
        for name in RankingsDocument.model_validate(ranked.rankings).rankings
        if platform in (None, name)
    ]


async def _ranking_measurement(
    workspace: Workspace, brand: Brand | None, rows: Sequence[RankedEntity], stored: Sequence[BrandRankings]
) -> Measurement:
    """Return what the rankings shown rest on; an interval is of one brand's score only."""
    if brand is None:
        answers = {row.brandId: row.answers for row in rows}
        receipts = [
            ReceiptDocument.model_validate(ranked.receipt) for ranked in stored if ranked.brand_id in answers
        ]
        return await company_measurement(workspace, sum(answers.values()), receipts)
    own = next((row for row in rows if row.isBrand), None)
    receipt = ReceiptDocument.model_validate(stored[0].receipt) if stored else None
    return await measurement_of(
        workspace,
        brand,
        own.answers if own else 0,
        own.intervals if own else None,
        receipt.receipt_id if receipt else None,
        receipt.batches if receipt else (),
    )


def compared_by(
    score: float | None, score_parts: Sequence[str], rows: Sequence[Mapping[str, Any]]
) -> str | None:
    """Say why a brand's score differs from the one in its ranking; None when it does not.

    `score_parts` are those measured in the brand's own score, `rows` those of its ranking as they are sent.
    """
    own = next((row for row in rows if row["isBrand"]), None)
    if own is None:
        return None
    left_out = [part for part in score_parts if part not in own["basis"]]
    if left_out:
        return f"The score above also counts {' and '.join(left_out)}, not measured for all of these."
    if own["rankingScore"] != score:
        return "The score above also counts answers to questions that name a competitor."
    return None


def ranking_rows(ranked: BrandRankings, platform: str | None) -> list[RankedEntity]:
    """Return the rows of one brand's ranking; none on a platform it was not measured on."""
    document = RankingsDocument.model_validate(ranked.rankings)
    ranking = document.rankings.get(platform or EVERY_PLATFORM)
    return [_ranked_entity(row, ranking, ranked, platform) for row in ranking.rows] if ranking else []


def _ranked_entity(
    row: RankedRowDocument, ranking: RankingDocument, ranked: BrandRankings, platform: str | None
) -> RankedEntity:
    return RankedEntity(
        brandId=ranked.brand_id,
        brandName=ranked.brand_name,
        entityId=row.entity_id,
        name=row.name,
        isBrand=row.is_brand,
        rank=row.rank,
        rankingScore=shown(Metric.VISIBILITY_SCORE, row.ranking_score) or 0.0,
        intervals=intervals_view(row.intervals),
        presence=row.presence,
        tiedWithAbove=row.tied_with_above,
        previousRank=row.previous_rank,
        rankChange=row.rank_change,
        direction=row.direction,
        platform=platform,
        basis=[str(part) for part in ranking.basis],
        confidence=ranking.confidence,
        answers=ranking.answers,
        calculatedAt=ranked.calculated_at,
    )
