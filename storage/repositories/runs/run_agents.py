"""The agents of runs: start, progress, result, and the texts that engines wrote for them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, case, func, select, update

from storage.queries import Query, one_value, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.runs import run_agents, workflow_runs, written_texts

LIVE = ("pending", "running")


@dataclass(frozen=True, slots=True)
class RunAgent:
    """One agent of a run."""

    agent: str
    price: int
    status: str
    attempts: int
    done: int | None
    total: int | None
    summary: str | None
    error_code: str | None
    started_at: datetime | None
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class AgentTotals:
    """The price of a run's completed agents, and how many have not ended."""

    price: int
    unfinished: int


IS_COMPLETED = run_agents.c.status == "completed"
AGENTS = Query(
    select(*row_columns(RunAgent, run_agents))
    .where(run_agents.c.company_id == bindparam("company_id"), run_agents.c.run_key == bindparam("run_key"))
    .order_by(run_agents.c.position),
    RunAgent,
)

BEGAN = Query(
    select(run_agents.c.started_at).where(
        run_agents.c.company_id == bindparam("company_id"),
        run_agents.c.run_key == bindparam("run_key"),
        run_agents.c.agent == bindparam("agent"),
    ),
    one_value,
    brief=True,
)
OUTPUTS = Query(
    select(run_agents.c.agent, run_agents.c.output).where(
        run_agents.c.company_id == bindparam("company_id"),
        run_agents.c.run_key == bindparam("run_key"),
        run_agents.c.status == "completed",
    ),
    plain,
    brief=True,
)
IS_SUCCESS = (workflow_runs.c.status == "completed") | (workflow_runs.c.status == "partial_complete")
NEWEST_OF_AGENT = (
    select(run_agents.c.agent, func.max(run_agents.c.run_key).label("run_key"))
    .join(workflow_runs, workflow_runs.c.key == run_agents.c.run_key)
    .where(
        workflow_runs.c.company_id == bindparam("company_id"),
        workflow_runs.c.brand_key == bindparam("brand_key"),
        IS_COMPLETED,
        IS_SUCCESS,
    )
    .group_by(run_agents.c.agent)
    .subquery()
)
LATEST_OUTPUTS = Query(
    select(run_agents.c.agent, run_agents.c.output)
    .join(
        NEWEST_OF_AGENT,
        (NEWEST_OF_AGENT.c.run_key == run_agents.c.run_key) & (NEWEST_OF_AGENT.c.agent == run_agents.c.agent),
    )
    .where(run_agents.c.company_id == bindparam("company_id")),
    plain,
)
THIS_AGENT = (
    (run_agents.c.run_key == bindparam("run"))
    & (run_agents.c.agent == bindparam("one"))
    & (run_agents.c.company_id == bindparam("owner"))
)
NOW = bindparam("now", type_=run_agents.c.started_at.type)
GOES_ON = (
    select(workflow_runs.c.key)
    .where(
        workflow_runs.c.key == bindparam("run"),
        workflow_runs.c.company_id == bindparam("owner"),
        workflow_runs.c.status == "running",
    )
    .exists()
)
BEGIN_AGENT = (
    update(run_agents)
    .where(THIS_AGENT, run_agents.c.status.in_(LIVE), GOES_ON)
    .values(
        status="running",
        attempts=run_agents.c.attempts + 1,
        started_at=func.coalesce(run_agents.c.started_at, NOW),
    )
)
END_AGENT = (
    update(run_agents)
    .where(THIS_AGENT, run_agents.c.status.in_(LIVE))
    .values(
        status=bindparam("ended"),
        finished_at=NOW,
        summary=bindparam("sentence"),
        output=bindparam("given", type_=run_agents.c.output.type),
        error_code=bindparam("code"),
    )
)
OF_RUN = (run_agents.c.run_key == bindparam("run")) & (run_agents.c.company_id == bindparam("owner"))
ENDED_AGENTS = select(
    func.coalesce(func.sum(case((IS_COMPLETED, run_agents.c.price))), 0),
    func.count(case((run_agents.c.status.in_(LIVE), 1))),
).where(OF_RUN)
LEAVE_AGENTS = (
    update(run_agents)
    .where(OF_RUN, run_agents.c.status.in_(LIVE))
    .values(status=bindparam("ended"), finished_at=NOW, error_code=bindparam("code"))
)
AGENT_STATUS = select(run_agents.c.status).where(THIS_AGENT)


class RunAgentRepository(Repository):
    """The agents of one company's runs."""

    async def all(self, run_key: int) -> list[RunAgent]:
        """Return the agents of a run in their order."""
        return await self._all(AGENTS, run_key=run_key)

    async def began(self, run_key: int, agent: str) -> datetime | None:
        """Return when an agent of a run was begun first; None before that."""
        return await self._first(BEGAN, run_key=run_key, agent=agent)

    async def outputs(self, run_key: int) -> dict[str, Any]:
        """Return what the completed agents of a run gave."""
        return dict(await self._all(OUTPUTS, run_key=run_key))

    async def latest_outputs(self, brand_key: int) -> dict[str, Any]:
        """Return what each agent gave last in a successful run for a brand."""
        return dict(await self._all(LATEST_OUTPUTS, brand_key=brand_key))

    async def begin(self, run_key: int, agent: str, now: datetime) -> str:
        """Start an agent of a running run, or start it again; return `running`, or the end state that it has."""
        row = {"run": run_key, "one": agent, "owner": self.company_id}
        begun = await self._write(BEGIN_AGENT, {**row, "now": now})
        return "running" if begun.rowcount else await self.status(run_key, agent)

    async def status(self, run_key: int, agent: str) -> str:
        """Return an agent's state as this transaction sees it."""
        row = {"run": run_key, "one": agent, "owner": self.company_id}
        return str((await self._write(AGENT_STATUS, row)).scalar_one())

    async def advance(self, run_key: int, agent: str, done: int, total: int) -> None:
        """Say how far a running agent is."""
        row = (
            (run_agents.c.run_key == run_key)
            & (run_agents.c.agent == agent)
            & (run_agents.c.company_id == self.company_id)
        )
        await self._write(
            update(run_agents).where(row, run_agents.c.status == "running").values(done=done, total=total)
        )

    async def end(
        self,
        run_key: int,
        agent: str,
        status: str,
        now: datetime,
        *,
        summary: str | None = None,
        output: Any = None,
        error_code: str | None = None,
    ) -> bool:
        """End a live agent; False, and nothing is written, when it has ended before."""
        row = {"run": run_key, "one": agent, "owner": self.company_id}
        values = {"ended": status, "now": now, "sentence": summary, "given": output, "code": error_code}
        return (await self._write(END_AGENT, row | values)).rowcount == 1

    async def sum(self, run_key: int) -> AgentTotals:
        """Return what a run's agents amount to, as this transaction sees it."""
        totals = await self._write(ENDED_AGENTS, {"run": run_key, "owner": self.company_id})
        return AgentTotals(*(int(total) for total in totals.one()))

    async def leave(self, run_key: int, status: str, now: datetime, error_code: str | None) -> None:
        """End all agents of a run that have not ended."""
        ended = {"ended": status, "now": now, "code": error_code}
        await self._write(LEAVE_AGENTS, {"run": run_key, "owner": self.company_id, **ended})


@dataclass(frozen=True, slots=True)
class WrittenText:
    """What an engine wrote, and the model that was asked to."""

    text: str
    model: str


@dataclass(frozen=True, slots=True)
class WritingAsk:
    """Which question of an agent was asked; a changed question of the same number is another one."""

    run_key: int
    agent: str
    ordinal: int
    question_sha256: str


WRITTEN = Query(
    select(written_texts.c.text, written_texts.c.model).where(
        written_texts.c.company_id == bindparam("company_id"),
        written_texts.c.run_key == bindparam("run_key"),
        written_texts.c.agent == bindparam("agent"),
        written_texts.c.ordinal == bindparam("ordinal"),
        written_texts.c.question_sha256 == bindparam("question_sha256"),
    ),
    WrittenText,
    brief=True,
)


class WrittenTextRepository(Repository):
    """The texts that were written for one company's runs."""

    async def find(self, ask: WritingAsk) -> WrittenText | None:
        """Return what was written for an ask, or None."""
        return await self._first(
            WRITTEN,
            run_key=ask.run_key,
            agent=ask.agent,
            ordinal=ask.ordinal,
            question_sha256=ask.question_sha256,
        )

    async def keep(self, ask: WritingAsk, written: WrittenText) -> None:
        """Keep what was written, instead of what there was for another question of this number."""
        values = {
            "run_key": ask.run_key,
            "agent": ask.agent,
            "ordinal": ask.ordinal,
            "company_id": self.company_id,
            "question_sha256": ask.question_sha256,
            "text": written.text,
            "model": written.model,
        }
        changed = ("question_sha256", "text", "model")
        await self._write(self._insert_or_change(written_texts, *changed), values)
