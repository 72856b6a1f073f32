"""An operator sees who executes runs, what waits and since when, and what was lost."""

import asyncio
import json
from contextlib import redirect_stdout
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

from server.cli.operations import doctor
from server.cli.output import Output
from server.cli.session import Session
from server.service import open_service
from server.settings import Settings
from storage.ids import new_id
from storage.repositories.runs.runs import RunDraft
from tests.workflows.conftest import PATIENCE, House
from workflows.agents.agent import Result, Work
from workflows.configurations import NO_CONFIGURATION, stored_configuration
from workflows.credits import period_of


async def test_doctor_tells_executors_queue_and_lost_runs(address: str, house: House, tmp_path: Path) -> None:
    environ = {"SEENBY_DATABASE_URL": address, "SEENBY_DATA_DIR": str(tmp_path)}

    async def told() -> dict[str, Any]:
        printed = StringIO()
        settings = Settings.from_environ(environ)
        async with open_service(settings) as service:
            with redirect_stdout(printed):
                await doctor(Session(settings, service.database, Output(True), service))
        return json.loads(printed.getvalue())["runs"]

    begun, over = asyncio.Event(), asyncio.Event()

    async def hold(work: Work) -> Result:
        begun.set()
        await over.wait()
        return Result(None, "It is done.")

    long_ago = datetime.now(UTC) - timedelta(hours=2)
    async with house.database.transaction(house.company_id) as workspace:
        brand = (await workspace.brands.all())[0]
        agents, month = (("fact_guard", 1),), period_of(long_ago)
        restored = RunDraft(
            new_id(),
            brand.key,
            "content_refresh",
            "normal",
            None,
            stored_configuration(NO_CONFIGURATION),
            month,
            agents,
        )
        await workspace.runs.open(restored, long_ago)
    await house.call("run_workflow", workflowId="content_refresh")
    runs = await told()
    assert runs.pop("oldestWaitSeconds") in range(7200, 7300)
    assert runs == {"executors": 0, "waiting": 2, "executing": 0, "withoutExecution": 1}
    async with house.working({"repository_auditor": hold}):
        async with asyncio.timeout(PATIENCE):
            await begun.wait()
        runs = await told()
        assert (runs["executors"], runs["executing"]) == (1, 1)
        over.set()
