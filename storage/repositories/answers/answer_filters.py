"""Which answers a query counts: the filters that all analytics share, details behind one number, and outcomes."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import (
    BigInteger,
    Column,
    ColumnElement,
    FromClause,
    Join,
    Text,
    and_,
    bindparam,
    exists,
    func,
    not_,
    or_,
    select,
    type_coerce,
)
from sqlalchemy.sql import visitors

from storage.filters import MembershipFilter, OptionalJoin
from storage.repositories.answers.reparsed_answers import AS_READ
from storage.tables.answers import (
    answer_readings,
    answers,
    channels,
    citations,
    cited_urls,
    mentions,
    reparsed_answers,
)
from storage.tables.brands import brands
from storage.tables.columns import EPOCH, MICROSECOND
from storage.tables.judgements import answer_claims, tone_judgements
from storage.tables.prompts import asks, prompt_sets, prompts, run_batches

IN_SET = prompts.c.prompt_set_key.in_(
    select(prompt_sets.c.key).where(
        prompt_sets.c.id == bindparam("prompt_set_id"), prompt_sets.c.company_id == bindparam("company_id")
    )
)
TAGS = type_coerce(prompts.c.tags, Text)
CONDITIONS: Mapping[str, ColumnElement[bool]] = {
    "platform": channels.c.platform == bindparam("platform"),
    "country": channels.c.country == bindparam("country"),
    "mode": channels.c.mode == bindparam("mode"),
    "prompt_set_id": IN_SET,
    "prompt_id": prompts.c.id == bindparam("prompt_id"),
    # Replacing is case-sensitive in both databases, LIKE is not.
    "tag": func.replace(TAGS, bindparam("tag"), "") != TAGS,
    "intent": prompts.c.intent == bindparam("intent"),
    "since": answers.c.captured_at >= bindparam("since", type_=answers.c.captured_at.type),
    "until": answers.c.captured_at < bindparam("until", type_=answers.c.captured_at.type),
}
"""Conditions over answers joined with their channel and prompt, by the field of `AnswerFilter` that asks for each."""

OF_CHANNEL = frozenset({"platform", "country", "mode"})
"""Filters that the channel of an answer decides alone."""


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """The filters of a query; None leaves a field open. `until` is exclusive; both are capture times."""

    platform: str | None = None
    country: str | None = None
    mode: str | None = None
    prompt_set_id: str | None = None
    prompt_id: str | None = None
    tag: str | None = None
    intent: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that are asked for, in a fixed order: the same ones make the same statement."""
        return tuple(name for name in CONDITIONS if getattr(self, name) is not None)

    @property
    def values(self) -> dict[str, Any]:
        """Parameters of the conditions that are asked for."""
        values = {name: getattr(self, name) for name in self.names}
        if self.tag is not None:
            values["tag"] = json.dumps(self.tag, ensure_ascii=False)
        return values


UNFILTERED = AnswerFilter()


def conditions(names: tuple[str, ...]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of these fields, to be given to `where`."""
    return tuple(CONDITIONS[name] for name in names)


VALID = func.coalesce(reparsed_answers.c.valid, answers.c.valid)
TRUNCATED = func.coalesce(reparsed_answers.c.truncated, answers.c.truncated)
READ_BY = and_(
    answer_readings.c.answer_key == answers.c.key, answer_readings.c.revision_key == bindparam("revision_key")
)
BATCH, CHANNEL, PROMPT = (
    run_batches.c.key == answers.c.batch_key,
    channels.c.key == answers.c.channel_key,
    prompts.c.key == answers.c.prompt_key,
)
PROMPT_SET = prompt_sets.c.key == prompts.c.prompt_set_key


def all_joined(start: FromClause) -> Join:
    """Return everything that an answer belongs to, joined to a source of rows with answers in it."""
    return (
        start.join(brands, brands.c.key == answers.c.brand_key)
        .join(run_batches, BATCH)
        .join(channels, CHANNEL)
        .join(prompts, PROMPT)
        .join(asks, asks.c.key == answers.c.ask_key)
        .outerjoin(prompt_sets, PROMPT_SET)
        .outerjoin(answer_readings, READ_BY)
        .outerjoin(reparsed_answers, AS_READ)
    )


JOINED = all_joined(answers)


def joined_for(always: Iterable[ColumnElement[bool]], chosen: Mapping[str, ColumnElement[bool]]) -> Join:
    """Return answers with what revisions read in them, and of the rest only what these conditions name.

    Every answer has its batch, channel and prompt, so that a count needs only those whose columns it
    uses: each costs a lookup for each of what may be a million answers. What only some of `chosen` name is joined
    where one of these is asked for.
    """
    everywhere = tables_of(always)
    by_name = {name: tables_of([condition]) for name, condition in chosen.items()}
    joined: Join = answers.outerjoin(answer_readings, READ_BY)
    for table, condition in (
        (run_batches, BATCH),
        (channels, CHANNEL),
        (prompts, PROMPT),
        (reparsed_answers, AS_READ),
    ):
        outer = table is reparsed_answers
        if table in everywhere:
            joined = Join(joined, table, condition, isouter=outer)
        elif names := [name for name, tables in by_name.items() if table in tables]:
            joined = OptionalJoin(joined, table, condition, names, outer=outer)
    return joined


def tables_of(conditions: Iterable[ColumnElement[bool]]) -> set[Any]:
    """Return the tables whose columns conditions name."""
    return {
        element.table
        for condition in conditions
        for element in visitors.iterate(condition)
        if isinstance(element, Column)
    }


def has_mention(*chosen: Callable[[Any], ColumnElement[bool]]) -> ColumnElement[bool]:
    """Return whether the revision finds an entity in the answer of which all conditions hold."""
    columns = mentions.alias().c
    return exists(
        select(columns.answer_key).where(
            columns.revision_key == bindparam("revision_key"),
            columns.answer_key == answers.c.key,
            *(condition(columns) for condition in chosen),
        )
    )


NAMES_US = has_mention(lambda mention: mention.entity_key == 0, lambda mention: mention.named.is_(True))


def is_judged(name: str | None = None, value: str | None = None) -> ColumnElement[bool]:
    """Return whether the answer names the brand and the newest judgment of it that holds has this value."""
    judgment = tone_judgements.alias()
    newest = (
        select(judgment.c[name or "label"])
        .where(judgment.c.answer_key == answers.c.key, judgment.c.label != "unknown")
        .order_by(judgment.c.created_at.desc(), judgment.c.method.desc())
        .limit(1)
        .correlate(answers)
        .scalar_subquery()
    )
    return and_(VALID.is_(True), NAMES_US, newest.is_not(None) if value is None else newest == value)


NAMES_ANYBODY = has_mention(lambda mention: mention.named.is_(True))
COUNTED = and_(
    VALID.is_(True),
    TRUNCATED.is_(False),
    answer_readings.c.branded.is_(False),
    or_(prompts.c.prompt_set_key.is_not(None), run_batches.c.source == "import"),
    run_batches.c.status == "success",
)
"""Whether rates count an answer; `measurement.statistics.answer_evidence.left_out` says why one is not."""
OUTCOMES: Mapping[str, ColumnElement[bool]] = {
    "names_us": and_(VALID.is_(True), NAMES_US),
    "rival_instead": and_(VALID.is_(True), not_(NAMES_US), NAMES_ANYBODY),
    "nobody": and_(VALID.is_(True), not_(NAMES_ANYBODY)),
    "cites_us": has_mention(
        lambda mention: mention.entity_key == 0, lambda mention: mention.cites_own.is_(True)
    ),
    "contradicts": exists(
        select(answer_claims.c.answer_key).where(
            answer_claims.c.company_id == bindparam("company_id"),
            answer_claims.c.answer_key == answers.c.key,
            answer_claims.c.verdict == "contradicted",
        )
    ),
    "truncated": TRUNCATED.is_(True),
    "anybody": and_(VALID.is_(True), NAMES_ANYBODY),
    "judged": is_judged(),
    **{tone: is_judged("label", tone) for tone in ("positive", "neutral", "negative")},
    **{said: is_judged("recommendation", said) for said in ("recommended", "warned_against")},
    "left_out": not_(COUNTED),
}
"""What may be asked of answers, by the word of the wire."""


NAMES_ENTITY = exists(
    select(mentions.c.answer_key).where(
        mentions.c.revision_key == bindparam("revision_key"),
        mentions.c.answer_key == answers.c.key,
        mentions.c.entity_key == bindparam("entity_key"),
        mentions.c.named.is_(True),
    )
)
CITES = exists(
    select(citations.c.answer_key)
    .join(cited_urls, cited_urls.c.key == citations.c.url_key)
    .where(
        citations.c.answer_key == answers.c.key,
        citations.c.kind == "cited",
        MembershipFilter(cited_urls.c.url, "urls"),
    )
)
DOMAINS = type_coerce(answer_readings.c.domains, Text)
DETAILS: Mapping[str, ColumnElement[bool]] = {
    "counted": COUNTED,
    "citations_known": answer_readings.c.measurable.is_(True),
    "entity_key": NAMES_ENTITY,
    "domain": func.replace(DOMAINS, bindparam("domain"), "") != DOMAINS,
    "urls": CITES,
    "batch_ids": MembershipFilter(run_batches.c.id, "batch_ids"),
}
"""Conditions of `AnswerDetail`, by its fields."""


@dataclass(frozen=True, slots=True)
class AnswerDetail:
    """Which answers a number counts, beside the filters that all analytics share; what is empty leaves a field open.

    `urls` are cited addresses as they were stored, `domain` a cited registrable domain.
    """

    counted: bool = False
    citations_known: bool = False
    entity_key: int | None = None
    domain: str | None = None
    urls: tuple[str, ...] | None = None
    batch_ids: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that are asked for, in a fixed order."""
        return tuple(name for name in DETAILS if getattr(self, name) not in (None, False))

    @property
    def values(self) -> dict[str, Any]:
        """Parameters of the conditions that are asked for."""
        return {
            "entity_key": self.entity_key,
            "domain": f"{json.dumps(self.domain)}:",
            "urls": list(self.urls or ()),
            "batch_ids": list(self.batch_ids or ()),
        }


ANY_ANSWER = AnswerDetail()


DAY = timedelta(days=1)
DAYS_SINCE_1970 = type_coerce(answers.c.captured_at, BigInteger) // (DAY // MICROSECOND)
"""The UTC day of an answer; instants are stored as microseconds since 1970."""


def day_of(days_since_1970: int) -> date:
    """Return the day of a row."""
    return EPOCH.date() + days_since_1970 * DAY
