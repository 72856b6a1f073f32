"""The API of one data provider as pure functions: requests, the tasks they open, and the progress of a task."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engines.engine import EngineAnswer, Exchange, LocaleField, Question, SupplierCost
from engines.errors import EngineError, EngineErrorCode
from engines.transport.body import JsonObject

TaskState: TypeAlias = Literal["queued", "working", "done"]


@dataclass(frozen=True, slots=True)
class SupplierCall:
    """One request, relative to the data provider's base URL; a body of None is a GET."""

    path: str
    body: object = None


@dataclass(frozen=True, slots=True)
class SupplierApi:
    """One data provider whose tasks are submitted, waited for and fetched."""

    name: str
    base_url: str
    surfaces: frozenset[str]
    locale: Callable[[str], frozenset[LocaleField]]
    """The supported location fields, by AI surface."""
    authorization: Callable[[str], str]
    """The header for a key; empty if the data provider takes the key in the URL."""
    submit: Callable[[Question, str], SupplierCall]
    """The request for a question on a surface. Raises EngineError `unsupported_question` or `unsupported_locale`."""
    ticket: Callable[[JsonObject], str]
    """Id of the opened task. Raises EngineError if none was opened. Not used for immediate answers."""
    fetch: Callable[[str, str], SupplierCall]
    """The request that checks a task, by AI surface and id."""
    state: Callable[[JsonObject], TaskState]
    """The progress of a task; undocumented states mean work. Raises EngineError for one that failed."""
    parse: Callable[[Question, Sequence[Exchange]], EngineAnswer]
    charge: Callable[[Sequence[Exchange]], SupplierCost | None] = lambda _exchanges: None
    """The charge according to the bodies of a task without an answer."""
    find: Callable[[str], SupplierCall] | None = None
    """The request that lists finished tasks of an AI surface, to search for a lost one."""
    found: Callable[[JsonObject, str], str | None] | None = None
    """Id of the task with an ask key in such a list."""
    result: Callable[[str, str], SupplierCall] | None = None
    """The request that fetches a finished task, if checking it does not return its answer."""
    cancel: Callable[[str, str], SupplierCall] | None = None
    """The request that cancels a task whose answer is no longer needed."""
    at_once: frozenset[str] = frozenset()
    """AI surfaces with an immediate answer to the submission, without a task."""
    further: Callable[[JsonObject], SupplierCall | None] | None = None
    """The second request that an immediate answer requires, or None."""
    notified: Callable[[SupplierCall, str], SupplierCall] | None = None
    """A submission with a callback URL for when its task is done, for data providers that support callbacks."""
    region_of: Callable[[str], frozenset[str]] = lambda _surface: frozenset()
    """Countries in which an AI surface accepts a region that it accepts nowhere else."""
    key_field: str | None = None
    """Name of the query field for the key; it is removed from every stored URL."""
    repeatable: bool = False
    """Whether a repeated submission opens only one task."""
    credits: Callable[[str], tuple[int, int]] | None = None
    """Typical and maximum credits of an observation on an AI surface, for data providers that charge in credits."""
    per_minute: int = 300
    """Maximum requests per minute and credential, over all AI surfaces."""
    find_seconds: float = 0.0
    """How long one list of finished tasks is shared by all searches for lost ones."""
    rest_seconds: float = 0.0
    """Minimum pause after a 429 response; a longer one in the response takes precedence."""


def unsupported(code: EngineErrorCode, sentence: str) -> EngineError:
    """Return the error for an unsupported question; nothing was sent."""
    return EngineError(code, sentence)


def questioned(question: Question, longest: int) -> str:
    """Return the text of a question. Raises EngineError if a data provider would truncate it."""
    if len(question.text) > longest:
        raise unsupported(
            EngineErrorCode.UNSUPPORTED_QUESTION, f"The question is longer than {longest} characters."
        )
    return question.text


def without_empty(fields: Mapping[str, object | None]) -> dict[str, object]:
    """Return the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}
