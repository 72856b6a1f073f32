"""A value over time as inline SVG: axis with labels, dates, both intervals as bands, gaps, and what happened.

A chart of a year has a thousand parts, so they are put together as plain text. Texts and numbers in words are escaped
where they are put in; only the finished drawing is marked as HTML.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from markupsafe import Markup, escape

from web.charts.small_charts import format_coordinate, split_at_gaps

LEFT, RIGHT, TOP, BOTTOM = 40.0, 12.0, 16.0, 26.0
LABELS = 96.0
"""Room at the right for the names of lines, where there are several."""
LINE_HEIGHT = 13.0
LONGEST_LABEL = 14


@dataclass(frozen=True, slots=True)
class ChartEvent:
    """Something that happened on a day, drawn as a line with a title; `label` stands above it where there is room."""

    day: date
    words: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class ChartLine:
    """Another line of the same metric, such as a competitor's; its points have a day and a value."""

    name: str
    points: Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Axis:
    """The scale of values: from 0 to `most`, written by `words`, and by `places` beside the axis."""

    most: float
    words: Callable[[float], str]
    places: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class ChartForm:
    """A size in which charts are drawn: so many dates below, and so many steps between the lines of values."""

    name: str
    width: float
    height: float
    dates: int
    steps: int = 4


FORMS = (ChartForm("wide-form", 700.0, 330.0, 6), ChartForm("narrow-form", 340.0, 240.0, 3))
"""A chart for wide and one for narrow screens; one of them is shown."""
PANEL = (ChartForm("panel-form", 260.0, 116.0, 2, steps=2),)
"""One of several small charts of the same scales."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The drawing's size and its two scales."""

    width: float
    height: float
    first: date
    last: date
    axis: Axis
    right: float = RIGHT
    steps: int = 4

    def x(self, day: date) -> float:
        """Return the place of a day."""
        share = (day - self.first).days / max(1, (self.last - self.first).days)
        return LEFT + (self.width - LEFT - self.right) * share

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
    lines: Sequence[ChartLine] = (),
    own_name: str = "",
    forms: Sequence[ChartForm] = FORMS,
) -> Markup:
    """Draw points of a metric trend between two days in each of some forms, such as a wide and a narrow one.

    Further lines differ from the brand's and each other by their dashes and the names at their ends.
    """
    if not points:
        return Markup("")
    right = LABELS if lines else RIGHT
    own = ChartLine(own_name, points)
    return Markup(
        "".join(
            _draw(
                own,
                Frame(form.width, form.height, first, last, axis, right, form.steps),
                name,
                form,
                events,
                lines,
            )
            for form in forms
        )
    )


def _draw(
    own: ChartLine,
    frame: Frame,
    name: str,
    form: ChartForm,
    events: Sequence[ChartEvent],
    lines: Sequence[ChartLine],
) -> str:
    points = own.points
    days = [date.fromisoformat(point["day"]) for point in points]
    parts = [_value_axis(frame), _date_axis(frame, form.dates)]
    runs = [[(days[index], points[index]) for index in run] for run in split_at_gaps(days)]
    for run in runs:
        for kind, style in (("allQuestions", "band"), ("thesePrompts", "band inner")):
            parts.append(_band(frame, run, kind, style))
    shown = [event for event in events if frame.first <= event.day <= frame.last]
    parts += [_event(frame, event) for event in shown]
    parts += _event_labels(frame, shown)
    parts += [_line(frame, line, f"line rival rival-{number}") for number, line in enumerate(lines, start=1)]
    parts.append(_line(frame, own, "line"))
    parts += [_dot(frame, day, point) for day, point in zip(days, points, strict=True)]
    if lines:
        parts += _line_names(frame, [own, *lines])
    newest = points[-1]
    label = (
        f"{name}: {len(points)} measured {'day' if len(points) == 1 else 'days'}, "
        f"latest {frame.axis.words(newest['value'])} on {days[-1].isoformat()}"
    )
    beside = [f"{line.name} {frame.axis.words(line.points[-1]['value'])}" for line in lines]
    label += f"; beside it {', '.join(beside)}" if beside else ""
    label += f"; {'; '.join(f'{event.day.isoformat()} {event.words}' for event in shown)}" if shown else ""
    size = f"{format_coordinate(frame.width)} {format_coordinate(frame.height)}"
    return (
        f'<svg class="time {form.name}" viewBox="0 0 {size}" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )


def _line(frame: Frame, line: ChartLine, style: str) -> str:
    days = [date.fromisoformat(point["day"]) for point in line.points]
    drawn = ""
    for run in split_at_gaps(days):
        places = [(frame.x(days[index]), frame.y(line.points[index]["value"])) for index in run]
        if len(places) == 1:
            x, y = places[0]
            places = [(x - 3, y), (x + 3, y)]
        drawn += f'<path class="{style}" d="M{_path(places)}"/>'
    return drawn


def _line_names(frame: Frame, lines: Sequence[ChartLine]) -> list[str]:
    """Write the name of each line beside its end, moved apart where ends are close."""
    ends = sorted((frame.y(line.points[-1]["value"]), number) for number, line in enumerate(lines))
    names: list[str] = []
    x = format_coordinate(frame.width - frame.right + 6)
    lowest = frame.height - BOTTOM - LINE_HEIGHT * (len(ends) - 1)
    above = TOP - LINE_HEIGHT
    for y, number in ends:
        above = max(above + LINE_HEIGHT, min(y, lowest))
        lowest += LINE_HEIGHT
        name = lines[number].name
        cut = name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1]}…"
        style = f"name rival-{number}" if number else "name"
        names.append(
            f'<text class="{style}" x="{x}" y="{format_coordinate(above + 4)}">'
            f"<title>{escape(name)}</title>{escape(cut)}</text>"
        )
    return names


def _event_labels(frame: Frame, events: Sequence[ChartEvent]) -> list[str]:
    """Write what happened above its line, where the label before it leaves room."""
    labels: list[str] = []
    y = format_coordinate(TOP - 5)
    free = 0.0
    for event in sorted(events, key=lambda event: event.day):
        x, width = frame.x(event.day), len(event.label) * 6.2
        left = min(x, frame.width - frame.right - width)
        if event.label and left >= free:
            free = left + width + 8
            labels.append(
                f'<text class="happened" x="{format_coordinate(left)}" y="{y}">{escape(event.label)}</text>'
            )
    return labels


def _value_axis(frame: Frame) -> str:
    left, right = format_coordinate(LEFT), format_coordinate(frame.width - frame.right)
    beside = format_coordinate(LEFT - 6)
    marks = ""
    for step in range(frame.steps + 1):
        value = frame.axis.most * step / frame.steps
        y = frame.y(value)
        marks += (
            f'<path class="grid" d="M{left} {format_coordinate(y)}H{right}"/>'
            f'<text x="{beside}" y="{format_coordinate(y + 4)}" text-anchor="end">'
            f"{escape(frame.axis.places(value))}</text>"
        )
    return marks


def _date_axis(frame: Frame, dates: int) -> str:
    """Write dates below the axis, the first and the last day among them."""
    length = (frame.last - frame.first).days
    count = min(dates, length + 1)
    steps = [round(length * step / max(1, count - 1)) for step in range(count)]
    y = format_coordinate(frame.height - 6)
    written = ""
    for step in dict.fromkeys(steps):
        day = frame.first + timedelta(days=step)
        anchor = "start" if step == 0 else "end" if step == length else "middle"
        x = format_coordinate(frame.x(day))
        written += f'<text x="{x}" y="{y}" text-anchor="{anchor}">{day.day} {day:%b}</text>'
    return written


def _band(frame: Frame, shown: Sequence[tuple[date, Mapping[str, Any]]], kind: str, style: str) -> str:
    bounds = [
        (frame.x(day), point["intervals"][kind])
        for day, point in shown
        if point.get("intervals") and point["intervals"].get(kind)
    ]
    if len(bounds) > 1:
        upper = [(x, frame.y(bound["high"])) for x, bound in bounds]
        lower = [(x, frame.y(bound["low"])) for x, bound in reversed(bounds)]
        return f'<path class="{style}" d="M{_path([*upper, *lower])}Z"/>'
    return "".join(
        f'<path class="whisker" d="M{_place(x, frame.y(bound["low"]))}'
        f'V{format_coordinate(frame.y(bound["high"]))}"/>'
        for x, bound in bounds
    )


def _dot(frame: Frame, day: date, point: Mapping[str, Any]) -> str:
    basis = f" from {point['answers']} answers" if "answers" in point else ""
    x, y = format_coordinate(frame.x(day)), format_coordinate(frame.y(point["value"]))
    title = escape(f"{day.isoformat()}: {frame.axis.words(point['value'])}{basis}")
    return f'<circle class="dot" cx="{x}" cy="{y}" r="3"><title>{title}</title></circle>'


def _event(frame: Frame, event: ChartEvent) -> str:
    place = _place(frame.x(event.day), TOP)
    title = escape(f"{event.day.isoformat()}: {event.words}")
    return f'<path class="event" d="M{place}V{format_coordinate(frame.height - BOTTOM)}"><title>{title}</title></path>'


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "L".join([_place(x, y) for x, y in places])


def _place(x: float, y: float) -> str:
    return f"{format_coordinate(x)} {format_coordinate(y)}"
