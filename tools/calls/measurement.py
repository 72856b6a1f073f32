"""What numbers rest on: versions, sample size, interval and evidence, said in every result that carries some."""

from collections.abc import Iterable, Sequence

from pydantic import Field

from analytics.digests import SCORE_MODEL
from measurement.publication.documents.receipt import ReceiptDocument
from storage.repositories.brands import Brand
from storage.workspace import Workspace
from tools.calls.wire import Intervals, Wire


class Measurement(Wire):
    """What the numbers beside it rest on; MCP results repeat it as `_meta["seenby/measurement"]`."""

    modelVersion: str = Field(
        description="Version of the model behind the numbers: of score and metrics, or of accuracy."
    )
    matcherVersion: str | None = Field(
        default=None, description="Version of the matcher that read the answers."
    )
    aliasSet: str | None = Field(
        default=None, description="Digest of the names and sites that it looked for."
    )
    sampleSize: int = Field(description="Valid answers behind the main number.")
    intervals: Intervals | None = Field(
        default=None, description="95 % intervals of the main number, or null."
    )
    receiptId: str | None = Field(
        default=None, description="Receipt that `seenby replay --verify` proves, or null."
    )
    batchIds: list[str] = Field(default=[], description="Batches whose answers were looked at, newest first.")
    rereading: bool = Field(
        default=False,
        description="History is being read anew after a name or site changed; these numbers are the former ones.",
    )


async def company_measurement(
    workspace: Workspace,
    sample_size: int,
    receipts: Sequence[ReceiptDocument] = (),
    batch_ids: Iterable[str] = (),
    model: str = SCORE_MODEL,
) -> Measurement:
    """Return what the numbers of several brands rest on: matcher and names only where they are the same for all.

    `receipts` are those of the calculations shown. There is no interval, since each brand has its own.
    """
    batches = [batch for receipt in receipts for batch in receipt.batches]
    return Measurement(
        modelVersion=model,
        matcherVersion=common_version(receipt.versions.matcher for receipt in receipts),
        aliasSet=common_version(receipt.versions.alias_set for receipt in receipts),
        sampleSize=sample_size,
        batchIds=list(dict.fromkeys([*batches, *batch_ids])),
        rereading=await workspace.revisions.rereading(),
    )


def common_version(versions: Iterable[str]) -> str | None:
    """Return the version that all receipts name; None when they differ or there is none."""
    distinct = set(versions)
    return distinct.pop() if len(distinct) == 1 else None


async def measurement_of(
    workspace: Workspace,
    brand: Brand,
    sample_size: int,
    intervals: Intervals | None,
    receipt: ReceiptDocument | None = None,
    batch_ids: Sequence[str] = (),
    model: str = SCORE_MODEL,
) -> Measurement:
    """Return what a brand's numbers rest on; `receipt` is the one of the calculation that they come from."""
    versions_by_state = await workspace.revisions.versions_by_state(brand.key)
    versions = versions_by_state.get("current", {})
    return Measurement(
        modelVersion=model,
        matcherVersion=versions.get("matcher"),
        aliasSet=versions.get("aliasSet"),
        sampleSize=sample_size,
        intervals=intervals,
        receiptId=receipt.receipt_id if receipt else None,
        batchIds=list(receipt.batches) if receipt else list(batch_ids),
        rereading="building" in versions_by_state,
    )
