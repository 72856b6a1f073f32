"""The forms in which a stored report is sent: a page, JSON, Markdown and a picture."""

from collections.abc import Sequence

from starlette.responses import Response

from readiness.fetching import urls
from readiness.report.document import Report
from storage.repositories.readiness import ReportName
from tools.calls.dispatch import Refusal
from web.request import PageRequest
from web.templates import HEADERS

HTML, JSON, MARKDOWN, PNG = "text/html", "application/json", "text/markdown", "image/png"


def render_report(
    request: PageRequest, report: Report, *, public: bool = True, earlier: Sequence[ReportName] = ()
) -> Response:
    """Return a report as a page, with the earlier ones it can be compared with.

    One that is not public is not for search engines either.
    """
    return request.render(
        "readiness/report.html",
        report=report,
        public=public,
        earlier=earlier,
        badge=f"{request.services.base_url}/readiness/badge.svg?url={urls.quoted(report.url)}",
        address=f"{request.services.base_url}/readiness/reports/{report.reportId}",
        summary=summarize,
        fixes="\n".join(f"- {fix.fix} ({fix.checkId})" for fix in report.topFixes),
    )


def summarize(report: Report) -> str:
    """Return the report in one sentence."""
    scored = [(title, group.score) for title, group in report.groups() if group.score is not None]
    overall = (
        f"{report.overall.score} of 100 ({report.overall.band})"
        if report.overall.score is not None
        else "No overall score"
    )
    return ". ".join([overall, *(f"{title} {score}" for title, score in scored)]) + "."


def send(body: bytes, media_type: str) -> Response:
    """Return a body that is not a page, with the headers that every page has."""
    return Response(body, headers=dict(HEADERS), media_type=media_type)


def add_retry_after(response: Response, refusal: Refusal) -> Response:
    """Return the response with how long to wait, where waiting helps."""
    if refusal.retry_after is not None:
        response.headers["retry-after"] = str(refusal.retry_after)
    return response


def preferred_media_type(accept: str) -> str:
    """Return which of our media types an Accept header prefers; HTML when it does not say (RFC 9110, 12.5.1)."""
    weights = {HTML: 0.0, JSON: 0.0, MARKDOWN: 0.0}
    for part in accept.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        if name in weights:
            weights[name] = _parse_weight(parameters)
    best = max(weights, key=lambda name: weights[name])
    return best if weights[best] > 0 else HTML


def _parse_weight(parameters: list[str]) -> float:
    """Return the weight of one media range; 1 without one, 0 for one that is no number."""
    quality = next(
        (parameter.partition("=")[2] for parameter in parameters if parameter.startswith("q=")), "1"
    )
    try:
        return float(quality)
    except ValueError:
        return 0.0
