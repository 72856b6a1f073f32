"""Evidence receipts: what a number rests on."""

from dataclasses import dataclass
from datetime import datetime

from analytics.score import ScoreCalculation


@dataclass(frozen=True, slots=True)
class Versions:
    """Everything that read the answers; another version may read them differently."""

    model: str
    matcher: str
    alias_set: str
    rank: str
    ownership: str
    parsers: tuple[str, ...]
    suffix_list: str


@dataclass(frozen=True, slots=True)
class Excluded:
    """Answers and mentions that were looked at and did not count; counts."""

    refused: int = 0
    not_grounded: int = 0
    truncated: int = 0
    uncertain: int = 0
    absence: int = 0
    branded: int = 0


@dataclass(frozen=True, slots=True)
class EvidenceReceipt:
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
    calculated_at: datetime
    repeats: tuple[str, ...] = ()
    """Ids of earlier batches that count as repeats of the newest one."""


def receipt_of(
    calculation: ScoreCalculation,
    versions: Versions,
    excluded: Excluded,
    calculated_at: datetime,
    repeats: tuple[str, ...] = (),
) -> EvidenceReceipt:
    """The receipt of a headline score."""
    score = calculation.score
    return EvidenceReceipt(
        metric="visibilityScore",
        value=score.value,
        brand_id=score.entity,
        versions=versions,
        batches=calculation.batches,
        channels=tuple(str(channel) for channel in calculation.channels),
        answers=score.answers,
        inputs_sha256=score.inputs_sha256,
        excluded=excluded,
        calculated_at=calculated_at,
        repeats=repeats,
    )
