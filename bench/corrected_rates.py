"""Coverage of rates that a person's labels correct for the errors of the matcher."""

import random

from analytics.audit_correction import LabeledSample, correct_rate
from analytics.intervals import interval_pair
from analytics.prompt_means import Cell, CellKey, estimate
from bench.populations import CHANNELS, LEAST_COVERAGE, Design, counted, draw_rates, true_mean


def correction(trials: int) -> None:
    """Coverage of a rate that 200 labels correct, for a matcher that errs."""
    print(f"rates corrected by 200 labels, 100x3x3; goal at least {LEAST_COVERAGE:.2f}")
    design = Design(100, 3, 3)
    for false_names, misses, published in ((0.03, 0.10, 0.952), (0.10, 0.02, 0.959), (0.0, 0.0, 0.969)):
        rng = random.Random(f"correction {false_names} {misses}")
        truth = true_mean(draw_rates("beta(1,2)", Design(20_000, 3, 1), rng))
        raw = corrected = 0
        for _ in range(trials):
            held = corrected_trial(design, false_names, misses, truth, rng)
            raw += held[0]
            corrected += held[1]
        print(
            f"  named though not {false_names:.2f}, missed {misses:.2f}: raw covers {raw / trials:.3f}, "
            f"corrected {corrected / trials:.3f} (table {published:.3f})"
        )


def corrected_trial(
    design: Design, false_names: float, misses: float, truth: float, rng: random.Random
) -> tuple[bool, bool]:
    """Whether the raw and the corrected interval of all such questions hold the truth."""
    read: dict[CellKey, Cell] = {}
    errors: dict[bool, list[bool]] = {True: [], False: []}
    for prompt, row in enumerate(draw_rates("beta(1,2)", design, rng)):
        for channel, rate in enumerate(row):
            named = 0
            for _ in range(design.repeats):
                is_named = rng.random() < rate
                says = rng.random() >= misses if is_named else rng.random() < false_names
                named += says
                errors[says].append(says != is_named)
            read[f"p{prompt:03}", CHANNELS[channel]] = counted(named, design.repeats)
    value = estimate(read)
    assert value is not None
    interval = interval_pair(read, value, yes_or_no=True).all_questions or (0.0, 1.0)
    labeled = {says: rng.sample(found, min(100, len(found))) for says, found in errors.items()}
    sample = LabeledSample(len(labeled[True]), sum(labeled[True]), len(labeled[False]), sum(labeled[False]))
    low, high = correct_rate(value.mean, interval, sample).interval
    return interval[0] <= truth <= interval[1], low <= truth <= high
