"""Brands, found by UUID or brand name: profile, spellings of the name, owned sites and competitors."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from storage.errors import DuplicateRow
from storage.filters import MembershipFilter
from storage.ids import is_id, new_id
from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import brand_aliases, brand_domains, brands, competitors


@dataclass(frozen=True, slots=True)
class Brand:
    """One brand's profile."""

    key: int
    id: str
    name: str
    industry: str | None
    website: str | None
    voice: str | None
    keywords: Sequence[str]
    target_audience: str | None
    revision_key: int | None
    parsing: int
    created_at: datetime
    updated_at: datetime
    category_words: Sequence[str] = ()
    facts: Mapping[str, Any] = field(default_factory=dict[str, Any])
    archived_at: datetime | None = None
    delete_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class BrandName:
    """A brand as listed, without its profile."""

    id: str
    name: str
    archived: bool


@dataclass(frozen=True, slots=True)
class MeasuredBrand:
    """A brand of any company, for work across all companies."""

    company_id: str
    id: str


@dataclass(frozen=True, slots=True)
class AliasRow:
    """One spelling of a name; a negative one is a similar name that does not mean the brand.

    `ambiguous` is the user's choice; None leaves it to the lists of homonyms and common words.
    """

    text: str
    exact_case: bool = False
    ambiguous: bool | None = None
    negative: bool = False


@dataclass(frozen=True, slots=True)
class EntityNames:
    """An entity with its aliases and sites; key 0 is the brand itself, others are competitors."""

    key: int
    id: str
    name: str
    aliases: tuple[AliasRow, ...]
    sites: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class BrandDraft:
    """The data of an import about one brand or competitor."""

    name: str
    aliases: tuple[AliasRow, ...] = ()
    sites: tuple[str, ...] = ()


def keyed_alias(key: int, *fields: Any) -> tuple[int, AliasRow]:
    """Build one alias with the key of its entity."""
    return key, AliasRow(*fields)


COLUMNS = row_columns(Brand, brands)
OURS = brands.c.company_id == bindparam("company_id")
IS_ACTIVE = brands.c.archived_at.is_(None)
ALL = Query(select(*COLUMNS).where(OURS).order_by(brands.c.name_folded, brands.c.key), Brand, brief=True)
ACTIVE = Query(
    select(*COLUMNS).where(OURS, IS_ACTIVE).order_by(brands.c.name_folded, brands.c.key), Brand, brief=True
)
NAMES = Query(
    select(brands.c.id, brands.c.name, brands.c.archived_at.is_not(None))
    .where(OURS)
    .order_by(brands.c.name_folded, brands.c.key),
    BrandName,
    brief=True,
)
BY_ID = Query(select(*COLUMNS).where(OURS, brands.c.id == bindparam("id")), Brand, brief=True)
BY_NAME = Query(select(*COLUMNS).where(OURS, brands.c.name_folded == bindparam("folded")), Brand, brief=True)
SEVERAL = Query(
    select(*COLUMNS).where(
        OURS, MembershipFilter(brands.c.id, "ids") | MembershipFilter(brands.c.name_folded, "folded")
    ),
    Brand,
)
ACTIVE_KEYS = Query(select(brands.c.key).where(OURS, IS_ACTIVE), int, brief=True)
COUNT = Query(select(func.count()).select_from(brands).where(OURS, IS_ACTIVE), int, brief=True)

OF_BRAND = (competitors.c.company_id == bindparam("company_id")) & (
    competitors.c.brand_key == bindparam("brand_key")
)
COMPETITORS = Query(
    select(competitors.c.key, competitors.c.id, competitors.c.name)
    .where(OF_BRAND, competitors.c.dropped_at.is_(None))
    .order_by(competitors.c.key),
    plain,
    brief=True,
)
EVERY_COMPETITOR = Query(select(competitors.c.key, competitors.c.name_folded).where(OF_BRAND), plain)
ALIASES = Query(
    select(
        func.coalesce(brand_aliases.c.competitor_key, 0),
        brand_aliases.c.text,
        brand_aliases.c.exact_case,
        brand_aliases.c.ambiguous,
        brand_aliases.c.negative,
    )
    .where(
        brand_aliases.c.company_id == bindparam("company_id"),
        brand_aliases.c.brand_key == bindparam("brand_key"),
    )
    .order_by(func.coalesce(brand_aliases.c.competitor_key, 0), brand_aliases.c.key),
    keyed_alias,
    brief=True,
)
DOMAINS = Query(
    select(func.coalesce(brand_domains.c.competitor_key, 0), brand_domains.c.value)
    .where(
        brand_domains.c.company_id == bindparam("company_id"),
        brand_domains.c.brand_key == bindparam("brand_key"),
    )
    .order_by(func.coalesce(brand_domains.c.competitor_key, 0), brand_domains.c.key),
    plain,
    brief=True,
)


CHANGED = Query(
    select(brands.c.company_id, brands.c.id)
    .where(
        brands.c.revision_key.is_not(None),
        brands.c.updated_at >= bindparam("since", type_=brands.c.updated_at.type),
    )
    .order_by(brands.c.key),
    MeasuredBrand,
)


TO_DELETE = Query(
    select(brands.c.company_id, brands.c.id)
    .where(brands.c.delete_at <= bindparam("now", type_=brands.c.delete_at.type))
    .order_by(brands.c.delete_at, brands.c.key),
    MeasuredBrand,
)


class AllBrandRepository(Repository):
    """The brands of every company."""

    async def measured(self, since: datetime) -> list[MeasuredBrand]:
        """Return the brands that have measurements and were saved since an instant."""
        return await self._all(CHANGED, since=since)

    async def to_delete(self, now: datetime) -> list[MeasuredBrand]:
        """Return the brands whose grace period before deletion is over, oldest first."""
        return await self._all(TO_DELETE, now=now)


class BrandRepository(Repository):
    """The brands of one company."""

    async def all(self) -> list[Brand]:
        """Return every brand, by name, including archived ones."""
        return await self._all(ALL)

    async def names(self) -> list[BrandName]:
        """Return the name of every brand, in order, including archived ones."""
        return await self._all(NAMES)

    async def active(self) -> list[Brand]:
        """Return the brands that are not archived, by name."""
        return await self._all(ACTIVE)

    async def active_keys(self) -> list[int]:
        """Return the keys of the brands that are not archived."""
        return await self._all(ACTIVE_KEYS)

    async def count(self) -> int:
        """Return how many brands are not archived."""
        return await self._first(COUNT) or 0

    async def find(self, name_or_id: str) -> Brand | None:
        """Find by UUID, else by exact name in any case; None if it does not exist or belongs to another company."""
        if is_id(name_or_id):
            brand = await self._first(BY_ID, id=name_or_id.lower())
            if brand is not None:
                return brand
        return await self._named(name_or_id)

    async def find_each(self, names_or_ids: Sequence[str]) -> list[Brand | None]:
        """Find several brands as `find` does, in order, in one read."""
        ids = [name.lower() for name in names_or_ids if is_id(name)]
        folded = [name.casefold() for name in names_or_ids]
        brands = await self._all(SEVERAL, ids=ids, folded=folded)
        by_id, by_name = (
            {brand.id: brand for brand in brands},
            {brand.name.casefold(): brand for brand in brands},
        )
        return [by_id.get(name.lower()) or by_name.get(name.casefold()) for name in names_or_ids]

    async def _named(self, name: str) -> Brand | None:
        return await self._first(BY_NAME, folded=name.casefold())

    async def entities(self, brand: Brand) -> list[EntityNames]:
        """Return the brand (key 0) and its competitors with everything they can be recognized by."""
        rivals = await self._all(COMPETITORS, brand_key=brand.key)
        aliases = grouped(await self._all(ALIASES, brand_key=brand.key))
        sites = grouped(await self._all(DOMAINS, brand_key=brand.key))
        known = [(0, brand.id, brand.name), *rivals]
        return [
            EntityNames(key, id, name, tuple(aliases.get(key, ())), tuple(sites.get(key, ())))
            for key, id, name in known
        ]

    async def save(
        self, draft: BrandDraft, rivals: Sequence[BrandDraft], profile: dict[str, Any], now: datetime
    ) -> Brand:
        """Create the brand, or update the one with this name.

        Competitors that are no longer listed are dropped, and restored when a later import names them.
        `profile` holds the columns industry, website, voice, keywords and target_audience, and may hold
        category_words, facts and archived_at.
        """
        known = await self._named(draft.name)
        return await self._store(known.key if known else None, draft, rivals, profile, now)

    async def create(
        self, draft: BrandDraft, rivals: Sequence[BrandDraft], profile: dict[str, Any], now: datetime
    ) -> Brand:
        """Create a brand with a new name. Raises DuplicateRow if the name exists."""
        await self._refuse_taken(draft.name, None)
        return await self._store(None, draft, rivals, profile, now)

    async def change(
        self,
        brand: Brand,
        draft: BrandDraft,
        rivals: Sequence[BrandDraft],
        profile: dict[str, Any],
        now: datetime,
    ) -> Brand:
        """Update a brand, including its name. Raises DuplicateRow if another brand has the name."""
        await self._refuse_taken(draft.name, brand.key)
        return await self._store(brand.key, draft, rivals, profile, now)

    async def plan_deletion(
        self, brand_key: int, delete_at: datetime | None, archived_at: datetime | None
    ) -> None:
        """Store when a brand will be deleted, if at all, and since when it is archived."""
        row = (brands.c.key == brand_key) & (brands.c.company_id == self.company_id)
        await self._write(update(brands).where(row).values(delete_at=delete_at, archived_at=archived_at))

    async def _refuse_taken(self, name: str, key: int | None) -> None:
        holder = await self._named(name)
        if holder is not None and holder.key != key:
            raise DuplicateRow("brand", name)

    async def _store(
        self,
        key: int | None,
        draft: BrandDraft,
        rivals: Sequence[BrandDraft],
        profile: dict[str, Any],
        now: datetime,
    ) -> Brand:
        values = {**profile, "name": draft.name, "name_folded": draft.name.casefold(), "updated_at": now}
        if key is None:
            new = {"id": new_id(), "company_id": self.company_id, "created_at": now}
            key = await self._insert(insert(brands), {**values, **new})
        else:
            await self._write(
                update(brands)
                .where(brands.c.key == key, brands.c.company_id == self.company_id)
                .values(values)
            )
        await self._replace_names(key, None, draft)
        await self._save_rivals(key, rivals, now)
        saved = await self._named(draft.name)
        assert saved is not None
        return saved

    async def _save_rivals(self, brand_key: int, rivals: Sequence[BrandDraft], now: datetime) -> None:
        """Keep, restore or create each competitor; one that is no longer listed keeps its row in case it returns."""
        present = {folded: key for key, folded in await self._all(EVERY_COMPETITOR, brand_key=brand_key)}
        for rival in rivals:
            folded = rival.name.casefold()
            values = {"name": rival.name, "name_folded": folded}
            key = present.pop(folded, None)
            if key is None:
                own = {
                    "id": new_id(),
                    "company_id": self.company_id,
                    "brand_key": brand_key,
                    "created_at": now,
                }
                key = await self._insert(insert(competitors), {**values, **own})
            else:
                await self._write(
                    update(competitors).where(competitors.c.key == key).values(**values, dropped_at=None)
                )
            await self._replace_names(brand_key, key, rival)
        for key in present.values():
            competitor = (
                (competitors.c.key == key)
                & (competitors.c.company_id == self.company_id)
                & competitors.c.dropped_at.is_(None)
            )
            await self._write(update(competitors).where(competitor).values(dropped_at=now))

    async def _replace_names(self, brand_key: int, competitor_key: int | None, draft: BrandDraft) -> None:
        owner = {"company_id": self.company_id, "brand_key": brand_key, "competitor_key": competitor_key}
        for table in (brand_aliases, brand_domains):
            same = table.c.competitor_key.is_not_distinct_from(competitor_key)
            await self._write(delete(table).where(table.c.brand_key == brand_key, same))
        if draft.aliases:
            fields = ("text", "exact_case", "ambiguous", "negative")
            rows = [{**owner, **{name: getattr(alias, name) for name in fields}} for alias in draft.aliases]
            await self._write(insert(brand_aliases), rows)
        if draft.sites:
            await self._write(insert(brand_domains), [{**owner, "value": site} for site in draft.sites])


def grouped(pairs: Sequence[tuple[int, Any]]) -> dict[int, list[Any]]:
    """Group pairs that are sorted by their first member."""
    return {key: [value for _, value in group] for key, group in groupby(pairs, key=lambda pair: pair[0])}
