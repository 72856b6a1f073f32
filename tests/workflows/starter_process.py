"""A process that serves calls: at a word on its input it starts as many runs at once, and prints what it was told."""

import asyncio
import json
import sys
from datetime import UTC, datetime

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.planning.engine_keys import EngineKeys
from oauth.principal import Caller, Principal, Scope
from oauth.sealing import Seal
from storage.database import Database
from storage.ids import new_id
from tools.calls.call import WorkspaceOpener
from tools.calls.dispatch import Dispatcher, Success
from tools.calls.rate_limits import MemoryWindows, RateLimits
from tools.catalog import tool_table
from workflows.engine.run_engine import RunEngine
from workflows.pricing import Pricing
from workflows.runs import RunService


def now() -> datetime:
    return datetime.now(UTC)


async def main(url: str, company_id: str, calls: int) -> None:
    database = await Database.open(url)
    engine = RunEngine(database, now)
    await engine.open()

    keys = EngineKeys(database, Registry(EngineSettings()), Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
    desk = RunService(engine, Pricing(keys))
    dispatcher = Dispatcher(
        tool_table(), RateLimits(MemoryWindows()), WorkspaceOpener(database), now=now, run_desk=desk
    )

    async def start() -> str:
        principal = Principal(company_id, f"key:{new_id()}", frozenset({Scope.WRITE}))
        arguments = {"workflowId": "content_refresh"}
        started = await dispatcher.call("run_workflow", arguments, Caller(principal, "192.0.2.1"))
        return "started" if isinstance(started, Success) else started.message

    print("ready", flush=True)  # noqa: T201 # what the test reads
    await asyncio.to_thread(sys.stdin.readline)
    print(json.dumps(await asyncio.gather(*(start() for _ in range(calls)))))  # noqa: T201
    await engine.close()
    await database.close()


asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
