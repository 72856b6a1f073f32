"""Headline figures of the overview: value, intervals, change, and the address of the answers behind each."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from markupsafe import Markup

from web.charts.small_charts import interval_bar
from web.charts.time_chart import Axis, fit_axis
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


@dataclass(frozen=True, slots=True)
class MetricWords:
    """How a metric is called and written; `most` is the end of its scale, None where it has none."""

    name: str
    title: str
    words: Callable[[float], str]
    most: float | None = None
    finest: float = 0.5
    """The smallest step of an axis."""

    def axis(self, values: Sequence[float]) -> Axis:
        """Return an axis that fits values of this metric."""

        def places(value: float) -> str:
            return whole(value) if self.words is decimal and value == round(value) else self.words(value)

        return fit_axis(values, self.words, places, self.finest, self.most)


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
        MetricWords("mentionCount", "Mentions", whole, None, 1.0),
        MetricWords("shareOfVoice", "Share of voice", share, 1.0, 0.01),
        MetricWords("averagePosition", "Average rank", decimal, None, 0.25),
        MetricWords("citationRate", "Citation rate", share, 1.0, 0.01),
        MetricWords("sentiment", "Tone", decimal, 100.0),
        MetricWords("recommendationRate", "Recommended", share, 1.0, 0.01),
    )
}


UNCHANGED = ChangeWords("")
NOT_COMPARABLE = verdict_words("not_comparable")
Words = Callable[[float], str]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure; `count` is how many answers, mentions or questions its address lists, None where it opens no list."""

    title: str
    value: str
    address: str
    interval: Markup | str = ""
    """Its drawn intervals."""
    change: ChangeWords = UNCHANGED
    points: Sequence[Row] = field(default_factory=tuple[Row, ...])
    count: int | None = None
    rests_on: str = ""
    """Of how many answers or mentions it is, in words."""
    term: str = ""
    """The term that explains it."""
    bounds: str = ""
    """Its 95% interval in words."""


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
            why = self.compared["reason"] or self.compared["limitation"]
            return ChangeWords(NOT_COMPARABLE, detail=reason_words(why))
        return words


def make_figures(sources: FigureSources) -> list[Figure]:
    """Return the figures of all counted answers of a view, each with the term that explains it."""
    made = {
        "named": _presence(sources),
        "score": _visibility(sources),
        "share_of_voice": _share_of_voice(sources),
        "rank": _average_rank(sources),
        "own_citations": _citation(sources),
        "recommendations": _recommendations(sources),
    }
    # The sentence below the figures says once why periods cannot be compared.
    hidden = NOT_COMPARABLE if made["score"].change.words == NOT_COMPARABLE else None
    return [
        replace(figure, term=term, change=UNCHANGED if figure.change.words == hidden else figure.change)
        for term, figure in made.items()
    ]


def _drawn(
    value: float | None, inner: Row | None, outer: Row | None, words: Words, most: float
) -> dict[str, Any]:
    """Return the intervals of a figure, drawn and in words."""
    return {
        "interval": interval_bar(value, inner, most, outer) if inner else "",
        "bounds": f"{words(inner['low'])} \N{EN DASH} {words(inner['high'])}" if inner else "",
    }


def _factor_drawn(factor: Row | None) -> dict[str, Any]:
    intervals = factor["intervals"] if factor else None
    if factor is None or intervals is None:
        return {}
    return _drawn(factor["value"], intervals["thesePrompts"], intervals["allQuestions"], percent, 1.0)


def _visibility(sources: FigureSources) -> Figure:
    after = sources.compared["after"] if sources.compared else None
    score = after["score"] if after else None
    return Figure(
        "Visibility score",
        score_words(score),
        sources.view.answers(sources.brand_id),
        change=sources.change(),
        points=sources.trends["visibilityScore"],
        count=sources.overall["answers"] if sources.overall else None,
        rests_on="" if score is None else "of 100",
        **(_drawn(score, after["interval"], after["allQuestions"], score_words, 100.0) if after else {}),
    )


def _presence(sources: FigureSources) -> Figure:
    factor, overall = sources.factor("presence"), sources.overall
    counted = f"{overall['own']['named']} of {overall['answers']} answers" if overall else ""
    return Figure(
        "Mention rate",
        percent(factor["value"] if factor else None),
        sources.view.answers(sources.brand_id, outcome="names_us"),
        change=sources.change("presence"),
        points=sources.trends["mentionCount"],
        count=overall["own"]["named"] if overall else None,
        rests_on=counted,
        **_factor_drawn(factor),
    )


def _share_of_voice(sources: FigureSources) -> Figure:
    """Return the share of the period, or of its newest measured day where only days were counted."""
    metric, points = METRICS["shareOfVoice"], sources.trends["shareOfVoice"]
    ratio = sources.ratio(metric.name)
    if ratio is None:
        return _share_of_newest_day(sources)
    after = ratio["after"]
    return Figure(
        metric.title,
        _points_words(after["value"]),
        sources.view.answers(sources.brand_id, outcome="anybody"),
        change=period_change_words(ratio) if sources.view.compares else UNCHANGED,
        points=points,
        count=after["units"],
        rests_on=f"{after['units']} mentions",
        **_drawn(after["value"], after["interval"], after["allQuestions"], _points_words, 100.0),
    )


def _share_of_newest_day(sources: FigureSources) -> Figure:
    metric, points = METRICS["shareOfVoice"], sources.trends["shareOfVoice"]
    if not points:
        return Figure(metric.title, "–", f"{sources.view.address(metric=metric.name)}#trend")
    newest = points[-1]
    day = {"from": newest["day"], "to": newest["day"]}
    intervals = newest["intervals"]
    inner = intervals["thesePrompts"] if intervals else None
    outer = intervals["allQuestions"] if intervals else None
    return Figure(
        metric.title,
        metric.words(newest["value"]),
        sources.view.answers(sources.brand_id, outcome="anybody", **day),
        points=points,
        count=newest["answers"],
        rests_on=f"{newest['answers']} mentions on {newest['day']}",
        **_drawn(newest["value"], inner, outer, metric.words, 1.0),
    )


def _average_rank(sources: FigureSources) -> Figure:
    metric = METRICS["averagePosition"]
    rank = sources.overall["own"]["averageRank"] if sources.overall else None
    ratio = sources.ratio(metric.name) if rank is not None else None
    after = ratio["after"] if ratio else None
    value = after["value"] if after else rank
    drawn = (
        _drawn(value, after["interval"], after["allQuestions"], decimal, max(5.0, value * 2))
        if after and value
        else {}
    )
    return Figure(
        metric.title,
        "–" if value is None else decimal(value),
        sources.view.address(f"/brands/{sources.brand_id}/prompts"),
        change=rank_change_words(ratio) if ratio and sources.view.compares else UNCHANGED,
        points=sources.trends[metric.name],
        count=sources.questions,
        rests_on="not ranked" if value is None else "answers with a rank",
        **drawn,
    )


def _points_words(points: float) -> str:
    """Write points of a hundred as a percentage."""
    return percent(points / 100)


def _citation(sources: FigureSources) -> Figure:
    factor, overall = sources.factor("citation"), sources.overall
    cited = overall["own"]["citedOwnSite"] if overall else None
    return Figure(
        "Citation rate",
        percent(factor["value"] if factor else None),
        sources.view.answers(sources.brand_id, outcome="cites_us", known="1"),
        change=sources.change("citation"),
        points=sources.trends["citationRate"],
        count=cited,
        rests_on="" if cited is None else f"{cited} answers",
        **_factor_drawn(factor),
    )


def _recommendations(sources: FigureSources) -> Figure:
    """Return the recommendation rate of the newest judged day of the view."""
    metric = METRICS["recommendationRate"]
    points = sources.trends[metric.name]
    address = sources.view.answers(sources.brand_id, outcome="judged")
    if not points:
        return Figure(metric.title, "–", address, count=0, rests_on="not judged")
    newest = points[-1]
    day = {"from": newest["day"], "to": newest["day"]}
    intervals = newest["intervals"]
    inner, outer = (intervals["thesePrompts"], intervals["allQuestions"]) if intervals else (None, None)
    return Figure(
        metric.title,
        metric.words(newest["value"]),
        sources.view.answers(sources.brand_id, outcome="judged", **day),
        points=points,
        count=newest["answers"],
        rests_on=f"{newest['answers']} judged mentions on {newest['day']}",
        **_drawn(newest["value"], inner, outer, metric.words, 1.0),
    )
