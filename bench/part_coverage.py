"""Coverage of the intervals of the headline and of its parts, on whole answers."""

import random
from collections.abc import Mapping, Sequence

from analytics.intervals import interval_pair
from analytics.market_sums import sums_of
from analytics.observation import Observation
from analytics.prompt_means import estimate
from analytics.score_inputs import YES_OR_NO, Part, ScoreInputs, effective_weights
from bench.answer_values import PromptNature, answer_all, draw_nature
from bench.populations import CHANNELS, LEAST_COVERAGE, Design, draw_rates

PARTS = {Part.PRESENCE: "presence", Part.PROMINENCE: "prominence", Part.CITATION: "citation"}
LEAST_CITATION_COVERAGE = 0.92
"""Of citations that were asked for once."""


def part_coverage(trials: int) -> None:
    """Coverage of headline, prominence and citation, for all such questions and for these prompts."""
    print(
        f"headline, prominence, citation: coverage; goal at least {LEAST_COVERAGE:.2f}, "
        f"citation asked once {LEAST_CITATION_COVERAGE:.2f}"
    )
    for population in ("beta(1,2)", "beta(.2,1.8)"):
        for design in (Design(30, 1, 1), Design(30, 3, 3), Design(10, 3, 3)):
            rng = random.Random(f"parts {population} {design}")
            many = [
                draw_nature(tuple(row), rng)
                for row in draw_rates(population, Design(20_000, design.channels, 1), rng)
            ]
            truth = mean_parts(many)
            hits: dict[str, list[int]] = {}
            for _ in range(trials):
                rates = draw_rates(population, design, rng)
                natures = [draw_nature(tuple(row), rng) for row in rates]
                answers = answer_all(natures, CHANNELS[: design.channels], design.repeats, rng)
                for name, held in covered_parts(answers, truth, mean_parts(natures)).items():
                    hits.setdefault(name, []).append(held)
            told = "   ".join(
                f"{name} {sum(one & 1 for one in held) / len(held):.3f}/{sum(one >> 1 for one in held) / len(held):.3f}"
                for name, held in hits.items()
            )
            print(f"  {design!s:8} {population:13} {told}")


def mean_parts(natures: Sequence[PromptNature]) -> dict[Part, float]:
    """Mean expected value of each part."""
    expected = [nature.expected() for nature in natures]
    return {part: sum(one[part] for one in expected) / len(expected) for part in Part}


def covered_parts(
    answers: Sequence[Observation], truth: Mapping[Part, float], here: Mapping[Part, float]
) -> dict[str, int]:
    """Whether the intervals of all such questions (1) and of these prompts (2) hold their targets, added up."""
    inputs = ScoreInputs.of(sums_of(answers))
    weights = effective_weights(inputs.measured)
    subjects = [
        (
            "headline",
            inputs.headline_cells(weights),
            [sum(w * one[p] for p, w in weights.items()) for one in (truth, here)],
            False,
        ),
        *(
            (name, inputs.cells(part), [truth[part], here[part]], part in YES_OR_NO)
            for part, name in PARTS.items()
        ),
    ]
    found: dict[str, int] = {}
    for name, cells, targets, yes_or_no in subjects:
        value = estimate(cells)
        assert value is not None
        pair = interval_pair(cells, value, yes_or_no=yes_or_no)
        intervals = (pair.all_questions or (0.0, 1.0), pair.these_prompts)
        found[name] = sum(
            (low - 1e-9 <= target <= high + 1e-9) << at
            for at, ((low, high), target) in enumerate(zip(intervals, targets, strict=True))
        )
    return found
