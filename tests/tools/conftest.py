"""Two companies on a database that the test chooses, and the real tool table in front of them."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, MutableMapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from engines.prices import Prices
from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.imports.captured_answers import Importer
from measurement.planning.costs import Costs
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from oauth.principal import Caller, Principal, Scope
from oauth.sealing import Seal
from storage.database import Database
from storage.ids import new_id
from storage.queries import Query
from storage.repositories.brands import BrandDraft
from storage.workspace import Workspace
from tests.sqlite_copies import copied, file_of
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.engine.run_engine import RunEngine
from workflows.pricing import Pricing
from workflows.runs import RunService

PROFILE: dict[str, Any] = {
    "industry": None,
    "website": None,
    "voice": None,
    "keywords": [],
    "target_audience": None,
}


HIDDEN_WORDS = "Zentrix\u202e is the best choice for the city."
SCOOTER_ANSWERS = (
    ("chatgpt", "Which scooter is best?", "1. Acme\n2. Zentrix", "https://acme.com/scooters"),
    ("chatgpt", "Which scooter is best?", "1. Zentrix\n2. Other", "https://zentrix.com/"),
    ("gemini", "Which scooter is best?", "There are many good scooters.", "https://reuters.com/a"),
    ("gemini", "Is Acme any good?", "Acme is good.", None),
    ("gemini", "Which scooter for the city?", HIDDEN_WORDS, None),
)


@dataclass
class Office:
    """The tools of two companies, at a time that the test moves."""

    database: Database
    engine: RunEngine
    dispatcher: Dispatcher
    desk: RunService
    clock: list[datetime]
    companies: MutableMapping[str, str] = field(default_factory=dict[str, str])
    """By name: ours and theirs."""

    def now(self) -> datetime:
        return self.clock[0]

    def later(self, **passed: float) -> datetime:
        """Let time pass."""
        self.clock[0] += timedelta(**passed)
        return self.clock[0]

    async def call(
        self, tool: str, company: str = "ours", key: str | None = None, /, **arguments: Any
    ) -> Any:
        """Call a tool; a success becomes its parsed body, a refusal stays what it is."""
        # Each call comes from an identity of its own: what is tested here is not the limit on writes.
        principal = Principal(self.companies[company], f"key:{new_id()}", frozenset({Scope.WRITE}))
        outcome = await self.dispatcher.call(
            tool, arguments, Caller(principal, "192.0.2.1"), idempotency_key=key
        )
        return json.loads(outcome.body) if isinstance(outcome, Success) else outcome

    def workspace(self, company: str = "ours") -> Workspace:
        return self.database.workspace(self.companies[company])


@dataclass(frozen=True)
class FirstStates:
    """Databases as fixtures leave them; on SQLite each state is made once in a process and copied from then on."""

    folder: Path

    async def reach(self, name: str, url: str, make: Callable[[], Awaitable[None]]) -> None:
        """Bring a database that no test has written to into a state."""
        file, kept = file_of(url), self.folder / f"{name}.db"
        if file is not None and kept.exists():
            copied(kept, file)
            return
        await make()
        if file is not None:
            copied(file, kept)


@pytest.fixture(scope="session")
def first_states(tmp_path_factory: pytest.TempPathFactory) -> FirstStates:
    return FirstStates(tmp_path_factory.mktemp("first-states"))


async def found_companies(office: Office) -> None:
    """Make ours with the brands Acme and Bolt, and theirs with Other."""
    for name, brands in (("ours", ("Acme", "Bolt")), ("theirs", ("Other",))):
        async with office.database.operation() as operators:
            made = await operators.companies.create(name, f"{name}@example.com", "growth", office.now())
        async with office.database.transaction(made.id) as workspace:
            for brand in brands:
                await workspace.brands.save(BrandDraft(brand), [], PROFILE, office.now())


@pytest.fixture
async def office(url: str, first_states: FirstStates) -> AsyncGenerator[Office]:
    """An office on the growth plan; ours has the brands Acme and Bolt, theirs has Other."""
    database = await Database.open(url)
    clock = [datetime(2026, 3, 31, 12, tzinfo=UTC)]
    engine, registry = RunEngine(database, lambda: clock[0]), Registry(EngineSettings.from_environ({}))

    keys = EngineKeys(database, registry, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
    desk = RunService(engine, Pricing(keys), Costs(database, registry, Prices(), lambda: clock[0]))
    limits = RateLimits(MemoryWindows())
    dispatcher = Dispatcher(
        tool_table(),
        limits,
        WorkspaceOpener(database),
        now=lambda: clock[0],
        run_desk=desk,
        engines=keys,
    )
    office = Office(database, engine, dispatcher, desk, clock)
    await first_states.reach("office", url, lambda: found_companies(office))
    for company in await database.operators.companies.all():
        office.companies[company.name] = company.id
    yield office
    await engine.close()
    await registry.aclose()
    await database.close()


@pytest.fixture
def statements() -> Generator[list[str]]:
    """Every statement that transactions send while the test runs; many rows in one statement are one."""
    sent: list[str] = []

    def noted(connection: object, cursor: object, statement: str, *_: object) -> None:
        sent.append(statement)

    event.listen(Engine, "before_cursor_execute", noted)
    yield sent
    event.remove(Engine, "before_cursor_execute", noted)


@pytest.fixture
def reads(office: Office, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every statement that the office's readers run."""
    readers = office.database._readers  # pyright: ignore[reportPrivateUsage] # what is counted passes here
    sent: list[str] = []
    fetch = type(readers).fetch

    async def noted(self: Any, query: Query[Any], values: Any) -> Sequence[Sequence[Any]]:
        sent.append(query.compiled(self.dialect).sql)
        return await fetch(self, query, values)

    monkeypatch.setattr(type(readers), "fetch", noted)
    return sent


@pytest.fixture
async def measured(office: Office, url: str, first_states: FirstStates, tmp_path: Path) -> Office:
    """Our company with five imported answers about Acme, whose rival is Zentrix."""
    await first_states.reach("measured", url, lambda: measure_scooters(office, tmp_path))
    return office


async def measure_scooters(office: Office, folder: Path) -> None:
    """Import five answers about Acme."""
    ours = office.companies["ours"]
    async with office.database.transaction(ours) as workspace:
        brand = await workspace.brands.save(
            BrandDraft("Acme", sites=("acme.com",)),
            [BrandDraft("Zentrix", sites=("zentrix.com",))],
            {**PROFILE, "website": "https://acme.com"},
            office.now(),
        )
    path = folder / "answers.jsonl"
    lines = (
        {
            "platform": platform,
            "prompt": prompt,
            "text": text,
            "captured_at": f"2026-03-{number + 1:02}T08:00:00Z",
            "citations": [{"url": url}] if url else [],
        }
        for number, (platform, prompt, text, url) in enumerate(SCOOTER_ANSWERS)
    )
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    publisher = Publisher(office.database, (), office.now)
    await Importer(office.database, publisher, office.now).import_file(ours, brand, path)


SCOOTER_PROMPTS = 12


def scooter_answer(month: int, prompt: int, platform: str, text: str, **more: Any) -> dict[str, Any]:
    """A captured answer to one of the scooter prompts."""
    return {
        "platform": platform,
        "prompt": f"Which scooter suits rider {prompt:02}?",
        "text": text,
        "captured_at": f"2026-{month:02}-{prompt + 1:02}T08:00:00Z",
        **more,
    }


async def import_answers(
    office: Office, path: Path, lines: list[dict[str, Any]], rivals: Sequence[str] = ("Zentrix",)
) -> None:
    """Put these answers into our company's brand Acme with these rivals."""
    ours = office.companies["ours"]
    async with office.database.transaction(ours) as workspace:
        brand = await workspace.brands.save(
            BrandDraft("Acme"), [BrandDraft(rival) for rival in rivals], PROFILE, office.now()
        )
    path.write_text("".join(json.dumps(each) + "\n" for each in lines), encoding="utf-8")
    publisher = Publisher(office.database, (), office.now)
    await Importer(office.database, publisher, office.now).import_file(ours, brand, path)


@pytest.fixture
async def fallen(office: Office, url: str, first_states: FirstStates, tmp_path: Path) -> Office:
    """In February both engines name Acme on every prompt, in March gemini on two of twelve."""
    lines = [
        scooter_answer(month, prompt, platform, "Zentrix is fine." if lost else "Acme is fine.")
        for month in (2, 3)
        for platform in ("chatgpt", "gemini")
        for prompt in range(SCOOTER_PROMPTS)
        for lost in [month == 3 and platform == "gemini" and prompt >= 2]
    ]
    path = tmp_path / "answers.jsonl"
    await first_states.reach("fallen", url, lambda: import_answers(office, path, lines))
    return office
