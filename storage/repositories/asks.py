"""Single asks of a batch: who asks which, and how each ended."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, case, exists, func, literal, select, update

from storage.filters import MembershipFilter
from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables.prompts import asks, prompt_sets, prompts, run_batches, simulations


@dataclass(frozen=True, slots=True)
class OpenAsk:
    """An ask that waits to be sent, with what its engine must know."""

    key: int
    ask_key: str
    simulation_key: int
    prompt_key: int
    platform: str
    mode: str
    country: str
    """Empty where no country is sent to the engine."""
    not_supported: Sequence[str]
    """What of its place was asked for and the engine has no field for."""
    text: str
    language: str | None
    city: str | None
    region: str | None
    timezone: str | None
    device: str | None
    state: str
    """`sent` for one whose process is gone: it is unknown whether it arrived."""
    task: Mapping[str, Any] | None
    """The task at a data provider, of one that is `submitted`."""


COUNTRY = 6
"""Where the columns of an open ask have the country of its session."""


def open_ask(*columns: Any) -> OpenAsk:
    """Build one ask from the columns of `OPEN_ASKS`.

    City, region and time zone of a set lie in its country: a request from another one gets none of them, and a prompt
    with a city of its own gets that one alone.
    """
    *told, own_country, own_city, countries, city, region, timezone, device, state, task = columns
    home = own_country or told[COUNTRY]
    if own_city or (countries and home and home not in countries):
        city = region = timezone = None
    told += [own_city or city, region, timezone, device, state, task]
    return OpenAsk(*told)


@dataclass(frozen=True, slots=True)
class Progress:
    """How many asks of one simulation stand where."""

    simulation_key: int
    platform: str
    mode: str
    country: str
    planned: int
    sent: int
    submitted: int
    stored: int
    failed: int

    @property
    def total(self) -> int:
        """All asks of the simulation."""
        return self.planned + self.sent + self.submitted + self.stored + self.failed


@dataclass(frozen=True, slots=True)
class FailedCell:
    """How many asks of one prompt in one channel of a batch failed."""

    prompt_id: str
    prompt: str
    prompt_branded: bool | None
    from_set: bool
    platform: str
    mode: str
    country: str
    failed: int


WAITING = (asks.c.state == "planned") | ((asks.c.state == "sent") & asks.c.claimed_by.is_(None))
OF_BATCH = (simulations.c.company_id == bindparam("company_id")) & (
    simulations.c.batch_key == bindparam("batch_key")
)
OPEN_ASKS = (
    select(
        asks.c.key,
        asks.c.ask_key,
        asks.c.simulation_key,
        asks.c.prompt_key,
        simulations.c.platform,
        simulations.c.mode,
        simulations.c.country,
        simulations.c.not_supported,
        prompts.c.text,
        func.coalesce(prompts.c.language, prompt_sets.c.language),
        prompts.c.country,
        prompts.c.city,
        prompt_sets.c.countries,
        prompt_sets.c.city,
        prompt_sets.c.region,
        prompt_sets.c.timezone,
        prompt_sets.c.device,
        asks.c.state,
        asks.c.task,
    )
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .join(prompts, prompts.c.key == asks.c.prompt_key)
    .outerjoin(prompt_sets, prompt_sets.c.key == prompts.c.prompt_set_key)
)
OPEN = Query(OPEN_ASKS.where(OF_BATCH, WAITING).order_by(asks.c.ask_key), open_ask)
DUE = Query(
    OPEN_ASKS.where(OF_BATCH, asks.c.state == "submitted", asks.c.poll_after <= bindparam("now"))
    .order_by(asks.c.poll_after, asks.c.key)
    .limit(bindparam("limit")),
    open_ask,
)
SUBMITTED = Query(OPEN_ASKS.where(OF_BATCH, asks.c.state == "submitted").order_by(asks.c.key), open_ask)
NEXT_LOOK = Query(
    select(func.min(asks.c.poll_after))
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .where(OF_BATCH, asks.c.state == "submitted"),
    plain,
)
CLAIMANTS = Query(
    select(asks.c.claimed_by)
    .distinct()
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .where(
        simulations.c.company_id == bindparam("company_id"),
        simulations.c.batch_key == bindparam("batch_key"),
        (asks.c.state == "sent") | (asks.c.state == "submitted"),
        asks.c.claimed_by.is_not(None),
    ),
    str,
)


CANCELLED = {
    "state": "failed",
    "error_code": "cancelled",
    "error_message": "The run was cancelled.",
    "possibly_billed": True,
}


def tally(state: str) -> ColumnElement[int]:
    """Count the asks of one state."""
    return func.coalesce(func.sum(case((asks.c.state == state, 1), else_=0)), 0)


CHANNEL = (simulations.c.key, simulations.c.platform, simulations.c.mode, simulations.c.country)
TALLIES = (tally("planned"), tally("sent"), tally("submitted"), tally("stored"), tally("failed"))
PROGRESS = Query(
    select(*CHANNEL, *TALLIES)
    .join(asks, asks.c.simulation_key == simulations.c.key)
    .where(
        simulations.c.company_id == bindparam("company_id"), simulations.c.batch_key == bindparam("batch_key")
    )
    .group_by(*CHANNEL)
    .order_by(simulations.c.key),
    Progress,
)


def keyed_progress(batch_key: int, *columns: Any) -> tuple[int, Progress]:
    """Build a simulation's progress with the key of its batch."""
    return batch_key, Progress(*columns)


PROGRESS_OF_EACH = Query(
    select(simulations.c.batch_key, *CHANNEL, *TALLIES)
    .join(asks, asks.c.simulation_key == simulations.c.key)
    .where(
        simulations.c.company_id == bindparam("company_id"),
        MembershipFilter(simulations.c.batch_key, "batch_keys"),
    )
    .group_by(simulations.c.batch_key, *CHANNEL)
    .order_by(simulations.c.key),
    keyed_progress,
)
ERRORS = Query(
    select(simulations.c.platform, asks.c.error_code, asks.c.error_message, func.count())
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .where(
        simulations.c.company_id == bindparam("company_id"),
        simulations.c.batch_key == bindparam("batch_key"),
        asks.c.state == "failed",
    )
    .group_by(simulations.c.platform, asks.c.error_code, asks.c.error_message)
    .order_by(func.count().desc()),
    plain,
)


FAILED_CELLS = Query(
    select(
        prompts.c.id,
        prompts.c.text,
        prompts.c.branded,
        prompts.c.prompt_set_key.is_not(None),
        simulations.c.platform,
        simulations.c.mode,
        simulations.c.country,
        func.count(),
    )
    .select_from(asks)
    .join(simulations, simulations.c.key == asks.c.simulation_key)
    .join(prompts, prompts.c.key == asks.c.prompt_key)
    .where(
        simulations.c.company_id == bindparam("company_id"),
        simulations.c.batch_key == bindparam("batch_key"),
        asks.c.state == "failed",
    )
    .group_by(
        prompts.c.id,
        prompts.c.text,
        prompts.c.branded,
        prompts.c.prompt_set_key,
        simulations.c.platform,
        simulations.c.mode,
        simulations.c.country,
    )
    .order_by(prompts.c.id, simulations.c.platform, simulations.c.mode, simulations.c.country),
    FailedCell,
)


class AskRepository(Repository):
    """The asks of one company."""

    async def waiting(self, batch_key: int) -> list[OpenAsk]:
        """Return the asks that no process is asking now, in an order that the ask keys shuffle."""
        return await self._all(OPEN, batch_key=batch_key)

    async def claimants(self, batch_key: int) -> list[str]:
        """Return who holds asks of this batch that are on their way."""
        return await self._all(CLAIMANTS, batch_key=batch_key)

    async def release(self, batch_key: int, executors: Sequence[str], now: datetime) -> None:
        """Take back asks whose executors are gone: sent ones may be billed, tasks are polled again at once."""
        simulation_keys = select(simulations.c.key).where(
            simulations.c.batch_key == batch_key, simulations.c.company_id == self.company_id
        )
        lost = asks.c.simulation_key.in_(simulation_keys) & asks.c.claimed_by.in_(executors)
        await self._write(
            update(asks).where(lost, asks.c.state == "sent").values(claimed_by=None, possibly_billed=True)
        )
        await self._write(
            update(asks).where(lost, asks.c.state == "submitted").values(claimed_by=None, poll_after=now)
        )

    async def claim(self, waiting: Sequence[OpenAsk], executor: str, now: datetime) -> set[int]:
        """Take asks before they are sent; return the keys of those that no other process has and that may be sent.

        An ask may not be sent once it or its batch has ended.
        """
        again = case((asks.c.state == "sent", asks.c.resent + 1), else_=asks.c.resent)
        running = (
            select(simulations.c.key)
            .join(run_batches, run_batches.c.key == simulations.c.batch_key)
            .where(simulations.c.key == asks.c.simulation_key, run_batches.c.status == "running")
        )
        claimed = {"state": "sent", "claimed_by": executor, "sent_at": now, "resent": again}
        return await self._change(waiting, claimed, WAITING, exists(running))

    async def _change(
        self, chosen: Sequence[OpenAsk], values: Mapping[str, Any], *conditions: ColumnElement[bool]
    ) -> set[int]:
        """Change those of these asks that meet the conditions; return their keys."""
        if not chosen:
            return set()
        changed = await self._write(
            update(asks)
            .where(asks.c.key.in_([ask.key for ask in chosen]), asks.c.company_id == self.company_id)
            .where(*conditions)
            .values(**values)
            .returning(asks.c.key)
        )
        return set(changed.scalars())

    async def submit(
        self, ask: OpenAsk, executor: str, task: Mapping[str, Any], poll_after: datetime
    ) -> bool:
        """Record the task at a data provider of an ask that is on its way; no process holds it then.

        One whose provider called before it was recorded is polled as soon as that call said.
        """
        called = (asks.c.state == "sent") & asks.c.poll_after.is_not(None)
        noted = await self._write(
            update(asks)
            .where(
                asks.c.key == ask.key, asks.c.state.in_(("sent", "submitted")), asks.c.claimed_by == executor
            )
            .values(
                state="submitted",
                claimed_by=None,
                task=task,
                poll_after=case(
                    (called, asks.c.poll_after), else_=literal(poll_after, asks.c.poll_after.type)
                ),
            )
        )
        return noted.rowcount == 1

    async def hasten(self, ask_key: str, now: datetime) -> None:
        """Let the task of an ask be polled now; one that is being polled, has ended or is unknown stays as it is."""
        waits = (asks.c.state == "submitted") & asks.c.claimed_by.is_(None) & (asks.c.poll_after > now)
        is_sent = (asks.c.state == "sent") & asks.c.poll_after.is_(None)
        await self._write(
            update(asks)
            .where(asks.c.ask_key == ask_key, asks.c.company_id == self.company_id, waits | is_sent)
            .values(poll_after=now)
        )

    async def due(self, batch_key: int, now: datetime, limit: int) -> list[OpenAsk]:
        """Return submitted asks that are due for polling, the longest waiting first."""
        return await self._all(DUE, batch_key=batch_key, now=now, limit=limit)

    async def submitted(self, batch_key: int) -> list[OpenAsk]:
        """Return all asks that wait at a data provider."""
        return await self._all(SUBMITTED, batch_key=batch_key)

    async def next_look(self, batch_key: int) -> datetime | None:
        """Return when the next submitted ask is due for polling; None when nothing waits at a data provider."""
        [(due_at,)] = await self._all(NEXT_LOOK, batch_key=batch_key)
        return due_at

    async def hold(self, due: Sequence[OpenAsk], executor: str, now: datetime, until: datetime) -> set[int]:
        """Claim submitted asks for polling; return the keys of those that no other process polls.

        A claim of a process that dies is free to others from `until` on.
        """
        held = {"claimed_by": executor, "poll_after": until}
        return await self._change(due, held, asks.c.state == "submitted", asks.c.poll_after <= now)

    async def settle(self, answered: Sequence[OpenAsk], executor: str, now: datetime) -> set[int]:
        """Mark asks as stored; return the keys of those that this executor still held."""
        settled = {"state": "stored", "settled_at": now, "task": None}
        is_held = (asks.c.state.in_(("sent", "submitted")), asks.c.claimed_by == executor)
        return await self._change(answered, settled, *is_held)

    async def fail(
        self, ask: OpenAsk, executor: str, code: str, message: str, *, possibly_billed: bool, now: datetime
    ) -> bool:
        """Mark an ask as failed, with a code and our words; False when this executor does not hold it any more."""
        outcome = {"state": "failed", "error_code": code, "error_message": message, "settled_at": now}
        failed = await self._write(
            update(asks)
            .where(
                asks.c.key == ask.key, asks.c.state.in_(("sent", "submitted")), asks.c.claimed_by == executor
            )
            .values({**outcome, "possibly_billed": asks.c.possibly_billed | possibly_billed})
        )
        return failed.rowcount == 1

    async def progress(self, batch_key: int) -> list[Progress]:
        """Return where each simulation stands."""
        return await self._all(PROGRESS, batch_key=batch_key)

    async def progress_of_each(self, batch_keys: Sequence[int]) -> dict[int, list[Progress]]:
        """Return where each simulation of several batches stands, by batch, in one read."""
        progress: dict[int, list[Progress]] = {key: [] for key in batch_keys}
        for batch_key, simulation in await self._all(PROGRESS_OF_EACH, batch_keys=list(batch_keys)):
            progress[batch_key].append(simulation)
        return progress

    async def failed_cells(self, batch_key: int) -> list[FailedCell]:
        """Return the failed asks of a batch by prompt and channel, in the order of both."""
        return await self._all(FAILED_CELLS, batch_key=batch_key)

    async def errors(self, batch_key: int) -> list[tuple[str, str, str, int]]:
        """Return the failures of a batch as (platform, code, message, how many)."""
        return await self._all(ERRORS, batch_key=batch_key)

    async def cancel_submitted(self, waiting: Sequence[OpenAsk], now: datetime) -> set[int]:
        """Mark what waits at data providers as cancelled and billed; return the keys of what had not ended yet."""
        return await self._change(waiting, {**CANCELLED, "settled_at": now}, asks.c.state == "submitted")

    async def abandon(self, batch_key: int, executor: str, now: datetime) -> None:
        """Mark what an executor had on its way as cancelled and possibly billed."""
        simulation_keys = select(simulations.c.key).where(
            simulations.c.batch_key == batch_key, simulations.c.company_id == self.company_id
        )
        own_asks = (
            asks.c.simulation_key.in_(simulation_keys)
            & (asks.c.state == "sent")
            & (asks.c.claimed_by == executor)
        )
        await self._write(update(asks).where(own_asks).values(**CANCELLED, settled_at=now))
