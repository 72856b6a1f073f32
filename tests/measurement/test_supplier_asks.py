"""Asks of surfaces through a supplier that keeps its tasks: each is submitted once, whatever happens in between."""

import asyncio
import json
import signal
import threading
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread
import asyncpg  # pyright: ignore[reportMissingTypeStubs]
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from measurement.asking.probe_progress import ProbeResult
from measurement.clock import utc_now
from measurement.planning.ask_plan import ProbeRequest, make_plan
from server.service import open_service
from server.settings import Settings
from tests.engines.supplier_bodies import dataforseo, overview, page
from tests.measurement.conftest import Peer, Reply

both = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)
PATIENCE = 60.0
ABSENT = "not shown"
FAILED = "failed"


@dataclass
class Task:
    """What waits at the supplier."""

    id: str
    key: str
    question: str
    looks: int = 0


@dataclass
class Supplier:
    """Cloro and DataForSEO on loopback: tasks that stay, whoever asks after them."""

    base_url: str = ""
    pending: int = 0
    """Looks that find a task at work before it is done."""
    busy: int = 0
    """Looks that are refused with 429 first."""
    answers: dict[str, str] = field(default_factory=dict[str, str])
    """What is seen for a question; it names Acme where nothing else is said."""
    tasks: dict[str, Task] = field(default_factory=dict[str, Task])
    submissions: list[str] = field(default_factory=list[str])
    looks: int = 0
    answering: threading.Event = field(default_factory=threading.Event)
    """Cleared, a submission is taken and its answer held back."""
    finishing: threading.Event = field(default_factory=threading.Event)
    """Cleared, no task is done."""
    changed: threading.Condition = field(default_factory=threading.Condition)

    def wait_until(self, submissions: int = 0, looks: int = 0) -> None:
        """Wait until so much has arrived."""
        with self.changed:
            arrived = self.changed.wait_for(
                lambda: len(self.submissions) >= submissions and self.looks >= looks, PATIENCE
            )
        assert arrived, (len(self.submissions), self.looks)

    def open_task(self, key: str, question: str, repeatable: bool) -> Task:
        with self.changed:
            self.submissions.append(key)
            known = self.tasks.get(key) if repeatable else None
            task = known or Task(f"task-{len(self.submissions)}", key, question)
            self.tasks[key] = task
            self.changed.notify_all()
        return task

    def look(self, task_id: str) -> tuple[Task, str]:
        with self.changed:
            self.looks += 1
            task = next(task for task in self.tasks.values() if task.id == task_id)
            task.looks += 1
            self.changed.notify_all()
        if task.looks <= self.busy:
            return task, "busy"
        done = self.finishing.is_set() and task.looks > self.busy + self.pending
        return task, "done" if done else "working"

    async def submit_cloro(self, request: Request) -> Response:
        sent = await request.json()
        payload = sent["payload"]
        task = self.open_task(sent["idempotencyKey"], payload.get("prompt") or payload["query"], True)
        await anyio.to_thread.run_sync(self.answering.wait, PATIENCE)
        return JSONResponse({"success": True, "task": {"id": task.id, "status": "QUEUED"}})

    async def look_cloro(self, request: Request) -> Response:
        task, state = self.look(request.path_params["id"])
        if state == "busy":
            return JSONResponse({"error": "slow down"}, 429)
        said = self.answers.get(task.question, "Nimm Acme.")
        if state == "working":
            return JSONResponse({"task": {"id": task.id, "status": "A_STATE_NOBODY_DOCUMENTED"}})
        if said == FAILED:
            return JSONResponse({"task": {"id": task.id, "status": "FAILED", "error": "blocked"}})
        shown = None if said == ABSENT else {"text": said}
        answered = {"task": {"id": task.id, "status": "COMPLETED"}, "response": {"aioverview": shown}}
        return JSONResponse({**answered, "credits": {"creditsCharged": 5}})

    async def submit_dataforseo(self, request: Request) -> Response:
        [sent] = await request.json()
        task = self.open_task(sent["tag"], sent["keyword"], False)
        await anyio.to_thread.run_sync(self.answering.wait, PATIENCE)
        return JSONResponse(self.body_of(task, 20100))

    async def list_dataforseo(self, _request: Request) -> Response:
        ready = [{"id": task.id, "tag": task.key} for task in self.tasks.values()]
        return JSONResponse({"status_code": 20000, "tasks": [{"status_code": 20000, "result": ready}]})

    async def look_dataforseo(self, request: Request) -> Response:
        task, state = self.look(request.path_params["id"])
        if state == "busy":
            return JSONResponse({"status_code": 40202}, 429)
        return JSONResponse(self.body_of(task, 20000 if state == "done" else 40602))

    def body_of(self, task: Task, status: int) -> dict[str, Any]:
        said = self.answers.get(task.question, "Nimm Acme.")
        results = [page() if said == ABSENT else page(overview(said))] if status == 20000 else []
        body = dataforseo("google_ai_overview", *results, status=status, keyword=task.question, tag=task.key)
        body["tasks"][0] |= {"id": task.id, "cost": 0.002 if status == 20100 else 0}
        return body


@pytest.fixture
def supplier() -> Generator[Supplier]:
    supplier = Supplier()
    supplier.answering.set()
    supplier.finishing.set()
    google = "/v3/serp/google/organic"
    routes = [
        Route("/v1/async/task", supplier.submit_cloro, methods=["POST"]),
        Route("/v1/async/task/{id}", supplier.look_cloro),
        Route(f"{google}/task_post", supplier.submit_dataforseo, methods=["POST"]),
        Route(f"{google}/tasks_ready", supplier.list_dataforseo),
        Route(f"{google}/task_get/advanced/{{id}}", supplier.look_dataforseo),
    ]
    config = uvicorn.Config(
        Starlette(routes=routes), host="127.0.0.1", port=0, log_config=None, lifespan="off"
    )
    listener = config.bind_socket()
    supplier.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield supplier
    supplier.answering.set()
    server.should_exit = server.force_exit = True
    thread.join()
    listener.close()


QUESTIONS = [f"Which shoe number {number} is good?" for number in range(4)]
SHORT_SET: dict[str, Any] = {"name": "Buyers", "prompts": QUESTIONS, "repeats": 1}


@dataclass
class Surface:
    """Acme's questions to Google's AI Overview through one supplier."""

    acme: Any
    name: str

    @property
    def platform(self) -> str:
        return f"google_ai_overview@{self.name}"

    @property
    def prompt_set(self) -> dict[str, Any]:
        return {
            **SHORT_SET,
            "mode": "readiness",
            "platforms": [self.platform],
            "countries": ["DE"],
            "language": "de",
        }

    @property
    def arguments(self) -> list[str]:
        return ["--brand", "Acme", "--company", "Shop", "--mode", "readiness", "--json"]

    def start(self) -> Any:
        return self.acme.seenby.start("probe", *self.arguments)

    def measure(self) -> Any:
        done = self.acme.seenby("probe", *self.arguments)
        assert done.code in (0, 3), done
        return done.json

    def export(self) -> list[dict[str, Any]]:
        done = self.acme.seenby("export", "answers", "--brand", "Acme", "--company", "Shop")
        return [json.loads(row) for row in done.out.splitlines()]


@pytest.fixture(params=["dataforseo", "cloro"])
def surface(request: pytest.FixtureRequest, acme: Any, supplier: Supplier) -> Surface:
    name = str(request.param)
    acme.seenby.environment |= {
        "SEENBY_SURFACES": f"google_ai_overview={name}",
        f"SEENBY_SUPPLIER_{name.upper()}_BASE_URL": supplier.base_url,
        "SEENBY_SUPPLIER_CLORO_API_KEY": "key-of-cloro-0123456789",
        "SEENBY_SUPPLIER_DATAFORSEO_LOGIN": "owner@shop.example",
        "SEENBY_SUPPLIER_DATAFORSEO_PASSWORD": "0123456789abcdef",
    }
    surface = Surface(acme, name)
    saved = acme.save(promptSets=[surface.prompt_set])
    assert saved.code == 0, saved
    return surface


@both
def test_what_is_shown_and_what_is_not_are_stored_apart_with_what_they_cost(
    surface: Surface, supplier: Supplier
) -> None:
    supplier.pending, supplier.busy = 1, 1
    supplier.answers = {QUESTIONS[0]: ABSENT}
    report = surface.measure()
    assert (report["stored"], report["failed"]) == (4, 0)
    assert len(supplier.submissions) == 4
    answers = {answer["prompt"]: answer for answer in surface.export()}
    assert (answers[QUESTIONS[0]]["status"], answers[QUESTIONS[0]]["text"]) == ("not_shown", "")
    assert answers[QUESTIONS[1]]["text"] == "Nimm Acme."
    cost = {"dataforseo": {"amount": "0.002", "unit": "usd"}, "cloro": {"amount": "5", "unit": "credits"}}
    assert {json.dumps(answer["seen"]["cost"]) for answer in answers.values()} == {
        json.dumps(cost[surface.name])
    }
    assert {answer["country"] for answer in answers.values()} == {"DE"}


@both
def test_a_kill_before_the_answer_to_a_submission_loses_no_task_and_opens_none_twice(
    surface: Surface, supplier: Supplier
) -> None:
    supplier.answering.clear()
    command = surface.start()
    supplier.wait_until(submissions=4)
    assert command.kill().code == -signal.SIGKILL
    supplier.answering.set()
    report = surface.measure()
    assert (report["resumed"], report["stored"], len(supplier.tasks)) == (True, 4, 4)
    if surface.name == "dataforseo":
        assert Counter(supplier.submissions) == dict.fromkeys(supplier.tasks, 1)
    assert [answer["text"] for answer in surface.export()] == ["Nimm Acme."] * 4


def test_a_kill_while_tasks_wait_loses_none_and_submits_none_again(
    surface: Surface, supplier: Supplier
) -> None:
    supplier.finishing.clear()
    command = surface.start()
    supplier.wait_until(submissions=4, looks=4)
    assert command.kill().code == -signal.SIGKILL
    supplier.finishing.set()
    report = surface.measure()
    assert (report["resumed"], report["stored"], len(supplier.submissions)) == (True, 4, 4)


def test_run_ends_when_the_settings_lose_the_supplier_of_its_tasks(
    surface: Surface, supplier: Supplier, acme: Any, peer: Peer, saying: Callable[..., Reply]
) -> None:
    source = {"type": "url_citation", "url_citation": {"url": "https://acme.example/", "title": "Acme"}}
    peer.script = lambda asked: saying("Nimm Acme.", annotations=[source])
    saved = acme.save(promptSets=[{**surface.prompt_set, "platforms": [surface.platform, "one"]}])
    assert saved.code == 0, saved
    supplier.finishing.clear()
    started = acme.seenby.start("run", "start", "--prompt-set", "Buyers", "--yes", "--company", "Shop")
    supplier.wait_until(submissions=4, looks=4)
    assert started.kill().code == -signal.SIGKILL
    worker = acme.seenby.start("worker", SEENBY_SURFACES="")
    [run] = acme.seenby.json("run", "status", "--company", "Shop")["runs"]
    followed = acme.seenby("run", "status", run["runId"], "--follow", "--json", "--company", "Shop")
    assert worker.kill(signal.SIGTERM).code == 0
    assert followed.json["status"] == "partial_complete", followed
    [answer, *others] = surface.export()
    assert {one["platform"] for one in (answer, *others)} == {"one"}


def test_run_ends_when_the_settings_lose_an_engine_that_was_not_asked_yet(
    acme: Any, peer: Peer, saying: Callable[..., Reply]
) -> None:
    peer.script = lambda asked: saying("Acme is good.")
    assert acme.save(promptSets=[{**SHORT_SET, "platforms": ["one", "two"]}]).code == 0
    peer.held = {"two"}
    peer.gate.clear()
    started = acme.seenby.start("run", "start", "--prompt-set", "Buyers", "--yes", "--company", "Shop")
    peer.wait_for(requests=5)
    assert started.kill().code == -signal.SIGKILL
    peer.gate.set()
    engines = json.loads(acme.seenby.environment["SEENBY_ENGINE_COMPATIBLE"])
    worker = acme.seenby.start("worker", SEENBY_ENGINE_COMPATIBLE=json.dumps(engines[:1]))
    [run] = acme.seenby.json("run", "status", "--company", "Shop")["runs"]
    followed = acme.seenby("run", "status", run["runId"], "--follow", "--json", "--company", "Shop")
    assert worker.kill(signal.SIGTERM).code == 0
    assert followed.json["status"] == "partial_complete", followed


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every read that this process sends to PostgreSQL."""
    sent: list[str] = []
    connection_class: Any = asyncpg.Connection
    fetch = connection_class.fetch

    async def noted(connection: Any, query: str, *arguments: Any, **options: Any) -> Any:
        sent.append(query)
        return await fetch(connection, query, *arguments, **options)

    monkeypatch.setattr(connection_class, "fetch", noted)
    return sent


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("surface", ["cloro"], indirect=True)
@pytest.mark.usefixtures("surface")
def test_waiting_for_suppliers_costs_the_database_little(
    supplier: Supplier, acme: Any, reads: list[str]
) -> None:
    async def measure() -> ProbeResult:
        async with open_service(Settings.from_environ(acme.seenby.environment)) as service:
            (company,) = await service.database.operators.companies.all()
            request = ProbeRequest("Acme", mode="readiness")
            engines, keys = service.engines, service.engine_keys
            plan = await make_plan(service.database, company.id, request, engines, keys, utc_now())
            probing = asyncio.create_task(service.prober().probe(company.id, plan))
            await anyio.to_thread.run_sync(supplier.wait_until, 4, 4)
            before = len(reads)
            await anyio.to_thread.run_sync(supplier.wait_until, 4, 8)
            waited.append(len(reads) - before)
            supplier.finishing.set()
            return await probing

    waited: list[int] = []
    supplier.finishing.clear()
    assert asyncio.run(measure()).stored == 4
    assert waited[0] <= 24, "two seconds lie between two looks at the same four tasks"
