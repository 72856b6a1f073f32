"""Running totals as they are stored and as a recount of the answers gives them, for verification."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import Text, func, select, type_coerce

from storage.filters import MembershipFilter
from storage.queries import Query, plain
from storage.repositories.answers.answer_filters import DAY
from storage.repositories.answers.answer_sums import (
    CHANNEL,
    OF_BRAND,
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
from storage.repositories.day_numbers import midnight
from storage.repository import Repository
from storage.tables.answers import answer_readings, answers, channels
from storage.tables.prompts import prompts
from storage.tables.totals import cells, running_totals


class CellRow(NamedTuple):
    """One cell as it is stored, or as answers make it; `platform` is None for a channel that does not exist."""

    prompt_key: int
    channel_key: int
    named_in_prompt: str
    prompt_id: str
    platform: str | None
    mode: str | None
    source: str | None
    country: str | None

    @property
    def place(self) -> str:
        """The prompt and channel, to name them."""
        channel = "/".join(part for part in self[4:] if part) or str(self.channel_key)
        return f"{self.prompt_id} {channel}"


def stored_cell(key: int, rows: int, *columns: Any) -> tuple[int, int, CellRow]:
    """Build one cell with its key and the number of its rows of totals."""
    return key, rows, CellRow(*columns)


CELL_ROW = (
    type_coerce(cells.c.named_in_prompt, Text),
    prompts.c.id,
    channels.c.platform,
    channels.c.mode,
    channels.c.source,
    channels.c.country,
)
STORED_CELLS = Query(
    select(
        cells.c.key,
        select(func.count())
        .where(running_totals.c.cell_key == cells.c.key)
        .correlate(cells)
        .scalar_subquery(),
        cells.c.prompt_key,
        cells.c.channel_key,
        *CELL_ROW,
    )
    .select_from(cells.join(prompts, PROMPT).outerjoin(channels, CHANNEL))
    .where(OWN_CELLS)
    .order_by(cells.c.prompt_key, cells.c.channel_key),
    stored_cell,
)
COUNTED_CELLS = Query(
    select(
        answers.c.prompt_key,
        answers.c.channel_key,
        func.min(type_coerce(answer_readings.c.named_in_prompt, Text)),
        *CELL_ROW[1:],
    )
    .select_from(
        PUBLISHED.join(prompts, prompts.c.key == answers.c.prompt_key).join(
            channels, channels.c.key == answers.c.channel_key
        )
    )
    .where(OF_BRAND, answers.c.captured_at >= SINCE, answers.c.captured_at < UNTIL)
    .group_by(answers.c.prompt_key, answers.c.channel_key, *CELL_ROW[1:]),
    CellRow,
)
STORED_ROWS = Query(
    select(*ROW)
    .select_from(cells.join(running_totals, running_totals.c.cell_key == cells.c.key))
    .where(OWN_CELLS, MembershipFilter(cells.c.prompt_key, "prompt_keys"))
    .order_by(*running_totals.primary_key),
    plain,
)
RECOUNTED_ROWS = Query(
    sums_over(
        read_answers(MembershipFilter(answers.c.prompt_key, "prompt_keys")), by_day_of_cell, sums=running
    ),
    plain,
)


class TotalsVerificationRepository(Repository):
    """The cells and running totals of one company's brands, stored and recounted."""

    async def cells(self, revision_key: int) -> list[tuple[int, int, CellRow]]:
        """Return every stored cell of a revision with its key and the number of its rows of totals."""
        return await self._all(STORED_CELLS, revision_key=revision_key)

    async def counted_cells(
        self, brand_key: int, revision_key: int, first: date, last: date
    ) -> list[CellRow]:
        """Return the cells that published answers of these days, both included, make."""
        return await self._all(
            COUNTED_CELLS,
            brand_key=brand_key,
            revision_key=revision_key,
            since=midnight(first),
            until=midnight(last) + DAY,
        )

    async def rows(self, revision_key: int, prompt_keys: Sequence[int]) -> list[tuple[int, ...]]:
        """Return the totals of some prompts as they are stored: cell, entity, day and the sums, in this order."""
        return await self._all(STORED_ROWS, revision_key=revision_key, prompt_keys=list(prompt_keys))

    async def recounted(
        self, brand_key: int, revision_key: int, prompt_keys: Sequence[int]
    ) -> list[tuple[int, ...]]:
        """Return the same as the answers give it."""
        values = {"brand_key": brand_key, "revision_key": revision_key, "prompt_keys": list(prompt_keys)}
        return sorted(await self._all(RECOUNTED_ROWS, **values))
