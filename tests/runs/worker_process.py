"""A worker in a process of its own, to be killed: its agents take a moment and note each start in a file."""

import asyncio
import os
import sys
from datetime import UTC, datetime

from engines.registry import Registry
from engines.settings import EngineSettings
from oauth.sealing import Seal
from storage.database import Database
from workflows.agents.agent import Result, Work
from workflows.catalog import AGENT_KINDS
from workflows.engine import RunEngine
from workflows.engine_keys import EngineKeys
from workflows.executing import Executor
from workflows.probing import Prober
from workflows.publishing import Publisher


def now() -> datetime:
    return datetime.now(UTC)


async def main(url: str, notes: str) -> None:
    descriptor = os.open(notes, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    async def work(name: str, task: Work) -> Result:
        os.write(descriptor, f"{task.run_id} {name}\n".encode())
        await asyncio.sleep(0.05)
        return Result({}, "Done.")

    def named(name: str):
        async def agent(task: Work) -> Result:
            return await work(name, task)

        return agent

    database = await Database.open(url)
    await database.migrate()
    engine = RunEngine(database, now)
    await engine.open()
    engines = Registry(EngineSettings())
    keys = EngineKeys(database, engines, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
    prober = Prober(database, engines, keys, Publisher(database, (), now), now)
    executor = Executor(database, {name: named(name) for name in AGENT_KINDS}, engines, prober, now)
    async with engine.working(executor):
        await asyncio.Event().wait()


asyncio.run(main(sys.argv[1], sys.argv[2]))
