"""Outcomes of answers: whom they name, cite or contradict, and whether rates count them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    FromClause,
    Join,
    and_,
    bindparam,
    exists,
    func,
    not_,
    or_,
    select,
)
from sqlalchemy.sql import visitors

from storage.filters import OptionalJoin
from storage.repositories.answers.reparsed_answers import AS_READ
from storage.tables.answers import answer_readings, answers, channels, mentions, reparsed_answers
from storage.tables.brands import brands
from storage.tables.judgements import answer_claims
from storage.tables.prompts import asks, prompt_sets, prompts, run_batches

VALID = func.coalesce(reparsed_answers.c.valid, answers.c.valid)
TRUNCATED = func.coalesce(reparsed_answers.c.truncated, answers.c.truncated)
READ_BY = and_(
    answer_readings.c.answer_key == answers.c.key, answer_readings.c.revision_key == bindparam("revision_key")
)
BATCH, CHANNEL, PROMPT = (
    run_batches.c.key == answers.c.batch_key,
    channels.c.key == answers.c.channel_key,
    prompts.c.key == answers.c.prompt_key,
)
PROMPT_SET = prompt_sets.c.key == prompts.c.prompt_set_key


def all_joined(start: FromClause) -> Join:
    """Return everything that an answer belongs to, joined to a source of rows with answers in it."""
    return (
        start.join(brands, brands.c.key == answers.c.brand_key)
        .join(run_batches, BATCH)
        .join(channels, CHANNEL)
        .join(prompts, PROMPT)
        .join(asks, asks.c.key == answers.c.ask_key)
        .outerjoin(prompt_sets, PROMPT_SET)
        .outerjoin(answer_readings, READ_BY)
        .outerjoin(reparsed_answers, AS_READ)
    )


JOINED = all_joined(answers)


def joined_for(always: Iterable[ColumnElement[bool]], chosen: Mapping[str, ColumnElement[bool]]) -> Join:
    """Return answers with what revisions read in them, and of the rest only what these conditions name.

    Every answer has its batch, channel and prompt, so that a count needs none of those that it does not look at: each
    costs a look for each of what may be a million answers. What only some of `chosen` name is joined where one of
    these is asked for.
    """
    everywhere = tables_of(always)
    by_name = {name: tables_of([condition]) for name, condition in chosen.items()}
    joined: Join = answers.outerjoin(answer_readings, READ_BY)
    for table, condition in (
        (run_batches, BATCH),
        (channels, CHANNEL),
        (prompts, PROMPT),
        (reparsed_answers, AS_READ),
    ):
        outer = table is reparsed_answers
        if table in everywhere:
            joined = Join(joined, table, condition, isouter=outer)
        elif names := [name for name, tables in by_name.items() if table in tables]:
            joined = OptionalJoin(joined, table, condition, names, outer=outer)
    return joined


def tables_of(conditions: Iterable[ColumnElement[bool]]) -> set[Any]:
    """Return the tables whose columns conditions name."""
    return {
        element.table
        for condition in conditions
        for element in visitors.iterate(condition)
        if isinstance(element, Column)
    }


def has_mention(*chosen: Callable[[Any], ColumnElement[bool]]) -> ColumnElement[bool]:
    """Return whether the revision finds an entity in the answer of which all conditions hold."""
    columns = mentions.alias().c
    return exists(
        select(columns.answer_key).where(
            columns.revision_key == bindparam("revision_key"),
            columns.answer_key == answers.c.key,
            *(condition(columns) for condition in chosen),
        )
    )


def names_us_with_tone(*tones: str) -> ColumnElement[bool]:
    """Return whether the answer names the brand in one of these tones."""

    def is_in_tone(mention: Any) -> ColumnElement[bool]:
        return or_(*(mention.tone == tone for tone in tones))

    own = has_mention(
        lambda mention: mention.entity_key == 0, lambda mention: mention.named.is_(True), is_in_tone
    )
    return and_(VALID.is_(True), own)


TONES = ("positive", "neutral", "negative")
NAMES_US = has_mention(lambda mention: mention.entity_key == 0, lambda mention: mention.named.is_(True))
NAMES_ANYBODY = has_mention(lambda mention: mention.named.is_(True))
COUNTED = and_(
    VALID.is_(True),
    TRUNCATED.is_(False),
    answer_readings.c.branded.is_(False),
    or_(prompts.c.prompt_set_key.is_not(None), run_batches.c.source == "import"),
    run_batches.c.status == "success",
)
"""Whether rates count an answer; `measurement.answer_evidence.left_out` says why one is not."""
OUTCOMES: Mapping[str, ColumnElement[bool]] = {
    "names_us": and_(VALID.is_(True), NAMES_US),
    "rival_instead": and_(VALID.is_(True), not_(NAMES_US), NAMES_ANYBODY),
    "nobody": and_(VALID.is_(True), not_(NAMES_ANYBODY)),
    "cites_us": has_mention(
        lambda mention: mention.entity_key == 0, lambda mention: mention.cites_own.is_(True)
    ),
    "contradicts": exists(
        select(answer_claims.c.answer_key).where(
            answer_claims.c.company_id == bindparam("company_id"),
            answer_claims.c.answer_key == answers.c.key,
            answer_claims.c.verdict == "contradicted",
        )
    ),
    "truncated": TRUNCATED.is_(True),
    "anybody": and_(VALID.is_(True), NAMES_ANYBODY),
    "judged": names_us_with_tone(*TONES),
    **{tone: names_us_with_tone(tone) for tone in TONES},
    "left_out": not_(COUNTED),
}
"""What may be asked of answers, by the word of the wire."""
