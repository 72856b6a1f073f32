"""Four suppliers on loopback that keep the state of their tasks, whoever asks after them."""

import gzip
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio.to_thread
import httpx2
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from engines.suppliers.dataforseo import TASK_PATHS
from tests.engines.supplier_bodies import NOT_AVAILABLE, NOT_GENERATED, dataforseo, overview, page, serpapi

PATIENCE = 60.0
ABSENT = "not shown"
FAILED = "failed"
NO_RESULTS = "no results"
REGION_REFUSED = "region refused"
PASSING_FAILURE = "passing failure"
"""A task that fails once, is charged, and does not fail when it is submitted again."""
LASTING_FAILURE = "lasting failure"
"""A task that fails as often as it is submitted, and is charged each time."""
GONE = "gone"
"""A task that was opened and charged, of which the supplier's server then knows nothing, in words for people."""
NO_JSON = "no JSON"
"""A question that is answered at once with a page for people, and status 200."""
DEFERRED = "deferred"
"""An overview for which a second search must be made."""
BLOCKED, NOT_LOADED = NOT_AVAILABLE, NOT_GENERATED
DATASETS = "/datasets/v3"
PAGE = "<html>We are down for maintenance.</html>"
DATAFORSEO_FAILURES = {FAILED: 50000, REGION_REFUSED: 40501, NO_RESULTS: 40102, LASTING_FAILURE: 40101}


@dataclass
class Task:
    """What waits at the supplier."""

    id: str
    key: str
    question: str
    submission: int
    """How often its question was submitted when it was opened."""
    looks: int = 0
    callback: str = ""
    """The address to call when it is done."""
    surface: str = "google_ai_overview"
    """What it looks at, where one supplier's tasks tell it by their path."""


@dataclass
class Supplier:
    """DataForSEO, Cloro, Bright Data and SerpApi: tasks that stay, and searches that are answered at once."""

    base_url: str = ""
    pending: int = 0
    """Looks that find a task at work before it is done."""
    busy: int = 0
    """Looks that are refused with 429 first."""
    retry_after: str = ""
    """What such a refusal says of the time to wait."""
    answers: dict[str, str] = field(default_factory=dict[str, str])
    """What is seen for a question; it names Acme where nothing else is said."""
    tasks: dict[str, Task] = field(default_factory=dict[str, Task])
    submissions: list[str] = field(default_factory=list[str])
    looks: int = 0
    cancelled: list[str] = field(default_factory=list[str])
    requests: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    """Path with its query and what authorizes it, of every request."""
    bodies: list[Any] = field(default_factory=list[Any])
    answering: threading.Event = field(default_factory=threading.Event)
    """Cleared, a submission is taken and its answer held back."""
    finishing: threading.Event = field(default_factory=threading.Event)
    """Cleared, no task is done."""
    changed: threading.Condition = field(default_factory=threading.Condition)

    def wait_until(self, submissions: int = 0, looks: int = 0, seconds: float = PATIENCE) -> None:
        """Wait until so much has arrived."""
        with self.changed:
            arrived = self.changed.wait_for(
                lambda: len(self.submissions) >= submissions and self.looks >= looks, seconds
            )
        assert arrived, (len(self.submissions), self.looks)

    def call_back(self, *tasks: Task, body: bytes = b"") -> list[int]:
        """Say that tasks are done, each twice: with a call that brings nothing, and with a packed body."""
        packed = {"content-encoding": "gzip", "content-type": "application/json"}
        statuses: list[int] = []
        with httpx2.Client(timeout=PATIENCE) as client:
            for address in [task.callback for task in tasks for _ in range(2)]:
                statuses.append(client.get(address).status_code)
                posted = client.post(address, content=gzip.compress(body), headers=packed)
                statuses.append(posted.status_code)
        return statuses

    def open_task(self, key: str, question: str, repeatable: bool, callback: str = "") -> Task:
        with self.changed:
            self.submissions.append(key)
            known = next((task for task in self.tasks.values() if repeatable and task.key == key), None)
            number = len(self.submissions)
            task = known or Task(
                f"task-{number}", key, question, self.submissions.count(key), callback=callback
            )
            self.tasks[task.id] = task
            self.changed.notify_all()
        return task

    def look(self, task_id: str) -> tuple[Task, str]:
        with self.changed:
            self.looks += 1
            task = self.tasks[task_id]
            task.looks += 1
            self.changed.notify_all()
        if task.looks <= self.busy:
            return task, "busy"
        done = self.finishing.is_set() and task.looks > self.busy + self.pending
        return task, "done" if done else "working"

    def said(self, task: Task) -> str:
        said = self.answers.get(task.question, "Nimm Acme.")
        if said == PASSING_FAILURE:
            return LASTING_FAILURE if task.submission == 1 else "Nimm Acme."
        return said

    async def note(self, request: Request) -> Any:
        """Remember a request, and return its JSON body."""
        address = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        self.requests.append((address, request.headers.get("authorization", "")))
        sent = await request.json() if await request.body() else None
        if sent is not None:
            self.bodies.append(sent)
        return sent

    async def submit_cloro(self, request: Request) -> Response:
        sent = await self.note(request)
        payload = sent["payload"]
        question = payload.get("prompt") or payload["query"]
        callback = sent.get("webhook", {}).get("url", "")
        task = self.open_task(sent["idempotencyKey"], question, True, callback)
        await anyio.to_thread.run_sync(self.answering.wait, PATIENCE)
        if self.said(task) == NO_JSON:
            return HTMLResponse(PAGE)
        return JSONResponse({"success": True, "task": {"id": task.id, "status": "QUEUED"}})

    async def look_cloro(self, request: Request) -> Response:
        await self.note(request)
        task, state = self.look(request.path_params["id"])
        if state == "busy":
            return self.refused({"error": "slow down"})
        said = self.said(task)
        if said == GONE:
            return HTMLResponse(PAGE, 404)
        if state == "working":
            return JSONResponse({"task": {"id": task.id, "status": "A_STATE_NOBODY_DOCUMENTED"}})
        if said in (FAILED, LASTING_FAILURE, NO_RESULTS, REGION_REFUSED):
            error = {"name": "UnsupportedInputError"} if said == REGION_REFUSED else "blocked"
            return JSONResponse({"task": {"id": task.id, "status": "FAILED", "error": error}})
        shown = None if said == ABSENT else {"text": said}
        answered = {"task": {"id": task.id, "status": "COMPLETED"}, "response": {"aioverview": shown}}
        return JSONResponse({**answered, "credits": {"creditsCharged": 5}})

    async def submit_dataforseo(self, request: Request) -> Response:
        [sent] = await self.note(request)
        task = self.open_task(sent["tag"], sent["keyword"], False, sent.get("pingback_url", ""))
        path = request.url.path.removesuffix("/task_post")
        task.surface = next(surface for surface, its in TASK_PATHS.items() if its == path)
        await anyio.to_thread.run_sync(self.answering.wait, PATIENCE)
        if self.said(task) == NO_JSON:
            return HTMLResponse(PAGE)
        return JSONResponse(self.body_of(task, 20100))

    async def list_dataforseo(self, request: Request) -> Response:
        await self.note(request)
        ready = [{"id": task.id, "tag": task.key} for task in self.tasks.values()]
        return JSONResponse({"status_code": 20000, "tasks": [{"status_code": 20000, "result": ready}]})

    async def look_dataforseo(self, request: Request) -> Response:
        await self.note(request)
        task, state = self.look(request.path_params["id"])
        if state == "busy":
            return self.refused({"status_code": 40202})
        if self.said(task) == GONE:
            return HTMLResponse(PAGE, 404)
        done = DATAFORSEO_FAILURES.get(self.said(task), 20000)
        if self.said(task) == FAILED:
            done = 40000
        return JSONResponse(self.body_of(task, done if state == "done" else 40602))

    def refused(self, told: dict[str, Any]) -> Response:
        return JSONResponse(told, 429, {"Retry-After": self.retry_after} if self.retry_after else None)

    def body_of(self, task: Task, status: int) -> dict[str, Any]:
        said = self.said(task)
        results = [page() if said == ABSENT else page(overview(said))] if status == 20000 else []
        body = dataforseo(task.surface, *results, status=status, keyword=task.question, tag=task.key)
        words = "Invalid Field: 'location_name'." if status == 40501 else "said"
        body["tasks"][0] |= {"id": task.id, "cost": 0.002 if status == 20100 else 0, "status_message": words}
        return body

    async def trigger_brightdata(self, request: Request) -> Response:
        [sent] = await self.note(request)
        callback = request.query_params.get("notify", "")
        task = self.open_task(sent["prompt"], sent["prompt"], False, callback)
        await anyio.to_thread.run_sync(self.answering.wait, PATIENCE)
        if self.said(task) == NO_JSON:
            return HTMLResponse(PAGE)
        return JSONResponse({"snapshot_id": task.id})

    async def progress_brightdata(self, request: Request) -> Response:
        await self.note(request)
        task, state = self.look(request.path_params["id"])
        if state == "busy":
            return self.refused({"error": "Too many requests"})
        if self.said(task) == GONE:
            return HTMLResponse(PAGE, 404)
        said = {"working": "starting", "done": "failed" if self.said(task) == FAILED else "ready"}
        return JSONResponse({"snapshot_id": task.id, "status": said[state]})

    async def snapshot_brightdata(self, request: Request) -> Response:
        await self.note(request)
        task = self.tasks[request.path_params["id"]]
        record = {"url": "https://www.google.com/", "prompt": task.question, "country": "DE"}
        return JSONResponse([{**record, "answer_text_markdown": self.said(task)}])

    async def cancel_brightdata(self, request: Request) -> Response:
        await self.note(request)
        self.cancelled.append(request.path_params["id"])
        return JSONResponse({"status": "OK"})

    async def page_brightdata(self, request: Request) -> Response:
        sent = await self.note(request)
        [question] = parse_qs(urlsplit(str(sent["url"])).query)["q"]
        task = self.open_task(question, question, False)
        await anyio.to_thread.run_sync(self.answering.wait, PATIENCE)
        if self.said(task) == NO_JSON:
            return HTMLResponse(PAGE)
        shown: dict[str, Any] = {"general": {"query": question, "country_code": "DE"}}
        if self.said(task) != ABSENT:
            shown["ai_overview"] = {"texts": [{"type": "paragraph", "snippet": self.said(task)}]}
        return JSONResponse(shown)

    async def search_serpapi(self, request: Request) -> Response:
        await self.note(request)
        asked = request.query_params
        if token := asked.get("page_token"):
            return JSONResponse(self.overview_of_serpapi(f"Nimm Acme, {token}."))
        task = self.open_task(asked["q"], asked["q"], False)
        await anyio.to_thread.run_sync(self.answering.wait, PATIENCE)
        said = self.said(task)
        if said == NO_JSON:
            return HTMLResponse(PAGE)
        if said == ABSENT:
            return JSONResponse(serpapi())
        if said == NO_RESULTS:
            return JSONResponse(serpapi(error="Google hasn't returned any results for this query."))
        if said == FAILED:
            failed = {"search_metadata": {"id": "s-1", "status": "Error"}, "error": "blocked"}
            return JSONResponse(serpapi(**failed))
        if said == DEFERRED:
            return JSONResponse(serpapi(ai_overview={"page_token": "later"}))
        return JSONResponse(self.overview_of_serpapi(said))

    @staticmethod
    def overview_of_serpapi(text: str) -> dict[str, Any]:
        return serpapi(ai_overview={"text_blocks": [{"type": "paragraph", "snippet": text}]})

    @property
    def routes(self) -> list[Route]:
        return [
            Route("/v1/async/task", self.submit_cloro, methods=["POST"]),
            Route("/v1/async/task/{id}", self.look_cloro),
            Route(f"{DATASETS}/trigger", self.trigger_brightdata, methods=["POST"]),
            Route(f"{DATASETS}/progress/{{id}}", self.progress_brightdata),
            Route(f"{DATASETS}/snapshot/{{id}}", self.snapshot_brightdata),
            Route(f"{DATASETS}/snapshot/{{id}}/cancel", self.cancel_brightdata, methods=["POST"]),
            Route("/request", self.page_brightdata, methods=["POST"]),
            *(Route(path, self.search_serpapi) for path in ("/search.json", "/search")),
            *(
                route
                for path in TASK_PATHS.values()
                for route in (
                    Route(f"{path}/task_post", self.submit_dataforseo, methods=["POST"]),
                    Route(f"{path}/tasks_ready", self.list_dataforseo),
                    Route(f"{path}/task_get/advanced/{{id}}", self.look_dataforseo),
                )
            ),
        ]


@contextmanager
def running_supplier() -> Generator[Supplier]:
    """A supplier that answers until the block ends."""
    supplier = Supplier()
    supplier.answering.set()
    supplier.finishing.set()
    config = uvicorn.Config(
        Starlette(routes=supplier.routes),
        host="127.0.0.1",
        port=0,
        log_config=None,
        lifespan="off",
        access_log=False,
    )
    listener = config.bind_socket()
    listener.listen(128)
    supplier.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield supplier
    finally:
        supplier.answering.set()
        server.should_exit = server.force_exit = True
        thread.join()
        listener.close()
