"""Workflow runs: every statement that opens, moves and closes one, with its credits and idempotency keys."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Integer, and_, bindparam, case, cast, delete, func, insert, select, update

from storage.filters import OptionalCondition
from storage.queries import Listing, Query, plain
from storage.repositories.batches import BatchRepository
from storage.repositories.credits import CreditRepository
from storage.repositories.row_columns import row_columns
from storage.repositories.runs.run_agents import IS_COMPLETED, LIVE, RunAgentRepository
from storage.repository import Repository
from storage.tables.agents import agent_instances
from storage.tables.brands import brands
from storage.tables.runs import idempotency_keys, run_agents, workflow_runs


@dataclass(frozen=True, slots=True)
class RunDraft:
    """What a run is opened with; `agents` are (agent, price) in their order, a company's own workflow has a version."""

    id: str
    brand_key: int
    workflow: str
    priority: str
    context: str | None
    configuration: Mapping[str, Any]
    period: str
    agents: tuple[tuple[str, int], ...]
    instance: tuple[int, int] | None = None
    workflow_version: int | None = None

    @property
    def cost(self) -> int:
        """Credits that are reserved."""
        return sum(price for _, price in self.agents)


@dataclass(frozen=True, slots=True)
class Run:
    """One run with what its closing entered."""

    key: int
    id: str
    brand_id: str
    brand_name: str
    workflow: str
    instance_id: str | None
    instance_version: int | None
    status: str
    priority: str
    context: str | None
    configuration: Mapping[str, Any]
    cost: int
    period: str
    error_code: str | None
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    workflow_version: int | None

    @property
    def live(self) -> bool:
        """The run has not ended."""
        return self.status in LIVE


@dataclass(frozen=True, slots=True)
class AgentCounts:
    """How many agents a run has, how many have ended without being cancelled, and the price of the completed ones."""

    total: int
    ended: int
    completed_price: int


OURS = workflow_runs.c.company_id == bindparam("company_id")
RUN = (
    select(
        *row_columns(
            Run,
            workflow_runs,
            brand_id=brands.c.id,
            brand_name=brands.c.name,
            instance_id=agent_instances.c.id,
        )
    )
    .join(brands, brands.c.key == workflow_runs.c.brand_key)
    .outerjoin(agent_instances, agent_instances.c.key == workflow_runs.c.instance_key)
    .where(OURS)
)
BY_ID = Query(RUN.where(workflow_runs.c.id == bindparam("id")), Run, brief=True)
HELD = Query(
    RUN.where(workflow_runs.c.id == bindparam("id")).with_for_update(of=workflow_runs, key_share=True), Run
)
"""The lock lets rows be written that refer to the run, so that an agent that ends does not wait for a cancel."""
BY_STATUS = workflow_runs.c.status == bindparam("status")
BY_WORKFLOW = workflow_runs.c.workflow == bindparam("workflow")
COUNTED = select(func.count()).select_from(workflow_runs).where(OURS)
FILTERS = {(False, False): (), (True, False): (BY_STATUS,), (False, True): (BY_WORKFLOW,)} | {
    (True, True): (BY_STATUS, BY_WORKFLOW)
}
HAS_ENDED = and_(*(run_agents.c.status != status for status in ("pending", "running", "cancelled")))


def over_agents(value: Any) -> Any:
    """Return a value over the agents of each listed run."""
    return (
        select(value)
        .where(run_agents.c.run_key == workflow_runs.c.key)
        .correlate(workflow_runs)
        .scalar_subquery()
    )


def counted(*columns: Any) -> tuple[Run, AgentCounts]:
    """Build a run and the counts of its agents."""
    return Run(*columns[:-3]), AgentCounts(*columns[-3:])


LISTED = RUN.add_columns(
    over_agents(func.count()),
    over_agents(func.count(case((HAS_ENDED, 1)))),
    over_agents(func.coalesce(cast(func.sum(case((IS_COMPLETED, run_agents.c.price))), Integer), 0)),
)
PAGES = {
    choice: Listing(
        LISTED.where(*conditions)
        .order_by(workflow_runs.c.created_at.desc(), workflow_runs.c.key.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset")),
        COUNTED.where(*conditions),
        counted,
    )
    for choice, conditions in FILTERS.items()
}
IS_LIVE = (workflow_runs.c.status == "pending") | (workflow_runs.c.status == "running")
LIVE_COUNT = Query(COUNTED.where(IS_LIVE), int)
PLACE = func.row_number().over(
    partition_by=workflow_runs.c.workflow,
    order_by=(workflow_runs.c.created_at.desc(), workflow_runs.c.key.desc()),
)
COMPLETED = select(
    workflow_runs.c.workflow, workflow_runs.c.started_at, workflow_runs.c.finished_at, PLACE.label("place")
).where(OURS, workflow_runs.c.status == "completed", OptionalCondition(BY_WORKFLOW, "workflow"))
NEWEST_COMPLETED = COMPLETED.subquery("completed").c
DURATIONS = Query(
    select(NEWEST_COMPLETED.workflow, NEWEST_COMPLETED.started_at, NEWEST_COMPLETED.finished_at)
    .where(NEWEST_COMPLETED.place <= bindparam("most"))
    .order_by(NEWEST_COMPLETED.workflow, NEWEST_COMPLETED.place),
    plain,
)
ALIKE_LIVE = Query(
    COUNTED.where(
        IS_LIVE,
        BY_WORKFLOW,
        workflow_runs.c.brand_key == bindparam("brand_key"),
        workflow_runs.c.configuration == bindparam("configuration", type_=workflow_runs.c.configuration.type),
    ),
    int,
)
EQUAL_LIVE = Query(
    select(workflow_runs.c.id)
    .where(
        OURS,
        IS_LIVE,
        BY_WORKFLOW,
        workflow_runs.c.brand_key == bindparam("brand_key"),
        func.coalesce(workflow_runs.c.context, "") == bindparam("context"),
    )
    .order_by(workflow_runs.c.key.desc())
    .limit(1),
    str,
)
LIVE_OF_BRAND = Query(
    select(workflow_runs.c.id)
    .where(OURS, IS_LIVE, workflow_runs.c.brand_key == bindparam("brand_key"))
    .order_by(workflow_runs.c.key),
    str,
)
INSTANCE_LIVE = Query(
    COUNTED.where(
        IS_LIVE,
        workflow_runs.c.instance_key == bindparam("instance_key"),
        workflow_runs.c.brand_key == bindparam("brand_key"),
    ),
    int,
)
BEFORE = Query(
    select(workflow_runs.c.key)
    .join(brands, brands.c.key == workflow_runs.c.brand_key)
    .where(
        OURS,
        BY_WORKFLOW,
        brands.c.id == bindparam("brand_id"),
        workflow_runs.c.key < bindparam("run_key"),
        (workflow_runs.c.status == "completed") | (workflow_runs.c.status == "partial_complete"),
    )
    .order_by(workflow_runs.c.key.desc())
    .limit(1),
    int,
)
THIS_RUN = (workflow_runs.c.id == bindparam("run")) & (workflow_runs.c.company_id == bindparam("owner"))
NOW = bindparam("now", type_=workflow_runs.c.created_at.type)
BEGIN = (
    update(workflow_runs)
    .where(THIS_RUN, workflow_runs.c.status == "pending")
    .values(status="running", started_at=NOW)
)
CLOSE = (
    update(workflow_runs)
    .where(THIS_RUN, workflow_runs.c.status.in_(LIVE))
    .values(status=bindparam("ended"), finished_at=NOW, error_code=bindparam("code"))
    .returning(workflow_runs.c.key, workflow_runs.c.brand_key, workflow_runs.c.period, workflow_runs.c.cost)
)


class RunRepository(Repository):
    """The runs of one company. A run leaves its live states through `close` and nowhere else."""

    def __init__(self, session: Any, company_id: str) -> None:
        super().__init__(session, company_id)
        self._credits = CreditRepository(session, company_id)
        self._batches = BatchRepository(session, company_id)
        self._agents = RunAgentRepository(session, company_id)

    async def open(self, draft: RunDraft, now: datetime) -> None:
        """Store a pending run with its agents and reserve its price."""
        columns = (
            *("id", "brand_key", "workflow", "workflow_version", "priority", "context", "configuration"),
            *("period", "cost"),
        )
        values = {name: getattr(draft, name) for name in columns}
        instance_key, version = draft.instance or (None, None)
        own = {"company_id": self.company_id, "status": "pending", "created_at": now}
        key = await self._insert(
            insert(workflow_runs),
            {**values, **own, "instance_key": instance_key, "instance_version": version},
        )
        await self._write(
            insert(run_agents),
            [
                {
                    "run_key": key,
                    "company_id": self.company_id,
                    "agent": agent,
                    "position": position,
                    "price": price,
                    "status": "pending",
                    "attempts": 0,
                }
                for position, (agent, price) in enumerate(draft.agents)
            ],
        )
        await self._credits.enter(draft.period, key, "reserve", draft.cost, now)

    async def alongside(self, work: Callable[[Connection], object]) -> None:
        """Let other code write on this transaction's own connection, so that both are kept or neither."""
        connection = getattr(self._session, "connection", None)
        assert connection is not None, "needs a transaction"
        await connection.run_sync(work)

    async def live(self) -> int:
        """Return how many runs are pending or running."""
        return await self._first(LIVE_COUNT) or 0

    async def find(self, run_id: str) -> Run | None:
        """Return a run."""
        return await self._first(BY_ID, id=run_id.lower())

    async def page(
        self, status: str | None, workflow: str | None, limit: int, offset: int
    ) -> tuple[list[tuple[Run, AgentCounts]], int]:
        """Return one page of runs with the counts of their agents, newest first, and how many runs there are."""
        choice = (status is not None, workflow is not None)
        filters = {"status": status, "workflow": workflow}
        values = {name: value for name, value in filters.items() if value is not None}
        return await self._page(PAGES[choice], **values, limit=limit, offset=offset)

    async def before(self, run: Run) -> int | None:
        """Return the key of the newest finished run of the same workflow and brand that began before, or None."""
        return await self._first(BEFORE, workflow=run.workflow, brand_id=run.brand_id, run_key=run.key)

    async def durations(self, most: int, workflow: str | None = None) -> dict[str, list[float]]:
        """Return how many seconds the newest completed runs of each workflow, or of one, took: so many of each."""
        query = DURATIONS.of(() if workflow is None else ("workflow",))
        taken: dict[str, list[float]] = {}
        for name, started, finished in await self._all(query, most=most, workflow=workflow):
            taken.setdefault(name, []).append((finished - started).total_seconds())
        return taken

    async def alike(self, workflow: str, brand_key: int, configuration: Mapping[str, Any]) -> int:
        """Return how many runs of this kind, brand and configuration are pending or running."""
        values = {"workflow": workflow, "brand_key": brand_key, "configuration": configuration}
        return await self._first(ALIKE_LIVE, **values) or 0

    async def equal_live(self, workflow: str, brand_key: int, context: str | None) -> str | None:
        """Return the newest pending or running run of the same workflow, brand and context, if there is one."""
        return await self._first(EQUAL_LIVE, workflow=workflow, brand_key=brand_key, context=context or "")

    async def live_of_instance(self, instance_key: int, brand_key: int) -> int:
        """Return how many runs of a reusable agent for a brand are pending or running."""
        return await self._first(INSTANCE_LIVE, instance_key=instance_key, brand_key=brand_key) or 0

    async def live_of_brand(self, brand_key: int) -> list[str]:
        """Return the ids of the brand's runs that are pending or running."""
        return await self._all(LIVE_OF_BRAND, brand_key=brand_key)

    async def hold(self, run_id: str) -> Run | None:
        """Lock a run's row until the transaction ends and return the run as it stands then."""
        return await self._first(HELD, id=run_id.lower())

    async def begin(self, run_id: str, now: datetime) -> bool:
        """Move a pending run to running; True when it is running, also if it was before."""
        begun = await self._write(BEGIN, {"run": run_id, "owner": self.company_id, "now": now})
        if begun.rowcount:
            return True
        run = await self.find(run_id)
        return run is not None and run.status == "running"

    async def close(
        self, run_id: str, status: str, now: datetime, *, charged: bool, error_code: str | None = None
    ) -> bool:
        """Leave the live states; only the caller whose update hits the row moves the credits.

        With `charged` the completed agents are settled and the rest refunded, else all of it is refunded. Agents
        that have not ended are marked cancelled, or failed when the run failed; so is what they were asking.
        """
        ended = {"ended": status, "now": now, "code": error_code}
        closed = await self._write(CLOSE, {"run": run_id, "owner": self.company_id, **ended})
        run = closed.one_or_none()
        if run is None:
            return False
        agents = await self._agents.sum(run.key)
        spent = agents.price if charged else 0
        await self._credits.settle(run.period, run.key, spent, run.cost - spent, now)
        if agents.unfinished:
            left = "failed" if status == "failed" else "cancelled"
            await self._agents.leave(run.key, left, now, error_code)
        await self._batches.lock(run.brand_key)  # before its batches, as a publication of them does
        await self._batches.abandon_run(run.key, "cancelled" if status == "cancelled" else "failed", now)
        return True


REPEATED = Query(
    select(idempotency_keys.c.request_sha256, idempotency_keys.c.answer).where(
        idempotency_keys.c.company_id == bindparam("company_id"),
        idempotency_keys.c.key == bindparam("key"),
        idempotency_keys.c.created_at > bindparam("since", type_=idempotency_keys.c.created_at.type),
    ),
    plain,
)


class IdempotencyKeyRepository(Repository):
    """The idempotency keys of one company."""

    async def find(self, key: str, since: datetime) -> tuple[str, Any] | None:
        """Return the digest and the answer of the request that used this key after `since`."""
        return await self._first(REPEATED, key=key, since=since)

    async def remember(
        self, key: str, request_sha256: str, answer: Any, *, since: datetime, now: datetime
    ) -> None:
        """Keep an answer for requests that repeat the key; forget this company's keys older than `since`."""
        k = idempotency_keys.c
        await self._write(
            delete(idempotency_keys).where(k.company_id == self.company_id, k.created_at <= since)
        )
        values = {"key": key, "request_sha256": request_sha256, "answer": answer, "created_at": now}
        await self._write(insert(idempotency_keys), {**values, "company_id": self.company_id})

    async def claim(self, key: str, answer: Any, *, since: datetime, now: datetime) -> bool:
        """Keep a key before its request is worked on; False when it is taken. Keys older than `since` are deleted."""
        k = idempotency_keys.c
        await self._write(
            delete(idempotency_keys).where(k.company_id == self.company_id, k.created_at <= since)
        )
        values = {"key": key, "request_sha256": "", "answer": answer, "created_at": now}
        statement = self._insert_or_ignore(idempotency_keys)
        return (await self._write(statement, {**values, "company_id": self.company_id})).rowcount == 1

    async def settle(self, key: str, answer: Any) -> None:
        """Store what the request of a claimed key was answered."""
        k = idempotency_keys.c
        condition = (k.company_id == self.company_id) & (k.key == key)
        await self._write(update(idempotency_keys).where(condition).values(answer=answer))

    async def release(self, key: str) -> None:
        """Give a claimed key back, so that the request can be sent again."""
        k = idempotency_keys.c
        await self._write(delete(idempotency_keys).where(k.company_id == self.company_id, k.key == key))
