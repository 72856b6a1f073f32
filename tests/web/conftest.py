import re
import socket
import threading
from collections.abc import AsyncGenerator, Callable, Generator
from dataclasses import dataclass
from html import unescape
from itertools import count
from pathlib import Path

import httpx2
import pytest
import uvicorn

from server.serving import OPTIONS, Application
from server.settings import Settings
from storage.database import Database

PASSWORD = "four unrelated words"
ADDRESSES = count(1)


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
        self.thread.join(20)


def run(folder: Path, environ: dict[str, str], port: int = 0) -> Running:
    listener = socket.create_server(("127.0.0.1", port))
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    variables = {"DATA_DIR": str(folder), "BASE_URL": url, "TRUSTED_PROXIES": "127.0.0.1", **environ}
    settings = Settings.from_environ({f"SEENBY_{name}": value for name, value in variables.items()})
    server = uvicorn.Server(uvicorn.Config(Application(settings), **OPTIONS))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        thread.join(0.01)
    return Running(url, settings, server, thread)


Run = Callable[..., Running]


@pytest.fixture(scope="session")
def run_service(tmp_path_factory: pytest.TempPathFactory) -> Generator[Run]:
    """Start another service; keyword arguments are SEENBY_ variables."""
    running: list[Running] = []

    def start(**environ: str) -> Running:
        running.append(run(tmp_path_factory.mktemp("service"), environ))
        return running[-1]

    yield start
    for each in running:
        each.stop()


@pytest.fixture
def restart(tmp_path: Path) -> Generator[Run]:
    """Start one service, or stop it and start it again over the same data at the same address."""
    running: list[Running] = []

    def start(**environ: str) -> Running:
        port = 0
        if running:
            running[-1].stop()
            port = int(running[-1].url.rpartition(":")[2])
        running.append(run(tmp_path, environ, port))
        return running[-1]

    yield start
    running[-1].stop()


@pytest.fixture(scope="session")
def service(run_service: Run) -> Running:
    return run_service()


class Person:
    """Somebody with a browser of their own and, unless told otherwise, an address of their own."""

    def __init__(self, url: str, address: str | None = None) -> None:
        number = next(ADDRESSES)
        self.address = address or f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self.email = f"person{number}@example.com"
        self.company = f"Company {number}"
        self.http = httpx2.AsyncClient(
            base_url=url, timeout=60, headers={"X-Forwarded-For": self.address, "Origin": url}
        )

    async def token(self, page: str, action: str) -> str:
        """Find the token of the form that is sent to `action` on a page."""
        html = (await self.http.get(page)).text
        form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', html, re.DOTALL)
        assert form is not None, f"no form for {action} on {page}"
        found = re.search(r'name="token" value="([^"]+)"', form[0])
        assert found is not None
        return found[1]

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

    async def make_key(self, description: str = "") -> str:
        """Make an API key and read it off the page."""
        html = (await self.submit("/settings/keys", {"description": description})).text
        found = re.search(r"sk_live_[0-9a-f]{32}", html)
        assert found is not None
        return found[0]

    async def text(self, path: str) -> str:
        """Return a page as the text it holds."""
        response = await self.http.get(path)
        return unescape(re.sub(r"<[^>]+>", " ", response.text))


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


@pytest.fixture
async def ada(meet: Meet) -> Person:
    """An owner who just signed up and is signed in."""
    person = meet()
    assert (await person.sign_up()).status_code == 303
    return person


@pytest.fixture
async def database(service: Running) -> AsyncGenerator[Database]:
    """The database of the running service."""
    opened = await Database.open(service.settings.database_url)
    yield opened
    await opened.close()
