"""An operator grants credits for a month, and every credit of it stands in a statement with the run it went to."""

import json
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Protocol

import pytest

from server.commands.output import Output
from server.commands.tenants import credit_statement, grant_credits
from server.service import open_service
from server.settings import Settings
from storage.repositories.runs import Run
from workflows.agents.agent import Agent, Result, Work
from workflows.errors import AgentFailed, WorkError


class House(Protocol):
    async def call(self, tool: str, key: str | None = None, **arguments: Any) -> Any: ...
    def working(self, agents: Mapping[str, Agent] | None = None) -> AbstractAsyncContextManager[None]: ...
    async def ended(self, run_id: str) -> Run: ...


async def unfit(work: Work) -> Result:
    raise AgentFailed("no_input")


@pytest.mark.parametrize("address", ["sqlite"], indirect=True)
async def test_a_grant_adds_to_the_month_and_the_statement_accounts_for_each_run(
    address: str, house: House, tmp_path: Path
) -> None:
    environ = {"SEENBY_DATABASE_URL": address, "SEENBY_DATA_DIR": str(tmp_path)}
    printed = StringIO()
    async with open_service(Settings.from_environ(environ)) as service:
        with pytest.raises(WorkError):
            await grant_credits(service, Output(True), None, 0)
        with redirect_stdout(printed):
            await grant_credits(service, Output(True), None, 100)
        assert json.loads(printed.getvalue())["available"] == 500
        async with house.working({"fact_guard": unfit}):
            run_id = (await house.call("run_workflow", workflowId="content_refresh"))["runId"]
            await house.ended(run_id)
        have = await house.call("get_credits")
        told = ("monthlyLimit", "granted", "available", "reserved", "usedThisMonth")
        assert [have[name] for name in told] == [400, 100, 495, 0, 5]
        printed.truncate(printed.seek(0))
        with redirect_stdout(printed):
            await credit_statement(service, Output(True), None, None)
    lines = [(one["kind"], one["amount"], one["run_id"]) for one in json.loads(printed.getvalue())]
    assert sorted(lines, key=lambda line: line[0]) == [
        ("grant", 100, None),
        ("refund", 1, run_id),
        ("reserve", 6, run_id),
        ("settle", 5, run_id),
    ]
