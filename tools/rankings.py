"""The ranking tool: brands against their competitors on the same answers."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from pydantic import Field

from analytics.metrics import MetricName as Metric
from analytics.metrics import shown
from storage.repositories.brands import Brand
from storage.repositories.results import BrandRankings
from storage.workspace import Workspace
from tools.call import NamedBrandIfAny, ThisCall
from tools.measurement import Measurement, company_measurement, measurement_of
from tools.parameters import CompanyWideBrandId, Limit, Omissible, Platform
from tools.table import ToolFamily
from tools.wire import Interval, Wire, notice
from workflows.calculating import EVERY_PLATFORM

family = ToolFamily()


class RankedEntity(Wire):
    """One row of a ranking; the brand and its competitors are scored on the same answers."""

    brandId: str = Field(description="The brand whose ranking this is.")
    brandName: str
    entityId: str = Field(description="The ranked brand or competitor.")
    name: str
    isBrand: bool
    rank: int = Field(description="From 1; equal scores share a rank.")
    rankingScore: float = Field(description="0 to 100, over the parts that are measured for all of them.")
    interval: Interval
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

    rankings: list[RankedEntity]
    total: int
    limit: int
    measurement: Measurement = Field(
        description="Of the rankings shown; company-wide the sample is of all brands together, without interval."
    )
    notice: str | None


@family.read("Get competitor rankings")
async def get_competitor_rankings(
    brand: NamedBrandIfAny,
    call: ThisCall,
    brandId: Omissible[CompanyWideBrandId] = None,
    platform: Omissible[Platform] = None,
    limit: Limit = 50,
) -> CompetitorRankings:
    """Rank a brand, or every brand, against its competitors on the same answers. Call list_brand_profiles for
    brand ids."""
    workspace = await call.workspace()
    found = await workspace.results.rankings(brand.key if brand else None, limit)
    rows = [row for one in found for row in ranking_rows(one, platform)]
    return CompetitorRankings(
        rankings=rows[:limit],
        total=len(rows),
        limit=limit,
        measurement=await ranking_measurement(workspace, brand, rows[:limit], found),
        notice=notice([name for one in found for name in one.rankings if platform in (None, name)]),
    )


async def ranking_measurement(
    workspace: Workspace, brand: Brand | None, rows: Sequence[RankedEntity], found: Sequence[BrandRankings]
) -> Measurement:
    """Return what the rankings shown rest on; an interval is of one brand's score only."""
    if brand is None:
        answers = {row.brandId: row.answers for row in rows}
        receipts = [one.receipt for one in found if one.brand_id in answers]
        return await company_measurement(workspace, sum(answers.values()), receipts)
    own = next((row for row in rows if row.isBrand), None)
    receipt = found[0].receipt if found else None
    return await measurement_of(
        workspace, brand, own.answers if own else 0, own.interval if own else None, receipt
    )


def compared_by(score_parts: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> str | None:
    """Say why a brand's score differs from the one in its ranking; None when both weigh the same parts.

    `score_parts` are those measured in the brand's own score, `rows` those of its ranking as they are sent.
    """
    basis: Sequence[str] = rows[0]["basis"] if rows else score_parts
    left_out = [part for part in score_parts if part not in basis]
    if not left_out:
        return None
    return f"The score above also counts {' and '.join(left_out)}, not measured for all of these."


def ranking_rows(one: BrandRankings, platform: str | None) -> list[RankedEntity]:
    """Return the rows of one brand's ranking; none on a platform it was not measured on."""
    table = one.rankings.get(platform or EVERY_PLATFORM)
    if table is None:
        return []
    shared = {
        "brandId": one.brand_id,
        "brandName": one.brand_name,
        "platform": platform,
        "basis": table["basis"],
        "confidence": table["confidence"],
        "answers": table["answers"],
        "calculatedAt": one.calculated_at,
    }
    return [
        RankedEntity.model_validate(
            {**row, **shared, "rankingScore": shown(Metric.VISIBILITY_SCORE, row["rankingScore"])}
        )
        for row in table["rows"]
    ]
