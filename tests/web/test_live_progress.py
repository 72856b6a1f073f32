"""Open pages of a running measurement: what they are sent ends with the session, and they outlive a server's restart."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import AsyncExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from typing import Any

import httpx2
import pytest
from playwright.async_api import Page

from tests.web.conftest import Meet, Person, Run, Running
from tests.web.test_roles import colleague
from web import run_feed

PATIENCE = 30
OPEN_PAGES = 50


@pytest.fixture(scope="module")
def silent_engine() -> Generator[str]:
    """The setting of an engine that takes questions and answers none, until the tests end: runs stay as they are."""
    ended = Event()

    class Silence(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            ended.wait(600)

        def log_message(self, format: str, *_: Any) -> None:
            """Say nothing."""

    provider = ThreadingHTTPServer(("127.0.0.1", 0), Silence)
    provider.daemon_threads = True
    Thread(target=provider.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{provider.server_port}/v1"
    yield json.dumps([{"platform": "slow", "baseUrl": address, "model": "m", "apiKey": "none"}])
    ended.set()
    provider.shutdown()
    provider.server_close()


@pytest.fixture(autouse=True)
def lively(monkeypatch: pytest.MonkeyPatch) -> None:
    """A sign of life each half second, so that a test need not wait for the next one."""
    monkeypatch.setattr(run_feed, "SECONDS_BETWEEN_SIGNS_OF_LIFE", 0.5)


async def measuring(person: Person, *questions: str) -> tuple[str, str]:
    """Start a measurement that does not end; return the address of its page and the key that started it."""
    key = await person.make_key()
    headers = {"Authorization": f"Bearer {key}"}

    async def call(tool: str, **arguments: object) -> dict[str, Any]:
        answer = await person.http.post(f"/api/mcp-app/rest/{tool}", json=arguments, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    brand = await call("create_brand_profile", name="Acme", industry="Retail")
    person.brand = brand["profile"]["id"]
    prompts = [{"text": text} for text in questions or ("Which shop is best?",)]
    made = await call("create_prompt_set", brandId=person.brand, name="Live", prompts=prompts, repeats=1)
    run = await call("run_prompt_set", promptSetId=made["promptSetId"], platforms=["slow"])
    return f"/measurements/{run['runId']}", key


class Stream:
    """The lines of one open page."""

    def __init__(self, answer: httpx2.Response) -> None:
        self._lines = answer.aiter_lines()
        self.seen: list[str] = []

    async def until(self, start: str) -> str:
        """Read on to a line that begins so."""
        async with asyncio.timeout(PATIENCE):
            async for line in self._lines:
                self.seen.append(line)
                if line.startswith(start):
                    return line
        raise AssertionError(f"no line {start!r} in {self.seen}")

    async def rest(self) -> list[str]:
        """Read to the end, which comes."""
        async with asyncio.timeout(PATIENCE):
            return [line async for line in self._lines if line.startswith("event:")]


async def sign_out(watcher: Person, owner: Person) -> None:
    assert (await watcher.submit("/settings/profile", {}, "/auth/logout")).status_code == 303


async def forget_brand(watcher: Person, owner: Person) -> None:
    path = f"/settings/data/brands/{owner.brand}/delete"
    sent = await owner.submit("/settings/data", {"name": "Acme"}, path)
    assert sent.status_code == 303, sent.text


@pytest.fixture
async def slow(run_service: Run, silent_engine: str) -> Running:
    return run_service(ENGINE_COMPATIBLE=silent_engine)


@pytest.mark.parametrize(
    ("end", "events", "status"),
    [(sign_out, [], 303), (forget_brand, ["event: ended"], 200)],
    ids=["signed out", "brand deleted"],
)
async def test_an_open_page_is_sent_nothing_more_once_its_reader_is_gone(
    slow: Running,
    meet: Meet,
    end: Callable[[Person, Person], Awaitable[None]],
    events: list[str],
    status: int,
) -> None:
    owner = meet(slow.url)
    await owner.sign_up()
    page, _ = await measuring(owner)

    def another(*_: Any) -> Person:
        return meet(slow.url)

    bob = await colleague(owner, another, "member")
    async with bob.http.stream("GET", f"{page}/events") as answer:
        stream = Stream(answer)
        await stream.until("data:")
        await stream.until(":")
        await end(bob, owner)
        told = await stream.rest()
    assert told == events
    assert (await bob.http.get(f"{page}/events")).status_code == status


async def test_a_server_with_open_streams_shuts_down_and_streams_resume(
    restart: Run, silent_engine: str
) -> None:
    first = restart(ENGINE_COMPATIBLE=silent_engine)
    person = Person(first.url)
    await person.sign_up()
    page, key = await measuring(person)
    async with AsyncExitStack() as stack:
        pages = [
            await stack.enter_async_context(
                httpx2.AsyncClient(
                    base_url=first.url,
                    timeout=60,
                    cookies=person.http.cookies,
                    headers=person.http.headers,
                    verify=False,
                )
            )
            for _ in range(OPEN_PAGES)
        ]
        streams = [
            Stream(await stack.enter_async_context(one.stream("GET", f"{page}/events"))) for one in pages
        ]
        retries = [await stream.until("retry:") for stream in streams]
        known = {await stream.until("id:") for stream in streams}
        assert len(set(retries)) > OPEN_PAGES // 2
        began = time.monotonic()
        restarting = asyncio.create_task(asyncio.to_thread(restart, ENGINE_COMPATIBLE=silent_engine))
        for stream in streams:
            await stream.rest()
        await restarting
        assert time.monotonic() - began < 15
        last = max(known).partition(": ")[2]
        headers = {"Authorization": f"Bearer {key}"}
        again = [
            Stream(
                await stack.enter_async_context(
                    one.stream("GET", f"{page}/events", headers={"Last-Event-ID": last})
                )
            )
            for one in pages
        ]
        run = page.rpartition("/")[2]
        cancelled = await person.http.post(
            "/api/mcp-app/rest/cancel_workflow_run", json={"runId": run}, headers=headers
        )
        assert cancelled.status_code == 200, cancelled.text
        for stream in again:
            await stream.until("event: ended")
    await person.http.aclose()


@pytest.mark.browser
async def test_a_page_comes_back_after_a_proxy_said_that_the_server_was_away(
    restart: Run, silent_engine: str, browse: Callable[..., Awaitable[Page]]
) -> None:
    first = restart(ENGINE_COMPATIBLE=silent_engine)
    person = Person(first.url)
    await person.sign_up()
    path, key = await measuring(person)
    page = await browse(person)
    await page.goto(path)
    await page.get_by_text("requests").wait_for()
    await asyncio.to_thread(first.stop)
    asked: list[str] = []

    class BadGateway(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(502)

        def log_message(self, format: str, *_: Any) -> None:
            """Say nothing."""

    port = int(first.url.rpartition(":")[2])
    with ThreadingHTTPServer(("127.0.0.1", port), BadGateway) as proxy:
        Thread(target=proxy.serve_forever, daemon=True).start()
        async with asyncio.timeout(PATIENCE):
            while path not in asked:
                await asyncio.sleep(0.1)
        proxy.shutdown()
    await asyncio.to_thread(restart, ENGINE_COMPATIBLE=silent_engine)
    run, headers = path.rpartition("/")[2], {"Authorization": f"Bearer {key}"}
    await person.http.post("/api/mcp-app/rest/cancel_workflow_run", json={"runId": run}, headers=headers)
    await page.get_by_text("This measurement was cancelled.").wait_for()
    await person.http.aclose()
