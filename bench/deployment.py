"""Set up the real service for a benchmark: `seenby serve` over a measured market, with many real API keys."""

import sys
import tempfile
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bench.scale.building import Builder, Built
from bench.scale.market import Panel, Size
from bench.scale.places import PLACES as DATABASES
from measurement.planning.clock import utc_now
from oauth.api_keys import make_api_key
from server.service import Service, open_service
from server.settings import Settings

KEYS = 1500
RATE_LIMIT = 600
"""Calls per minute per key, the limit that users get. With this many keys, no key reaches it."""
REDIS = "redis://127.0.0.1:6379/15"
SEED = 7


@dataclass(frozen=True)
class Deployment:
    """A service that is ready to start: its command, its API keys, and the call to make for each tool."""

    command: Sequence[str]
    keys: Sequence[str]
    calls: Mapping[str, Mapping[str, Any]]


@asynccontextmanager
async def deployment(kind: str, processes: int, brands: int) -> AsyncGenerator[Deployment]:
    """Prepare a database with this many brands and return how to serve it. Everything is removed at the end."""
    with tempfile.TemporaryDirectory(prefix="seenby-bench-") as folder:
        async with DATABASES[kind](folder, "deployed") as place:
            environ = {"SEENBY_DATA_DIR": folder, "SEENBY_DATABASE_URL": place.url}
            if processes > 1:
                environ["SEENBY_REDIS_URL"] = REDIS
            async with open_service(Settings.from_environ(environ)) as service:
                built = await Builder(
                    service.database, market_of(brands), SEED, datetime.now(UTC).date()
                ).build()
                keys = await issue_keys(service, built.company_id)
                await service.database.refresh_statistics()
            yield Deployment(command(environ, processes), keys, calls(built))


def market_of(brands: int) -> Size:
    """Return a market of so many brands, four weeks long, of which a fifth is followed."""
    return Size("deployed", brands, Panel(10, 7, 28, 1), Panel(10, 3, 10, 3), max(1, brands // 5))


async def issue_keys(service: Service, company_id: str) -> tuple[str, ...]:
    """Store keys of a company; return them as their holders send them."""
    made = [
        make_api_key(service.api_key_signing, company_id, utc_now(), rate_limit=RATE_LIMIT)
        for _ in range(KEYS)
    ]
    async with service.database.operation() as operators:
        for key in made:
            await operators.api_keys.add(key.stored)
    return tuple(key.raw for key in made)


def calls(built: Built) -> dict[str, dict[str, Any]]:
    """Return what is asked of each tool: the cheapest read, a list, and three about the brand with most answers."""
    about = {"brandId": built.brands[0].id}
    return {
        "get_credits": {},
        "list_brand_profiles": {},
        "get_ai_visibility_score": about,
        "get_brand_mentions": about,
        "get_brand_snapshot": about,
    }


def command(environ: Mapping[str, str], processes: int) -> Sequence[str]:
    """Return the command that serves on `{port}`."""
    return (
        "env",
        *(f"{name}={value}" for name, value in environ.items()),
        "SEENBY_LOG_FORMAT=json",
        str(Path(sys.executable).with_name("seenby")),
        "serve",
        "--port",
        "{port}",
        "--workers",
        str(processes),
    )
