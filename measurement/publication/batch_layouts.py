"""Daily documents of a batch, built while its answers load and stored when it is published."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

import anyio.to_thread

from measurement.extraction.observations import BatchObservations, observe
from measurement.planning.brand_identity import BrandIdentity
from measurement.publication.days import BatchLayout, lay_out_days
from measurement.publication.trend_points import write_rival_points
from storage.repositories.batch_cells import DayDocuments
from storage.repositories.batches import BatchRow
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ReadBatch:
    """A batch to publish, with the documents of its answers by UTC day."""

    observed: BatchObservations
    documents: Mapping[date, str]


async def read_batch(
    workspace: Workspace, identity: BrandIdentity, revision_key: int, batch: BatchRow
) -> ReadBatch:
    """Load a batch that this revision has read, and build the documents as its answers pass."""
    layout = BatchLayout()
    observed = await observe(workspace, identity, revision_key, batch, layout.add)
    return ReadBatch(observed, layout.documents(observed.batch.asked))


async def lay_out_batch(
    writing: Workspace, identity: BrandIdentity, revision_key: int, read: ReadBatch
) -> None:
    """Store a batch by day, prompt and channel, so that periods and filters can be queried."""
    rivals = await anyio.to_thread.run_sync(write_rival_points, identity, read.observed)
    days = join_documents(read.documents, rivals)
    await writing.batch_cells.replace(revision_key, read.observed.source.key, days)


def batch_documents(identity: BrandIdentity, observed: BatchObservations) -> dict[date, DayDocuments]:
    """Return the documents by UTC day of a batch that still has its answers; pure."""
    return join_documents(lay_out_days(observed), write_rival_points(identity, observed))


def join_documents(answers: Mapping[date, str], rivals: Mapping[date, str]) -> dict[date, DayDocuments]:
    """Combine the documents of each day that has answers."""
    return {day: DayDocuments(of_day, rivals.get(day, "")) for day, of_day in answers.items()}
