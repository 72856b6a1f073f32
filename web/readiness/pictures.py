"""Pictures of a readiness report: the SVG badge and the PNG preview of shared links."""

import io
from html import escape
from typing import TYPE_CHECKING

import anyio.to_thread
from starlette.responses import Response

from readiness.report.document import Report
from readiness.survey.site_kind import kind_words
from tools.calls.dispatch import Refusal
from tools.calls.errors import FORMS
from web.readiness import report_formats
from web.readiness.latest_report_page import call_report_tool
from web.request import PageRequest

if TYPE_CHECKING:
    from PIL import ImageDraw  # loaded by who draws

SVG = "image/svg+xml"
LABEL = "ready for AI agents"
COLORS = {"ready": "#17683a", "usable": "#17683a", "limited": "#8a5200", "blocked": "#a3251c"}
GRAY = "#52605c"
WIDTHS = {"i": 3.2, "l": 3.2, "j": 3.4, "t": 4.6, "f": 4.4, "r": 4.9, " ": 3.9, "m": 10.8, "w": 9.1}
"""Of letters in Verdana at 11 pixels where they differ much from the others."""
USUAL_WIDTH, PADDING = 7.1, 7


async def serve_badge(request: PageRequest) -> Response:
    """Serve the badge of a URL; one without a public report says so, with the status that the report has."""
    result = await call_report_tool(request)
    if isinstance(result, Refusal):
        response = report_formats.send(_draw_badge("no report", GRAY).encode(), SVG)
        response.status_code = FORMS[result.cause].status
        report_formats.add_retry_after(response, result)
    else:
        response = report_formats.send(badge_of(Report.model_validate_json(result)).encode(), SVG)
        response.headers["cache-control"] = "public, max-age=3600"
    response.headers["cross-origin-resource-policy"] = "cross-origin"
    return response


def badge_of(report: Report) -> str:
    """Return the badge of a report: its overall score and band, and the year and month of the scan."""
    score, band = report.overall.score, report.overall.band or ""
    shown = f"{score} {band}" if score is not None else "not scored"
    return _draw_badge(f"{shown}, {report.scannedAt:%Y-%m}", COLORS.get(band, GRAY))


def _draw_badge(words: str, color: str) -> str:
    """Return an SVG with our label and these words; nothing in it is text of a site."""
    left, right = (_width(text) + 2 * PADDING for text in (LABEL, words))
    label, value = escape(LABEL), escape(words)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="20" role="img" '
        f'aria-label="{label}: {value}"><title>{label}: {value}</title>'
        f'<rect width="{left}" height="20" rx="3" fill="#37413e"/>'
        f'<rect x="{left}" width="{right}" height="20" rx="3" fill="{color}"/>'
        f'<rect x="{left - 3}" width="6" height="20" fill="#37413e"/>'
        f'<rect x="{left}" width="4" height="20" fill="{color}"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">'
        f'<text x="{left // 2}" y="14" textLength="{left - 2 * PADDING}">{label}</text>'
        f'<text x="{left + right // 2}" y="14" textLength="{right - 2 * PADDING}">{value}</text></g></svg>\n'
    )


def _width(text: str) -> int:
    return round(sum(WIDTHS.get(letter, USUAL_WIDTH) for letter in text))


WIDTH, HEIGHT = 1200, 630
LEFT, RIGHT = 72, WIDTH - 72
PAPER, CARD, INK, SOFT, LINE, ACCENT = "#f6f7f5", "#ffffff", "#17211f", "#52605c", "#d9dfdb", "#0f6a63"
GOOD, WARN, BAD = "#17683a", "#b26a00", "#a3251c"
COLOURS = {"ready": GOOD, "usable": GOOD, "limited": WARN, "blocked": BAD}
LONGEST_HOST = 56


def png(report: Report) -> bytes:
    """Return the picture; the host is the only word in it that is not ours."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, WIDTH, 12), fill=ACCENT)
    _text(draw, (LEFT, 64), "seenby · ready for AI agents?", 30, SOFT)
    _text(draw, (LEFT, 112), _shortened(report.host), 64, INK, RIGHT - LEFT)
    kind = kind_words(report.siteType.value)
    _text(draw, (LEFT, 196), f"{kind}, scanned {report.scannedAt:%Y-%m-%d}", 30, SOFT)
    _overall(draw, report)
    for row, (title, group) in enumerate(report.groups()):
        _bar(draw, 296 + row * 72, title, group.score, group.band, group.applicable)
    buffer = io.BytesIO()
    image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def _overall(draw: "ImageDraw.ImageDraw", report: Report) -> None:
    draw.rounded_rectangle((LEFT, 290, LEFT + 320, 558), 20, fill=CARD, outline=LINE, width=2)
    score, band = report.overall.score, report.overall.band
    middle = LEFT + 160
    if score is None:
        _text(draw, (middle, 390), "no overall", 40, SOFT, anchor="mm")
        _text(draw, (middle, 440), "score", 40, SOFT, anchor="mm")
        return
    _text(draw, (middle, 392), str(score), 150, COLOURS.get(band or "", INK), anchor="mm")
    _text(draw, (middle, 505), f"of 100 · {band}", 34, SOFT, anchor="mm")


def _bar(
    draw: "ImageDraw.ImageDraw", top: int, title: str, score: int | None, band: str | None, asked: bool
) -> None:
    start, end = LEFT + 372, RIGHT
    shown = str(score) if score is not None else "not enough seen" if asked else "does not apply"
    _text(draw, (start, top), title, 28, INK)
    _text(draw, (end, top), shown, 28, INK if score is not None else SOFT, anchor="ra")
    draw.rounded_rectangle((start, top + 40, end, top + 54), 7, fill=LINE)
    if score:
        reach = start + max(14, (end - start) * score // 100)
        draw.rounded_rectangle((start, top + 40, reach, top + 54), 7, fill=COLOURS.get(band or "", INK))


def _text(
    draw: "ImageDraw.ImageDraw",
    place: tuple[int, int],
    words: str,
    size: int,
    colour: str,
    width: int | None = None,
    anchor: str = "la",
) -> None:
    from PIL import ImageFont

    font = ImageFont.load_default(size)
    while width is not None and size > 20 and draw.textlength(words, font) > width:
        size -= 2
        font = ImageFont.load_default(size)
    draw.text(place, words, fill=colour, font=font, anchor=anchor)


def _shortened(host: str) -> str:
    """The end of a host name says whose it is, so a long one loses its beginning."""
    return host if len(host) <= LONGEST_HOST else "…" + host[-LONGEST_HOST:]


async def send_picture(report: str) -> Response:
    """Return the picture of a report that is given as JSON, drawn on a thread."""
    response = report_formats.send(await anyio.to_thread.run_sync(draw_png, report), report_formats.PNG)
    # A report never changes; the service that fetches the picture for a preview may keep it.
    response.headers["cache-control"] = "public, max-age=86400"
    response.headers["cross-origin-resource-policy"] = "cross-origin"
    return response


def draw_png(report: str) -> bytes:
    """Return the PNG of a report that is given as JSON."""
    return png(Report.load(report))
