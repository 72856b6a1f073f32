"""The measurement method as a public document, written from the constants that compute."""

from collections.abc import Callable, Mapping
from inspect import cleandoc

from analytics.batches import ENOUGH_ANSWERS, ENOUGH_PROMPTS, LOOK_BACK
from analytics.change import COMMON_PROMPTS
from analytics.digests import SCORE_MODEL
from analytics.intervals import ALPHA, REPLICATES
from analytics.score import FEWEST_ANSWERS, FEWEST_PROMPTS
from analytics.sheet import ENOUGH_JUDGED, WEIGHTS, Part, citation, presence, prominence
from server.resources import Document, ResourceEntry

MEASUREMENT_METHOD = "seenby://method/measurement"

_DEFINED_BY: Mapping[Part, Callable[..., object]] = {
    Part.PRESENCE: presence,
    Part.PROMINENCE: prominence,
    Part.CITATION: citation,
}
_TONE = (
    "Of the mentions whose tone was judged: 1 positive, 0.5 neutral, 0 negative; left out below {} of them."
)


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
        *(f"| {part} | {weight:g} | {_defined(part)} |" for part, weight in WEIGHTS.items()),
        "",
        "A part that could not be measured drops out, and the weights of the others grow in proportion.",
        "",
        "## Sample",
        "",
        f"- Run batches are read from the newest backwards, up to {LOOK_BACK.days} days, until there are "
        f"{ENOUGH_ANSWERS} answers to {ENOUGH_PROMPTS} prompts; below that, confidence is low.",
        f"- Under {FEWEST_ANSWERS} answers or {FEWEST_PROMPTS} prompts there is no score.",
        "",
        "## Uncertainty",
        "",
        f"- The interval is {100 * (1 - ALPHA):g} %, from {REPLICATES} draws of whole prompts, since answers "
        "to one prompt move together.",
        f"- A change is told only between calculations that share {COMMON_PROMPTS:.0%} of their prompts, and "
        f"only when a test at {ALPHA:g}, corrected for the number of tests, finds it.",
        "- Two entities whose difference has an interval around zero are tied.",
    ]
    return "\n".join(lines) + "\n"


def _defined(part: Part) -> str:
    function = _DEFINED_BY.get(part)
    if function is None:
        return _TONE.format(ENOUGH_JUDGED)
    return cleandoc(function.__doc__ or "").replace("|", "\\|")
