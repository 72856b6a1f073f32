"""What a comparison of two periods says in words: its verdict, what is missing, what must be known beside it."""

from pydantic import Field

from analytics.change import ChangeResult, ScoreChange
from measurement.planning.engine_names import platform_name
from measurement.statistics.period_comparison import PeriodComparison
from tools.calls.wire import Wire

METRIC_WORDS = {
    "visibilityScore": "Visibility score",
    "presence": "Mention rate",
    "prominence": "Prominence",
    "citation": "Citation rate",
    "tone": "Tone",
}
REASONS = {
    "insufficient_data": "one of the periods has no answer that counts",
    "too_few_prompts": "fewer than two prompts were answered in both periods",
    "prompts_changed": "under 80 % of the prompts are the same in both periods",
    "locale_changed": "the periods were asked from other places or in other languages; choose one country",
    "channels_changed": "the periods were asked on other channels",
    "served_model_changed": "the engines served other models",
    "degraded": "a channel lost over a fifth of its answers and is left out",
    "basis_changed": "the periods do not measure the same parts, so that presence is compared",
    "analysis_changed": "the answers were read by other rules",
    "model_changed": "the score was made by another model",
    "headline_unchanged": "the score did not change, so that its parts are not judged",
}


class ComparedMissing(Wire):
    """Planned answers that never came or break off, and what they could change."""

    answers: int = Field(description="Of both periods together.")
    tipping: int | None = Field(description="So many of them against the change would undo it; else null.")
    meaning: str


def statement_of(comparison: PeriodComparison, metric: str) -> str:
    """Say the verdict in the words that it permits."""
    change, primary = comparison.change, comparison.change.primary
    name = METRIC_WORDS["presence" if change.endpoint == "presence" else metric]
    because = served_otherwise(change) or REASONS.get(change.reason or "", "")
    if primary is None or primary.delta is None or primary.interval is None:
        return f"{name}: not comparable; {because or 'too little was asked in both periods'}."
    low, high = (round(100 * bound, 1) for bound in primary.interval)
    size = f"{100 * primary.delta:+.1f} points, 95 % interval {low:+.1f} to {high:+.1f}"
    direction = "rose" if primary.delta > 0 else "fell"
    words = {
        "changed": f"{name} {direction} ({size}).",
        "changed_if_missing_are_alike": (
            f"{name} {direction} among the answers received ({size}); {primary.missing} are missing, and "
            f"{primary.tipping} of them against it would undo this."
        ),
        "no_detectable_change": f"{name}: no change can be detected ({size}).",
        "not_comparable": f"{name}: not comparable.",
    }[change.verdict]
    return f"{words} Note: {because}." if because else words


def served_otherwise(change: ScoreChange) -> str:
    """Name the engines that are left out because they served another model; empty without one."""
    engines = sorted(
        {
            platform_name(result.channel.platform)
            for result in change.channels
            if result.channel is not None and result.reason == "served_model_changed"
        }
    )
    if not engines or change.reason != "served_model_changed":
        return ""
    left_out = "is left out" if len(engines) == 1 else "are left out"
    return f"{' and '.join(engines)} served another model than before and {left_out}"


def missing_view(primary: ChangeResult | None) -> ComparedMissing:
    """Return what is missing and what it could change."""
    missing, tipping = (primary.missing, primary.tipping) if primary else (0, None)
    if primary is None or primary.delta is None:
        meaning = "Nothing could be compared."
    elif not missing:
        meaning = "No planned answer is missing."
    elif tipping is not None:
        meaning = f"If {tipping} of {missing} missing answers spoke against the change, there would be none."
    else:
        meaning = "The missing answers, however they had turned out, do not change the verdict."
    if missing and primary and primary.verdict == "no_detectable_change":
        meaning = "No change was found; missing answers are not filled in to make one."
    return ComparedMissing(answers=missing, tipping=tipping, meaning=meaning)
