"""The public pages of agentic readiness: look-up, report in three forms, method, and what our bot is."""

import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic_core import to_json
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from oauth.principal import Caller
from readiness.fetch import scan_policy
from readiness.report import Report, markdown
from tools.dispatch import Dispatcher, Refusal
from tools.errors import FORMS

REPORT = "get_agentic_readiness_report"
METHODOLOGY = "get_agentic_readiness_methodology"
STYLE = Path(__file__).with_name("static").joinpath("readiness.css")
POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
HTML, JSON, MARKDOWN = "text/html", "application/json", "text/markdown"
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


class ReadinessPages:
    """Shows what the public tools answer; every page that reads one counts as a call of it."""

    def __init__(self, dispatcher: Dispatcher, base_url: str) -> None:
        self._dispatcher = dispatcher
        self._base_url = base_url
        self._templates = Environment(
            loader=PackageLoader("web", "templates/readiness"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.filters["words"] = spaced

    def routes(self) -> list[BaseRoute]:
        """Return the routes of the pages and of their style sheet."""
        pages: tuple[tuple[str, Callable[[Request], Awaitable[Response]]], ...] = (
            ("/readiness", self.look_up),
            ("/readiness/report", self.negotiated),
            ("/readiness/report.json", self.as_json),
            ("/readiness/report.md", self.as_markdown),
            ("/readiness/methodology", self.methodology),
            ("/readiness/bot", self.bot),
            ("/readiness/style.css", self.style),
        )
        return [Route(path, page, methods=["GET"]) for path, page in pages]

    async def look_up(self, request: Request) -> Response:
        """Serve the form that looks a report up."""
        return self._page("look_up.html")

    async def negotiated(self, request: Request) -> Response:
        """Serve a report in the form that the Accept header prefers."""
        serve = {JSON: self.as_json, MARKDOWN: self.as_markdown, HTML: self.as_html}
        response = await serve[preferred(request.headers.get("accept", ""))](request)
        response.headers["vary"] = "Accept"
        return response

    async def as_html(self, request: Request) -> Response:
        """Serve a report as a page."""
        found = await self._call(request, REPORT, asked(request))
        if isinstance(found, Refusal):
            url = request.query_params.get("url", "")
            return self._page("no_report.html", refused(found, b"", HTML), refusal=found, url=url)
        return self._page("report.html", report=Report.model_validate_json(found))

    async def as_json(self, request: Request) -> Response:
        """Serve a report, or the error object, as JSON."""
        found = await self._call(request, REPORT, asked(request))
        if not isinstance(found, Refusal):
            return Response(found, headers=HEADERS, media_type=JSON)
        told = {"code": found.code, "message": found.message, "hint": found.hint}
        return refused(found, to_json({"error": told}), JSON)

    async def as_markdown(self, request: Request) -> Response:
        """Serve a report as Markdown."""
        found = await self._call(request, REPORT, asked(request))
        if isinstance(found, Refusal):
            return refused(found, f"{found.message}\n\n{found.hint}\n".encode(), "text/plain")
        return Response(markdown(Report.model_validate_json(found)), headers=HEADERS, media_type=MARKDOWN)

    async def methodology(self, request: Request) -> Response:
        """Serve the method."""
        found = await self._call(request, METHODOLOGY, {})
        if isinstance(found, Refusal):
            return self._page("no_report.html", refused(found, b"", HTML), refusal=found, url="")
        return self._page("methodology.html", method=json.loads(found))

    async def bot(self, request: Request) -> Response:
        """Serve what our bot is, does and leaves alone."""
        return self._page("bot.html", policy=scan_policy(self._base_url))

    async def style(self, request: Request) -> Response:
        """Serve the style sheet."""
        return Response(STYLE.read_bytes(), headers=HEADERS, media_type="text/css")

    async def _call(self, request: Request, tool: str, arguments: Mapping[str, str]) -> bytes | Refusal:
        address = request.client.host if request.client else ""
        outcome = await self._dispatcher.call(tool, arguments, Caller(None, address))
        return outcome if isinstance(outcome, Refusal) else outcome.body

    def _page(self, template: str, response: Response | None = None, **values: Any) -> Response:
        text = self._templates.get_template(template).render(**values)
        status = response.status_code if response else 200
        waiting = {"retry-after": response.headers["retry-after"]} if status == 429 and response else {}
        return Response(text, status, headers={**HEADERS, **waiting}, media_type=HTML)


def asked(request: Request) -> dict[str, str]:
    """Return the tool's arguments; a missing URL is for the tool to refuse."""
    return {"url": request.query_params["url"].strip()} if "url" in request.query_params else {}


def refused(refusal: Refusal, body: bytes, media_type: str) -> Response:
    """Return a refusal with its status."""
    waiting = {} if refusal.retry_after is None else {"retry-after": str(refusal.retry_after)}
    return Response(body, FORMS[refusal.cause].status, headers={**HEADERS, **waiting}, media_type=media_type)


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


def spaced(text: str | None) -> str:
    """Return a word of the model as people write it."""
    return (text or "").replace("_", " ")
