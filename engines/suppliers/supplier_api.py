"""What asking one supplier takes, as pure functions: requests, the task that it opens, and how far that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engines.engine import EngineAnswer, Exchange, LocaleField, Question
from engines.errors import EngineError, EngineErrorCode
from engines.transport.body import JsonObject

TaskState: TypeAlias = Literal["queued", "working", "done"]


@dataclass(frozen=True, slots=True)
class SupplierCall:
    """One request, relative to the supplier's base URL; a body of None is a GET."""

    path: str
    body: object = None


@dataclass(frozen=True, slots=True)
class SupplierApi:
    """One supplier whose tasks are submitted, waited for and fetched."""

    name: str
    base_url: str
    surfaces: frozenset[str]
    locale: frozenset[LocaleField]
    authorization: Callable[[str], str]
    submit: Callable[[Question, str], SupplierCall]
    """The request for a question on a surface. Raises EngineError `unsupported_question` or `unsupported_locale`."""
    ticket: Callable[[JsonObject], str]
    """Id of the task that was opened. Raises EngineError when none was."""
    fetch: Callable[[str, str], SupplierCall]
    """The request that looks at a task, by surface and id."""
    state: Callable[[JsonObject], TaskState]
    """How far a task is; a state that nobody documents is work. Raises EngineError for one that failed."""
    parse: Callable[[Question, Sequence[Exchange]], EngineAnswer]
    find: Callable[[str], SupplierCall] | None = None
    """The request that lists finished tasks of a surface, where a lost one can be looked for."""
    found: Callable[[JsonObject, str], str | None] | None = None
    """Id of the task with an ask key in such a list."""
    repeatable: bool = False
    """Whether the same submission twice opens one task."""
    per_minute: int = 300


def unsupported(code: EngineErrorCode, sentence: str) -> EngineError:
    """The error for what a supplier cannot be asked; nothing was sent."""
    return EngineError(code, sentence)


def questioned(question: Question, longest: int) -> str:
    """The text of a question. Raises EngineError when a supplier would cut it."""
    if len(question.text) > longest:
        raise unsupported(
            EngineErrorCode.UNSUPPORTED_QUESTION, f"The question is longer than {longest} characters."
        )
    return question.text


def without_empty(fields: Mapping[str, object | None]) -> dict[str, object]:
    """The fields that say something."""
    return {name: value for name, value in fields.items() if value is not None}
