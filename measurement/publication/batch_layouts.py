"""What was read in a batch, laid out by day while it is loaded and stored when it is published."""

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
    """A batch that is to be published, and the documents of its answers by UTC day."""

    observed: BatchObservations
    documents: Mapping[date, str]


async def read_batch(
    workspace: Workspace, identity: BrandIdentity, revision_key: int, batch: BatchRow
) -> ReadBatch:
    """Load a batch whose answers this revision has read, and lay them out while they pass."""
    layout = BatchLayout()
    observed = await observe(workspace, identity, revision_key, batch, layout.add)
    return ReadBatch(observed, layout.documents(observed.batch.asked))


async def lay_out_batch(
    writing: Workspace, identity: BrandIdentity, revision_key: int, read: ReadBatch
) -> None:
    """Store what was read in a batch by day, prompt and channel, for whoever asks for a period or a filter."""
    rivals = await anyio.to_thread.run_sync(write_rival_points, identity, read.observed)
    days = join_documents(read.documents, rivals)
    await writing.batch_cells.replace(revision_key, read.observed.source.key, days)


def batch_documents(identity: BrandIdentity, observed: BatchObservations) -> dict[date, DayDocuments]:
    """Return the documents of a batch, whose answers are kept, by UTC day; pure."""
    return join_documents(lay_out_days(observed), write_rival_points(identity, observed))


def join_documents(answers: Mapping[date, str], rivals: Mapping[date, str]) -> dict[date, DayDocuments]:
    """Return what is stored of each day that has answers."""
    return {day: DayDocuments(of_day, rivals.get(day, "")) for day, of_day in answers.items()}
