"""The public pages of agentic readiness: look-up, report in every form, method, and what our bot is."""

import json
from collections.abc import Mapping

from pydantic_core import to_json
from starlette.responses import Response

from oauth.principal import Caller
from readiness.policy import scan_policy
from readiness.report import Report, markdown
from tools.dispatch import Refusal
from tools.errors import FORMS
from web import report_forms
from web.report_forms import HTML, JSON, MARKDOWN
from web.visit import Visit

REPORT = "get_agentic_readiness_report"
METHODOLOGY = "get_agentic_readiness_methodology"


async def negotiated(visit: Visit) -> Response:
    """Serve the latest report of a URL in the form that the Accept header prefers."""
    serve = {JSON: as_json, MARKDOWN: as_markdown, HTML: as_html}
    response = await serve[report_forms.preferred(visit.request.headers.get("accept", ""))](visit)
    response.headers["vary"] = "Accept"
    return response


async def as_html(visit: Visit) -> Response:
    """Serve the latest report of a URL as a page; people may leave the scheme out."""
    found = await call(visit, REPORT, {name: with_scheme(url) for name, url in asked(visit).items()})
    if isinstance(found, Refusal):
        page = visit.page(
            "readiness/no_report.html",
            FORMS[found.cause].status,
            refusal=found,
            typed=visit.request.query_params.get("url", ""),
        )
        return report_forms.waiting(page, found)
    return report_forms.page(visit, Report.model_validate_json(found))


async def as_json(visit: Visit) -> Response:
    """Serve the latest report of a URL, or the error object, as JSON."""
    found = await call(visit, REPORT, asked(visit))
    if not isinstance(found, Refusal):
        return report_forms.sent(found, JSON)
    told = {"code": found.code, "message": found.message, "hint": found.hint}
    return refused(found, to_json({"error": told}), JSON)


async def as_markdown(visit: Visit) -> Response:
    """Serve the latest report of a URL as Markdown."""
    found = await call(visit, REPORT, asked(visit))
    if isinstance(found, Refusal):
        return refused(found, f"{found.message}\n\n{found.hint}\n".encode(), "text/plain")
    return report_forms.sent(markdown(Report.model_validate_json(found)).encode(), MARKDOWN)


async def methodology(visit: Visit) -> Response:
    """Serve the method."""
    found = await call(visit, METHODOLOGY, {})
    if isinstance(found, Refusal):
        page = visit.page("readiness/no_report.html", FORMS[found.cause].status, refusal=found, typed="")
        return report_forms.waiting(page, found)
    return visit.page("readiness/methodology.html", method=json.loads(found))


async def bot(visit: Visit) -> Response:
    """Serve what our bot is, does and leaves alone."""
    return visit.page("readiness/bot.html", policy=scan_policy(visit.site.base_url))


async def call(visit: Visit, tool: str, arguments: Mapping[str, str]) -> bytes | Refusal:
    """Ask a public tool; every page that shows its answer counts as a call of it."""
    outcome = await visit.site.dispatcher.call(tool, arguments, Caller(None, visit.address))
    return outcome if isinstance(outcome, Refusal) else outcome.body


def asked(visit: Visit) -> dict[str, str]:
    """Return the tool's arguments; a missing URL is for the tool to refuse."""
    asked_for = visit.request.query_params
    return {"url": asked_for["url"].strip()} if "url" in asked_for else {}


def with_scheme(typed: str) -> str:
    """Return what a person typed as a URL: `www.example.com` means the https one."""
    return typed if not typed or "://" in typed else f"https://{typed}"


def refused(refusal: Refusal, body: bytes, media_type: str) -> Response:
    """Return a refusal with its status."""
    response = report_forms.sent(body, media_type)
    response.status_code = FORMS[refusal.cause].status
    return report_forms.waiting(response, refusal)
