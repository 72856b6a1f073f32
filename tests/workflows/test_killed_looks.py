"""kill -9 of a worker in the middle of a monitor's look: the look is done once more, and nothing is told twice."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from storage.repositories.brands import BrandDraft
from tests.in_full import in_full
from tests.workflows.conftest import House
from tests.zygote import AwaitedProcess, zygote

LOOKER = Path(__file__).with_name("looker_process.py")
SCRIPT = "crawler_check"
PATIENCE = 180
"""Seconds: a worker starts, takes over and looks, which took 40 on a machine with eight times its load."""
PAGES = {
    "/robots.txt": ("text/plain", "User-agent: *\nDisallow:\n"),
    "/": ("text/html", "<title>Acme</title><h1>Acme</h1><p>We repair cars.</p>"),
}
PROFILE: dict[str, Any] = {"industry": None, "voice": None, "keywords": [], "target_audience": None}


@dataclass
class Shop:
    """A site on loopback that asks not to be indexed; it holds its sitemap back until it is let go."""

    host: str = ""
    asked: list[str] = field(default_factory=list[str])
    let_go: asyncio.Event = field(default_factory=asyncio.Event)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                path = head.split(" ")[1]
                self.asked.append(path)
                if path == "/sitemap.xml":
                    await self.let_go.wait()
                kind, body = PAGES.get(path, ("text/html", ""))
                status = "200 OK" if body else "404 Not Found"
                told = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n"
                writer.write(f"{told}X-Robots-Tag: noindex\r\n\r\n{body}".encode())
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            return
        finally:
            writer.close()


@pytest.fixture
async def shop() -> AsyncGenerator[Shop]:
    made = Shop()
    server = await asyncio.start_server(made.answer, "127.0.0.1", 0)
    made.host = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield made
    made.let_go.set()
    server.close()


@asynccontextmanager
async def looking(address: str, shop: Shop, folder: Path) -> AsyncGenerator[AwaitedProcess]:
    """Run a worker that may visit the shop, until the block ends."""
    environment = {**os.environ, "SEENBY_DATABASE_URL": address, "SEENBY_DATA_DIR": str(folder)}
    log = folder / f"looker-{uuid4()}.log"
    process = AwaitedProcess(zygote().fork([shop.host], environment, log, log, script=LOOKER))
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.05)


async def schedule_now(house: House, brand_key: int) -> None:
    async with house.database.transaction(house.company_id) as workspace:
        await workspace.monitors.schedule_now(brand_key, SCRIPT, datetime.now(UTC))


async def looked(house: House, before: str | None = None) -> dict[str, Any]:
    """Wait for a result of the monitor, another than the one that ended `before`, as people see it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            results = await house.call("get_monitoring_results", brandId="Acme")
            result = next(result for result in results["results"] if result["script"] == SCRIPT)
            if result["status"] not in ("pending", "running") and result["finishedAt"] != before:
                return result
            await asyncio.sleep(0.1)


@pytest.mark.parametrize("address", ["sqlite", pytest.param("postgresql", marks=in_full)], indirect=True)
async def test_a_killed_check_is_repeated_once_and_notifies_once(
    address: str, house: House, shop: Shop, tmp_path: Path
) -> None:
    async with house.database.transaction(house.company_id) as workspace:
        profile = {**PROFILE, "website": f"http://{shop.host}/"}
        brand = await workspace.brands.save(BrandDraft("Acme"), [], profile, datetime.now(UTC))
    await schedule_now(house, brand.key)
    shop.let_go.set()
    async with looking(address, shop, tmp_path):
        first = await looked(house)
    assert (first["status"], first["alerts"], shop.asked.count("/")) == ("issues", [], 1)
    shop.let_go.clear()
    await schedule_now(
        house, brand.key
    )  # what was seen once is told when a second look, which is killed, sees it too
    async with looking(address, shop, tmp_path) as second:
        await until(lambda: shop.asked.count("/sitemap.xml") == 2)
        second.kill()
        await second.wait()
    assert (await house.call("get_monitoring_results", brandId="Acme"))["openIssues"]["total"] == 0
    assert (await house.call("list_notifications", limit=100))["notifications"] == []
    assert shop.asked.count("/") == 2
    shop.let_go.set()
    async with looking(address, shop, tmp_path):
        result = await looked(house, first["finishedAt"])
    assert (result["status"], shop.asked.count("/")) == ("issues", 3)
    titles = [alert["title"] for alert in result["alerts"]]
    assert "The home page asks not to be indexed" in titles
    assert len(titles) == len(set(titles))
    notices = (await house.call("list_notifications", limit=100))["notifications"]
    assert sorted(notice["issueId"] for notice in notices) == sorted(
        notice["issueId"] for notice in result["alerts"]
    )
