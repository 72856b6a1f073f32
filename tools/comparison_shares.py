"""What each prompt, engine and part brings to the difference of two periods."""

from pydantic import Field

from analytics.change import ChangeResult
from analytics.contributions import ChannelContribution, PartContribution, PromptContribution
from measurement.statistics.period_comparison import PeriodComparison
from storage.repositories.prompt_results import AskedPrompt
from tools.calls.wire import Interval, Wire, harmless, in_points, interval_in_points

LONGEST_PROMPT = 500


class PromptShare(Wire):
    """What one prompt brings to the difference."""

    promptId: str
    prompt: str
    before: float
    after: float
    contribution: float = Field(description="Points of the difference; all prompts add up to it.")
    answerIds: list[str] = Field(description="Newest answers of the later period; get_answer opens them.")


class EngineShare(Wire):
    """What one channel brings to the difference, and whether it changed taken by itself."""

    channel: str
    platform: str
    mode: str
    country: str | None
    before: float | None
    after: float | None
    contribution: float | None = Field(description="Points of the difference; null when not compared.")
    difference: float | None
    interval: Interval | None
    verdict: str
    reason: str | None


class PartShare(Wire):
    """What one part of the score brings to the difference."""

    part: str
    weight: float
    before: float
    after: float
    contribution: float
    difference: float = Field(description="After minus before.")
    interval: Interval | None = Field(description="Of that difference; null unless the score changed.")
    verdict: str
    reason: str | None


def prompt_share(
    row: PromptContribution, asked: dict[str, AskedPrompt], newest: dict[str, list[str]]
) -> PromptShare:
    """Return what one prompt brings."""
    prompt = asked.get(row.prompt_id)
    return PromptShare(
        promptId=row.prompt_id,
        prompt=harmless(prompt.text, LONGEST_PROMPT) if prompt else "",
        before=in_points(row.before) or 0.0,
        after=in_points(row.after) or 0.0,
        contribution=in_points(row.contribution) or 0.0,
        answerIds=newest.get(row.prompt_id, []),
    )


def engine_shares(comparison: PeriodComparison) -> list[EngineShare]:
    """Return every channel that both periods asked, largest contribution first; others have no contribution."""
    contributions = {row.channel: row for row in comparison.contributions.channels}
    rows = [
        engine_share(result, contributions.get(result.channel))
        for result in comparison.change.channels
        if result.channel is not None
    ]
    return sorted(rows, key=lambda row: (-abs(row.contribution or 0.0), row.channel))


def engine_share(result: ChangeResult, contribution: ChannelContribution | None) -> EngineShare:
    """Return what one channel brings."""
    channel = result.channel
    assert channel is not None
    return EngineShare(
        channel=str(channel),
        platform=channel.platform,
        mode=channel.mode,
        country=channel.country or None,
        before=in_points(contribution.before if contribution else result.before),
        after=in_points(contribution.after if contribution else result.after),
        contribution=in_points(contribution.contribution) if contribution else None,
        difference=in_points(result.delta),
        interval=interval_in_points(result.interval),
        verdict=result.verdict,
        reason=result.reason,
    )


def part_share(row: PartContribution, comparison: PeriodComparison) -> PartShare:
    """Return what one part of the score brings."""
    result = next((candidate for candidate in comparison.change.parts if candidate.part is row.part), None)
    return PartShare(
        part=row.part,
        weight=round(row.weight, 4),
        before=in_points(row.before) or 0.0,
        after=in_points(row.after) or 0.0,
        contribution=in_points(row.contribution) or 0.0,
        difference=in_points(row.after - row.before) or 0.0,
        interval=interval_in_points(result.interval) if result else None,
        verdict=result.verdict if result else "not_comparable",
        reason=result.reason if result else None,
    )
