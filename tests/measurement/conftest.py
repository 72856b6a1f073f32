"""A company that measures with a peer on loopback: `seenby` processes, an engine as told, a database of either kind."""

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeVar

import anyio.to_thread
import pytest
import uvicorn
from sqlalchemy import text
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from oauth.principal import Caller, Principal, Scope
from storage.database import Database
from tests.sqlite_copies import copied, file_of
from tests.zygote import ForkedProcess, zygote
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table

PATIENCE = 90.0
"""Seconds that a command or a request may take on a busy machine; ends a test that would hang."""


@dataclass(frozen=True)
class Asked:
    """One request: whom, what, and how often it was asked before."""

    platform: str
    prompt: str
    before: int


@dataclass(frozen=True)
class Reply:
    """What the peer sends; a `length` beyond the body makes the response break off."""

    body: bytes
    status: int = 200
    length: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


def saying(text: str, **message: Any) -> Reply:
    """A chat completion with this text."""
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": text, **message},
        "finish_reason": "stop",
    }
    return Reply(json.dumps({"model": "peer-1", "choices": [choice]}).encode())


@dataclass
class Peer:
    """An OpenAI-compatible server that answers as `script` says and remembers what it was asked."""

    script: Callable[[Asked], Reply] = lambda asked: saying(f"Nobody knows about {asked.prompt}")
    base_url: str = ""
    asked: list[Asked] = field(default_factory=list[Asked])
    gate: threading.Event = field(default_factory=threading.Event)
    """Cleared, it holds the answers of the `held` platforms back until it is set."""
    held: set[str] = field(default_factory=lambda: {"one", "two"})
    changed: threading.Condition = field(default_factory=threading.Condition)
    slowest: float = 0.0
    """Each answer takes up to so many seconds, as chance says."""
    chance: random.Random = field(default_factory=lambda: random.Random(5))

    @property
    def counts(self) -> Counter[str]:
        """How often each prompt was asked."""
        return Counter(ask.prompt for ask in self.asked)

    def counts_of(self, platform: str) -> int:
        """How many requests one platform has got."""
        return sum(ask.platform == platform for ask in self.asked)

    def wait_for(self, requests: int) -> None:
        """Wait until so many requests have arrived in all."""
        with self.changed:
            assert self.changed.wait_for(lambda: len(self.asked) >= requests, PATIENCE), len(self.asked)

    async def handle(self, request: Request) -> Response:
        sent = json.loads(await request.body())
        platform, prompt = request.path_params["platform"], sent["messages"][0]["content"]
        with self.changed:
            before = sum((ask.platform, ask.prompt) == (platform, prompt) for ask in self.asked)
            asked = Asked(platform, prompt, before)
            self.asked.append(asked)
            self.changed.notify_all()
        if platform in self.held and not self.gate.is_set():
            await anyio.to_thread.run_sync(self.gate.wait, PATIENCE)
        await anyio.sleep(self.chance.uniform(0, self.slowest))
        reply = self.script(asked)

        # What the engine may not ask again keeps the tests from waiting for its backoff.
        headers = {"content-type": "application/json", "x-should-retry": "false", **reply.headers}
        if reply.length is None:
            return Response(reply.body, reply.status, headers)
        return StreamingResponse(
            pieces(reply.body), reply.status, headers | {"content-length": str(reply.length)}
        )


async def pieces(body: bytes) -> AsyncIterator[bytes]:
    yield body


@pytest.fixture
def peer() -> Generator[Peer]:
    peer = Peer()
    peer.gate.set()
    app = Starlette(routes=[Route("/{platform}/chat/completions", peer.handle, methods=["POST"])])
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off")
    listener = config.bind_socket()
    peer.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield peer
    peer.gate.set()
    server.should_exit = server.force_exit = True
    thread.join()
    listener.close()


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Command:
    """A `seenby` process that was started."""

    process: ForkedProcess
    folder: Path

    def end(self) -> Done:
        """Wait for its end; what does not come to it in time is killed."""
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            code = self.process.wait()
        texts = [(self.folder / name).read_text() for name in ("stdout", "stderr")]
        return Done(code, *texts)

    def kill(self, number: signal.Signals = signal.SIGKILL) -> Done:
        os.kill(self.process.pid, number)
        return self.end()


@dataclass
class Seenby:
    """Runs `seenby` on one database, with the peer as its engines."""

    folder: Path
    environment: dict[str, str]
    started: int = 0

    def start(self, *arguments: str, largest_file: int = 0, **environment: str) -> Command:
        self.started += 1
        folder = self.folder / f"command-{self.started}"
        folder.mkdir()
        files = folder / "stdout", folder / "stderr"
        process = zygote().fork(
            arguments, {**self.environment, **environment}, *files, largest_file=largest_file
        )
        return Command(process, folder)

    def __call__(self, *arguments: str, largest_file: int = 0, **environment: str) -> Done:
        return self.start(*arguments, largest_file=largest_file, **environment).end()

    def json(self, *arguments: str) -> Any:
        """The data of a command that must succeed."""
        done = self(*arguments, "--json")
        assert done.code == 0, done
        return done.json


RIVALS = [
    {"name": "Globex", "domains": ["globex.example"]},
    {"name": "Initech"},
]
QUESTIONS = [f"Which product number {number} is worth its price?" for number in range(1, 7)]


def brand_file(**changes: Any) -> dict[str, Any]:
    """A brand of the tests: Acme with two rivals and six questions, each asked twice."""
    prompt_set = {"name": "Buyers", "prompts": QUESTIONS, "platforms": ["one"], "repeats": 2}
    return {
        "name": "Acme",
        "domains": ["acme.example"],
        "keywords": ["shoes"],
        "competitors": RIVALS,
        "promptSets": [prompt_set],
        **changes,
    }


def seenby_at(url: str, folder: Path, base_url: str = "http://127.0.0.1:9") -> Seenby:
    """Commands on a database, with the engines `one` and `two` at the peer of this address."""
    engines = [
        {"platform": name, "baseUrl": f"{base_url}/{name}", "model": "peer", "searchTool": "search"}
        for name in ("one", "two")
    ]
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "COLUMNS": "200",
        "SEENBY_DATA_DIR": str(folder / "data"),
        "SEENBY_DATABASE_URL": url,
        "SEENBY_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
        "SEENBY_ENGINE_COMPATIBLE": json.dumps(engines),
    }
    return Seenby(folder, environment)


def make_shop(seenby: Seenby) -> None:
    """Make the company Shop."""
    seenby.json("company", "create", "Shop", "--email", "owner@shop.example")


@dataclass(frozen=True)
class Made:
    """SQLite files that commands made once, which tests begin with a copy of: with the company, and with its brand."""

    shop: Path
    acme: Path


@pytest.fixture(scope="session")
def made(migrated: Path, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """The company Shop, and the same with its brand Acme, as their commands leave them."""
    folder = tmp_path_factory.mktemp("made")
    database = folder / "seenby.db"
    shutil.copy(migrated, database)
    seenby = seenby_at(f"sqlite+aiosqlite:///{database}", folder)
    make_shop(seenby)
    shop = copied(database, folder / "shop.db")
    assert Acme(seenby, folder / "acme.json").save().code == 0
    return Made(shop, copied(database, folder / "acme.db"))


@pytest.fixture
def seenby(url: str, peer: Peer, tmp_path: Path, made: Made) -> Seenby:
    """A fresh database with the company Shop, whose engines `one` and `two` are the peer."""
    seenby, file = seenby_at(url, tmp_path, peer.base_url), file_of(url)
    if file is None:
        make_shop(seenby)
    else:
        shutil.copy(made.shop, file)
    return seenby


@dataclass
class Acme:
    """The brand Acme in the company Shop, to be changed and measured."""

    seenby: Seenby
    path: Path

    def write(self, **changes: Any) -> None:
        """Write the brand's file."""
        self.path.write_text(json.dumps(brand_file(**changes), ensure_ascii=False))

    def save(self, **changes: Any) -> Done:
        self.write(**changes)
        return self.seenby("brand", "import", str(self.path), "--company", "Shop")

    def probe(self, *arguments: str) -> Done:
        return self.seenby("probe", "--brand", "Acme", "--company", "Shop", "--json", *arguments)

    def measured(self, *arguments: str) -> Any:
        """A probe that measured something; one that lost many asks on the way is partial."""
        done = self.probe(*arguments)
        assert done.code == (3 if done.json.get("status") == "partial" else 0), done
        return done.json


@pytest.fixture
def acme(seenby: Seenby, tmp_path: Path, url: str, made: Made) -> Acme:
    acme, file = Acme(seenby, tmp_path / "acme.json"), file_of(url)
    if file is None:
        assert acme.save().code == 0
    else:
        acme.write()
        shutil.copy(made.acme, file)
    return acme


@pytest.fixture
def broken() -> Callable[..., Reply]:
    """Makes a reply that is no answer."""
    return Reply


@pytest.fixture
def rows(url: str) -> Callable[[str], int]:
    """Counts the rows of a table."""

    async def count(table: str) -> int:
        database = await Database.open(url)
        async with database.writing() as connection:
            row_count = await connection.scalar(text(f"SELECT count(*) FROM {table}"))
        await database.close()
        return int(row_count or 0)

    return lambda table: asyncio.run(count(table))


Result = TypeVar("Result")


class CallTool(Protocol):
    """Calls a tool of the real table; its body when it succeeds, else the refusal."""

    def __call__(self, name: str, /, company: str = "Shop", **arguments: Any) -> Any: ...


class CallToolAt(Protocol):
    """The same on the database of a URL."""

    def __call__(self, url: str, name: str, /, company: str = "Shop", **arguments: Any) -> Any: ...


class RunToEnd(Protocol):
    """Runs a coroutine to its end in a loop of its own."""

    def __call__(self, work: Coroutine[Any, Any, Result], /) -> Result: ...


class ImportAnswers(Protocol):
    """Imports answers for Acme in one file; what the command said of it."""

    def __call__(self, answers: Sequence[Mapping[str, Any]], /) -> Any: ...


@pytest.fixture
def call_at() -> CallToolAt:
    """Calls a tool on the database of a URL, in the name of a company's key."""

    async def run(url: str, name: str, company: str, arguments: dict[str, Any]) -> Any:
        database = await Database.open(url)
        found = await database.operators.companies.find(company)
        assert found is not None
        principal = Principal(found.id, f"key:{company}", frozenset({Scope.READ, Scope.WRITE}), 600)
        dispatcher = Dispatcher(tool_table(), RateLimits(MemoryWindows()), WorkspaceOpener(database))
        result = await dispatcher.call(name, arguments, Caller(principal, "127.0.0.1"))
        await database.close()
        return json.loads(result.body) if isinstance(result, Success) else result

    def call(url: str, name: str, /, company: str = "Shop", **arguments: Any) -> Any:
        return asyncio.run(run(url, name, company, arguments))

    return call


@pytest.fixture
def call(url: str, call_at: CallToolAt) -> CallTool:
    """Calls a tool of the real table in the name of a company's key, Shop's unless said otherwise."""
    return partial(call_at, url)


@pytest.fixture(name="saying")
def saying_fixture() -> Callable[..., Reply]:
    return saying


@pytest.fixture
def run() -> RunToEnd:
    return asyncio.run


@pytest.fixture
def imports(acme: Acme, tmp_path: Path) -> ImportAnswers:
    def run(answers: Sequence[Mapping[str, Any]]) -> Any:
        path = tmp_path / "answers.jsonl"
        path.write_text("".join(f"{json.dumps(answer)}\n" for answer in answers))
        return acme.seenby.json("answers", "import", str(path), "--brand", "Acme")

    return run
