"""Counts of the sources that a brand's counted answers cite: by domain, by address, and in which answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import JSON, ColumnElement, Select, and_, bindparam, cast, func, not_, select
from sqlalchemy.sql.selectable import TableValuedAlias

from storage.repositories.answers.answer_filters import AnswerFilter, conditions
from storage.repositories.answers.answer_outcomes import COUNTED, JOINED, NAMES_ANYBODY, NAMES_US, joined_for
from storage.statements.membership import MembershipFilter
from storage.statements.queries import Query
from storage.statements.repository import Repository
from storage.statements.tables.answers import answer_readings, answers, citations, cited_urls
from storage.statements.tables.prompts import prompts

MOST_ADDRESSES = 5000
"""The most cited addresses that a grouping by address looks at."""


@dataclass(frozen=True, slots=True)
class DomainCount:
    """One domain as its owner class, in how many answers it is cited and to how many prompts."""

    domain: str
    owner: str
    answers: int
    prompts: int


@dataclass(frozen=True, slots=True)
class AddressCount:
    """One cited address with its newest title."""

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


A, R, P = answers.c, answer_readings.c, prompts.c
WHEN: Mapping[str, ColumnElement[bool]] = {
    "brand_named": NAMES_US,
    "rival_named_instead": and_(not_(NAMES_US), NAMES_ANYBODY),
    "nobody_named": not_(NAMES_ANYBODY),
}
"""Whom the answers name, by the word of the wire."""
Sources = Callable[[], TableValuedAlias]


def sqlite_domains() -> TableValuedAlias:
    """Return the cited domains of a reading as rows, on SQLite."""
    return func.json_each(R.domains).table_valued("key", "value", name="source")


def postgresql_domains() -> TableValuedAlias:
    """Return the cited domains of a reading as rows, on PostgreSQL."""
    return func.json_each_text(cast(R.domains, JSON)).table_valued("key", "value", name="source")


def looked_at(when: str | None, names: tuple[str, ...]) -> tuple[ColumnElement[bool], ...]:
    """Return which answers are looked at: counted ones whose citations are known."""
    return (
        A.company_id == bindparam("company_id"),
        A.brand_key == bindparam("brand_key"),
        COUNTED,
        R.measurable.is_(True),
        *((WHEN[when],) if when else ()),
        *conditions(names),
    )


def on_both(statement: Callable[[Sources], Select[*tuple[Any, ...]]], row: Callable[..., Any]) -> Query[Any]:
    """Return a query over domains in both dialects."""
    return Query(statement(sqlite_domains), row, variants={"postgresql": statement(postgresql_domains)})


@cache
def domain_counts(listed: bool, when: str | None, names: tuple[str, ...]) -> Query[DomainCount]:
    """Return the query that counts answers by domain, most cited first."""

    def statement(sources: Sources) -> Select[*tuple[Any, ...]]:
        source = sources()
        domain, owner_class = source.c.key, source.c.value
        answer_count = func.count()
        chosen = [
            *looked_at(when, names),
            *((MembershipFilter(domain, "domains"),) if listed else ()),
        ]
        return (
            select(domain, owner_class, answer_count, func.count(A.prompt_key.distinct()))
            .select_from(joined_for(*chosen))
            .join(source, source.c.key.is_not(None))
            .where(*chosen)
            .group_by(domain, owner_class)
            .order_by(answer_count.desc(), domain)
        )

    return on_both(statement, DomainCount)


@cache
def domain_examples(when: str | None, names: tuple[str, ...]) -> Query[SourceExample]:
    """Return the query that finds the newest answers that cite some domains."""

    def statement(sources: Sources) -> Select[*tuple[Any, ...]]:
        source = sources()
        place = func.row_number().over(
            partition_by=source.c.key, order_by=(A.captured_at.desc(), A.key.desc())
        )
        ranked = (
            select(
                source.c.key.label("source"),
                P.id.label("prompt_id"),
                A.id.label("answer_id"),
                place.label("place"),
            )
            .select_from(JOINED)
            .join(source, source.c.key.is_not(None))
            .where(*looked_at(when, names), MembershipFilter(source.c.key, "domains"))
            .subquery()
        )
        return (
            select(ranked.c.source, ranked.c.prompt_id, ranked.c.answer_id)
            .where(ranked.c.place <= bindparam("most"))
            .order_by(ranked.c.source, ranked.c.place)
        )

    return on_both(statement, SourceExample)


CITING = JOINED.join(citations, and_(citations.c.answer_key == A.key, citations.c.kind == "cited")).join(
    cited_urls, cited_urls.c.key == citations.c.url_key
)


@cache
def address_counts(when: str | None, names: tuple[str, ...]) -> Query[AddressCount]:
    """Return the query that counts answers by cited address, most cited first."""
    answer_count = func.count(A.key.distinct())
    return Query(
        select(cited_urls.c.url, func.max(citations.c.title), answer_count, func.count(P.key.distinct()))
        .select_from(CITING)
        .where(*looked_at(when, names))
        .group_by(cited_urls.c.url)
        .order_by(answer_count.desc(), cited_urls.c.url)
        .limit(MOST_ADDRESSES),
        AddressCount,
    )


@cache
def address_examples(when: str | None, names: tuple[str, ...]) -> Query[SourceExample]:
    """Return the query that finds the newest answers that cite some addresses."""
    place = func.row_number().over(
        partition_by=cited_urls.c.url, order_by=(A.captured_at.desc(), A.key.desc())
    )
    ranked = (
        select(
            cited_urls.c.url.label("source"),
            P.id.label("prompt_id"),
            A.id.label("answer_id"),
            place.label("place"),
        )
        .select_from(CITING)
        .where(*looked_at(when, names), MembershipFilter(cited_urls.c.url, "urls"))
        .subquery()
    )
    return Query(
        select(ranked.c.source, ranked.c.prompt_id, ranked.c.answer_id)
        .where(ranked.c.place <= bindparam("most"))
        .order_by(ranked.c.source, ranked.c.place),
        SourceExample,
    )


@cache
def citing_answers(when: str | None, names: tuple[str, ...]) -> Query[SourceExample]:
    """Return the query that lists every answer that cites some addresses."""
    return Query(
        select(cited_urls.c.url, P.id, A.id)
        .select_from(CITING)
        .where(*looked_at(when, names), MembershipFilter(cited_urls.c.url, "urls")),
        SourceExample,
    )


@cache
def measurable_count(when: str | None, names: tuple[str, ...]) -> Query[int]:
    """Return the query that counts the answers whose citations are known."""
    chosen = looked_at(when, names)
    return Query(select(func.count()).select_from(joined_for(*chosen)).where(*chosen), int)


class SourceCountRepository(Repository):
    """What the counted answers of one company cite."""

    async def measurable(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, when: str | None
    ) -> int:
        """Return how many counted answers have known citations."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._first(measurable_count(when, chosen.names), **values) or 0

    async def domains(
        self,
        brand_key: int,
        revision_key: int,
        chosen: AnswerFilter,
        when: str | None,
        domains: Sequence[str] | None = None,
    ) -> list[DomainCount]:
        """Return the cited domains, most cited first; given some, only those."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        if domains is None:
            return await self._all(domain_counts(False, when, chosen.names), **values)
        return await self._all(domain_counts(True, when, chosen.names), **values, domains=list(domains))

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
        query = domain_examples(when, chosen.names)
        return await self._all(query, **values, domains=list(domains), most=most)

    async def addresses(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, when: str | None
    ) -> list[AddressCount]:
        """Return the 5,000 most cited addresses, most cited first."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(address_counts(when, chosen.names), **values)

    async def citing(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, when: str | None, urls: Sequence[str]
    ) -> list[SourceExample]:
        """Return every answer that cites some addresses."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(citing_answers(when, chosen.names), **values, urls=list(urls))

    async def address_examples(
        self,
        brand_key: int,
        revision_key: int,
        chosen: AnswerFilter,
        when: str | None,
        urls: Sequence[str],
        most: int,
    ) -> list[SourceExample]:
        """Return the newest answers that cite each of some addresses, at most `most` of each."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return await self._all(address_examples(when, chosen.names), **values, urls=list(urls), most=most)
