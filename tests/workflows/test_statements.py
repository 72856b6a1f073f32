"""An operator grants credits for a month, and every credit of it stands in a statement with the run it went to."""

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from measurement.errors import WorkError
from server.cli.companies import grant, statement
from server.cli.output import Output
from server.cli.session import Session, find_company
from server.database import open_database
from server.settings import Settings
from tests.workflows.conftest import House
from workflows.agents.agent import Result, Work
from workflows.errors import AgentFailed


async def unfit(work: Work) -> Result:
    raise AgentFailed("no_input")


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
async def test_a_grant_adds_to_the_month_and_the_statement_accounts_for_each_run(
    address: str, house: House, tmp_path: Path
) -> None:
    environ = {"SEENBY_DATABASE_URL": address, "SEENBY_DATA_DIR": str(tmp_path)}
    printed = StringIO()
    settings = Settings.from_environ(environ)
    async with open_database(settings) as database:
        session = Session(settings, database, Output(True), owner=await find_company(database, None))
        with pytest.raises(WorkError):
            await grant(session, 0)
        with redirect_stdout(printed):
            await grant(session, 100)
        assert json.loads(printed.getvalue())["available"] == 500
        async with house.working({"fact_guard": unfit}):
            run_id = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
            await house.ended(run_id)
        have = await house.call("get_credits")
        fields = ("monthlyLimit", "granted", "available", "reserved", "usedThisMonth")
        assert [have[name] for name in fields] == [400, 100, 495, 0, 5]
        printed.truncate(printed.seek(0))
        with redirect_stdout(printed):
            await statement(session)
    lines = [
        (document["kind"], document["amount"], document["runId"])
        for document in json.loads(printed.getvalue())
    ]
    assert sorted(lines, key=lambda line: line[0]) == [
        ("grant", 100, None),
        ("refund", 1, run_id),
        ("reserve", 6, run_id),
        ("settle", 5, run_id),
    ]
