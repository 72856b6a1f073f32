"""The sums over published answers that running totals hold, as one SQL expression."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import (
    CTE,
    BigInteger,
    ColumnElement,
    Integer,
    Join,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    func,
    literal_column,
    or_,
    select,
    union_all,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.compiler import SQLCompiler

from storage.filters import MembershipFilter
from storage.repositories.answers.answer_filters import DAYS_SINCE_1970, READ_BY, TRUNCATED, VALID
from storage.repositories.answers.reparsed_answers import AS_READ
from storage.tables.answers import THE_BRAND, answer_readings, answers, channels, mentions, reparsed_answers
from storage.tables.prompts import prompts
from storage.tables.totals import SUMS, cells, channel_days, running_totals

PROMINENCES = (
    *(1_000_000, 630_930, 500_000, 430_677, 386_853, 356_207, 333_333),
    *(315_465, 301_030, 289_065, 278_943, 270_238, 262_650, 255_958),
)
"""Prominence of the ranks from 1 on, in millionths; every rank after these has the lowest."""
LOWEST_RANKED = 250_000
OF_ANSWER = ("day", "measurable", "valid", "entities", "searched", "not_shown", "cut_off")
"""What a row of `read_answers` says of all entities."""
ONE: ColumnElement[int] = literal_column("1", Integer)
NONE: ColumnElement[int] = literal_column("0", Integer)


class UnrankedProminence(ColumnElement[int]):
    """Prominence of an unranked mention by its position, in millionths: cut off after the point, not rounded."""

    inherit_cache = False
    type = BigInteger()

    def __init__(self, position: ColumnElement[float]) -> None:
        self.position = position

    def get_children(self, **options: Any) -> tuple[ColumnElement[Any], ...]:
        """Return the position, so that SQLAlchemy finds its table."""
        return (self.position,)

    def written(self, compiler: SQLCompiler, **options: Any) -> str:
        """Return the formula of `analytics.cell_sums.prominence_of`, in double precision."""
        return f"{LOWEST_RANKED}.0 * (1.0 - {compiler.process(self.position, **options)} / 2.0) + 0.5"


@compiles(UnrankedProminence)
def _unranked(element: UnrankedProminence, compiler: SQLCompiler, **options: Any) -> str:
    return f"CAST({element.written(compiler, **options)} AS INTEGER)"


@compiles(UnrankedProminence, "postgresql")
def _unranked_on_postgresql(element: UnrankedProminence, compiler: SQLCompiler, **options: Any) -> str:
    return f"CAST(trunc({element.written(compiler, **options)}) AS BIGINT)"


def words(value: str) -> ColumnElement[str]:
    """Return a fixed text, written out, so that a long statement has few parameters."""
    return literal_column(f"'{value}'", Text)


def one_if(condition: ColumnElement[bool]) -> ColumnElement[int]:
    """Return 1 where a condition holds, and 0 where it does not or is NULL."""
    return case((condition, ONE), else_=NONE)


def prominence(mention: Any) -> ColumnElement[int]:
    """Return the prominence of a mention in millionths."""
    ranks = {rank: literal_column(str(value), BigInteger) for rank, value in enumerate(PROMINENCES, 1)}
    lowest = literal_column(str(LOWEST_RANKED), BigInteger)
    by_rank = [(mention.rank == literal_column(str(rank)), value) for rank, value in ranks.items()]
    return case((mention.rank.is_(None), UnrankedProminence(mention.position)), *by_rank, else_=lowest)


STATUS = func.coalesce(reparsed_answers.c.status, answers.c.status)
RETRIEVAL = func.coalesce(reparsed_answers.c.retrieval, answers.c.retrieval)
CUT_OFF = and_(TRUNCATED.is_(True), words("answered") == STATUS, VALID.is_(False))
NOT_SHOWN = and_(
    VALID.is_(False),
    words("not_shown") == STATUS,
    func.coalesce(answers.c.absent_reason, words("")) != words("no_results"),
)
COUNTS = and_(answer_readings.c.branded.is_(False), channel_days.c.degraded.is_(False))
"""Whether rates count an answer that is valid; whether its prompt is from a set is decided when sums are read."""
NAMING = mentions.alias("naming")
ENTITIES = (
    select(func.count())
    .where(
        NAMING.c.answer_key == answers.c.key,
        NAMING.c.revision_key == bindparam("revision_key"),
        NAMING.c.named.is_(True),
    )
    .correlate(answers)
    .scalar_subquery()
)
OF_DAY = and_(
    channel_days.c.revision_key == bindparam("revision_key"),
    channel_days.c.day == DAYS_SINCE_1970,
    channel_days.c.batch_key == answers.c.batch_key,
    channel_days.c.channel_key == answers.c.channel_key,
)
"""Joins an answer to the day of its channel, which only published answers have."""
OF_CELL = and_(
    cells.c.revision_key == bindparam("revision_key"),
    cells.c.prompt_key == answers.c.prompt_key,
    cells.c.channel_key == answers.c.channel_key,
)
PUBLISHED: Join = answers.join(channel_days, OF_DAY).join(answer_readings, READ_BY)
"""The published answers of a revision."""
OF_BRAND = and_(
    answers.c.company_id == bindparam("company_id"), answers.c.brand_key == bindparam("brand_key")
)


OF_BATCHES = and_(
    answers.c.company_id == bindparam("company_id"), answers.c.brand_key + 0 == bindparam("brand_key")
)
"""The same, if the index of batches must find them and not that of the brand, which has all of them."""

PROMPT = prompts.c.key == cells.c.prompt_key
CHANNEL = channels.c.key == cells.c.channel_key
OWN_CELLS = and_(
    cells.c.company_id == bindparam("company_id"), cells.c.revision_key == bindparam("revision_key")
)
SINCE, UNTIL = (bindparam(name, type_=answers.c.captured_at.type) for name in ("since", "until"))
ROW = (*running_totals.primary_key, *(running_totals.c[name] for name in SUMS))
"""The columns of a row of running totals."""


def read_answers(
    *chosen: ColumnElement[bool],
    joins: Mapping[Any, ColumnElement[bool]] | None = None,
    owned: ColumnElement[bool] = OF_BRAND,
) -> CTE:
    """Return the chosen answers of a brand, one row each, with what they count for; `joins` are for conditions."""
    source: Any = PUBLISHED.join(cells, OF_CELL).outerjoin(reparsed_answers, AS_READ)
    for table, condition in (joins or {}).items():
        source = source.join(table, condition)
    rated = and_(VALID.is_(True), COUNTS)
    return (
        select(
            answers.c.key.label("answer_key"),
            cells.c.key.label("cell_key"),
            channel_days.c.day.label("day"),
            one_if(answer_readings.c.measurable.is_(True)).label("measurable"),
            one_if(VALID.is_(True)).label("valid"),
            one_if(rated).label("rated"),
            case((rated, ENTITIES), else_=NONE).label("entities"),
            one_if(words("searched") == RETRIEVAL).label("searched"),
            one_if(and_(NOT_SHOWN, COUNTS)).label("not_shown"),
            one_if(and_(CUT_OFF, COUNTS)).label("cut_off"),
        )
        .select_from(source)
        .where(owned, *chosen)
        .cte("read_answers")
    )


def entity_rows(
    read: Any, mention: Any, entity: ColumnElement[int], rated: ColumnElement[int], own: ColumnElement[int]
) -> tuple[ColumnElement[Any], ...]:
    """Return what one answer says of one entity; `own` is 1 in the brand's rows, which count for all entities.

    The rank of an entity that is not named is NULL.
    """
    named = mention.named.is_(True)
    columns: Mapping[str, ColumnElement[Any]] = {
        "own": own,
        "rated": rated,
        "named": one_if(named),
        "cites": one_if(mention.cites_own.is_(True)),
        "prominence": case((named, prominence(mention)), else_=literal_column("0", BigInteger)),
        "rank": case((named, mention.rank)),
        "uncertain": func.coalesce(mention.uncertain, NONE),
        "absences": func.coalesce(mention.absences, NONE),
    }
    return (
        read.cell_key,
        entity.label("entity_key"),
        *(read[name] for name in OF_ANSWER),
        *(column.label(name) for name, column in columns.items()),
    )


def terms_of(row: Any) -> Mapping[str, ColumnElement[int]]:
    """Return what one answer adds to each sum, by the names of `SUMS`."""
    own, rated, entities = row.own, row.rated, row.entities
    n = rated * row.named
    p = rated * row.prominence
    c = n * row.cites * row.measurable
    u = n * (ONE - row.measurable)
    rank = rated * func.coalesce(row.rank, NONE)
    return {
        "answers": own * rated,
        "named": n,
        "prominence": p,
        "prominence_square": p * p,
        "cited": c,
        "prominence_cited": p * c,
        "unknown": own * rated * (ONE - row.measurable),
        "named_unknown": u,
        "prominence_unknown": p * u,
        "citing": rated * row.cites * row.measurable,
        "ranked": rated * one_if(row.rank.is_not(None)),
        "rank_sum": rank,
        "rank_square": rank * rank,
        "mentions": own * rated * entities,
        "mentions_square": own * rated * entities * entities,
        "own_mentions": n * entities,
        "naming": own * rated * one_if(entities > NONE),
        "valid": own * row.valid,
        "named_in_all": row.valid * row.named,
        "stored": own,
        "searched": own * row.searched,
        "uncertain": own * row.uncertain,
        "absences": own * row.absences,
        "not_shown": own * row.not_shown,
        "cut_off": own * row.cut_off,
    }


def by_day_of_cell(row: Any) -> tuple[ColumnElement[Any], ...]:
    """Return what distinguishes rows of running totals."""
    return row.cell_key, row.entity_key, row.day


def summed(row: Any) -> tuple[ColumnElement[int], ...]:
    """Return the sums over rows of `entity_rows`, by the names of `SUMS`."""
    terms = terms_of(row)
    return tuple(cast(func.sum(terms[name]), BigInteger).label(name) for name in SUMS)


def running(row: Any) -> tuple[ColumnElement[int], ...]:
    """Return the sums over each day and all days before it, of a grouping by cell, entity and day."""
    terms = terms_of(row)
    window: Mapping[str, Any] = {"partition_by": (row.cell_key, row.entity_key), "order_by": row.day}
    return tuple(
        cast(func.sum(cast(func.sum(terms[name]), BigInteger)).over(**window), BigInteger).label(name)
        for name in SUMS
    )


def sums_over(
    read: CTE,
    by: Callable[[Any], Iterable[ColumnElement[Any]]],
    *,
    sums: Callable[[Any], tuple[ColumnElement[Any], ...]] = summed,
    chosen_entities: bool = False,
    few: bool = False,
) -> Select[*tuple[Any, ...]]:
    """Return the sums over answers for each entity, grouped by columns of `entity_rows`.

    `chosen_entities` leaves out entities that are not in the list bound as `entity_keys`. `few` says that the answers
    are of a day or of some batches: SQLite would read all mentions into a Bloom filter for them, 110 ms for 30 answers.
    """
    own, other = mentions.alias("own"), mentions.alias("other")
    of_entities = [MembershipFilter(other.c.entity_key, "entity_keys")] if chosen_entities else []
    of_brand = [MembershipFilter(THE_BRAND, "entity_keys")] if chosen_entities else []
    mentioned: Any = other
    is_other = [
        other.c.entity_key > THE_BRAND,
        or_(other.c.named.is_(True), other.c.cites_own.is_(True)),
        *of_entities,
    ]
    if few:
        of_read = other.c.answer_key.in_(select(read.c.answer_key))
        of_revision = other.c.revision_key == bindparam("revision_key")
        of_few = select(*other.c).where(of_read, of_revision, *is_other)
        mentioned, is_other = of_few.cte("mentioned").prefix_with("MATERIALIZED"), []
    is_of = [
        and_(mention.c.answer_key == read.c.answer_key, mention.c.revision_key == bindparam("revision_key"))
        for mention in (own, mentioned)
    ]
    row = union_all(
        select(*entity_rows(read.c, own.c, THE_BRAND, read.c.rated, ONE))
        .select_from(read.outerjoin(own, and_(is_of[0], own.c.entity_key == THE_BRAND)))
        .where(*of_brand),
        select(*entity_rows(read.c, mentioned.c, mentioned.c.entity_key, read.c.rated, NONE))
        .select_from(read.join(mentioned, is_of[1]))
        .where(*is_other),
    ).subquery("entity_row")
    places = tuple(by(row.c))
    return select(*places, *sums(row.c)).group_by(*places)
