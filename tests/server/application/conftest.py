"""The real application: `seenby serve` in a process of its own, over a data folder in which numbers exist."""

import asyncio
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol

import pytest
from filelock import FileLock

from oauth.api_keys import make_api_key
from server.service import open_service
from server.settings import Settings
from tests.held_ports import held_port
from tests.zygote import ForkedProcess, zygote

ROOT = Path(__file__).parents[3]
SEENBY = Path(sys.executable).with_name("seenby")
MARKET = ROOT / "server" / "demo" / "car_market.json"
COMPANY, BRAND = "Acme Cars", "Toyota"
KEYS = 120
PATIENCE_SECONDS = 180
# What a captured answer says, by repeat: the brand first in a list, later in prose, and not at all.
TEXTS = (
    "1. Toyota\n2. Honda\n3. Ford\n\nToyota is excellent and very reliable.",
    "Most families do well with Honda, which is good; Toyota is a solid choice too.",
    "It depends on your budget. Volkswagen and Hyundai are often named.",
)


@dataclass(frozen=True)
class Workspace:
    """A data folder with a company, a brand with numbers, and keys."""

    environ: Mapping[str, str]
    folder: Path
    keys: tuple[str, ...]

    @property
    def key(self) -> str:
        return self.keys[0]

    def seenby(self, *arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end, forked unless a variable tells Python how to start."""
        environ = {**self.environ, **variables}
        if any(name.startswith("PYTHON") for name in variables):
            return subprocess.run(
                [SEENBY, *arguments],
                cwd=self.folder,
                env=environ,
                capture_output=True,
                text=True,
                timeout=PATIENCE_SECONDS,
            )
        return zygote().run([str(word) for word in arguments], environ, self.folder, PATIENCE_SECONDS)


@dataclass
class Server:
    """A `seenby serve` that answers."""

    url: str
    port: int
    process: "Process"
    workspace: Workspace
    log: Path
    authorization: dict[str, str] = field(default_factory=dict[str, str])

    def stop(self) -> int:
        """Ask it to end, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_SECONDS)


def environment(data_dir: Path, **variables: str) -> dict[str, str]:
    """The process's environment without settings of whoever runs the tests."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SEENBY_")}
    return {**kept, "SEENBY_DATA_DIR": str(data_dir), "COLUMNS": "200", **variables}


def captured_answers() -> str:
    """Three answers to each of the sample market's prompts, as lines of JSON."""
    market = json.loads(MARKET.read_text(encoding="utf-8"))
    prompts = [
        prompt if isinstance(prompt, str) else prompt["text"]
        for prompt in market[0]["promptSets"][0]["prompts"]
    ]
    day = datetime(2026, 3, 31, 12, tzinfo=UTC)
    lines = [
        {
            "platform": "chatgpt",
            "prompt": prompt,
            "text": text,
            "captured_at": (day + timedelta(minutes=number)).isoformat(),
            "repeat": repeat,
            "citations": ["https://www.toyota.com/rav4"] if repeat == 0 else [],
        }
        for number, prompt in enumerate(prompts)
        for repeat, text in enumerate(TEXTS)
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


async def make_keys(environ: Mapping[str, str]) -> tuple[str, ...]:
    """Many keys at once; the command line makes one a call."""
    async with open_service(Settings.from_environ(environ)) as service:
        [company] = await service.database.operators.companies.all()
        now = datetime.now(UTC)
        made = [make_api_key(service.api_key_signing, company.id, now, rate_limit=600) for _ in range(KEYS)]
        async with service.database.operation() as operators:
            for key in made:
                await operators.api_keys.add(key.stored)
    return tuple(key.raw for key in made)


def built_once(factory: pytest.TempPathFactory, name: str, build: Callable[[Path], object]) -> Path:
    """Return a copy of a folder that the first process of this run builds; what a process writes is its own."""
    shared = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    built = shared / name
    with FileLock(shared / f"{name}.lock"):
        if not built.exists():
            unfinished = shared / f"{name}-unfinished"
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            build(unfinished)
            unfinished.rename(built)
    return shutil.copytree(built, factory.mktemp(name) / "own")


@pytest.fixture(scope="session")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Generator[Workspace]:
    """The workspace, made once by the commands that a person would use; who writes takes `workspace`, a copy of it."""

    def build(folder: Path) -> None:
        made = make_workspace(environment(folder / "data"), folder)
        (folder / "keys.json").write_text(json.dumps(made.keys), encoding="utf-8")

    folder = built_once(tmp_path_factory, "prepared", build)
    keys = tuple(json.loads((folder / "keys.json").read_text(encoding="utf-8")))
    yield Workspace(environment(folder / "data"), folder, keys)
    with closing(sqlite3.connect(folder / "data" / "seenby.db")) as connection:
        companies = connection.execute("SELECT name FROM companies").fetchall()
    assert companies == [(COMPANY,)], "a test of this process wrote to the workspace that all of them share"


def make_workspace(environ: Mapping[str, str], folder: Path) -> Workspace:
    """A company, a brand with numbers and keys, made by the commands that a person would use."""
    folder.mkdir(exist_ok=True)
    workspace = Workspace(environ, folder, ())
    answers = folder / "answers.jsonl"
    answers.write_text(captured_answers(), encoding="utf-8")
    for command in (
        ("company", "create", COMPANY, "--email", "owner@example.com", "--plan", "scale"),
        ("brand", "import", MARKET),
        ("answers", "import", answers, "--brand", BRAND),
    ):
        done = workspace.seenby(*command)
        assert done.returncode == 0, done.stderr
    return Workspace(workspace.environ, folder, asyncio.run(make_keys(workspace.environ)))


@pytest.fixture
def workspace(prepared: Workspace, tmp_path: Path) -> Workspace:
    """A copy of it for one test that writes or serves differently."""
    shutil.copytree(prepared.folder, tmp_path / "own")
    environ = {**prepared.environ, "SEENBY_DATA_DIR": str(tmp_path / "own" / "data")}
    return Workspace(environ, tmp_path / "own", prepared.keys)


def load_history(factory: pytest.TempPathFactory) -> Workspace:
    """Return a data folder into which the synthetic history was loaded once for all processes; this copy is the caller's.

    What the command told is in its `told.json`.
    """

    def build(folder: Path) -> None:
        loaded = Workspace(environment(folder / "data"), folder, ()).seenby(
            "demo", "--history", "--no-serve", "--json"
        )
        assert loaded.returncode == 0, loaded.stderr
        value = json.loads(loaded.stdout)
        assert value["synthetic"] is True
        assert value["notice"].startswith("Synthetic sample data")
        (folder / "told.json").write_text(loaded.stdout, encoding="utf-8")

    folder = built_once(factory, "synthetic_history", build)
    return Workspace(environment(folder / "data"), folder, ())


@pytest.fixture(scope="session")
def history(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A data folder into which the synthetic history was loaded."""
    return load_history(tmp_path_factory)


@pytest.fixture
def own_history(history: Workspace, tmp_path: Path) -> Workspace:
    """A copy of it for one test that writes."""
    shutil.copytree(history.folder, tmp_path / "own")
    return Workspace(environment(tmp_path / "own" / "data"), tmp_path / "own", ())


@pytest.fixture
def empty(tmp_path: Path) -> Workspace:
    """A data folder that nobody has used."""
    return Workspace(environment(tmp_path / "data"), tmp_path, ())


def wait_until_up(server: Server) -> None:
    """Ask until it answers."""
    for _ in range(PATIENCE_SECONDS * 20):
        if server.process.poll() is not None:
            break
        try:
            with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
                connection.sendall(b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                if connection.recv(64).startswith(b"HTTP/1.1 200"):
                    return
        except OSError:
            pass
        try:
            server.process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError(server.log.read_text(encoding="utf-8")[-3000:])


Process = subprocess.Popen[bytes] | ForkedProcess
Begin = Callable[[Sequence[str], Mapping[str, str], Path, Path], Process]
"""Begins a command, by its words, variables, folder, and the file that everything it says is written to."""


def fork_seenby(words: Sequence[str], environ: Mapping[str, str], folder: Path, log: Path) -> Process:
    """Begin a command in a process that is forked from one which has imported everything."""
    return zygote().fork(words, environ, log, log, folder=folder)


def start_seenby(words: Sequence[str], environ: Mapping[str, str], folder: Path, log: Path) -> Process:
    """Begin a command as a person does."""
    with log.open("wb") as written:
        return subprocess.Popen(
            [SEENBY, *words], cwd=folder, env=environ, stdout=written, stderr=subprocess.STDOUT
        )


@contextmanager
def serving(
    begin: Begin, workspace: Workspace, words: Sequence[str], variables: Mapping[str, str]
) -> Generator[Server]:
    """Serve a workspace by a command at a port of its own until the block ends."""
    with held_port() as port:
        log = workspace.folder / f"serve-{port}.log"
        words = [*words, "--port", str(port)]
        process = begin(words, {**workspace.environ, **variables}, workspace.folder, log)
        credential = {"Authorization": f"Bearer {workspace.key}"} if workspace.keys else {}
        server = Server(f"http://127.0.0.1:{port}", port, process, workspace, log, credential)
        try:
            wait_until_up(server)
            yield server
        finally:
            if process.poll() is None:
                server.stop()


def served(
    workspace: Workspace, *options: str, command: str = "serve", **variables: str
) -> AbstractContextManager[Server]:
    """Serve a workspace; another command may do its work before it serves."""
    return serving(fork_seenby, workspace, [command, *options], variables)


def started(
    workspace: Workspace, *options: str, command: str = "serve", **variables: str
) -> AbstractContextManager[Server]:
    """The same in a process that the operating system starts, for what a start does."""
    return serving(start_seenby, workspace, [command, *options], variables)


class ServeProcess(Protocol):
    """Serves a workspace in a process of its own for the length of a `with` block."""

    def __call__(
        self, workspace: Workspace, *options: str, command: str = ..., **variables: str
    ) -> AbstractContextManager[Server]: ...


@pytest.fixture(scope="session")
def application(prepared: Workspace) -> Generator[Server]:
    """The application as most tests of it use it: read, and left as it was."""
    with served(prepared, SEENBY_TRUSTED_PROXIES="127.0.0.1", SEENBY_METRICS="on") as server:
        yield server


@pytest.fixture
def serve() -> ServeProcess:
    """Serve another one: a context manager that takes the workspace, options and variables."""
    return served


@pytest.fixture
def start() -> ServeProcess:
    """The same, as a person starts it."""
    return started
