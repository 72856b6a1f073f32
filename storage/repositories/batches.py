"""Run batches: what was planned, who is asking it, and how far it came."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    Executable,
    and_,
    bindparam,
    func,
    insert,
    select,
    update,
)

from storage.errors import RowGone
from storage.filters import MembershipFilter
from storage.ids import new_id
from storage.queries import Query, QuerySession, plain
from storage.repositories.asks import AskRepository, Progress, tally
from storage.repositories.locks import brand_lock
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.prompts import asks, prompt_sets, run_batches, simulations
from storage.tables.results import score_calculations


@dataclass(frozen=True, slots=True)
class BatchRow:
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
    country: str = ""
    """Empty where no country is sent to the engine."""
    not_supported: tuple[str, ...] = ()
    """What of its place is asked for and the engine has no field for."""


@dataclass(frozen=True, slots=True)
class SimulationChannel:
    """Where one simulation of a batch asks."""

    key: int
    platform: str
    mode: str
    country: str

    @property
    def channel(self) -> tuple[str, str, str]:
        """Platform, mode and country."""
        return self.platform, self.mode, self.country


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


OURS = run_batches.c.company_id == bindparam("company_id")
FROM_SET = select(*row_columns(BatchRow, run_batches, prompt_set_id=prompt_sets.c.id)).outerjoin(
    prompt_sets, prompt_sets.c.key == run_batches.c.prompt_set_key
)
RUNNING = Query(
    FROM_SET.where(
        OURS,
        run_batches.c.brand_key == bindparam("brand_key"),
        run_batches.c.status == "running",
        run_batches.c.plan_sha256 == bindparam("plan_sha256"),
    ),
    BatchRow,
)
BY_KEY = Query(FROM_SET.where(OURS, run_batches.c.key == bindparam("key")), BatchRow)
BY_ID = Query(FROM_SET.where(OURS, run_batches.c.id == bindparam("id")), BatchRow)
SUCCESSFUL = Query(
    FROM_SET.where(
        OURS,
        run_batches.c.brand_key == bindparam("brand_key"),
        run_batches.c.status == "success",
        run_batches.c.finished_at <= bindparam("until", type_=run_batches.c.finished_at.type),
    )
    .order_by(run_batches.c.finished_at.desc(), run_batches.c.key.desc())
    .limit(bindparam("limit")),
    BatchRow,
)
UNCALCULATED = Query(
    FROM_SET.outerjoin(
        score_calculations,
        and_(
            score_calculations.c.batch_key == run_batches.c.key,
            score_calculations.c.revision_key == bindparam("revision_key"),
        ),
    )
    .where(
        OURS,
        run_batches.c.brand_key == bindparam("brand_key"),
        run_batches.c.status == "success",
        score_calculations.c.key.is_(None),
    )
    .order_by(run_batches.c.finished_at, run_batches.c.key),
    BatchRow,
)

OF_IDS = Query(
    FROM_SET.where(OURS, MembershipFilter(run_batches.c.id, "ids")).order_by(run_batches.c.key), BatchRow
)
KNOWN = Query(select(run_batches.c.id).where(OURS, MembershipFilter(run_batches.c.id, "ids")), str)
UNFINISHED = Query(
    select(
        run_batches.c.id,
        brands.c.name,
        run_batches.c.source,
        run_batches.c.created_at,
        func.count(asks.c.key),
        tally("stored"),
        tally("failed"),
    )
    .select_from(run_batches)
    .join(brands, brands.c.key == run_batches.c.brand_key)
    .join(simulations, simulations.c.batch_key == run_batches.c.key)
    .join(asks, asks.c.simulation_key == simulations.c.key)
    .where(OURS, run_batches.c.status == "running")
    .group_by(
        run_batches.c.key, run_batches.c.id, brands.c.name, run_batches.c.source, run_batches.c.created_at
    )
    .order_by(run_batches.c.key.desc()),
    BatchLine,
)

SIMULATIONS = Query(
    select(*row_columns(SimulationChannel, simulations)).where(
        simulations.c.company_id == bindparam("company_id"), simulations.c.batch_key == bindparam("batch_key")
    ),
    SimulationChannel,
)

ABANDONED = (
    update(run_batches)
    .where(run_batches.c.company_id == bindparam("owner"), run_batches.c.status == "running")
    .values(status=bindparam("ended"), finished_at=bindparam("now", type_=run_batches.c.finished_at.type))
    .returning(run_batches.c.key)
)
ABANDON_RUN = ABANDONED.where(run_batches.c.run_key == bindparam("run"))
ABANDON_PROBES = ABANDONED.where(
    run_batches.c.brand_key == bindparam("brand"), run_batches.c.source == "probe"
)


ASK_KEYS = Query(
    select(asks.c.ask_key, asks.c.key).where(
        asks.c.company_id == bindparam("company_id"), MembershipFilter(asks.c.ask_key, "ask_keys")
    ),
    plain,
)


class BatchRepository(Repository):
    """The run batches of one company, from plan to end."""

    def __init__(self, session: QuerySession, company_id: str) -> None:
        super().__init__(session, company_id)
        self._asks = AskRepository(session, company_id)

    async def lock(self, brand_key: int) -> None:
        """Let one transaction at a time plan or publish for this brand, until the transaction ends.

        Raises RowGone for a brand that was deleted meanwhile.
        """
        if (await self._write(brand_lock(self.company_id, brand_key))).first() is None:
            raise RowGone

    async def running(self, brand_key: int, plan_sha256: str) -> BatchRow | None:
        """Return the unfinished batch of the same plan."""
        return await self._first(RUNNING, brand_key=brand_key, plan_sha256=plan_sha256)

    async def named(self, batch_id: str) -> BatchRow | None:
        """Return the batch of this identifier."""
        return await self._first(BY_ID, id=batch_id)

    async def known(self, batch_ids: Sequence[str]) -> set[str]:
        """Return those of these identifiers that name a batch."""
        return set(await self._all(KNOWN, ids=list(batch_ids)))

    async def find(self, key: int) -> BatchRow:
        """Return a batch that is known to exist. Raises RowGone for one that was deleted meanwhile."""
        batch = await self._first(BY_KEY, key=key)
        if batch is None:
            raise RowGone
        return batch

    async def of_ids(self, batch_ids: Sequence[str]) -> list[BatchRow]:
        """Return the batches of these identifiers, the oldest first."""
        return await self._all(OF_IDS, ids=list(batch_ids)) if batch_ids else []

    async def successful(self, brand_key: int, until: datetime, limit: int) -> list[BatchRow]:
        """Return the newest successful batches finished by `until`, newest first."""
        return await self._all(SUCCESSFUL, brand_key=brand_key, until=until, limit=limit)

    async def uncalculated(self, brand_key: int, revision_key: int) -> list[BatchRow]:
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
    ) -> BatchRow:
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
        await self._count_simulations(brand_key, len(plan))
        return await self.find(key)

    async def _count_simulations(self, brand_key: int, more: int) -> None:
        if more:
            brand = (brands.c.key == brand_key) & (brands.c.company_id == self.company_id)
            counted = {"simulations": brands.c.simulations + more}
            await self._write(update(brands).where(brand).values(counted))

    async def _open_simulation(
        self, batch_key: int, simulation: PlannedSimulation, source: str, owner: Mapping[str, object]
    ) -> None:
        fields = simulation_fields(batch_key, simulation, source)
        key = await self._insert(insert(simulations), {**owner, **fields})
        state = {"state": "planned"}
        await self._write(insert(asks), [{**row, **state} for row in self._ask_rows(key, simulation)])

    def _ask_rows(self, simulation_key: int, simulation: PlannedSimulation) -> list[dict[str, object]]:
        return [
            {
                "company_id": self.company_id,
                "simulation_key": simulation_key,
                "prompt_key": ask.prompt_key,
                "ask_key": ask.ask_key,
                "repeat": ask.repeat,
                "resent": 0,
                "possibly_billed": False,
            }
            for ask in simulation.asks
        ]

    async def add_answered(
        self, batch: BatchRow, plan: Sequence[PlannedSimulation], executor: str, now: datetime
    ) -> dict[str, int]:
        """Add asks that were answered elsewhere to a running batch, as stored; return their keys by their ask keys."""
        present = {
            simulation.channel: simulation.key
            for simulation in await self._all(SIMULATIONS, batch_key=batch.key)
        }
        owner = {"company_id": self.company_id, "brand_key": batch.brand_key, "created_at": now}
        answered = {"state": "stored", "claimed_by": executor, "sent_at": now, "settled_at": now}
        rows: list[dict[str, object]] = []
        opened = 0
        for simulation in plan:
            key = present.get((simulation.platform, simulation.mode, simulation.country))
            if key is None:
                opened += 1
                fields = simulation_fields(batch.key, simulation, batch.source)
                key = await self._insert(insert(simulations), {**owner, **fields})
            else:
                planned = simulations.c.planned + len(simulation.asks)
                await self._write(update(simulations).where(simulations.c.key == key).values(planned=planned))
            rows += [{**row, **answered} for row in self._ask_rows(key, simulation)]
        await self._count_simulations(batch.brand_key, opened)
        await self._write_all(insert(asks), rows)
        return dict(await self._all(ASK_KEYS, ask_keys=[row["ask_key"] for row in rows]))

    async def close(
        self, batch_key: int, status: str, outcomes: Sequence[tuple[Progress, str]], now: datetime
    ) -> bool:
        """Leave the running state; only the first caller does, and gets True."""
        closed = await self._write(
            update(run_batches)
            .where(
                run_batches.c.key == batch_key,
                run_batches.c.company_id == self.company_id,
                run_batches.c.status == "running",
            )
            .values(status=status, finished_at=now)
        )
        if closed.rowcount == 0:
            return False
        for progress, outcome in outcomes:
            await self._write(
                update(simulations)
                .where(simulations.c.key == progress.simulation_key)
                .values(status=outcome, answered=progress.stored, failed=progress.failed, finished_at=now)
            )
        return True

    async def abandon_run(self, run_key: int, status: str, now: datetime) -> None:
        """End what a run has not finished asking; its answers stay stored, and no number is made of them."""
        await self._abandon(ABANDON_RUN, {"run": run_key}, status, now)

    async def abandon_probes(self, brand_key: int, now: datetime) -> None:
        """Cancel what is asked about a brand, by runs or without one; what is being imported goes on."""
        await self._abandon(ABANDON_PROBES, {"brand": brand_key}, "cancelled", now)

    async def _abandon(
        self, statement: Executable, values: Mapping[str, object], status: str, now: datetime
    ) -> None:
        common = {"owner": self.company_id, "ended": status, "now": now}
        batches = list((await self._write(statement, {**values, **common})).scalars())
        if batches:
            batch_simulations = simulations.c.batch_key.in_(batches) & (
                simulations.c.company_id == self.company_id
            )
            await self._write(
                update(simulations).where(batch_simulations).values(status=status, finished_at=now)
            )

    async def cancel(self, batch_id: str, now: datetime) -> bool:
        """Leave the running state as cancelled; False when the batch is not running.

        Who is asking sees it before the next ask and stops. Answers stay for audit and count for nothing.
        """
        batch = await self._first(BY_ID, id=batch_id)
        if batch is None:
            return False
        ends = [(progress, "cancelled") for progress in await self._asks.progress(batch.key)]
        return await self.close(batch.key, "cancelled", ends, now)

    async def unfinished(self) -> list[BatchLine]:
        """Return the running batches of every brand, newest first."""
        return await self._all(UNFINISHED)


def simulation_fields(batch_key: int, simulation: PlannedSimulation, source: str) -> dict[str, object]:
    """Return the columns of a simulation that begins."""
    return {
        "id": new_id(),
        "batch_key": batch_key,
        "platform": simulation.platform,
        "mode": simulation.mode,
        "country": simulation.country,
        "not_supported": list(simulation.not_supported),
        "source": source,
        "status": "running",
        "custom_query": simulation.custom_query,
        "planned": len(simulation.asks),
        "answered": 0,
        "failed": 0,
    }
