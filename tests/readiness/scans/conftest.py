"""A company that scans synthetic sites, and browsers of the pages that show what came of it."""

import json
import re
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any, Protocol, Self

import httpx2
import pytest
from starlette.types import ASGIApp

from engines.model_download import ModelDownload
from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.planning.clock import utc_now
from measurement.publication.receipt_seal import ReceiptSigner
from oauth.authenticate import ApiKeyAuthenticator, LastUses
from oauth.principal import Caller
from oauth.signing import SubKey
from readiness.report.document import Report
from readiness.scans.scan_service import ScanService
from readiness.scans.scanner import Scanner, ScanRequest
from readiness.scans.site_ownership import SiteOwnership
from server.app import Public, create_app
from server.demo.history import SampleMarket
from server.mcp.readiness_resources import ReadinessReports, readiness_method
from storage.database import Database
from storage.repositories.readiness import Scan
from tests.readiness.conftest import Handler, Pages, Sites, World
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from web.routes import page_routes
from web.services import build_page_services

BASE = "http://seenby.example.com"
DEALER = "www.dealer.example.com"
REPORT = "get_agentic_readiness_report"
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
PASSWORD = "four unrelated words"
NUMBERS = count(1)


class Console:
    """A company, the scanner that works for it and the tools that read what it stored."""

    def __init__(self, database: Database, world: World) -> None:
        self.database, self.world = database, world
        self.now: datetime = NOON
        self.company = ""
        self.scanner = Scanner(
            database, world.policy, "https://seenby.example.com", lambda: self.now, world.network
        )
        self.records: dict[str, list[str]] = {}
        """TXT records by DNS name."""
        self.ownership = SiteOwnership([b"k" * 32], world.policy, world.network, self.read_records)
        self.windows = MemoryWindows()
        self.dispatcher = Dispatcher(
            tool_table(),
            RateLimits(self.windows),
            WorkspaceOpener(database),
            public_reports=database.operators.readiness,
        )
        self.callers = 0

    async def read_records(self, name: str) -> list[str]:
        return self.records.get(name, [])

    async def serve(self, host: str, pages: Pages | Handler, sites: Sites) -> None:
        self.world.server.hosts[host] = pages if callable(pages) else sites.serving(pages, host)

    async def scan(self, url: str = f"https://{DEALER}/", **options: Any) -> Report:
        return await self.scanner.scan(self.company, ScanRequest(url, **options))

    async def ask(self, tool: str, address: str | None = None, **arguments: Any) -> Any:
        """Call a tool from an address of its own, so that no limit is met by chance."""
        self.callers += 1
        caller = Caller(None, address or f"198.51.100.{self.callers}")
        return await self.dispatcher.call(tool, arguments, caller)

    async def report(self, url: str = f"https://{DEALER}/") -> Any:
        """The stored report, all of it: a client of the tool gets at most 60 KB."""
        outcome = await self.dispatcher.call(REPORT, {"url": url}, Caller(None, "192.0.2.9"), whole=True)
        assert isinstance(outcome, Success), outcome
        return json.loads(outcome.body)

    async def scans(self) -> list[Scan]:
        return await self.database.workspace(self.company).readiness.scans(10)


@asynccontextmanager
async def console_opened(url: str, world: World, company: str = "Acme") -> AsyncGenerator[Console]:
    database = await Database.open(url)
    console = Console(database, world)
    try:
        async with database.operation() as operators:
            made = await operators.companies.create(company, f"{company.lower()}@example.com", "growth", NOON)
        console.company = made.id
        yield console
    finally:
        await database.close()


class Browser(httpx2.AsyncClient):
    """Somebody with a browser of their own and an address of their own."""

    def __init__(self, app: ASGIApp, address: str) -> None:
        transport = httpx2.ASGITransport(app, client=(address, 1))
        super().__init__(transport=transport, base_url=BASE, headers={"Origin": BASE})
        number = next(NUMBERS)
        self.company, self.email = f"Company {number}", f"person{number}@example.com"

    async def submit(
        self, page: str, fields: Mapping[str, str], action: str | None = None
    ) -> httpx2.Response:
        """Open a page, fill its form and send it."""
        form = re.search(
            rf'<form[^>]*action="{re.escape(action or page)}".*?</form>', (await self.get(page)).text, re.S
        )
        assert form is not None
        token = re.search(r'name="token" value="([^"]+)"', form[0])
        assert token is not None
        return await self.post(action or page, data={"token": token[1], **fields})

    async def sign_up(self) -> Self:
        """Make a company of one's own."""
        fields = {"company": self.company, "name": "Ada", "email": self.email, "password": PASSWORD}
        assert (await self.submit("/auth/signup", fields)).status_code == 303
        return self

    async def sign_in(self) -> None:
        """Come back after the session ended."""
        fields = {"email": self.email, "password": PASSWORD, "next": "/"}
        assert (await self.submit("/auth/login", fields)).status_code == 303


@asynccontextmanager
async def served(console: Console) -> AsyncGenerator[Callable[..., Browser]]:
    """The whole application over a console's database; yields what makes one more browser."""
    scans = ScanService(console.database, console.scanner, console.ownership)
    async with Registry(EngineSettings()) as engines, scans.open():
        site = build_page_services(
            database=console.database,
            dispatcher=console.dispatcher,
            engines=engines,
            windows=console.windows,
            secret=bytes(32),
            api_key_signing=SubKey(bytes(32)),
            base_url=BASE,
            signup="unverified",
            sample_data=SampleMarket(console.database, ReceiptSigner()),
            model=ModelDownload(Path("/nonexistent")),
            now=lambda: console.now,
            scans=scans,
        )
        app = create_app(
            Public(BASE),
            dispatcher=console.dispatcher,
            authenticator=ApiKeyAuthenticator(
                console.database, SubKey(bytes(32)), LastUses(console.database), utc_now
            ),
            resources=[readiness_method(), ReadinessReports(console.database)],
            pages=page_routes(site),
        )
        opened: list[Browser] = []

        def meet(address: str | None = None) -> Browser:
            opened.append(Browser(app, address or f"192.0.2.{len(opened) + 1}"))
            return opened[-1]

        yield meet
        for browser in opened:
            await browser.aclose()


@asynccontextmanager
async def browser_of(console: Console, address: str = "192.0.2.77") -> AsyncGenerator[Browser]:
    """A browser of the public pages."""
    async with served(console) as meet:
        yield meet(address)


class OpenBrowser(Protocol):
    """Opens a browser of a stranger over a console's database."""

    def __call__(self, console: Console, address: str = ...) -> AbstractAsyncContextManager[Browser]: ...


OpenConsole = Callable[..., AbstractAsyncContextManager[Console]]
ServeConsole = Callable[[Console], AbstractAsyncContextManager[Callable[..., Browser]]]


@pytest.fixture
def opened() -> OpenConsole:
    """Open a database with one company and the scanner that works for it."""
    return console_opened


@pytest.fixture
def browsing() -> OpenBrowser:
    """Open a browser of a stranger."""
    return browser_of


@pytest.fixture
def serving() -> ServeConsole:
    """Serve the application; what it yields makes browsers."""
    return served
