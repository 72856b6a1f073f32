"""The pages of the application by their routes, asked of the application itself: which addresses are pages, and which page an address is of."""

import re
from collections.abc import Mapping

from starlette.applications import Starlette
from starlette.routing import Route

from tests.web.conftest import Running

NAMED = re.compile(r"\{\w+(?::\w+)?\}")
FILES = re.compile(
    r"\.(?:csv|json|jsonl|md|html|toml|txt|png|svg|css|js)$|/events$|^/static/|^/\.well-known/"
)
"""What is loaded or kept and not looked at."""
FOR_MACHINES = {
    *("/healthz", "/readyz", "/api/mcp-app/rest/{tool}", "/api/{path:path}"),
    "/api/access-logs",
    *("/mcp", "/mcp/", "/api/mcp-app", "/api/mcp-app/"),
}
"""What no browser opens; test_pictures.py sees that none of it is HTML."""
LEADING_ON = {"/api/oauth/authorize", "/start/{brand_id}", "/start/{brand_id}/sample"}
"""Leads to another page: of consent, of the next step, of the brand once its sample data is there."""


def routes_of(service: Running) -> list[Route]:
    """Return every route that the running application serves, whatever stands around it."""
    waiting: list[object] = [service.server.config.app]
    while waiting:
        application = waiting.pop()
        if isinstance(application, Starlette):
            return [route for route in application.routes if isinstance(route, Route)]
        parts: Mapping[str, object] = dict(vars(application))
        waiting += [part for part in parts.values() if callable(part) and hasattr(part, "__dict__")]
    raise AssertionError("nothing with routes is served")


def opened_routes(service: Running) -> set[str]:
    """Return the paths of all routes that a browser can open."""
    return {route.path for route in routes_of(service) if not route.methods or "GET" in route.methods}


def is_page(path: str) -> bool:
    """Whether a route shows a page."""
    return FILES.search(path) is None and path not in FOR_MACHINES | LEADING_ON


def page_routes(service: Running) -> set[str]:
    """Return the paths of the routes of all pages."""
    return {path for path in opened_routes(service) if is_page(path)}


def pattern_of(path: str) -> re.Pattern[str]:
    """The addresses of a route; what it names never stands for a word of another route."""
    parts = NAMED.split(path)
    return re.compile(r"(?!new(?:/|$))[^/?]+".join(map(re.escape, parts)))
