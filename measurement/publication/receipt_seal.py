"""Seals results: digests of all that is stored of a calculation, a chain of receipts, and their signature."""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, date, datetime
from typing import Any

from analytics.digests import canonical_json, digest
from measurement.publication.documents.receipt import DigestsDocument, ReceiptDocument, receipt_id
from storage.repositories.country_results import CountryDraft
from storage.repositories.results import CalculationDraft
from storage.repositories.trend_points import PointDraft
from storage.workspace import Workspace

CHUNK = 1000
TIME = "captured_at"
"""The one column of what is read in answers that JSON has no value for."""


@dataclass(frozen=True, slots=True)
class ReceiptSigner:
    """Signs with the first key and accepts any; without a key nothing is signed and only unsigned rows are accepted."""

    keys: tuple[bytes, ...] = ()

    def sign(self, payload: str) -> str:
        """Return the HMAC-SHA256 of a payload in hexadecimal digits, empty without a key."""
        return self._signature(self.keys[0], payload) if self.keys else ""

    def accepts(self, payload: str, signature: str) -> bool:
        """Tell whether one of the keys made this signature. Without keys only what is unsigned is accepted."""
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
    """Return a calculation whose receipt names all that is stored with it and the receipt before it."""
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
    """Return what the signature of a stored row covers: its receipt, where it stands and its own columns."""
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


POINT_FIELDS = tuple(entry.name for entry in fields(PointDraft))


def points_digest(points: Iterable[Mapping[str, Any]]) -> str:
    """Return the digest of a batch's trend points, in whatever order they come."""
    lines = sorted(canonical_json([plain(point[name]) for name in POINT_FIELDS]) for point in points)
    return digest("\n".join(lines))


def countries_digest(countries: Iterable[CountryDraft]) -> str:
    """Return the digest of the results of all countries of a batch, in whatever order they come."""
    return json_digest({result.country: result.columns() for result in countries})


async def readings_digest(workspace: Workspace, revision_key: int, batch_key: int) -> str:
    """Return the digest of all that a revision read in a batch, as the rows are stored."""
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
    """Return the digest of the prompts that answers of a batch were given to, word for word, and of their channels."""
    prompts, channels = await workspace.stored_results.asked(batch_key)
    return json_digest({"prompts": prompts, "channels": channels})


def plain(value: Any) -> Any:
    """Return a stored value as JSON can say it."""
    return value.isoformat() if isinstance(value, (date, datetime)) else value
