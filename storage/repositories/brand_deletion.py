"""Deletes a brand with everything that hangs on it, a bounded piece in each transaction."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from sqlalchemy import Column, Select, Table, bindparam, delete, exists, func, or_, select, update

from storage.filters import MembershipFilter
from storage.queries import Query, plain
from storage.repositories.locks import brand_lock
from storage.repository import Repository
from storage.tables.answers import answers, citations, cited_urls
from storage.tables.audits import mention_audits
from storage.tables.brands import analysis_revisions, brands, repository_items
from storage.tables.companies import company_notifications
from storage.tables.issues import issues
from storage.tables.monitors import monitor_results
from storage.tables.prompts import asks, prompt_sets, prompts, run_batches, simulations
from storage.tables.results import daily_rollups, metric_points
from storage.tables.runs import credit_ledger, workflow_runs
from storage.tables.totals import cells, channel_days

AT_ONCE = 500
"""Rows of a step that take only rows of a known small number with them."""
FEW = 20
BATCHES = 1
"""A batch takes its calculations with it, which are searched for."""


def of_brand(table: Table) -> Select[Any]:
    """Return the keys of a brand's rows of a table."""
    return (
        select(table.c.key)
        .where(
            table.c.company_id == bindparam("company_id"),
            table.c.brand_key == bindparam("brand_key", type_=brands.c.key.type),
        )
        .limit(bindparam("limit"))
    )


def query(statement: Select[Any]) -> Query[int]:
    """Return a query of keys."""
    return Query(statement, int)


ANSWER_KEYS = query(of_brand(answers))
ASKS = (
    asks,
    query(
        select(asks.c.key)
        .join(simulations, simulations.c.key == asks.c.simulation_key)
        .where(
            asks.c.company_id == bindparam("company_id"),
            simulations.c.brand_key == bindparam("brand_key", type_=brands.c.key.type),
        )
        .limit(bindparam("limit"))
    ),
    AT_ONCE,
)
"""What goes behind the answers: a table, its rows of a brand, and how many of them in one step."""
OWN_TABLES: Sequence[tuple[Table, Query[int], int]] = tuple(
    (table, query(of_brand(table)), AT_ONCE)
    for table in (
        repository_items,
        company_notifications,
        issues,
        monitor_results,
        mention_audits,
        analysis_revisions,
    )
)
"""What goes last, before the row of the brand itself with its names, sites and competitors."""
BATCH_KEYS = query(of_brand(run_batches))
RUN_KEYS = query(of_brand(workflow_runs))
SET_KEYS = query(of_brand(prompt_sets))
REVISIONS = select(analysis_revisions.c.key).where(
    analysis_revisions.c.company_id == bindparam("company_id"),
    analysis_revisions.c.brand_key == bindparam("brand_key", type_=brands.c.key.type),
)
FIRST_DAYS: Mapping[Table, Query[Any]] = {
    table: Query(
        select(table.c.revision_key, func.min(table.c.day))
        .where(table.c.revision_key.in_(REVISIONS))
        .group_by(table.c.revision_key)
        .limit(1),
        plain,
    )
    for table in (metric_points, daily_rollups, channel_days)
}
CELLS = Query(
    select(cells.c.key)
    .where(cells.c.company_id == bindparam("company_id"), cells.c.revision_key.in_(REVISIONS))
    .limit(bindparam("limit")),
    int,
)
"""A cell takes its running totals with it: one for each day and entity."""
SET_PROMPTS = query(
    select(prompts.c.key)
    .where(prompts.c.company_id == bindparam("company_id"), prompts.c.prompt_set_key == bindparam("set_key"))
    .limit(bindparam("limit"))
)
ASKED_ELSEWHERE = query(
    select(asks.c.prompt_key)
    .distinct()
    .where(asks.c.company_id == bindparam("company_id"), MembershipFilter(asks.c.prompt_key, "keys"))
)
HAS_BATCHES = query(
    select(run_batches.c.key)
    .where(
        run_batches.c.company_id == bindparam("company_id"),
        run_batches.c.prompt_set_key == bindparam("set_key"),
    )
    .limit(1)
)
UNASKED = query(
    select(prompts.c.key)
    .where(
        prompts.c.company_id == bindparam("company_id"),
        prompts.c.prompt_set_key.is_(None),
        ~exists(select(asks.c.key).where(asks.c.prompt_key == prompts.c.key)),
    )
    .limit(bindparam("limit"))
)
CITED_PAGES = query(
    select(citations.c.url_key)
    .distinct()
    .join(answers, answers.c.key == citations.c.answer_key)
    .where(answers.c.company_id == bindparam("company_id"), MembershipFilter(citations.c.answer_key, "keys"))
)
FREE_PAGES = query(
    select(cited_urls.c.key)
    .where(MembershipFilter(cited_urls.c.key, "keys"))
    .with_for_update(skip_locked=True)
)
"""On PostgreSQL the pages that no transaction is about to cite, locked until they are gone."""
UNCITED = delete(cited_urls).where(
    MembershipFilter(cited_urls.c.key, "keys"),
    ~exists(select(citations.c.answer_key).where(citations.c.url_key == cited_urls.c.key)),
)
LIVE_RUNS = query(
    select(workflow_runs.c.key)
    .where(
        workflow_runs.c.company_id == bindparam("company_id"),
        workflow_runs.c.brand_key == bindparam("brand_key", type_=brands.c.key.type),
        or_(workflow_runs.c.status == "pending", workflow_runs.c.status == "running"),
    )
    .limit(1)
)


class BrandDeletionRepository(Repository):
    """Deletes brands of one company; a later step goes on where an interrupted one stopped."""

    async def has_live_runs(self, brand_key: int) -> bool:
        """Whether a run of the brand waits or works: its rows are still written."""
        return await self._first(LIVE_RUNS, brand_key=brand_key) is not None

    async def delete_some(self, brand_key: int) -> bool:
        """Delete a bounded piece of a brand, at the end the brand itself; False when that is gone."""
        await self._session_lock(brand_key)
        pieces: Sequence[Callable[[int], Awaitable[bool]]] = (
            self._delete_answers,
            lambda key: self._delete_rows((ASKS,), key),
            self._delete_days,
            self._delete_cell,
            self._delete_batch,
            self._delete_runs,
            self._delete_set,
            self._delete_unasked_prompt,
            lambda key: self._delete_rows(OWN_TABLES, key),
        )
        for delete_piece in pieces:
            if await delete_piece(brand_key):
                return True
        await self._write(delete(brands).where(brands.c.key == brand_key))
        return False

    async def _session_lock(self, brand_key: int) -> None:
        await self._write(brand_lock(self.company_id, brand_key))

    async def _delete_answers(self, brand_key: int) -> bool:
        """Delete answers, with the pages that no other answer cites: a title may be a company's own words."""
        keys = await self._all(ANSWER_KEYS, brand_key=brand_key, limit=AT_ONCE)
        if not keys:
            return False
        pages = await self._all(CITED_PAGES, keys=keys)
        await self._delete_keys(answers.c.key, keys)
        if pages:
            await self._write(UNCITED, {"keys": await self._all(FREE_PAGES, keys=pages)})
        return True

    async def _delete_rows(self, steps: Sequence[tuple[Table, Query[int], int]], brand_key: int) -> bool:
        for table, keys_of_brand, limit in steps:
            keys = await self._all(keys_of_brand, brand_key=brand_key, limit=limit)
            if keys:
                await self._delete_keys(table.c.key, keys)
                return True
        return False

    async def _delete_keys(self, column: Column[Any], keys: Sequence[int]) -> None:
        await self._write(delete(column.table).where(column.in_(keys)))

    async def _delete_days(self, brand_key: int) -> bool:
        """Delete one day of one revision's counts, points or channels."""
        for table, first_day in FIRST_DAYS.items():
            oldest = await self._first(first_day, brand_key=brand_key)
            if oldest is not None:
                revision_key, day = oldest
                ours = exists(
                    select(analysis_revisions.c.key).where(
                        analysis_revisions.c.key == revision_key,
                        analysis_revisions.c.company_id == self.company_id,
                    )
                )
                rows = (table.c.revision_key == revision_key) & (table.c.day == day) & ours
                await self._write(delete(table).where(rows))
                return True
        return False

    async def _delete_cell(self, brand_key: int) -> bool:
        keys = await self._all(CELLS, brand_key=brand_key, limit=1)
        if keys:
            await self._delete_keys(cells.c.key, keys)
        return bool(keys)

    async def _delete_batch(self, brand_key: int) -> bool:
        keys = await self._all(BATCH_KEYS, brand_key=brand_key, limit=BATCHES)
        if keys:
            await self._delete_keys(run_batches.c.key, keys)
        return bool(keys)

    async def _delete_runs(self, brand_key: int) -> bool:
        """Delete runs; what they cost stays in the company's books."""
        keys = await self._all(RUN_KEYS, brand_key=brand_key, limit=FEW)
        if keys:
            paid = credit_ledger.c.run_key.in_(keys)
            await self._write(update(credit_ledger).where(paid).values(run_key=None))
            await self._delete_keys(workflow_runs.c.key, keys)
        return bool(keys)

    async def _delete_set(self, brand_key: int) -> bool:
        """Delete one prompt of a set of the brand, or the set that has no more; what another brand was asked stays."""
        [set_key, *_] = await self._all(SET_KEYS, brand_key=brand_key, limit=1) or [None]
        if set_key is None:
            return False
        keys = await self._all(SET_PROMPTS, set_key=set_key, limit=FEW)
        elsewhere = await self._all(ASKED_ELSEWHERE, keys=keys) if keys else []
        if elsewhere:
            row = prompts.c.key.in_(elsewhere)
            await self._write(update(prompts).where(row).values(prompt_set_key=None, active=False))
        elif keys:
            await self._delete_keys(prompts.c.key, keys[:1])
        elif await self._first(HAS_BATCHES, set_key=set_key) is not None:
            row = prompt_sets.c.key == set_key
            await self._write(update(prompt_sets).where(row).values(brand_key=None, schedule=None))
        else:
            await self._delete_keys(prompt_sets.c.key, [set_key])
        return True

    async def _delete_unasked_prompt(self, brand_key: int) -> bool:
        """Delete a question of no set that only answers of this brand had, or none."""
        keys = await self._all(UNASKED, limit=1)
        if keys:
            await self._delete_keys(prompts.c.key, keys)
        return bool(keys)
