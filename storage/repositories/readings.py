"""Readings: what one analysis revision found in each answer, to score from and to page through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Integer,
    Select,
    and_,
    bindparam,
    case,
    cast,
    func,
    insert,
    literal_column,
    or_,
    select,
    type_coerce,
    update,
)

from storage.queries import Query, plain
from storage.repositories.answers import unpacked
from storage.repositories.reparsed_answers import AS_READ
from storage.repositories.repository import Repository
from storage.tables.answers import (
    answer_readings,
    answer_texts,
    answers,
    channels,
    mentions,
    reparsed_answers,
)
from storage.tables.brands import analysis_revisions, brands
from storage.tables.prompts import asks, prompt_sets, prompts, run_batches
from storage.tables.results import daily_rollups


@dataclass(frozen=True, slots=True)
class Revision:
    """One way of reading answers: versions of every step, and a fingerprint of them and the aliases."""

    key: int
    brand_key: int
    versions: Mapping[str, Any]
    fingerprint: str
    state: str
    parsing: int
    """Whose words it reads: 0 is what was stored first."""


@dataclass(frozen=True, slots=True)
class ReadMention:
    """What one answer says of one entity; key 0 is the brand itself."""

    entity_key: int
    named: bool
    rank: int | None
    early: bool
    cites_own: bool
    tone: str | None
    tone_value: float | None
    occurrences: int
    absences: int
    uncertain: int
    spans: Sequence[Mapping[str, Any]]
    quote: str | None


@dataclass(frozen=True, slots=True)
class ReadAnswer:
    """The reading of one answer."""

    answer_key: int
    channel_key: int
    captured_at: datetime
    measurable: bool
    branded: bool
    named_in_prompt: tuple[int, ...]
    domains: Mapping[str, str]
    mentions: tuple[ReadMention, ...]


@dataclass(frozen=True, slots=True)
class ObservedAnswer:
    """One answer as the arithmetic needs it, without its mentions."""

    key: int
    id: str
    batch_key: int
    prompt_id: str
    prompt_sha256: str
    from_set: bool
    channel_key: int
    platform: str
    mode: str
    source: str
    status: str
    valid: bool
    retrieval: str
    served_model: str | None
    parser: str
    captured_at: datetime
    measurable: bool
    branded: bool
    named_in_prompt: Sequence[int]
    domains: Mapping[str, str]
    latency_ms: int


@dataclass(frozen=True, slots=True)
class ObservedMention:
    """One mention as the arithmetic needs it."""

    answer_key: int
    entity_key: int
    named: bool
    rank: int | None
    early: bool
    cites_own: bool
    tone: str | None
    occurrences: int
    absences: int
    uncertain: int


@dataclass(frozen=True, slots=True)
class ListedMention:
    """One mention as a list shows it."""

    answer_id: str
    batch_id: str
    platform: str
    mode: str
    source: str
    served_model: str | None
    prompt: str
    prompt_set_id: str | None
    quote: str
    spans: Sequence[Mapping[str, Any]]
    occurrences: int
    rank: int | None
    tone: str | None
    cites_own: bool
    captured_at: datetime


@dataclass(frozen=True, slots=True)
class SpokenAnswer:
    """One valid answer with its text, as a judge of what it says needs it."""

    text: str
    key: int
    id: str
    simulation_key: int
    platform: str
    mode: str
    prompt_key: int
    prompt_id: str
    prompt: str
    branded: bool
    captured_at: datetime


@dataclass(frozen=True, slots=True)
class SpokenMention:
    """Where one answer names one entity; key 0 is the brand itself."""

    answer_key: int
    entity_key: int
    named: bool
    spans: Sequence[Mapping[str, Any]]
    tone: str | None
    quote: str | None


@dataclass(frozen=True, slots=True)
class MentionHistory:
    """How a platform named the brand so far in answers to prompts that do not name it."""

    last_named_at: datetime
    best_rank: int | None


@dataclass(frozen=True, slots=True)
class DayCount:
    """How many mentions of the brand one day holds in one platform."""

    day: date
    platform: str
    named: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """Where a page of mentions lies: in the days from `oldest` to `newest`, after those that are newer still."""

    total: int
    newer: int
    newest: date | None
    oldest: date | None


V = analysis_revisions.c
REVISION_COLUMNS = (V.key, V.brand_key, V.versions, V.fingerprint, V.state, V.parsing)
OF_BRAND = and_(V.company_id == bindparam("company_id"), V.brand_key == bindparam("brand_key"))
CURRENT = Query(select(*REVISION_COLUMNS).where(OF_BRAND, V.state == "current"), Revision, brief=True)
STANDING = Query(select(V.state, V.versions).where(OF_BRAND, V.state != "retired"), plain, brief=True)
REREADING = Query(
    select(V.key)
    .join(brands, brands.c.key == V.brand_key)
    .where(brands.c.company_id == bindparam("company_id"), V.state == "building")
    .limit(1),
    int,
    brief=True,
)
BUILDING = Query(
    select(*REVISION_COLUMNS).where(OF_BRAND, V.state == "building").order_by(V.key.desc()).limit(1),
    Revision,
)
MATCHING = Query(
    select(*REVISION_COLUMNS)
    .where(OF_BRAND, V.fingerprint == bindparam("fingerprint"))
    .order_by(V.key.desc())
    .limit(1),
    Revision,
)

BY_KEY = Query(
    select(*REVISION_COLUMNS).where(V.company_id == bindparam("company_id"), V.key == bindparam("key")),
    Revision,
)

A, R, M, X = answers.c, answer_readings.c, mentions.c, reparsed_answers.c
OF_BATCH = select(A.key).where(A.company_id == bindparam("company_id"), A.batch_key == bindparam("batch_key"))
"""Said as a list of keys, so that no database reads the whole revision for one batch of it."""
OBSERVED = Query(
    select(
        A.key,
        A.id,
        A.batch_key,
        prompts.c.id,
        prompts.c.text_sha256,
        or_(prompts.c.prompt_set_key.is_not(None), run_batches.c.source == "import"),
        A.channel_key,
        channels.c.platform,
        channels.c.mode,
        channels.c.source,
        func.coalesce(X.status, A.status),
        func.coalesce(X.valid, A.valid),
        func.coalesce(X.retrieval, A.retrieval),
        A.served_model,
        func.coalesce(X.parser, A.parser),
        A.captured_at,
        R.measurable,
        R.branded,
        R.named_in_prompt,
        R.domains,
        A.latency_ms,
    )
    .join(answer_readings, and_(R.answer_key == A.key, R.revision_key == bindparam("revision_key")))
    .outerjoin(reparsed_answers, AS_READ)
    .join(prompts, prompts.c.key == A.prompt_key)
    .join(channels, channels.c.key == A.channel_key)
    .join(run_batches, run_batches.c.key == A.batch_key)
    .where(
        A.company_id == bindparam("company_id"),
        A.batch_key == bindparam("batch_key"),
        R.answer_key.in_(OF_BATCH),
    )
    .order_by(A.captured_at, A.key),
    ObservedAnswer,
)
OBSERVED_MENTIONS = Query(
    select(
        M.answer_key,
        M.entity_key,
        M.named,
        M.rank,
        M.early,
        M.cites_own,
        M.tone,
        M.occurrences,
        M.absences,
        M.uncertain,
    )
    .where(M.revision_key == bindparam("revision_key"), M.answer_key.in_(OF_BATCH))
    .order_by(M.answer_key, M.entity_key),
    ObservedMention,
)
HIDDEN = (
    select(A.key)
    .join(run_batches, run_batches.c.key == A.batch_key)
    .join(analysis_revisions, V.brand_key == run_batches.c.brand_key)
    .where(
        V.company_id == bindparam("company_id"),
        V.key == bindparam("revision_key"),
        run_batches.c.status != "success",
    )
)
"""Answers of batches that no number shows: few, so they are looked up once and not for every mention."""


def page_of(
    chosen: Select[*tuple[Any, ...]], order: ColumnElement[Any] = M.captured_at
) -> Select[*tuple[Any, ...]]:
    """Skip to the page in the index alone, and look up only the mentions that are on it."""
    here = (
        chosen.where(
            M.revision_key == bindparam("revision_key"),
            M.entity_key == 0,
            M.named.is_(True),
            M.captured_at >= bindparam("since", type_=M.captured_at.type),
            M.captured_at < bindparam("before", type_=M.captured_at.type),
            M.answer_key.not_in(HIDDEN),
        )
        .order_by(order.desc(), M.answer_key.desc())
        .limit(bindparam("limit"))
        .offset(bindparam("offset"))
        .subquery()
    )
    shown = mentions.alias("shown")
    S = shown.c
    return (
        select(
            A.id,
            run_batches.c.id,
            channels.c.platform,
            channels.c.mode,
            channels.c.source,
            A.served_model,
            prompts.c.text,
            prompt_sets.c.id,
            S.quote,
            S.spans,
            S.occurrences,
            S.rank,
            S.tone,
            S.cites_own,
            S.captured_at,
        )
        .select_from(here)
        .join(
            shown,
            and_(
                S.revision_key == bindparam("revision_key"),
                S.answer_key == here.c.answer_key,
                S.entity_key == 0,
            ),
        )
        .join(answers, A.key == S.answer_key)
        .join(run_batches, run_batches.c.key == A.batch_key)
        .join(channels, channels.c.key == S.channel_key)
        .join(prompts, prompts.c.key == A.prompt_key)
        .outerjoin(prompt_sets, prompt_sets.c.key == prompts.c.prompt_set_key)
        .where(A.company_id == bindparam("company_id"))
        .order_by(S.captured_at.desc(), S.answer_key.desc())
    )


OF_PLATFORM = select(channels.c.key).where(channels.c.platform == bindparam("platform"))
KEYS = select(M.answer_key)
PAGE = Query(page_of(KEYS), ListedMention, brief=True)
# Sorting a platform's mentions of these days costs less than passing by those of all others, as an index that is
# in this order already would make the database do.
SORTED = type_coerce(M.captured_at, BigInteger) + 0
PLATFORM_PAGE = Query(page_of(KEYS.where(M.channel_key.in_(OF_PLATFORM)), SORTED), ListedMention, brief=True)


def spoken_answer(text: bytes, *fields: Any) -> SpokenAnswer:
    """Build one answer with its text."""
    return SpokenAnswer(unpacked(text), *fields)


SPOKEN = Query(
    select(
        func.coalesce(X.text, answer_texts.c.text),
        A.key,
        A.id,
        asks.c.simulation_key,
        channels.c.platform,
        channels.c.mode,
        A.prompt_key,
        prompts.c.id,
        prompts.c.text,
        R.branded,
        A.captured_at,
    )
    .select_from(answers)
    .join(answer_readings, and_(R.answer_key == A.key, R.revision_key == bindparam("revision_key")))
    .join(answer_texts, answer_texts.c.answer_key == A.key)
    .outerjoin(reparsed_answers, AS_READ)
    .join(asks, asks.c.key == A.ask_key)
    .join(channels, channels.c.key == A.channel_key)
    .join(prompts, prompts.c.key == A.prompt_key)
    .where(
        A.company_id == bindparam("company_id"),
        A.batch_key == bindparam("batch_key"),
        func.coalesce(X.valid, A.valid).is_(True),
        A.key > bindparam("after"),
    )
    .order_by(A.key)
    .limit(bindparam("limit")),
    spoken_answer,
)
SPOKEN_MENTIONS = Query(
    select(M.answer_key, M.entity_key, M.named, M.spans, M.tone, M.quote)
    .join(answers, A.key == M.answer_key)
    .where(
        A.company_id == bindparam("company_id"),
        A.batch_key == bindparam("batch_key"),
        M.revision_key == bindparam("revision_key"),
        M.answer_key >= bindparam("low"),
        M.answer_key <= bindparam("high"),
    )
    .order_by(M.answer_key, M.entity_key),
    SpokenMention,
)


def keyed_history(platform: str, *fields: Any) -> tuple[str, MentionHistory]:
    """Build one platform's history."""
    return platform, MentionHistory(*fields)


IN_HISTORY = (
    select(A.key)
    .join(answer_readings, and_(R.answer_key == A.key, R.revision_key == bindparam("revision_key")))
    .join(run_batches, and_(run_batches.c.key == A.batch_key, run_batches.c.status == "success"))
    .where(
        A.key == M.answer_key,
        A.company_id == bindparam("company_id"),
        A.batch_key != bindparam("batch_key"),
        R.branded.is_(False),
    )
    .correlate(mentions)
    .exists()
)


THE_BRAND: ColumnElement[int] = literal_column("0", M.entity_key.type)
"""Written out, so that SQLite can tell that the index of ranks, which holds the brand alone, applies."""


def first_in(column: ColumnElement[Any], order: ColumnElement[Any], *chosen: ColumnElement[bool]) -> Any:
    """Return the first value of a channel's history in the order of an index, so that no more is looked at."""
    return (
        select(column)
        .where(
            M.revision_key == bindparam("revision_key"),
            M.entity_key == THE_BRAND,
            M.channel_key == channels.c.key,
            *chosen,
            IN_HISTORY,
        )
        .order_by(order)
        .limit(1)
        .correlate(channels)
        .scalar_subquery()
    )


OF_CHANNELS = select(
    channels.c.platform,
    first_in(M.captured_at, M.captured_at.desc(), M.named.is_(True)).label("last"),
    # Only who is named has a rank.
    first_in(M.rank, M.rank, M.rank.is_not(None)).label("best"),
).subquery()
HISTORY = Query(
    select(OF_CHANNELS.c.platform, func.max(OF_CHANNELS.c.last), func.min(OF_CHANNELS.c.best))
    .where(OF_CHANNELS.c.last.is_not(None))
    .group_by(OF_CHANNELS.c.platform),
    keyed_history,
)
D = daily_rollups.c
DAYS = Query(
    select(D.day, channels.c.platform, D.named)
    .join(channels, channels.c.key == D.channel_key)
    .join(analysis_revisions, V.key == D.revision_key)
    .where(
        V.company_id == bindparam("company_id"),
        D.revision_key == bindparam("revision_key"),
        D.entity_key == 0,
        D.named > 0,
    )
    .order_by(D.day.desc(), channels.c.platform),
    DayCount,
)
NAMED_DAYS = (
    select(D.day, cast(func.sum(D.named), BigInteger).label("named"))
    .join(analysis_revisions, V.key == D.revision_key)
    .where(
        V.company_id == bindparam("company_id"),
        D.revision_key == bindparam("revision_key"),
        D.entity_key == 0,
        D.named > 0,
    )
    .group_by(D.day)
)


def stretch_of(days: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Find the days that a page lies in by adding up the counts of days, newest first."""
    counted = days.subquery()
    C = counted.c
    up_to = cast(func.sum(C.named).over(order_by=C.day.desc()), BigInteger)
    running = select(C.day, C.named, up_to.label("up_to")).subquery()
    R = running.c
    offset, limit = (bindparam(name, type_=Integer) for name in ("offset", "limit"))
    return select(
        func.coalesce(func.max(R.up_to), 0),
        func.coalesce(func.max(case((R.up_to <= offset, R.up_to))), 0),
        func.max(case((R.up_to > offset, R.day))),
        func.min(case((and_(R.up_to > offset, R.up_to - R.named < offset + limit), R.day))),
    )


STRETCH = Query(stretch_of(NAMED_DAYS), Stretch)
PLATFORM_STRETCH = Query(stretch_of(NAMED_DAYS.where(D.channel_key.in_(OF_PLATFORM))), Stretch)


class Readings(Repository):
    """The analysis revisions of one company and what they read."""

    async def current(self, brand_key: int) -> Revision | None:
        """Return the revision that every number of this brand stands on."""
        return await self._first(CURRENT, brand_key=brand_key)

    async def find(self, key: int) -> Revision:
        """Return a revision that is known to exist, whatever its state."""
        found = await self._first(BY_KEY, key=key)
        assert found is not None
        return found

    async def building(self, brand_key: int) -> Revision | None:
        """Return the revision that is being built beside the one in force."""
        return await self._first(BUILDING, brand_key=brand_key)

    async def standing(self, brand_key: int) -> dict[str, Mapping[str, Any]]:
        """Return the versions of the revision in force, and of the one being built if there is one, by state."""
        return dict(await self._all(STANDING, brand_key=brand_key))

    async def rereading(self) -> bool:
        """Tell whether the history of any brand is being read anew; the cost grows with brands alone."""
        return await self._first(REREADING) is not None

    async def matching(self, brand_key: int, fingerprint: str) -> Revision | None:
        """Return the newest revision with this fingerprint, whatever its state."""
        return await self._first(MATCHING, brand_key=brand_key, fingerprint=fingerprint)

    async def begin(
        self, brand_key: int, versions: Mapping[str, Any], fingerprint: str, parsing: int, now: datetime
    ) -> Revision:
        """Make a revision that is being built beside the current one, from the words of a parsing."""
        values = {
            "brand_key": brand_key,
            "versions": versions,
            "fingerprint": fingerprint,
            "state": "building",
            "parsing": parsing,
        }
        await self._insert(
            insert(analysis_revisions), {**values, "company_id": self.company_id, "created_at": now}
        )
        made = await self.matching(brand_key, fingerprint)
        assert made is not None
        return made

    async def switch(self, revision: Revision, now: datetime) -> None:
        """Make a complete revision the current one in a single step; the one before it is kept as retired."""
        of_brand = and_(V.brand_key == revision.brand_key, V.company_id == self.company_id)
        retired = {"state": "retired", "replaced_at": now}
        other = and_(of_brand, V.state != "retired", V.key != revision.key)
        await self._write(update(analysis_revisions).where(other).values(retired))
        current = {"state": "current", "replaced_at": None}
        await self._write(update(analysis_revisions).where(V.key == revision.key).values(current))
        brand = (brands.c.key == revision.brand_key) & (brands.c.company_id == self.company_id)
        await self._write(update(brands).where(brand).values(revision_key=revision.key))

    async def resume(self, revision: Revision, now: datetime) -> Revision:
        """Build a retired revision up again, in place of any other that was being built."""
        await self.give_up(revision.brand_key, now)
        building = {"state": "building", "replaced_at": None}
        await self._write(update(analysis_revisions).where(V.key == revision.key).values(building))
        return replace(revision, state="building")

    async def give_up(self, brand_key: int, now: datetime) -> None:
        """Retire what is being built, because the brand reads again as the revision in force does."""
        building = and_(V.brand_key == brand_key, V.company_id == self.company_id, V.state == "building")
        retired = {"state": "retired", "replaced_at": now}
        await self._write(update(analysis_revisions).where(building).values(retired))

    async def add(self, revision_key: int, found: Sequence[ReadAnswer]) -> None:
        """Store readings; what another process stored of the same revision stays as it is."""
        own = {"revision_key": revision_key}
        rows = [
            {
                **own,
                "answer_key": reading.answer_key,
                "measurable": reading.measurable,
                "branded": reading.branded,
                "named_in_prompt": list(reading.named_in_prompt),
                "domains": reading.domains,
            }
            for reading in found
        ]
        if rows:
            await self._write(self._insert_or_ignore(answer_readings), rows)
        told = [
            mention_row(revision_key, reading, mention) for reading in found for mention in reading.mentions
        ]
        if told:
            await self._write(self._insert_or_ignore(mentions), told)

    async def observed(
        self, revision_key: int, batch_key: int
    ) -> tuple[list[ObservedAnswer], list[ObservedMention]]:
        """Return the answers of a batch as this revision read them, and their mentions."""
        values = {"revision_key": revision_key, "batch_key": batch_key}
        return await self._all(OBSERVED, **values), await self._all(OBSERVED_MENTIONS, **values)

    async def mention_history(self, revision_key: int, batch_key: int) -> dict[str, MentionHistory]:
        """Return how each platform that ever named the brand did so, one batch left out."""
        return dict(await self._all(HISTORY, revision_key=revision_key, batch_key=batch_key))

    async def spoken(
        self, revision_key: int, batch_key: int, after: int, limit: int
    ) -> tuple[list[SpokenAnswer], list[SpokenMention]]:
        """Return the next valid answers of a batch with their texts, by key, and whom they name where."""
        place = {"revision_key": revision_key, "batch_key": batch_key}
        found = await self._all(SPOKEN, **place, after=after, limit=limit)
        if not found:
            return [], []
        low, high = found[0].key, found[-1].key
        return found, await self._all(SPOKEN_MENTIONS, **place, low=low, high=high)

    async def mention_days(self, revision_key: int) -> list[DayCount]:
        """Return how many mentions of the brand each day and platform hold, newest day first, platforms by name."""
        return await self._all(DAYS, revision_key=revision_key)

    async def mention_page(
        self, revision_key: int, platform: str | None, limit: int, offset: int
    ) -> tuple[list[ListedMention], int]:
        """Return one page over all batches, newest first, and how many mentions there are.

        Whole days are skipped by their counts, so a deep page costs what the first one does.
        """
        stretch_query, page_query = (STRETCH, PAGE) if platform is None else (PLATFORM_STRETCH, PLATFORM_PAGE)
        chosen: dict[str, Any] = {"revision_key": revision_key, "limit": limit}
        if platform is not None:
            chosen["platform"] = platform
        stretch = await self._first(stretch_query, **chosen, offset=offset)
        assert stretch is not None
        if stretch.newest is None or stretch.oldest is None:
            return [], stretch.total
        since, before = start_of(stretch.oldest), start_of(stretch.newest) + timedelta(days=1)
        rest = offset - stretch.newer
        return await self._all(page_query, **chosen, since=since, before=before, offset=rest), stretch.total


def start_of(day: date) -> datetime:
    """Return the first instant of a day in UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def mention_row(revision_key: int, reading: ReadAnswer, mention: ReadMention) -> dict[str, Any]:
    """Return the stored form of one mention."""
    names = (
        "entity_key",
        "named",
        "rank",
        "early",
        "cites_own",
        "tone",
        "tone_value",
        "occurrences",
        "absences",
        "uncertain",
        "spans",
        "quote",
    )
    place = {"answer_key": reading.answer_key, "channel_key": reading.channel_key}
    fields = {name: getattr(mention, name) for name in names}
    return {"revision_key": revision_key, **place, "captured_at": reading.captured_at, **fields}
