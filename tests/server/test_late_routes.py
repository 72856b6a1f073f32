"""Routes that are loaded with the first request for one of them answer like all others."""

import asyncio
import threading

import httpx2
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from server.http.late_routes import LateRoutes

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def say(request: Request) -> Response:
    return PlainTextResponse(request.url.path)


async def nothing(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("nothing", 404)(scope, receive, send)


async def test_late_routes_are_loaded_once_in_a_thread_and_only_when_no_other_route_answers() -> None:
    loaded: list[threading.Thread] = []

    def load() -> list[BaseRoute]:
        loaded.append(threading.current_thread())
        return [Route("/late/{name}", say, methods=["GET"])]

    app = Starlette(routes=[Route("/early", say, methods=["GET"])])
    app.router.redirect_slashes = False
    app.router.default = LateRoutes(load, nothing)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url="http://test") as client:
        assert (await client.get("/early")).text == "/early"
        assert (await client.post("/early")).status_code == 405
        assert loaded == []
        answers = await asyncio.gather(*(client.get(f"/late/{number}") for number in range(3)))
        assert [answer.text for answer in answers] == ["/late/0", "/late/1", "/late/2"]
        assert len(loaded) == 1
        assert loaded[0] is not threading.main_thread()
        assert (await client.post("/late/1")).status_code == 405
        assert (await client.get("/late/1/")).text == "nothing"
        assert len(loaded) == 1


async def test_routes_that_cannot_be_loaded_are_tried_again_with_the_next_request() -> None:
    failures = [OSError("no such file")]

    def load() -> list[BaseRoute]:
        if failures:
            raise failures.pop()
        return [Route("/late", say)]

    app = Starlette()
    app.router.default = LateRoutes(load, nothing)
    transport = httpx2.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://test") as client:
        failed, answered = await client.get("/late"), await client.get("/late")
    assert (failed.status_code, "no such file" in failed.text) == (500, False)
    assert answered.text == "/late"
