"""Print coverage, false alarms and power of the statistics next to the goals of the published method.

Run with `python -m bench statistics`, or with `--long` for the trials that the goals are meant for (20,000 for
coverage and false alarms, 4,000 for power; hours). All simulations are seeded.
"""

import random
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from analytics.intervals import NO_TOPICS, interval_pair
from analytics.market_sums import sums_of
from analytics.monitoring import DAILY, WEEKLY, Rhythm, step_evidence
from analytics.observation import Observation
from analytics.paired_change import PairedCells, check_missing, paired_difference
from analytics.power import power
from analytics.prompt_means import Cell, CellKey, estimate
from analytics.score import score
from bench.corrected_rates import correction
from bench.part_coverage import part_coverage
from bench.populations import (
    CHANNELS,
    LEAST_COVERAGE,
    POPULATIONS,
    Design,
    Rates,
    ask,
    counted,
    draw_rates,
    shifted,
    true_mean,
)

START = datetime(2026, 3, 1, tzinfo=UTC)
MOST_ALARMS = 0.06
POWER_TOLERANCE = 0.05


@dataclass(frozen=True)
class Trials:
    """How many trials a cell of each table gets."""

    coverage: int
    power: int
    monitoring: int


SHORT = Trials(coverage=400, power=300, monitoring=40)
LONG = Trials(coverage=20_000, power=4_000, monitoring=300)


def speed() -> None:
    """Print the best of five runs of adding up answers, and of a score with four parts and both intervals."""
    for prompts, channels, repeats in ((30, 1, 3), (100, 6, 5)):
        rng = random.Random(1)
        answers = [
            Observation(
                f"{p}-{c}-{r}", f"p{p:03}", CHANNELS[c], START + timedelta(seconds=r), rng.random() < 0.3
            )
            for p in range(prompts)
            for c in range(channels)
            for r in range(repeats)
        ]
        adding: list[float] = []
        scoring: list[float] = []
        for _ in range(5):
            started = time.perf_counter()
            sums = sums_of(answers)
            added = time.perf_counter()
            score("acme", sums, "r1")
            adding.append(added - started)
            scoring.append(time.perf_counter() - added)
        print(
            f"score of {prompts}x{channels}x{repeats} answers: {1000 * min(scoring):.1f} ms (goal 9 at 100x6x5), "
            f"adding them up before {1000 * min(adding):.1f} ms"
        )


def coverage(trials: int) -> None:
    """Share of trials in which each interval holds what it is named for, with its mean width in points."""
    designs = [Design(30, 1, 1), Design(30, 1, 3), Design(30, 3, 3), Design(10, 3, 3), Design(5, 3, 3)]
    print(f"coverage/width; goal at least {LEAST_COVERAGE:.2f}")
    for population in POPULATIONS:
        for design in designs:
            others, same = covered(population, design, trials)
            print(f"  {design!s:8} {population:13} all such questions {others}   these prompts {same}")


def paraphrased_coverage(trials: int) -> None:
    """Print the same for prompts that are paraphrases of a few topics, which share the rate of their topic."""
    print(f"paraphrases of few topics; goal {LEAST_COVERAGE:.2f}-.99")
    for population in POPULATIONS:
        for topics, paraphrases in ((8, 4), (15, 2)):
            for channels in (1, 3):
                design = Design(topics, channels, 3)
                others, _ = covered(population, design, trials, paraphrases)
                each, _ = covered(population, design, trials, paraphrases, by_topic=False)
                print(
                    f"  {topics}x{paraphrases}, {channels} channels {population:13} all such questions {others}   "
                    f"prompts counted as topics {each}"
                )


def covered(
    population: str, design: Design, trials: int, paraphrases: int = 1, *, by_topic: bool = True
) -> tuple[str, str]:
    """Coverage and mean width of both intervals; with paraphrases, the prompts of a design are topics."""
    rng = random.Random(f"coverage {population} {design}")
    many = Design(20_000, design.channels, 1)
    truth = true_mean(draw_rates(population, many, rng))
    hits, widths = [0, 0], [0.0, 0.0]
    for _ in range(trials):
        rates = [row for row in draw_rates(population, design, rng) for _ in range(paraphrases)]
        cells = ask(rates, design.repeats, rng)
        value = estimate(cells)
        assert value is not None
        topics = {f"p{n:03}": str(n // paraphrases) for n in range(len(rates))} if by_topic else NO_TOPICS
        pair = interval_pair(cells, value, yes_or_no=True, topics=topics)
        for i, (interval, target) in enumerate(
            ((pair.all_questions or (0.0, 1.0), truth), (pair.these_prompts, true_mean(rates)))
        ):
            hits[i] += interval[0] - 1e-9 <= target <= interval[1] + 1e-9
            widths[i] += 100 * (interval[1] - interval[0])
    others, same = (f"{hits[i] / trials:.3f}/{widths[i] / trials:2.0f}" for i in (0, 1))
    return others, same


PUBLISHED_POWER: Mapping[Design, tuple[float, float]] = {
    Design(30, 1, 3): (0.34, 0.87),
    Design(30, 3, 3): (0.76, 1.00),
    Design(30, 6, 3): (0.96, 1.00),
}


def change(trials: Trials) -> None:
    """Share of trials called changed: unchanged engines, and rates that rose by 10 and 20 points."""
    print(
        f"change, beta(1,2); goals: false alarms at most {MOST_ALARMS}, power within {POWER_TOLERANCE} of the table"
    )
    for design, published in PUBLISHED_POWER.items():
        rng = random.Random(f"change {design}")
        alarms = share_changed(design, 0.0, trials.coverage, rng)
        shares = [share_changed(design, rise, trials.power, rng) for rise in (0.10, 0.20)]
        planned = power(0.10, design.prompts, design.channels * design.repeats, prompt_wobble=0.0)
        print(
            f"  {design!s:8} false alarms {alarms:.3f}   +10 {shares[0]:.2f} (table {published[0]:.2f}, "
            f"planned {planned:.2f})   +20 {shares[1]:.2f} (table {published[1]:.2f})"
        )


def share_changed(design: Design, rise: float, trials: int, rng: random.Random) -> float:
    """Share of trials in which the paired test finds a change."""
    changed = 0
    logits = logits_of_rise(rise)
    for _ in range(trials):
        before = draw_rates("beta(1,2)", design, rng)
        after = [[shifted(rate, logits) for rate in row] for row in before]
        difference = paired_difference(ask(before, design.repeats, rng), ask(after, design.repeats, rng))
        assert difference is not None
        changed += difference.p < 0.05
    return changed / trials


def logits_of_rise(rise: float) -> float:
    """The shift on the logit scale that raises the mean rate of beta(1,2) by this much."""
    if not rise:
        return 0.0
    rng = random.Random(8)
    rates = [rng.betavariate(1, 2) for _ in range(4000)]
    low, high = 0.0, 5.0
    for _ in range(30):
        middle = (low + high) / 2
        risen = sum(shifted(rate, middle) - rate for rate in rates) / len(rates)
        low, high = (middle, high) if risen < rise else (low, middle)
    return low


def missing(trials: int) -> None:
    """False alarms when 45 % of the naming answers get lost after: as observed, and with the rule."""
    for channels, goals in ((1, "table .28 and .024"), (3, "table .65 and .024")):
        rng = random.Random(f"missing {channels}")
        observed_alarms = alarms = 0
        design = Design(30, channels, 3)
        for _ in range(trials):
            rates = draw_rates("beta(1,2)", design, rng)
            before = ask(rates, 3, rng)
            after, lost = lose_names(ask(rates, 3, rng), 0.45, rng)
            difference = paired_difference(before, after)
            if difference is not None and difference.p < 0.05:
                observed_alarms += 1
                alarms += check_missing(PairedCells(before, after, {}, lost), difference).survives
        print(
            f"  {design!s:8} 45 % of naming answers lost: false alarms observed only {observed_alarms / trials:.3f}, "
            f"with the rule {alarms / trials:.3f} ({goals})"
        )


def lose_names(
    cells: Mapping[CellKey, Cell], share: float, rng: random.Random
) -> tuple[dict[CellKey, Cell], dict[CellKey, float]]:
    """Lose each naming answer with this probability."""
    kept: dict[CellKey, Cell] = {}
    lost: dict[CellKey, float] = {}
    for key, cell in cells.items():
        named = round(cell.mean * cell.answers)
        gone = sum(rng.random() < share for _ in range(named))
        if gone:
            lost[key] = float(gone)
        if cell.answers > gone:
            kept[key] = counted(named - gone, int(cell.answers) - gone)
    return kept, lost


def monitoring(series: int) -> None:
    """Print false alarms within 120 daily checks, and days until a step of 10 points on day 31 is detected."""
    design = Design(30, 3, 3)
    rng = random.Random("monitoring")
    alarms, delays = 0, list[int]()
    logits = logits_of_rise(0.10)
    for _ in range(series):
        rates = draw_rates("beta(1,2)", design, rng)
        alarms += first_alarm(looks(rates, rates, 120, rng)) is not None
        after = [[shifted(rate, logits) for rate in row] for row in rates]
        seen = first_alarm(looks(rates, after, 60, rng))
        delays.append(60 if seen is None else max(0, seen - 30))
    print(
        f"monitoring {design}: false alarms in 120 checks {alarms / series:.3f} (table .023 a year); a step of 10 "
        f"points on day 31 seen after {sorted(delays)[len(delays) // 2]} days in the median (table 3)"
    )


def weekly_monitoring(series: int) -> None:
    """Print false alarms within a year of weekly checks, and weeks until a 10-point step in week 13 is detected."""
    logits = logits_of_rise(0.10)
    for design, told in ((Design(30, 1, 3), "table .010 and 8"), (Design(30, 3, 3), "table .013 and 4")):
        rng = random.Random(f"weekly {design}")
        alarms, delays = 0, list[int]()
        for _ in range(series):
            rates = draw_rates("beta(1,2)", design, rng)
            after = [[shifted(rate, logits) for rate in row] for row in rates]
            still = [presence_of(rates, rng) for _ in range(WEEKLY.horizon)]
            alarms += first_alarm(still, WEEKLY) is not None
            moved = [presence_of(rates if week < 12 else after, rng) for week in range(WEEKLY.horizon)]
            seen = first_alarm(moved, WEEKLY)
            delays.append(WEEKLY.horizon if seen is None else max(0, seen - 12))
        print(
            f"weekly monitoring {design}: false alarms in 52 checks {alarms / series:.3f}; a step of 10 points in week "
            f"13 seen after {sorted(delays)[len(delays) // 2]} weeks in the median ({told})"
        )


def presence_of(rates: Rates, rng: random.Random) -> float:
    """The presence in one check with three answers to each prompt."""
    value = estimate(ask(rates, 3, rng))
    assert value is not None
    return value.mean


def looks(before: Rates, after: Rates, days: int, rng: random.Random) -> list[float]:
    """Return daily presence, with the `after` rates from day 31 on."""
    return [presence_of(before if day < 30 else after, rng) for day in range(days)]


def first_alarm(values: Sequence[float], rhythm: Rhythm = DAILY) -> int | None:
    """Return the number of checks after which the first alarm is raised, or None."""
    ends = range(rhythm.first + 1, len(values) + 1)
    return next((end for end in ends if step_evidence(values[:end], rhythm).is_alarm()), None)


def main() -> None:
    """Print all figures."""
    trials = LONG if "--long" in sys.argv[1:] else SHORT
    speed()
    coverage(trials.coverage)
    paraphrased_coverage(trials.coverage)
    part_coverage(trials.coverage)
    change(trials)
    missing(trials.power)
    monitoring(trials.monitoring)
    weekly_monitoring(trials.monitoring)
    correction(trials.coverage)


if __name__ == "__main__":
    main()
