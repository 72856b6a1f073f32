"""Prompt sets: the questions that are asked again and again, and how."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import bindparam, func, insert, select, update

from storage.errors import Duplicate
from storage.ids import is_id, new_id
from storage.queries import Query, plain
from storage.repositories.repository import Repository
from storage.tables.prompts import prompt_sets, prompts


@dataclass(frozen=True, slots=True)
class Prompt:
    """One question; `branded` is a person's word over the matcher's, or None."""

    key: int
    id: str
    text: str
    intent: str | None
    tags: Sequence[str]
    branded: bool | None
    language: str | None


@dataclass(frozen=True, slots=True)
class PromptDraft:
    """What an import says about one question."""

    text: str
    intent: str | None = None
    tags: tuple[str, ...] = ()
    branded: bool | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class PromptSet:
    """A named list of prompts and the way it is asked; the version rises when the prompts change."""

    key: int
    id: str
    brand_key: int | None
    name: str
    version: int
    platforms: Sequence[str]
    mode: str
    repeats: int


@dataclass(frozen=True, slots=True)
class PromptSetDraft:
    """What an import says about one prompt set."""

    name: str
    prompts: tuple[PromptDraft, ...]
    platforms: tuple[str, ...] = ()
    mode: str = "visibility"
    repeats: int = 3


S = prompt_sets.c
COLUMNS = (S.key, S.id, S.brand_key, S.name, S.version, S.platforms, S.mode, S.repeats)
OURS = S.company_id == bindparam("company_id")
ACTIVE = Query(
    select(*COLUMNS).where(OURS, S.archived_at.is_(None)).order_by(S.name_folded), PromptSet, brief=True
)
BY_ID = Query(select(*COLUMNS).where(OURS, S.id == bindparam("id")), PromptSet, brief=True)
BY_NAME = Query(select(*COLUMNS).where(OURS, S.name_folded == bindparam("folded")), PromptSet, brief=True)

P = prompts.c
PROMPT_COLUMNS = (P.key, P.id, P.text, P.intent, P.tags, P.branded, P.language)
PROMPTS = Query(
    select(*PROMPT_COLUMNS)
    .where(
        P.company_id == bindparam("company_id"), P.prompt_set_key == bindparam("set_key"), P.active.is_(True)
    )
    .order_by(P.position, P.key),
    Prompt,
)
SIZES = Query(
    select(P.prompt_set_key, func.count())
    .where(P.company_id == bindparam("company_id"), P.prompt_set_key.is_not(None), P.active.is_(True))
    .group_by(P.prompt_set_key),
    plain,
)
LOOSE = Query(
    select(*PROMPT_COLUMNS)
    .where(
        P.company_id == bindparam("company_id"),
        P.prompt_set_key.is_(None),
        P.text_sha256 == bindparam("sha256"),
    )
    .order_by(P.key)
    .limit(1),
    Prompt,
)


class PromptSets(Repository):
    """The prompt sets of one company, and the loose prompts of custom queries and imports."""

    async def active(self) -> list[PromptSet]:
        """Return the sets that are not archived, by name."""
        return await self._all(ACTIVE)

    async def find(self, name_or_id: str) -> PromptSet | None:
        """Find by UUID, else by exact name in any case."""
        if is_id(name_or_id):
            found = await self._first(BY_ID, id=name_or_id.lower())
            if found is not None:
                return found
        return await self._named(name_or_id)

    async def _named(self, name: str) -> PromptSet | None:
        return await self._first(BY_NAME, folded=name.casefold())

    async def prompts(self, set_key: int) -> list[Prompt]:
        """Return the active prompts of a set in their order."""
        return await self._all(PROMPTS, set_key=set_key)

    async def sizes(self) -> dict[int, int]:
        """Return how many active prompts each set has, by its key."""
        return dict(await self._all(SIZES))

    async def save(self, brand_key: int | None, draft: PromptSetDraft, now: datetime) -> PromptSet:
        """Make the set, or bring the one of this name up to date; kept prompts keep their identity.

        A changed list of prompts raises the version, so that scores compare like with like. Raises Duplicate when
        the name is taken by another brand's set.
        """
        known = await self._named(draft.name)
        if known is not None and known.brand_key != brand_key:
            raise Duplicate("prompt set", draft.name)
        values = {
            "brand_key": brand_key,
            "name": draft.name,
            "name_folded": draft.name.casefold(),
            "platforms": list(draft.platforms),
            "mode": draft.mode,
            "repeats": draft.repeats,
            "updated_at": now,
        }
        if known is None:
            new = {"id": new_id(), "company_id": self.company_id, "version": 1, "created_at": now}
            key = await self._insert(insert(prompt_sets), {**values, **new})
            await self._save_prompts(key, [], draft.prompts, now)
        else:
            key = known.key
            present = await self.prompts(key)
            if [prompt.text for prompt in present] != [prompt.text for prompt in draft.prompts]:
                values["version"] = known.version + 1
            await self._write(update(prompt_sets).where(S.key == key).values(values))
            await self._save_prompts(key, present, draft.prompts, now)
        saved = await self._named(draft.name)
        assert saved is not None
        return saved

    async def _save_prompts(
        self, set_key: int, present: Sequence[Prompt], drafts: Sequence[PromptDraft], now: datetime
    ) -> None:
        kept = {prompt.text: prompt.key for prompt in present}
        for position, draft in enumerate(drafts):
            values = {
                "position": position,
                "intent": draft.intent,
                "tags": list(draft.tags),
                "branded": draft.branded,
                "language": draft.language,
            }
            key = kept.pop(draft.text, None)
            if key is None:
                await self._insert_prompt(set_key, draft.text, values, now)
            else:
                await self._write(update(prompts).where(P.key == key).values(values))
        for key in kept.values():
            await self._write(update(prompts).where(P.key == key).values(active=False))

    async def loose(self, text: str, language: str | None, now: datetime) -> Prompt:
        """Return the prompt of a custom query or of an imported answer, making it when it is new."""
        found = await self._first(LOOSE, sha256=text_sha256(text))
        if found is None:
            values: dict[str, object] = {"position": 0, "tags": [], "language": language}
            await self._insert_prompt(None, text, values, now)
            found = await self._first(LOOSE, sha256=text_sha256(text))
            assert found is not None
        return found

    async def _insert_prompt(
        self, set_key: int | None, text: str, values: Mapping[str, object], now: datetime
    ) -> None:
        new = {"id": new_id(), "company_id": self.company_id, "prompt_set_key": set_key, "text": text}
        await self._write(
            insert(prompts),
            {**values, **new, "text_sha256": text_sha256(text), "active": True, "created_at": now},
        )


def text_sha256(text: str) -> str:
    """Return the hexadecimal SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
