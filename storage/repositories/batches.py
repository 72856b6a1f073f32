"""Run batches: what was planned, who is asking it, and how far it came."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    cast,
    exists,
    func,
    insert,
    select,
    update,
)

from storage.ids import new_id
from storage.queries import Listing, Query, plain
from storage.repositories.repository import Repository
from storage.tables.answers import channels
from storage.tables.brands import brands
from storage.tables.prompts import asks, prompt_sets, prompts, run_batches, simulations
from storage.tables.results import score_calculations


@dataclass(frozen=True, slots=True)
class Batch:
    """All simulations that were started together."""

    key: int
    id: str
    brand_key: int
    source: str
    status: str
    prompt_set_id: str | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class PlannedAsk:
    """One question to be asked once; the ask key is unique in the whole database."""

    prompt_key: int
    ask_key: str
    repeat: int


@dataclass(frozen=True, slots=True)
class PlannedSimulation:
    """One asking session of one platform in one mode."""

    platform: str
    mode: str
    custom_query: str | None
    asks: tuple[PlannedAsk, ...]


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """An ask that waits to be sent, with what its engine must know."""

    key: int
    ask_key: str
    simulation_key: int
    prompt_key: int
    platform: str
    mode: str
    text: str
    language: str | None


@dataclass(frozen=True, slots=True)
class Progress:
    """How many asks of one simulation stand where."""

    simulation_key: int
    platform: str
    mode: str
    planned: int
    sent: int
    stored: int
    failed: int

    @property
    def total(self) -> int:
        """All asks of the simulation."""
        return self.planned + self.sent + self.stored + self.failed


@dataclass(frozen=True, slots=True)
class BatchLine:
    """One unfinished batch as a list shows it."""

    id: str
    brand_name: str
    source: str
    created_at: datetime
    asks: int
    stored: int
    failed: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """One asking session as a list shows it."""

    id: str
    batch_id: str
    brand_id: str
    brand_name: str
    platform: str
    mode: str
    source: str
    status: str
    custom_query: str | None
    accuracy_score: int | None
    planned: int
    answered: int
    failed: int
    created_at: datetime
    finished_at: datetime | None


B, S, A, C = run_batches.c, simulations.c, asks.c, score_calculations.c
OURS = B.company_id == bindparam("company_id")
FROM_SET = select(
    B.key, B.id, B.brand_key, B.source, B.status, prompt_sets.c.id, B.created_at, B.finished_at
).outerjoin(prompt_sets, prompt_sets.c.key == B.prompt_set_key)
RUNNING = Query(
    FROM_SET.where(
        OURS,
        B.brand_key == bindparam("brand_key"),
        B.status == "running",
        B.plan_sha256 == bindparam("plan_sha256"),
    ),
    Batch,
)
BY_KEY = Query(FROM_SET.where(OURS, B.key == bindparam("key")), Batch)
BY_ID = Query(FROM_SET.where(OURS, B.id == bindparam("id")), Batch)
SUCCESSFUL = Query(
    FROM_SET.where(
        OURS,
        B.brand_key == bindparam("brand_key"),
        B.status == "success",
        B.finished_at <= bindparam("until", type_=B.finished_at.type),
    )
    .order_by(B.finished_at.desc(), B.key.desc())
    .limit(bindparam("limit")),
    Batch,
)
UNCALCULATED = Query(
    FROM_SET.outerjoin(
        score_calculations,
        and_(C.batch_key == B.key, C.revision_key == bindparam("revision_key")),
    )
    .where(OURS, B.brand_key == bindparam("brand_key"), B.status == "success", C.key.is_(None))
    .order_by(B.finished_at, B.key),
    Batch,
)

WAITING = (A.state == "planned") | ((A.state == "sent") & A.claimed_by.is_(None))
OPEN = Query(
    select(
        A.key,
        A.ask_key,
        A.simulation_key,
        A.prompt_key,
        S.platform,
        S.mode,
        prompts.c.text,
        prompts.c.language,
    )
    .join(simulations, S.key == A.simulation_key)
    .join(prompts, prompts.c.key == A.prompt_key)
    .where(S.company_id == bindparam("company_id"), S.batch_key == bindparam("batch_key"), WAITING)
    .order_by(A.ask_key),
    OpenAsk,
)
CLAIMANTS = Query(
    select(A.claimed_by)
    .distinct()
    .join(simulations, S.key == A.simulation_key)
    .where(
        S.company_id == bindparam("company_id"),
        S.batch_key == bindparam("batch_key"),
        A.state == "sent",
        A.claimed_by.is_not(None),
    ),
    str,
)


def tally(state: str) -> ColumnElement[int]:
    """Count the asks of one state."""
    return func.coalesce(func.sum(case((A.state == state, 1), else_=0)), 0)


PROGRESS = Query(
    select(S.key, S.platform, S.mode, tally("planned"), tally("sent"), tally("stored"), tally("failed"))
    .join(asks, A.simulation_key == S.key)
    .where(S.company_id == bindparam("company_id"), S.batch_key == bindparam("batch_key"))
    .group_by(S.key, S.platform, S.mode)
    .order_by(S.key),
    Progress,
)
ERRORS = Query(
    select(S.platform, A.error_code, A.error_message, func.count())
    .join(simulations, S.key == A.simulation_key)
    .where(
        S.company_id == bindparam("company_id"), S.batch_key == bindparam("batch_key"), A.state == "failed"
    )
    .group_by(S.platform, A.error_code, A.error_message)
    .order_by(func.count().desc()),
    plain,
)

UNFINISHED = Query(
    select(B.id, brands.c.name, B.source, B.created_at, func.count(A.key), tally("stored"), tally("failed"))
    .select_from(run_batches)
    .join(brands, brands.c.key == B.brand_key)
    .join(simulations, S.batch_key == B.key)
    .join(asks, A.simulation_key == S.key)
    .where(OURS, B.status == "running")
    .group_by(B.key, B.id, brands.c.name, B.source, B.created_at)
    .order_by(B.key.desc()),
    BatchLine,
)

OURS_LISTED = S.company_id == bindparam("company_id")
OF_BRAND = S.brand_key == bindparam("brand_key")


def newest_first(*chosen: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Skip to the page in the index alone, and look up only the sessions that are on it."""
    page = (
        select(S.key)
        .where(*chosen)
        .order_by(S.created_at.desc(), S.key.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery()
    )
    return (
        select(
            S.id,
            B.id,
            brands.c.id,
            brands.c.name,
            S.platform,
            S.mode,
            S.source,
            S.status,
            S.custom_query,
            S.accuracy_score,
            S.planned,
            S.answered,
            S.failed,
            S.created_at,
            S.finished_at,
        )
        .select_from(page)
        .join(simulations, S.key == page.c.key)
        .join(run_batches, B.key == S.batch_key)
        .join(brands, brands.c.key == S.brand_key)
        .order_by(S.created_at.desc(), S.key.desc())
    )


COUNTED = select(cast(func.coalesce(func.sum(brands.c.simulations), 0), BigInteger)).where(
    brands.c.company_id == bindparam("company_id")
)
SIMULATIONS = Listing(newest_first(OURS_LISTED), COUNTED, Simulation, brief=True)
BRAND_SIMULATIONS = Listing(
    newest_first(OURS_LISTED, OF_BRAND),
    COUNTED.where(brands.c.key == bindparam("brand_key")),
    Simulation,
    brief=True,
)

CHANNEL = Query(
    select(channels.c.key).where(
        channels.c.platform == bindparam("platform"),
        channels.c.mode == bindparam("mode"),
        channels.c.source == bindparam("source"),
    ),
    int,
)

ABANDON_RUN = (
    update(run_batches)
    .where(B.run_key == bindparam("run"), B.company_id == bindparam("owner"), B.status == "running")
    .values(status=bindparam("ended"), finished_at=bindparam("now", type_=B.finished_at.type))
    .returning(B.key)
)


class Batches(Repository):
    """The run batches of one company with their simulations and asks."""

    async def lock(self, brand_key: int) -> None:
        """Let one transaction at a time plan or publish for this brand, until the transaction ends."""
        row = select(brands.c.key).where(brands.c.key == brand_key, brands.c.company_id == self.company_id)
        await self._write(row.with_for_update())

    async def running(self, brand_key: int, plan_sha256: str) -> Batch | None:
        """Return the unfinished batch of the same plan."""
        return await self._first(RUNNING, brand_key=brand_key, plan_sha256=plan_sha256)

    async def named(self, batch_id: str) -> Batch | None:
        """Return the batch of this identifier."""
        return await self._first(BY_ID, id=batch_id)

    async def find(self, key: int) -> Batch:
        """Return a batch that is known to exist."""
        found = await self._first(BY_KEY, key=key)
        assert found is not None
        return found

    async def successful(self, brand_key: int, until: datetime, limit: int) -> list[Batch]:
        """Return the newest successful batches finished by `until`, newest first."""
        return await self._all(SUCCESSFUL, brand_key=brand_key, until=until, limit=limit)

    async def uncalculated(self, brand_key: int, revision_key: int) -> list[Batch]:
        """Return the successful batches that this revision has no calculation of, oldest first."""
        return await self._all(UNCALCULATED, brand_key=brand_key, revision_key=revision_key)

    async def open(
        self,
        batch_id: str,
        brand_key: int,
        plan: Sequence[PlannedSimulation],
        *,
        source: str,
        plan_sha256: str,
        prompt_set: tuple[int, int] | None,
        now: datetime,
        run_key: int | None = None,
    ) -> Batch:
        """Store a plan: the batch, its simulations and every ask as `planned`.

        `prompt_set` is the key and the version of the set that is asked; a batch of a run ends with it.
        """
        owner = {"company_id": self.company_id, "brand_key": brand_key, "created_at": now}
        batch = {"id": batch_id, "source": source, "status": "running", "plan_sha256": plan_sha256}
        set_key, version = prompt_set or (None, None)
        key = await self._insert(
            insert(run_batches),
            {
                **owner,
                **batch,
                "prompt_set_key": set_key,
                "prompt_set_version": version,
                "run_key": run_key,
            },
        )
        for simulation in plan:
            await self._open_simulation(key, simulation, source, owner)
        more = {"simulations": brands.c.simulations + len(plan)}
        brand = (brands.c.key == brand_key) & (brands.c.company_id == self.company_id)
        await self._write(update(brands).where(brand).values(more))
        return await self.find(key)

    async def _open_simulation(
        self, batch_key: int, simulation: PlannedSimulation, source: str, owner: Mapping[str, object]
    ) -> None:
        fields = {
            "id": new_id(),
            "batch_key": batch_key,
            "platform": simulation.platform,
            "mode": simulation.mode,
            "source": source,
            "status": "running",
            "custom_query": simulation.custom_query,
            "planned": len(simulation.asks),
            "answered": 0,
            "failed": 0,
        }
        key = await self._insert(insert(simulations), {**owner, **fields})
        state = {"state": "planned", "resent": 0, "possibly_billed": False}
        rows = [
            {
                "company_id": self.company_id,
                "simulation_key": key,
                "prompt_key": ask.prompt_key,
                "ask_key": ask.ask_key,
                "repeat": ask.repeat,
                **state,
            }
            for ask in simulation.asks
        ]
        await self._write(insert(asks), rows)

    async def waiting(self, batch_key: int) -> list[OpenAsk]:
        """Return the asks that nobody is asking now, in an order that the ask keys shuffle."""
        return await self._all(OPEN, batch_key=batch_key)

    async def claimants(self, batch_key: int) -> list[str]:
        """Return who holds asks of this batch that are on their way."""
        return await self._all(CLAIMANTS, batch_key=batch_key)

    async def release(self, batch_key: int, executors: Sequence[str]) -> None:
        """Take back asks whose executors are gone; they may be billed and will be sent again."""
        theirs = select(S.key).where(S.batch_key == batch_key, S.company_id == self.company_id)
        lost = (A.simulation_key.in_(theirs)) & (A.state == "sent") & (A.claimed_by.in_(executors))
        await self._write(update(asks).where(lost).values(claimed_by=None, possibly_billed=True))

    async def claim(self, ask: OpenAsk, executor: str, now: datetime) -> bool:
        """Take one ask before it is sent; False when somebody else has it, it is settled or its batch is."""
        again = case((A.state == "sent", A.resent + 1), else_=A.resent)
        running = (
            select(S.key)
            .join(run_batches, B.key == S.batch_key)
            .where(S.key == ask.simulation_key, B.status == "running")
        )
        taken = await self._write(
            update(asks)
            .where(A.key == ask.key, A.company_id == self.company_id, WAITING, exists(running))
            .values(state="sent", claimed_by=executor, sent_at=now, resent=again)
        )
        return taken.rowcount == 1

    async def settle(self, ask: OpenAsk, executor: str, now: datetime) -> bool:
        """Mark an ask as stored; False when this executor does not hold it any more."""
        done = await self._write(
            update(asks)
            .where(A.key == ask.key, A.state == "sent", A.claimed_by == executor)
            .values(state="stored", settled_at=now)
        )
        return done.rowcount == 1

    async def settle_all(self, waiting: Sequence[OpenAsk], executor: str, now: datetime) -> set[int]:
        """Mark asks that were answered elsewhere as stored, unless somebody has them; return the keys of the rest."""
        mine = A.key.in_([ask.key for ask in waiting]) & (A.company_id == self.company_id) & WAITING
        done = {"state": "stored", "claimed_by": executor, "sent_at": now, "settled_at": now}
        taken = await self._write(update(asks).where(mine).values(done).returning(A.key))
        return set(taken.scalars())

    async def fail(
        self, ask: OpenAsk, executor: str, code: str, message: str, *, possibly_billed: bool, now: datetime
    ) -> None:
        """Mark an ask as failed, with a code and our words."""
        outcome = {"state": "failed", "error_code": code, "error_message": message, "settled_at": now}
        await self._write(
            update(asks)
            .where(A.key == ask.key, A.state == "sent", A.claimed_by == executor)
            .values({**outcome, "possibly_billed": A.possibly_billed | possibly_billed})
        )

    async def progress(self, batch_key: int) -> list[Progress]:
        """Return where each simulation stands."""
        return await self._all(PROGRESS, batch_key=batch_key)

    async def errors(self, batch_key: int) -> list[tuple[str, str, str, int]]:
        """Return the failures of a batch as (platform, code, message, how many)."""
        return await self._all(ERRORS, batch_key=batch_key)

    async def close(
        self, batch_key: int, status: str, outcomes: Sequence[tuple[Progress, str]], now: datetime
    ) -> bool:
        """Leave the running state; only the first caller does, and is told so by True."""
        closed = await self._write(
            update(run_batches)
            .where(B.key == batch_key, B.company_id == self.company_id, B.status == "running")
            .values(status=status, finished_at=now)
        )
        if closed.rowcount == 0:
            return False
        for progress, outcome in outcomes:
            await self._write(
                update(simulations)
                .where(S.key == progress.simulation_key)
                .values(status=outcome, answered=progress.stored, failed=progress.failed, finished_at=now)
            )
        return True

    async def abandon_run(self, run_key: int, status: str, now: datetime) -> None:
        """End what a run has not finished asking; its answers stay stored, and no number is made of them."""
        given = {"run": run_key, "owner": self.company_id, "ended": status, "now": now}
        batches = list((await self._write(ABANDON_RUN, given)).scalars())
        if batches:
            theirs = S.batch_key.in_(batches) & (S.company_id == self.company_id)
            await self._write(update(simulations).where(theirs).values(status=status, finished_at=now))

    async def cancel(self, batch_id: str, now: datetime) -> bool:
        """Leave the running state as cancelled; False when the batch is not running.

        Who is asking sees it before the next ask and stops. Answers stay for audit and count for nothing.
        """
        found = await self._first(BY_ID, id=batch_id)
        if found is None:
            return False
        ends = [(one, "cancelled") for one in await self.progress(found.key)]
        return await self.close(found.key, "cancelled", ends, now)

    async def abandon(self, batch_key: int, executor: str, now: datetime) -> None:
        """Mark what an executor had on its way as cancelled and possibly billed."""
        theirs = select(S.key).where(S.batch_key == batch_key, S.company_id == self.company_id)
        mine = (A.simulation_key.in_(theirs)) & (A.state == "sent") & (A.claimed_by == executor)
        end = {"state": "failed", "error_code": "cancelled", "error_message": "The run was cancelled."}
        await self._write(update(asks).where(mine).values(**end, possibly_billed=True, settled_at=now))

    async def unfinished(self) -> list[BatchLine]:
        """Return the running batches of every brand, newest first."""
        return await self._all(UNFINISHED)

    async def simulations(
        self, brand_key: int | None, limit: int, offset: int
    ) -> tuple[list[Simulation], int]:
        """Return one page of asking sessions, newest first, and how many there are."""
        if brand_key is None:
            return await self._page(SIMULATIONS, limit=limit, offset=offset)
        return await self._page(BRAND_SIMULATIONS, brand_key=brand_key, limit=limit, offset=offset)

    async def channel(self, platform: str, mode: str, source: str) -> int:
        """Return the key of a channel, making it when it is new."""
        values = {"platform": platform, "mode": mode, "source": source}
        found = await self._first(CHANNEL, **values)
        if found is None:
            await self._write(self._insert_or_ignore(channels), values)
            found = await self._first(CHANNEL, **values)
            assert found is not None
        return found
