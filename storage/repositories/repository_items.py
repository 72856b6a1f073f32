"""Repository items: what a brand publishes, to browse and to search."""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, text, tuple_, update

from storage.filters import MembershipFilter
from storage.ids import new_id
from storage.queries import Listing, Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import repository_items

LONGEST_BODY = 100_000
"""Characters of one item; a long page of a site has a tenth of them."""


@dataclass(frozen=True, slots=True)
class RepositoryItem:
    """One published text of a brand."""

    id: str
    title: str
    body: str
    category: str
    url: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ItemDraft:
    """What an import or a run says about one item; title and category together identify a known one.

    A run's draft has a `key` instead, which says what it was written for: it takes the place of the draft of that key,
    unless a person has changed that one. `brief` is what it was written from, `review` the state of each sentence.
    """

    title: str
    body: str
    category: str
    url: str | None = None
    key: str | None = None
    brief: Mapping[str, Any] | None = None
    review: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class LocatedItem:
    """An item with the brand that it belongs to."""

    brand_key: int
    item: RepositoryItem


def located_item(brand_key: int, *values: Any) -> LocatedItem:
    """Build an item with its brand."""
    return LocatedItem(brand_key, RepositoryItem(*values))


COLUMNS = row_columns(RepositoryItem, repository_items)
OURS = (repository_items.c.company_id == bindparam("company_id")) & (
    repository_items.c.brand_key == bindparam("brand_key")
)
LISTED = (
    select(*COLUMNS)
    .where(OURS)
    .order_by(repository_items.c.updated_at.desc(), repository_items.c.key.desc())
    .limit(bindparam("limit"))
    .offset(bindparam("offset"))
)
COUNTED = select(func.count()).select_from(repository_items).where(OURS)
OF_CATEGORY = repository_items.c.category == bindparam("category")
PAGE = Listing(LISTED, COUNTED, RepositoryItem, brief=True)
CATEGORY_PAGE = Listing(LISTED.where(OF_CATEGORY), COUNTED.where(OF_CATEGORY), RepositoryItem, brief=True)
BY_ID = Query(
    select(*COLUMNS).where(OURS, repository_items.c.id == bindparam("id")), RepositoryItem, brief=True
)
ANYWHERE = Query(
    select(repository_items.c.brand_key, *COLUMNS).where(
        repository_items.c.company_id == bindparam("company_id"), repository_items.c.id == bindparam("id")
    ),
    located_item,
    brief=True,
)
DRAFT_KEY = Query(
    select(func.coalesce(repository_items.c.draft_key, "")).where(
        OURS, repository_items.c.id == bindparam("id")
    ),
    str,
    brief=True,
)

BRIEF = Query(
    select(repository_items.c.brief).where(
        OURS, repository_items.c.id == bindparam("id"), repository_items.c.brief.is_not(None)
    ),
    plain,
    brief=True,
)


@dataclass(frozen=True, slots=True)
class StoredReview:
    """What a run wrote an item for, and the states of its sentences as they were stored, or None."""

    item_id: str
    draft_key: str
    review: Any


REVIEWS = Query(
    select(repository_items.c.id, repository_items.c.draft_key, repository_items.c.review).where(
        OURS, MembershipFilter(repository_items.c.id, "ids"), repository_items.c.draft_key.is_not(None)
    ),
    StoredReview,
)


def keyed_draft(key: str, item_id: str) -> tuple[str, str]:
    """Build what a draft was written for, with its id."""
    return key, item_id


DRAFTS_FOR = Query(
    select(repository_items.c.draft_key, repository_items.c.id).where(
        OURS,
        repository_items.c.category == bindparam("category"),
        MembershipFilter(repository_items.c.draft_key, "keys"),
    ),
    keyed_draft,
)
NAMES_AT_ONCE = 500
FIELDS = ", ".join(f"i.{column.name}" for column in COLUMNS)
SQLITE_MATCH = """
  FROM repository_items_search s JOIN repository_items i ON i.key = s.rowid
 WHERE s.repository_items_search MATCH :match AND i.company_id = :company_id AND i.brand_key = :brand_key
"""
POSTGRES_MATCH = """
  FROM repository_items i
 WHERE i.search @@ websearch_to_tsquery('seenby', :match)
   AND i.company_id = :company_id AND i.brand_key = :brand_key
"""
SQLITE_ORDER = "ORDER BY bm25(repository_items_search, 4.0, 1.0), i.key DESC LIMIT :limit OFFSET :offset"
POSTGRES_ORDER = """
 ORDER BY ts_rank_cd(i.search, websearch_to_tsquery('seenby', :match), 1) DESC, i.key DESC
 LIMIT :limit OFFSET :offset
"""
TYPED = [
    bindparam("brand_key", type_=repository_items.c.key.type),
    bindparam("match", type_=repository_items.c.title.type),
]
SEARCH = Query(
    text(f"SELECT {FIELDS} {SQLITE_MATCH} {SQLITE_ORDER}").bindparams(*TYPED).columns(*COLUMNS),
    RepositoryItem,
    variants={
        "postgresql": text(f"SELECT {FIELDS} {POSTGRES_MATCH} {POSTGRES_ORDER}")
        .bindparams(*TYPED)
        .columns(*COLUMNS)
    },
)
SEARCH_COUNT = Query(
    text(f"SELECT count(*) {SQLITE_MATCH}").bindparams(*TYPED),
    int,
    variants={"postgresql": text(f"SELECT count(*) {POSTGRES_MATCH}").bindparams(*TYPED)},
)


class RepositoryItemRepository(Repository):
    """The published texts of one company's brands."""

    async def find(self, brand_key: int, item_id: str) -> RepositoryItem | None:
        """Return one item of a brand."""
        return await self._first(BY_ID, brand_key=brand_key, id=item_id.lower())

    async def locate(self, item_id: str) -> LocatedItem | None:
        """Return one item of whichever brand of the company."""
        return await self._first(ANYWHERE, id=item_id.lower())

    async def draft_key(self, brand_key: int, item_id: str) -> str | None:
        """Return what a run wrote an item for; None for the text of a person."""
        return await self._first(DRAFT_KEY, brand_key=brand_key, id=item_id.lower()) or None

    async def brief(self, brand_key: int, item_id: str) -> Any:
        """Return what a run wrote an item from, as it was stored; None for all else."""
        [stored] = await self._first(BRIEF, brand_key=brand_key, id=item_id.lower()) or [None]
        return stored

    async def reviews(self, brand_key: int, item_ids: Sequence[str]) -> list[StoredReview]:
        """Return the reviews of the items among some ids that runs wrote."""
        if not item_ids:
            return []
        return await self._all(REVIEWS, brand_key=brand_key, ids=list(item_ids))

    async def review(self, brand_key: int, item_id: str) -> Any:
        """Return the states of a draft's sentences as they were stored, or None."""
        return next((stored.review for stored in await self.reviews(brand_key, [item_id.lower()])), None)

    async def drafts_for(self, brand_key: int, category: str, keys: Sequence[str]) -> dict[str, str]:
        """Return the ids of the items of a category that runs wrote for some keys, by key."""
        if not keys:
            return {}
        return dict(await self._all(DRAFTS_FOR, brand_key=brand_key, category=category, keys=list(keys)))

    async def remove(self, brand_key: int, item_id: str) -> None:
        """Take an item away for good."""
        ours = (
            (repository_items.c.company_id == self.company_id)
            & (repository_items.c.brand_key == brand_key)
            & (repository_items.c.id == item_id.lower())
        )
        await self._write(delete(repository_items).where(ours))

    async def page(
        self, brand_key: int, category: str | None, limit: int, offset: int
    ) -> tuple[list[RepositoryItem], int]:
        """Return one page, last changed first, and how many there are in all."""
        values = {"brand_key": brand_key, "limit": limit, "offset": offset}
        if category is None:
            return await self._page(PAGE, **values)
        return await self._page(CATEGORY_PAGE, **values, category=category)

    async def search(
        self, brand_key: int, query: str, limit: int, offset: int
    ) -> tuple[list[RepositoryItem], int]:
        """Return one page of items that hold every word of the query, best first, and how many there are.

        Title and body are searched by stem, without regard to case and accents; a title word weighs more.
        """
        match = match_expression(query)
        if not match:
            return [], 0
        values = {"brand_key": brand_key, "match": match}
        items = await self._all(SEARCH, **values, limit=limit, offset=offset)
        return items, await self._first(SEARCH_COUNT, **values) or 0

    async def named(
        self, brand_key: int, names: Sequence[tuple[str, str]]
    ) -> dict[tuple[str, str], RepositoryItem]:
        """Return the items of some titles and categories, by these."""
        found: dict[tuple[str, str], RepositoryItem] = {}
        for start in range(0, len(names), NAMES_AT_ONCE):
            few = names[start : start + NAMES_AT_ONCE]
            ours = (repository_items.c.company_id == self.company_id) & (
                repository_items.c.brand_key == brand_key
            )
            rows = await self._write(
                select(*COLUMNS).where(
                    ours, tuple_(repository_items.c.title, repository_items.c.category).in_(few)
                )
            )
            items = [RepositoryItem(*row) for row in rows]
            found |= {(item.title, item.category): item for item in items}
        return found

    async def save(self, brand_key: int, drafts: Sequence[ItemDraft], now: datetime) -> None:
        """Add the items, or bring those of the same title and category up to date; of twins the last one counts."""
        for draft in drafts:
            if draft.key is not None:
                await self._replace(brand_key, draft, draft.key, now)
        wanted = {(draft.title, draft.category): draft for draft in drafts if draft.key is None}
        known = await self._known(brand_key, list(wanted))
        new: list[dict[str, Any]] = []
        for (title, category), draft in wanted.items():
            words = {"title_words": words_of(draft.title), "body_words": words_of(draft.body)}
            values = {"body": draft.body, "url": draft.url, "updated_at": now, **words}
            key = known.get((title, category))
            if key is not None:
                await self._write(
                    update(repository_items).where(repository_items.c.key == key).values(values)
                )
                continue
            own = {"id": new_id(), "company_id": self.company_id, "brand_key": brand_key, "created_at": now}
            new.append({**values, **own, "title": title, "category": category})
        if new:
            await self._write(insert(repository_items), new)

    async def change(self, brand_key: int, item_id: str, draft: ItemDraft, now: datetime) -> bool:
        """Give an item new values. Changes nothing and returns False if it is gone or another has its new name."""
        same_name = (await self._known(brand_key, [(draft.title, draft.category)])).values()
        ours = (
            (repository_items.c.company_id == self.company_id)
            & (repository_items.c.brand_key == brand_key)
            & (repository_items.c.id == item_id.lower())
        )
        rows = (await self._write(select(repository_items.c.key).where(ours))).mappings().all()
        if not rows or any(key != row["key"] for key in same_name for row in rows):
            return False
        values = {
            "title": draft.title,
            "category": draft.category,
            "body": draft.body,
            "url": draft.url,
            "title_words": words_of(draft.title),
            "body_words": words_of(draft.body),
            "updated_at": now,
        }
        if draft.review is not None:  # a person decided: a later run leaves this draft as it is
            values |= {"review": draft.review, "written_sha256": None}
        changed = await self._write(update(repository_items).where(ours).values(values))
        return changed.rowcount > 0

    async def _replace(self, brand_key: int, draft: ItemDraft, key: str, now: datetime) -> None:
        """Put a run's draft in the place of its predecessor; one that a person has changed since stays as it is."""
        ours = (repository_items.c.company_id == self.company_id) & (
            repository_items.c.brand_key == brand_key
        )
        same = ours & (repository_items.c.draft_key == key) & (repository_items.c.category == draft.category)
        rows = (
            (
                await self._write(
                    select(
                        repository_items.c.key, repository_items.c.body, repository_items.c.written_sha256
                    ).where(same)
                )
            )
            .mappings()
            .all()
        )
        values = {
            "title": draft.title,
            "body": draft.body,
            "url": draft.url,
            "title_words": words_of(draft.title),
            "body_words": words_of(draft.body),
            "written_sha256": digest(draft.body),
            "brief": draft.brief,
            "review": draft.review,
            "updated_at": now,
        }
        if not rows:
            own = {"id": new_id(), "company_id": self.company_id, "brand_key": brand_key, "created_at": now}
            row = {**values, **own, "category": draft.category, "draft_key": key}
            await self._write(insert(repository_items), [row])
        elif rows[0]["written_sha256"] == digest(rows[0]["body"]):
            # A person may have decided or changed the draft since it was read.
            as_read = same & (repository_items.c.written_sha256 == rows[0]["written_sha256"])
            await self._write(
                update(repository_items)
                .where(as_read, repository_items.c.body == rows[0]["body"])
                .values(values)
            )

    async def _known(self, brand_key: int, names: list[tuple[str, str]]) -> dict[tuple[str, str], int]:
        """Return the keys of the items of these titles and categories, a few hundred in one read."""
        item_keys: dict[tuple[str, str], int] = {}
        for start in range(0, len(names), NAMES_AT_ONCE):
            few = names[start : start + NAMES_AT_ONCE]
            ours = (repository_items.c.company_id == self.company_id) & (
                repository_items.c.brand_key == brand_key
            )
            rows = await self._write(
                select(repository_items.c.title, repository_items.c.category, repository_items.c.key).where(
                    ours, tuple_(repository_items.c.title, repository_items.c.category).in_(few)
                )
            )
            item_keys |= {(row["title"], row["category"]): row["key"] for row in rows.mappings()}
        return item_keys


def digest(body: str) -> str:
    """Return the digest by which a text that a run wrote is known again."""
    return hashlib.sha256(body.encode()).hexdigest()


UNSPACED = re.compile("([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff])")
NOT_A_WORD = re.compile(r"[^\w]+|_+")


def words_of(written: str) -> str:
    """Return the words of a text in the form that both search engines index.

    Accents and case go; scripts written without spaces become single characters, so that any part of a
    Chinese, Japanese or Thai phrase can be found.
    """
    folded = unicodedata.normalize("NFKD", written.casefold())
    plain = unicodedata.normalize("NFC", "".join(c for c in folded if not 0x300 <= ord(c) <= 0x36F))
    return NOT_A_WORD.sub(" ", UNSPACED.sub(r" \1 ", plain)).strip()


def match_expression(query: str) -> str:
    """Return the query as quoted phrases, which FTS5 and PostgreSQL read alike: all must be found."""
    phrases = (" ".join(words_of(word).split()) for word in query.split())
    return " ".join(f'"{phrase}"' for phrase in phrases if phrase)
