"""Observed answers: the values of a batch's answers that calculations need, from one analysis revision."""

from array import array
from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import lru_cache
from sys import intern
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    func,
    or_,
    select,
)

from storage.filters import MembershipFilter
from storage.queries import Query
from storage.repositories.answers.readings import ExtractedAnswerRow, ExtractedMentionRow
from storage.repositories.answers.reparsed_answers import AS_READ
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import (
    answer_readings,
    answers,
    channels,
    mentions,
    reparsed_answers,
)
from storage.tables.columns import unproven
from storage.tables.prompts import prompts, run_batches


@dataclass(frozen=True, slots=True)
class ObservedAnswer:
    """The values of one answer that calculations need, without its mentions."""

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
    requested_model: str
    served_model: str | None
    parser: str
    captured_at: datetime
    measurable: bool
    branded: bool
    named_in_prompt: Sequence[int]
    domains: tuple[tuple[str, str], ...]
    """Each cited domain with its owner class, by name."""
    latency_ms: int
    absent_reason: str | None

    def with_reading(self, reading: ExtractedAnswerRow) -> "ObservedAnswer":
        """Return the answer with a new extraction result."""
        return replace(
            self,
            measurable=reading.measurable,
            branded=reading.branded,
            named_in_prompt=reading.named_in_prompt,
            domains=cited_domains(reading.domains),
        )


@dataclass(frozen=True, slots=True)
class ObservedMention:
    """The values of one mention that calculations need."""

    answer_key: int
    entity_key: int
    named: bool
    rank: int | None
    position: float
    cites_own: bool
    occurrences: int
    absences: int
    uncertain: int

    @classmethod
    def of(cls, answer_key: int, mention: ExtractedMentionRow) -> "ObservedMention":
        """Return a mention from a new extraction result."""
        names = (entry.name for entry in fields(cls) if entry.name != "answer_key")
        return cls(answer_key, *(getattr(mention, name) for name in names))


@lru_cache(maxsize=1 << 14)
def cited_domain(domain: str, owner: str) -> tuple[str, str]:
    """Return the shared pair for a domain and its owner, the same object in all answers."""
    return domain, owner


def cited_domains(domains: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """Return the citations of an answer in the least memory."""
    return tuple(map(cited_domain, domains, domains.values()))


def kept_once(columns: Sequence[Any]) -> list[Any]:
    """Return the columns of an answer with text interned, except its own id: many rows share the same text."""
    kept: list[Any] = [intern(value) if type(value) is str else value for value in columns]
    kept[ID] = columns[ID]
    return kept


def observed_answer(*columns: Any) -> ObservedAnswer:
    """Build one answer."""
    kept = kept_once(columns)
    kept[DOMAINS] = cited_domains(columns[DOMAINS])
    for words in (NAMED_IN_PROMPT, NOT_SUPPORTED):
        kept[words] = tuple(kept[words]) if kept[words] else ()  # nearly always empty: share one object
    return ObservedAnswer(*kept)


def unread_answer(*columns: Any) -> ObservedAnswer:
    """Build one answer without its extraction results, whatever its row contains."""
    kept = kept_once(columns)
    kept[DOMAINS], kept[NAMED_IN_PROMPT] = (), ()
    kept[NOT_SUPPORTED] = kept[NOT_SUPPORTED] if isinstance(kept[NOT_SUPPORTED], list) else []
    return ObservedAnswer(*kept)


OF_BATCH = select(answers.c.key).where(
    answers.c.company_id == bindparam("company_id"), answers.c.batch_key == bindparam("batch_key")
)
"""Expressed as a list of keys, so that no database reads the whole revision for one of its batches."""
OBSERVED_ANSWER = (
    answers.c.key,
    answers.c.id,
    answers.c.batch_key,
    prompts.c.id,
    prompts.c.text_sha256,
    or_(prompts.c.prompt_set_key.is_not(None), run_batches.c.source == "import"),
    answers.c.channel_key,
    channels.c.platform,
    channels.c.mode,
    channels.c.source,
    channels.c.country,
    answers.c.language,
    answers.c.city,
    answers.c.not_supported,
    func.coalesce(reparsed_answers.c.status, answers.c.status),
    func.coalesce(reparsed_answers.c.valid, answers.c.valid),
    func.coalesce(reparsed_answers.c.truncated, answers.c.truncated),
    func.coalesce(reparsed_answers.c.retrieval, answers.c.retrieval),
    answers.c.requested_model,
    answers.c.served_model,
    func.coalesce(reparsed_answers.c.parser, answers.c.parser),
    answers.c.captured_at,
    answer_readings.c.measurable,
    answer_readings.c.branded,
    answer_readings.c.named_in_prompt,
    answer_readings.c.domains,
    answers.c.latency_ms,
    answers.c.absent_reason,
)
"""The columns of `ObservedAnswer`."""
ID, DOMAINS, NAMED_IN_PROMPT, NOT_SUPPORTED = (
    OBSERVED_ANSWER.index(column)
    for column in (
        answers.c.id,
        answer_readings.c.domains,
        answer_readings.c.named_in_prompt,
        answers.c.not_supported,
    )
)
READ_ANSWERS = (
    answers.join(
        answer_readings,
        and_(
            answer_readings.c.answer_key == answers.c.key,
            answer_readings.c.revision_key == bindparam("revision_key"),
        ),
    )
    .outerjoin(reparsed_answers, AS_READ)
    .join(prompts, prompts.c.key == answers.c.prompt_key)
    .join(channels, channels.c.key == answers.c.channel_key)
    .join(run_batches, run_batches.c.key == answers.c.batch_key)
)


def of_batch_after(*columns: ColumnElement[Any]) -> Select[*tuple[Any, ...]]:
    """Return the statement for the next answers of a batch that a revision read."""
    return (
        select(*columns)
        .select_from(READ_ANSWERS)
        .where(
            answers.c.company_id == bindparam("company_id"),
            answers.c.batch_key == bindparam("batch_key"),
            answer_readings.c.answer_key.in_(OF_BATCH),
            answers.c.key > bindparam("after"),
        )
        .order_by(answers.c.key)
        .limit(bindparam("limit"))
    )


OF_EACH_BATCH = (
    select(answers.c.key)
    .select_from(run_batches.join(answers, answers.c.batch_key == run_batches.c.key))
    .where(
        run_batches.c.company_id == bindparam("company_id"),
        MembershipFilter(run_batches.c.key, "batch_keys"),
    )
)
"""Expressed by batch, so that no database reads all answers for some of them."""
OBSERVED_OF_EACH = Query(
    select(*OBSERVED_ANSWER)
    .select_from(READ_ANSWERS)
    .where(
        answers.c.company_id == bindparam("company_id"),
        answer_readings.c.answer_key.in_(OF_EACH_BATCH),
    ),
    observed_answer,
)
IN_TIME_ORDER = Query(
    select(answers.c.key)
    .where(answers.c.company_id == bindparam("company_id"), answers.c.batch_key == bindparam("batch_key"))
    .order_by(answers.c.captured_at, answers.c.key),
    int,
)
OBSERVED_PAGE = Query(
    select(*OBSERVED_ANSWER)
    .select_from(READ_ANSWERS)
    .where(answers.c.company_id == bindparam("company_id"), MembershipFilter(answers.c.key, "keys"))
    .order_by(answers.c.captured_at, answers.c.key),
    observed_answer,
)
UNREAD = Query(of_batch_after(*map(unproven, OBSERVED_ANSWER)), unread_answer)
OBSERVED_CHUNK = 250
"""Maximum rows held in the driver's form at once, which takes more memory than the results."""
OBSERVED_MENTION = row_columns(ObservedMention, mentions)
"""The columns of `ObservedMention`."""
MENTIONS_OF_PAGE = Query(
    select(*OBSERVED_MENTION)
    .where(
        mentions.c.revision_key == bindparam("revision_key"),
        mentions.c.answer_key.in_(
            select(answers.c.key).where(
                answers.c.company_id == bindparam("company_id"), MembershipFilter(answers.c.key, "keys")
            )
        ),
    )
    .order_by(mentions.c.answer_key, mentions.c.entity_key),
    ObservedMention,
)
MENTIONS_OF_EACH = Query(
    select(*OBSERVED_MENTION)
    .where(mentions.c.revision_key == bindparam("revision_key"), mentions.c.answer_key.in_(OF_EACH_BATCH))
    .order_by(mentions.c.answer_key, mentions.c.entity_key),
    ObservedMention,
)


class ObservedAnswerRepository(Repository):
    """The answers of one company as its analysis revisions read them."""

    async def of_batch(
        self, revision_key: int, batch_key: int
    ) -> AsyncGenerator[tuple[list[ObservedAnswer], list[ObservedMention]]]:
        """Yield the answers of a batch with their mentions as this revision read them, oldest first.

        They are read in pages, because an import may have very many.
        """
        in_order = array("q", await self._all(IN_TIME_ORDER, batch_key=batch_key))
        for first in range(0, len(in_order), OBSERVED_CHUNK):
            chosen = {"revision_key": revision_key, "keys": list(in_order[first : first + OBSERVED_CHUNK])}
            yield await self._all(OBSERVED_PAGE, **chosen), await self._all(MENTIONS_OF_PAGE, **chosen)

    async def of_batches(
        self, revision_key: int, batch_keys: Sequence[int]
    ) -> tuple[list[ObservedAnswer], list[ObservedMention]]:
        """Return the answers and mentions of several batches as this revision read them, in one query each."""
        chosen = {"revision_key": revision_key, "batch_keys": list(batch_keys)}
        answers = await self._all(OBSERVED_OF_EACH, **chosen)
        answers.sort(key=lambda answer: (answer.captured_at, answer.key))
        return answers, await self._all(MENTIONS_OF_EACH, **chosen)

    async def unread_of_batch(self, revision_key: int, batch_key: int) -> list[ObservedAnswer]:
        """Return the answers of a batch that this revision read, without their extraction results."""
        return await self._in_order(UNREAD, revision_key, batch_key)

    async def _in_order(
        self, query: Query[ObservedAnswer], revision_key: int, batch_key: int
    ) -> list[ObservedAnswer]:
        batch_answers: list[ObservedAnswer] = []
        after, more = 0, True
        while more:
            chunk = await self._all(
                query, revision_key=revision_key, batch_key=batch_key, after=after, limit=OBSERVED_CHUNK
            )
            batch_answers += chunk
            after, more = batch_answers[-1].key if batch_answers else 0, len(chunk) == OBSERVED_CHUNK
        batch_answers.sort(key=lambda answer: (answer.captured_at, answer.key))
        return batch_answers
