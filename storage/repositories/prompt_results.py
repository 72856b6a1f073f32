"""Counted answers of one brand by prompt: their number, the entities they name, and the newest of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import FromClause, Select, and_, bindparam, case, func, select, true

from storage.filters import MembershipFilter
from storage.queries import Query
from storage.repositories.answers.answer_filters import COUNTED, JOINED, AnswerFilter, conditions
from storage.repositories.row_columns import row_columns
from storage.repository import Repository
from storage.tables.answers import answer_readings, answers, channels, mentions
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


@dataclass(frozen=True, slots=True)
class PromptAnswers:
    """Counted answers to one prompt; `measurable` ones have known citations."""

    prompt: AskedPrompt
    answers: int
    measurable: int


@dataclass(frozen=True, slots=True)
class PromptNaming:
    """How many of them name, rank and cite an entity; key 0 is the brand."""

    prompt_id: str
    entity_key: int
    named: int
    ranked: int
    rank_sum: int
    cited: int


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


def prompt_answers(
    id: str,
    text: str,
    set_id: str | None,
    intent: str | None,
    tags: Sequence[str],
    branded: bool | None,
    count: int,
    measurable: int,
) -> PromptAnswers:
    """Build the counts of one prompt."""
    return PromptAnswers(AskedPrompt(id, text, set_id, intent, tags, branded), count, measurable)


OURS = and_(
    answers.c.company_id == bindparam("company_id"), answers.c.brand_key == bindparam("brand_key"), COUNTED
)
OURS_OF_A_PROMPT = and_(
    answers.c.company_id == bindparam("company_id"),
    answers.c.brand_key + 0 == bindparam("brand_key"),
    COUNTED,
)
"""The same, if answers must be found by the index of prompts and not by that of the brand, which has all of them."""
NAMING = JOINED.join(
    mentions,
    and_(mentions.c.answer_key == answers.c.key, mentions.c.revision_key == answer_readings.c.revision_key),
)
NAMING_COUNTS = (
    func.sum(case((mentions.c.named.is_(True), 1), else_=0)),
    func.count(mentions.c.rank),
    func.coalesce(func.sum(mentions.c.rank), 0),
    func.sum(
        case((and_(answer_readings.c.measurable.is_(True), mentions.c.cites_own.is_(True)), 1), else_=0)
    ),
)
"""The last fields of `PromptNaming`."""


@cache
def counts_of(names: tuple[str, ...]) -> Query[PromptAnswers]:
    """Return the query that counts answers by prompt for a combination of filters."""
    return Query(
        select(
            *PROMPT_FIELDS, func.count(), func.sum(case((answer_readings.c.measurable.is_(True), 1), else_=0))
        )
        .select_from(JOINED)
        .where(OURS, *conditions(names))
        .group_by(prompts.c.key, *PROMPT_FIELDS)
        .order_by(prompts.c.key),
        prompt_answers,
    )


@cache
def naming_of(names: tuple[str, ...]) -> Query[PromptNaming]:
    """Return the query that counts namings by prompt and entity for a combination of filters."""
    return Query(
        select(prompts.c.id, mentions.c.entity_key, *NAMING_COUNTS)
        .select_from(NAMING)
        .where(OURS, *conditions(names))
        .group_by(prompts.c.key, prompts.c.id, mentions.c.entity_key)
        .order_by(prompts.c.key, mentions.c.entity_key),
        PromptNaming,
    )


@cache
def channel_counts_of(names: tuple[str, ...]) -> Query[tuple[str, str, str, int]]:
    """Return the query that counts answers to some prompts by platform and mode for a combination of filters."""
    return Query(
        select(prompts.c.id, channels.c.platform, channels.c.mode, func.count())
        .select_from(JOINED)
        .where(OURS, MembershipFilter(prompts.c.id, "prompt_ids"), *conditions(names))
        .group_by(prompts.c.id, channels.c.platform, channels.c.mode)
        .order_by(prompts.c.id, channels.c.platform, channels.c.mode),
        channel_count,
    )


@cache
def channel_naming_of(names: tuple[str, ...]) -> Query[tuple[str, str, PromptNaming]]:
    """Return the query that counts namings in answers to some prompts by platform, mode and entity."""
    return Query(
        select(channels.c.platform, channels.c.mode, prompts.c.id, mentions.c.entity_key, *NAMING_COUNTS)
        .select_from(NAMING)
        .where(OURS, MembershipFilter(prompts.c.id, "prompt_ids"), *conditions(names))
        .group_by(channels.c.platform, channels.c.mode, prompts.c.id, mentions.c.entity_key)
        .order_by(channels.c.platform, channels.c.mode, prompts.c.id, mentions.c.entity_key),
        channel_naming,
    )


def channel_count(prompt_id: str, platform: str, mode: str, count: int) -> tuple[str, str, str, int]:
    """Combine a prompt, a platform and a mode with their number of answers."""
    return prompt_id, platform, mode, count


def channel_naming(platform: str, mode: str, *fields: Any) -> tuple[str, str, PromptNaming]:
    """Combine a platform and a mode with the namings in its answers to a prompt."""
    return platform, mode, PromptNaming(*fields)


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
        .where(answers.c.prompt_key == asked.c.key, OURS_OF_A_PROMPT, *conditions(names))
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

    async def counts(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter
    ) -> tuple[list[PromptAnswers], list[PromptNaming]]:
        """Return how many counted answers each prompt has, and the entities they name, as a revision reads them."""
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        return (
            await self._all(counts_of(chosen.names), **values),
            await self._all(naming_of(chosen.names), **values),
        )

    async def counts_by_channel(
        self, brand_key: int, revision_key: int, chosen: AnswerFilter, prompt_ids: Sequence[str]
    ) -> tuple[list[tuple[str, str, str, int]], list[tuple[str, str, PromptNaming]]]:
        """Return the same counts of some prompts by channel.

        Answers are (prompt, platform, mode, answers), namings (platform, mode, naming).
        """
        values = {"brand_key": brand_key, "revision_key": revision_key, **chosen.values}
        given = {**values, "prompt_ids": list(prompt_ids)}
        return (
            await self._all(channel_counts_of(chosen.names), **given),
            await self._all(channel_naming_of(chosen.names), **given),
        )

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
