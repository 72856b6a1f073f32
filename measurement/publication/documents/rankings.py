"""The stored rankings of a calculation: a brand and its competitors, over all platforms and on each."""

from collections.abc import Mapping
from typing import Literal

from analytics.rankings import Direction, EntityRank, Ranking
from analytics.score import Confidence, Status
from analytics.score_inputs import Part
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.documents.intervals import IntervalPairDocument, interval_pair_document
from storage.documents import StoredDocument

EVERY_PLATFORM = ""


class RankedRowDocument(StoredDocument):
    """One row of a ranking; `ranking_score` is 0-100 and unrounded, `presence` 0-1."""

    entity_id: str
    name: str
    is_brand: bool
    rank: int
    ranking_score: float
    intervals: IntervalPairDocument | None
    presence: float
    tied_with_above: bool
    previous_rank: int | None
    rank_change: int | None
    direction: Direction


class RankingDocument(StoredDocument):
    """One ranking as it stood; `basis` are the parts that are compared."""

    status: Status
    confidence: Confidence | None
    basis: tuple[Part, ...]
    answers: int
    prompts: int
    rows: tuple[RankedRowDocument, ...]


class RankingsDocument(StoredDocument):
    """Rankings by platform; the empty name is all platforms together."""

    schema_version: Literal[2] = 2
    rankings: Mapping[str, RankingDocument]


def rankings_document(identity: BrandIdentity, rankings: Mapping[str, Ranking]) -> RankingsDocument:
    """Return rankings as they are stored, with the names in force."""
    return RankingsDocument(
        rankings={platform: ranking_document(identity, ranking) for platform, ranking in rankings.items()}
    )


def ranking_document(identity: BrandIdentity, ranking: Ranking) -> RankingDocument:
    """Return one ranking."""
    names = {entity.id: entity.name for entity in identity.named}
    return RankingDocument(
        status=ranking.status,
        confidence=ranking.confidence,
        basis=ranking.basis,
        answers=ranking.answers,
        prompts=ranking.prompts,
        rows=tuple(
            ranked_row_document(row, names[row.entity], row.entity == identity.brand.id)
            for row in ranking.rows
        ),
    )


def ranked_row_document(row: EntityRank, name: str, is_brand: bool) -> RankedRowDocument:
    """Return one row of a ranking."""
    return RankedRowDocument(
        entity_id=row.entity,
        name=name,
        is_brand=is_brand,
        rank=row.rank,
        ranking_score=row.score,
        intervals=interval_pair_document(row.intervals),
        presence=row.presence,
        tied_with_above=row.tied_with_above,
        previous_rank=row.previous_rank,
        rank_change=row.rank_change,
        direction=row.direction,
    )
