"""A worker in a process of its own, to be killed: each of its agents asks the test's peer, and waits for the word."""

import asyncio
import json
import os
import sys
from datetime import UTC, datetime

from engines.registry import Registry
from engines.settings import EngineSettings
from measurement.asking.probe import Prober
from measurement.planning.engine_keys import EngineKeys
from measurement.publication.publish import Publisher
from oauth.sealing import Seal
from storage.database import Database
from workflows.agents.agent import Agent, Result, Work
from workflows.definitions import AGENT_KINDS
from workflows.engine.run_engine import RunEngine
from workflows.errors import AgentFailed
from workflows.run_executor import Executor


def now() -> datetime:
    return datetime.now(UTC)


def asking(agent: str, port: int) -> Agent:
    async def ask(work: Work) -> Result:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        try:
            asked = [work.run_id, work.workspace.company_id, agent, os.getpid()]
            writer.write(json.dumps(asked).encode() + b"\n")
            word = (await reader.readline()).decode().strip()
        finally:
            writer.close()
        if word == "fail":
            raise AgentFailed("no_input")
        if word != "complete":
            raise ValueError(f"a defect: {word!r}")
        return Result(None, "It is done.")

    return ask


async def main(url: str, port: int) -> None:
    database = await Database.open(url)
    engine = RunEngine(database, now)
    agents = {agent: asking(agent, port) for agent in AGENT_KINDS}
    engines = Registry(EngineSettings())
    keys = EngineKeys(database, engines, Seal(b"0123456789abcdefghijklmnopqrstuvwxyz"))
    prober = Prober(database, engines, keys, Publisher(database, (), now), now)
    async with engine.working(Executor(database, agents, engines, prober, now)):
        await asyncio.Event().wait()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
