"""The stored comparison of a calculation with an earlier one."""

from typing import Literal

from analytics.change import ChangeResult, Endpoint, Reason, ScoreChange, Verdict
from analytics.score_inputs import Part
from measurement.publication.documents.intervals import IntervalDocument, interval_document
from storage.documents import StoredDocument


class ChangeResultDocument(StoredDocument):
    """One test: of all channels (channel and part null), of one channel or of one part; values are 0-1."""

    channel: str | None
    part: Part | None
    before: float | None
    after: float | None
    delta: float | None
    interval: IntervalDocument | None
    level: float | None
    p: float | None
    prompts: int
    answers_before: int
    answers_after: int
    missing: int
    tipping: int | None
    verdict: Verdict
    reason: Reason | None


class ChangeDocument(StoredDocument):
    """The verdict on change with its tests; `value` is the change of the score in points."""

    schema_version: Literal[2] = 2
    value: float | None
    verdict: Verdict
    reason: Reason | None
    endpoint: Endpoint
    primary: ChangeResultDocument | None
    channels: tuple[ChangeResultDocument, ...]
    parts: tuple[ChangeResultDocument, ...]


UNCOMPARED = ChangeDocument(
    value=None,
    verdict="not_comparable",
    reason="no_earlier_calculation",
    endpoint="score",
    primary=None,
    channels=(),
    parts=(),
)
"""What stands for the change of a result that is compared with nothing."""


def change_document(change: ScoreChange) -> ChangeDocument:
    """Return a comparison as it is stored."""
    return ChangeDocument(
        value=change.value,
        verdict=change.verdict,
        reason=change.reason,
        endpoint=change.endpoint,
        primary=change_result_document(change.primary) if change.primary else None,
        channels=tuple(change_result_document(result) for result in change.channels),
        parts=tuple(change_result_document(result) for result in change.parts),
    )


def change_result_document(result: ChangeResult) -> ChangeResultDocument:
    """Return one test."""
    return ChangeResultDocument(
        channel=str(result.channel) if result.channel else None,
        part=result.part,
        before=result.before,
        after=result.after,
        delta=result.delta,
        interval=interval_document(result.interval) if result.interval else None,
        level=result.level,
        p=result.p,
        prompts=result.prompts,
        answers_before=result.answers_before,
        answers_after=result.answers_after,
        missing=result.missing,
        tipping=result.tipping,
        verdict=result.verdict,
        reason=result.reason,
    )
