"""How much of the house one read executes: a call over REST passes every check through few modules."""

import sys
import threading
from typing import Any

import httpx2

from server.app import create_app
from server.http.operations import Metrics
from server.service import open_service
from server.serving import public_of
from server.settings import Settings
from tests.server.application.conftest import Workspace

MOST_MODULES = 31
"""A served call executes two more: the server's protocol and the writer of its log line."""
HOUSE = frozenset(
    (
        "server",
        "rest_bridge",
        "web",
        "tools",
        "workflows",
        "measurement",
        "readiness",
        "oauth",
        "engines",
        "analytics",
        "storage",
    )
)
CHECKS = frozenset(
    (
        "server.http.origins",
        "oauth.authenticate",
        "tools.calls.rate_limits",
        "rest_bridge.json_messages",
        "tools.calls.dispatch",
        "server.http.front_door",
    )
)


class ExecutedModules:
    """Records the modules of the house whose functions are called, on this thread and on new ones."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __enter__(self) -> "ExecutedModules":
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *failure: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: Any, event: str, argument: object) -> None:
        name: str = frame.f_globals.get("__name__", "")
        if event == "call" and name.partition(".")[0] in HOUSE:
            self.names.add(name)


async def test_a_score_over_rest_executes_few_modules_and_every_check(workspace: Workspace) -> None:
    settings = Settings.from_environ(workspace.environ)
    async with open_service(settings) as service:
        app = create_app(
            public_of(settings),
            dispatcher=service.dispatcher,
            authenticator=service.authenticator,
            metrics=Metrics(),
        )
        transport = httpx2.ASGITransport(app=app)
        headers = {"Authorization": f"Bearer {workspace.key}"}
        async with httpx2.AsyncClient(transport=transport, base_url=settings.base_url) as client:

            async def call() -> httpx2.Response:
                path = "/api/mcp-app/rest/get_ai_visibility_score"
                return await client.post(path, json={"brandId": "Toyota"}, headers=headers)

            await call()  # what is compiled or cached on first use is not part of a call
            with ExecutedModules() as executed:
                answer = await call()
    assert answer.json()["brandName"] == "Toyota"
    assert executed.names >= CHECKS | {"tools.scores", "storage.repositories.results"}
    assert len(executed.names) <= MOST_MODULES, sorted(executed.names)
