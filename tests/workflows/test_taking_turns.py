"""Processes on one SQLite file take turns: one executes runs while it lives, and the next one when it is killed."""

import asyncio
import json
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repositories.repository_items import ItemDraft
from tests.held_ports import held_port
from tests.workflows.conftest import PATIENCE, House, OpenHouse, Talker
from tests.workflows.judging import draft_well
from tests.zygote import AwaitedProcess, zygote

AT_ONCE = 3
"""The runs that the growth plan allows at once."""


@asynccontextmanager
async def process(folder: Path, talker: Talker, name: str, *options: str) -> AsyncGenerator[AwaitedProcess]:
    """Run a command of ours on the file until the block ends; the engine knows it by its name."""
    environment = {
        **os.environ,
        "SEENBY_DATABASE_URL": f"sqlite+aiosqlite:///{folder / 'seenby.db'}",
        "SEENBY_DATA_DIR": str(folder),
        "SEENBY_ENGINE_COMPATIBLE": json.dumps([talker.entry_under(name)]),
    }
    log = folder / f"{name}-{uuid4()}.log"
    made = AwaitedProcess(zygote().fork([name, *options], environment, log, log))
    try:
        yield made
    finally:
        if made.returncode is None:
            made.kill()
        await made.wait()


async def until(true: Callable[[], Awaitable[bool]]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not await true():
            await asyncio.sleep(0.05)


async def furnish(house: House) -> None:
    """Give the brand a text and a prompt that nothing covers, so that one draft is asked for."""
    async with house.database.transaction(house.company_id) as workspace:
        brand, now = (await workspace.brands.all())[0], datetime.now(UTC)
        item = ItemDraft("Oil", "We change the oil of every car while you wait. " * 20, "service")
        await workspace.repository_items.save(brand.key, [item], now)
        prompts = (PromptDraft("Which dealer repairs hybrid batteries?"),)
        await workspace.prompt_sets.save(brand.key, PromptSetDraft("base", prompts), now)


@pytest.fixture
def port() -> Generator[int]:
    with held_port() as held:
        yield held


async def test_a_second_process_waits_while_the_first_executes_and_goes_on_when_it_is_killed(
    tmp_path: Path, open_house: OpenHouse, talker: Talker, port: int
) -> None:
    talker.script = lambda asked: draft_well(asked, "We are happy to help.")
    talker.free = 0
    house = await open_house(f"sqlite+aiosqlite:///{tmp_path / 'seenby.db'}", talker.settings)
    await furnish(house)

    async def somebody_executes() -> bool:
        return (await house.engine.health()).workers == 1

    async with process(tmp_path, talker, "serve", "--port", str(port)) as server:
        await until(somebody_executes)
        async with process(tmp_path, talker, "worker") as worker:
            runs = [
                (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
                for _ in range(AT_ONCE)
            ]

            async def all_write() -> bool:
                return len(talker.paths) >= AT_ONCE

            await until(all_write)
            assert worker.returncode is None
            assert executing(talker) == ["serve"] * AT_ONCE
            server.kill()
            await server.wait()
            talker.let_go.set()
            for run_id in runs:
                assert (await house.ended(run_id)).status == "completed"
    # The worker asks for the drafts again, and then has each judged.
    assert executing(talker) == ["serve"] * AT_ONCE + ["worker"] * AT_ONCE * 2
    for run_id in runs:
        run_status = await house.call("get_run_status", runId=run_id)
        attempts = {agent["agent"]: agent["attempts"] for agent in run_status["agents"]}
        # What the first process had finished was not begun again.
        assert attempts.pop("content_writer") == 2
        assert set(attempts.values()) == {1}
    have = await house.call("get_credits")
    assert (have["available"], have["reserved"], have["usedThisMonth"]) == (382, 0, 18)


def executing(talker: Talker) -> list[str]:
    """Return the name of the process that asked, for each question."""
    return [path.split("/")[1] for path in talker.paths]
