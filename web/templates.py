"""Templates: rendering of pages, the filters in them, and the static files that they load."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from measurement.planning.engine_names import channel_name, platform_name
from measurement.planning.locales import country_name
from tools.calls.wire import SYNTHETIC_NOTICE, harmless
from web.charts.small_charts import interval_bar, sparkline
from web.glossary import (
    SCHEDULES,
    duration_words,
    evidence_words,
    headline_words,
    headlines_words,
    left_out_words,
    mode_words,
    outcome_words,
    owner_words,
    percent,
    period_change_words,
    plain,
    question_change_words,
    reason_words,
    schedule_words,
    score_change_words,
    score_words,
    share_change_words,
    source_kind_words,
    status_words,
    verdict_words,
    way_words,
)
from web.layout.text_blocks import mark_names, remove_stars
from web.terms import TERMS
from web.view_filters import COMPARISONS, PERIODS

STATIC = Path(__file__).with_name("static")
TYPES: Mapping[str, str] = {
    "application.css": "text/css; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "readiness.css": "text/css; charset=utf-8",
    "help.css": "text/css; charset=utf-8",
    "screens.css": "text/css; charset=utf-8",
    "content.css": "text/css; charset=utf-8",
    "report.css": "text/css; charset=utf-8",
    "start.css": "text/css; charset=utf-8",
    "copy.js": "text/javascript; charset=utf-8",
    "find.js": "text/javascript; charset=utf-8",
    "page.js": "text/javascript; charset=utf-8",
    "rows.js": "text/javascript; charset=utf-8",
    "progress.js": "text/javascript; charset=utf-8",
    "icons.svg": "image/svg+xml",
    "mark.svg": "image/svg+xml",
    "mark.png": "image/png",
}
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}
"""On every page: only our own scripts, no frames, no other sites, nothing cached."""


DIRECTION_MARKS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Embeddings, overrides and isolates: a name that opens one without closing it would reorder the words after it."""


class PageRenderer:
    """Renders templates."""

    def __init__(self, now: Callable[[], datetime], policies: Iterable[str] = ()) -> None:
        self._files = {name: STATIC.joinpath(name).read_bytes() for name in TYPES}
        digests = {name: hashlib.sha256(content).hexdigest()[:12] for name, content in self._files.items()}
        self._addresses = {name: f"/static/{name}?v={digest}" for name, digest in digests.items()}
        self._now = now
        self.environment = Environment(
            loader=PackageLoader("web", ""),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            finalize=_without_direction_marks,
        )
        filters: dict[str, Callable[..., Any]] = {
            "percent": percent,
            "score": score_words,
            "verdict": verdict_words,
            "reason": reason_words,
            "whose": evidence_words,
            "left_out": left_out_words,
            "status": status_words,
            "platform": platform_name,
            "country": country_name,
            "channel": channel_name,
            "outcome": outcome_words,
            "owner": owner_words,
            "way": way_words,
            "mode": mode_words,
            "source_kind": source_kind_words,
            "schedule": schedule_words,
            "headline": headline_words,
            "headlines": headlines_words,
            "duration": duration_words,
            "score_change": score_change_words,
            "period_change": period_change_words,
            "share_change": share_change_words,
            "question_change": question_change_words,
            "sparkline": sparkline,
            "mark_names": mark_names,
            "unstarred": remove_stars,
            "day": format_day,
            "moment": _format_moment,
            "machine": _format_timestamp,
            "harmless": harmless,
            "plain": plain,
            "interval_bar": interval_bar,
        }
        self.environment.filters.update(filters)
        shared: dict[str, Any] = {
            "periods": PERIODS,
            "comparisons": COMPARISONS,
            "synthetic_notice": SYNTHETIC_NOTICE,
            "terms": TERMS,
            "schedules": SCHEDULES,
            "policies": sorted(policies),
        }
        self.environment.globals |= shared

    def share(self, values: Mapping[str, Any]) -> None:
        """Make further values known to every template; what changes in them later is seen by the next page."""
        self.environment.globals |= dict(values)

    def render(self, template: str, context: Mapping[str, Any]) -> str:
        """Return the page; `now` is there in every template."""
        return self.environment.get_template(template).render(now=self._now(), static=self.address, **context)

    def address(self, name: str) -> str:
        """Return where a file is served; the address changes with its content."""
        return self._addresses[name]

    def routes(self) -> list[Route]:
        """Return the routes of the files."""
        return [Route(f"/static/{name}", self._file(name)) for name in TYPES]

    def _file(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        headers = {
            "Cache-Control": "public, max-age=31536000, immutable",
            "X-Content-Type-Options": "nosniff",
        }

        async def serve(request: Request) -> Response:
            return Response(self._files[name], media_type=TYPES[name], headers=headers)

        return serve


def _without_direction_marks(value: object) -> object:
    """Return a value of a page without the marks that turn what follows them around; HTML was made of such values."""
    return value.translate(DIRECTION_MARKS) if type(value) is str and not value.isascii() else value


def parse_instant(value: datetime | str) -> datetime:
    """Read an instant, stored or from a tool result."""
    return datetime.fromisoformat(value) if isinstance(value, str) else value


def format_day(value: datetime | str | None) -> str:
    """Return a date for people, or a dash."""
    if value is None:
        return "–"
    when = parse_instant(value)
    return f"{when:%b} {when.day}, {when.year}"


def _format_moment(value: datetime | str | None) -> str:
    """Return an instant for people, in UTC, or a dash."""
    return "–" if value is None else f"{format_day(value)}, {parse_instant(value):%H:%M} UTC"


def _format_timestamp(value: datetime | str | None) -> str:
    return "" if value is None else parse_instant(value).isoformat(timespec="seconds")
