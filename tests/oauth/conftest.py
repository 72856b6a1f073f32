"""What tests of the authorization server share: both databases, a person in a company, a clock, a client."""

import asyncio
import re
import secrets
import socket
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
import uvicorn
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import Response

from engines.model_download import ModelDownload
from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.publication.receipt_seal import ReceiptSigner
from oauth.authenticate import AccessTokenAuthenticator, ApiKeyAuthenticator, EitherCredential, LastUses
from oauth.client_documents import Fetched
from oauth.errors import CredentialRefused, DocumentUnreachable
from oauth.grants import Approval, Grants
from oauth.pkce import challenge_of
from oauth.principal import Principal, Scope
from oauth.redirects import OAuthPolicy, RedirectRules
from oauth.scopes import Audiences
from oauth.signing import API_KEYS, OAUTH_TOKENS, Digests, sub_key
from readiness.fetching.policy import scan_policy
from readiness.scans.scan_service import ScanService
from readiness.scans.scanner import Scanner
from server.app import Public, create_app
from server.authorization import CompanyApps, authorization_routes
from server.demo.history import SampleMarket
from server.serving import OPTIONS
from storage.database import Database
from storage.repositories.accounts import User
from storage.repositories.oauth_clients import StoredClient
from tools.calls.call import ThisCall, WorkspaceOpener
from tools.calls.dispatch import Dispatcher
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.calls.table import ToolFamily, ToolTable
from web.routes import page_routes
from web.services import PageServices, build_page_services

BASE = "https://seenby.example"
REDIRECT = "https://app.example/cb"


@dataclass
class Moment:
    """A clock that the test moves."""

    time: datetime = datetime(2026, 5, 1, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **by: float) -> None:
        self.time += timedelta(**by)


@pytest.fixture
def moment() -> Moment:
    return Moment()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test of this folder that needs a store on both kinds of database."""
    if "store" in metafunc.fixturenames:
        metafunc.parametrize("url", ["sqlite", "postgresql"], indirect=True)


@pytest.fixture
async def store(url: str) -> AsyncGenerator[Database]:
    """An empty database of this test alone, on each of the two."""
    opened = await Database.open(url)
    yield opened
    await opened.close()


@dataclass
class Issuer:
    """The token server over a database, with a company, its owner and one client in it."""

    database: Database
    grants: Grants
    tokens: AccessTokenAuthenticator
    last_uses: LastUses
    moment: Moment
    company_id: str
    user_id: str
    client_id: str = "client-1"
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    def approval(
        self, *scopes: Scope, resource: str = f"{BASE}/mcp", client_id: str | None = None
    ) -> Approval:
        return Approval(
            client_id=client_id or self.client_id,
            user_id=self.user_id,
            company_id=self.company_id,
            redirect_uri=REDIRECT,
            redirect_named=True,
            scopes=frozenset(scopes or {Scope.READ, Scope.WRITE}),
            resource=resource,
            code_challenge=challenge_of(self.verifier),
        )

    async def redeem(self, code: str, *, client_id: str | None = None, verifier: str | None = None) -> "Pair":
        made = await self.grants.redeem(
            client_id or self.client_id, code, REDIRECT, verifier or self.verifier, None
        )
        return Pair(made.access, made.refresh)

    async def pair(self, *scopes: Scope) -> "Pair":
        return await self.redeem(await self.grants.approve(self.approval(*scopes)))

    async def refresh(self, token: str) -> "Pair":
        made = await self.grants.refresh(self.client_id, token, None, None)
        return Pair(made.access, made.refresh)

    async def principal(self, access: str) -> Principal:
        principal = await self.tokens.authenticate(f"Bearer {access}")
        assert principal is not None
        return principal

    async def opens(self, access: str) -> bool:
        try:
            return bool(await self.principal(access))
        except CredentialRefused:
            return False


@dataclass(frozen=True)
class Pair:
    access: str
    refresh: str


async def issuer_over(database: Database, moment: Moment, base_url: str = BASE) -> Issuer:
    digests = Digests.of(b"a secret of the tests, of more than 32 bytes", OAUTH_TOKENS)
    audiences, last_uses = Audiences(base_url), LastUses(database)
    async with database.operation() as operators:
        company = await operators.companies.create("Ours", "owner@ours.example", "growth", moment())
        for client in ("client-1", "client-2"):
            document = {"client_name": client, "redirect_uris": [REDIRECT]}
            stored = StoredClient(client, "registration", document, None, moment(), None)
            await operators.oauth_clients.add(stored)
    owner = await database.operators.users.by_email("owner@ours.example")
    assert owner is not None
    return Issuer(
        database,
        Grants(database, digests, audiences, moment),
        AccessTokenAuthenticator(database, digests, audiences, last_uses, moment),
        last_uses,
        moment,
        company.id,
        owner.id,
    )


@pytest.fixture
async def issuer(store: Database, moment: Moment) -> Issuer:
    return await issuer_over(store, moment)


family = ToolFamily()


class Done(BaseModel):
    """What the tools of these tests answer."""

    done: str


@family.read("Look around")
async def look_around(call: ThisCall) -> Done:
    """Look around."""
    return Done(done="looked")


@family.write("Change something", destructive=False, idempotent=True)
async def change_something(call: ThisCall) -> Done:
    """Change something."""
    return Done(done="changed")


@dataclass
class Running:
    """The whole service on a socket of loopback, with one person in it and the browser that person uses."""

    url: str
    database: Database
    site: PageServices
    policy: OAuthPolicy
    moment: Moment
    user: User
    documents: "Documents"
    http: httpx2.AsyncClient
    browser: httpx2.AsyncClient
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(48))

    async def sign_in(self, browser: httpx2.AsyncClient | None = None) -> None:
        """Start a session as the sign-in page does."""
        response = Response()
        await self.site.sessions.start(Request({"type": "http", "headers": []}), response, self.user)
        name, _, value = response.headers["set-cookie"].partition(";")[0].partition("=")
        (browser or self.browser).cookies.set(name, value, domain="127.0.0.1")

    async def register(self, *redirects: str, **more: Any) -> dict[str, Any]:
        body = {"redirect_uris": list(redirects or ["http://127.0.0.1:4000/cb"]), "client_name": "Tester"}
        answer = await self.http.post(
            "/api/oauth/register", json={**body, "token_endpoint_auth_method": "none", **more}
        )
        assert answer.status_code == 201, answer.text
        return answer.json()

    def asking(self, client_id: str, /, **changed: str | None) -> dict[str, str]:
        parameters = {
            "response_type": "code",
            "client_id": client_id,
            "redirect_uri": "http://127.0.0.1:4000/cb",
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
            "state": "a state & more",
            "scope": "service.read service.write",
            "resource": f"{self.url}/mcp",
            **changed,
        }
        return {name: value for name, value in parameters.items() if value is not None}

    async def authorize(self, client_id: str, /, **changed: str | None) -> httpx2.Response:
        return await self.browser.get("/api/oauth/authorize", params=self.asking(client_id, **changed))

    async def consent_page(
        self, client_id: str, **changed: str | None
    ) -> tuple[httpx2.Response, dict[str, str]]:
        """Follow a request to its page; return the page and the hidden fields of its form."""
        answer = await self.authorize(client_id, **changed)
        assert answer.status_code == 302, answer.text
        page = await self.browser.get(answer.headers["location"])
        assert page.status_code == 200, page.text
        hidden = dict(re.findall(r'<input type="hidden" name="(rid|token)" value="([^"]+)">\n', page.text))
        form = page.text[page.text.index('action="/oauth/consent"') :]
        hidden |= dict(re.findall(r'<input type="hidden" name="(rid|token)" value="([^"]+)">', form))
        return page, hidden

    async def decide(self, fields: dict[str, str], **headers: str) -> httpx2.Response:
        return await self.browser.post("/oauth/consent", data=fields, headers={"Origin": self.url, **headers})

    async def code(self, client_id: str, *, write: bool = True, **changed: str | None) -> str:
        _, hidden = await self.consent_page(client_id, **changed)
        allowed = {"decision": "allow", **({"write": "yes"} if write else {})}
        answer = await self.decide({**hidden, **allowed})
        assert answer.status_code == 303, answer.text
        return parse_qs(urlsplit(answer.headers["location"]).query)["code"][0]

    async def token(self, **fields: str | None) -> httpx2.Response:
        sent = {name: value for name, value in fields.items() if value is not None}
        return await self.http.post("/api/oauth/token", data=sent)

    async def redeem(self, client_id: str, code: str, **changed: str | None) -> httpx2.Response:
        fields: dict[str, str | None] = {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "code": code,
            "redirect_uri": "http://127.0.0.1:4000/cb",
            "code_verifier": self.verifier,
            **changed,
        }
        return await self.token(**fields)

    async def tokens(self, client_id: str) -> dict[str, Any]:
        answer = await self.redeem(client_id, await self.code(client_id))
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def call(self, token: str, tool: str = "look_around") -> httpx2.Response:
        return await self.http.post(
            f"/api/mcp-app/rest/{tool}", json={}, headers={"Authorization": f"Bearer {token}"}
        )


class Documents:
    """Stands for the network: answers by URL, and how often each was asked for."""

    def __init__(self) -> None:
        self.answers: dict[str, Fetched | None] = {}
        self.asked: list[str] = []

    async def fetch(self, url: str) -> Fetched:
        self.asked.append(url)
        found = self.answers.get(url)
        if found is None:
            raise DocumentUnreachable
        return found


@asynccontextmanager
async def running(
    database: Database, moment: Moment, *, rules: RedirectRules | None = None
) -> AsyncGenerator[Running]:
    listener = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    policy = OAuthPolicy(
        url, b"the secret of a running service, 0123456789", redirects=rules or RedirectRules()
    )
    windows, documents, last_uses = MemoryWindows(), Documents(), LastUses(database)
    dispatcher = Dispatcher(ToolTable([family]), RateLimits(windows), WorkspaceOpener(database))
    async with AsyncExitStack() as stack:
        engines = await stack.enter_async_context(Registry(EngineSettings()))
        site = build_page_services(
            database=database,
            dispatcher=dispatcher,
            engines=engines,
            windows=windows,
            secret=b"another secret of a running service",
            api_key_signing=sub_key(b"x", API_KEYS),
            base_url=url,
            signup="unverified",
            sample_data=SampleMarket(database, ReceiptSigner()),
            model=ModelDownload(Path("/nonexistent")),
            now=moment,
            scans=ScanService(database, Scanner(database, scan_policy(url), url, moment)),
            connected_apps=CompanyApps(database, moment),
        )
        async with database.operation() as operators:
            await operators.companies.create("Ours <b>", "owner@ours.example", "growth", moment())
        user = await database.operators.users.by_email("owner@ours.example")
        assert user is not None
        keys = ApiKeyAuthenticator(database, site.api_key_signing, last_uses, moment)
        tokens = AccessTokenAuthenticator(
            database, policy.digests(OAUTH_TOKENS), Audiences(url), last_uses, moment
        )
        app = create_app(
            Public(url, oauth=True),
            dispatcher=dispatcher,
            authenticator=EitherCredential(keys, tokens),
            pages=[*authorization_routes(policy, site, database, documents), *page_routes(site)],
        )
        server = uvicorn.Server(uvicorn.Config(app, **OPTIONS))
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        while not server.started:
            await asyncio.sleep(0)
        # Neither checks certificates over plain HTTP: it would load the machine's authorities, for 20 ms each.
        http, browser = [
            await stack.enter_async_context(httpx2.AsyncClient(base_url=url, timeout=20, verify=False))
            for _ in range(2)
        ]
        yield Running(url, database, site, policy, moment, user, documents, http, browser)
        server.should_exit = True
        await http.aclose()
        await browser.aclose()
        await serving


@pytest.fixture
async def service(database: Database, moment: Moment) -> AsyncGenerator[Running]:
    """A running service whose person is signed in."""
    async with running(database, moment) as started:
        await started.sign_in()
        yield started


@pytest.fixture
def start() -> Callable[..., AbstractAsyncContextManager[Running]]:
    """Start a service of other rules."""
    return running


@pytest.fixture
async def visited(database: Database, moment: Moment) -> AsyncGenerator[tuple[Running, str]]:
    """A running service with its pages, whose person has a password and is signed in nowhere."""
    async with running(database, moment) as started:
        password = "correct horse battery staple"
        hashed = await started.site.passwords.hash(password)
        async with database.operation() as operators:
            await operators.users.set_password(started.user.id, hashed)
        yield started, password
