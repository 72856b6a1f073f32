"""What asking one supplier takes, as pure functions: requests, the task that it opens, and how far that is."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engines.engine import EngineAnswer, Exchange, LocaleField, Question, SupplierCost
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
    locale: Callable[[str], frozenset[LocaleField]]
    """What of a place it has a field for, by surface."""
    authorization: Callable[[str], str]
    """The header for a key; empty for a supplier that takes it in the address."""
    submit: Callable[[Question, str], SupplierCall]
    """The request for a question on a surface. Raises EngineError `unsupported_question` or `unsupported_locale`."""
    ticket: Callable[[JsonObject], str]
    """Id of the task that was opened. Raises EngineError when none was. Of no use for what is answered at once."""
    fetch: Callable[[str, str], SupplierCall]
    """The request that looks at a task, by surface and id."""
    state: Callable[[JsonObject], TaskState]
    """How far a task is; a state that nobody documents is work. Raises EngineError for one that failed."""
    parse: Callable[[Question, Sequence[Exchange]], EngineAnswer]
    charge: Callable[[Sequence[Exchange]], SupplierCost | None] = lambda _exchanges: None
    """What the bodies say was charged, of a task that brought no answer."""
    find: Callable[[str], SupplierCall] | None = None
    """The request that lists finished tasks of a surface, where a lost one can be looked for."""
    found: Callable[[JsonObject, str], str | None] | None = None
    """Id of the task with an ask key in such a list."""
    result: Callable[[str, str], SupplierCall] | None = None
    """The request that fetches a task that is done, where looking at it does not bring its answer."""
    cancel: Callable[[str, str], SupplierCall] | None = None
    """The request that ends a task for which nobody waits any more."""
    at_once: frozenset[str] = frozenset()
    """Surfaces whose submission is answered with what was seen, and opens no task."""
    further: Callable[[JsonObject], SupplierCall | None] | None = None
    """The second request that an answer at once asks for, or None."""
    notified: Callable[[SupplierCall, str], SupplierCall] | None = None
    """A submission that also names the address to call when its task is done, of a supplier that calls."""
    region_of: Callable[[str], frozenset[str]] = lambda _surface: frozenset()
    """Countries in which a surface takes a region that it takes nowhere else."""
    key_field: str | None = None
    """Name of the query field that takes the key; it is in no address that is kept."""
    repeatable: bool = False
    """Whether the same submission twice opens one task."""
    credits: Callable[[str], tuple[int, int]] | None = None
    """Credits that a look at a surface takes as a rule and at most, of a supplier that counts in them."""
    per_minute: int = 300
    """Requests a minute and credential that are sent at most, over all surfaces."""
    find_seconds: float = 0.0
    """How long one list of finished tasks serves everybody who looks for a lost one."""
    rest_seconds: float = 0.0
    """How long nothing is sent after a refusal with 429, or longer where it says so."""


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
