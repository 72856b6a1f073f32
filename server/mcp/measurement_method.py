"""The measurement method as a public document, written from the constants that compute."""

from collections.abc import Mapping

from analytics.batches import ENOUGH_ANSWERS, ENOUGH_PROMPTS, LOOK_BACK
from analytics.change import COMMON_PROMPTS
from analytics.digests import SCORE_MODEL
from analytics.intervals import ALPHA
from analytics.paired_change import TOLERATED_MISSING
from analytics.score import FEWEST_ANSWERS, FEWEST_PROMPTS
from analytics.score_inputs import WEIGHTS, Part
from server.mcp.resources import Document, ResourceEntry

MEASUREMENT_METHOD = "seenby://method/measurement"

_DEFINITIONS: Mapping[Part, str] = {
    Part.PRESENCE: "1 if the answer names the entity, else 0.",
    Part.PROMINENCE: (
        "Ranked: 1/log2(rank + 1), at least 0.25; unranked: from 0.25 at the start down to 0.125; not named: 0."
    ),
    Part.CITATION: (
        "1 if the answer names the entity and cites its site, else 0; left out if that could not be seen."
    ),
}


def measurement_method() -> Document:
    """Describe how answers become a score, an interval and a verdict."""
    entry = ResourceEntry(
        uri=MEASUREMENT_METHOD,
        name="measurement-method",
        title="Measurement method",
        description="How a visibility score is computed: parts, weights, sample rules, interval, verdict.",
    )
    return Document(entry, _text)


def _text() -> str:
    lines = [
        f"# Measurement method, model {SCORE_MODEL}",
        "",
        "Engines are asked each prompt several times; every answer is stored before it is read.",
        "A score (0-100) is the weighted mean of its parts, over prompts and channels with equal say.",
        "",
        "| Part | Weight | An answer counts |",
        "|---|---|---|",
        *(f"| {part} | {weight:g} | {_DEFINITIONS[part]} |" for part, weight in WEIGHTS.items()),
        "",
        "A part that could not be measured drops out, and the weights of the others grow in proportion.",
        "",
        "Tone and recommendations are no part of the score. An engine judges them, where a workflow asks one to; it "
        "quotes the words that decided, and a verdict whose quote is not in the answer is discarded.",
        "",
        "## Sample",
        "",
        f"- Run batches are read from the newest backwards, up to {LOOK_BACK.days} days, until there are "
        f"{ENOUGH_ANSWERS} answers to {ENOUGH_PROMPTS} prompts; below that, confidence is low.",
        f"- Under {FEWEST_ANSWERS} answers or {FEWEST_PROMPTS} prompts there is no score.",
        "",
        "## Uncertainty",
        "",
        f"- Two {100 * (1 - ALPHA):g} % intervals. *These prompts*: where the value would lie if the same prompts were "
        "asked again. *All such questions*: where it would lie with other questions of the same kind.",
        f"- A change is reported only between calculations that share {COMMON_PROMPTS:.0%} of their prompts, by a "
        f"paired test of the score at {ALPHA:g}; with missing answers it must hold when they are filled against it, "
        f"all of them above {TOLERATED_MISSING:.0%}. Channels and parts are families of their own.",
        "- Two entities whose difference has an interval around zero are tied.",
    ]
    return "\n".join(lines) + "\n"
