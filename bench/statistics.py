"""Prints how long a score takes, how often intervals cover the truth, and how often a verdict is wrong.

Run with `python -m bench.statistics [trials]`.
"""

import random
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from analytics.change import Side, compare
from analytics.observations import Channel, Observation
from analytics.score import Score, score
from analytics.sheet import Part

START = datetime(2026, 3, 1, tzinfo=UTC)
CHANNELS = [Channel(f"platform{n}", mode) for n in range(4) for mode in ("visibility", "readiness")]
SHAPES = [(0.6, 1.4), (1.0, 1.0), (2.0, 3.0), (1.0, 3.0)]


def answers(
    name: str, rates: Sequence[float], channels: Sequence[Channel], repeats: int, rng: random.Random
) -> list[Observation]:
    """Answers of an engine that names the brand at these rates, unranked and late in the text."""
    return [
        Observation(
            answer_id=f"{name}-{prompt}-{channel}-{repeat}",
            prompt_id=f"p{prompt:03}",
            channel=channel,
            captured_at=START + timedelta(seconds=repeat),
            named=rng.random() < rate,
        )
        for prompt, rate in enumerate(rates)
        for channel in channels
        for repeat in range(repeats)
    ]


def speed() -> None:
    """Best of five runs of one score with 2,000 replicates."""
    for prompts, channels in ((30, 1), (30, 2), (350, 8)):
        rng = random.Random(1)
        found = answers("a", [rng.random() for _ in range(prompts)], CHANNELS[:channels], 3, rng)
        times: list[float] = []
        for _ in range(5):
            started = time.perf_counter()
            score("acme", found, "r1")
            times.append(time.perf_counter() - started)
        print(f"score of {prompts} prompts x {channels} channels: {1000 * min(times):.0f} ms")


def coverage(trials: int) -> None:
    """Share of trials whose interval holds the true presence and the true score; 30 prompts, 3 repeats."""
    for alpha, beta in SHAPES:
        rng = random.Random(2)
        truth = alpha / (alpha + beta)
        presence = whole = 0
        for _ in range(trials):
            rates = [rng.betavariate(alpha, beta) for _ in range(30)]
            result = score("acme", answers("a", rates, CHANNELS[:1], 3, rng), "r1")
            low, high = result.factor(Part.PRESENCE).interval or (1.0, 0.0)
            presence += low <= truth <= high
            low, high = result.interval or (1.0, 0.0)
            whole += low <= 100 * truth * (0.5 + 0.2 * 0.25) / 0.7 <= high
        shares = f"presence covered {presence / trials:.1%}, score covered {whole / trials:.1%}"
        print(f"beta({alpha}, {beta}): {shares}")


def false_alarms(trials: int) -> None:
    """Share of trials in which any row calls an unchanged engine changed; 30 prompts, 3 repeats."""
    for channels in (1, 2, 4):
        rng = random.Random(3)
        alarms = 0
        for _ in range(trials):
            rates = [rng.betavariate(0.6, 1.4) for _ in range(30)]
            sides = [answers(name, rates, CHANNELS[:channels], 3, rng) for name in "ab"]
            before, after = (side(found, score("acme", found, "r1", replicates=40)) for found in sides)
            alarms += any(row.verdict == "changed" for row in compare(before, after, replicates=40).rows)
        print(f"{channels} channels: false alarms {alarms / trials:.1%}")


def side(found: Sequence[Observation], result: Score) -> Side:
    """A side of a comparison in which nothing but the answers differs."""
    texts = {seen.prompt_id: "text" for seen in found}
    return Side(result, "r1", "US", "en", texts, dict.fromkeys(CHANNELS, frozenset({"model-1"})), found)


def main() -> None:
    """Print all figures."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    speed()
    coverage(trials)
    false_alarms(trials)


if __name__ == "__main__":
    main()
