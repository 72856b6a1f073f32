"""Public readiness pages: lookup, reports in every format, methodology, and information about our bot."""

import json
from collections.abc import Mapping

from pydantic_core import to_json
from starlette.responses import Response

from oauth.principal import Caller
from readiness.fetching.policy import scan_policy
from readiness.report.document import Report, markdown
from tools.calls.dispatch import Refusal
from tools.calls.errors import FORMS
from web.readiness import report_formats
from web.readiness.report_formats import HTML, JSON, MARKDOWN
from web.request import PageRequest, ToolFault

REPORT = "get_agentic_readiness_report"
METHODOLOGY = "get_agentic_readiness_methodology"


async def show_latest_report(request: PageRequest) -> Response:
    """Serve the latest report of a URL in the format that the Accept header prefers."""
    serve = {JSON: serve_json, MARKDOWN: serve_markdown, HTML: serve_html}
    response = await serve[report_formats.preferred_media_type(request.http.headers.get("accept", ""))](
        request
    )
    response.headers["vary"] = "Accept"
    return response


async def serve_html(request: PageRequest) -> Response:
    """Serve the latest report of a URL as a page. The scheme is optional."""
    result = await call_report_tool(request)
    if isinstance(result, Refusal):
        page = request.render(
            "readiness/no_report.html",
            FORMS[result.cause].status,
            words=ToolFault.of(result.reason).words,
            typed=request.http.query_params.get("url", ""),
        )
        return report_formats.add_retry_after(page, result)
    return report_formats.render_report(request, Report.model_validate_json(result))


async def serve_json(request: PageRequest) -> Response:
    """Serve the latest report of a URL, or the error object, as JSON."""
    result = await _call_public_tool(request, REPORT, _report_arguments(request))
    if not isinstance(result, Refusal):
        return report_formats.send(result, JSON)
    error = {"code": result.code, "message": result.message, "hint": result.hint}
    return _send_refusal(result, to_json({"error": error}), JSON)


async def serve_markdown(request: PageRequest) -> Response:
    """Serve the latest report of a URL as Markdown."""
    result = await _call_public_tool(request, REPORT, _report_arguments(request))
    if isinstance(result, Refusal):
        return _send_refusal(result, f"{result.message}\n\n{result.hint}\n".encode(), "text/plain")
    return report_formats.send(markdown(Report.model_validate_json(result)).encode(), MARKDOWN)


async def show_methodology(request: PageRequest) -> Response:
    """Serve the methodology."""
    result = await _call_public_tool(request, METHODOLOGY, {})
    if isinstance(result, Refusal):
        page = request.render(
            "readiness/no_report.html", FORMS[result.cause].status, refusal=result, typed=""
        )
        return report_formats.add_retry_after(page, result)
    return request.render("readiness/methodology.html", method=json.loads(result))


async def show_bot(request: PageRequest) -> Response:
    """Serve information about our bot and what it does not access."""
    return request.render("readiness/bot.html", policy=scan_policy(request.services.base_url))


async def call_report_tool(request: PageRequest) -> bytes | Refusal:
    """Return the latest report of the URL in the query. The scheme is optional."""
    arguments = {name: add_scheme(url) for name, url in _report_arguments(request).items()}
    return await _call_public_tool(request, REPORT, arguments)


async def _call_public_tool(request: PageRequest, tool: str, arguments: Mapping[str, str]) -> bytes | Refusal:
    """Call a public tool. Every page that shows its result counts as one call."""
    caller = Caller(None, request.address)
    outcome = await request.services.dispatcher.call(tool, arguments, caller, whole=True)
    return outcome if isinstance(outcome, Refusal) else outcome.body


def _report_arguments(request: PageRequest) -> dict[str, str]:
    """Return the tool's arguments. The tool rejects a missing URL."""
    query = request.http.query_params
    return {"url": query["url"].strip()} if "url" in query else {}


def add_scheme(typed: str) -> str:
    """Return typed text as a URL: `www.example.com` means https."""
    return typed if not typed or "://" in typed else f"https://{typed}"


def _send_refusal(refusal: Refusal, body: bytes, media_type: str) -> Response:
    response = report_formats.send(body, media_type)
    response.status_code = FORMS[refusal.cause].status
    return report_formats.add_retry_after(response, refusal)
