"""Readings: what one analysis revision found in each answer, to score from and to page through."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from sys import intern
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    func,
    literal_column,
    or_,
    select,
)

from storage.repositories.answers.answers import unpacked
from storage.repositories.answers.reparsed_answers import AS_READ
from storage.statements.membership import MembershipFilter
from storage.statements.queries import Query
from storage.statements.repository import Repository
from storage.statements.tables.answers import (
    answer_readings,
    answer_texts,
    answers,
    channels,
    mentions,
    reparsed_answers,
)
from storage.statements.tables.columns import unproven
from storage.statements.tables.prompts import asks, prompts, run_batches


@dataclass(frozen=True, slots=True)
class ExtractedMentionRow:
    """What one answer says of one entity; key 0 is the brand itself."""

    entity_key: int
    named: bool
    rank: int | None
    position: float
    cites_own: bool
    tone: str | None
    tone_value: float | None
    occurrences: int
    absences: int
    uncertain: int
    spans: Sequence[Mapping[str, Any]]
    quote: str | None


@dataclass(frozen=True, slots=True)
class ExtractedAnswerRow:
    """The reading of one answer."""

    answer_key: int
    channel_key: int
    captured_at: datetime
    measurable: bool
    branded: bool
    named_in_prompt: tuple[int, ...]
    domains: Mapping[str, str]
    mentions: tuple[ExtractedMentionRow, ...]


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
    country: str
    language: str | None
    city: str | None
    not_supported: Sequence[str]
    status: str
    valid: bool
    truncated: bool
    retrieval: str
    served_model: str | None
    parser: str
    captured_at: datetime
    measurable: bool
    branded: bool
    named_in_prompt: Sequence[int]
    domains: Mapping[str, str]
    latency_ms: int
    absent_reason: str | None

    def with_reading(self, reading: ExtractedAnswerRow) -> "ObservedAnswer":
        """Return the answer as it was extracted a moment ago."""
        return replace(
            self,
            measurable=reading.measurable,
            branded=reading.branded,
            named_in_prompt=reading.named_in_prompt,
            domains=reading.domains,
        )


@dataclass(frozen=True, slots=True)
class ObservedMention:
    """One mention as the arithmetic needs it."""

    answer_key: int
    entity_key: int
    named: bool
    rank: int | None
    position: float
    cites_own: bool
    tone: str | None
    occurrences: int
    absences: int
    uncertain: int

    @classmethod
    def of(cls, answer_key: int, mention: ExtractedMentionRow) -> "ObservedMention":
        """Return a mention as it was extracted a moment ago."""
        names = (entry.name for entry in fields(cls) if entry.name != "answer_key")
        return cls(answer_key, *(getattr(mention, name) for name in names))


@dataclass(frozen=True, slots=True)
class MentioningAnswerRow:
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
    language: str | None
    """In which the engine was asked (BCP 47), as far as anybody said."""


@dataclass(frozen=True, slots=True)
class MentionedSpanRow:
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


def observed_answer(*columns: Any) -> ObservedAnswer:
    """Build one answer; words that stand in thousands of rows are kept once."""
    kept: list[Any] = [intern(value) if type(value) is str else value for value in columns]
    kept[DOMAINS] = {intern(domain): intern(owner) for domain, owner in columns[DOMAINS].items()}
    return ObservedAnswer(*kept)


def unread_answer(*columns: Any) -> ObservedAnswer:
    """Build one answer without what was read in it, whatever lies in the documents of its row."""
    kept: list[Any] = [intern(value) if type(value) is str else value for value in columns]
    kept[DOMAINS], kept[NAMED_IN_PROMPT] = {}, ()
    kept[NOT_SUPPORTED] = kept[NOT_SUPPORTED] if isinstance(kept[NOT_SUPPORTED], list) else []
    return ObservedAnswer(*kept)


A, R, M, X = answers.c, answer_readings.c, mentions.c, reparsed_answers.c
OF_BATCH = select(A.key).where(A.company_id == bindparam("company_id"), A.batch_key == bindparam("batch_key"))
"""Said as a list of keys, so that no database reads the whole revision for one batch of it."""
OBSERVED_ANSWER = (
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
    channels.c.country,
    A.language,
    A.city,
    A.not_supported,
    func.coalesce(X.status, A.status),
    func.coalesce(X.valid, A.valid),
    func.coalesce(X.truncated, A.truncated),
    func.coalesce(X.retrieval, A.retrieval),
    A.served_model,
    func.coalesce(X.parser, A.parser),
    A.captured_at,
    R.measurable,
    R.branded,
    R.named_in_prompt,
    R.domains,
    A.latency_ms,
    A.absent_reason,
)
"""The columns of `ObservedAnswer`."""
DOMAINS, NAMED_IN_PROMPT, NOT_SUPPORTED = (
    OBSERVED_ANSWER.index(column) for column in (R.domains, R.named_in_prompt, A.not_supported)
)
READ_ANSWERS = (
    answers.join(answer_readings, and_(R.answer_key == A.key, R.revision_key == bindparam("revision_key")))
    .outerjoin(reparsed_answers, AS_READ)
    .join(prompts, prompts.c.key == A.prompt_key)
    .join(channels, channels.c.key == A.channel_key)
    .join(run_batches, run_batches.c.key == A.batch_key)
)


def of_batch_after(*columns: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return the statement of the next answers of a batch that a revision read."""
    return (
        select(*columns)
        .select_from(READ_ANSWERS)
        .where(
            A.company_id == bindparam("company_id"),
            A.batch_key == bindparam("batch_key"),
            R.answer_key.in_(OF_BATCH),
            A.key > bindparam("after"),
        )
        .order_by(A.key)
        .limit(bindparam("limit"))
    )


OF_EACH_BATCH = (
    select(A.key)
    .select_from(run_batches.join(answers, A.batch_key == run_batches.c.key))
    .where(
        run_batches.c.company_id == bindparam("company_id"),
        MembershipFilter(run_batches.c.key, "batch_keys"),
    )
)
"""Said by the batches, so that no database reads all answers for some of them."""
OBSERVED_OF_EACH = Query(
    select(*OBSERVED_ANSWER)
    .select_from(READ_ANSWERS)
    .where(
        A.company_id == bindparam("company_id"),
        R.answer_key.in_(OF_EACH_BATCH),
    ),
    observed_answer,
)
OBSERVED = Query(of_batch_after(*OBSERVED_ANSWER), observed_answer)
UNREAD = Query(of_batch_after(*map(unproven, OBSERVED_ANSWER)), unread_answer)
OBSERVED_CHUNK = 10_000
"""So many rows are there in the driver's form at once, which takes more memory than what they become."""
OBSERVED_MENTION = (
    M.answer_key,
    M.entity_key,
    M.named,
    M.rank,
    M.position,
    M.cites_own,
    M.tone,
    M.occurrences,
    M.absences,
    M.uncertain,
)
"""The columns of `ObservedMention`."""
OBSERVED_MENTIONS = Query(
    select(*OBSERVED_MENTION)
    .where(M.revision_key == bindparam("revision_key"), M.answer_key.in_(OF_BATCH))
    .order_by(M.answer_key, M.entity_key),
    ObservedMention,
)

MENTIONS_OF_EACH = Query(
    select(*OBSERVED_MENTION)
    .where(M.revision_key == bindparam("revision_key"), M.answer_key.in_(OF_EACH_BATCH))
    .order_by(M.answer_key, M.entity_key),
    ObservedMention,
)


def mentioning_answer(text: bytes, *fields: Any) -> MentioningAnswerRow:
    """Build one answer with its text."""
    return MentioningAnswerRow(unpacked(text), *fields)


MENTIONING_ANSWERS = Query(
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
        func.coalesce(A.language, prompts.c.language),
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
    mentioning_answer,
)
MENTIONED_SPANS = Query(
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
    MentionedSpanRow,
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


class ReadingRepository(Repository):
    """What the analysis revisions of one company read."""

    async def add(self, revision_key: int, extracted: Sequence[ExtractedAnswerRow]) -> None:
        """Store readings; what another process stored of the same revision stays as it is."""
        rows = [reading_row(revision_key, reading) for reading in extracted]
        if rows:
            await self._write(self._insert_or_ignore(answer_readings), rows)
        mention_rows = [
            mention_row(revision_key, reading, mention)
            for reading in extracted
            for mention in reading.mentions
        ]
        if mention_rows:
            await self._write(self._insert_or_ignore(mentions), mention_rows)

    async def observed(
        self, revision_key: int, batch_key: int
    ) -> tuple[list[ObservedAnswer], list[ObservedMention]]:
        """Return the answers of a batch as this revision read them, and their mentions."""
        found = await self._of_batch(OBSERVED, revision_key, batch_key)
        return found, await self._all(OBSERVED_MENTIONS, revision_key=revision_key, batch_key=batch_key)

    async def observed_of_each(
        self, revision_key: int, batch_keys: Sequence[int]
    ) -> tuple[list[ObservedAnswer], list[ObservedMention]]:
        """Return the answers of several batches as this revision read them, and their mentions, in one read of each."""
        chosen = {"revision_key": revision_key, "batch_keys": list(batch_keys)}
        answers = await self._all(OBSERVED_OF_EACH, **chosen)
        answers.sort(key=lambda answer: (answer.captured_at, answer.key))
        return answers, await self._all(MENTIONS_OF_EACH, **chosen)

    async def unread(self, revision_key: int, batch_key: int) -> list[ObservedAnswer]:
        """Return the answers of a batch that this revision read, without what it read in them."""
        return await self._of_batch(UNREAD, revision_key, batch_key)

    async def _of_batch(
        self, query: Query[ObservedAnswer], revision_key: int, batch_key: int
    ) -> list[ObservedAnswer]:
        found: list[ObservedAnswer] = []
        after, more = 0, True
        while more:
            chunk = await self._all(
                query, revision_key=revision_key, batch_key=batch_key, after=after, limit=OBSERVED_CHUNK
            )
            found += chunk
            after, more = found[-1].key if found else 0, len(chunk) == OBSERVED_CHUNK
        found.sort(key=lambda answer: (answer.captured_at, answer.key))
        return found

    async def mention_history(self, revision_key: int, batch_key: int) -> dict[str, MentionHistory]:
        """Return how each platform that ever named the brand did so, one batch left out."""
        return dict(await self._all(HISTORY, revision_key=revision_key, batch_key=batch_key))

    async def mentioning_answers(
        self, revision_key: int, batch_key: int, after: int, limit: int
    ) -> tuple[list[MentioningAnswerRow], list[MentionedSpanRow]]:
        """Return the next valid answers of a batch with their texts, by key, and whom they name where."""
        place = {"revision_key": revision_key, "batch_key": batch_key}
        answer_rows = await self._all(MENTIONING_ANSWERS, **place, after=after, limit=limit)
        if not answer_rows:
            return [], []
        low, high = answer_rows[0].key, answer_rows[-1].key
        return answer_rows, await self._all(MENTIONED_SPANS, **place, low=low, high=high)


def reading_row(revision_key: int, reading: ExtractedAnswerRow) -> dict[str, Any]:
    """Return the stored form of the reading of one answer."""
    return {
        "revision_key": revision_key,
        "answer_key": reading.answer_key,
        "measurable": reading.measurable,
        "branded": reading.branded,
        "named_in_prompt": list(reading.named_in_prompt),
        "domains": dict(reading.domains),
    }


def mention_row(
    revision_key: int, reading: ExtractedAnswerRow, mention: ExtractedMentionRow
) -> dict[str, Any]:
    """Return the stored form of one mention."""
    names = (
        "entity_key",
        "named",
        "rank",
        "position",
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
