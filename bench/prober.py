"""Compare the duration of a probe with the lower bound that its platforms' limits set, using simulated latencies.

A real HTTP server on loopback answers for four invented platforms: a typical one, a slow one, one that allows few
requests per minute, and one that rejects every key. The real probe code queries them and stores answers in SQLite.
Latencies are seeded, so the bound is known: no schedule can finish before a platform's latencies, divided among the
requests that may be open at once, or before the platform's last request may be sent.
"""

import asyncio
import json
import random
import sys
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field

import anyio
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from measurement.planning.ask_plan import ProbeRequest, make_plan
from measurement.planning.clock import utc_now
from server.service import open_service
from server.settings import Settings
from storage.repositories.brands import AliasRow, BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft

PROMPTS = 120
MOST = 1.15


@dataclass(frozen=True, slots=True)
class Provider:
    """One platform: how long its answers take in seconds, and what it allows."""

    name: str
    width: int
    fastest: float = 0.2
    slowest: float = 0.8
    per_minute: int | None = None
    status: int = 200

    def latency(self, prompt: str) -> float:
        """Seconds that the answer to a prompt takes; the same on every call."""
        return random.Random(f"{self.name} {prompt}").uniform(self.fastest, self.slowest)

    def bound(self, prompts: list[str]) -> float:
        """Seconds before which no schedule can have all answers, in any order."""
        latencies = [self.latency(prompt) for prompt in prompts]
        paced = (len(prompts) - 1) * 60 / self.per_minute + self.fastest if self.per_minute else 0.0
        return max(sum(latencies) / self.width, max(latencies), paced)


PROVIDERS = (
    Provider("usual", width=4),
    Provider("slow", width=8, fastest=0.5, slowest=1.5),
    Provider("paced", width=8, per_minute=600),
    Provider("refusing", width=4, fastest=0.05, slowest=0.1, status=401),
)


@dataclass
class Peer:
    """Answers after the simulated latency and records when each platform's last answer was sent."""

    port: int = 0
    ended: dict[str, float] = field(default_factory=dict[str, float])

    async def handle(self, request: Request) -> Response:
        """Answer one prompt for one platform."""
        provider = next(
            provider for provider in PROVIDERS if provider.name == request.path_params["platform"]
        )
        prompt = json.loads(await request.body())["messages"][0]["content"]
        await anyio.sleep(provider.latency(prompt))
        self.ended[provider.name] = time.monotonic()
        if provider.status != 200:
            return JSONResponse({"error": {"message": "no such key"}}, provider.status)
        message = {"role": "assistant", "content": f"Synthetic leads. {prompt}"}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        return JSONResponse({"model": "simulated-1", "choices": [choice]})


@contextmanager
def serving() -> Generator[Peer]:
    """Serve the providers from a thread of their own."""
    peer = Peer()
    app = Starlette(routes=[Route("/{platform}/chat/completions", peer.handle, methods=["POST"])])
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, lifespan="off")
    listener = config.bind_socket()
    peer.port = listener.getsockname()[1]
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        yield peer
    finally:
        server.should_exit = server.force_exit = True
        thread.join()
        listener.close()


def environment(folder: str, peer: Peer) -> dict[str, str]:
    """Return the settings of a service whose engines are the peer's platforms."""
    engines = [
        {
            "platform": provider.name,
            "baseUrl": f"http://127.0.0.1:{peer.port}/{provider.name}",
            "model": "simulated",
        }
        for provider in PROVIDERS
    ]
    return {
        "SEENBY_DATA_DIR": folder,
        "SEENBY_ENGINE_COMPATIBLE": json.dumps(engines),
        "SEENBY_ENGINE_CONCURRENCY": ",".join(f"{provider.name}={provider.width}" for provider in PROVIDERS),
        "SEENBY_ENGINE_RATE": ",".join(
            f"{provider.name}={provider.per_minute}"
            for provider in PROVIDERS
            if provider.per_minute is not None
        ),
    }


async def measure(folder: str, peer: Peer, prompts: list[str]) -> tuple[dict[str, float], float]:
    """Probe every platform once; return when each had answered its last question, and when all was published."""
    async with open_service(Settings.from_environ(environment(folder, peer))) as service:
        now = utc_now()
        async with service.database.operation() as operators:
            company = await operators.companies.create("Synthetic", "bench@example.com", "scale", now)
        async with service.database.transaction(company.id) as writing:
            profile: dict[str, object] = {"keywords": list[str]()}
            profile |= dict.fromkeys(("industry", "website", "voice", "target_audience"))
            brand = await writing.brands.save(
                BrandDraft("Synthetic", (AliasRow("Synthetic"),)), [], profile, now
            )
            asked = tuple(PromptDraft(prompt) for prompt in prompts)
            names = tuple(provider.name for provider in PROVIDERS)
            await writing.prompt_sets.save(
                brand.key, PromptSetDraft("Questions", asked, names, repeats=1), now
            )
        plan = await make_plan(
            service.database,
            company.id,
            ProbeRequest("Synthetic"),
            service.engines,
            service.engine_keys,
            now,
        )
        started = time.monotonic()
        await service.prober().probe(company.id, plan)
        published = time.monotonic() - started
    return {name: ended - started for name, ended in peer.ended.items()}, published


def main() -> int:
    """Measure and print; 1 when the probe took more than it may."""
    prompts = [f"Which synthetic thing number {number} is best?" for number in range(PROMPTS)]
    with tempfile.TemporaryDirectory(prefix="seenby-bench-") as folder, serving() as peer:
        ended, published = asyncio.run(measure(folder, peer, prompts))
    answering = [provider for provider in PROVIDERS if provider.status == 200]
    bounds = {one.name: one.bound(prompts) for one in answering}
    print(f"a probe of {PROMPTS} prompts x {len(PROVIDERS)} platforms, simulated latencies, SQLite")
    for provider in PROVIDERS:
        limit = f"bound {bounds[provider.name]:6.2f} s" if provider.name in bounds else "rejects every key"
        print(f"  {provider.name:<10} last answer after {ended[provider.name]:6.2f} s, {limit}")
    makespan, bound = max(ended.values()), max(bounds.values())
    worst = max(ended[name] / bounds[name] for name in bounds)
    print(f"  makespan {makespan:.2f} s, bound {bound:.2f} s: {makespan / bound:.3f} (at most {MOST})")
    print(f"  worst platform {worst:.3f} of its own bound; published after {published:.2f} s")
    return 0 if makespan / bound <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
