"""What nobody needs any more goes by itself; what people look at stays."""

from datetime import UTC, datetime, timedelta

from server.retention import ReportSweep, RunRecordSweep, Sweeper
from tests.workflows.conftest import House


class Broken:
    async def sweep(self, now: datetime) -> int:
        raise ValueError("secret words of a driver")


async def test_the_engine_forgets_ended_runs_after_a_week_and_the_books_never(house: House) -> None:
    cancelled = await house.call("run_workflow", workflowId="content_refresh")
    await house.call("cancel_workflow_run", runId=cancelled["runId"])
    done = await house.call("run_workflow", workflowId="content_refresh")
    async with house.working():
        await house.ended(done["runId"])
    waiting = await house.call("run_workflow", workflowId="content_refresh")
    before = await house.call("list_workflow_runs")
    at = datetime.now(UTC)

    async def swept(now: datetime) -> int:
        sweeps = (Broken(), RunRecordSweep(house.engine), ReportSweep(house.database))
        return await Sweeper(sweeps, lambda: now).sweep()

    assert await swept(at + timedelta(days=7)) == 0
    assert await swept(at + timedelta(days=9)) == 2
    assert await swept(at + timedelta(days=9)) == 0
    assert await house.call("list_workflow_runs") == before
    async with house.working():
        assert (await house.ended(waiting["runId"])).status == "completed"
