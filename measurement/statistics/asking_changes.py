"""Dates on which platforms began to serve other models, and on which the questions about a brand changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta

from engines.engine import SUPPLIED
from measurement.extraction.captured_lines import UNKNOWN_MODEL
from measurement.statistics.period_sums import channel_of_day, days_of, has_channel
from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.channel_days import ChannelDay
from storage.repositories.prompt_sets import AskedVersion
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ModelChange:
    """The first day on which a platform served a model that it had not served before in the period.

    Or the first day on which it was requested, if the name of the served model did not change.
    """

    day: date
    platform: str
    model: str
    requested: bool = False
    """Whether only the requested model changed."""


async def load_model_changes(workspace: Workspace, brand: Brand, chosen: AnswerFilter) -> list[ModelChange]:
    """Return when other models were first served or requested on each platform in chosen channels, oldest first."""
    if brand.revision_key is None:
        return []
    days = await workspace.channel_days.of_period(brand.revision_key, *days_of(chosen))
    answered = (day for day in days if day.last_valid_at is not None)
    return find_model_changes([day for day in answered if has_channel(chosen, channel_of_day(day))])


def find_model_changes(days: Sequence[ChannelDay]) -> list[ModelChange]:
    """Return the models first served or requested after the first day of their platform, oldest first."""
    first: dict[str, date] = {}
    served: dict[tuple[str, str], date] = {}
    requested: dict[tuple[str, str], date] = {}
    for day in days:
        first[day.platform] = min(day.day, first.get(day.platform, day.day))
        for names, known in ((day.served_models, served), (day.requested_models, requested)):
            for name in filter(None, names):
                known[day.platform, name] = min(day.day, known.get((day.platform, name), day.day))
    changes = [
        ModelChange(day, platform, name) for (platform, name), day in served.items() if day > first[platform]
    ]
    told = {(change.day, change.platform) for change in changes}
    changes += [
        ModelChange(day, platform, name, requested=True)
        for (platform, name), day in requested.items()
        if day > first[platform] and (day, platform) not in told and is_asked_for(platform, name)
    ]
    return sorted(changes, key=lambda change: (change.day, change.platform, change.model))


def is_asked_for(platform: str, model: str) -> bool:
    """Return whether a model was chosen by name, which excludes AI surfaces and captured answers without a model."""
    return SUPPLIED not in platform and model != UNKNOWN_MODEL


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """The first UTC day on which a version of a set was asked; `added` marks the first version of its set."""

    day: date
    set_id: str
    set_name: str
    version: int
    added: bool


async def load_question_changes(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter
) -> list[QuestionChange]:
    """Return the changes of the questions about a brand within a filter's days, oldest first."""
    versions = await workspace.question_versions.of_brand(brand.key)
    since = chosen.since.astimezone(UTC).date() if chosen.since else date.min
    until = (chosen.until.astimezone(UTC) - timedelta(microseconds=1)).date() if chosen.until else date.max
    return [
        change
        for change in find_question_changes(versions)
        if since <= change.day <= until and chosen.prompt_set_id in (None, change.set_id)
    ]


async def load_crossed_changes(
    workspace: Workspace, brand: Brand, before: AnswerFilter, after: AnswerFilter
) -> list[QuestionChange]:
    """Return the changes between the answers of two periods: after the first day, through the last."""
    changes = await load_question_changes(workspace, brand, replace(after, since=before.since))
    return [change for change in changes if before.since and change.day > before.since.astimezone(UTC).date()]


def find_question_changes(versions: Sequence[AskedVersion]) -> list[QuestionChange]:
    """Return what was first asked after the day of the first measurement; `versions` are in asking order."""
    days = [asked.first.astimezone(UTC).date() for asked in versions]
    known: set[str] = set()
    changes: list[QuestionChange] = []
    for day, asked in zip(days, versions, strict=True):
        if day > days[0] or asked.set_id in known:
            added = asked.set_id not in known
            changes.append(QuestionChange(day, asked.set_id, asked.set_name, asked.version, added))
        known.add(asked.set_id)
    return changes
