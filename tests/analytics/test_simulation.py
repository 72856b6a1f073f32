"""The promises of the interval and of the verdict, against engines whose true rates are known."""

import random
from datetime import UTC, datetime, timedelta

from analytics.change import Side, compare
from analytics.intervals import cluster_interval
from analytics.observations import Channel, Observation
from analytics.score import score
from analytics.sheet import Part

TRIALS, PROMPTS, REPEATS = 2000, 30, 3
ALPHA, BETA = 0.6, 1.4  # uneven prompts: mean rate 0.3, most prompts near 0 and some near 1
TRUTH = ALPHA / (ALPHA + BETA)
START = datetime(2026, 3, 1, tzinfo=UTC)
CHANNELS = (Channel("chatgpt", "visibility"), Channel("perplexity", "readiness"))


def test_the_interval_covers_the_true_rate_in_92_to_98_percent_of_trials() -> None:
    rng = random.Random(20260301)
    covered = 0
    for trial in range(TRIALS):
        rates = [rng.betavariate(ALPHA, BETA) for _ in range(PROMPTS)]
        groups = [(sum(rng.random() < rate for _ in range(REPEATS)), REPEATS) for rate in rates]
        low, high = cluster_interval(groups, seed=trial) or (1.0, 0.0)
        covered += low <= TRUTH <= high
    assert 0.92 <= covered / TRIALS <= 0.98


def test_presence_of_a_score_has_exactly_that_interval() -> None:
    rng = random.Random(7)
    rates = [rng.betavariate(ALPHA, BETA) for _ in range(PROMPTS)]
    found = answers("a", rates, CHANNELS[:1], rng)
    result = score("acme", found, "r1")
    groups = [
        (sum(seen.named for seen in found if seen.prompt_id == f"p{prompt:02}"), REPEATS)
        for prompt in range(PROMPTS)
    ]
    low, high = result.factor(Part.PRESENCE).interval or (1.0, 0.0)
    expected = cluster_interval(groups, result.seed) or (1.0, 0.0)
    assert abs(low - expected[0]) < 1e-12
    assert abs(high - expected[1]) < 1e-12


def test_unchanged_engines_are_called_changed_in_at_most_five_percent_of_trials() -> None:
    rng = random.Random(20260302)
    alarms = 0
    for _ in range(TRIALS):
        rates = [rng.betavariate(ALPHA, BETA) for _ in range(PROMPTS)]
        before, after = (side(answers(name, rates, CHANNELS, rng)) for name in "ab")
        change = compare(before, after, replicates=40)  # the interval plays no part in the verdict
        alarms += any(row.verdict == "changed" for row in change.rows)
    assert alarms / TRIALS <= 0.05


def answers(
    name: str, rates: list[float], channels: tuple[Channel, ...], rng: random.Random
) -> list[Observation]:
    return [
        Observation(
            answer_id=f"{name}-{prompt}-{channel}-{repeat}",
            prompt_id=f"p{prompt:02}",
            channel=channel,
            captured_at=START + timedelta(seconds=repeat),
            named=rng.random() < rate,
        )
        for prompt, rate in enumerate(rates)
        for channel in channels
        for repeat in range(REPEATS)
    ]


def side(found: list[Observation]) -> Side:
    return Side(
        score=score("acme", found, "r1", replicates=40),
        analysis="r1",
        country="US",
        language="en",
        prompts={seen.prompt_id: "text" for seen in found},
        served={channel: frozenset({"model-1"}) for channel in CHANNELS},
        observations=found,
    )
