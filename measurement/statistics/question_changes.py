"""When the questions about a brand changed: a set was asked in another version, or another set for the first time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta

from storage.repositories.answers.answer_filters import AnswerFilter
from storage.repositories.brands import Brand
from storage.repositories.prompt_sets import AskedVersion
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class QuestionChange:
    """The first UTC day on which a version of a set was asked; `added` when it is the first version of its set."""

    day: date
    set_id: str
    set_name: str
    version: int
    added: bool


async def load_question_changes(
    workspace: Workspace, brand: Brand, chosen: AnswerFilter
) -> list[QuestionChange]:
    """Return the changes of the questions about a brand that lie within a filter's days, oldest first."""
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
    """Return the changes that lie between the answers of two periods: after the first day, up to the last."""
    changes = await load_question_changes(workspace, brand, replace(after, since=before.since))
    return [change for change in changes if before.since and change.day > before.since.astimezone(UTC).date()]


def find_question_changes(versions: Sequence[AskedVersion]) -> list[QuestionChange]:
    """Return what was asked first after the day of the first measurement; `versions` are in the order of asking."""
    days = [asked.first.astimezone(UTC).date() for asked in versions]
    known: set[str] = set()
    changes: list[QuestionChange] = []
    for day, asked in zip(days, versions, strict=True):
        if day > days[0] or asked.set_id in known:
            added = asked.set_id not in known
            changes.append(QuestionChange(day, asked.set_id, asked.set_name, asked.version, added))
        known.add(asked.set_id)
    return changes
