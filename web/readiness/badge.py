"""The badge of a site for its own pages and for READMEs: the latest public report in one line, drawn as an SVG."""

from html import escape

from starlette.responses import Response

from readiness.report.document import Report
from tools.calls.dispatch import Refusal
from tools.calls.errors import FORMS
from web.readiness import report_formats
from web.readiness.latest_report_page import call_report_tool
from web.request import PageRequest

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
        response = report_formats.send(draw_badge("no report", GRAY).encode(), SVG)
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
    return draw_badge(f"{shown}, {report.scannedAt:%Y-%m}", COLORS.get(band, GRAY))


def draw_badge(words: str, color: str) -> str:
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
