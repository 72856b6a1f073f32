"""The stored receipt of a number: its evidence, under an ID that is the hash of its content."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC
from typing import Any, Literal

from pydantic import AwareDatetime, ConfigDict

from analytics.digests import canonical_json, digest
from analytics.receipts import EvidenceReceipt
from storage.documents import StoredDocument

UNCOMPARED = frozenset({"receiptId", "calculatedAt", "previous", "digests"})
"""Fields that say nothing about the number itself; chain and digests are verified separately."""


class VersionsDocument(StoredDocument):
    """Everything that read the answers; receipts of earlier models also name what read their tone."""

    model_config = ConfigDict(extra="ignore")

    model: str
    matcher: str
    alias_set: str
    rank: str
    ownership: str
    parsers: tuple[str, ...]
    suffix_list: str


class ReceiptAnswersDocument(StoredDocument):
    """The answers behind a number: how many, and the digest of their ids."""

    count: int
    sha256: str


class ExcludedDocument(StoredDocument):
    """Answers and mentions that were looked at and did not count; counts."""

    refused: int
    not_grounded: int
    truncated: int
    uncertain: int
    absence: int
    branded: int


class DigestsDocument(StoredDocument):
    """SHA-256 of all that is stored with a calculation; empty before it is sealed.

    `points` are the trend points of its batch, `readings` all rows that were read in the answers of its batch,
    `countries` the results of each country that the batch asked from, `questions` what was asked and where (empty in
    receipts of before it was sealed).
    """

    headline: str = ""
    platforms: str = ""
    rankings: str = ""
    points: str = ""
    readings: str = ""
    countries: str = ""
    questions: str = ""


class ReceiptDocument(StoredDocument):
    """The evidence of one number. `value` is unrounded; `receipt_id` is the hash of everything else."""

    schema_version: Literal[2] = 2
    receipt_id: str
    metric: str
    value: float | None
    brand_id: str
    versions: VersionsDocument
    batches: tuple[str, ...]
    channels: tuple[str, ...]
    answers: ReceiptAnswersDocument
    excluded: ExcludedDocument
    repeats: tuple[str, ...] = ()
    """Earlier batches that show how much single answers to this batch's prompts vary, if each is asked once."""
    topics: Mapping[str, str] = {}
    """The topic of each prompt that shared one with others when the number was calculated, by prompt id."""
    calculated_at: AwareDatetime
    previous: str | None = None
    """The receipt stored before this one; null for the first one of an analysis revision."""
    digests: DigestsDocument = DigestsDocument()


def receipt_document(receipt: EvidenceReceipt, topics: Mapping[str, str]) -> ReceiptDocument:
    """Return a receipt as it is stored, under its ID, with the topics of prompts that share one."""
    document = ReceiptDocument(
        receipt_id="",
        metric=receipt.metric,
        value=receipt.value,
        brand_id=receipt.brand_id,
        versions=VersionsDocument(**asdict(receipt.versions)),
        batches=receipt.batches,
        channels=receipt.channels,
        answers=ReceiptAnswersDocument(count=receipt.answers, sha256=receipt.inputs_sha256),
        excluded=ExcludedDocument(**asdict(receipt.excluded)),
        repeats=receipt.repeats,
        topics=topics,
        calculated_at=receipt.calculated_at.astimezone(UTC),
    )
    return document.model_copy(update={"receipt_id": receipt_id(document.to_json())})


def receipt_id(stored: Mapping[str, Any]) -> str:
    """Return the ID of a receipt's JSON values; a `receiptId` among them is not part of its own hash."""
    content = {name: value for name, value in stored.items() if name != "receiptId"}
    return "rc_" + digest(canonical_json(content))


def differing_fields(stored: Mapping[str, Any], recomputed: ReceiptDocument) -> tuple[str, ...]:
    """Return the names of the fields in which a stored receipt differs from a recomputed one.

    Empty means verified: every figure is equal to the last bit and the ID is the hash of the content. The
    time of the calculation does not matter. `stored` is JSON as found in the database, even if it was
    altered.
    """
    fresh = recomputed.to_json()
    compared = [name for name in fresh if name not in UNCOMPARED]
    wrong = [name for name in compared if canonical_json(stored.get(name)) != canonical_json(fresh[name])]
    return tuple(wrong) if stored.get("receiptId") == receipt_id(stored) else ("receiptId", *wrong)
