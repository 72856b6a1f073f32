"""The fields that stand in every log line of the work under way."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType
from typing import Final

_NONE: Final[Mapping[str, object]] = MappingProxyType({})
_BOUND: ContextVar[Mapping[str, object]] = ContextVar("bound_fields", default=_NONE)


def bound_fields() -> Mapping[str, object]:
    """Return the fields that are bound here, by name."""
    return _BOUND.get()


@contextmanager
def binding(**fields: object) -> Generator[None]:
    """Bind more fields until the block ends; tasks and threads that begin in it have them too."""
    before = _BOUND.set({**_BOUND.get(), **fields})
    try:
        yield
    finally:
        _BOUND.reset(before)
