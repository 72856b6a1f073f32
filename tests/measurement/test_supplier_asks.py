"""Asks of surfaces through a supplier that keeps its tasks: each is submitted once, whatever happens in between."""

import asyncio
import gzip
import json
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import anyio.to_thread
import asyncpg  # pyright: ignore[reportMissingTypeStubs]
import httpx2
import psutil
import pytest
import uvicorn

from engines.suppliers.supplier_task import SupplierTask
from engines.transport.concurrency_limits import PER_CREDENTIAL
from measurement.asking.probe_progress import ProbeResult
from measurement.asking.supplier_looks import LOOKS_AT_ONCE
from measurement.asking.supplier_tasks import stored_task
from measurement.planning.ask_plan import ProbeRequest, make_plan, open_batch
from measurement.planning.clock import utc_now
from server.service import open_service
from server.serving import OPTIONS, Application
from server.settings import Settings
from storage.database import Database
from storage.repositories.batches import BatchRow
from tests.in_full import in_full
from tests.measurement.conftest import Acme, Peer, Reply
from tests.measurement.loopback_supplier import (
    ABSENT,
    GONE,
    LASTING_FAILURE,
    NO_JSON,
    PASSING_FAILURE,
    Supplier,
    Task,
    running_supplier,
)

A_MINUTE = 600
both = pytest.mark.parametrize("url", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
def supplier() -> Generator[Supplier]:
    with running_supplier() as supplier:
        yield supplier


QUESTIONS = [f"Which shoe number {number} is good?" for number in range(4)]
SHORT_SET: dict[str, Any] = {"name": "Buyers", "prompts": QUESTIONS, "repeats": 1}


@dataclass
class Surface:
    """Acme's questions to what people see at Google, through one supplier."""

    acme: Acme
    name: str

    @property
    def seen(self) -> str:
        """What is asked for: Bright Data answers an AI Overview at once, and has tasks for the AI Mode."""
        return "google_ai_mode" if self.name == "brightdata" else "google_ai_overview"

    @property
    def platform(self) -> str:
        return f"{self.seen}@{self.name}"

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


@pytest.fixture(params=["dataforseo", pytest.param("cloro", marks=in_full)])
def surface(request: pytest.FixtureRequest, acme: Acme, supplier: Supplier) -> Surface:
    name = str(request.param)
    surface = Surface(acme, name)
    acme.seenby.environment |= {
        "SEENBY_SURFACES": f"{surface.seen}={name}",
        f"SEENBY_SUPPLIER_{name.upper()}_BASE_URL": supplier.base_url,
        "SEENBY_SUPPLIER_BRIGHTDATA_API_KEY": "key-of-bright-data-0123456789",
        "SEENBY_SUPPLIER_CLORO_API_KEY": "key-of-cloro-0123456789",
        "SEENBY_SUPPLIER_SERPAPI_API_KEY": "key-of-serpapi-0123456789",
        "SEENBY_SUPPLIER_DATAFORSEO_LOGIN": "owner@shop.example",
        "SEENBY_SUPPLIER_DATAFORSEO_PASSWORD": "0123456789abcdef",
    }
    saved = acme.save(promptSets=[surface.prompt_set])
    assert saved.code == 0, saved
    return surface


@both
def test_shown_and_not_shown_are_stored_apart_with_their_cost(surface: Surface, supplier: Supplier) -> None:
    supplier.pending, supplier.busy = 1, 1
    supplier.answers = {QUESTIONS[0]: ABSENT, QUESTIONS[2]: "Nimm Acme. " * 200_000}
    report = surface.measure()
    assert (report["stored"], report["failed"]) == (4, 0)
    assert len(supplier.submissions) == 4
    answers = {answer["prompt"]: answer for answer in surface.export()}
    assert (answers[QUESTIONS[0]]["status"], answers[QUESTIONS[0]]["text"]) == ("not_shown", "")
    assert answers[QUESTIONS[1]]["text"] == "Nimm Acme."
    # Of two megabytes the beginning is read, and nothing else suffers.
    assert (answers[QUESTIONS[2]]["text"][:10], len(answers[QUESTIONS[2]]["text"])) == ("Nimm Acme.", 65536)
    cost = {"dataforseo": {"amount": "0.002", "unit": "usd"}, "cloro": {"amount": "5", "unit": "credits"}}
    assert {json.dumps(answer["seen"]["cost"]) for answer in answers.values()} == {
        json.dumps(cost[surface.name])
    }
    assert {answer["country"] for answer in answers.values()} == {"DE"}


@both
@pytest.mark.parametrize("surface", ["cloro"], indirect=True)
def test_region_and_device_of_a_set_arrive_and_what_has_no_field_is_said(
    surface: Surface, supplier: Supplier, acme: Acme
) -> None:
    place = {"city": "Munich", "region": "Bavaria", "timezone": "Europe/Berlin", "device": "mobile"}
    refused = acme.save(promptSets=[{**surface.prompt_set, "timezone": "Europe/Munich"}])
    assert (refused.code, "timezone" in refused.err) == (1, True), refused
    assert acme.save(promptSets=[{**surface.prompt_set, "city": "Munich", "region": "Bavaria"}]).code == 0
    placing = ("call", "update_prompt_set", "--promptSetId", "Buyers", "--device", "mobile", "--timezone")
    refused = acme.seenby(*placing, "Europe/Munich", "--company", "Shop")
    assert (refused.code, "timezone" in refused.err) == (1, True), refused
    placed = acme.seenby.json(*placing, "Europe/Berlin", "--company", "Shop")
    assert {name: placed[name] for name in place} == place
    file = acme.path.with_name("prompts.txt")
    file.write_text("Which shoe of Munich?", encoding="utf-8")
    added = acme.seenby("prompts", "import", "Buyers", str(file), "--company", "Shop", "--json")
    assert {name: added.json[name] for name in place} == place
    assert surface.measure()["stored"] == 5
    payloads = [body["payload"] for body in supplier.bodies]
    assert {(payload["location"], payload["device"]) for payload in payloads} == {
        ("Munich,Bavaria,Germany", "mobile")
    }
    answers = surface.export()
    assert {tuple(answer["not_supported"]) for answer in answers} == {("language", "timezone")}
    assert {
        (answer["seen"]["localeSent"]["city"], answer["seen"]["localeApplied"]) for answer in answers
    } == {("Munich", "city")}


@pytest.mark.parametrize("surface", ["cloro"], indirect=True)
def test_the_place_of_a_set_is_told_in_its_country_alone(
    surface: Surface, supplier: Supplier, acme: Acme
) -> None:
    own = {
        "in Germany": {"country": "DE"},
        "in Austria": {"country": "AT"},
        "in Augsburg": {"city": "Augsburg"},
    }
    prompts = [{"text": f"Which shoe {where}?", **place} for where, place in own.items()]
    placed = {
        **surface.prompt_set,
        "prompts": [*prompts, "Which shoe?"],
        "city": "Munich",
        "region": "Bavaria",
    }
    assert acme.save(promptSets=[placed]).code == 0

    def told() -> dict[str, tuple[str, str | None]]:
        payloads = [body["payload"] for body in supplier.bodies]
        return {sent["query"]: (sent["country"], sent.get("location")) for sent in payloads}

    munich, augsburg = "Munich,Bavaria,Germany", "Augsburg,Germany"
    assert surface.measure()["stored"] == 4
    assert told() == {
        "Which shoe in Germany?": ("DE", munich),
        "Which shoe in Austria?": ("AT", None),
        "Which shoe in Augsburg?": ("DE", augsburg),
        "Which shoe?": ("DE", munich),
    }
    assert {(answer["prompt"], answer.get("city")) for answer in surface.export()} == {
        ("Which shoe in Germany?", "Munich"), ("Which shoe in Austria?", None),
        ("Which shoe in Augsburg?", "Augsburg"), ("Which shoe?", "Munich"),
    }  # fmt: skip
    supplier.bodies.clear()
    assert acme.seenby("probe", *surface.arguments, "--country", "AT").code == 0
    assert told()["Which shoe?"] == ("AT", None), "there is no Munich in Austria"


@pytest.mark.parametrize("surface", ["dataforseo"], indirect=True)
def test_what_a_task_cost_that_brought_no_answer_is_counted(surface: Surface, supplier: Supplier) -> None:
    supplier.answers = {QUESTIONS[0]: LASTING_FAILURE, QUESTIONS[1]: PASSING_FAILURE}
    report = surface.measure()
    assert (report["stored"], report["failed"], len(supplier.submissions)) == (3, 1, 6)
    # Two dollars in a thousand for each of six tasks; three of the four questions were answered.
    assert report["cost"]["known"] == [{"currency": "USD", "amount": "0.012", "answers": 3}]
    assert report["cost"]["answersOfUnknownCost"] == 0


@pytest.mark.parametrize("surface", ["dataforseo", "cloro", "brightdata", "serpapi"], indirect=True)
def test_a_page_for_people_in_place_of_an_answer_fails_that_question_alone(
    surface: Surface, supplier: Supplier
) -> None:
    supplier.answers = {QUESTIONS[0]: NO_JSON, QUESTIONS[1]: GONE}
    report = surface.measure()
    failed = 1 if surface.name == "serpapi" else 2  # which has no tasks
    assert (report["stored"], report["failed"], len(supplier.submissions)) == (4 - failed, failed, 4)
    if surface.name == "dataforseo":
        # The charge of the task that is gone was told when it was opened.
        assert report["cost"]["known"] == [{"currency": "USD", "amount": "0.006", "answers": 2}]


@pytest.mark.parametrize("surface", ["cloro"], indirect=True)
def test_credits_of_a_supplier_are_in_the_preview_the_budget_and_the_costs(
    surface: Surface, supplier: Supplier, tmp_path: Path
) -> None:
    priced(surface, tmp_path, "per_credit = 0.01", "EUR")
    preview = surface.acme.seenby.json("probe", *surface.arguments[:-1], "--preview")
    assert [(row["costPerAsk"], row["cost"], row["currency"]) for row in preview["platforms"]] == [
        ("0.05", "0.2", "EUR")
    ]
    limit = ("budget", "set", "--company", "Shop", "--currency", "EUR", "--per-run")
    assert surface.acme.seenby(*limit, "0.19").code == 0
    assert surface.acme.seenby("probe", *surface.arguments).code == 1
    assert supplier.submissions == []
    assert surface.acme.seenby(*limit, "0.20").code == 0
    report = surface.measure()
    assert report["cost"]["known"] == [{"currency": "EUR", "amount": "0.2", "answers": 4}]


@pytest.mark.parametrize(
    ("surface", "spent", "freed"),
    # Four tasks were opened: at two dollars in a thousand as bodies say, or at their price where they say nothing.
    [("dataforseo", "0.008", 0), ("brightdata", "0.04", 4)],
    indirect=["surface"],
)
def test_tasks_of_a_cancelled_run_are_charged_and_released(
    surface: Surface, supplier: Supplier, tmp_path: Path, spent: str, freed: int
) -> None:
    seenby, shop = surface.acme.seenby, ("--company", "Shop")
    priced(surface, tmp_path, "per_ask = 0.01", "USD")
    assert seenby("budget", "set", *shop, "--currency", "USD", "--per-day", "1").code == 0
    supplier.finishing.clear()
    started = seenby.start("run", "start", "--prompt-set", "Buyers", "--yes", *shop)
    supplier.wait_until(submissions=4, looks=4)
    [run] = seenby.json("call", "list_workflow_runs", *shop)["runs"]
    seenby.json("call", "cancel_workflow_run", "--runId", run["runId"], *shop)
    assert started.end().code != 0
    assert seenby.json("budget", "show", *shop)["spentToday"] == spent
    # DataForSEO has no way to end a task early.
    assert sorted(supplier.cancelled) == sorted(supplier.tasks)[:freed]
    assert len(supplier.tasks) == 4


@pytest.mark.parametrize(
    ("surface", "price"),
    [("dataforseo", "per_ask = 0.05"), ("cloro", "per_credit = 0.01")],
    indirect=["surface"],
)
def test_a_task_that_is_given_up_counts_as_a_look(
    surface: Surface, supplier: Supplier, tmp_path: Path, price: str
) -> None:
    priced(surface, tmp_path, price, "EUR")

    async def measure() -> ProbeResult:
        async with open_service(Settings.from_environ(surface.acme.seenby.environment)) as service:
            (company,) = await service.database.operators.companies.all()
            request = ProbeRequest("Acme", mode="readiness")
            plan = await make_plan(
                service.database, company.id, request, service.engines, service.engine_keys, utc_now()
            )
            batch, _ = await open_batch(service.database, company.id, plan, utc_now())
            yesterday = utc_now() - timedelta(days=1)
            await submit_all(service.database, company.id, batch, supplier, yesterday)
            return await service.prober().probe(company.id, plan)

    supplier.finishing.clear()
    result = asyncio.run(measure())
    assert (result.stored, supplier.looks, supplier.submissions) == (0, 4, [])
    assert [(cost.currency, cost.amount, cost.answers) for cost in result.costs] == [
        ("EUR", Decimal("0.2"), 0)
    ]


def priced(surface: Surface, folder: Path, price: str, currency: str) -> None:
    """Give a look at the surface a price."""
    prices = folder / "prices.toml"
    written = f'{price}\ncurrency = "{currency}"\nas_of = 2026-11-01\n'
    prices.write_text(f'["{surface.platform}".{surface.seen}]\n{written}')
    surface.acme.seenby.environment["SEENBY_PRICES"] = str(prices)


@both
def test_a_kill_before_a_submission_returns_loses_no_task(surface: Surface, supplier: Supplier) -> None:
    supplier.answering.clear()
    command = surface.start()
    supplier.wait_until(submissions=4)
    assert command.kill().code == -signal.SIGKILL
    supplier.answering.set()
    report = surface.measure()
    assert (report["resumed"], report["stored"], len(supplier.tasks)) == (True, 4, 4)
    if surface.name == "dataforseo":
        assert set(Counter(supplier.submissions).values()) == {1}
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


@dataclass
class Callbacks:
    """The address that suppliers call, in a server beside the process that measures."""

    base_url: str
    settings: dict[str, str]


@pytest.fixture
def callbacks(surface: Surface) -> Generator[Callbacks]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        added = {"SEENBY_SUPPLIER_CALLBACKS": "on", "SEENBY_BASE_URL": base_url}
        surface.acme.seenby.environment |= added
        application = Application(Settings.from_environ(surface.acme.seenby.environment))
        server = uvicorn.Server(uvicorn.Config(application, **OPTIONS))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield Callbacks(base_url, added)
        server.should_exit = server.force_exit = True
        thread.join()


@pytest.mark.parametrize(
    ("surface", "url"), [("dataforseo", "sqlite"), ("cloro", "postgresql")], indirect=True
)
def test_a_provider_callback_only_triggers_an_earlier_fetch(
    surface: Surface, supplier: Supplier, callbacks: Callbacks
) -> None:
    supplier.answering.clear()
    command = surface.start()
    supplier.wait_until(submissions=4)
    early, later = list(supplier.tasks.values())[:2], list(supplier.tasks.values())[2:]
    forged = json.dumps(supplier.body_of(early[0], 20000)).replace("Nimm Acme.", "Nimm Globex.").encode()
    assert set(supplier.call_back(*early, body=forged)) == {200}
    supplier.answering.set()
    # A task whose supplier calls is looked at after half a minute without a call.
    supplier.wait_until(looks=2, seconds=20)
    strangers(callbacks, early[0].callback)
    assert set(supplier.call_back(*later, body=forged)) == {200}
    supplier.wait_until(looks=4, seconds=20)
    done = command.end()
    assert (done.code, done.json["stored"], supplier.looks, len(supplier.submissions)) == (0, 4, 4, 4)
    stored = surface.export()
    assert set(supplier.call_back(*early, *later, body=forged)) == {200}
    assert surface.export() == stored
    assert [answer["text"] for answer in stored] == ["Nimm Acme."] * 4
    cost = {"dataforseo": ("0.002", "usd"), "cloro": ("5", "credits")}[surface.name]
    assert {tuple(answer["seen"]["cost"].values()) for answer in stored} == {cost}


def strangers(callbacks: Callbacks, known: str) -> None:
    """Try what is no address of a task, and what does not fit through one."""
    company, _, rest = known.partition("task=")[2].partition(".")
    other_company = f"{company[:-1]}{'0' if company[-1] != '0' else '1'}.{rest}"
    with httpx2.Client(timeout=60) as stranger:
        nothing = stranger.get(f"{callbacks.base_url}/nothing-here")
        for token in ("", "x", "..", "ä.ö.ü", other_company, f"{company}.{rest[:-1]}"):
            address = f"{callbacks.base_url}/supplier-callbacks?{urlencode({'task': token})}"
            for refused in (stranger.get(address), stranger.post(address, content=b"{}")):
                assert (refused.status_code, refused.content) == (404, nothing.content), token
        assert stranger.post(known, content=(bytes(2**20) for _ in range(9))).status_code == 413
        bomb = gzip.compress(bytes(128 * 2**20), 1)
        before = psutil.Process().memory_info().rss
        assert stranger.post(known, content=bomb, headers={"content-encoding": "gzip"}).status_code == 200
        assert psutil.Process().memory_info().rss - before < 64 * 2**20


def test_without_the_setting_no_callback_address_is_sent(
    surface: Surface, supplier: Supplier, acme: Acme
) -> None:
    refused = acme.seenby("probe", *surface.arguments, SEENBY_SUPPLIER_CALLBACKS="on")
    assert (refused.code, "SEENBY_BASE_URL" in refused.err) == (1, True), refused
    assert surface.measure()["stored"] == 4
    assert {task.callback for task in supplier.tasks.values()} == {""}


def test_run_ends_when_the_settings_lose_the_supplier_of_its_tasks(
    surface: Surface, supplier: Supplier, acme: Acme, peer: Peer, saying: Callable[..., Reply]
) -> None:
    source = {"type": "url_citation", "url_citation": {"url": "https://acme.example/", "title": "Acme"}}
    peer.script = lambda asked: saying("Nimm Acme.", annotations=[source])
    saved = acme.save(promptSets=[{**surface.prompt_set, "platforms": [surface.platform, "one"]}])
    assert saved.code == 0, saved
    supplier.finishing.clear()
    started = acme.seenby.start("run", "start", "--prompt-set", "Buyers", "--yes", "--company", "Shop")
    supplier.wait_until(submissions=4, looks=4)
    assert started.kill().code == -signal.SIGKILL
    [run] = acme.seenby.json("call", "list_workflow_runs", "--company", "Shop")["runs"]
    # Who follows a run executes it; a second process that still knew the supplier might be the one that does.
    following = ("run", "follow", run["runId"], "--json", "--company", "Shop")
    followed = acme.seenby(*following, SEENBY_SURFACES="")
    assert followed.json["status"] == "partial_complete", followed
    [answer, *others] = surface.export()
    assert {one["platform"] for one in (answer, *others)} == {"one"}


def test_run_ends_when_the_settings_lose_an_engine_that_was_not_asked_yet(
    acme: Acme, peer: Peer, saying: Callable[..., Reply]
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
    [run] = acme.seenby.json("call", "list_workflow_runs", "--company", "Shop")["runs"]
    following = ("run", "follow", run["runId"], "--json", "--company", "Shop")
    followed = acme.seenby(*following, SEENBY_ENGINE_COMPATIBLE=json.dumps(engines[:1]))
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
    supplier: Supplier, acme: Acme, reads: list[str]
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


@pytest.mark.parametrize("surface", ["cloro"], indirect=True)
def test_a_thousand_tasks_that_wait_hold_no_connection_lane_or_thread(
    surface: Surface, supplier: Supplier, acme: Acme
) -> None:
    many = {
        **surface.prompt_set,
        "prompts": [f"Which shoe of {number}?" for number in range(50)],
        "repeats": 20,
    }
    assert acme.save(promptSets=[many]).code == 0
    environment = {**acme.seenby.environment, "SEENBY_ENGINE_RATE": f"{surface.platform}={A_MINUTE}"}

    async def measure() -> dict[str, float]:
        async with open_service(Settings.from_environ(environment)) as service:
            (company,) = await service.database.operators.companies.all()
            request = ProbeRequest("Acme", mode="readiness")
            engines, keys = service.engines, service.engine_keys
            plan = await make_plan(service.database, company.id, request, engines, keys, utc_now())
            batch, _ = await open_batch(service.database, company.id, plan, utc_now())
            await submit_all(service.database, company.id, batch, supplier)
            before = threading.active_count(), len(asyncio.all_tasks())
            probing = asyncio.create_task(service.prober().probe(company.id, plan))
            await anyio.to_thread.run_sync(supplier.wait_until, 0, 20)
            began, looks = time.monotonic(), supplier.looks
            await anyio.to_thread.run_sync(supplier.wait_until, 0, looks + 60)
            seconds = time.monotonic() - began
            held = {
                "threads": threading.active_count() - before[0],
                "tasks": len(asyncio.all_tasks()) - before[1],
                "connections": connections_to(supplier),
                "looks a minute": (supplier.looks - looks) / seconds * 60,
            }
            probing.cancel()
            await asyncio.gather(probing, return_exceptions=True)
            (progress,) = await service.database.workspace(company.id).asks.progress(batch.key)
            held["waiting"] = progress.submitted
            return held

    supplier.finishing.clear()
    held = asyncio.run(measure())
    assert (held["waiting"], supplier.submissions) == (1000, [])
    assert held["threads"] <= 3, held
    assert held["tasks"] <= LOOKS_AT_ONCE + 5, held
    assert held["connections"] <= PER_CREDENTIAL, held
    assert held["looks a minute"] <= A_MINUTE * 1.2, held


async def submit_all(
    database: Database,
    company_id: str,
    batch: BatchRow,
    supplier: Supplier,
    submitted_at: datetime | None = None,
) -> None:
    """Have every ask of a batch wait at the supplier."""
    asks = await database.workspace(company_id).asks.waiting(batch.key)
    now = utc_now()
    async with database.transaction(company_id) as writing:
        for number, ask in enumerate(asks):
            task = Task(f"task-{number}", ask.ask_key, ask.text, 1)
            supplier.tasks[task.id] = task
            await writing.asks.claim([ask], "one", now)
            stored = stored_task(SupplierTask(task.id, submitted_at or now), now.date())
            await writing.asks.submit(ask, "one", stored, now)


def connections_to(supplier: Supplier) -> int:
    """How many connections this process has open to the supplier."""
    port = int(supplier.base_url.rpartition(":")[2])
    connections = psutil.Process().net_connections("tcp")
    return sum(1 for connection in connections if connection.raddr and connection.raddr.port == port)


@pytest.mark.parametrize("url", ["postgresql"], indirect=True)
@pytest.mark.parametrize("surface", ["dataforseo"], indirect=True)
def test_two_processes_that_look_at_the_same_tasks_store_each_answer_once(
    surface: Surface, supplier: Supplier
) -> None:
    supplier.finishing.clear()
    first = surface.start()
    supplier.wait_until(submissions=4, looks=4)
    second = surface.start()
    supplier.wait_until(looks=8)
    supplier.finishing.set()
    ended = [first.end(), second.end()]
    assert len(supplier.submissions) == 4, ended
    assert len(surface.export()) == len(supplier.tasks) == len(supplier.submissions)
    cost = {answer["seen"]["cost"]["amount"] for answer in surface.export()}
    assert cost == {"0.002"}
