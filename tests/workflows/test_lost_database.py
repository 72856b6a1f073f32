"""The database goes away for a while: callers are told so, and runs go on when it is back."""

import asyncio
import os
from collections.abc import AsyncGenerator

import pytest
from sqlalchemy import text

import storage.failures
from storage.database import Database
from storage.repositories.brands import BrandDraft
from storage.repositories.prompt_sets import PromptSetDraft
from storage.repositories.prompts import PromptDraft
from storage.repositories.runs.runs import Run
from tests.workflows.conftest import PATIENCE, PROFILE, OpenHouse, Talker, now, quick
from tests.workflows.fault_proxy import FaultProxy
from tools.calls.dispatch import Refusal
from tools.calls.errors import FORMS
from workflows.agents.agent import Result, Work
from workflows.agents.catalog import AGENTS
from workflows.definitions import AGENT_KINDS
from workflows.engine.run_engine import RunEngine
from workflows.run_executor import Executor

POSTGRES = 5432
STRIDE = int(os.environ.get("SEENBY_CUT_STRIDE", "150"))
"""A line is cut once in a measurement, at every so many pieces of its conversation; 1 takes half an hour."""
ONLY_SERVER = pytest.mark.parametrize("address", ["postgresql"], indirect=True)


@pytest.fixture
async def proxy() -> AsyncGenerator[FaultProxy]:
    made = FaultProxy(POSTGRES)
    await made.start()
    yield made
    await made.stop()


def through(proxy: FaultProxy, address: str) -> str:
    return address.replace(f":{POSTGRES}/", f":{proxy.port}/")


@ONLY_SERVER
async def test_a_call_while_the_database_is_away_is_told_to_be_repeated(
    address: str, open_house: OpenHouse, proxy: FaultProxy
) -> None:
    house = await open_house(through(proxy, address))
    assert (await house.call("get_credits"))["plan"] == "growth"
    proxy.refusing = True
    proxy.cut()
    for tool, arguments in (("get_credits", {}), ("run_workflow", {"workflowId": "content_refresh"})):
        refused = await house.call(tool, **arguments)
        assert isinstance(refused, Refusal)
        assert (FORMS[refused.cause].status, refused.code) == (503, "UNAVAILABLE")
        assert refused.message == f"Tool '{tool}' failed: the database does not answer"
    proxy.heal()
    async with asyncio.timeout(PATIENCE):
        while isinstance(await house.call("get_credits"), Refusal):
            await asyncio.sleep(0.1)


@ONLY_SERVER
async def test_an_agent_whose_database_goes_away_for_seconds_completes(
    address: str, open_house: OpenHouse, proxy: FaultProxy
) -> None:
    house = await open_house(through(proxy, address))
    tries = 0

    async def read(work: Work) -> Result:
        nonlocal tries
        tries += 1
        if tries == 1:
            proxy.refusing = True
            proxy.cut()
            asyncio.get_running_loop().call_later(2, proxy.heal)
        await work.workspace.brands.all()
        return Result(None, "It is done.")

    async with house.working({"repository_auditor": read}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        found = started
        async with asyncio.timeout(PATIENCE):
            while isinstance(found, Refusal) or found["status"] in ("pending", "running"):
                await asyncio.sleep(0.2)
                found = await house.call("get_run_status", runId=started["runId"])
        assert found["status"] == "completed", found["errors"]
    assert tries > 1


@ONLY_SERVER
async def test_a_standby_process_outlives_an_outage(
    address: str, open_house: OpenHouse, proxy: FaultProxy, caplog: pytest.LogCaptureFixture
) -> None:
    house, standing = await open_house(address), await open_house(through(proxy, address))
    executor = Executor(
        standing.database, dict.fromkeys(AGENT_KINDS, quick), standing.registry, standing.prober, now
    )
    engine = RunEngine(standing.database, now)
    async with engine.standing_by(lambda: executor):
        proxy.refusing = True
        proxy.cut()
        async with asyncio.timeout(PATIENCE):
            while "beginning to execute runs" not in caplog.text:
                await asyncio.sleep(0.05)
        proxy.heal()
        started = await house.call("run_workflow", workflowId="content_refresh")
        assert (await house.ended(started["runId"])).status == "completed"
    await engine.close()


@ONLY_SERVER
async def test_a_first_run_survives_a_database_outage_during_loading(
    address: str, open_house: OpenHouse, proxy: FaultProxy
) -> None:
    house, standing = await open_house(address), await open_house(through(proxy, address))

    def steps() -> Executor:
        nonlocal made
        made += 1
        proxy.refusing = made == 1
        if made == 1:
            loop.call_soon_threadsafe(proxy.cut)
        return Executor(
            standing.database, dict.fromkeys(AGENT_KINDS, quick), standing.registry, standing.prober, now
        )

    made, loop = 0, asyncio.get_running_loop()
    engine = RunEngine(standing.database, now)
    started = await house.call("run_workflow", workflowId="content_refresh")
    async with engine.standing_by(steps):
        async with asyncio.timeout(PATIENCE):
            while not proxy.refusing:
                await asyncio.sleep(0.05)
        loop.call_later(2, proxy.heal)
        assert (await house.ended(started["runId"])).status == "completed"
    assert made > 1
    await engine.close()


@ONLY_SERVER
@pytest.mark.timeout(4000 if STRIDE < 10 else 120)
async def test_a_cut_connection_leaves_each_answer_stored_once(
    address: str,
    open_house: OpenHouse,
    proxy: FaultProxy,
    talker: Talker,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(storage.failures, "LONG_PAUSES", (0.02, 0.1, 0.5, 2.0))
    talker.script = lambda asked: "1. Acme is known for that."
    house = await open_house(through(proxy, address), talker.settings)
    direct = await Database.open(address)  # what the test itself asks is not cut
    cuts, position, reached = 0, 0, True

    async def probe(work: Work) -> Result:
        nonlocal position
        if position:
            proxy.cut_after, position = position, 0
        return await AGENTS["answer_prober"](work)

    async with house.working({"answer_prober": probe}):
        while reached:
            house.company_id = await found_company(direct, cuts)
            position = at = 1 + cuts * STRIDE
            cuts += 1
            async with direct.transaction(house.company_id) as writing:
                started = await house.desk.start(writing, "competitive_scan", None, now=now())
            run = await ended(direct, house.company_id, started.run_id)
            reached, proxy.cut_after = proxy.cut_after is None, None
            agents = await direct.workspace(house.company_id).run_agents.all(run.key)
            codes = {agent.agent: agent.error_code for agent in agents if agent.error_code}
            assert (run.status, codes) == ("completed", {}), f"cut at {at}"
    async with direct.writing() as connection:
        stored = await connection.execute(text("SELECT count(*), count(DISTINCT ask_key) FROM answers"))
        assert stored.one() == (3 * cuts, 3 * cuts)
    await direct.close()
    assert cuts > 3


async def found_company(database: Database, number: int) -> str:
    """Make a company with a brand and one prompt set of one question; return its identifier."""
    async with database.operation() as operators:
        company = await operators.companies.create(
            f"cut-{number}", f"cut-{number}@example.com", "scale", now()
        )
    async with database.transaction(company.id) as workspace:
        brand = await workspace.brands.save(BrandDraft("Acme"), [], PROFILE, now())
        prompts = PromptSetDraft("Buyers", (PromptDraft("Which shop is worth its price?"),))
        await workspace.prompt_sets.save(brand.key, prompts, now())
    return company.id


@ONLY_SERVER
async def test_an_agent_whose_statement_is_ended_by_the_server_completes(
    address: str, open_house: OpenHouse
) -> None:
    house = await open_house(address)
    tries, was_ended = 0, asyncio.Event()

    async def read(work: Work) -> Result:
        nonlocal tries
        tries += 1
        if tries == 1:
            async with house.database.writing() as connection:
                await connection.execute(text("LOCK TABLE brands IN ACCESS EXCLUSIVE MODE"))
                reading = asyncio.create_task(work.workspace.brands.all())
                while not reading.done():  # other statements of this process may wait, and end, before it
                    await connection.execute(FORGET_WHAT_WAITED)
                    await connection.execute(END_WHAT_WAITS)
                    await asyncio.sleep(0.05)
            was_ended.set()
            await reading
        await work.workspace.brands.all()
        return Result(None, "It is done.")

    async with house.working({"repository_auditor": read}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await asyncio.wait_for(was_ended.wait(), 60)  # what is asked here would be ended too
        await house.ended(started["runId"], 60)
    status = await house.call("get_run_status", runId=started["runId"])
    assert (status["status"], status["errors"], tries) == ("completed", [], 2)


@ONLY_SERVER
async def test_an_agent_whose_database_has_a_full_disk_for_seconds_completes(
    address: str, open_house: OpenHouse
) -> None:
    house = await open_house(address)
    tries = 0

    async def write(work: Work) -> Result:
        nonlocal tries
        tries += 1
        if tries < 3:
            await refuse(house.database, "53100")
        return Result(None, "It is done.")

    async with house.working({"repository_auditor": write}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"], 60)
    status = await house.call("get_run_status", runId=started["runId"])
    assert (status["status"], status["errors"], tries) == ("completed", [], 3)


@ONLY_SERVER
@pytest.mark.parametrize(("refused", "told"), [("58030", "database_busy"), ("54000", "internal_error")])
async def test_a_full_disk_is_no_defect_and_a_bad_statement_is(
    address: str, open_house: OpenHouse, monkeypatch: pytest.MonkeyPatch, refused: str, told: str
) -> None:
    monkeypatch.setattr(storage.failures, "PAUSES", (0.01, 0.01))
    house = await open_house(address)

    async def write(work: Work) -> Result:
        await refuse(house.database, refused)
        return Result(None, "It is done.")

    async with house.working({"repository_auditor": write}):
        started = await house.call("run_workflow", workflowId="content_refresh")
        await house.ended(started["runId"], 60)
    status = await house.call("get_run_status", runId=started["runId"])
    assert [(error["agent"], error["code"]) for error in status["errors"]] == [("repository_auditor", told)]


async def ended(database: Database, company_id: str, run_id: str) -> Run:
    """Wait for a run's end beside the line that is cut."""
    async with asyncio.timeout(PATIENCE):
        while True:
            run = await database.workspace(company_id).runs.find(run_id)
            assert run is not None
            if not run.live:
                return run
            await asyncio.sleep(0.05)


async def refuse(database: Database, code: str) -> None:
    """Let the server fail as it does with one of its codes (appendix A of its manual)."""
    async with database.writing() as connection:
        await connection.exec_driver_sql(f"DO $$ BEGIN RAISE 'no words' USING ERRCODE = '{code}'; END $$")


FORGET_WHAT_WAITED = text("SELECT pg_stat_clear_snapshot()")
"""A transaction sees the activity of its first look at it until it ends, here one without the waiting statement."""
END_WHAT_WAITS = text(
    "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%brands%'"
)
