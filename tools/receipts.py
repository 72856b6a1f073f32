"""Receipts as they are shown: what a number rests on."""

from datetime import datetime

from pydantic import Field

from measurement.publication.documents.receipt import ReceiptDocument
from tools.calls.wire import Wire


class ReceiptAnswers(Wire):
    """The answers behind a number."""

    count: int
    sha256: str


class Receipt(Wire):
    """What a number rests on. The id is the hash of the content; `seenby replay --verify` recomputes it."""

    receiptId: str
    metric: str
    value: float | None = Field(description="Unrounded.")
    brandId: str
    versions: dict[str, str | list[str]]
    batches: list[str]
    channels: list[str]
    answers: ReceiptAnswers
    excluded: dict[str, int]
    calculatedAt: datetime


def receipt_view(receipt: ReceiptDocument) -> Receipt:
    """Return a receipt as it is shown."""
    return Receipt.model_validate(receipt.model_dump(mode="json", by_alias=True))
