"""The page that shows every component in every state, with sample values."""

from datetime import date, timedelta
from typing import Any

from starlette.responses import Response

from web.charts.small_charts import interval_bar
from web.charts.time_chart import Axis, ChartEvent, ChartLine, time_chart
from web.glossary import ChangeWords, score_words
from web.overview.figures import Figure
from web.request import PageRequest

FIRST = date(2026, 11, 1)
VALUES = (38.0, 41.5, 40.2, 44.0, 47.3, 46.9)
CHANGES = (
    ChangeWords("rose 4.2 points", "good", "+1.1 to +7.3"),
    ChangeWords("fell 3.0 points", "bad", "-5.2 to -0.8"),
    ChangeWords("no detectable change", detail="-2.0 to +2.4"),
    ChangeWords("not comparable", detail="one of the periods has no answer that counts"),
)


async def show_components(request: PageRequest) -> Response:
    """Show every component."""
    points = [_point(number, value) for number, value in enumerate(VALUES)]
    others = [
        {"day": point["day"], "value": point["value"] - 6 + number} for number, point in enumerate(points)
    ]
    bar = interval_bar(46.9, {"low": 44.4, "high": 49.4}, 100, {"low": 34.9, "high": 59.3})
    return request.render(
        "help/components.html",
        changes=CHANGES,
        choices=[
            {"label": label, "href": "#tabs", "current": label == "Score"}
            for label in ("Score", "Mentions", "Share of voice")
        ],
        figures=[
            Figure("Visibility score", "46.9", "#stat-1-change", bar, CHANGES[0], points, term="score"),
            Figure("Named", "59%", "#stat-2-change", bar, CHANGES[1], points),
            Figure("Average rank", "1.5", "#stat-3-change", bar, CHANGES[2], points),
            Figure("Tone", "–", "#stat-4-change", change=CHANGES[3]),
        ],
        rows=[
            {
                "name": name,
                "value": value,
                "words": f"{value:.0f}%",
                "inner": {"low": value - 5, "high": value + 5},
                "outer": {"low": value - 14, "high": value + 12},
            }
            for name, value in (
                ("Best espresso machine for a small office?", 62.0),
                ("Quietest grinder?", 31.0),
            )
        ],
        points=points,
        chart=time_chart(
            points,
            FIRST,
            FIRST + timedelta(days=35),
            "Visibility score of Acme",
            Axis(30.0, 60.0, score_words, score_words),
            [ChartEvent(FIRST + timedelta(days=16), "New model: Sample 2", "New model")],
            [ChartLine("Globex", others)],
            "Acme",
        ),
    )


def _point(number: int, value: float) -> dict[str, Any]:
    """Return a weekly point with both intervals."""
    return {
        "day": (FIRST + timedelta(days=7 * number)).isoformat(),
        "value": value,
        "answers": 180,
        "intervals": {
            "thesePrompts": {"low": value - 2.5, "high": value + 2.5},
            "allQuestions": {"low": value - 8, "high": value + 8},
        },
    }
