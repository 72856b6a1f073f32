"""The batch that an agent works on, and what the revision in force read in it."""

from dataclasses import dataclass

from measurement.planning.brand_identity import BrandIdentity
from storage.repositories.batches import BatchRow
from storage.repositories.revisions import Revision
from workflows.agents.agent import Work
from workflows.agents.outputs.measurement import AskedBatch
from workflows.errors import AgentFailed


@dataclass(frozen=True, slots=True)
class Measured:
    """A successful batch with the reader that read it."""

    batch: BatchRow
    identity: BrandIdentity
    revision: Revision


async def measured(work: Work) -> Measured:
    """Return the batch of this run's prober, else the brand's newest one; all its answers are read.

    Fails with `no_input` when nothing was measured yet.
    """
    batches = work.workspace.batches
    asked = [await batches.named(given.batch_id) for given in work.outputs_of(AskedBatch)]
    known = [batch for batch in asked if batch is not None] or await batches.successful(
        work.brand.key, work.now, 1
    )
    if not known:
        raise AgentFailed("no_input")
    batch = max(known, key=lambda candidate: candidate.key)
    company_id = work.workspace.company_id
    identity, revision = await work.prober.publisher.bring_up_to_date(company_id, work.brand.id)
    return Measured(batch, identity, revision)
