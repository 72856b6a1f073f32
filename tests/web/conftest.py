import asyncio
import hashlib
import json
import re
import secrets
import shutil
import socket
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from html import unescape
from itertools import count, product
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
import uvicorn
from itsdangerous import Signer
from playwright.async_api import Browser, Page, async_playwright
from starlette.requests import Request
from starlette.responses import Response

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.imports.captured_answers import Importer
from measurement.planning.brand_files import parse_brands, save_brands
from measurement.publication.publish import Publisher
from oauth.passwords import Passwords
from oauth.pkce import challenge_of
from oauth.signing import BROWSERS, FORMS, SESSIONS, Digests, keyed_digest, sub_key
from server.serving import OPTIONS, Application
from server.settings import Settings
from storage.database import Database
from web.security.background_tasks import BackgroundTasks
from web.security.browsers import Browsers
from web.security.csrf import Forms
from web.security.sessions import SessionService

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
WAITS = 20_000
CALLBACK = "http://127.0.0.1:4000/cb"
PASSWORD = "four unrelated words"
ADDRESSES = count(1)
NO_BRANDS: dict[str, Any] = {
    "brands": [],
    "total": 0,
    "limit": 0,
    "offset": 0,
    "nextOffset": None,
    "untrusted": [
        "brands[].name",
        "brands[].industry",
        "brands[].website",
        "brands[].brandVoice",
        "brands[].keywords[]",
        "brands[].targetAudience",
    ],
}
"""What list_brand_profiles says to a company without brands."""


def shape(response: httpx2.Response) -> object:
    """What a stranger could tell two responses apart by: everything but the values of cookies and the time."""
    cookies = [
        (name, len(value), rest)
        for name, _, (value, _, rest) in (
            (name, equals, value.partition(";"))
            for name, equals, value in (one.partition("=") for one in response.headers.get_list("set-cookie"))
        )
    ]
    others = {
        name: value
        for name, value in response.headers.items()
        if name not in ("set-cookie", "date", "x-request-id")
    }
    return response.status_code, response.content, others, cookies


@dataclass
class Running:
    """A whole service on loopback, as `seenby serve` runs it."""

    url: str
    settings: Settings
    server: uvicorn.Server
    thread: threading.Thread

    @property
    def database_file(self) -> Path:
        return self.settings.data_dir / "seenby.db"

    def stop(self) -> None:
        self.server.should_exit = True
        self.thread.join(60)


def run(folder: Path, environ: dict[str, str], migrated: Path, port: int = 0) -> Running:
    """Serve over a folder; one without a database gets a copy of the migrated one, which a start would make slowly."""
    if "DATABASE_URL" not in environ and not (folder / "seenby.db").exists():
        shutil.copy(migrated, folder / "seenby.db")
    listener = socket.create_server(("127.0.0.1", port))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    variables = {"DATA_DIR": str(folder), "BASE_URL": url, "TRUSTED_PROXIES": "127.0.0.1"}
    for policy in ("PRIVACY", "SUPPORT"):
        page = folder / f"{policy.lower()}.md"
        page.write_text(
            f"# Our {policy.lower()} page\n\nWrite to <b>help@host.example</b>.\n", encoding="utf-8"
        )
        variables[policy] = str(page)
    variables |= {"SIGNUP": "unverified", **environ}
    settings = Settings.from_environ({f"SEENBY_{name}": value for name, value in variables.items()})
    server = uvicorn.Server(uvicorn.Config(Application(settings), **OPTIONS))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        thread.join(0.01)
    return Running(url, settings, server, thread)


Run = Callable[..., Running]


# A process has one engine of runs, so that a service must not outlive the tests that need it.
@pytest.fixture(scope="module")
def run_service(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Generator[Run]:
    """Start another service; keyword arguments are SEENBY_ variables."""
    running: list[Running] = []

    def start(**environ: str) -> Running:
        running.append(run(tmp_path_factory.mktemp("service"), environ, migrated))
        return running[-1]

    yield start
    for each in running:
        each.stop()


@pytest.fixture
def restart(tmp_path: Path, migrated: Path) -> Generator[Run]:
    """Start one service, or stop it and start it again over the same data at the same address."""
    running: list[Running] = []

    def start(**environ: str) -> Running:
        port = 0
        if running:
            running[-1].stop()
            port = int(running[-1].url.rpartition(":")[2])
        running.append(run(tmp_path, environ, migrated, port))
        return running[-1]

    yield start
    running[-1].stop()


@pytest.fixture(scope="module")
def service(run_service: Run) -> Running:
    return run_service()


class Person:
    """Somebody with a browser of their own and, unless told otherwise, an address of their own."""

    def __init__(self, url: str, address: str | None = None) -> None:
        number = next(ADDRESSES)
        self.address = address or f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self.email = f"person{number}@example.com"
        self.company = f"Company {number + 100}"
        self.brand = ""
        # Plain HTTP: a client that checks certificates would load the machine's authorities, for 20 ms each.
        self.http = httpx2.AsyncClient(
            base_url=url, timeout=60, headers={"X-Forwarded-For": self.address, "Origin": url}, verify=False
        )

    async def token(self, page: str, action: str) -> str:
        """Find the token of the form that is sent to `action` on a page."""
        html = (await self.http.get(page)).text
        # A page that is asked by its filters has a form of the same address that sends nothing.
        sending = rf'<form[^>]*method="post"[^>]*action="{re.escape(action)}(?:\?[^"]*)?".*?</form>'
        form = re.search(sending, html, re.DOTALL)
        assert form is not None, f"no form for {action} on {page}"
        match = re.search(r'name="token" value="([^"]+)"', form[0])
        assert match is not None
        return match[1]

    async def submit(self, page: str, fields: dict[str, str], action: str | None = None) -> httpx2.Response:
        """Open a page, fill its form and send it."""
        token = await self.token(page, action or page)
        return await self.http.post(action or page, data={"token": token, **fields})

    async def sign_up(self) -> httpx2.Response:
        """Make a company of one's own."""
        fields = {"company": self.company, "name": "Ada", "email": self.email, "password": PASSWORD}
        return await self.submit("/auth/signup", fields)

    async def sign_in(
        self, email: str | None = None, password: str = PASSWORD, to: str = "/"
    ) -> httpx2.Response:
        """Send the form of the sign-in page."""
        fields = {"email": email or self.email, "password": password, "next": to}
        return await self.submit("/auth/login", fields)

    async def sign_in_elsewhere(self) -> httpx2.Response:
        """Sign in from another browser."""
        other = Person(str(self.http.base_url))
        try:
            return await other.sign_in(self.email)
        finally:
            await other.http.aclose()

    async def make_key(self, description: str = "") -> str:
        """Make an API key and read it off the page."""
        html = (await self.submit("/settings/keys", {"description": description})).text
        match = re.search(r"sk_live_[0-9a-f]{32}", html)
        assert match is not None
        return match[0]

    async def text(self, path: str) -> str:
        """Return a page as the text it shows, without what is shown on demand of its terms."""
        response = await self.http.get(path)
        shown = re.sub(r'<div class="term-words".*?</div>', "", response.text, flags=re.DOTALL)
        return unescape(re.sub(r"<[^>]+>", " ", shown))


Meet = Callable[..., Person]


@pytest.fixture
async def meet(service: Running) -> AsyncGenerator[Meet]:
    """Meet somebody new; `url` and `address` can be given."""
    met: list[Person] = []

    def somebody(url: str | None = None, address: str | None = None) -> Person:
        met.append(Person(url or service.url, address))
        return met[-1]

    yield somebody
    for person in met:
        await person.http.aclose()


@pytest.fixture(scope="session")
def password_hash() -> str:
    """The hash of everybody's password: it costs 64 MiB and a core for a while, and one is as good as hundreds."""
    return asyncio.run(Passwords().hash(PASSWORD))


@pytest.fixture
async def ada(meet: Meet, service: Running, password_hash: str) -> Person:
    """An owner who has an account and is signed in, as after signing up; test_accounts.py signs up over HTTP."""
    person = meet()
    await open_account(person, service.settings, password_hash)
    return person


async def open_account(person: Person, settings: Settings, password_hash: str) -> None:
    """Store a company and its owner, and sign them in."""
    now = datetime.now(UTC)
    async with opened_database(settings) as database:
        async with database.operation() as operators:
            await operators.companies.create(person.company, person.email, "free", now, may_share_name=True)
            owner = await operators.users.by_email(person.email)
            assert owner is not None
            await operators.users.set_password(owner.id, password_hash)
            await operators.users.rename(owner.id, "Ada")
        await start_session(person, settings, database)


async def join(person: Person, company: Person, settings: Settings, password_hash: str) -> None:
    """Store a member of the company that another person is in, and sign them in."""
    async with opened_database(settings) as database:
        async with database.operation() as operators:
            colleague = await operators.users.by_email(company.email)
            assert colleague is not None
            company_id = colleague.company_id
            await operators.users.add(
                company_id, person.email, "Bob", "member", password_hash, datetime.now(UTC)
            )
        await start_session(person, settings, database)


@asynccontextmanager
async def opened_database(settings: Settings) -> AsyncGenerator[Database]:
    database = await Database.open(settings.database_url)
    try:
        yield database
    finally:
        await database.close()


async def start_session(person: Person, settings: Settings, database: Database) -> None:
    """Start a session and give the person's browser its cookies."""
    now = datetime.now(UTC)
    user = await database.operators.users.by_email(person.email)
    assert user is not None
    response, nobody = Response(), Request({"type": "http", "headers": []})
    digests = Digests.of(settings.secret_key, SESSIONS)
    sessions = SessionService(database, digests, lambda: now, BackgroundTasks(), secure=False)
    await sessions.start(nobody, response, user)
    browsers = Browsers(Digests.of(settings.secret_key, BROWSERS), secure=False)
    browsers.remember(response, browsers.new().with_person(user.id))
    for header in response.headers.getlist("set-cookie"):
        name, _, value = header.partition(";")[0].partition("=")
        person.http.cookies.set(name, value, domain="127.0.0.1", path="/")


@pytest.fixture
async def database(service: Running) -> AsyncGenerator[Database]:
    """The database of the running service."""
    opened = await Database.open(service.settings.database_url)
    yield opened
    await opened.close()


@pytest.fixture
def token_for(service: Running) -> Callable[[Person, str], str]:
    """Compute the token that a page would carry for a person, from the server's secret."""

    def token(person: Person, path: str) -> str:
        key = sub_key(service.settings.secret_key, SESSIONS)
        signer = Signer(key, salt="seenby-session", digest_method=hashlib.sha256)
        raw = signer.unsign(person.http.cookies["seenby-session"].encode()).decode()
        forms = Forms(Digests.of(service.settings.secret_key, FORMS))
        return forms.token(keyed_digest(key, raw), path)

    return token


class App:
    """A connected app: it was allowed once, and holds what it was given."""

    def __init__(self, person: Person) -> None:
        self.http: httpx2.AsyncClient = person.http
        self.verifier = secrets.token_urlsafe(48)
        self.id = ""
        self.secret = ""

    async def register(self) -> None:
        answer = await self.http.post(
            "/api/oauth/register", json={"redirect_uris": [CALLBACK], "client_name": "Report builder"}
        )
        self.id, self.secret = answer.json()["client_id"], answer.json()["client_secret"]

    @property
    def request(self) -> str:
        """Where a browser is sent for both scopes."""
        asked = {
            "response_type": "code",
            "client_id": self.id,
            "redirect_uri": CALLBACK,
            "code_challenge": challenge_of(self.verifier),
            "code_challenge_method": "S256",
            "scope": "service.read service.write",
        }
        return f"/api/oauth/authorize?{urlencode(asked)}"

    async def ask(self) -> tuple[str, str]:
        """Open the consent page; return the request and the token of its form."""
        sent = await self.http.get(self.request)
        page = await self.http.get(sent.headers["location"])
        form = page.text[page.text.index('action="/oauth/consent"') :]
        matches = re.findall(r'name="(?:rid|token)" value="([^"]+)"', form)
        return matches[0], matches[1]

    async def allow(self, rid: str, token: str) -> httpx2.Response:
        fields = {"rid": rid, "token": token, "decision": "allow"}
        return await self.http.post("/oauth/consent", data=fields)

    async def token(self, **fields: str) -> httpx2.Response:
        return await self.http.post(
            "/api/oauth/token", data={"client_id": self.id, "client_secret": self.secret, **fields}
        )

    async def redeem(self, answer: httpx2.Response) -> dict[str, Any]:
        code = parse_qs(urlsplit(str(answer.headers["location"])).query)["code"][0]
        redeemed = await self.token(
            grant_type="authorization_code",
            code=code,
            redirect_uri=CALLBACK,
            code_verifier=self.verifier,
        )
        assert redeemed.status_code == 200, redeemed.text
        return redeemed.json()


@pytest.fixture
def let_in() -> Callable[[Person], Awaitable[App]]:
    """Register an app that asks a person for access."""

    async def registered(person: Person) -> App:
        app = App(person)
        await app.register()
        return app

    return registered


@pytest.fixture
async def chromium() -> AsyncGenerator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no chromium on the PATH")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        await browser.close()


async def opened(chromium: Browser, person: Person, **look: Any) -> Page:
    """Open a browser as a person, with the session they have over HTTP if they have one."""
    context = await chromium.new_context(
        base_url=str(person.http.base_url), extra_http_headers={"X-Forwarded-For": person.address}, **look
    )
    cookies = [
        {"name": name, "value": value, "url": str(person.http.base_url)}
        for name, value in person.http.cookies.items()
    ]
    if cookies:
        await context.add_cookies(cookies)  # pyright: ignore[reportArgumentType] # a typed dict with fewer keys
    page = await context.new_page()
    page.set_default_timeout(WAITS)
    return page


@pytest.fixture
def browse(chromium: Browser) -> Callable[..., Awaitable[Page]]:
    """Open a page of a browser as a person; keyword arguments are the browser's."""
    return partial(opened, chromium)


PROMPTS = [
    f"Which {thing} would you pick?"
    for thing in ("car", "van", "truck", "bus", "bike", "cab", "boat", "tram")
]


def captured(day: datetime, named: int) -> list[dict[str, Any]]:
    """Two answers of one day to each prompt: Acme is named in those to the first `named`, Rival to every second,
    Third once.
    """
    lines: list[dict[str, Any]] = []
    for repeat, (number, prompt) in product(range(2), enumerate(PROMPTS)):
        third = ["Third"] if (repeat, number) == (0, 7) else []
        names = (["Acme"] if number < named else []) + (["Rival"] if number % 2 else []) + third
        why = "as that is what most of the people in this town would say of it"
        text = f"I would look at {' and '.join(names)}, {why}. A good choice." if names else "It depends."
        lines.append(
            {
                "platform": "chatgpt",
                "prompt": prompt,
                "text": text,
                "captured_at": day.isoformat(),
                "model": "tester-1",
                "source_id": f"{day.date()}-{number}-{repeat}",
            }
        )
    return lines


@pytest.fixture
async def measured(ada: Person, service: Running, tmp_path: Path) -> Person:
    """An owner whose company has one brand with measurements of four days, and one that was never measured."""
    return await measure(ada, service, tmp_path, ((12, 3), (6, 4), (5, 6), (1, 5)))


@pytest.fixture
async def measured_long_ago(ada: Person, service: Running, tmp_path: Path) -> Person:
    """The same, and the newest measurement is 51 days old; one is older than the month before it."""
    return await measure(ada, service, tmp_path, ((90, 3), (62, 3), (56, 4), (51, 5)))


async def measure(ada: Person, service: Running, tmp_path: Path, days: Sequence[tuple[int, int]]) -> Person:
    """Import answers of some days: how long ago, and how many of them name the brand."""
    now = datetime.now(UTC)
    database = await Database.open(service.settings.database_url)
    try:
        company = await database.operators.companies.find(ada.company)
        assert company is not None
        text = json.dumps(
            [
                {
                    "name": "Acme",
                    "industry": "vehicles",
                    "competitors": [{"name": "Rival"}, {"name": "Third"}],
                },
                {"name": "Quiet brand"},
            ]
        )
        brands = await save_brands(
            database, company.id, parse_brands(text.encode(), "brands.json"), "brands.json", now
        )
        async with Registry(EngineSettings()) as engines:
            then = [*engines.platforms, "perplexity"]  # its key is gone by now
            importer = Importer(database, Publisher(database, then, lambda: now), lambda: now)
            for ago, named in days:
                path = tmp_path / f"{ago}.jsonl"
                lines = captured(now - timedelta(days=ago), named)
                path.write_text("\n".join(json.dumps(line) for line in lines), encoding="utf-8")
                await importer.import_file(company.id, brands[0], path)
        ada.brand = brands[0].id
    finally:
        await database.close()
    return ada
