"""Seals what a batch stores beside its calculation, and finds the rows that are not what was sealed."""

import hashlib
import zlib
from collections.abc import AsyncIterator
from io import StringIO

from analytics.digests import canonical_json
from measurement.publication.receipt_seal import ReceiptSigner
from storage.repositories.seals import BatchSeal, SealedRow
from storage.workspace import Workspace

DIGITS = 8


async def seal_batch(
    writing: Workspace, signer: ReceiptSigner, batch_key: int, method: str | None = None
) -> None:
    """Seal what has no seal yet, in the transaction that stores it, and anew what a method concluded just now."""
    known = await writing.seals.of_batch(batch_key)
    for subject in await writing.seals.subjects(batch_key):
        if subject not in known or (method is not None and subject.endswith(f":{method}")):
            seal, _ = await seal_of(writing, batch_key, subject)
            signature = signer.sign(sealed_payload(writing.company_id, batch_key, seal))
            signed = BatchSeal(seal.subject, seal.rows, seal.checksums, seal.sha256, signature)
            await writing.seals.add(batch_key, signed)


async def broken_seals(workspace: Workspace, signer: ReceiptSigner, batch_key: int) -> list[str]:
    """Name the rows of a batch that are not what was sealed, and what has no seal at all."""
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
    """Return the unsigned seal of what is stored now, and the names of rows that differ from a known one."""
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
    """Give the rows of a subject in order, a page at a time."""
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
