"""The measurement batch that an agent works on, and the current revision of its extraction results."""

from dataclasses import dataclass

from measurement.planning.brand_identity import BrandIdentity
from storage.repositories.batches import BatchRow
from storage.repositories.revisions import Revision
from workflows.agents.agent import Work
from workflows.agents.outputs.measurement import AskedBatch
from workflows.errors import AgentFailed


@dataclass(frozen=True, slots=True)
class Measured:
    """A successful batch with the brand identity and revision that its answers were extracted with."""

    batch: BatchRow
    identity: BrandIdentity
    revision: Revision


async def measured(work: Work) -> Measured:
    """Return the batch that this run measured, or else the brand's newest one, with all answers processed.

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
