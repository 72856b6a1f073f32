"""The prompts that are asked about a brand, and the newest counted answers to each."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import FromClause, Select, and_, bindparam, select, true

from storage.filters import MembershipFilter
from storage.queries import Query
from storage.repositories.answers.answer_filters import COUNTED, JOINED, AnswerFilter, conditions
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import answers
from storage.tables.prompts import prompt_sets, prompts


@dataclass(frozen=True, slots=True)
class AskedPrompt:
    """A prompt that can currently be asked about a brand."""

    id: str
    text: str
    set_id: str | None
    intent: str | None
    tags: Sequence[str]
    branded: bool | None


PROMPT_FIELDS = row_columns(AskedPrompt, prompts, set_id=prompt_sets.c.id)
ASKED = Query(
    select(*PROMPT_FIELDS)
    .join(prompt_sets, prompt_sets.c.key == prompts.c.prompt_set_key)
    .where(
        prompts.c.company_id == bindparam("company_id"),
        prompts.c.active.is_(True),
        prompt_sets.c.archived_at.is_(None),
        prompt_sets.c.brand_key.is_(None) | (prompt_sets.c.brand_key == bindparam("brand_key")),
    )
    .order_by(prompt_sets.c.key, prompts.c.position, prompts.c.key),
    AskedPrompt,
)

BY_IDS = Query(
    select(*PROMPT_FIELDS)
    .select_from(prompts.outerjoin(prompt_sets, prompt_sets.c.key == prompts.c.prompt_set_key))
    .where(prompts.c.company_id == bindparam("company_id"), MembershipFilter(prompts.c.id, "prompt_ids"))
    .order_by(prompts.c.key),
    AskedPrompt,
)


OURS = and_(
    answers.c.company_id == bindparam("company_id"),
    answers.c.brand_key + 0 == bindparam("brand_key"),
    COUNTED,
)
"""Answers must be found by the index of prompts and not by that of the brand, which has all of them."""


@cache
def newest_of(names: tuple[str, ...]) -> Query[tuple[str, str]]:
    """Return the query that finds the newest answers of some prompts for a combination of filters.

    It reads each prompt's answers from the newest on until enough of them match, which is soon, however many
    there are. Only PostgreSQL can join a lateral subquery; SQLite finds answers by keys that depend on the
    prompt.
    """
    asked, newest = prompts.alias("asked"), answers.alias("newest")
    of_prompt = (
        select(answers.c.key, answers.c.id, answers.c.captured_at)
        .select_from(JOINED)
        .where(answers.c.prompt_key == asked.c.key, OURS, *conditions(names))
        .order_by(answers.c.captured_at.desc(), answers.c.key.desc())
        .limit(bindparam("most"))
    )
    lateral = of_prompt.lateral("newest")
    keys = of_prompt.with_only_columns(answers.c.key).correlate(asked)
    return Query(
        newest_in_order(asked, newest.c, asked.join(newest, newest.c.key.in_(keys))),
        identified,
        variants={"postgresql": newest_in_order(asked, lateral.c, asked.join(lateral, true()))},
    )


def newest_in_order(asked: Any, newest: Any, joined: FromClause) -> Select[*tuple[Any, ...]]:
    """Return the ids of prompts and of their answers, the newest answer of each prompt first."""
    return (
        select(asked.c.id, newest.id)
        .select_from(joined)
        .where(asked.c.company_id == bindparam("company_id"), MembershipFilter(asked.c.id, "prompt_ids"))
        .order_by(asked.c.id, newest.captured_at.desc(), newest.key.desc())
    )


def identified(prompt_id: str, answer_id: str) -> tuple[str, str]:
    """Combine an answer with its prompt."""
    return prompt_id, answer_id


class PromptResultRepository(Repository):
    """Counts over one company's counted answers."""

    async def asked(self, brand_key: int) -> list[AskedPrompt]:
        """Return the active prompts of sets that are about this brand or about every brand."""
        return await self._all(ASKED, brand_key=brand_key)

    async def prompts(self, prompt_ids: Sequence[str]) -> dict[str, AskedPrompt]:
        """Return these prompts by their ids."""
        prompts = await self._all(BY_IDS, prompt_ids=list(prompt_ids))
        return {prompt.id: prompt for prompt in prompts}

    async def newest(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, prompt_ids: Sequence[str], most: int
    ) -> dict[str, list[str]]:
        """Return the newest counted answers of some prompts, newest first, at most `most` of each."""
        newest: dict[str, list[str]] = {}
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        rows = await self._all(newest_of(chosen.names), **values, prompt_ids=list(prompt_ids), most=most)
        for prompt_id, answer_id in rows:
            newest.setdefault(prompt_id, []).append(answer_id)
        return newest
