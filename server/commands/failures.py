"""Failures that a person can do something about, told in one sentence and a hint."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast


@contextmanager
def known_failures() -> Generator[None]:
    """Print a known failure and exit with 1; an unknown one is a defect and keeps its traceback."""
    try:
        yield
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        told = told_of(error)
        if told is None:
            raise
        sys.stderr.write(told)
        sys.exit(1)


def told_of(error: BaseException) -> str | None:
    """Return what to print for an exception of ours, or None."""
    from analytics.errors import InvalidAliases
    from server.settings import InvalidSettings
    from storage.errors import StorageError
    from workflows.errors import WorkError

    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        told = [told_of(one) for one in group.exceptions]
        return None if None in told else told[0]  # several workers meet the same full disk
    if isinstance(error, InvalidSettings):
        return "".join(f"error: {fault}\n" for fault in error.faults)
    if isinstance(error, WorkError):
        return f"error: {error.message}\n" + (f"hint: {error.hint}\n" if error.hint else "")
    if isinstance(error, StorageError | InvalidAliases):
        return f"error: {error}\n"
    return None
