"""The promises of the intervals and of the verdict, against engines whose true rates are known."""

import random

from analytics.intervals import interval_pair
from analytics.observation import Channel
from analytics.paired_change import paired_difference
from analytics.prompt_means import Cells, cell, estimate

TRIALS, PROMPTS, REPEATS = 500, 30, 3
ALPHA, BETA = 0.6, 1.4  # uneven prompts: mean rate 0.3, most prompts near 0 and some near 1
TRUTH = ALPHA / (ALPHA + BETA)
CHANNELS = (Channel("chatgpt", "visibility"), Channel("perplexity", "readiness"))


def asked(rates: list[float], rng: random.Random) -> Cells:
    return {
        (f"p{i:02}", channel): cell([float(rng.random() < rate) for _ in range(REPEATS)])
        for i, rate in enumerate(rates)
        for channel in CHANNELS
    }


def test_intervals_cover_what_they_are_named_for() -> None:
    rng = random.Random(20260301)
    same = others = 0
    for _ in range(TRIALS):
        rates = [rng.betavariate(ALPHA, BETA) for _ in range(PROMPTS)]
        cells = asked(rates, rng)
        value = estimate(cells)
        assert value is not None
        pair = interval_pair(cells, value, yes_or_no=True)
        low, high = pair.all_questions or (1.0, 0.0)
        same += pair.these_prompts[0] <= sum(rates) / PROMPTS <= pair.these_prompts[1]
        others += low <= TRUTH <= high
    assert 0.92 <= same / TRIALS <= 0.985
    assert 0.92 <= others / TRIALS <= 0.985


def test_unchanged_engines_are_seldom_called_changed() -> None:
    rng = random.Random(20260302)
    alarms = 0
    for _ in range(TRIALS):
        rates = [rng.betavariate(ALPHA, BETA) for _ in range(PROMPTS)]
        difference = paired_difference(asked(rates, rng), asked(rates, rng))
        assert difference is not None
        alarms += difference.p < 0.05
    assert alarms / TRIALS <= 0.08
