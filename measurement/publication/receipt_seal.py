"""Seal results and batches: digests of stored data, a chain of receipts, signatures, and names of altered rows."""

import hashlib
import hmac
import zlib
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from io import StringIO
from typing import Any

from analytics.digests import canonical_json, digest
from measurement.publication.receipt_document import DigestsDocument, ReceiptDocument, receipt_id
from storage.repositories.country_results import CountryDraft
from storage.repositories.results import CalculationDraft
from storage.repositories.seals import BatchSeal, SealedRow
from storage.repositories.trend_points import PointDraft
from storage.workspace import Workspace

CHUNK = 1000
TIME = "captured_at"
"""The only column of extraction results that has no JSON type."""
POINT_FIELDS = tuple(entry.name for entry in fields(PointDraft))
DIGITS = 8


@dataclass(frozen=True, slots=True)
class ReceiptSigner:
    """Signs with the first key and accepts any. Without a key, nothing is signed and only unsigned rows pass."""

    keys: tuple[bytes, ...] = ()

    def sign(self, payload: str) -> str:
        """Return the HMAC-SHA256 of a payload in hexadecimal digits; empty without a key."""
        return self._signature(self.keys[0], payload) if self.keys else ""

    def accepts(self, payload: str, signature: str) -> bool:
        """Return whether one of the keys made this signature. Without keys, only an empty signature is accepted."""
        if not self.keys:
            return not signature
        return any(hmac.compare_digest(self._signature(key, payload), signature) for key in self.keys)

    @staticmethod
    def _signature(key: bytes, payload: str) -> str:
        return hmac.new(key, payload.encode(), hashlib.sha256).hexdigest()


def seal(
    draft: CalculationDraft,
    points: Sequence[PointDraft],
    countries: Sequence[CountryDraft],
    readings_sha256: str,
    questions_sha256: str,
    previous: str | None,
) -> CalculationDraft:
    """Return a calculation whose receipt covers everything stored with it and names the previous receipt."""
    receipt = ReceiptDocument.model_validate(draft.receipt).model_copy(
        update={
            "previous": previous,
            "digests": DigestsDocument(
                headline=json_digest(draft.headline),
                platforms=json_digest(draft.platforms),
                rankings=json_digest(draft.rankings),
                points=points_digest([point.columns() for point in points]),
                readings=readings_sha256,
                countries=countries_digest(countries),
                questions=questions_sha256,
            ),
        }
    )
    name = receipt_id(receipt.to_json())
    sealed = receipt.model_copy(update={"receipt_id": name})
    return replace(draft, receipt_id=name, receipt=sealed.to_json())


def signed_payload(
    receipt: str,
    *,
    brand_key: int,
    revision_key: int,
    batch_key: int,
    replay_of: int | None,
    status: str,
    score: float | None,
    calculated_at: datetime,
) -> str:
    """Return what the signature of a stored row covers: its receipt, its keys and its own columns."""
    return canonical_json(
        {
            "receiptId": receipt,
            "brand": brand_key,
            "revision": revision_key,
            "batch": batch_key,
            "replayOf": replay_of,
            "status": status,
            "score": score,
            "calculatedAt": calculated_at.astimezone(UTC).isoformat(),
        }
    )


def json_digest(value: object) -> str:
    """Return the digest of a JSON value."""
    return digest(canonical_json(value))


def points_digest(points: Iterable[Mapping[str, Any]]) -> str:
    """Return the digest of a batch's trend points, independent of their order."""
    lines = sorted(canonical_json([plain(point[name]) for name in POINT_FIELDS]) for point in points)
    return digest("\n".join(lines))


def countries_digest(countries: Iterable[CountryDraft]) -> str:
    """Return the digest of a batch's results for all countries, independent of their order."""
    return json_digest({result.country: result.columns() for result in countries})


async def readings_digest(workspace: Workspace, revision_key: int, batch_key: int) -> str:
    """Return the digest of all extraction results of a revision for a batch, as the rows are stored."""
    hashed, after = hashlib.sha256(), 0
    while True:
        keys, read, mention_rows = await workspace.stored_results.readings(
            revision_key, batch_key, after, CHUNK
        )
        if not keys:
            return hashed.hexdigest()
        after = keys[-1]
        rows = [*read, *({**row, TIME: plain(row[TIME])} for row in mention_rows)]
        for line in map(canonical_json, rows):
            hashed.update(f"{line}\n".encode())


async def questions_digest(workspace: Workspace, batch_key: int) -> str:
    """Return the digest of the exact prompts that the answers of a batch belong to, and of their channels."""
    prompts, channels = await workspace.stored_results.asked(batch_key)
    return json_digest({"prompts": prompts, "channels": channels})


def plain(value: Any) -> Any:
    """Return a stored value in a form that JSON supports."""
    return value.isoformat() if isinstance(value, (date, datetime)) else value


async def seal_batch(
    writing: Workspace, signer: ReceiptSigner, batch_key: int, method: str | None = None
) -> None:
    """Seal rows that have no seal yet, in the transaction that stores them, and reseal the results of `method`."""
    known = await writing.seals.of_batch(batch_key)
    for subject in await writing.seals.subjects(batch_key):
        if subject not in known or (method is not None and subject.endswith(f":{method}")):
            seal, _ = await seal_of(writing, batch_key, subject)
            signature = signer.sign(sealed_payload(writing.company_id, batch_key, seal))
            signed = BatchSeal(seal.subject, seal.rows, seal.checksums, seal.sha256, signature)
            await writing.seals.add(batch_key, signed)


async def broken_seals(workspace: Workspace, signer: ReceiptSigner, batch_key: int) -> list[str]:
    """Name the rows of a batch that differ from what was sealed, and everything without a seal."""
    known = await workspace.seals.of_batch(batch_key)
    wrong: list[str] = []
    for subject in sorted({*await workspace.seals.subjects(batch_key), *known}):
        seal = known.get(subject)
        if not workspace.seals.can_seal(subject):
            wrong.append(f"batch_seals {subject} of batch {batch_key}: seals nothing")
            continue
        if seal is None:
            wrong.append(f"{subject} of batch {batch_key}: not sealed")
            continue
        if not signer.accepts(sealed_payload(workspace.company_id, batch_key, seal), seal.signature):
            wrong.append(f"batch_seals {subject} of batch {batch_key}: signature")
        now, names = await seal_of(workspace, batch_key, subject, known=seal)
        if now.sha256 != seal.sha256:
            wrong += names or [f"batch_seals {subject} of batch {batch_key}: sha256"]
    return wrong


async def seal_of(
    workspace: Workspace, batch_key: int, subject: str, known: BatchSeal | None = None
) -> tuple[BatchSeal, list[str]]:
    """Return the unsigned seal of the stored rows, and the names of rows that differ from a known seal."""
    hashed, checksums, rows, names = hashlib.sha256(), StringIO(), 0, list[str]()
    before = known.checksums if known else ""
    async for row in sealed_rows(workspace, batch_key, subject):
        content = row.content.encode()
        hashed.update(content)
        hashed.update(b"\n")
        checksum = f"{zlib.crc32(content):08x}"
        checksums.write(checksum)
        at = rows * DIGITS
        rows += 1
        if known is not None and before[at : at + DIGITS] != checksum:
            names.append(row.name)
    if known is not None and rows != known.rows:
        table = subject.partition(":")[0]
        names.insert(0, f"{table} of batch {batch_key}: {rows} rows instead of {known.rows}")
    return BatchSeal(subject, rows, checksums.getvalue(), hashed.hexdigest(), ""), names


async def sealed_rows(workspace: Workspace, batch_key: int, subject: str) -> AsyncIterator[SealedRow]:
    """Yield the rows of a subject in order, one page at a time."""
    after: int | None = 0
    while after is not None:
        rows, after = await workspace.seals.rows(batch_key, subject, after)
        for row in rows:
            yield row


def sealed_payload(company_id: str, batch_key: int, seal: BatchSeal) -> str:
    """Return what the signature of a seal covers."""
    return canonical_json(
        {
            "company": company_id,
            "batch": batch_key,
            "subject": seal.subject,
            "rows": seal.rows,
            "checksums": hashlib.sha256(seal.checksums.encode()).hexdigest(),
            "sha256": seal.sha256,
        }
    )
