"""Prompts: those in sets, and standalone ones of custom queries and imports."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import bindparam, insert, select, update

from storage.ids import new_id
from storage.queries import Query, plain
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.prompts import prompts


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt; `branded` is the user's decision, which overrides the matcher, or None."""

    key: int
    id: str
    text: str
    intent: str | None
    tags: Sequence[str]
    branded: bool | None
    language: str | None
    country: str | None
    """The only country it is asked from, regardless of the countries of its set."""
    city: str | None


class WrittenPrompt(Protocol):
    """The fields of a prompt wherever one is written: in a file, a request, or a changed set."""

    @property
    def text(self) -> str:
        """The text of the prompt."""
        ...

    @property
    def intent(self) -> str | None:
        """The buyer's intent."""
        ...

    @property
    def tags(self) -> Sequence[str]:
        """Free labels."""
        ...

    @property
    def branded(self) -> bool | None:
        """Whether it names the brand; None leaves the decision to the matcher."""
        ...

    @property
    def language(self) -> str | None:
        """The language in which it is asked."""
        ...

    @property
    def country(self) -> str | None:
        """The only country from which it is asked."""
        ...

    @property
    def city(self) -> str | None:
        """The city from which it is asked."""
        ...


@dataclass(frozen=True, slots=True)
class PromptDraft:
    """The data of an import about one prompt."""

    text: str
    intent: str | None = None
    tags: tuple[str, ...] = ()
    branded: bool | None = None
    language: str | None = None
    country: str | None = None
    city: str | None = None

    @classmethod
    def of(cls, written: WrittenPrompt) -> "PromptDraft":
        """Return a prompt in its stored form."""
        return cls(
            written.text,
            written.intent,
            tuple(written.tags),
            written.branded,
            written.language,
            written.country,
            written.city,
        )


PROMPT_COLUMNS = row_columns(Prompt, prompts)
OF_SET = (prompts.c.company_id == bindparam("company_id")) & (
    prompts.c.prompt_set_key == bindparam("set_key")
)
PROMPTS = Query(
    select(*PROMPT_COLUMNS)
    .where(OF_SET, prompts.c.active.is_(True))
    .order_by(prompts.c.position, prompts.c.key),
    Prompt,
)
DROPPED = Query(
    select(*PROMPT_COLUMNS).where(OF_SET, prompts.c.active.is_(False)).order_by(prompts.c.key), Prompt
)
KNOWN_PROMPT = Query(
    select(prompts.c.key).where(
        prompts.c.company_id == bindparam("company_id"), prompts.c.id == bindparam("id")
    ),
    int,
    brief=True,
)
LABELS = Query(
    select(prompts.c.tags, prompts.c.intent)
    .where(prompts.c.company_id == bindparam("company_id"))
    .distinct(),
    plain,
)
STANDALONE_PROMPT = Query(
    select(*PROMPT_COLUMNS)
    .where(
        prompts.c.company_id == bindparam("company_id"),
        prompts.c.prompt_set_key.is_(None),
        prompts.c.text_sha256 == bindparam("sha256"),
    )
    .order_by(prompts.c.key)
    .limit(1),
    Prompt,
)


class PromptRepository(Repository):
    """The prompts of one company, in sets and standalone."""

    async def of_set(self, set_key: int) -> list[Prompt]:
        """Return the active prompts of a set in their order."""
        return await self._all(PROMPTS, set_key=set_key)

    async def exists(self, prompt_id: str) -> bool:
        """Return whether a prompt of the company has this id: in a set or standalone, active or dropped."""
        return await self._first(KNOWN_PROMPT, id=prompt_id.lower()) is not None

    async def labels(self) -> tuple[set[str], set[str]]:
        """Return every current or former tag and intent of the company's prompts."""
        rows = await self._all(LABELS)
        return {tag for tags, _ in rows for tag in tags}, {intent for _, intent in rows if intent}

    async def save(
        self, set_key: int, present: Sequence[Prompt], drafts: Sequence[PromptDraft], now: datetime
    ) -> None:
        """Update the prompts of a set from those `present` to the drafts; dropped prompts are restored unchanged."""
        dropped = await self._all(DROPPED, set_key=set_key) if present else []
        known = {prompt.text: prompt.key for prompt in (*dropped, *present)}
        new: list[dict[str, Any]] = []
        for position, draft in enumerate(drafts):
            values = {
                "position": position,
                "intent": draft.intent,
                "tags": list(draft.tags),
                "branded": draft.branded,
                "language": draft.language,
                "country": draft.country,
                "city": draft.city,
                "active": True,
            }
            key = known.get(draft.text)
            if key is None:
                new.append({**values, **self._new_prompt(set_key, draft.text, now)})
            else:
                await self._write(update(prompts).where(prompts.c.key == key).values(values))
        if new:
            await self._write(insert(prompts), new)
        kept = {draft.text for draft in drafts}
        removed = [prompt.key for prompt in present if prompt.text not in kept]
        if removed:
            await self._write(update(prompts).where(prompts.c.key.in_(removed)).values(active=False))

    async def standalone(self, text: str, language: str | None, now: datetime) -> Prompt:
        """Return the prompt of a custom query or an imported answer, creating it if it is new."""
        prompt = await self._first(STANDALONE_PROMPT, sha256=text_sha256(text))
        if prompt is None:
            values: dict[str, Any] = {"position": 0, "tags": [], "language": language, "active": True}
            await self._write(insert(prompts), {**values, **self._new_prompt(None, text, now)})
            prompt = await self._first(STANDALONE_PROMPT, sha256=text_sha256(text))
            assert prompt is not None
        return prompt

    def _new_prompt(self, set_key: int | None, text: str, now: datetime) -> dict[str, Any]:
        own = {"id": new_id(), "company_id": self.company_id, "prompt_set_key": set_key, "created_at": now}
        return {**own, "text": text, "text_sha256": text_sha256(text)}


def questions_of(prompts: Sequence[Prompt] | Sequence[PromptDraft]) -> dict[str, bool | None]:
    """Return the content of a version: the prompts, and the user's decision about each."""
    return {prompt.text: prompt.branded for prompt in prompts}


def text_sha256(text: str) -> str:
    """Return the hexadecimal SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()
