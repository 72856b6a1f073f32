"""Documents of filtered batches: score, engines and rankings over all of their answers together; pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from analytics.batches import AnswerBatch, usable
from analytics.metrics import measurement_verdict
from analytics.rankings import rank
from analytics.score import calculate_all
from measurement.extraction.channel_facts import join_facts
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.calculate import pool_observations, rank_platforms
from measurement.publication.platform_documents import platforms_document
from measurement.publication.result_documents import UNCOMPARED, rankings_document, score_document
from measurement.statistics.batches import ChosenBatch
from storage.documents import StoredDocument

ResultPart = Literal["headline", "platforms", "rankings"]
"""The part to compute from chosen answers, in the form of the stored document of that name."""


@dataclass(frozen=True, slots=True)
class FilteredResults:
    """A document in the form of stored results, with the batches behind it, newest first.

    `cut` means that more answers may match than are read. Rankings cover all chosen answers together.
    """

    document: Mapping[str, Any]
    calculated_at: datetime
    batch_ids: tuple[str, ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class FilteredBatches:
    """The parts of batches that filters leave, newest first, and the identity that reads them."""

    identity: BrandIdentity
    batches: tuple[ChosenBatch, ...]
    cut: bool
    repeats: Sequence[AnswerBatch] = ()
    """Complete earlier batches that count as repeats of these; only the same prompts and channels are compared."""


def calculate_results(filtered: FilteredBatches, part: ResultPart) -> FilteredResults:
    """Calculate over all these batches together; pure."""
    batches = [taken.batch for taken in filtered.batches]
    return FilteredResults(
        document=DOCUMENTS[part](filtered, batches).to_json(),
        calculated_at=batches[0].captured_at,
        batch_ids=tuple(batch.id for batch in batches),
        cut=filtered.cut,
    )


def _headline(filtered: FilteredBatches, batches: Sequence[AnswerBatch]) -> StoredDocument:
    identity, brand_id = filtered.identity, filtered.identity.brand.id
    calculation = calculate_all(brand_id, batches, identity.fingerprint, filtered.repeats)
    observations = pool_observations(identity, batches)
    ranking = rank(brand_id, observations, identity.fingerprint)
    return score_document(
        calculation, UNCOMPARED, measurement_verdict(calculation.score, observations, ranking)
    )


def _platforms(filtered: FilteredBatches, batches: Sequence[AnswerBatch]) -> StoredDocument:
    identity = filtered.identity
    facts = join_facts(taken.facts for taken in filtered.batches)
    own = usable(batches, identity.brand.id)
    return platforms_document(identity, batches, facts, own, (), filtered.repeats)


def _rankings(filtered: FilteredBatches, batches: Sequence[AnswerBatch]) -> StoredDocument:
    rankings = rank_platforms(filtered.identity, batches, (), filtered.repeats)
    return rankings_document(filtered.identity, rankings)


DOCUMENTS: Mapping[ResultPart, Callable[[FilteredBatches, Sequence[AnswerBatch]], StoredDocument]] = {
    "headline": _headline,
    "platforms": _platforms,
    "rankings": _rankings,
}
