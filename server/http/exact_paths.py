"""Finds what serves a path in one step where its whole path is known, before the router tries its patterns."""

from collections.abc import Awaitable, Mapping

from starlette.types import ASGIApp, Receive, Scope, Send


class ExactPaths:
    """Serves requests of known paths, whatever their method, and hands all others on.

    `known` has for each path what serves it and the parameters that a pattern would have read from it.
    """

    def __init__(self, app: ASGIApp, known: Mapping[str, tuple[ASGIApp, Mapping[str, str]]]) -> None:
        self._app = app
        self._known = known

    def __call__(self, scope: Scope, receive: Receive, send: Send) -> Awaitable[None]:
        """Serve a request; other traffic passes through."""
        route = self._known.get(scope["path"]) if scope["type"] == "http" else None
        if route is None:
            return self._app(scope, receive, send)
        app, scope["path_params"] = route
        return app(scope, receive, send)
