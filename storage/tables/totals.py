"""Running totals of cells, and how the asks of each channel ended: what every period is calculated from."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table

from storage.tables.columns import (
    JsonText,
    Key,
    UtcTime,
    company_column,
    key_column,
    metadata,
    reference,
)

SUMS = (
    "named",
    "prominence",
    "prominence_square",
    "cited",
    "prominence_cited",
    "named_unknown",
    "prominence_unknown",
    "citing",
    "ranked",
    "rank_sum",
    "rank_square",
    "own_mentions",
    "named_in_all",
    "uncertain",
    "absences",
    "answers",
    "unknown",
    "mentions",
    "mentions_square",
    "naming",
    "not_shown",
    "cut_off",
    "valid",
    "stored",
    "searched",
)
"""The fields of `analytics.cell_sums.CellSums`, in its order."""

cells = Table(
    "cells",
    metadata,
    key_column(),
    company_column(),
    Column("revision_key", Key, nullable=False),
    reference("prompt_key", "prompts.key"),
    Column("channel_key", Key, nullable=False),
    Column("named_in_prompt", JsonText, nullable=False),
    Index("uq_cells", "revision_key", "prompt_key", "channel_key", unique=True),
    Index("ix_cells_prompt", "prompt_key"),
)
"""Each prompt with each channel that a revision has published answers of; `named_in_prompt` are entities."""

running_totals = Table(
    "running_totals",
    metadata,
    reference("cell_key", "cells.key", primary_key=True),
    Column("entity_key", Key, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    *(
        Column(name, BigInteger if name.startswith("prominence") else Integer, nullable=False)
        for name in SUMS
    ),
    sqlite_with_rowid=False,
)
"""Sums over a cell's answers for one entity (0 is the brand), from the first day up to and including `day`.

`day` counts days since 1970, UTC. The brand has a row for each day with an answer, a competitor for each day on which
an answer names it or cites its site. What does not depend on the entity, such as the number of answers, is only in the
brand's row. Whether a prompt is from a set is decided when totals are read, because its set may be deleted.
"""

channel_days = Table(
    "channel_days",
    metadata,
    Column("revision_key", Key, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    reference("batch_key", "run_batches.key", primary_key=True),
    Column("channel_key", Key, primary_key=True, autoincrement=False),
    company_column(),
    Column("degraded", Boolean, nullable=False),
    Column("planned", Integer, nullable=False),
    Column("valid", Integer, nullable=False),
    Column("refused", Integer, nullable=False),
    Column("empty", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("not_grounded", Integer, nullable=False),
    Column("truncated", Integer, nullable=False),
    Column("answers", Integer, nullable=False),
    Column("served_models", JsonText, nullable=False),
    Column("requested_models", JsonText, nullable=False),
    Column("places", JsonText, nullable=False),
    Column("languages", JsonText, nullable=False),
    Column("last_valid_at", UtcTime),
    Column("domains", JsonText, nullable=False),
    Index("ix_channel_days_batch", "batch_key", "revision_key"),
    sqlite_with_rowid=False,
)
"""Each channel of a published batch on each day of the batch, `day` as in `running_totals`.

`planned` to `truncated` say how the asks of the channel ended in the whole batch, so they repeat on each of its days.
`answers` counts all answers of the day; the lists and `last_valid_at` are of its valid ones.
`domains` counts all answers of the day by each domain that they cite, under the owner class of the domain.
"""
