"""Which answers of a brand a caller looks at: the filters that all analytics share, as conditions of a statement."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Text, bindparam, func, select, type_coerce

from storage.tables.answers import answers, channels
from storage.tables.prompts import prompt_sets, prompts

IN_SET = prompts.c.prompt_set_key.in_(
    select(prompt_sets.c.key).where(
        prompt_sets.c.id == bindparam("prompt_set_id"), prompt_sets.c.company_id == bindparam("company_id")
    )
)
TAGS = type_coerce(prompts.c.tags, Text)
CONDITIONS: Mapping[str, ColumnElement[bool]] = {
    "platform": channels.c.platform == bindparam("platform"),
    "country": channels.c.country == bindparam("country"),
    "mode": channels.c.mode == bindparam("mode"),
    "prompt_set_id": IN_SET,
    "prompt_id": prompts.c.id == bindparam("prompt_id"),
    # Replacing is case-sensitive in both databases, LIKE is not.
    "tag": func.replace(TAGS, bindparam("tag"), "") != TAGS,
    "intent": prompts.c.intent == bindparam("intent"),
    "since": answers.c.captured_at >= bindparam("since", type_=answers.c.captured_at.type),
    "until": answers.c.captured_at < bindparam("until", type_=answers.c.captured_at.type),
}
"""Conditions over answers joined with their channel and prompt, by the field of `AnswerFilter` that asks for each."""

OF_CHANNEL = frozenset({"platform", "country", "mode"})
"""Filters that the channel of an answer decides alone."""


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """What is looked at; None leaves a field open. `until` is exclusive, both instants are compared as captured."""

    platform: str | None = None
    country: str | None = None
    mode: str | None = None
    prompt_set_id: str | None = None
    prompt_id: str | None = None
    tag: str | None = None
    intent: str | None = None
    since: datetime | None = None
    until: datetime | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that are asked for, in a fixed order: the same ones make the same statement."""
        return tuple(name for name in CONDITIONS if getattr(self, name) is not None)

    @property
    def values(self) -> dict[str, Any]:
        """Parameters of the conditions that are asked for."""
        values = {name: getattr(self, name) for name in self.names}
        if self.tag is not None:
            values["tag"] = json.dumps(self.tag, ensure_ascii=False)
        return values


UNFILTERED = AnswerFilter()


def conditions(names: tuple[str, ...]) -> tuple[ColumnElement[bool], ...]:
    """Return the conditions of these fields, to be given to `where`."""
    return tuple(CONDITIONS[name] for name in names)
