"""Stored results row by row, as a verification reads them: every column, nothing left out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import Table, and_, bindparam, func, select

from storage.encoding import sha256_of, unpacked, unpacked_exchanges
from storage.errors import DamagedData
from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import (
    answer_exchanges,
    answer_readings,
    answer_texts,
    answers,
    channels,
    mentions,
    reparsed_answers,
)
from storage.tables.brands import analysis_revisions
from storage.tables.columns import unproven
from storage.tables.prompts import prompts, run_batches
from storage.tables.results import daily_rollups, metric_points, score_calculations

Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StoredCalculation:
    """One row of score_calculations with the identifier of its batch."""

    key: int
    brand_key: int
    revision_key: int
    batch_key: int
    receipt_id: str
    status: str
    score: float | None
    headline: Mapping[str, Any]
    platforms: Mapping[str, Any]
    rankings: Mapping[str, Any]
    receipt: Mapping[str, Any]
    replay_of: int | None
    calculated_at: datetime
    signature: str


@dataclass(frozen=True, slots=True)
class CheckedText:
    """The stored text of an answer, and what is wrong with it: `fault` is empty if it is as first stored."""

    answer_key: int
    batch_key: int
    fault: str


def checked_text(
    answer_key: int,
    batch_key: int,
    text: bytes | None,
    sha256: str,
    exchanges: bytes | None,
    parsed: bytes | None,
    parsed_sha256: str | None,
) -> CheckedText:
    """Compare a stored text and the text of a later parser with their digests, and unpack the raw exchanges."""
    fault = ""
    try:
        if text is None:
            fault = "text is missing"
        elif sha256_of(words := unpacked(text)) != sha256:
            fault = "text differs from its digest"
        elif exchanges is not None:
            unpacked_exchanges(exchanges, words)
        if parsed is not None and sha256_of(unpacked(parsed)) != parsed_sha256:
            fault = "parsed text differs from its digest"
    except DamagedData:
        fault = "text or raw exchange is damaged"
    return CheckedText(answer_key, batch_key, fault)


def columns(table: Table) -> list[str]:
    """Return the names of a table's columns in their order."""
    return [column.name for column in table.c]


OURS = (
    select(analysis_revisions.c.key)
    .where(
        analysis_revisions.c.key == bindparam("revision_key"),
        analysis_revisions.c.company_id == bindparam("company_id"),
    )
    .scalar_subquery()
)
CALCULATIONS = Query(
    select(
        *row_columns(
            StoredCalculation,
            score_calculations,
            headline=unproven(score_calculations.c.headline),
            platforms=unproven(score_calculations.c.platforms),
            rankings=unproven(score_calculations.c.rankings),
            receipt=unproven(score_calculations.c.receipt),
        )
    )
    .where(
        score_calculations.c.company_id == bindparam("company_id"),
        score_calculations.c.brand_key == bindparam("brand_key"),
        score_calculations.c.revision_key == bindparam("revision_key"),
    )
    .order_by(score_calculations.c.key),
    StoredCalculation,
)
CHAIN_END = Query(
    select(score_calculations.c.receipt_id)
    .where(
        score_calculations.c.company_id == bindparam("company_id"),
        score_calculations.c.brand_key == bindparam("brand_key"),
        score_calculations.c.revision_key == bindparam("revision_key"),
        score_calculations.c.batch_key != bindparam("batch_key"),
    )
    .order_by(score_calculations.c.key.desc())
    .limit(1),
    str,
)
POINTS = Query(
    select(*metric_points.c).where(metric_points.c.revision_key == OURS).order_by(*metric_points.primary_key),
    plain,
)
ROLLUPS = Query(
    select(*daily_rollups.c).where(daily_rollups.c.revision_key == OURS).order_by(*daily_rollups.primary_key),
    plain,
)
DAYS = Query(
    select(func.min(answers.c.captured_at), func.max(answers.c.captured_at))
    .join(run_batches, run_batches.c.key == answers.c.batch_key)
    .where(
        answers.c.company_id == bindparam("company_id"),
        answers.c.brand_key == bindparam("brand_key"),
        run_batches.c.status == "success",
    ),
    plain,
)
TEXTS = Query(
    select(
        answers.c.key,
        answers.c.batch_key,
        answer_texts.c.text,
        answers.c.text_sha256,
        answer_exchanges.c.exchanges,
        reparsed_answers.c.text,
        reparsed_answers.c.text_sha256,
    )
    .outerjoin(answer_texts, answer_texts.c.answer_key == answers.c.key)
    .outerjoin(answer_exchanges, answer_exchanges.c.answer_key == answers.c.key)
    .outerjoin(
        reparsed_answers,
        and_(
            reparsed_answers.c.answer_key == answers.c.key,
            reparsed_answers.c.parsing == bindparam("parsing", type_=reparsed_answers.c.parsing.type),
        ),
    )
    .where(
        answers.c.company_id == bindparam("company_id"),
        answers.c.brand_key == bindparam("brand_key"),
        answers.c.key > bindparam("after"),
    )
    .order_by(answers.c.key)
    .limit(bindparam("limit")),
    checked_text,
)
OF_BATCH = (
    select(answers.c.key)
    .where(
        answers.c.company_id == bindparam("company_id"),
        answers.c.batch_key == bindparam("batch_key"),
        answers.c.key > bindparam("after"),
    )
    .order_by(answers.c.key)
    .limit(bindparam("limit"))
)
KEYS = Query(OF_BATCH, int)
BETWEEN = select(answers.c.key).where(
    answers.c.company_id == bindparam("company_id"),
    answers.c.batch_key == bindparam("batch_key"),
    answers.c.key.between(bindparam("low"), bindparam("high")),
)
READINGS = Query(
    select(*map(unproven, answer_readings.c))
    .where(
        answer_readings.c.revision_key == bindparam("revision_key"), answer_readings.c.answer_key.in_(BETWEEN)
    )
    .order_by(answer_readings.c.answer_key),
    plain,
)
MENTIONS = Query(
    select(*map(unproven, mentions.c))
    .where(mentions.c.revision_key == bindparam("revision_key"), mentions.c.answer_key.in_(BETWEEN))
    .order_by(mentions.c.answer_key, mentions.c.entity_key),
    plain,
)
ASKED_IN = and_(
    answers.c.company_id == bindparam("company_id"), answers.c.batch_key == bindparam("batch_key")
)
ASKED_PROMPTS = Query(
    select(prompts.c.key, prompts.c.text)
    .where(prompts.c.key.in_(select(answers.c.prompt_key).where(ASKED_IN)))
    .order_by(prompts.c.key),
    plain,
)
ASKED_CHANNELS = Query(
    select(*channels.c)
    .where(channels.c.key.in_(select(answers.c.channel_key).where(ASKED_IN)))
    .order_by(channels.c.key),
    plain,
)


class StoredResultRepository(Repository):
    """The result rows of one company."""

    async def calculations(self, brand_key: int, revision_key: int) -> list[StoredCalculation]:
        """Return every calculation of a brand in a revision, in the order in which they were stored."""
        return await self._all(CALCULATIONS, brand_key=brand_key, revision_key=revision_key)

    async def chain_end(self, brand_key: int, revision_key: int, batch_key: int) -> str | None:
        """Return the receipt that was stored last, other than that of a batch that is stored now."""
        return await self._first(
            CHAIN_END, brand_key=brand_key, revision_key=revision_key, batch_key=batch_key
        )

    async def points(self, revision_key: int) -> list[Row]:
        """Return every trend point of a revision."""
        rows = await self._all(POINTS, revision_key=revision_key)
        return [dict(zip(columns(metric_points), row, strict=True)) for row in rows]

    async def rollups(self, revision_key: int) -> list[Row]:
        """Return every daily count of a revision."""
        rows = await self._all(ROLLUPS, revision_key=revision_key)
        return [dict(zip(columns(daily_rollups), row, strict=True)) for row in rows]

    async def period(self, brand_key: int) -> tuple[date, date] | None:
        """Return the first and the last day of a brand's published answers, UTC."""
        span = await self._first(DAYS, brand_key=brand_key)
        return (span[0].date(), span[1].date()) if span and span[0] is not None else None

    async def texts(self, brand_key: int, parsing: int, after: int, limit: int) -> list[CheckedText]:
        """Compare the next stored texts of a brand, by key, with what was written first and by a parsing."""
        return await self._all(TEXTS, brand_key=brand_key, parsing=parsing, after=after, limit=limit)

    async def asked(self, batch_key: int) -> tuple[list[list[Any]], list[list[Any]]]:
        """Return the prompts with answers in a batch (key, text), and the channels that gave them."""
        prompt_rows = await self._all(ASKED_PROMPTS, batch_key=batch_key)
        channel_rows = await self._all(ASKED_CHANNELS, batch_key=batch_key)
        return [list(row) for row in prompt_rows], [list(row) for row in channel_rows]

    async def readings(
        self, revision_key: int, batch_key: int, after: int, limit: int
    ) -> tuple[list[int], Sequence[Row], Sequence[Row]]:
        """Return the keys of the next answers of a batch, and the rows that a revision read in them."""
        keys = await self._all(KEYS, batch_key=batch_key, after=after, limit=limit)
        if not keys:
            return [], [], []
        chosen = {
            "revision_key": revision_key,
            "batch_key": batch_key,
            "low": keys[0],
            "high": keys[-1],
        }
        read = [
            dict(zip(columns(answer_readings), row, strict=True))
            for row in await self._all(READINGS, **chosen)
        ]
        mention_rows = [
            dict(zip(columns(mentions), row, strict=True)) for row in await self._all(MENTIONS, **chosen)
        ]
        return keys, read, mention_rows
