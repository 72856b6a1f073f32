"""`python -m bench pages`: what each page of a brand costs the server on a large database, and how heavy it is."""

import argparse
import asyncio
import os
import re
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

import httpx2
import uvicorn

from bench.scale.building import Builder, Built, counted
from bench.scale.market import FULL, TENTH, TWENTY, TWENTY_OF_TENTH, Size
from bench.scale.measuring import serving
from bench.scale.places import PLACES
from measurement.alerts.issues import KINDS
from oauth.passwords import Passwords
from server.retention import RawAnswerSweep
from server.service import Service
from server.serving import OPTIONS, Application
from server.settings import Settings
from storage.database import Database
from workflows.monitoring import AT_ONCE, next_slot

SEED = 7
MOST_MS, MOST_BYTES = 100.0, 150_000
PASSWORD = "four unrelated words"
SIZES: Mapping[str, Size] = {
    "full": FULL,
    "tenth": TENTH,
    "twenty": TWENTY,
    "small": TWENTY_OF_TENTH,
}
PAGES = (
    "",
    "?period=90&platform=gemini",
    "/score",
    "/prompts",
    "/answers",
    "/sources?when=all",
    "/competitors",
    "/actions",
    "/content",
    "/report",
)
ASSET = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@dataclass(frozen=True, slots=True)
class PageFigures:
    """What a page took, in milliseconds, its first load apart, and its bytes with everything that it loads.

    `processor` is the processor time of server and reader together, which other work on the machine does not lengthen.
    """

    page: str
    first: float
    milliseconds: list[float]
    processor: list[float]
    size: int

    @property
    def p95(self) -> float:
        """The time that one in twenty loads passes."""
        return statistics.quantiles(self.milliseconds, n=20)[-1]


async def add_people(url: str, built: Built, count: int) -> list[str]:
    """Add owners to the company, so that no person's rate limit is met; return their e-mail addresses."""
    database = await Database.open(url)
    digest = await Passwords().hash(PASSWORD)
    emails = [f"reader{number}@example.com" for number in range(count)]
    try:
        async with database.operation() as operators:
            for email in emails:
                await operators.users.add(
                    built.company_id, email, "Reader", "owner", digest, datetime.now(UTC)
                )
    finally:
        await database.close()
    return emails


async def catch_up(service: Service) -> None:
    """Do the background work that a running service would have done: the market was written without one."""
    now = datetime.now(UTC)
    await schedule_monitors(service.database, now)
    await RawAnswerSweep(service.database, service.settings.raw_answer_days).sweep(now)
    await service.database.refresh_statistics()


async def schedule_monitors(database: Database, now: datetime) -> None:
    """Schedule each monitor for its next time slot, and claim the checks that daily publication left overdue."""
    for script in KINDS:
        while brands := await database.operators.monitors.unscheduled(script, AT_ONCE):
            for brand in brands:
                async with database.transaction(brand.company_id) as writing:
                    await writing.monitors.schedule(brand.key, script, next_slot(brand.id, script, now), now)
    while overdue := await database.operators.monitors.due(now, AT_ONCE):
        for due in overdue:
            async with database.transaction(due.company_id) as writing:
                await writing.monitors.claim(due, next_slot(due.brand_id, due.script, now))


async def sign_in(url: str, email: str, number: int) -> httpx2.AsyncClient:
    """Return a signed-in client with its own IP address."""
    headers = {"Origin": url, "X-Forwarded-For": f"10.0.0.{number + 1}"}
    http = httpx2.AsyncClient(base_url=url, headers=headers, timeout=120, verify=False)
    page = (await http.get("/auth/login")).text
    token = re.findall(r'action="/auth/login".*?name="token" value="([^"]+)"', page, re.DOTALL)[0]
    fields = {"token": token, "email": email, "password": PASSWORD, "next": "/"}
    answer = await http.post("/auth/login", data=fields)
    assert answer.status_code == 303, answer.status_code
    return http


async def measure_pages(url: str, emails: list[str], brand_id: str, loads: int) -> list[PageFigures]:
    """Load each page again and again, one at a time, after a first load that is not counted."""
    readers = [await sign_in(url, email, number) for number, email in enumerate(emails)]
    figures: list[PageFigures] = []
    turn = 0
    for page in PAGES:
        times: list[float] = []
        worked: list[float] = []
        html = ""
        while len(times) <= loads:
            turn += 1
            began, worked_before = time.perf_counter(), time.process_time()
            answer = await readers[turn % len(readers)].get(f"/brands/{brand_id}{page}")
            times.append(1000 * (time.perf_counter() - began))
            worked.append(1000 * (time.process_time() - worked_before))
            assert answer.status_code == 200, (page, answer.status_code)
            html = answer.text
        assets: set[str] = set(ASSET.findall(html))
        files = [await readers[0].get(address.partition("?")[0]) for address in assets]
        figures.append(
            PageFigures(
                page,
                times[0],
                times[1:],
                worked[1:],
                len(html.encode()) + sum(len(file.content) for file in files),
            )
        )
    for reader in readers:
        await reader.aclose()
    return figures


async def run(kind: str, size: Size, folder: str | None, loads: int, people: int) -> list[PageFigures]:
    """Build a database, serve it, and measure its pages."""
    async with PLACES[kind](folder, size.name) as place:
        async with serving(place.url, folder) as service:
            built = await Builder(service.database, size, SEED, datetime.now(UTC).date()).build()
            with service.database.synchronous_engine.connect() as connection:
                rows = counted(connection, "answers", "mentions", "citations")
            await catch_up(service)
        print(f"   built in {built.seconds:.0f} s: " + ", ".join(f"{n:,} {name}" for name, n in rows.items()))
        emails = await add_people(place.url, built, people)
        with tempfile.TemporaryDirectory(prefix="seenby-bench-", dir=folder) as data:
            listener = socket.create_server(("127.0.0.1", 0))
            address = f"http://127.0.0.1:{listener.getsockname()[1]}"
            environ = {
                "SEENBY_DATA_DIR": data,
                "SEENBY_DATABASE_URL": place.url,
                "SEENBY_BASE_URL": address,
                "SEENBY_TRUSTED_PROXIES": "127.0.0.1",
            }
            server = uvicorn.Server(uvicorn.Config(Application(Settings.from_environ(environ)), **OPTIONS))
            thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
            thread.start()
            while not server.started:
                thread.join(0.05)
                assert thread.is_alive(), "the service did not start"
            try:
                return await measure_pages(address, emails, built.brands[0].id, loads)
            finally:
                server.should_exit = True
                await asyncio.to_thread(thread.join, 60)


def report(figures: list[PageFigures]) -> str:
    """Write the figures as a table for people."""
    lines = [f"{os.cpu_count()} cores, one reader at a time, ms from request to last byte on loopback"]
    lines.append(f"{'page':32} {'first':>8} {'p50':>8} {'p95':>8} {'processor':>10} {'bytes with files':>17}")
    for row in figures:
        half, worked = statistics.median(row.milliseconds), statistics.median(row.processor)
        name = row.page or "(overview)"
        lines.append(f"{name:32} {row.first:8.1f} {half:8.1f} {row.p95:8.1f} {worked:10.1f} {row.size:17,}")
    slow = [row.page or "(overview)" for row in figures if row.p95 >= MOST_MS]
    lines.append(f"p95 not under {MOST_MS:.0f} ms: {', '.join(slow) or 'none'}")
    lines.append(
        f"overview {figures[0].size:,} bytes, {'under' if figures[0].size < MOST_BYTES else 'NOT under'} {MOST_BYTES:,}"
    )
    return "\n".join(lines)


def main() -> None:
    """Measure the pages of the brand that is asked about most."""
    parser = argparse.ArgumentParser(prog="python -m bench pages")
    parser.add_argument("--size", choices=SIZES, default="tenth")
    parser.add_argument("--kind", choices=PLACES, default="sqlite")
    parser.add_argument("--folder")
    parser.add_argument("--loads", type=int, default=20)
    parser.add_argument("--people", type=int, default=8)
    asked = parser.parse_args()
    figures = asyncio.run(run(asked.kind, SIZES[asked.size], asked.folder, asked.loads, asked.people))
    print(report(figures))


if __name__ == "__main__":
    main()
