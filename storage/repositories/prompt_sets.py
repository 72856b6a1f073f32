"""Prompt sets: the questions that are asked repeatedly, their schedule, and the versions that were measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Select, Subquery, bindparam, func, insert, select, update

from storage.errors import DuplicateRow
from storage.ids import is_id, new_id
from storage.queries import Query, listings
from storage.repositories.prompts import PromptDraft, PromptRepository, questions_of
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.brands import brands
from storage.tables.prompts import prompt_sets, prompts, run_batches


@dataclass(frozen=True, slots=True)
class PromptSet:
    """A named list of prompts and the way it is asked; the version rises when its questions change."""

    key: int
    id: str
    brand_key: int | None
    name: str
    version: int
    platforms: Sequence[str]
    mode: str
    repeats: int
    countries: Sequence[str]
    """ISO 3166-1 alpha-2; each question is asked from each of them."""
    language: str | None
    """BCP 47, of the questions that name none."""
    city: str | None
    region: str | None
    """Such as a state; like the city it lies in the one country."""
    timezone: str | None
    """Name in the IANA database."""
    device: str | None
    """On what a person would read the answers."""
    description: str | None
    schedule: str | None
    next_run_at: datetime | None
    archived_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class AskedSet:
    """How a set is asked, and how many active prompts it has; `placed` of them name a country of their own."""

    id: str
    brand_key: int | None
    platforms: Sequence[str]
    mode: str
    repeats: int
    countries: Sequence[str]
    city: str | None
    prompts: int
    placed: int


@dataclass(frozen=True, slots=True)
class LastBatchRow:
    """The newest run batch that asked a set, and the version it asked."""

    version: int
    status: str
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, slots=True)
class ListedPromptSet:
    """A prompt set as a list shows it; `prompts` counts the active ones."""

    set: PromptSet
    brand_id: str | None
    brand_name: str | None
    brand_archived: bool
    prompts: int
    last: LastBatchRow | None


@dataclass(frozen=True, slots=True)
class PromptSetDraft:
    """What an import says about one prompt set."""

    name: str
    prompts: tuple[PromptDraft, ...]
    platforms: tuple[str, ...] = ()
    mode: str = "visibility"
    repeats: int = 3
    countries: tuple[str, ...] = ()
    language: str | None = None
    city: str | None = None
    region: str | None = None
    timezone: str | None = None
    device: str | None = None


def listed(*columns: Any) -> ListedPromptSet:
    """Build a listed set: its own columns, then brand, count and the newest batch, if any."""
    brand_id, brand_name, archived, count, version, status, created, finished = columns[-8:]
    last = LastBatchRow(version, status, created, finished) if status else None
    return ListedPromptSet(PromptSet(*columns[:-8]), brand_id, brand_name, archived is not None, count, last)


COLUMNS = row_columns(PromptSet, prompt_sets)
OURS = prompt_sets.c.company_id == bindparam("company_id")
IS_ACTIVE = prompt_sets.c.archived_at.is_(None)
ACTIVE = Query(
    select(*COLUMNS).where(OURS, IS_ACTIVE).order_by(prompt_sets.c.name_folded), PromptSet, brief=True
)
HAS_ACTIVE = Query(select(select(prompt_sets.c.key).where(OURS, IS_ACTIVE).exists()), bool, brief=True)
SCHEDULED = Query(
    select(*COLUMNS)
    .where(OURS, prompt_sets.c.brand_key == bindparam("brand_key"), prompt_sets.c.next_run_at.is_not(None))
    .order_by(prompt_sets.c.key),
    PromptSet,
)
BY_ID = Query(select(*COLUMNS).where(OURS, prompt_sets.c.id == bindparam("id")), PromptSet, brief=True)
BY_NAME = Query(
    select(*COLUMNS).where(OURS, prompt_sets.c.name_folded == bindparam("folded")), PromptSet, brief=True
)

NEWEST_BATCH = (
    select(func.max(run_batches.c.key))
    .where(run_batches.c.prompt_set_key == prompt_sets.c.key)
    .correlate(prompt_sets)
)
SIZE = (
    select(func.count())
    .select_from(prompts)
    .where(prompts.c.prompt_set_key == prompt_sets.c.key, prompts.c.active.is_(True))
    .correlate(prompt_sets)
)
CHOSEN = (
    select(
        prompt_sets.c.key,
        SIZE.scalar_subquery().label("size"),
        NEWEST_BATCH.scalar_subquery().label("newest"),
    )
    .where(OURS)
    .order_by(prompt_sets.c.name_folded, prompt_sets.c.key)
)


def shown(page: Subquery) -> Select[*tuple[Any, ...]]:
    """Look up what a list shows of the chosen sets."""
    last = row_columns(LastBatchRow, run_batches, version=run_batches.c.prompt_set_version)
    return (
        select(*COLUMNS, brands.c.id, brands.c.name, brands.c.archived_at, page.c.size, *last)
        .select_from(page)
        .join(prompt_sets, prompt_sets.c.key == page.c.key)
        .outerjoin(brands, brands.c.key == prompt_sets.c.brand_key)
        .outerjoin(run_batches, run_batches.c.key == page.c.newest)
        .order_by(prompt_sets.c.name_folded, prompt_sets.c.key)
    )


COUNTED = select(func.count()).select_from(prompt_sets).where(OURS)
OF_BRAND = prompt_sets.c.brand_key.is_(None) | (prompt_sets.c.brand_key == bindparam("brand_key"))
PAGES = listings(CHOSEN, shown, COUNTED, listed, OF_BRAND, IS_ACTIVE)
"""By whether a brand is named, and whether archived sets are left out."""
LISTED_BY_ID = Query(shown(CHOSEN.where(prompt_sets.c.id == bindparam("id")).subquery("page")), listed)

ACTIVE_PROMPTS = Query(
    select(func.count())
    .select_from(prompts.join(prompt_sets, prompt_sets.c.key == prompts.c.prompt_set_key))
    .where(prompts.c.company_id == bindparam("company_id"), prompts.c.active.is_(True), IS_ACTIVE),
    int,
)


ASKED_PROMPTS = (
    select(
        prompts.c.prompt_set_key.label("set_key"),
        func.count().label("prompts"),
        func.count(prompts.c.country).label("placed"),
    )
    .where(
        prompts.c.company_id == bindparam("company_id"),
        prompts.c.prompt_set_key.is_not(None),
        prompts.c.active.is_(True),
    )
    .group_by(prompts.c.prompt_set_key)
    .subquery("asked_prompts")
)
ASKED = Query(
    select(
        *row_columns(AskedSet, prompt_sets, prompts=ASKED_PROMPTS.c.prompts, placed=ASKED_PROMPTS.c.placed)
    )
    .join(ASKED_PROMPTS, ASKED_PROMPTS.c.set_key == prompt_sets.c.key)
    .where(OURS, IS_ACTIVE),
    AskedSet,
)


class PromptSetRepository(Repository):
    """The prompt sets of one company."""

    async def active(self) -> list[PromptSet]:
        """Return the sets that are not archived, by name."""
        return await self._all(ACTIVE)

    async def has_active(self) -> bool:
        """Return whether a set is there that is not archived."""
        return bool(await self._first(HAS_ACTIVE))

    async def page(
        self, brand_key: int | None, include_archived: bool, limit: int, offset: int
    ) -> tuple[list[ListedPromptSet], int]:
        """Return one page by name, and how many there are; a brand's are its own and those of every brand."""
        brand_filter = {} if brand_key is None else {"brand_key": brand_key}
        listing = PAGES[brand_key is not None, not include_archived]
        return await self._page(listing, **brand_filter, limit=limit, offset=offset)

    async def listed(self, set_id: str) -> ListedPromptSet | None:
        """Return a set as a list shows it."""
        return await self._first(LISTED_BY_ID, id=set_id.lower())

    async def find(self, name_or_id: str) -> PromptSet | None:
        """Find by UUID, else by exact name in any case."""
        if is_id(name_or_id):
            prompt_set = await self._first(BY_ID, id=name_or_id.lower())
            if prompt_set is not None:
                return prompt_set
        return await self._named(name_or_id)

    async def _named(self, name: str) -> PromptSet | None:
        return await self._first(BY_NAME, folded=name.casefold())

    async def active_prompts(self) -> int:
        """Return how many active prompts all sets have that are not archived."""
        return await self._first(ACTIVE_PROMPTS) or 0

    async def asked(self) -> list[AskedSet]:
        """Return how each set that is not archived and has active prompts is asked."""
        return await self._all(ASKED)

    async def save(self, brand_key: int | None, draft: PromptSetDraft, now: datetime) -> PromptSet:
        """Make the set, or bring the one of this name up to date.

        Raises Duplicate when the name is taken by another brand's set.
        """
        known = await self._named(draft.name)
        if known is not None and known.brand_key != brand_key:
            raise DuplicateRow("prompt set", draft.name)
        if known is None:
            return await self.create(brand_key, draft, {}, now)
        return await self.change(known, brand_key, draft, {}, now)

    async def create(
        self, brand_key: int | None, draft: PromptSetDraft, others: Mapping[str, Any], now: datetime
    ) -> PromptSet:
        """Make a set of version 1; `others` holds the columns description, schedule and next_run_at.

        Raises Duplicate when the name is taken.
        """
        await self._refuse_taken(draft.name, None)
        new = {"id": new_id(), "company_id": self.company_id, "version": 1, "created_at": now}
        values = {**columns_of(brand_key, draft, now), **others, **new}
        key = await self._insert(insert(prompt_sets), values)
        await self._prompts.save(key, [], draft.prompts, now)
        return await self._saved(draft.name)

    async def change(
        self,
        known: PromptSet,
        brand_key: int | None,
        draft: PromptSetDraft,
        others: Mapping[str, Any],
        now: datetime,
    ) -> PromptSet:
        """Bring a set up to date; prompts that are kept, or brought back, keep their identity.

        Changed questions raise the version, so that scores compare like with like. `others` may hold archived_at
        too. Raises Duplicate when the name is taken by another set.
        """
        await self._refuse_taken(draft.name, known.key)
        present = await self._prompts.of_set(known.key)
        values = {**columns_of(brand_key, draft, now), **others}
        if questions_of(present) != questions_of(draft.prompts):
            values["version"] = known.version + 1
        await self._write(
            update(prompt_sets)
            .where(prompt_sets.c.key == known.key, prompt_sets.c.company_id == self.company_id)
            .values(values)
        )
        await self._prompts.save(known.key, present, draft.prompts, now)
        return await self._saved(draft.name)

    @property
    def _prompts(self) -> PromptRepository:
        return PromptRepository(self._session, self.company_id)

    async def _refuse_taken(self, name: str, key: int | None) -> None:
        holder = await self._named(name)
        if holder is not None and holder.key != key:
            raise DuplicateRow("prompt set", name)

    async def _saved(self, name: str) -> PromptSet:
        saved = await self._named(name)
        assert saved is not None
        return saved

    async def scheduled_for(self, brand_key: int) -> list[PromptSet]:
        """Return the sets of a brand that have a next tick."""
        return await self._all(SCHEDULED, brand_key=brand_key)

    async def claim_tick(self, known: PromptSet, following: datetime) -> bool:
        """Move a due set to its next tick; True for the one caller who did."""
        claimed = await self._write(
            update(prompt_sets)
            .where(
                prompt_sets.c.key == known.key,
                prompt_sets.c.company_id == self.company_id,
                prompt_sets.c.next_run_at == known.next_run_at,
                IS_ACTIVE,
            )
            .values(next_run_at=following)
        )
        return claimed.rowcount == 1


def columns_of(brand_key: int | None, draft: PromptSetDraft, now: datetime) -> dict[str, Any]:
    """Return the columns that a draft decides."""
    return {
        "brand_key": brand_key,
        "name": draft.name,
        "name_folded": draft.name.casefold(),
        "platforms": list(draft.platforms),
        "mode": draft.mode,
        "repeats": draft.repeats,
        "countries": list(draft.countries),
        "language": draft.language,
        "city": draft.city,
        "region": draft.region,
        "timezone": draft.timezone,
        "device": draft.device,
        "updated_at": now,
    }


@dataclass(frozen=True, slots=True)
class AskedVersion:
    """One version of a set, and when the first measurement began that asked it and succeeded."""

    set_id: str
    set_name: str
    version: int
    first: datetime


VERSION_OF_BRAND = Query(
    select(
        prompt_sets.c.id,
        prompt_sets.c.name,
        run_batches.c.prompt_set_version,
        func.min(run_batches.c.created_at),
    )
    .select_from(run_batches.join(prompt_sets, prompt_sets.c.key == run_batches.c.prompt_set_key))
    .where(
        run_batches.c.company_id == bindparam("company_id"),
        run_batches.c.brand_key == bindparam("brand_key"),
        run_batches.c.status == "success",
        run_batches.c.prompt_set_version.is_not(None),
    )
    .group_by(prompt_sets.c.id, prompt_sets.c.name, run_batches.c.prompt_set_version)
    .order_by(func.min(run_batches.c.created_at), prompt_sets.c.id, run_batches.c.prompt_set_version),
    AskedVersion,
)


class QuestionVersionRepository(Repository):
    """The versions of prompt sets that one company's brands were asked."""

    async def of_brand(self, brand_key: int) -> list[AskedVersion]:
        """Return every version that was asked about a brand, the first asked first."""
        return await self._all(VERSION_OF_BRAND, brand_key=brand_key)
