"""Latency of tool calls under password guessing: the 99th percentile compared with an idle service."""

import asyncio
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psutil

from measurement.planning.clock import utc_now
from oauth.api_keys import make_api_key
from server.service import open_service
from server.settings import Settings

ATTEMPTS = 1000
KEYS = 12
CALLS_A_SECOND = 50
IDLE_SECONDS = 8.0
MOST_TIMES_IDLE = 5.0
PASSWORD = "four unrelated words"
EMAIL = "owner@example.com"
CALL = "/api/mcp-app/rest/get_credits"


@dataclass(frozen=True)
class Attack:
    """Whose password is tried from where, by the number of the attempt, and how many attempts are open at once."""

    guess: Callable[[int], tuple[str, str]]
    at_once: int


ATTACKS = {
    "one address, one account": Attack(lambda number: ("192.0.2.1", EMAIL), 8),
    "many addresses, one account": Attack(lambda number: (f"198.18.{number >> 8}.{number & 255}", EMAIL), 8),
    # Nothing is counted twice here, so that only the queue of hashes bounds it.
    "many addresses, many accounts": Attack(
        lambda number: (f"198.19.{number >> 8}.{number & 255}", f"nobody{number}@example.com"), 40
    ),
}


@dataclass
class Watch:
    """Latencies, in seconds, of tool calls made at a steady rate while something else happens."""

    client: httpx2.AsyncClient
    keys: Sequence[str]
    waits: list[float] = field(default_factory=list[float])

    async def run(self, until: asyncio.Event) -> None:
        """Call at a steady rate until `until` is set. A slow call does not delay the next one."""
        async with asyncio.TaskGroup() as calls:
            number = 0
            while not until.is_set():
                calls.create_task(self._call(self.keys[number % len(self.keys)]))
                number += 1
                await asyncio.sleep(1 / CALLS_A_SECOND)

    async def _call(self, key: str) -> None:
        started = time.perf_counter()
        answer = await self.client.post(CALL, json={}, headers={"Authorization": f"Bearer {key}"})
        if answer.status_code != 429:  # a long benchmark may exhaust a key's rate limit
            answer.raise_for_status()
            self.waits.append(time.perf_counter() - started)

    def quantile(self, share: float) -> float:
        """Return a latency quantile in milliseconds."""
        return 1000 * sorted(self.waits)[int(len(self.waits) * share)]


@contextmanager
def served(folder: Path) -> Generator[tuple[str, psutil.Process]]:
    """Run `seenby serve` over a data folder; return its address and process."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SEENBY_")}
    environment |= {"SEENBY_DATA_DIR": str(folder), "SEENBY_TRUSTED_PROXIES": "127.0.0.1"}
    command = [str(Path(sys.executable).with_name("seenby")), "serve", "--port", str(port)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL) as process:
        try:
            while process.poll() is None:
                try:
                    httpx2.get(f"http://127.0.0.1:{port}/readyz", timeout=5).raise_for_status()
                    break
                except httpx2.HTTPError:
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}", psutil.Process(process.pid)
        finally:
            process.terminate()


async def token(client: httpx2.AsyncClient, page: str) -> str:
    """Return the token of the form on a page."""
    html = (await client.get(page)).text
    form = html[html.index(f'action="{page}"') :]
    match = re.search(r'name="token" value="([^"]+)"', form)
    assert match is not None
    return match[1]


async def made_keys(folder: Path) -> list[str]:
    """Make keys of the one company there is, each with the highest rate limit."""
    settings = Settings.from_environ({"SEENBY_DATA_DIR": str(folder)})
    async with open_service(settings, migrate=False) as service:
        (company,) = await service.database.operators.companies.all()
        made = [
            make_api_key(service.api_key_signing, company.id, utc_now(), rate_limit=600) for _ in range(KEYS)
        ]
        async with service.database.transaction(company.id) as workspace:
            for key in made:
                await workspace.api_keys.add(key.stored)
    return [key.raw for key in made]


async def attack(url: str, name: str) -> dict[int, int]:
    """Try passwords, several at a time; return how often each status came."""
    chosen, outcomes = ATTACKS[name], Counter[int]()
    async with httpx2.AsyncClient(base_url=url, timeout=120, headers={"Origin": url}) as client:
        form = await token(client, "/auth/login")
        numbers = iter(range(ATTEMPTS))

        async def one() -> None:
            for number in numbers:
                address, email = chosen.guess(number)
                typed = {"token": form, "email": email, "password": secrets.token_hex(8), "next": "/"}
                answer = await client.post("/auth/login", data=typed, headers={"X-Forwarded-For": address})
                outcomes[answer.status_code] += 1

        await asyncio.gather(*(one() for _ in range(chosen.at_once)))
    return dict(sorted(outcomes.items()))


async def attacked(url: str, name: str) -> str:
    """Attack from a process that yields to the server: attackers bring machines of their own."""
    command = ("nice", "-n", "15", sys.executable, "-m", "bench.passwords", url, name)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    output, _ = await process.communicate()
    return output.decode().strip()


async def measure(url: str, process: psutil.Process, folder: Path) -> None:
    """Sign the owner up, watch the idle service, then each attack, and print."""
    async with (
        httpx2.AsyncClient(base_url=url, timeout=120, headers={"Origin": url}) as owner,
        httpx2.AsyncClient(base_url=url, timeout=120) as client,
    ):
        person = {"company": "Ours", "name": "Ann", "email": EMAIL, "password": PASSWORD}
        await owner.post("/auth/signup", data={"token": await token(owner, "/auth/signup"), **person})
        keys = await made_keys(folder)
        idle, stop = Watch(client, keys), asyncio.Event()
        asyncio.get_running_loop().call_later(IDLE_SECONDS, stop.set)
        await idle.run(stop)
        print(f"idle: p50 {idle.quantile(0.5):.1f} ms, p99 {idle.quantile(0.99):.1f} ms")
        for name in ATTACKS:
            watch, stop = Watch(client, keys), asyncio.Event()
            watching = asyncio.create_task(watch.run(stop))
            spent, started = cpu_seconds(process), time.perf_counter()
            outcomes = await attacked(url, name)
            took, spent = time.perf_counter() - started, cpu_seconds(process) - spent
            stop.set()
            await watching
            await owner.post("/auth/logout", data={"token": await logout_token(owner)})
            back = await sign_in(owner)
            times = watch.quantile(0.99) / idle.quantile(0.99)
            verdict = "met" if times < MOST_TIMES_IDLE else "NOT met"
            print(
                f"{name}: {ATTEMPTS} attempts in {took:.1f} s ({spent:.1f} s of the server's CPU), "
                f"statuses {outcomes}; "
                f"tool calls p50 {watch.quantile(0.5):.1f} ms, p99 {watch.quantile(0.99):.1f} ms, "
                f"{times:.1f} times idle ({verdict}); the owner's sign-in afterwards: {back}"
            )


async def logout_token(client: httpx2.AsyncClient) -> str:
    """Return the token of the form that signs out."""
    html = (await client.get("/connect")).text
    return html.partition('action="/auth/logout"')[2].partition('value="')[2].partition('"')[0]


async def sign_in(client: httpx2.AsyncClient) -> int:
    """Sign the owner in from the browser that signed up; return the status."""
    typed = {"token": await token(client, "/auth/login"), "email": EMAIL, "password": PASSWORD, "next": "/"}
    return (await client.post("/auth/login", data=typed)).status_code


def cpu_seconds(process: psutil.Process) -> float:
    """Return what a process has computed so far."""
    times = process.cpu_times()
    return times.user + times.system


def run() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (url, process):
        asyncio.run(measure(url, process, Path(folder)))


if __name__ == "__main__":
    print(asyncio.run(attack(sys.argv[1], sys.argv[2])))
