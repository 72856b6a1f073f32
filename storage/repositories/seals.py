"""Seals: digests of what a batch stored beside its calculation, and the rows that they cover, byte for byte."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    Select,
    Text,
    and_,
    bindparam,
    func,
    select,
    type_coerce,
)

from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import answers, citations, cited_urls
from storage.tables.columns import JsonText, UtcTime
from storage.tables.health import channel_health
from storage.tables.judgements import answer_claims, tone_judgements
from storage.tables.prompts import run_batches, simulations
from storage.tables.results import batch_seals

CHUNK = 500
"""Answers whose rows are read at once."""


SEALED_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class BatchSeal:
    """The seal of one subject of a batch; `checksums` are eight hexadecimal digits for each row in order."""

    subject: str
    rows: int
    checksums: str
    sha256: str
    signature: str


@dataclass(frozen=True, slots=True)
class SealedRow:
    """One row as it is stored: its table and what it is called there, and its values as JSON."""

    table: str
    key: Sequence[Any]
    content: str

    @property
    def name(self) -> str:
        """What the row is called: its table and its key."""
        return " ".join((self.table, *map(str, self.key)))


def as_stored(column: Column[Any]) -> ColumnElement[Any]:
    """Return a column without what SQLAlchemy would make of it: a seal covers what the database holds."""
    if isinstance(column.type, UtcTime):
        return type_coerce(column, BigInteger)
    return type_coerce(column, Text) if isinstance(column.type, JsonText) else column


@dataclass(frozen=True, slots=True)
class SealedRows:
    """Rows of a table that one seal covers, as the database holds them; the first `keys` of their columns name them."""

    table: str
    keys: int
    query: Query[tuple[Any, ...]]

    def written(self, rows: Sequence[tuple[Any, ...]]) -> list[SealedRow]:
        """Return rows with their values as JSON."""
        contents = map(SEALED_JSON, rows)
        return [
            SealedRow(self.table, row[: self.keys], content)
            for row, content in zip(rows, contents, strict=True)
        ]


SEEN_COLUMNS = ("absent_reason", "seen")
"""Columns of answers that only what was seen on a screen fills; they stand last."""


def sealed_answer(*values: Any) -> tuple[Any, ...]:
    """Return the values of an answer's row; one that an API gave is sealed in the words of before surfaces were known.

    Seals of that time cover answers that are none, and must go on to prove them.
    """
    before, seen = values[: -len(SEEN_COLUMNS)], values[-len(SEEN_COLUMNS) :]
    return values if any(value is not None for value in seen) else before


CHOSEN = and_(
    answers.c.company_id == bindparam("company_id"),
    answers.c.batch_key == bindparam("batch_key"),
    answers.c.key > bindparam("after"),
    answers.c.key <= bindparam("until"),
)
OF_ANSWERS = select(answers.c.key).where(CHOSEN)


def whole(table: Any, batch: ColumnElement[int], *left_out: str) -> SealedRows:
    """Return the choice of all rows of a small table that belong to a batch."""
    keys = [column for column in table.primary_key if column is not batch]
    rest = [as_stored(column) for column in table.c if column not in keys and column.name not in left_out]
    owned = batch == bindparam("batch_key")
    statement = select(*keys, *rest).where(table.c.company_id == bindparam("company_id"), owned)
    return SealedRows(table.name, len(keys) or 1, Query(statement.order_by(*keys), plain))


def on_answers(table: Any, statement: Select[*tuple[Any, ...]]) -> SealedRows:
    """Return the choice of the rows that hang on some answers of a batch."""
    keys = list(table.primary_key)
    chosen = statement.where(keys[0].in_(OF_ANSWERS)).order_by(*keys)
    return SealedRows(table.name, len(keys), Query(chosen, plain))


def of_method(table: Any) -> SealedRows:
    """Return the choice of what one method concluded of some answers."""
    keys = list(table.primary_key)
    rest = [as_stored(column) for column in table.c if column not in keys]
    return on_answers(table, select(*keys, *rest).where(table.c.method == bindparam("method")))


WHOLE: Mapping[str, SealedRows] = {
    "run_batches": whole(run_batches, run_batches.c.key),
    # How accurate a session is follows from the claims, and changes when an engine points at more of them.
    "simulations": whole(simulations, simulations.c.batch_key, "accuracy_score"),
    "channel_health": whole(channel_health, channel_health.c.batch_key),
}
PAGED: Mapping[str, SealedRows] = {
    "answers": SealedRows(
        "answers",
        1,
        Query(
            select(
                answers.c.key,
                *(
                    as_stored(column)
                    for column in answers.c
                    if column is not answers.c.key and column.name not in SEEN_COLUMNS
                ),
                *(as_stored(answers.c[name]) for name in SEEN_COLUMNS),
            )
            .where(CHOSEN)
            .order_by(answers.c.key),
            sealed_answer,
        ),
    ),
    "citations": on_answers(
        citations,
        select(
            citations.c.answer_key,
            citations.c.ordinal,
            citations.c.kind,
            cited_urls.c.url,
            cited_urls.c.title,
            citations.c.start,
            citations.c.end,
            citations.c.span,
            citations.c.site,
        ).join(cited_urls, cited_urls.c.key == citations.c.url_key),
    ),
}
CONCLUDED: Mapping[str, SealedRows] = {
    "answer_claims": of_method(answer_claims),
    "tone_judgements": of_method(tone_judgements),
}
SEALS = Query(
    select(*row_columns(BatchSeal, batch_seals)).where(
        batch_seals.c.company_id == bindparam("company_id"), batch_seals.c.batch_key == bindparam("batch_key")
    ),
    BatchSeal,
)
LAST = Query(
    select(answers.c.key).where(CHOSEN).order_by(answers.c.key).limit(1).offset(bindparam("skipped")),
    int,
)
NEWEST = Query(
    select(func.max(answers.c.key)).where(
        answers.c.company_id == bindparam("company_id"), answers.c.batch_key == bindparam("batch_key")
    ),
    plain,
)
CLOSED = and_(
    run_batches.c.company_id == bindparam("company_id"),
    run_batches.c.brand_key == bindparam("brand_key"),
    run_batches.c.status != "running",
)
UNSEALED = Query(
    select(run_batches.c.key)
    .outerjoin(
        batch_seals, and_(batch_seals.c.batch_key == run_batches.c.key, batch_seals.c.subject == "answers")
    )
    .where(CLOSED, batch_seals.c.batch_key.is_(None))
    .order_by(run_batches.c.key),
    int,
)
ENDED = Query(select(run_batches.c.key).where(CLOSED).order_by(run_batches.c.key), int)
METHODS: Mapping[str, Query[str]] = {
    table.name: Query(
        select(table.c.method)
        .distinct()
        .join(answers, answers.c.key == table.c.answer_key)
        .where(answers.c.company_id == bindparam("company_id"), answers.c.batch_key == bindparam("batch_key"))
        .order_by(table.c.method),
        str,
    )
    for table in (answer_claims, tone_judgements)
}


class SealRepository(Repository):
    """The seals of one company's batches, and what they cover."""

    async def of_batch(self, batch_key: int) -> dict[str, BatchSeal]:
        """Return the seals of a batch by subject."""
        return {seal.subject: seal for seal in await self._all(SEALS, batch_key=batch_key)}

    async def unsealed(self, brand_key: int) -> list[int]:
        """Return the batches of a brand that ended and have no seal: they came with an archive, or before seals."""
        return await self._all(UNSEALED, brand_key=brand_key)

    async def ended(self, brand_key: int) -> list[int]:
        """Return every batch of a brand that is not running, oldest first."""
        return await self._all(ENDED, brand_key=brand_key)

    async def subjects(self, batch_key: int) -> list[str]:
        """Return what of a batch needs a seal: a table, or a table and the method that concluded its rows."""
        concluded = [
            f"{table}:{method}"
            for table, query in METHODS.items()
            for method in await self._all(query, batch_key=batch_key)
        ]
        return [*WHOLE, *PAGED, *concluded]

    @staticmethod
    def can_seal(subject: str) -> bool:
        """Return whether there are rows that this subject can mean."""
        table, _, method = subject.partition(":")
        return table in CONCLUDED if method else subject in WHOLE or subject in PAGED

    async def add(self, batch_key: int, seal: BatchSeal) -> None:
        """Store a seal in place of the one before."""
        row = {
            "company_id": self.company_id,
            "batch_key": batch_key,
            "subject": seal.subject,
            "rows": seal.rows,
            "checksums": seal.checksums,
            "sha256": seal.sha256,
            "signature": seal.signature,
        }
        await self._write(
            self._insert_or_change(batch_seals, "rows", "checksums", "sha256", "signature"), row
        )

    async def rows(self, batch_key: int, subject: str, after: int) -> tuple[list[SealedRow], int | None]:
        """Return the next rows of a subject in order, and after which answer to go on; None at the end."""
        if subject in WHOLE:
            chosen = WHOLE[subject]
            return chosen.written(await self._all(chosen.query, batch_key=batch_key)), None
        [newest] = await self._first(NEWEST, batch_key=batch_key) or [None]
        if newest is None:
            return [], None
        page = {"batch_key": batch_key, "after": after}
        until = await self._first(LAST, **page, until=newest, skipped=CHUNK - 1)
        table, _, method = subject.partition(":")
        chosen, more = (CONCLUDED[table], {"method": method}) if method else (PAGED[table], {})
        rows = await self._all(chosen.query, **page, until=newest if until is None else until, **more)
        return chosen.written(rows), until
