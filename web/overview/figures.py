"""The figures at the top of the overview: a value, its intervals, its change in words, and where it opens."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from web.glossary import ChangeWords, part_change_words, percent, score_change_words, score_words
from web.overview.metrics import METRICS

UNCHANGED = ChangeWords("")


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `count` is how many answers its address lists, None where it opens no list."""

    title: str
    value: str
    address: str
    notes: Sequence[str] = ()
    change: ChangeWords = UNCHANGED
    points: Sequence[Mapping[str, Any]] = field(default_factory=tuple[Mapping[str, Any], ...])
    count: int | None = None


def make_figures(
    brand_id: str,
    score: Mapping[str, Any],
    trends: Mapping[str, Sequence[Mapping[str, Any]]],
    calculation: str,
    named: int | None,
) -> list[Figure]:
    """Return the figures of the newest calculation and, for metrics without a part in it, of the newest day."""
    factors = {factor["part"]: factor for factor in score["factors"]}
    history, change = f"/brands/{brand_id}?metric=", score["change"]
    presence, citation, tone = (factors.get(part) for part in ("presence", "citation", "tone"))
    return [
        Figure(
            "Visibility score",
            score_words(score["score"]),
            f"/brands/{brand_id}/score",
            _interval_notes(score["intervals"], score_words),
            score_change_words(change),
            trends["visibilityScore"],
        ),
        Figure(
            "Answers that name us",
            percent(presence["value"] if presence else None),
            f"{calculation}&outcome=names_us",
            [f"{named} of {score['answers']} answers", *_factor_notes(presence)],
            part_change_words(change, "presence"),
            trends["mentionCount"],
            named,
        ),
        _of_newest_day("shareOfVoice", trends, history),
        _of_newest_day("averagePosition", trends, history),
        Figure(
            "Answers citing our site",
            percent(citation["value"] if citation else None),
            f"{calculation}&outcome=cites_us",
            _factor_notes(citation),
            part_change_words(change, "citation"),
            trends["citationRate"],
        ),
        Figure(
            "Tone where named",
            percent(tone["value"] if tone else None),
            f"/brands/{brand_id}/score#factors",
            [f"{tone['samples']} mentions judged" if tone else "", *_factor_notes(tone)],
            part_change_words(change, "tone"),
            trends["sentiment"],
        ),
    ]


def _of_newest_day(name: str, trends: Mapping[str, Sequence[Mapping[str, Any]]], history: str) -> Figure:
    """Return a metric as its newest measured day has it; no test compares it with an earlier one."""
    metric, points = METRICS[name], trends[name]
    if not points:
        return Figure(metric.title, "–", f"{history}{name}#trend", ["not measured in this period"])
    newest = points[-1]
    notes = [f"on {newest['day']}", *_interval_notes(newest["intervals"], metric.words)]
    return Figure(metric.title, metric.words(newest["value"]), f"{history}{name}#trend", notes, points=points)


def _factor_notes(factor: Mapping[str, Any] | None) -> list[str]:
    if factor is None or factor["value"] is None:
        return ["not measured"]
    return _interval_notes(factor["intervals"], percent)


def _interval_notes(intervals: Mapping[str, Any] | None, words: Any) -> list[str]:
    """Write both intervals of a value, each with its name."""
    if intervals is None:
        return []
    these, others = intervals["thesePrompts"], intervals["allQuestions"]
    notes = [f"these questions {words(these['low'])} to {words(these['high'])}"]
    if others:
        notes.append(f"all such {words(others['low'])} to {words(others['high'])}")
    return notes
