"""Citations: the sources of answers, with each URL stored once."""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, insert, select

from storage.encoding import sha256_of, unpacked
from storage.filters import MembershipFilter
from storage.queries import Query, plain
from storage.repository import Repository
from storage.tables.answers import answers, citations, cited_urls, reparsed_answers


@dataclass(frozen=True, slots=True)
class StoredCitation:
    """One source as reported by the engine; offsets are code points of the text, or None.

    `site` is the destination host of a redirect URL, if the engine's metadata names it.
    """

    url: str
    title: str | None
    kind: str
    start: int | None
    end: int | None
    span: str | None
    site: str | None = None


def keyed_citation(key: int, *fields: Any) -> tuple[int, StoredCitation]:
    """Build one citation with the key of its answer."""
    return key, StoredCitation(*fields)


def reparsed_citations(key: int, stored: bytes) -> tuple[int, list[StoredCitation]]:
    """Build the citations of a reparsed answer."""
    return key, [StoredCitation(**citation) for citation in json.loads(unpacked(stored))]


OURS = and_(answers.c.company_id == bindparam("company_id"), answers.c.brand_key == bindparam("brand_key"))
CITED_SOURCES = (
    select(
        citations.c.answer_key,
        cited_urls.c.url,
        cited_urls.c.title,
        citations.c.kind,
        citations.c.start,
        citations.c.end,
        citations.c.span,
        citations.c.site,
    )
    .join(cited_urls, cited_urls.c.key == citations.c.url_key)
    .join(answers, answers.c.key == citations.c.answer_key)
    .where(answers.c.company_id == bindparam("company_id"))
    .order_by(citations.c.answer_key, citations.c.ordinal)
)
CITED = Query(
    CITED_SOURCES.where(
        # The sum keeps SQLite from scanning all answers of the brand for those between two keys.
        answers.c.brand_key + 0 == bindparam("brand_key", type_=answers.c.brand_key.type),
        answers.c.key.between(bindparam("low"), bindparam("high")),
    ),
    keyed_citation,
)
CITED_BY_ONE = Query(
    CITED_SOURCES.where(answers.c.key == bindparam("answer_key")), keyed_citation, brief=True
)
RECITED = Query(
    select(reparsed_answers.c.answer_key, reparsed_answers.c.citations)
    .join(answers, answers.c.key == reparsed_answers.c.answer_key)
    .where(
        OURS,
        answers.c.key.between(bindparam("low"), bindparam("high")),
        reparsed_answers.c.parsing == bindparam("parsing", type_=reparsed_answers.c.parsing.type),
    ),
    reparsed_citations,
)
RECITED_BY_ONE = Query(
    select(reparsed_answers.c.answer_key, reparsed_answers.c.citations)
    .join(answers, answers.c.key == reparsed_answers.c.answer_key)
    .where(
        answers.c.company_id == bindparam("company_id"),
        reparsed_answers.c.answer_key == bindparam("answer_key"),
        reparsed_answers.c.parsing == bindparam("parsing", type_=reparsed_answers.c.parsing.type),
    ),
    reparsed_citations,
    brief=True,
)

URL_KEYS = Query(
    select(cited_urls.c.digest, cited_urls.c.key)
    .where(MembershipFilter(cited_urls.c.digest, "digests"))
    .with_for_update(read=True, key_share=True),
    plain,
)
"""PostgreSQL locks the pages until transactions that cite them have ended; SQLite has a single writer anyway."""


class CitedPage(NamedTuple):
    """A cited URL, with the title that the engine reported for it."""

    url: str
    title: str | None

    @property
    def digest(self) -> str:
        """The identifier of a stored page. The URL is hashed first, so that it cannot run into the title."""
        address = sha256_of(self.url)
        return sha256_of(address if self.title is None else f"{address} {self.title}")


class CitationRepository(Repository):
    """The citations of one company's answers."""

    async def add(self, citations_by_answer: Sequence[tuple[int, Sequence[StoredCitation]]]) -> None:
        """Store the citations of answers, by answer key, in the engine's order."""
        keys = await self.page_keys(
            {
                CitedPage(citation.url, citation.title)
                for _, cited in citations_by_answer
                for citation in cited
            }
        )
        rows = [
            {
                "answer_key": answer_key,
                "ordinal": ordinal,
                "kind": citation.kind,
                "url_key": keys[CitedPage(citation.url, citation.title)],
                "start": citation.start,
                "end": citation.end,
                "span": citation.span,
                "site": citation.site,
            }
            for answer_key, cited in citations_by_answer
            for ordinal, citation in enumerate(cited)
        ]
        await self._write_all(insert(citations), rows)

    async def page_keys(self, pages: Collection[CitedPage]) -> dict[CitedPage, int]:
        """Return the keys of cited pages, storing new ones."""
        # The order is the same everywhere, so that two transactions that store the same new pages never deadlock.
        wanted = dict(sorted((page.digest, page) for page in pages))
        known = dict(await self._all(URL_KEYS, digests=list(wanted)))
        new = [{"digest": digest, **page._asdict()} for digest, page in wanted.items() if digest not in known]
        if new:
            await self._write_all(self._insert_or_ignore(cited_urls), new)
            known |= dict(await self._all(URL_KEYS, digests=[row["digest"] for row in new]))
        return {page: known[digest] for digest, page in wanted.items()}

    async def of_answer(self, answer_key: int, parsing: int) -> list[StoredCitation]:
        """Return a parsing's citations of one answer."""
        if parsing:
            reparsed = await self._first(RECITED_BY_ONE, answer_key=answer_key, parsing=parsing)
            if reparsed is not None:
                return reparsed[1]
        return [citation for _, citation in await self._all(CITED_BY_ONE, answer_key=answer_key)]

    async def between(
        self, brand_key: int, low: int, high: int, parsing: int
    ) -> dict[int, list[StoredCitation]]:
        """Return a parsing's citations of the answers with keys from `low` to `high`, both included."""
        citations_by_answer: dict[int, list[StoredCitation]] = {}
        for key, citation in await self._all(CITED, brand_key=brand_key, low=low, high=high):
            citations_by_answer.setdefault(key, []).append(citation)
        if parsing:
            citations_by_answer |= dict(
                await self._all(RECITED, brand_key=brand_key, low=low, high=high, parsing=parsing)
            )
        return citations_by_answer
