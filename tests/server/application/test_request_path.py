"""How much of the house one read executes: a call over REST passes every check through few modules."""

import asyncio
import sys
import threading
from typing import Any

import httpx2

from measurement.planning.clock import utc_now
from server.app import create_app
from server.http.operations import Metrics
from server.service import open_service
from server.serving import public_of
from server.settings import Settings
from tests.server.application.conftest import Workspace

MOST_MODULES = 15
"""A served call executes two more: the server's protocol and the writer of its log line."""
MOST_MADE_ANEW = 33
"""After a commit of anybody the key is read again and the result made again; 28 is the aim, and not reached."""
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
            async with service.database.operation() as operators:
                await operators.companies.create("Another", "another@example.com", "growth", utc_now())
            await asyncio.sleep(0)  # what the commit makes old is let go of in the next turn of the loop
            with ExecutedModules() as anew:
                again = await call()
    assert answer.json()["brandName"] == again.json()["brandName"] == "Toyota"
    assert executed.names >= CHECKS
    assert anew.names >= CHECKS | {"tools.scores", "storage.repositories.results"}
    assert len(executed.names) <= MOST_MODULES, sorted(executed.names)
    assert len(anew.names) <= MOST_MADE_ANEW, sorted(anew.names)
