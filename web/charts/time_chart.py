"""A value over time as inline SVG: axis with labels, dates, both intervals as bands, gaps, and what happened.

A chart of a year has a thousand parts, so they are put together as plain text. Texts and numbers in words are escaped
where they are put in; only the finished drawing is marked as HTML.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import floor, log10
from typing import Any

from markupsafe import Markup, escape

from web.charts.small_charts import format_coordinate, split_at_gaps

LEFT, RIGHT, TOP, BOTTOM = 40.0, 12.0, 16.0, 26.0
LINE_HEIGHT = 13.0
LETTER = 7.5
"""Width that a letter of a line's name takes at most on average."""


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
    """The scale of values: from `least` to `most`, written by `words`, and by `places` beside the axis."""

    least: float
    most: float
    words: Callable[[float], str]
    places: Callable[[float], str]


STEPS = 4
NICE = (1.0, 2.0, 2.5, 3.0, 4.0, 5.0, 10.0)
NEAR_ZERO = 0.4
"""An axis starts at zero when its lowest value is at most this share of the highest."""


def fit_axis(
    values: Sequence[float],
    words: Callable[[float], str],
    places: Callable[[float], str],
    smallest_step: float = 1.0,
    most: float | None = None,
) -> Axis:
    """Return an axis of four round steps, multiples of the smallest, that hold all values up to `most`.

    It starts at zero unless the values are close to each other and far from zero.
    """
    low, high = min(values), max(values)
    low = 0.0 if low <= NEAR_ZERO * high else low
    needed = max((high - low) / STEPS, smallest_step) * (1 - 1e-9)
    magnitude = 10.0 ** floor(log10(needed))
    for step in (nice * scale for scale in (magnitude, 10 * magnitude) for nice in NICE):
        least = floor(low / step + 1e-9) * step
        if most is not None:
            least = max(0.0, min(least, most - STEPS * step))
        exact = abs(step / smallest_step - round(step / smallest_step)) < 1e-9
        if exact and step >= needed and least + STEPS * step >= high - 1e-9:
            return Axis(least, least + STEPS * step, words, places)
    raise AssertionError("a hundred times the needed step holds every value")


@dataclass(frozen=True, slots=True)
class ChartForm:
    """A size in which charts are drawn: so many dates below, and at most so many letters of a line's name.

    Days of a `titled` form say their values.
    """

    name: str
    width: float
    height: float
    dates: int
    letters: int
    titled: bool


FORMS = (
    ChartForm("wide-form", 760.0, 300.0, 6, 20, titled=True),
    ChartForm("narrow-form", 340.0, 240.0, 3, 12, titled=False),
)
"""A chart for wide and one for narrow screens; one of them is shown."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The drawing's size and its two scales."""

    width: float
    height: float
    first: date
    last: date
    axis: Axis
    right: float = RIGHT

    def x(self, day: date) -> float:
        """Return the place of a day."""
        share = (day - self.first).days / max(1, (self.last - self.first).days)
        return LEFT + (self.width - LEFT - self.right) * share

    def y(self, value: float) -> float:
        """Return the place of a value."""
        within = min(max(value, self.axis.least), self.axis.most) - self.axis.least
        share = within / (self.axis.most - self.axis.least)
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
) -> Markup:
    """Draw points of a metric trend between two days in a wide and a narrow form.

    Further lines differ from the brand's and each other by their dashes and the names at their ends.
    """
    if not points:
        return Markup("")
    own = ChartLine(own_name, points)
    longest = max(len(line.name) for line in (own, *lines))
    return Markup(
        "".join(
            _draw(
                own,
                Frame(
                    form.width,
                    form.height,
                    first,
                    last,
                    axis,
                    6 + LETTER * min(longest, form.letters) if lines else RIGHT,
                ),
                name,
                form,
                events,
                lines,
            )
            for form in FORMS
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
    named = None
    if form.titled:
        named = [(line.name, {point["day"]: point["value"] for point in line.points}) for line in lines]
    parts += [_dot(frame, day, point, own.name, named) for day, point in zip(days, points, strict=True)]
    if lines:
        parts += _line_names(frame, [own, *lines], form.letters)
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
        f'<svg class="time {form.name}" viewBox="0 0 {size}" role="img" tabindex="0" data-top="{TOP:g}" '
        f'data-bottom="{format_coordinate(frame.height - BOTTOM)}" data-left="{LEFT:g}" '
        f'data-right="{format_coordinate(frame.width - frame.right)}" data-first="{frame.first}" '
        f'data-last="{frame.last}" aria-label="{escape(label)}">'
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


def _line_names(frame: Frame, lines: Sequence[ChartLine], letters: int) -> list[str]:
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
        cut = name if len(name) <= letters else f"{_first_words(name, letters - 1)}…"
        style = f"name rival-{number}" if number else "name"
        names.append(
            f'<text class="{style}" x="{x}" y="{format_coordinate(above + 4)}">'
            f"<title>{escape(name)}</title>{escape(cut)}</text>"
        )
    return names


def _first_words(name: str, letters: int) -> str:
    """Return the words of a name that fit, or a part of a long first word."""
    return name[: letters + 1].rpartition(" ")[0].rstrip() or name[:letters]


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
    for step in range(STEPS + 1):
        value = frame.axis.least + (frame.axis.most - frame.axis.least) * step / STEPS
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
        written += f'<text x="{x}" y="{y}" text-anchor="{anchor}">{day:%b} {day.day}</text>'
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


def _dot(
    frame: Frame,
    day: date,
    point: Mapping[str, Any],
    name: str,
    lines: Sequence[tuple[str, Mapping[str, float]]] | None,
) -> str:
    """Draw a measured day. Its title lists all values, a line each, and is what the read-out shows.

    The narrow form has no titles: its read-out takes those of the wide one, which halves the weight of a long chart.
    """
    x, y = format_coordinate(frame.x(day)), format_coordinate(frame.y(point["value"]))
    dot = f'<circle class="dot" cx="{x}" cy="{y}" r="3.5"'
    if lines is None:
        return f"{dot}/>"
    words = frame.axis.words
    values = [(name or "Value", words(point["value"]))]
    intervals: Mapping[str, Any] = point.get("intervals") or {}
    interval: Mapping[str, float] | None = intervals.get("thesePrompts")
    if interval:
        values.append(("95% CI", f"{words(interval['low'])} \N{EN DASH} {words(interval['high'])}"))
    values += [(other, words(days[point["day"]])) for other, days in lines if point["day"] in days]
    if "answers" in point:
        values.append(("Answers", str(point["answers"])))
    title = "\n".join([f"{day:%b} {day.day}, {day.year}", *(f"{key}: {value}" for key, value in values)])
    return f"{dot}><title>{escape(title)}</title></circle>"


def _event(frame: Frame, event: ChartEvent) -> str:
    place = _place(frame.x(event.day), TOP)
    title = escape(f"{event.day.isoformat()}: {event.words}")
    return f'<path class="event" d="M{place}V{format_coordinate(frame.height - BOTTOM)}"><title>{title}</title></path>'


def _path(places: Sequence[tuple[float, float]]) -> str:
    return "L".join([_place(x, y) for x, y in places])


def _place(x: float, y: float) -> str:
    return f"{format_coordinate(x)} {format_coordinate(y)}"
