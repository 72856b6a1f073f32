"""When the questions about a brand changed, as tools tell it beside what a change makes hard to compare."""

from collections.abc import Sequence
from datetime import date

from pydantic import Field

from measurement.statistics.question_changes import QuestionChange
from tools.calls.wire import CleanText, Wire

MOST_CHANGES = 20


class QuestionSetChange(Wire):
    """From this day on a set was asked with other questions, or for the first time."""

    day: date
    promptSetId: str
    name: CleanText
    version: int
    added: bool = Field(description="True: this set was not asked before.")


def question_changes(changes: Sequence[QuestionChange]) -> list[QuestionSetChange]:
    """Return the newest changes as they are shown, oldest first."""
    return [
        QuestionSetChange(
            day=change.day,
            promptSetId=change.set_id,
            name=change.set_name,
            version=change.version,
            added=change.added,
        )
        for change in changes[-MOST_CHANGES:]
    ]
