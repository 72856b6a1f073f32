"""Opens and resolves issues about the tone of each channel, and notifies users of new ones."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from measurement.alerts.issues import IssueObservation, record
from measurement.planning.engine_names import channel_name
from storage.documents import StoredEvidence
from storage.workspace import Workspace
from workflows.agents.agent import Result, Work
from workflows.agents.outputs.reputation import ChannelAlerts, ChannelTone, RiskRanking

LEAST_TONES = 3
"""Judged mentions of a channel below which nothing is concluded."""
ILL = 1 / 3
"""Share of negative mentions from which a channel speaks ill."""
MOST_QUOTES = 5


async def run(work: Work) -> Result:
    """Observe the tone of every channel with enough mentions; wrong claims opened their issues with the answers."""
    seen = observations(work.brand.name, work.output(RiskRanking).tones)
    ill = [observation for observation in seen if observation.bad is not None]

    async def keep(writing: Workspace) -> None:
        await record(writing, work.brand, seen, work.now, work.run_id)

    output = ChannelAlerts(
        observed=tuple(observation.subject for observation in seen),
        ill=tuple(observation.subject for observation in ill),
    )
    return Result(output, f"{len(ill)} of {len(seen)} channels speak ill of {work.brand.name}.", keep=keep)


def observations(brand: str, tones: Iterable[ChannelTone]) -> list[IssueObservation]:
    """Return how each channel speaks of the brand."""
    by_channel: dict[str, list[ChannelTone]] = defaultdict(list)
    for tone in tones:
        by_channel[tone.channel].append(tone)
    return [
        observation(brand, channel, channel_tones)
        for channel, channel_tones in sorted(by_channel.items())
        if len(channel_tones) >= LEAST_TONES
    ]


def observation(brand: str, channel: str, channel_tones: Sequence[ChannelTone]) -> IssueObservation:
    """Return one channel's tone."""
    bad = [tone for tone in channel_tones if tone.label == "negative"]
    return IssueObservation(
        kind="reputation",
        check_id="reputation.tone",
        subject=channel,
        bad=f"{channel_name(channel)} speaks ill of {brand}"
        if len(bad) >= ILL * len(channel_tones)
        else None,
        evidence=[
            StoredEvidence(type="answer", id=tone.answer_id, excerpt=tone.quote or "")
            for tone in bad[:MOST_QUOTES]
        ],
    )
