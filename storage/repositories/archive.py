"""Export and import of all data of one company, as records that another database can import."""

from collections.abc import AsyncGenerator, Callable, Collection, Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Date,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    and_,
    bindparam,
    delete,
    insert,
    or_,
    select,
    true,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateTable

from storage.encoding import packed, unpacked, unpacked_exchanges
from storage.errors import DuplicateRow, InvalidArchive
from storage.failures import refers_to_nothing
from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables import metadata
from storage.tables.answers import (
    answer_exchanges,
    answer_texts,
    answers,
    channels,
    citations,
    cited_urls,
)
from storage.tables.brands import brands
from storage.tables.columns import OF_NOBODY, JsonText, UtcTime

CHUNK = 500
"""Rows read or stored at once."""
INSTALLATION = frozenset(
    {
        *("companies", "users", "sessions", "invitations", "api_keys", "provider_credentials"),
        *("oauth_clients", "oauth_grants", "oauth_codes", "oauth_tokens", "idempotency_keys"),
        *("workflow_runs", "run_agents", "findings", "credit_ledger", "mails"),
        *("wordpress_sites", "wordpress_posts"),
        "counted_log_lines",  # digests under this installation's secret
    }
)
DERIVED = frozenset(
    {
        *("analysis_revisions", "answer_readings", "mentions"),
        *("score_calculations", "metric_points", "daily_rollups", "competitor_points", "batch_seals"),
        *("country_calculations", "suggestion_looks"),
        *("cells", "running_totals", "channel_days"),
    }
)
SHARED = {"channels": ("platform", "mode", "source", "country"), "cited_urls": ("url", "title")}
"""Rows that belong to no company: a record contains their values instead of their key."""
LEFT_OUT = {("brands", "revision_key"), ("brands", "delete_at")}
"""A key of derived rows, and a planned deletion, which must not happen where the archive is imported."""

Record: TypeAlias = dict[str, Any]


def is_archived(table: Table) -> bool:
    """Return whether a table's rows belong to a company and do not depend on rows that are not exported."""
    if table.name in INSTALLATION | DERIVED | SHARED.keys() or not {"company_id", "answer_key"} & set(
        table.c.keys()
    ):
        return False
    needed = [key.column.table for key in table.foreign_keys if not key.parent.nullable]
    return all(table.name == "companies" or table.name in SHARED or is_archived(table) for table in needed)


def of_company(table: Table) -> ColumnElement[bool]:
    """Return the condition that a row belongs to the company, directly or through its answer."""
    if "company_id" in table.c:
        return table.c.company_id == bindparam("company_id")
    return table.c.answer_key.in_(
        select(answers.c.key).where(answers.c.company_id == bindparam("company_id"))
    )


def of_brand(table: Table) -> ColumnElement[bool]:
    """Return the condition that a row belongs to one brand or to all brands, directly or through its references."""
    if table is brands:
        return table.c.key == bindparam("brand_key")
    if "brand_key" in table.c:
        column = table.c.brand_key
        own = column == bindparam("brand_key")
        return or_(own, column.is_(None)) if column.nullable else own
    conditions = [
        or_(key.parent.is_(None), key.parent.in_(select(key.column).where(of_brand(key.column.table))))
        for key in table.foreign_keys
        if is_archived(key.column.table)
    ]
    return and_(true(), *conditions)


def position(table: Table) -> Column[Any] | None:
    """Return the column for keyset pagination; small tables without one use an offset."""
    if "key" in table.c:
        return table.c.key
    return next((column for column in table.primary_key if column.name in ("answer_key", "ask_key")), None)


def is_spanned(table: Table) -> bool:
    """Return whether an answer may have several rows, which must be on the same page."""
    return "answer_key" in table.primary_key and len(table.primary_key) > 1


TEXT_BESIDE = (
    select(answer_texts.c.text)
    .where(answer_texts.c.answer_key == answer_exchanges.c.answer_key)
    .scalar_subquery()
)
"""The text of an answer, used as the dictionary for compressing its raw exchanges."""


def opened(table: Table, row: Sequence[Any]) -> Record:
    """Return a row by column name, with the raw exchanges of an answer decompressed to a self-contained form."""
    values = dict(zip(table.c.keys(), row, strict=False))
    if table is answer_exchanges:
        values["exchanges"] = unpacked_exchanges(values["exchanges"], unpacked(row[-1]))
    return values


def page(table: Table, condition: Callable[[Table], ColumnElement[bool]]) -> Query[Any]:
    """Return the query for one page of a table, in primary key order."""
    columns = [*table.c, *((TEXT_BESIDE,) if table is answer_exchanges else ())]
    statement = select(*columns).where(of_company(table), condition(table)).order_by(*table.primary_key)
    ordered = position(table)
    if ordered is None:
        return Query(statement.limit(bindparam("limit")).offset(bindparam("after")), plain)
    if is_spanned(table):
        within = and_(ordered > bindparam("after"), ordered <= bindparam("until"))
        return Query(statement.where(within), plain)
    return Query(statement.where(ordered > bindparam("after")).limit(bindparam("limit")), plain)


TABLES = {table.name: table for table in metadata.sorted_tables if is_archived(table)}
PAGES = {name: page(table, lambda table: true()) for name, table in TABLES.items()}
BRAND_PAGES = {name: page(table, of_brand) for name, table in TABLES.items()}
CHANNELS = Query(select(channels.c.key, *(channels.c[name] for name in SHARED["channels"])), plain)
CITED_URLS = Query(
    select(cited_urls.c.key, *(cited_urls.c[name] for name in SHARED["cited_urls"]))
    .distinct()
    .join(citations, citations.c.url_key == cited_urls.c.key)
    .join(answers, answers.c.key == citations.c.answer_key)
    .where(
        answers.c.company_id == bindparam("company_id"),
        citations.c.answer_key > bindparam("after"),
        citations.c.answer_key <= bindparam("until"),
    ),
    plain,
)
SPAN = 2_000
"""How many answer keys one page covers if an answer has several rows."""
LAST_ANSWER = Query(
    select(answers.c.key)
    .where(answers.c.company_id == bindparam("company_id"))
    .order_by(answers.c.key.desc())
    .limit(1),
    int,
)


class ArchiveRepository(Repository):
    """The records of one company: exported page by page, or imported with new keys."""

    async def records(self, brand_key: int | None) -> AsyncGenerator[Record]:
        """Yield every record of the company, or of one brand, after the records that it references."""
        pages = PAGES if brand_key is None else BRAND_PAGES
        values = {} if brand_key is None else {"brand_key": brand_key}
        shared = {"channels": {row[0]: list(row[1:]) for row in await self._all(CHANNELS)}}
        for name, table in TABLES.items():
            if is_spanned(table):
                async for record in self._of_answers(table, pages[name], values):
                    yield record
                continue
            after = 0
            while rows := await self._all(pages[name], after=after, limit=CHUNK, **values):
                for row in rows:
                    yield record_of(table, opened(table, row), shared)
                ordered = position(table)
                after = after + len(rows) if ordered is None else rows[-1][table.c.keys().index(ordered.name)]

    async def _of_answers(
        self, table: Table, query: Query[Any], values: Mapping[str, Any]
    ) -> AsyncGenerator[Record]:
        last = await self._first(LAST_ANSWER) or 0
        for after in range(0, last, SPAN):
            span = {"after": after, "until": after + SPAN}
            urls = await self._all(CITED_URLS, **span) if table is citations else []
            shared = {"cited_urls": {row[0]: list(row[1:]) for row in urls}}
            for row in await self._all(query, **span, **values):
                yield record_of(table, opened(table, row), shared)

    async def store(self, table: Table, rows: Sequence[Mapping[str, Any]]) -> list[int | None]:
        """Insert rows of a table for this company and return their keys, None if a table has none.

        Raises Duplicate if one of them already exists, for any company.
        """
        own = {"company_id": self.company_id} if "company_id" in table.c else {}
        names = [
            column.name
            for column in table.c
            if column.name not in ("key", "company_id")
            # For archives older than such a column, the database sets its default.
            and (column.server_default is None or any(column.name in row for row in rows))
        ]
        full = [{**{name: row.get(name) for name in names}, **own} for row in rows]
        statement = insert(table)
        keyed = "key" in table.c
        if keyed:
            statement = statement.returning(table.c.key, sort_by_parameter_order=True)
        try:
            done = await self._write(statement, full)
        except IntegrityError as error:
            if refers_to_nothing(error):
                raise
            raise DuplicateRow("a row of", table.name) from error
        return [row[0] for row in done] if keyed else [None] * len(full)


def target_of(column: Column[Any]) -> str | None:
    """Return the table that a column references by key, or None for a plain value."""
    foreign_key = next(iter(column.foreign_keys), None)
    return (
        None
        if foreign_key is None or foreign_key.column.table.name == "companies"
        else foreign_key.column.table.name
    )


def record_of(table: Table, row: Mapping[str, Any], shared: Mapping[str, Mapping[int, list[Any]]]) -> Record:
    """Return one row as a record: its key, and values that JSON can represent."""
    values: dict[str, Any] = {}
    for name, value in row.items():
        if name in ("key", "company_id") or value is None:
            continue
        target = target_of(table.c[name])
        if (table.name, name) in LEFT_OUT or target in INSTALLATION | DERIVED:
            continue
        values[name] = shared[target][value] if target in SHARED else to_record_value(table.c[name], value)
    return {"table": table.name, "key": row.get("key"), "values": values}


def to_record_value(column: Column[Any], value: Any) -> Any:
    """Return a column's value in a form that JSON can represent; compressed text is decompressed."""
    if isinstance(column.type, UtcTime | Date):
        return value.isoformat()
    return unpacked(value) if isinstance(value, bytes) else value


PLAIN: Sequence[tuple[type[Any], type[Any] | tuple[type[Any], ...]]] = (
    (Boolean, bool),
    (BigInteger, int),
    (Integer, int),
    (Float, (int, float)),
    (Text, str),
)


def from_record_value(column: Column[Any], value: Any) -> Any:
    """Return a value from a record in the column's type. Raises NotAnArchive."""
    if value is None:
        return None
    try:
        if isinstance(column.type, JsonText):
            return value
        if isinstance(column.type, UtcTime):
            return parse_aware_instant(value)
        if isinstance(column.type, Date):
            return date.fromisoformat(value)
        if isinstance(column.type, LargeBinary):
            return packed(value)
        expected = next(python for kind, python in PLAIN if isinstance(column.type, kind))
        if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
            raise ValueError
        if isinstance(value, str) and "\0" in value:
            raise ValueError
    except (TypeError, ValueError, AttributeError) as error:
        raise InvalidArchive(f"{column.table.name}.{column.name} is not what it should be") from error
    return value


def parse_aware_instant(value: str) -> datetime:
    """Return an instant. Raises ValueError if it has no offset."""
    moment = datetime.fromisoformat(value)
    if moment.tzinfo is None:
        raise ValueError
    return moment


PAIRS = Table(
    "archive_keys",
    MetaData(),
    Column("name", Text, primary_key=True),
    Column("old", BigInteger, primary_key=True, autoincrement=False),
    Column("new", BigInteger, nullable=False),
    prefixes=["TEMPORARY"],
    info=OF_NOBODY,
    postgresql_on_commit="DROP",
)
"""Visible to one connection only. SQLite keeps it beyond the transaction, so it is emptied before and after use."""

MOST = 2**63 - 1


class ArchiveKeyRepository(Repository):
    """Old and new keys of the rows that one transaction imports."""

    async def begin(self) -> None:
        """Prepare the table. This must be called before any other method."""
        await self._write(CreateTable(PAIRS, if_not_exists=True))
        await self._write(delete(PAIRS))

    async def remember(self, table: str, pairs: Iterable[tuple[Any, int | None]]) -> None:
        """Store the new key of each old one; a row without either is never referenced.

        Raises NotAnArchive if an old key occurs twice.
        """
        rows = [
            {"name": table, "old": old, "new": new}
            for old, new in pairs
            if isinstance(old, int) and abs(old) <= MOST and new is not None
        ]
        if not rows:
            return
        try:
            await self._write(insert(PAIRS), rows)
        except IntegrityError as error:
            raise InvalidArchive(f"two rows of {table} have the same key") from error

    async def find(self, table: str, old: Collection[int]) -> dict[int, int]:
        """Return the new keys of a chunk of old ones; rows that were not imported are missing."""
        known = [old_key for old_key in old if abs(old_key) <= MOST]
        key_rows = await self._write(
            select(PAIRS.c.old, PAIRS.c.new).where(PAIRS.c.name == table, PAIRS.c.old.in_(sorted(known)))
        )
        return {key_row.old: key_row.new for key_row in key_rows}

    async def end(self) -> None:
        """Delete all keys."""
        await self._write(delete(PAIRS))
