"""Routes that are loaded with the first request for one of them."""

from collections.abc import Callable, Sequence

import anyio
import anyio.to_thread
from starlette.routing import BaseRoute, Router
from starlette.types import ASGIApp, Receive, Scope, Send


class LateRoutes:
    """Serves requests by routes that `load` returns when the first one comes, and by `otherwise` what has none.

    They are loaded in a thread: only who asks first waits, and the event loop goes on.
    """

    def __init__(self, load: Callable[[], Sequence[BaseRoute]], otherwise: ASGIApp) -> None:
        self.load = load
        self._otherwise = otherwise
        self._router: Router | None = None
        self._opening = anyio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        router = self._router if self._router is not None else await self._open()
        await router(scope, receive, send)

    async def _open(self) -> Router:
        async with self._opening:
            if self._router is None:
                routes = await anyio.to_thread.run_sync(self.load)
                # A redirect would lose the body of a POST with some clients.
                self._router = Router(routes, redirect_slashes=False, default=self._otherwise)
            return self._router
