"""Opens and resolves issues about the tone of each channel, and tells people of what is new."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from measurement.alerts.issues import IssueObservation, record
from storage.workspace import Workspace
from workflows.agents.agent import Result, Work

LEAST_TONES = 3
"""Judged mentions of a channel below which nothing is concluded."""
ILL = 1 / 3
"""Share of negative mentions from which a channel speaks ill."""
MOST_QUOTES = 5


async def run(work: Work) -> Result:
    """Observe the tone of every channel with enough mentions; wrong claims opened their issues with the answers."""
    seen = observations(work.brand.name, work.outputs["risk_ranker"]["tones"])
    ill = [one for one in seen if one.bad is not None]

    async def keep(writing: Workspace) -> None:
        await record(writing, work.brand, seen, work.now, work.run_id)

    output = {"observed": [one.subject for one in seen], "ill": [one.subject for one in ill]}
    return Result(output, f"{len(ill)} of {len(seen)} channels speak ill of {work.brand.name}.", keep=keep)


def observations(brand: str, tones: Iterable[Mapping[str, Any]]) -> list[IssueObservation]:
    """Return how each channel speaks of the brand."""
    by_channel: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for one in tones:
        by_channel[one["channel"]].append(one)
    return [
        observation(brand, channel, told)
        for channel, told in sorted(by_channel.items())
        if len(told) >= LEAST_TONES
    ]


def observation(brand: str, channel: str, told: list[Mapping[str, Any]]) -> IssueObservation:
    """Return one channel's tone."""
    bad = [one for one in told if one["label"] == "negative"]
    return IssueObservation(
        kind="reputation",
        check_id="reputation.tone",
        subject=channel,
        bad=f"{channel} speaks ill of {brand}" if len(bad) >= ILL * len(told) else None,
        evidence=[
            {"type": "answer", "id": one["answerId"], "excerpt": one["quote"] or ""}
            for one in bad[:MOST_QUOTES]
        ],
    )
