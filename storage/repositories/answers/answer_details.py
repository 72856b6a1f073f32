"""Details by which the answers behind one number are chosen, beside the filters that all analytics share."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Text, bindparam, exists, func, select, type_coerce

from storage.filters import MembershipFilter
from storage.repositories.answers.answer_outcomes import COUNTED
from storage.tables.answers import answer_readings, answers, citations, cited_urls, mentions
from storage.tables.prompts import run_batches

NAMES_ENTITY = exists(
    select(mentions.c.answer_key).where(
        mentions.c.revision_key == bindparam("revision_key"),
        mentions.c.answer_key == answers.c.key,
        mentions.c.entity_key == bindparam("entity_key"),
        mentions.c.named.is_(True),
    )
)
CITES = exists(
    select(citations.c.answer_key)
    .join(cited_urls, cited_urls.c.key == citations.c.url_key)
    .where(
        citations.c.answer_key == answers.c.key,
        citations.c.kind == "cited",
        MembershipFilter(cited_urls.c.url, "urls"),
    )
)
DOMAINS = type_coerce(answer_readings.c.domains, Text)
DETAILS: Mapping[str, ColumnElement[bool]] = {
    "counted": COUNTED,
    "citations_known": answer_readings.c.measurable.is_(True),
    "entity_key": NAMES_ENTITY,
    "domain": func.replace(DOMAINS, bindparam("domain"), "") != DOMAINS,
    "urls": CITES,
    "batch_ids": MembershipFilter(run_batches.c.id, "batch_ids"),
}
"""Conditions of `AnswerDetail`, by its fields."""


@dataclass(frozen=True, slots=True)
class AnswerDetail:
    """Which answers a number counts, beside the filters that all analytics share; what is empty leaves a field open.

    `urls` are cited addresses as they were stored, `domain` a cited registrable domain.
    """

    counted: bool = False
    citations_known: bool = False
    entity_key: int | None = None
    domain: str | None = None
    urls: tuple[str, ...] | None = None
    batch_ids: tuple[str, ...] | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that are asked for, in a fixed order."""
        return tuple(name for name in DETAILS if getattr(self, name) not in (None, False))

    @property
    def values(self) -> dict[str, Any]:
        """Parameters of the conditions that are asked for."""
        return {
            "entity_key": self.entity_key,
            "domain": f"{json.dumps(self.domain)}:",
            "urls": list(self.urls or ()),
            "batch_ids": list(self.batch_ids or ()),
        }


ANY_ANSWER = AnswerDetail()
