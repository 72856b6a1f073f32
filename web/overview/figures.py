"""Headline figures of the overview: value, intervals, change, and the address of the answers behind each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from web.glossary import (
    ChangeWords,
    contribution_words,
    percent,
    period_change_words,
    rank_change_words,
    reason_words,
    score_words,
    verdict_words,
)
from web.view_filters import ViewFilters

ROUND_STEPS = (0.01, 0.02, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25)


@dataclass(frozen=True, slots=True)
class MetricWords:
    """How a metric is called and written; `most` is the end of its scale, None where it has none."""

    name: str
    title: str
    words: Callable[[float], str]
    most: float | None = None

    def axis_words(self, value: float) -> str:
        """Write a place on the axis: a decimal only where the place is between two whole numbers."""
        return whole(value) if self.words is decimal and value == round(value) else self.words(value)

    def highest(self, value: float) -> float:
        """Return the end of the axis: four round steps that reach the largest value, within the scale."""
        scale = self.most or 1.0
        while self.most is None and ROUND_STEPS[-1] * 4 * scale < value:
            scale *= 10
        step = next((step for step in ROUND_STEPS if step * 4 * scale >= value), ROUND_STEPS[-1])
        smallest = 0.25 if self.most is None and scale == 1.0 else 0.05
        return max(step, smallest) * 4 * scale


def decimal(value: float) -> str:
    """Write a number with one decimal."""
    return f"{value:.1f}"


def whole(value: float) -> str:
    """Write a number without decimals."""
    return f"{value:.0f}"


def share(value: float) -> str:
    """Write a share from 0 to 1 as a percentage."""
    return percent(value)


METRICS: Mapping[str, MetricWords] = {
    metric.name: metric
    for metric in (
        MetricWords("visibilityScore", "Visibility score", decimal, 100.0),
        MetricWords("mentionCount", "Mentions", whole),
        MetricWords("shareOfVoice", "Share of voice", share, 1.0),
        MetricWords("averagePosition", "Average rank", decimal),
        MetricWords("citationRate", "Answers citing our site", share, 1.0),
        MetricWords("sentiment", "Tone", decimal, 100.0),
    )
}


UNCHANGED = ChangeWords("")
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `count` is how many answers, mentions or questions its address lists, None where it opens no list."""

    title: str
    value: str
    address: str
    notes: Sequence[str] = ()
    change: ChangeWords = UNCHANGED
    points: Sequence[Row] = field(default_factory=tuple[Row, ...])
    count: int | None = None
    rests_on: str = ""
    """Of how many answers or mentions it is, in words."""
    term: str = ""
    """The term that explains it."""


@dataclass(frozen=True, slots=True)
class FigureSources:
    """What the figures of a view are taken from: results of tools, None where one gave nothing."""

    brand_id: str
    view: ViewFilters
    compared: Row | None
    overall: Row | None
    trends: Mapping[str, Sequence[Row]]
    questions: int | None = None
    """How many questions the page of prompts lists under the view."""

    def factor(self, part: str) -> Row | None:
        """Return one part of the score of this view."""
        factors: list[Row] = self.compared["after"]["factors"] if self.compared else []
        return next((factor for factor in factors if factor["part"] == part), None)

    def ratio(self, metric: str) -> Row | None:
        """Return a figure that is no part of the score, with both periods; None where this one has no value."""
        ratios: list[Row] = self.compared["ratios"] if self.compared else []
        figure = next((ratio for ratio in ratios if ratio["metric"] == metric), None)
        return figure if figure and figure["after"]["value"] is not None else None

    def change(self, part: str | None = None) -> ChangeWords:
        """Return the change of the score, or of one part of it, where the view compares at all."""
        if self.compared is None or not self.view.compares:
            return UNCHANGED
        if part is None:
            return period_change_words(self.compared)
        words, factor = contribution_words(self.compared["parts"], part), self.factor(part)
        if not words.words and factor is not None and factor["value"] is not None:
            return ChangeWords(verdict_words("not_comparable"), detail=reason_words(self.compared["reason"]))
        return words


def make_figures(sources: FigureSources) -> list[Figure]:
    """Return the figures of all counted answers of a view, each with the term that explains it."""
    made = {
        "score": _visibility(sources),
        "named": _presence(sources),
        "share_of_voice": _share_of_voice(sources),
        "rank": _average_rank(sources),
        "own_citations": _citation(sources),
        "tone": _tone(sources),
    }
    return [replace(figure, term=term) for term, figure in made.items()]


def _visibility(sources: FigureSources) -> Figure:
    after = sources.compared["after"] if sources.compared else None
    notes = [_interval_words("these questions", after["interval"], score_words)] if after else []
    notes += [_interval_words("all such", after["allQuestions"], score_words)] if after else []
    return Figure(
        "Visibility score",
        score_words(after["score"] if after else None),
        sources.view.answers(sources.brand_id),
        notes if after and after["score"] is not None else ["not enough answers for a score"],
        sources.change(),
        sources.trends["visibilityScore"],
        sources.overall["answers"] if sources.overall else None,
    )


def _presence(sources: FigureSources) -> Figure:
    factor, overall = sources.factor("presence"), sources.overall
    counted = f"{overall['own']['named']} of {overall['answers']} answers" if overall else ""
    return Figure(
        "Answers that name us",
        percent(factor["value"] if factor else None),
        sources.view.answers(sources.brand_id, outcome="names_us"),
        _factor_notes(factor),
        sources.change("presence"),
        sources.trends["mentionCount"],
        overall["own"]["named"] if overall else None,
        counted,
    )


def _share_of_voice(sources: FigureSources) -> Figure:
    """Return the share of the period, or of its newest measured day where only days were counted."""
    metric, points = METRICS["shareOfVoice"], sources.trends["shareOfVoice"]
    ratio = sources.ratio(metric.name)
    if ratio is None:
        return _share_of_newest_day(sources)
    after, told = ratio["after"], f"{ratio['after']['units']} mentions of us and competitors"
    return Figure(
        metric.title,
        _points_words(after["value"]),
        sources.view.answers(sources.brand_id, outcome="anybody"),
        _ratio_notes(after, _points_words),
        period_change_words(ratio) if sources.view.compares else UNCHANGED,
        points,
        after["units"],
        told,
    )


def _share_of_newest_day(sources: FigureSources) -> Figure:
    metric, points = METRICS["shareOfVoice"], sources.trends["shareOfVoice"]
    if not points:
        address = f"{sources.view.address(metric=metric.name)}#trend"
        return Figure(metric.title, "–", address, ["not measured in this period"])
    newest = points[-1]
    day = {"from": newest["day"], "to": newest["day"]}
    mentions = newest["answers"]
    return Figure(
        metric.title,
        metric.words(newest["value"]),
        sources.view.answers(sources.brand_id, outcome="anybody", **day),
        [f"on {newest['day']} alone", *_interval_notes(newest["intervals"], metric.words)],
        points=points,
        count=mentions,
        rests_on=f"{mentions} mentions of us and competitors",
    )


def _average_rank(sources: FigureSources) -> Figure:
    metric = METRICS["averagePosition"]
    rank = sources.overall["own"]["averageRank"] if sources.overall else None
    ratio = sources.ratio(metric.name) if rank is not None else None
    value = ratio["after"]["value"] if ratio else rank
    return Figure(
        metric.title,
        "–" if value is None else decimal(value),
        sources.view.address(f"/brands/{sources.brand_id}/prompts"),
        ["no answer ranks us"]
        if value is None
        else ["mean place where ranked", *(_ratio_notes(ratio["after"], decimal) if ratio else ())],
        rank_change_words(ratio) if ratio and sources.view.compares else UNCHANGED,
        sources.trends[metric.name],
        sources.questions,
    )


def _ratio_notes(period: Row, words: Any) -> list[str]:
    """Write both intervals of a figure that is no part of the score."""
    return [
        _interval_words("these questions", period["interval"], words),
        _interval_words("all such", period["allQuestions"], words),
    ]


def _points_words(points: float) -> str:
    """Write points of a hundred as a percentage."""
    return percent(points / 100)


def _citation(sources: FigureSources) -> Figure:
    factor, overall = sources.factor("citation"), sources.overall
    cited = overall["own"]["citedOwnSite"] if overall else None
    return Figure(
        "Answers citing our site",
        percent(factor["value"] if factor else None),
        sources.view.answers(sources.brand_id, outcome="cites_us", known="1"),
        _factor_notes(factor),
        sources.change("citation"),
        sources.trends["citationRate"],
        cited,
        "" if cited is None else f"{cited} answers",
    )


def _tone(sources: FigureSources) -> Figure:
    factor = sources.factor("tone")
    judged = f"{factor['samples']} mentions judged" if factor else ""
    return Figure(
        "Tone over all answers",
        percent(factor["value"] if factor else None),
        sources.view.answers(sources.brand_id, outcome="judged"),
        _factor_notes(factor),
        sources.change("tone"),
        sources.trends["sentiment"],
        factor["samples"] if factor else None,
        rests_on=judged,
    )


def _factor_notes(factor: Row | None) -> list[str]:
    if factor is None or factor["value"] is None:
        return ["not measured"]
    return _interval_notes(factor["intervals"], percent)


def _interval_notes(intervals: Row | None, words: Any) -> list[str]:
    """Write both intervals of a value, each with its name."""
    if intervals is None:
        return []
    return [
        _interval_words("these questions", intervals["thesePrompts"], words),
        _interval_words("all such", intervals["allQuestions"], words),
    ]


def _interval_words(name: str, interval: Row | None, words: Any) -> str:
    """Write one interval with its name; empty where there is none."""
    return f"{name} {words(interval['low'])} to {words(interval['high'])}" if interval else ""
