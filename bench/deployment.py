"""The real service for a measurement: `seenby serve` over a database of fifty brands, with many real keys."""

import asyncio
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bench.http import Service
from measurement.clock import utc_now
from oauth.api_keys import make_api_key
from server.service import open_service
from server.settings import Settings
from storage.repositories.brands import AliasRow, BrandDraft

BRANDS = 50
KEYS = 1500
RATE_LIMIT = 600
TOOL = "get_dashboard_overview"


@contextmanager
def deployment(tool: str = TOOL) -> Generator[Service]:
    """Prepare a folder with synthetic brands and keys, and say how to serve it; the folder goes at the end."""
    with tempfile.TemporaryDirectory(prefix="seenby-bench-") as folder:
        environ = {"SEENBY_DATA_DIR": folder}
        keys = asyncio.run(fill(Settings.from_environ(environ)))
        command = (
            "env",
            f"SEENBY_DATA_DIR={folder}",
            "SEENBY_LOG_FORMAT=json",
            str(Path(sys.executable).with_name("seenby")),
            "serve",
            "--port",
            "{port}",
        )
        yield Service(command=command, keys=keys, tool=tool)


async def fill(settings: Settings) -> tuple[str, ...]:
    """Store one company with synthetic brands and its keys; return the raw keys."""
    now = utc_now()
    async with open_service(settings) as service:
        async with service.database.operation() as operators:
            company = await operators.companies.create("Synthetic company", "bench@example.com", "scale", now)
            made = [
                make_api_key(service.api_key_signing, company.id, now, rate_limit=RATE_LIMIT)
                for _ in range(KEYS)
            ]
            for key in made:
                await operators.api_keys.add(key.stored)
        async with service.database.transaction(company.id) as workspace:
            for number in range(BRANDS):
                profile = {
                    "industry": "cars",
                    "website": f"https://brand{number}.example/",
                    "voice": None,
                    "keywords": ["car"],
                    "target_audience": None,
                }
                name = f"Synthetic brand {number}"
                draft = BrandDraft(name, (AliasRow(name),), (f"brand{number}.example",))
                await workspace.brands.save(draft, [], profile, now)
    return tuple(key.raw for key in made)
