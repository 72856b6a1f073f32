"""The forms in which a stored report is sent: a page, JSON, Markdown and a picture."""

import functools

import anyio.to_thread
from starlette.responses import Response

from readiness.report import Report
from tools.dispatch import Refusal
from web.look import HEADERS
from web.report_picture import png
from web.visit import Visit

HTML, JSON, MARKDOWN, PNG = "text/html", "application/json", "text/markdown", "image/png"
KEPT_PICTURES = 64


def page(visit: Visit, report: Report, *, public: bool = True) -> Response:
    """Return a report as a page; one that is not public is not for search engines either."""
    return visit.page(
        "readiness/report.html",
        report=report,
        public=public,
        address=f"{visit.site.base_url}/readiness/reports/{report.reportId}",
        summary=summary,
        fixes="\n".join(f"- {fix.fix} ({fix.checkId})" for fix in report.topFixes),
    )


def summary(report: Report) -> str:
    """Return the report in one sentence."""
    scored = [(title, group.score) for title, group in report.groups() if group.score is not None]
    overall = (
        f"{report.overall.score} of 100 ({report.overall.band})"
        if report.overall.score is not None
        else "No overall score"
    )
    return ". ".join([overall, *(f"{title} {score}" for title, score in scored)]) + "."


def sent(body: bytes, media_type: str) -> Response:
    """Return a body of ours that is no page, with the headers that every page has."""
    return Response(body, headers=dict(HEADERS), media_type=media_type)


async def picture(report: str) -> Response:
    """Return the picture of a report that is given as JSON; it is drawn on a thread, once while it is asked for."""
    response = sent(await anyio.to_thread.run_sync(drawn, report), PNG)
    # A report never changes; the service that fetches the picture for a preview may keep it.
    response.headers["cache-control"] = "public, max-age=86400"
    response.headers["cross-origin-resource-policy"] = "cross-origin"
    return response


@functools.lru_cache(KEPT_PICTURES)
def drawn(report: str) -> bytes:
    """Return the PNG of a report that is given as JSON."""
    return png(Report.model_validate_json(report))


def waiting(response: Response, refusal: Refusal) -> Response:
    """Return the response with how long to wait, where waiting helps."""
    if refusal.retry_after is not None:
        response.headers["retry-after"] = str(refusal.retry_after)
    return response


def preferred(accept: str) -> str:
    """Return which of our media types an Accept header prefers; HTML when it does not say (RFC 9110, 12.5.1)."""
    weights = {HTML: 0.0, JSON: 0.0, MARKDOWN: 0.0}
    for part in accept.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        if name in weights:
            weights[name] = quality(parameters)
    best = max(weights, key=lambda name: weights[name])
    return best if weights[best] > 0 else HTML


def quality(parameters: list[str]) -> float:
    """Return the weight of one media range; 1 without one, 0 for one that is no number."""
    given = next((one.partition("=")[2] for one in parameters if one.startswith("q=")), "1")
    try:
        return float(given)
    except ValueError:
        return 0.0
