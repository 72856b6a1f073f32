"""What a change consists of: how much of it each prompt, each channel and each part of the score brings."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

from analytics.change import CommonAnswers, endpoint_cells
from analytics.observation import Channel
from analytics.prompt_means import Cells, estimate
from analytics.score_inputs import Part


@dataclass(frozen=True, slots=True)
class PromptContribution:
    """One prompt: its value on both sides (0-1; linearized where channels lack it) and its share of the change."""

    prompt_id: str
    before: float
    after: float
    contribution: float


@dataclass(frozen=True, slots=True)
class ChannelContribution:
    """One channel: its mean over the common prompts on both sides (0-1) and its share of the change."""

    channel: Channel
    before: float
    after: float
    contribution: float


@dataclass(frozen=True, slots=True)
class PartContribution:
    """One part of the score: its value on both sides (0-1), its weight in the headline and its share of the change."""

    part: Part
    before: float
    after: float
    weight: float
    contribution: float


@dataclass(frozen=True, slots=True)
class Contributions:
    """A change taken apart three times; the contributions of each list add up to the change, -1 to 1.

    There are no parts where a single one is compared. Largest contribution first.
    """

    prompts: tuple[PromptContribution, ...]
    channels: tuple[ChannelContribution, ...]
    parts: tuple[PartContribution, ...]


def contributions(common: CommonAnswers, part: Part | None = None) -> Contributions:
    """Take the difference that `compare` tests apart; empty where both sides share no answered cell.

    `common` are the answers of both sides over comparable channels.
    """
    endpoint, cells = endpoint_cells(common, part)
    keys = cells.before.keys() & cells.after.keys()
    if not keys:
        return Contributions((), (), ())
    earlier, later = ({key: side[key] for key in keys} for side in (cells.before, cells.after))
    return Contributions(
        prompts=_by_prompt(earlier, later),
        channels=_by_channel(earlier, later),
        parts=_by_part(common) if endpoint == "score" else (),
    )


def _by_prompt(before: Cells, after: Cells) -> tuple[PromptContribution, ...]:
    earlier, later = estimate(before), estimate(after)
    assert earlier is not None
    assert later is not None
    rows = [
        PromptContribution(prompt, then, now, (now - then) / len(earlier.prompts))
        for prompt, then, now in zip(earlier.prompts, earlier.values, later.values, strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: (-abs(row.contribution), row.prompt_id)))


def _by_channel(before: Cells, after: Cells) -> tuple[ChannelContribution, ...]:
    earlier, later = _channel_means(before), _channel_means(after)
    rows = [
        ChannelContribution(channel, then, later[channel], (later[channel] - then) / len(earlier))
        for channel, then in earlier.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-abs(row.contribution), row.channel)))


def _channel_means(cells: Cells) -> Mapping[Channel, float]:
    values: dict[Channel, list[float]] = defaultdict(list)
    for (_, channel), current in sorted(cells.items()):
        values[channel].append(current.mean)
    return {channel: fsum(means) / len(means) for channel, means in values.items()}


def _by_part(common: CommonAnswers) -> tuple[PartContribution, ...]:
    rows: list[PartContribution] = []
    for part, weight in common.weights.items():
        then, now = estimate(common.before.cells(part)), estimate(common.after.cells(part))
        assert then is not None
        assert now is not None
        rows.append(PartContribution(part, then.mean, now.mean, weight, weight * (now.mean - then.mean)))
    return tuple(sorted(rows, key=lambda row: -abs(row.contribution)))
