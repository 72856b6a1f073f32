"""Evidence receipts: what a number rests on, under an id that is the hash of its own content."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from analytics.digests import canonical_json, digest
from analytics.score import Calculation


@dataclass(frozen=True, slots=True)
class Versions:
    """Everything that read the answers; another version may read them differently."""

    model: str
    matcher: str
    alias_set: str
    rank: str
    tone: str
    parsers: tuple[str, ...]
    suffix_list: str


@dataclass(frozen=True, slots=True)
class Excluded:
    """Answers and mentions that were looked at and did not count; counts."""

    refused: int = 0
    not_grounded: int = 0
    uncertain: int = 0
    absence: int = 0
    branded: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """The evidence of one number. `value` is unrounded; `calculated_at` is aware."""

    metric: str
    value: float | None
    brand_id: str
    versions: Versions
    batches: tuple[str, ...]
    channels: tuple[str, ...]
    answers: int
    inputs_sha256: str
    excluded: Excluded
    seed: int
    replicates: int
    calculated_at: datetime

    def body(self) -> dict[str, object]:
        """The receipt as JSON values, without its id."""
        return {
            "metric": self.metric,
            "value": self.value,
            "brandId": self.brand_id,
            "versions": _camel(asdict(self.versions)),
            "batches": list(self.batches),
            "channels": list(self.channels),
            "answers": {"count": self.answers, "sha256": self.inputs_sha256},
            "excluded": _camel(asdict(self.excluded)),
            "seed": self.seed,
            "replicates": self.replicates,
            "calculatedAt": self.calculated_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        }

    @property
    def id(self) -> str:
        """`rc_` and the SHA-256 of the canonical JSON."""
        return receipt_id(self.body())

    def as_json(self) -> str:
        """Canonical JSON with `receiptId`."""
        return canonical_json({"receiptId": self.id, **self.body()})


def receipt_of(
    calculation: Calculation, versions: Versions, excluded: Excluded, calculated_at: datetime
) -> Receipt:
    """The receipt of a headline score."""
    score = calculation.score
    return Receipt(
        metric="visibilityScore",
        value=score.value,
        brand_id=score.entity,
        versions=versions,
        batches=calculation.batches,
        channels=tuple(str(channel) for channel in calculation.channels),
        answers=score.answers,
        inputs_sha256=score.inputs_sha256,
        excluded=excluded,
        seed=score.seed,
        replicates=score.replicates,
        calculated_at=calculated_at,
    )


def receipt_id(body: Mapping[str, object]) -> str:
    """Id of a receipt's JSON values; a `receiptId` among them is not part of its own hash."""
    return "rc_" + digest(canonical_json({key: value for key, value in body.items() if key != "receiptId"}))


def disagreements(stored: Mapping[str, object], again: Receipt) -> tuple[str, ...]:
    """Names of the fields in which a stored receipt (parsed JSON) differs from one computed again.

    Empty means verified: every figure is equal to the last bit and the id is the hash of the content. When it
    was calculated does not matter.
    """
    fresh = {key: value for key, value in again.body().items() if key != "calculatedAt"}
    wrong = [key for key in fresh if canonical_json(stored.get(key)) != canonical_json(fresh[key])]
    if stored.get("receiptId") != receipt_id(stored):
        wrong.insert(0, "receiptId")
    return tuple(wrong)


def _camel(fields: Mapping[str, object]) -> dict[str, object]:
    """Field names as they are written on the wire."""
    named: dict[str, object] = {}
    for name, value in fields.items():
        first, *others = name.split("_")
        named[first + "".join(word.capitalize() for word in others)] = value
    return named
