"""Errors of a command that a person can fix: a line, a hint and exit code 1."""

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import cast


@contextmanager
def known_errors() -> Generator[None]:
    """Print a known error and exit with 1; an unknown error is a defect and keeps its traceback."""
    try:
        yield
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        text = error_text(error)
        if text is None:
            raise
        sys.stderr.write(text)
        sys.exit(1)


def error_text(error: BaseException) -> str | None:
    """Return the lines to print for a known error, or None."""
    from analytics.errors import InvalidAliases
    from measurement.errors import WorkError
    from readiness.fetching.errors import ScanError
    from server.settings import InvalidSettings
    from storage.errors import StorageError

    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        texts = [error_text(member) for member in group.exceptions]
        return None if None in texts else texts[0]  # several workers fail on the same full disk
    if isinstance(error, InvalidSettings):
        faults = "".join(f"error: {fault}\n" for fault in error.faults)
        return faults + "".join(f"hint: {hint}\n" for hint in error.hints)
    if isinstance(error, WorkError | ScanError):
        return f"error: {error.message}\n" + (f"hint: {error.hint}\n" if error.hint else "")
    if isinstance(error, StorageError | InvalidAliases):
        return f"error: {error}\n"
    return None
