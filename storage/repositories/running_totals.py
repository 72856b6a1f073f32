"""Running totals: the sums of every cell over any period, as the difference of two stored rows."""

from collections.abc import Callable, Sequence
from datetime import date
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter, sub
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import (
    JSON,
    BigInteger,
    ColumnElement,
    FromClause,
    Integer,
    Select,
    Subquery,
    Text,
    and_,
    bindparam,
    case,
    cast,
    delete,
    func,
    insert,
    or_,
    select,
    text,
    true,
    type_coerce,
    update,
)

from storage.filters import MembershipFilter
from storage.queries import Query, plain
from storage.repositories.answers.answer_filters import (
    DAY,
    OF_CHANNEL,
    AnswerFilter,
    conditions,
    day_of,
)
from storage.repositories.answers.answer_sums import (
    CHANNEL,
    OF_BATCHES,
    OF_BRAND,
    OF_CELL,
    OWN_CELLS,
    PROMPT,
    PUBLISHED,
    ROW,
    SINCE,
    UNTIL,
    by_day_of_cell,
    read_answers,
    running,
    sums_over,
)
from storage.repositories.answers.period_readings import OF_PROMPTS
from storage.repositories.day_numbers import FIRST, LAST, day_bounds, is_within, midnight
from storage.repository import Repository
from storage.tables.answers import answer_readings, answers, channels
from storage.tables.columns import JsonText, parse_json
from storage.tables.prompts import prompts
from storage.tables.totals import SUMS, cells, running_totals

FEW_DAYS = 7
"""Days of a batch that are added one by one; the totals of a brand are rebuilt for a batch with more."""
OF_EVERY_PROMPT = frozenset(
    {
        *("valid", "named_in_all"),
        *("stored", "searched", "uncertain", "absences"),
    }
)
"""Sums that also count answers to prompts outside sets, which are not imported."""
OUTSIDE_SETS: Sequence[int] = tuple(int(name in OF_EVERY_PROMPT) for name in SUMS)


class CellTotals(NamedTuple):
    """The sums of one cell and entity over some answers, in the order of `analytics.cell_sums.CellSums`.

    `source` is the channel's own, of which statistics only tell imports from all others. `from_set` says whether rates
    count the cell today: a set may be deleted after its answers were published. What rates count is 0 if they do not.
    """

    prompt_id: str
    prompt_sha256: str
    platform: str
    mode: str
    source: str
    country: str
    from_set: bool
    named_in_prompt: tuple[int, ...]
    entity_key: int
    sums: tuple[int, ...]


@lru_cache(maxsize=1 << 12)
def entities_in(named_in_prompt: str) -> tuple[int, ...]:
    """Return the entities of a stored list; nearly every cell has the same one, without any."""
    return tuple(parse_json(named_in_prompt))


def outside_sets(sums: tuple[int, ...]) -> tuple[int, ...]:
    """Return the sums of a cell that rates do not count: 0 but for those of every prompt."""
    return tuple(value * counts for value, counts in zip(sums, OUTSIDE_SETS, strict=True))


def cell_totals(
    prompt_id: str,
    prompt_sha256: str,
    platform: str,
    mode: str,
    source: str,
    country: str,
    from_set: int,
    named_in_prompt: str,
    entity_key: int,
    *sums: int,
) -> CellTotals:
    """Build the sums of a cell and entity."""
    return CellTotals(
        prompt_id,
        prompt_sha256,
        platform,
        mode,
        source,
        country,
        bool(from_set),
        entities_in(named_in_prompt),
        entity_key,
        sums if from_set else outside_sets(sums),
    )


CELL = (
    prompts.c.id,
    prompts.c.text_sha256,
    channels.c.platform,
    channels.c.mode,
    channels.c.source,
    channels.c.country,
    case((or_(prompts.c.prompt_set_key.is_not(None), channels.c.source == "import"), 1), else_=0),
    type_coerce(cells.c.named_in_prompt, Text),
)
"""The first columns of `cell_totals`, as the drivers return them: there may be thousands of rows."""
ENTITIES = bindparam("entity_keys", type_=JsonText)
FIRST_SUM = 3 + len(CELL)
"""Where a row of `rows_of` has its sums: after the keys of its cell and entity, its day, and its cell."""
LATEST, EARLIER = running_totals.alias("latest"), running_totals.alias("earlier")
Days: TypeAlias = Callable[[ColumnElement[int]], ColumnElement[bool]]
Joined: TypeAlias = tuple[FromClause, ColumnElement[bool]]
"""Rows with the condition that they are joined by."""


def of_cells(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return those fields of a filter that choose cells."""
    return tuple(name for name in names if name in OF_CHANNEL or name in OF_PROMPTS)


def pairs_of(
    names: tuple[str, ...], entities: FromClause, entity: ColumnElement[int], *, limit: int | None = None
) -> Subquery:
    """Return the chosen cells, each with every requested entity."""
    return (
        select(cells.c.key.label("cell_key"), *CELL, entity.label("entity_key"))
        .select_from(cells.join(prompts, PROMPT).join(channels, CHANNEL).join(entities, true()))
        .where(OWN_CELLS, *conditions(names))
        .limit(limit)
        .subquery("pairs")
    )


def pairs_on_sqlite(names: tuple[str, ...]) -> Subquery:
    """Return these pairs as a table that is read first: joined itself, it would be read for each row of a cell."""
    entities = func.json_each(ENTITIES).table_valued("value", name="entity")
    return pairs_of(names, entities, type_coerce(entities.c.value, Integer), limit=-1)


def pairs_on_postgresql(names: tuple[str, ...]) -> Subquery:
    """Return these pairs."""
    entities = func.json_array_elements_text(cast(ENTITIES, JSON)).table_valued("value", name="entity")
    return pairs_of(names, entities, cast(entities.c.value, BigInteger))


def is_of_pair(row: FromClause, pairs: Subquery, chosen: Days) -> ColumnElement[bool]:
    """Return whether a row of running totals is of a cell and entity, and of one of the chosen days."""
    return and_(row.c.cell_key == pairs.c.cell_key, row.c.entity_key == pairs.c.entity_key, chosen(row.c.day))


def is_before(day: ColumnElement[int]) -> ColumnElement[bool]:
    """Return whether a day is before the period."""
    return day < FIRST


def is_newest(row: FromClause, pairs: Subquery, chosen: Days) -> ColumnElement[bool]:
    """Return whether a row is that of the newest of the chosen days, for databases without lateral joins."""
    table = running_totals.alias()
    newest = select(func.max(table.c.day)).where(is_of_pair(table, pairs, chosen))
    only = newest.correlate_except(table).scalar_subquery()
    return is_of_pair(row, pairs, lambda day: day == only)


def newest_row(name: str, pairs: Subquery, chosen: Days) -> FromClause:
    """Return the row of the newest of the chosen days as a lateral one."""
    table = running_totals.alias()
    rows = select(*table.c).where(is_of_pair(table, pairs, chosen)).order_by(table.c.day.desc()).limit(1)
    return rows.correlate_except(table).lateral(name)


def differences(pairs: Subquery, after: Joined, before: Joined) -> Select[*tuple[Any, ...]]:
    """Return what was added between two rows of each cell and entity; there may be none before."""
    (after_row, after_is), (before_row, before_is) = after, before
    added = (after_row.c[name] - func.coalesce(before_row.c[name], 0) for name in SUMS)
    _, *columns = pairs.c
    return select(*columns, *added).select_from(
        pairs.join(after_row, after_is).outerjoin(before_row, before_is)
    )


@cache
def period_of(names: tuple[str, ...]) -> Query[CellTotals]:
    """Return the query for the sums of a period under one choice of filters: two index lookups a cell and entity."""
    pairs = pairs_on_sqlite(names)
    after = LATEST, is_newest(LATEST, pairs, is_within)
    before = EARLIER, is_newest(EARLIER, pairs, is_before)
    on_sqlite = differences(pairs, after, before)
    pairs = pairs_on_postgresql(names)
    after = newest_row("latest", pairs, is_within), true()
    before = newest_row("earlier", pairs, is_before), true()
    return Query(on_sqlite, cell_totals, variants={"postgresql": differences(pairs, after, before)})


@cache
def rows_of(names: tuple[str, ...]) -> Query[tuple[Any, ...]]:
    """Return the query for the stored rows of a period, and the newest before it, of each cell and entity."""
    pairs = pairs_on_sqlite(names)
    on_sqlite = rows_from(pairs, LATEST, from_newest_before(LATEST, pairs))
    pairs, table = pairs_on_postgresql(names), running_totals.alias()
    # Without an offset, PostgreSQL would read all rows of the table and look for the first day of each.
    rows = select(*table.c).where(from_newest_before(table, pairs)).offset(0)
    on_postgresql = rows_from(pairs, rows.correlate_except(table).lateral("latest"), true())
    return Query(on_sqlite, plain, variants={"postgresql": on_postgresql})


def from_newest_before(row: FromClause, pairs: Subquery) -> ColumnElement[bool]:
    """Return whether a row is of a cell and entity, and of the period or the newest before it."""
    table = running_totals.alias()
    newest = select(func.max(table.c.day)).where(is_of_pair(table, pairs, is_before))
    begin = func.coalesce(newest.correlate_except(table).scalar_subquery(), FIRST)
    return is_of_pair(row, pairs, lambda day: day.between(begin, LAST))


def rows_from(pairs: Subquery, row: FromClause, chosen: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Return the chosen rows with their cells and entities."""
    cell_key, *cell, entity_key = pairs.c
    columns = (cell_key, entity_key, row.c.day, *cell, *(row.c[name] for name in SUMS))
    return select(*columns).select_from(pairs.join(row, chosen))


def by_day_from(rows: list[tuple[Any, ...]], first: int) -> list[tuple[date, CellTotals]]:
    """Return what each row from the first day on adds to the row before it of the same cell and entity."""
    found: list[tuple[date, CellTotals]] = []
    days: dict[int, date] = {}
    for _, of_cell in groupby(sorted(rows), key=itemgetter(0, 1)):
        before: tuple[int, ...] = ()
        cell: CellTotals | None = None
        for row in of_cell:
            number, sums = row[2], row[FIRST_SUM:]
            if number >= first:
                added = tuple(map(sub, sums, before)) if before else sums
                if cell is None:
                    cell = cell_totals(*row[3:FIRST_SUM], row[1], *added)
                else:
                    cell = cell._replace(sums=added if cell.from_set else outside_sets(added))
                day = days.get(number) or days.setdefault(number, day_of(number))
                found.append((day, cell))
            before = sums
    return found


@cache
def answers_of(names: tuple[str, ...], batches: bool) -> Query[CellTotals]:
    """Return the query for the sums over single answers under one choice of filters."""
    joins: dict[Any, ColumnElement[bool]] = {}
    if not OF_PROMPTS.isdisjoint(names):
        joins[prompts] = prompts.c.key == answers.c.prompt_key
    if not OF_CHANNEL.isdisjoint(names):
        joins[channels] = channels.c.key == answers.c.channel_key
    of_batches = [MembershipFilter(answers.c.batch_key, "batch_keys")] if batches else []
    owned = OF_BATCHES if batches else OF_BRAND
    read = read_answers(*conditions(names), *of_batches, joins=joins, owned=owned)
    sums = sums_over(
        read,
        lambda row: (row.cell_key, row.entity_key),
        chosen_entities=True,
        few=True,
    ).subquery("sums")
    return Query(
        select(*CELL, sums.c.entity_key, *(sums.c[name] for name in SUMS)).select_from(
            sums.join(cells, cells.c.key == sums.c.cell_key).join(prompts, PROMPT).join(channels, CHANNEL)
        ),
        cell_totals,
    )


BATCH = answers.c.batch_key == bindparam("batch_key", type_=answers.c.batch_key.type)
BATCH_DAY = (BATCH, answers.c.captured_at >= SINCE, answers.c.captured_at < UNTIL)


def new_cells(owned: ColumnElement[bool], *chosen: ColumnElement[bool]) -> Query[Any]:
    """Return the query for the prompts and channels that have published answers, but are no cell yet."""
    return Query(
        select(
            answers.c.prompt_key,
            answers.c.channel_key,
            func.min(type_coerce(answer_readings.c.named_in_prompt, Text)),
        )
        .select_from(PUBLISHED.outerjoin(cells, OF_CELL))
        .where(owned, cells.c.key.is_(None), *chosen)
        .group_by(answers.c.prompt_key, answers.c.channel_key)
        .order_by(answers.c.prompt_key, answers.c.channel_key),
        plain,
    )


NEW_CELLS, NEW_CELLS_OF_BATCH = new_cells(OF_BRAND), new_cells(OF_BATCHES, BATCH)


REBUILT = insert(running_totals).from_select(
    [column.name for column in ROW], sums_over(read_answers(), by_day_of_cell, sums=running)
)
OWN_ROWS = running_totals.c.cell_key.in_(select(cells.c.key).where(OWN_CELLS))


def copies(ignoring_duplicates: Any) -> Any:
    """Return the statement that gives a day the rows that a batch adds to: copies of the latest ones before it."""
    batch = read_answers(*BATCH_DAY, owned=OF_BATCHES)
    touched = sums_over(batch, by_day_of_cell, sums=lambda row: (), few=True).subquery("touched")
    before = running_totals.alias("before")
    table = running_totals.alias()
    newest = select(func.max(table.c.day)).where(
        table.c.cell_key == touched.c.cell_key,
        table.c.entity_key == touched.c.entity_key,
        table.c.day < touched.c.day,
    )
    is_before_day = and_(
        before.c.cell_key == touched.c.cell_key,
        before.c.entity_key == touched.c.entity_key,
        before.c.day == newest.correlate(touched).scalar_subquery(),
    )
    rows = select(
        touched.c.cell_key,
        touched.c.entity_key,
        touched.c.day,
        *(func.coalesce(before.c[name], 0) for name in SUMS),
    ).select_from(touched.outerjoin(before, is_before_day))
    # Without a condition, SQLite reads the ON of a conflict as that of a join.
    return ignoring_duplicates.from_select([column.name for column in ROW], rows.where(true()))


ADDED = sums_over(read_answers(*BATCH_DAY, owned=OF_BATCHES), by_day_of_cell, few=True).subquery("added")
ADDITION = (
    update(running_totals)
    .values({name: running_totals.c[name] + ADDED.c[name] for name in SUMS})
    .where(
        running_totals.c.cell_key == ADDED.c.cell_key,
        running_totals.c.entity_key == ADDED.c.entity_key,
        running_totals.c.day >= ADDED.c.day,
        OWN_ROWS,
    )
)


class RunningTotalRepository(Repository):
    """The running totals of one company's brands, and how the channels of their batches went."""

    async def of_days(
        self,
        revision_key: int,
        first: date | None,
        last: date | None,
        chosen: AnswerFilter,
        entity_keys: Sequence[int],
    ) -> list[CellTotals]:
        """Return the sums of each cell with an answer on these days, both included, in no order.

        The times of the filter are ignored. A competitor has sums in cells that say something of it, and these lack
        what does not depend on the entity: that is in the sums of the brand, entity 0.
        """
        names = of_cells(chosen.names)
        values = {
            "revision_key": revision_key,
            "entity_keys": list(entity_keys),
            **day_bounds(first, last),
        }
        return await self._all(period_of(names), **values, **chosen.values)

    async def by_day(
        self,
        revision_key: int,
        first: date,
        last: date,
        chosen: AnswerFilter,
        entity_keys: Sequence[int],
    ) -> list[tuple[date, CellTotals]]:
        """Return the same of each single day, in no order."""
        bounds = day_bounds(first, last)
        values = {"revision_key": revision_key, "entity_keys": list(entity_keys), **bounds, **chosen.values}
        return by_day_from(await self._all(rows_of(of_cells(chosen.names)), **values), bounds["first"])

    async def of_answers(
        self,
        brand_key: int,
        revision_key: int,
        chosen: AnswerFilter,
        entity_keys: Sequence[int],
        batch_keys: Sequence[int] | None = None,
    ) -> list[CellTotals]:
        """Return the same of published answers between any instants, or of some batches, counted one by one."""
        values = {"brand_key": brand_key, "revision_key": revision_key, "entity_keys": list(entity_keys)}
        if batch_keys is not None:
            values["batch_keys"] = list(batch_keys)
        query = answers_of(chosen.names, batch_keys is not None)
        return await self._all(query, **values, **chosen.values)

    async def add(
        self, brand_key: int, revision_key: int, batch_key: int, days: Sequence[date], *, again: bool
    ) -> None:
        """Add a batch with answers on these days, in the transaction that publishes its channel days.

        A batch that is published again counts once: the totals of its brand are rebuilt.
        """
        if again or len(days) > FEW_DAYS:
            await self.rebuild(brand_key, revision_key)
            return
        origin = {"company_id": self.company_id, "revision_key": revision_key, "batch_key": batch_key}
        await self._add_cells(NEW_CELLS_OF_BATCH, revision_key, brand_key=brand_key, batch_key=batch_key)
        copying = copies(self._insert_or_ignore(running_totals))
        for day in days:
            begin = midnight(day)
            values = {**origin, "brand_key": brand_key, "since": begin, "until": begin + DAY}
            await self._write(copying, values)
            await self._write(ADDITION, values)

    async def rebuild(self, brand_key: int, revision_key: int) -> None:
        """Recompute the totals of a brand from the answers of the batches that have channel days."""
        values = {"company_id": self.company_id, "brand_key": brand_key, "revision_key": revision_key}
        await self._write(delete(running_totals).where(OWN_ROWS), values)
        await self._write(delete(cells).where(OWN_CELLS), values)
        await self._add_cells(NEW_CELLS, revision_key, brand_key=brand_key)
        if self._session.dialect.name == "postgresql":
            # After a large import its statistics may be those of an empty table: five minutes instead of seconds.
            await self._write(text("ANALYZE answers, answer_readings, mentions, channel_days, cells"))
        await self._write(REBUILT, values)

    async def _add_cells(self, query: Query[Any], revision_key: int, **values: Any) -> None:
        rows = [
            {
                "company_id": self.company_id,
                "revision_key": revision_key,
                "prompt_key": prompt_key,
                "channel_key": channel_key,
                "named_in_prompt": parse_json(named_in_prompt),
            }
            for prompt_key, channel_key, named_in_prompt in await self._all(
                query, revision_key=revision_key, **values
            )
        ]
        await self._write_all(insert(cells), rows)
