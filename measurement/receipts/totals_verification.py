"""Verify what periods are calculated from: the running totals of cells, and how the channels of batches went."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any

from analytics.observation import Channel
from measurement.extraction.observations import BatchObservations
from measurement.publication.channel_days import ChannelDayCollector
from measurement.receipts.differences import different_rows
from storage.repositories.answers.answer_filters import day_of
from storage.repositories.day_numbers import number_of
from storage.repositories.totals_verification import CellRow
from storage.tables.totals import SUMS
from storage.workspace import Workspace

DAYS_AT_ONCE = 31
ROWS_AT_ONCE = 20_000
"""Rows of totals that are compared at once, unless a single prompt has more."""
Cells = Mapping[int, CellRow]
Rows = Sequence[tuple[int, ...]]


async def different_totals(workspace: Workspace, brand_key: int, revision_key: int, most: int) -> list[str]:
    """Name the cells and rows of running totals that differ from a recount of the answers.

    More than `most` are not looked for.
    """
    totals = workspace.totals_verification
    stored = await totals.cells(revision_key)
    wrong = different_cells(
        [cell for _, _, cell in stored], await counted_cells(workspace, brand_key, revision_key)
    )
    names = {key: cell for key, _, cell in stored}
    sizes: dict[int, int] = {}
    for _, rows, cell in stored:
        sizes[cell.prompt_key] = sizes.get(cell.prompt_key, 0) + rows
    for prompt_keys in in_chunks(sizes):
        if len(wrong) >= most:
            break
        counted = await totals.recounted(brand_key, revision_key, prompt_keys)
        wrong += different_sums(await totals.rows(revision_key, prompt_keys), counted, names)
    return wrong


async def counted_cells(workspace: Workspace, brand_key: int, revision_key: int) -> list[CellRow]:
    """Return the cells of all published answers."""
    found: dict[tuple[int, int], CellRow] = {}
    first, last = await workspace.stored_results.period(brand_key) or (date.max, date.min)
    while first <= last:
        until = min(last, first + timedelta(days=DAYS_AT_ONCE - 1))
        for cell in await workspace.totals_verification.counted_cells(brand_key, revision_key, first, until):
            found[cell.prompt_key, cell.channel_key] = cell
        first = until + timedelta(days=1)
    return list(found.values())


def in_chunks(sizes: Mapping[int, int]) -> Iterator[list[int]]:
    """Yield the prompts in groups with a bounded number of rows."""
    chosen: list[int] = []
    rows = 0
    for prompt_key, size in sizes.items():
        if chosen and rows + size > ROWS_AT_ONCE:
            yield chosen
            chosen, rows = [], 0
        chosen.append(prompt_key)
        rows += size
    if chosen:
        yield chosen


def different_cells(stored: Sequence[CellRow], counted: Sequence[CellRow]) -> list[str]:
    """Name the cells that answers do not make, those that are missing, and those with other entities in the prompt."""
    return different_rows("cells", map(named_cell, stored), map(named_cell, counted), ("place",))


def named_cell(cell: CellRow) -> dict[str, Any]:
    """Return what a cell must say, by column."""
    return {"place": cell.place, "named_in_prompt": cell.named_in_prompt}


def different_sums(stored: Rows, counted: Rows, names: Cells) -> list[str]:
    """Name the rows of totals that one side lacks, and the sums in which the two sides differ."""
    if stored == counted:
        return []
    kept = set(stored) & set(counted)
    old, new = ([named_sums(row, names) for row in rows if row not in kept] for rows in (stored, counted))
    return different_rows("running_totals", old, new, ("place",))


def named_sums(row: tuple[int, ...], names: Cells) -> dict[str, Any]:
    """Return one row by column."""
    cell_key, entity_key, day, *sums = row
    place = f"{names[cell_key].place} {entity_key} {day_of(day)}"
    return {"place": place, **dict(zip(SUMS, sums, strict=True))}


async def different_channel_days(
    workspace: Workspace, revision_key: int, observed: BatchObservations
) -> list[str]:
    """Name the channel days of a batch that differ from its answers as they are read today."""
    collector, batch = ChannelDayCollector(), observed.source
    collector.add(observed.answers, observed.mentions)
    keys = await workspace.channels.keys()
    channels: dict[Channel, int] = {}
    for channel in collector.channels(observed.batch.asked):
        channels[channel] = keys.get((channel.platform, channel.mode, batch.source, channel.country), 0)
    names = {key: str(channel) for channel, key in channels.items()}
    fresh = [
        {**asdict(draft), "day": number_of(draft.day)}
        for draft in collector.drafts(observed.batch.asked, channels)
    ]
    rows = await workspace.channel_days.stored(revision_key, batch.key)
    old, new = ([named_day(batch.id, row, names) for row in side] for side in (rows, fresh))
    return different_rows("channel_days", old, new, ("place",))


def named_day(batch_id: str, row: Mapping[str, Any], names: Mapping[int, str]) -> dict[str, Any]:
    """Return one channel of a batch on a day by column, under its name."""
    others = {name: value for name, value in row.items() if name not in ("day", "channel_key")}
    channel = names.get(row["channel_key"], row["channel_key"])
    return {**others, "place": f"{batch_id} {channel} {day_of(row['day'])}"}
