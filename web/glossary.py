"""Display texts for identifiers that tools return. Numbers stay unchanged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from measurement.planning.engine_names import MODES, platform_name

VERDICTS: Mapping[str, str] = {
    "changed": "changed",
    "changed_if_missing_are_alike": "changed among the answers received",
    "no_detectable_change": "no detectable change",
    "not_comparable": "not comparable",
}
STATUSES: Mapping[str, str] = {
    "measured": "measured",
    "insufficient_data": "not enough data yet",
    "not_measured": "not measured",
    "no_data": "no data",
}
REASONS: Mapping[str, str] = {
    "never_measured": "never measured",
    "headline_unchanged": "not tested, since the score shows no change",
    "too_few_prompts": "too few prompts on both sides",
    "too_few_answers": "fewer than three answers in one of the periods",
    "no_earlier_answers": "no answers in the earlier period",
    "insufficient_data": "one of the periods has no counted answers",
    "prompts_changed": "too many prompts changed",
    "locale_changed": "locations or languages changed",
    "channels_changed": "engines changed",
    "served_model_changed": "engines served different models",
    "basis_changed": "the periods measure different parts",
    "analysis_changed": "the answers were processed by different versions",
    "model_changed": "the scores use different model versions",
    "degraded": "an engine lost too many answers and is excluded",
    "no_valid_answer": "no engine gave a valid answer",
    "not_automotive": "general site",
    "no_earlier_calculation": "no earlier measurement",
}
OUTCOMES: Mapping[str, str] = {
    "win": "win",
    "tie": "tie",
    "loss": "loss",
    "absent": "none named",
    "not_measured": "not measured",
}
LEFT_OUT: Mapping[str, str] = {
    "refused": "the engine declined to answer",
    "empty": "empty answer",
    "not_grounded": "no web search was made",
    "truncated": "cut off",
    "branded_prompt": "the prompt names the brand",
    "custom_query": "not in a prompt set",
    "unpublished_batch": "its measurement did not finish",
    "not_read_yet": "not processed yet",
}
EVIDENCE: Mapping[str, str] = {
    "answer": "An engine answered",
    "profile": "Your profile says",
    "repository_item": "Your repository has",
    "fact": "Your profile says",
    "prompt": "Prompt",
    "competitors": "Mentioned instead",
}


def verdict_words(verdict: str) -> str:
    """Return the display text of a change verdict."""
    return VERDICTS.get(verdict, plain(verdict))


def status_words(status: str) -> str:
    """Return the display text of a status."""
    return STATUSES.get(status, plain(status))


def reason_words(reason: str | None) -> str:
    """Return the display text of the reason why something is missing."""
    return "" if reason is None else REASONS.get(reason, plain(reason))


def evidence_words(kind: str | None) -> str:
    """Return the source label of a piece of evidence; empty for a page, whose URL is shown."""
    return EVIDENCE.get(kind or "", "")


def left_out_words(reason: str) -> str:
    """Return the display text of the reason why an answer is not counted."""
    return LEFT_OUT.get(reason, plain(reason))


WAYS: Mapping[str, str] = {
    "memory": "Memory",
    "search": "Web search",
    "seen": "AI surface",
}


def mode_words(mode: str) -> str:
    """Return the display text of a mode of querying engines."""
    return MODES.get(mode, plain(mode))


def way_words(way: str) -> str:
    """Return the display text of how an answer was produced."""
    return WAYS.get(way, plain(way))


def outcome_words(outcome: str) -> str:
    """Return the display text of which side is named more often for a prompt."""
    return OUTCOMES.get(outcome, plain(outcome))


@dataclass(frozen=True, slots=True)
class ChangeWords:
    """A change in words, then numbers. `tone` is good or bad only if the verdict says that the value changed.

    `detail` is the interval of the change, or the reason for a missing verdict.
    """

    words: str
    tone: str = ""
    detail: str = ""


def score_change_words(change: Mapping[str, Any] | None) -> ChangeWords:
    """Return the display text of a score change, in points with its interval."""
    if change is None:
        return ChangeWords("first measurement")
    row, verdict = change["primary"], change["verdict"]
    if not verdict.startswith("changed") or row is None or row["delta"] is None:
        return ChangeWords(verdict_words(verdict), detail=reason_words(change["reason"]))
    return _moved(row["delta"], row["interval"], verdict != "changed")


def contribution_words(parts: Sequence[Mapping[str, Any]], part: str) -> ChangeWords:
    """Return the display text of a score part's change between two periods; empty when it was not compared."""
    row = next((row for row in parts if row["part"] == part), None)
    if row is None:
        return ChangeWords("")
    return period_change_words({**row, "difference": row["after"] - row["before"]})


def share_change_words(change: Mapping[str, Any] | None) -> ChangeWords:
    """Return the display text of a share's change between two periods."""
    if change is None:
        return ChangeWords("")
    if change["verdict"] not in ("rose", "fell"):
        return ChangeWords(verdict_words(change["verdict"]), detail=reason_words(change["reason"]))
    return _moved(change["difference"], change["interval"], if_alike=False)


def period_change_words(compared: Mapping[str, Any]) -> ChangeWords:
    """Return the display text of a difference between two periods whose values are already in points."""
    verdict = compared["verdict"]
    if not verdict.startswith("changed") or compared["difference"] is None:
        why = compared["reason"] or compared.get("limitation")
        return ChangeWords(verdict_words(verdict), detail=reason_words(why))
    interval = compared["interval"]
    hundredths = interval and {"low": interval["low"] / 100, "high": interval["high"] / 100}
    return _moved(compared["difference"] / 100, hundredths, verdict != "changed")


def rank_change_words(compared: Mapping[str, Any]) -> ChangeWords:
    """Return the difference of two average ranks as better or worse, since a lower rank is better."""
    verdict, difference = compared["verdict"], compared["difference"]
    if not verdict.startswith("changed") or difference is None:
        return ChangeWords(verdict_words(verdict), detail=reason_words(compared["reason"]))
    better = difference < 0
    interval = compared["interval"]
    return ChangeWords(
        f"{'better' if better else 'worse'} by {abs(difference):.1f} places",
        "good" if better else "bad",
        _detail(
            f"{interval['low']:+.1f} to {interval['high']:+.1f}" if interval else None, verdict != "changed"
        ),
    )


def _moved(delta: float, interval: Mapping[str, float] | None, if_alike: bool) -> ChangeWords:
    bounds = sorted((100 * interval["low"], 100 * interval["high"])) if interval else None
    return ChangeWords(
        f"{'rose' if delta > 0 else 'fell'} {abs(100 * delta):.1f} points",
        "good" if delta > 0 else "bad",
        _detail(f"{bounds[0]:+.1f} to {bounds[1]:+.1f}" if bounds else None, if_alike),
    )


def _detail(interval: str | None, if_alike: bool) -> str:
    """Return the interval of a change and its assumption about missing answers."""
    said = [interval] if interval else []
    return ", ".join([*said, "if the missing answers are like the others"] if if_alike else said)


def score_words(value: float | None) -> str:
    """Return a score with one decimal, or a dash when it was not measured."""
    return "–" if value is None else f"{value:.1f}"


def percent(value: float | None) -> str:
    """Return a share from 0 to 1 as a percentage, or a dash when it was not measured."""
    return "–" if value is None else f"{100 * value:.0f}%"


def headline_words(title: str) -> str:
    """Return a title with its leading engine, or engine and mode, as display text."""
    first, space, rest = title.partition(" ")
    platform, _, mode = first.partition("/")
    if mode in MODES:
        return f"{platform_name(platform)} ({MODES[mode]}){space}{rest}"
    return f"{platform_name(first)}{space}{rest}"


def headlines_words(message: str) -> str:
    """Return a message whose parts may be titles, with each part's engine as display text."""
    return "; ".join(headline_words(part) for part in message.split("; "))


SCHEDULES: Mapping[str, str] = {
    "0 6 * * *": "every day at 06:00",
    "0 6 * * 1-5": "every weekday at 06:00",
    "0 6 * * 1": "every Monday at 06:00",
    "0 6 1 * *": "on the first of every month at 06:00",
}
"""Schedules with a display text, which does not name the time zone."""


def schedule_words(cron: str | None, timezone: str | None = None) -> str:
    """Return the display text of a schedule in a time zone, UTC by default. A custom schedule is shown as written."""
    return "never" if cron is None else f"{SCHEDULES.get(cron, cron)} ({timezone or 'UTC'})"


def duration_words(seconds: Mapping[str, int] | None) -> str:
    """Return an expected duration in minutes."""
    if seconds is None:
        return "–"
    low, high = (max(1, round(seconds[name] / 60)) for name in ("low", "high"))
    return f"about {low} minute{'s' if low > 1 else ''}" if low == high else f"{low} to {high} minutes"


SOURCE_KINDS: Mapping[str, str] = {"own": "own site", "competitor": "competitor site"}
"""Kinds of sources whose display text differs from the interface's term."""


def source_kind_words(kind: str) -> str:
    """Return the display text of a source kind."""
    return SOURCE_KINDS.get(kind, plain(kind))


OWNERS = {"own": "owned", "competitor": "competitor", "third_party": "third party"}
"""Display texts of source owners."""


def owner_words(owner: str) -> str:
    """Return the display text of a source owner."""
    return OWNERS.get(owner, plain(owner))


def question_change_words(change: Mapping[str, Any]) -> str:
    """Return how prompts changed: a set was used for the first time, or a known set was edited."""
    if change["added"]:
        return f"prompts of “{change['name']}” were added"
    return f"prompts of “{change['name']}” changed"


def plain(identifier: str) -> str:
    """Return an identifier of the interface as plain words."""
    return identifier.replace("_", " ")
