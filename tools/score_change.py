"""Change of a score since the calculation before, as it is shown."""

from pydantic import Field

from measurement.publication.documents.change import ChangeDocument, ChangeResultDocument
from tools.calls.wire import POINT_DECIMALS, Figure, Interval, Wire, in_points, interval_view


class ChangeRow(Wire):
    """One test over the prompts that both measurements have."""

    channel: str | None = Field(description="platform/mode; null is all channels together.")
    part: str | None = Field(description="presence, prominence, citation or tone; null is the endpoint.")
    before: Figure | None = Field(description="0 to 1; of the score, a hundredth.")
    after: Figure | None
    delta: Figure | None
    interval: Interval | None = Field(description="Of delta, at confidence 1 - level.")
    level: float | None = Field(description="0.05, or what Holm's correction leaves of it.")
    p: Figure | None
    prompts: int
    answersBefore: int
    answersAfter: int
    missing: int = Field(description="Planned answers that never came, of both sides together.")
    tipping: int | None = Field(description="So many missing answers against the change would undo it.")
    verdict: str
    reason: str | None


class Change(Wire):
    """Change since the latest earlier calculation that shares no answer with this one."""

    value: float | None = Field(
        description="Points of the score, over the prompts of both, or null with a reason."
    )
    before: float | None = Field(
        description="Points of the score before, over the prompts of both; null unless the endpoint is score."
    )
    after: float | None = Field(description="Points of the score now, over the prompts of both.")
    interval: Interval | None = Field(description="95 % interval of after minus before, in points.")
    verdict: str = Field(
        description="changed, changed_if_missing_are_alike, no_detectable_change or not_comparable."
    )
    reason: str | None
    endpoint: str = Field(description="What the verdict is about: score, or presence where parts differ.")
    rowUnit: str = Field(
        default="share from 0 to 1, a hundredth of points",
        description="Of before, after, delta and interval in primary, channels and parts.",
    )
    primary: ChangeRow | None = Field(description="The test behind the verdict.")
    channels: list[ChangeRow] = Field(description="Whether one engine changed: a question of its own.")
    parts: list[ChangeRow] = Field(description="What explains a change; tested only when there is one.")


def change_view(change: ChangeDocument) -> Change:
    """Return the comparison with the calculation before as it is shown."""
    scored = change.primary if change.endpoint == "score" else None
    interval = scored.interval if scored else None
    return Change(
        value=None if change.value is None else round(change.value, POINT_DECIMALS) + 0.0,
        before=in_points(scored.before if scored else None),
        after=in_points(scored.after if scored else None),
        interval=None
        if interval is None
        else Interval(low=in_points(interval.low) or 0.0, high=in_points(interval.high) or 0.0),
        verdict=change.verdict,
        reason=change.reason,
        endpoint=change.endpoint,
        primary=change_row_view(change.primary) if change.primary else None,
        channels=[change_row_view(result) for result in change.channels],
        parts=[change_row_view(result) for result in change.parts],
    )


def change_row_view(result: ChangeResultDocument) -> ChangeRow:
    """Return one test as it is shown."""
    return ChangeRow(
        channel=result.channel,
        part=result.part,
        before=result.before,
        after=result.after,
        delta=result.delta,
        interval=interval_view(result.interval),
        level=result.level,
        p=result.p,
        prompts=result.prompts,
        answersBefore=result.answers_before,
        answersAfter=result.answers_after,
        missing=result.missing,
        tipping=result.tipping,
        verdict=result.verdict,
        reason=result.reason,
    )
