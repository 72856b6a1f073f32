"""Counts of the sources cited in a brand's counted answers: by domain, by URL, and with example answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, TypeVar

from sqlalchemy import JSON, ColumnElement, Select, and_, bindparam, cast, func, not_, select
from sqlalchemy.sql.selectable import TableValuedAlias

from storage.filters import MembershipFilter, OptionalCondition, optional
from storage.queries import Query, one_value, plain
from storage.repositories.answers.answer_filters import (
    CONDITIONS,
    COUNTED,
    JOINED,
    NAMES_ANYBODY,
    NAMES_US,
    OF_CHANNEL,
    AnswerFilter,
    joined_for,
)
from storage.repositories.day_numbers import day_bounds, is_within
from storage.repository import Repository
from storage.tables.answers import answer_readings, answers, channels, citations, cited_urls
from storage.tables.columns import domain_owner
from storage.tables.prompts import prompts, run_batches
from storage.tables.totals import channel_days

MOST_ADDRESSES = 5000
"""Maximum number of cited URLs that a grouping by URL reads, most cited first."""


@dataclass(frozen=True, slots=True)
class DomainCount:
    """One domain with its owner class, the number of answers that cite it, and their prompts."""

    domain: str
    owner: str
    answers: int
    prompts: int


@dataclass(frozen=True, slots=True)
class ChannelDomainCount:
    """One domain with its owner class and the number of answers of a channel that cite it."""

    platform: str
    mode: str
    source: str
    country: str
    owner: str
    domain: str
    answers: int


@dataclass(frozen=True, slots=True)
class AddressCount:
    """One cited URL with its newest title."""

    url: str
    title: str | None
    answers: int
    prompts: int


@dataclass(frozen=True, slots=True)
class SourceExample:
    """An answer that cites a source."""

    source: str
    prompt_id: str
    answer_id: str


WHEN: Mapping[str, ColumnElement[bool]] = {
    "brand_named": NAMES_US,
    "rival_named_instead": and_(not_(NAMES_US), NAMES_ANYBODY),
    "nobody_named": not_(NAMES_ANYBODY),
}
"""The entities that the answers name, by the value in the API."""
Row = TypeVar("Row")


def sqlite_domains() -> TableValuedAlias:
    """Return the cited domains of an extraction result as rows, on SQLite."""
    return func.json_each(answer_readings.c.domains).table_valued("key", "value", name="source")


def postgresql_domains() -> TableValuedAlias:
    """Return the cited domains of an extraction result as rows, on PostgreSQL."""
    return func.json_each_text(cast(answer_readings.c.domains, JSON)).table_valued(
        "key", "value", name="source"
    )


ALWAYS = (
    answers.c.company_id == bindparam("company_id"),
    answers.c.brand_key == bindparam("brand_key"),
    COUNTED,
    answer_readings.c.measurable.is_(True),
)
ASKED = {**WHEN, **CONDITIONS}
"""Conditions on named entities, and filters, by name."""
LOOKED_AT = (*ALWAYS, *optional(ASKED))
"""The included answers: counted ones with known citations."""
JOINED_ANSWERS = joined_for(ALWAYS, ASKED)


def on_both(
    statement: Callable[[TableValuedAlias], Select[*tuple[Any, ...]]], row: Callable[..., Row]
) -> Query[Row]:
    """Return a statement over domains in both dialects."""
    return Query(statement(sqlite_domains()), row, variants={"postgresql": statement(postgresql_domains())})


def among_domains(domain: ColumnElement[str]) -> MembershipFilter:
    """Return whether a cited domain, which is a value in a JSON document, is one of the requested ones."""
    return MembershipFilter(domain, "domains", computed=True)


def domain_counts(source: TableValuedAlias) -> Select[*tuple[Any, ...]]:
    """Count answers by domain, most cited first; the optional part `domains` restricts the domains."""
    domain, owner_class, answer_count = source.c.key, source.c.value, func.count()
    return (
        select(domain, owner_class, answer_count, func.count(answers.c.prompt_key.distinct()))
        .select_from(JOINED_ANSWERS)
        .join(source, source.c.key.is_not(None))
        .where(*LOOKED_AT, OptionalCondition(among_domains(domain), "domains"))
        .group_by(domain, owner_class)
        .order_by(answer_count.desc(), domain)
    )


def channel_domain_counts(source: TableValuedAlias) -> Select[*tuple[Any, ...]]:
    """Count all published answers by channel and domain; the optional part `batch_keys` restricts the batches."""
    place = (channels.c.platform, channels.c.mode, channels.c.source, channels.c.country)
    return (
        select(*place, source.c.value, source.c.key, func.count())
        .select_from(JOINED)
        .join(source, source.c.key.is_not(None))
        .where(
            *ALWAYS[:2],
            run_batches.c.status == "success",
            *optional(CONDITIONS),
            OptionalCondition(MembershipFilter(answers.c.batch_key, "batch_keys"), "batch_keys"),
        )
        .group_by(*place, source.c.key, source.c.value)
    )


def channel_domain_count(
    platform: str, mode: str, source: str, country: str, owner: int | str, domain: str, answers: int
) -> ChannelDomainCount:
    """Build the counts of one domain in one channel."""
    return ChannelDomainCount(platform, mode, source, country, domain_owner(int(owner)), domain, answers)


def domain_examples(source: TableValuedAlias) -> Select[*tuple[Any, ...]]:
    """Find the newest answers that cite some domains."""
    citing = (
        select(*example_of(source.c.key))
        .select_from(JOINED)
        .join(source, source.c.key.is_not(None))
        .where(*LOOKED_AT, among_domains(source.c.key))
    )
    return newest_examples(citing)


def example_of(source: ColumnElement[str]) -> tuple[ColumnElement[Any], ...]:
    """Return the columns of an answer that cites a source, with its rank among such answers, newest first."""
    place = func.row_number().over(
        partition_by=source, order_by=(answers.c.captured_at.desc(), answers.c.key.desc())
    )
    return (
        source.label("source"),
        prompts.c.id.label("prompt_id"),
        answers.c.id.label("answer_id"),
        place.label("place"),
    )


def newest_examples(citing: Select[*tuple[Any, ...]]) -> Select[*tuple[Any, ...]]:
    """Keep the newest of the answers that cite each source."""
    ranked = citing.subquery()
    return (
        select(ranked.c.source, ranked.c.prompt_id, ranked.c.answer_id)
        .where(ranked.c.place <= bindparam("most"))
        .order_by(ranked.c.source, ranked.c.place)
    )


def domain_count(domain: str, owner: int | str, answers: int, prompts: int) -> DomainCount:
    """Build the counts of one domain; PostgreSQL returns a number in a document as text."""
    return DomainCount(domain, domain_owner(int(owner)), answers, prompts)


NEWEST = Query(
    select(func.max(answers.c.captured_at)).where(
        answers.c.company_id == bindparam("company_id"),
        answers.c.brand_key == bindparam("brand_key"),
        *optional({"until": CONDITIONS["until"]}),
    ),
    one_value,
)
"""When the newest answer of a brand was captured, optionally before an instant."""
DOMAIN_COUNTS = on_both(domain_counts, domain_count)
CHANNEL_DOMAIN_COUNTS = on_both(channel_domain_counts, channel_domain_count)
DOMAINS_OF_DAYS = Query(
    select(
        channels.c.platform, channels.c.mode, channels.c.source, channels.c.country, channel_days.c.domains
    )
    .select_from(channel_days.join(channels, channels.c.key == channel_days.c.channel_key))
    .where(
        channel_days.c.company_id == bindparam("company_id"),
        channel_days.c.revision_key == bindparam("revision_key"),
        *optional({name: CONDITIONS[name] for name in sorted(OF_CHANNEL)}),
        OptionalCondition(is_within(channel_days.c.day), "days"),
        OptionalCondition(MembershipFilter(channel_days.c.batch_key, "batch_keys"), "batches"),
    ),
    plain,
)
"""The domains of channel days. They are added up in Python: 2,569 of them take 100 ms, in SQLite 580."""
DOMAIN_EXAMPLES = on_both(domain_examples, SourceExample)
CITING = JOINED.join(
    citations, and_(citations.c.answer_key == answers.c.key, citations.c.kind == "cited")
).join(cited_urls, cited_urls.c.key == citations.c.url_key)
ANSWER_COUNT = func.count(answers.c.key.distinct())
ADDRESS_COUNTS = Query(
    select(cited_urls.c.url, func.max(cited_urls.c.title), ANSWER_COUNT, func.count(prompts.c.key.distinct()))
    .select_from(CITING)
    .where(*LOOKED_AT)
    .group_by(cited_urls.c.url)
    .order_by(ANSWER_COUNT.desc(), cited_urls.c.url)
    .limit(MOST_ADDRESSES),
    AddressCount,
)
"""Answers by cited URL, most cited first."""
OF_ADDRESSES = MembershipFilter(cited_urls.c.url, "urls")
ADDRESS_EXAMPLES = Query(
    newest_examples(
        select(*example_of(cited_urls.c.url)).select_from(CITING).where(*LOOKED_AT, OF_ADDRESSES)
    ),
    SourceExample,
)
"""The newest answers that cite some URLs."""
CITING_ANSWERS = Query(
    select(cited_urls.c.url, prompts.c.id, answers.c.id).select_from(CITING).where(*LOOKED_AT, OF_ADDRESSES),
    SourceExample,
)
"""Every answer that cites some URLs."""
MEASURABLE_COUNT = Query(select(func.count()).select_from(JOINED_ANSWERS).where(*LOOKED_AT), int)


def names_of(when: str | None, chosen: AnswerFilter) -> tuple[str, ...]:
    """Return the names of the optional parts that a filter requires."""
    return (when, *chosen.names) if when else chosen.names


class SourceCountRepository(Repository):
    """The citations in one company's counted answers."""

    async def measurable(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, when: str | None
    ) -> int:
        """Return how many counted answers have known citations."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._first(MEASURABLE_COUNT.of(names_of(when, chosen)), **values) or 0

    async def domains(
        self,
        brand_key: int,
        revision_key: int,
        chosen: AnswerFilter,
        when: str | None,
        domains: Sequence[str] | None = None,
    ) -> list[DomainCount]:
        """Return the cited domains, most cited first; with `domains`, only those."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        if domains is None:
            return await self._all(DOMAIN_COUNTS.of(names_of(when, chosen)), **values)
        return await self._all(
            DOMAIN_COUNTS.of((*names_of(when, chosen), "domains")), **values, domains=list(domains)
        )

    async def domains_by_channel(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, batch_keys: Sequence[int] | None = None
    ) -> list[ChannelDomainCount]:
        """Return how many published answers of each channel cite each domain, whether rates count them or not."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        if batch_keys is None:
            return await self._all(CHANNEL_DOMAIN_COUNTS.of(chosen.names), **values)
        query = CHANNEL_DOMAIN_COUNTS.of((*chosen.names, "batch_keys"))
        return await self._all(query, **values, batch_keys=list(batch_keys))

    async def domains_of_days(
        self,
        revision_key: int,
        chosen: AnswerFilter,
        first: date | None,
        last: date | None,
        batch_keys: Sequence[int] | None = None,
    ) -> list[ChannelDomainCount]:
        """Return how many answers of each chosen channel cite each domain, on these days or in some batches.

        All other parts of the filter are ignored.
        """
        names = [name for name in chosen.names if name in OF_CHANNEL]
        values: dict[str, Any] = {
            "revision_key": revision_key,
            **{name: chosen.values[name] for name in names},
        }
        if batch_keys is None:
            query, values = DOMAINS_OF_DAYS.of((*names, "days")), values | day_bounds(first, last)
        else:
            query, values = DOMAINS_OF_DAYS.of((*names, "batches")), values | {"batch_keys": list(batch_keys)}
        counts: dict[tuple[str, str, str, str, str], dict[str, int]] = {}
        for platform, mode, source, country, by_owner in await self._all(query, **values):
            for owner, domains in by_owner.items():
                added = counts.setdefault((platform, mode, source, country, owner), {})
                for domain, cited in domains.items():
                    added[domain] = added.get(domain, 0) + cited
        return [
            ChannelDomainCount(*place, domain, cited)
            for place, domains in counts.items()
            for domain, cited in domains.items()
        ]

    async def newest(self, brand_key: int, chosen: AnswerFilter) -> datetime | None:
        """Return when the newest answer before the end of a filter's period was captured, ignoring its other parts."""
        until = {"until": chosen.until} if chosen.until else {}
        return await self._first(NEWEST.of(tuple(until)), brand_key=brand_key, **until)

    async def domain_examples(
        self,
        brand_key: int,
        revision_key: int,
        chosen: AnswerFilter,
        when: str | None,
        domains: Sequence[str],
        most: int,
    ) -> list[SourceExample]:
        """Return the newest answers that cite each of some domains, at most `most` of each."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        query = DOMAIN_EXAMPLES.of(names_of(when, chosen))
        return await self._all(query, **values, domains=list(domains), most=most)

    async def addresses(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, when: str | None
    ) -> list[AddressCount]:
        """Return the 5,000 most cited URLs, most cited first."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(ADDRESS_COUNTS.of(names_of(when, chosen)), **values)

    async def citing(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, when: str | None, urls: Sequence[str]
    ) -> list[SourceExample]:
        """Return every answer that cites some URLs."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(CITING_ANSWERS.of(names_of(when, chosen)), **values, urls=list(urls))

    async def address_examples(
        self,
        brand_key: int,
        revision_key: int,
        chosen: AnswerFilter,
        when: str | None,
        urls: Sequence[str],
        most: int,
    ) -> list[SourceExample]:
        """Return the newest answers that cite each of some URLs, at most `most` of each."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(
            ADDRESS_EXAMPLES.of(names_of(when, chosen)), **values, urls=list(urls), most=most
        )
