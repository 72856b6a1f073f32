"""`python -m bench live`: processor time that a server spends on open pages of a running measurement."""

import argparse
import asyncio
import json
import os
import socket
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2

from bench.pages import add_people, sign_in
from bench.scale.building import Builder
from bench.scale.market import Panel, Size
from measurement.planning.clock import utc_now
from oauth.api_keys import make_api_key
from server.service import open_service
from server.settings import Settings

SIZE = Size("live", 2, Panel(10, 2, 2, 1), Panel(5, 2, 2, 1), 1)
SEED = 7
MOST_SHARE = 0.05
"""Of one core, for 200 open pages."""
PEOPLE = 20
QUESTIONS = [f"Which car would you pick for purpose {number}?" for number in range(10)]


async def keep_waiting(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Take questions and answer none: the run stays as it is, so that only open pages cost anything."""
    while await reader.read(65536):
        pass
    writer.close()


def processor_seconds(pid: int) -> float:
    """Return the processor time that a process has used, its own and the system's for it."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def serve(environ: dict[str, str], url: str, port: int) -> asyncio.subprocess.Process:
    """Start a server and return it once it answers."""
    seenby = str(Path(sys.executable).with_name("seenby"))
    process = await asyncio.create_subprocess_exec(
        *(seenby, "serve", "--port", str(port)),
        env={**os.environ, **environ, "SEENBY_LOG_FORMAT": "json"},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    async with httpx2.AsyncClient(base_url=url, verify=False) as http:
        for _ in range(600):
            try:
                await http.get("/connect")
                return process
            except httpx2.TransportError:
                await asyncio.sleep(0.2)
    raise RuntimeError("the server did not start")


async def start_run(http: httpx2.AsyncClient, key: str, brand_id: str) -> str:
    """Ask questions of a brand; return the id of the run once it is asking."""
    headers = {"Authorization": f"Bearer {key}"}

    async def call(tool: str, **arguments: object) -> dict[str, Any]:
        answer = await http.post(f"/api/mcp-app/rest/{tool}", json=arguments, headers=headers)
        assert answer.status_code == 200, answer.text
        return answer.json()

    prompts = [{"text": question} for question in QUESTIONS]
    made = await call("create_prompt_set", brandId=brand_id, name="Live", prompts=prompts)
    run = await call("run_prompt_set", promptSetId=made["promptSetId"], platforms=["slow"])
    while (await call("get_run_status", runId=run["runId"]))["status"] == "pending":
        await asyncio.sleep(0.5)
    return run["runId"]


async def listen(
    http: httpx2.AsyncClient, address: str, is_open: asyncio.Semaphore, lines: list[str]
) -> None:
    """Keep the stream of one page open."""
    async with http.stream("GET", address, timeout=None) as stream:
        assert stream.status_code == 200, stream.status_code
        is_open.release()
        async for line in stream.aiter_lines():
            lines += [line]


async def measure(pages: int, seconds: float) -> None:
    """Print the share of a core without and with the open pages of one run that waits for its engine."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    engine = await asyncio.start_server(keep_waiting, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{engine.sockets[0].getsockname()[1]}/v1"
    compatible = [{"platform": "slow", "baseUrl": address, "model": "slow", "apiKey": "none"}]
    with tempfile.TemporaryDirectory(prefix="seenby-bench-") as folder:
        environ = {
            "SEENBY_DATA_DIR": folder,
            "SEENBY_BASE_URL": url,
            "SEENBY_TRUSTED_PROXIES": "127.0.0.1",
            "SEENBY_ENGINE_COMPATIBLE": json.dumps(compatible),
        }
        async with open_service(Settings.from_environ(environ)) as service:
            built = await Builder(service.database, SIZE, SEED, utc_now().date()).build()
            key = make_api_key(service.api_key_signing, built.company_id, utc_now(), rate_limit=600)
            async with service.database.operation() as operators:
                await operators.api_keys.add(key.stored)
            database_url = service.settings.database_url
        emails = await add_people(database_url, built, PEOPLE)
        process = await serve(environ, url, port)
        try:
            readers = [await sign_in(url, email, number) for number, email in enumerate(emails)]
            run_id = await start_run(readers[0], key.raw, built.brands[0].id)
            await asyncio.sleep(5)
            before = await share_of_core(process.pid, seconds / 2)
            is_open, lines = asyncio.Semaphore(0), list[str]()
            events = f"/measurements/{run_id}/events"
            streams = [
                asyncio.create_task(listen(readers[number % PEOPLE], events, is_open, lines))
                for number in range(pages)
            ]
            for _ in streams:
                await asyncio.wait_for(is_open.acquire(), 120)
            await asyncio.sleep(3)
            during = await share_of_core(process.pid, seconds)
            still_open = sum(not stream.done() for stream in streams)
            for stream in streams:
                stream.cancel()
            await asyncio.gather(*streams, return_exceptions=True)
            for reader in readers:
                await reader.aclose()
        finally:
            process.terminate()
            await process.wait()
            engine.close()
    print(
        f"   {still_open} pages open for {seconds:.0f} s: {during:.1%} of a core, {before:.1%} without them"
        f" (at most {MOST_SHARE:.0%} more); {sum(line.startswith('event:') for line in lines)} events"
    )


async def share_of_core(pid: int, seconds: float) -> float:
    """Return how much of a core a process uses for a while."""
    began, used = time.monotonic(), processor_seconds(pid)
    await asyncio.sleep(seconds)
    return (processor_seconds(pid) - used) / (time.monotonic() - began)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench live")
    parser.add_argument("--pages", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse_args()
    asyncio.run(measure(options.pages, options.seconds))


if __name__ == "__main__":
    main()
