"""A value over time as inline SVG: axis with labels, dates, both intervals as bands, gaps, and what happened."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from markupsafe import Markup, escape

from web.charts.coordinates import format_coordinate
from web.charts.measured_days import split_at_gaps

LEFT, RIGHT, TOP, BOTTOM = 40.0, 12.0, 14.0, 24.0


@dataclass(frozen=True, slots=True)
class ChartEvent:
    """Something that happened on a day, drawn as a line with a title."""

    day: date
    words: str


@dataclass(frozen=True, slots=True)
class Axis:
    """The scale of values: from 0 to `most`, written by `words`."""

    most: float
    words: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Frame:
    """The drawing's size and its two scales."""

    width: float
    height: float
    first: date
    last: date
    axis: Axis

    def x(self, day: date) -> float:
        """Return the place of a day."""
        share = (day - self.first).days / max(1, (self.last - self.first).days)
        return LEFT + (self.width - LEFT - RIGHT) * share

    def y(self, value: float) -> float:
        """Return the place of a value."""
        share = min(max(value, 0.0), self.axis.most) / self.axis.most
        return self.height - BOTTOM - (self.height - TOP - BOTTOM) * share


def time_chart(
    points: Sequence[Mapping[str, Any]],
    first: date,
    last: date,
    name: str,
    axis: Axis,
    events: Sequence[ChartEvent] = (),
) -> Markup:
    """Draw points of a metric trend between two days, once for wide and once for narrow screens."""
    if not points:
        return Markup("")
    sizes = (("wide-form", 760.0, 240.0, 6), ("narrow-form", 340.0, 220.0, 3))
    return Markup("").join(
        _draw(points, Frame(width, height, first, last, axis), name, form, dates, events)
        for form, width, height, dates in sizes
    )


def _draw(
    points: Sequence[Mapping[str, Any]],
    frame: Frame,
    name: str,
    form: str,
    dates: int,
    events: Sequence[ChartEvent],
) -> Markup:
    days = [date.fromisoformat(point["day"]) for point in points]
    parts = [_value_axis(frame), _date_axis(frame, dates)]
    for run in split_at_gaps(days):
        shown = [(days[index], points[index]) for index in run]
        for kind, style in (("allQuestions", "band"), ("thesePrompts", "band inner")):
            parts.append(_band(frame, shown, kind, style))
        places = [(frame.x(day), frame.y(point["value"])) for day, point in shown]
        if len(places) > 1:
            parts.append(Markup('<path class="line" d="M{}"/>').format(_path(places)))
    parts += [_dot(frame, day, point) for day, point in zip(days, points, strict=True)]
    parts += [_event(frame, event) for event in events if frame.first <= event.day <= frame.last]
    newest = points[-1]
    label = (
        f"{name}: {len(points)} measured {'day' if len(points) == 1 else 'days'}, "
        f"latest {frame.axis.words(newest['value'])} on {days[-1].isoformat()}"
    )
    return Markup('<svg class="time {}" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        form,
        format_coordinate(frame.width),
        format_coordinate(frame.height),
        escape(label),
        Markup("").join(parts),
    )


def _value_axis(frame: Frame) -> Markup:
    """Draw five lines from 0 to the most, with their values."""
    line = Markup('<path class="grid" d="M{} {}H{}"/><text x="{}" y="{}" text-anchor="end">{}</text>')
    marks: list[Markup] = []
    for step in range(5):
        value = frame.axis.most * step / 4
        y = frame.y(value)
        marks.append(
            line.format(
                format_coordinate(LEFT),
                format_coordinate(y),
                format_coordinate(frame.width - RIGHT),
                format_coordinate(LEFT - 6),
                format_coordinate(y + 4),
                frame.axis.words(value),
            )
        )
    return Markup("").join(marks)


def _date_axis(frame: Frame, dates: int) -> Markup:
    """Write dates below the axis, the first and the last day among them."""
    length = (frame.last - frame.first).days
    count = min(dates, length + 1)
    steps = [round(length * step / max(1, count - 1)) for step in range(count)]
    written = Markup("")
    for step in dict.fromkeys(steps):
        day = frame.first + timedelta(days=step)
        anchor = "start" if step == 0 else "end" if step == length else "middle"
        written += Markup('<text x="{}" y="{}" text-anchor="{}">{}</text>').format(
            format_coordinate(frame.x(day)),
            format_coordinate(frame.height - 6),
            anchor,
            f"{day.day} {day:%b}",
        )
    return written


def _band(frame: Frame, shown: Sequence[tuple[date, Mapping[str, Any]]], kind: str, style: str) -> Markup:
    """Draw one interval over the days of a run: a band, or a whisker where only one day has it."""
    bounds = [
        (frame.x(day), point["intervals"][kind])
        for day, point in shown
        if point.get("intervals") and point["intervals"].get(kind)
    ]
    if len(bounds) > 1:
        upper = [(x, frame.y(bound["high"])) for x, bound in bounds]
        lower = [(x, frame.y(bound["low"])) for x, bound in reversed(bounds)]
        return Markup('<path class="{}" d="M{}Z"/>').format(style, _path([*upper, *lower]))
    return Markup("").join(
        Markup('<path class="whisker" d="M{} {}V{}"/>').format(
            format_coordinate(x),
            format_coordinate(frame.y(bound["low"])),
            format_coordinate(frame.y(bound["high"])),
        )
        for x, bound in bounds
    )


def _dot(frame: Frame, day: date, point: Mapping[str, Any]) -> Markup:
    """Draw the mark of one day; its title is what a pointer reads."""
    return Markup('<circle class="dot" cx="{}" cy="{}" r="3"><title>{}</title></circle>').format(
        format_coordinate(frame.x(day)),
        format_coordinate(frame.y(point["value"])),
        f"{day.isoformat()}: {frame.axis.words(point['value'])} from {point['answers']} answers",
    )


def _event(frame: Frame, event: ChartEvent) -> Markup:
    x = format_coordinate(frame.x(event.day))
    return Markup('<path class="event" d="M{} {}V{}"><title>{}</title></path>').format(
        x,
        format_coordinate(TOP),
        format_coordinate(frame.height - BOTTOM),
        f"{event.day.isoformat()}: {event.words}",
    )


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "L".join(f"{format_coordinate(x)} {format_coordinate(y)}" for x, y in places)
